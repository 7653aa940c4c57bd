# SPDX-License-Identifier: MIT
"""What a viewer would mind: rows of legs that were moved by hand, their words, and what comes of following advice."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import skelkin_py as sk
from skelkin_py import _core
from skelkin_py.planting.foot import LegTrack
from skelkin_py.planting.remark import renumbered
from skelkin_py.planting.viewer_rows import RULES, WORDS, viewer_rows

UP = np.array([0.0, 1.0, 0.0])


@pytest.fixture(scope="module")
def walk(make_walk):
    return make_walk().clip


@pytest.fixture(scope="module")
def report(walk):
    return walk.plant_feet(contacts="auto").report


def moved(clip: sk.Clip, by: np.ndarray) -> sk.Clip:
    """The clip with its root moved."""
    translations = clip.translations.copy()
    translations[:, 0] += by
    return clip.replace(translations=translations)


def of(cost: sk.PlantCost, row: str) -> sk.ViewerRow:
    return next(each for each in cost.rows if each.row == row)


def test_rows_are_those_of_the_table_in_the_docs(report):
    assert [row.row for row in report.cost.rows] == list(RULES)
    assert report.cost.minded() == []


@pytest.mark.parametrize(("parts", "grade"), [(0.9, ""), (1.1, "look at"), (2.6, "fault")])
def test_a_body_that_is_moved_at_once_is_seen_by_its_bar(walk, report, parts, grade):
    far = parts * RULES["throw"].bar * report.leg_length
    jumped = moved(walk, np.where(np.arange(walk.num_frames) >= 90, far, 0.0)[:, None] * [1.0, 0.0, 0.0])
    row = of(sk.measure_cost(jumped, walk, report=report), "throw")
    assert (row.value, row.grade) == (pytest.approx(parts * row.bar, abs=1e-6), grade)
    assert row.frames[0] < 90 <= row.frames[1]


def test_rows_do_not_depend_on_the_rate(make_walk):
    told = []
    for fps in (30.0, 120.0):
        clip = make_walk(fps=fps).clip
        sway = 0.05 * np.sin(4.0 * np.arange(clip.num_frames) / fps)
        swayed = moved(clip, sway[:, None] * [1.0, 0.0, 0.0])
        told.append(sk.measure_cost(swayed, clip, report=clip.plant_feet().report))
    for row in ("throw", "slide", "jump"):
        assert of(told[0], row).value == pytest.approx(of(told[1], row).value, rel=0.05), row


def test_a_clip_that_is_raised_as_a_whole_onto_given_ground_sinks_nowhere(walk):
    lower = moved(walk, np.array([0.0, -0.3, 0.0]))
    given = lower.plant_feet(ground=0.0).report
    assert of(given.cost, "sink").grade == ""
    assert of(given.cost, "throw").grade == ""


def test_feet_on_a_belt_slide_only_beside_it():
    """A foot that goes back with the ground strays from nothing."""
    num, step = 60, np.array([-0.02, 0.0, 0.0])
    back = np.arange(num)[:, None] * step

    def leg(ankle):
        turn = np.tile(np.eye(3), (num, 1, 1))
        return [LegTrack(ankle + UP, ankle + 0.5 * UP, ankle, turn, None, False, 1.0, flexion=np.zeros(num))]

    sliding = back + (0.1 * np.sin(np.arange(num) / 9.0))[:, None] * [1.0, 0.0, 0.0]
    told = []
    for before, after in ((sliding, back), (back, sliding)):
        rows = viewer_rows(leg(before), leg(after), [[(5, 50)]], ["left"], 30.0, 1.0, (0, num - 1), up=UP, step=step)
        told.append(next(row for row in rows if row.row == "slide"))
    assert told[0].value == 0.0
    assert told[1].value > 0.05
    assert (told[1].leg, told[1].frames) == ("left", (5, 50))


def test_a_long_clip_is_looked_at_piece_by_piece():
    """Half a minute of knees that are bent otherwise is a fault, however long the clip is."""
    num, bent, beside = 9000, np.full(9000, 30.0), np.zeros((9000, 3))
    bent[8200:8990], beside[8200:8990, 0] = 60.0, 0.1

    def leg(ankle, flexion):
        turn = np.tile(np.eye(3), (num, 1, 1))
        return [LegTrack(ankle + UP, ankle + 0.5 * UP, ankle, turn, None, False, 1.0, flexion=flexion)]

    still, moved_leg = leg(np.zeros((num, 3)), np.full(num, 30.0)), leg(beside, bent)
    contacts = [[(5, 50), (4090, 4100), (8180, 8995)]]
    rows = viewer_rows(still, moved_leg, contacts, ["left"], 30.0, 1.0, (0, num - 1), up=UP)
    knee = next(row for row in rows if row.row == "knee")
    assert knee.value > 80.0
    assert 8200 <= knee.frame < 8990
    assert (knee.demand.number, knee.demand.first_frame, knee.demand.last_frame) == (3, 8180, 8995)


def test_ground_that_is_not_level_may_ask_for_bodies_and_knees():
    biped = sk.example("biped")
    rows = {row.row for row in biped.clip.plant_feet(ground=biped.ground).report.cost.rows}
    assert rows == {"slide", "pops", "jump", "heel", "jerk"}


@pytest.fixture(scope="module")
def strained(walk):
    """A walk whose left foot is held for a quarter of a second longer than it stands."""
    contacts = {leg.name: list(leg.contacts) for leg in walk.plant_feet().report.legs}
    first, last = contacts["left"][1]
    contacts["left"][1] = (first, last + 8)
    return walk.plant_feet(contacts=contacts)


def test_what_would_be_minded_is_said_worst_first_with_frames_and_the_contact(strained):
    report = strained.report
    excess = [row.excess for row in report.cost.minded()]
    assert excess == sorted(excess, reverse=True)
    told = report.minded()
    assert len(told) == len(excess) > 2
    assert all(line.split(":")[0] in ("look at", "fault") for line in told)
    assert any("contact 2 of the left foot (33–60) lies 20.0 cm beyond reach" in line for line in told)
    assert "(1033–1060)" in renumbered(told[0], lambda frame: frame + 1000)
    assert "worse" not in str(report).lower()
    lines = report.as_text(verbose=True).splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[5].startswith(told[0][:40])


@pytest.mark.parametrize("words", WORDS)
def test_advice_is_in_the_words_of_who_follows_it(strained, words):
    names = {"python": "contacts= without it", "shell": "--contacts without it", "blender": "Contacts panel"}
    assert any(names[words] in line for line in strained.report.minded(words))


def test_following_the_advice_makes_no_row_worse(strained, walk):
    """Round after round the contact that a line names is left out, until no line names one."""
    report = strained.report
    for _ in range(3):
        row = next((row for row, told in zip(report.cost.minded(), report.minded()) if "without it" in told), None)
        if row is None:
            break
        gone = row.demand.leg, (row.demand.first_frame, row.demand.last_frame)
        contacts = {leg.name: [span for span in leg.contacts if (leg.name, span) != gone] for leg in report.legs}
        after = walk.plant_feet(contacts=contacts).report
        for old, new in zip(report.cost.rows, after.cost.rows, strict=True):
            assert new.value <= max(1.02 * old.value, old.bar), old.row
        assert of(after.cost, row.row).value < row.value
        report = after
    else:
        pytest.fail("advice goes on for ever")
    assert report is not strained.report


def test_feet_that_are_raised_are_named_with_the_height_that_sets_them_down(walk):
    """The left foot is given a height of its own; with the height that the report names it stands as it did."""
    own = walk.plant_feet().report

    def contacts(left):
        return {
            leg.name: [
                {"first_frame": a, "last_frame": b, "height": left * (leg.name == "left")} for a, b in leg.contacts
            ]
            for leg in own.legs
        }

    up = 0.05 * own.leg_length
    raised = walk.plant_feet(contacts=contacts(up)).report
    row = of(raised.cost, "level")
    assert (row.leg, row.grade) == ("left", "look at")
    assert any("lower heights" in line for line in raised.minded())
    lower = walk.plant_feet(contacts=contacts(up - row.value * own.leg_length)).report
    assert of(lower.cost, "level").value < 0.2 * row.value
    for old, new in zip(raised.cost.rows, lower.cost.rows, strict=True):
        assert new.value <= max(1.02 * old.value, old.bar), old.row


def test_no_line_is_longer_than_a_terminal(strained):
    names = [f"Bip01 {side} foot of a horse that has many names" for side in ("L", "R")]
    legs = tuple(replace(leg, name=name) for leg, name in zip(strained.report.cost.legs, names))
    long = replace(strained.report, cost=replace(strained.report.cost, legs=legs))
    assert max(map(len, long.as_text(verbose=False).splitlines())) <= 80
    assert long.in_five_lines()[0] == "feet stand    12 times, 2 feet together"


def test_a_clip_in_which_nothing_stands_says_so(walk):
    lines = walk.plant_feet(contacts="never").report.in_five_lines()
    assert [line[14:] for line in lines][:2] == ["never", "no foot stands"]
    assert [line[14:] for line in lines][3:] == ["not changed", "not moved"]


def test_the_core_refuses_motions_of_different_lengths(report):
    with pytest.raises((TypeError, ValueError, AttributeError)):
        _core.viewer_rows([], [], [], UP, np.zeros(3), False, 1.0, 30.0)
