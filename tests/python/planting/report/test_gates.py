# SPDX-License-Identifier: MIT
"""The report as JSON, its gates and the pops of knees, against figures worked out by hand."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest

import skelkin_py as sk
from skelkin_py.planting.cost import LegCost, PlantCost
from skelkin_py.planting.metrics import FootCurves, knee_pops, measure_contacts
from skelkin_py.planting.report.legs import Contact, LegReport
from skelkin_py.planting.report.report import PlantReport

STILL = LegCost("left", ((30.0, 30.0), (30.0, 30.0)), (0, 0), 0, (0, 0), 0.0, 0.0, 0.0, (0.0, 0.0), (0.0, 0.0))
KEYS = {
    "schema", "versions", "num_frames", "frames", "fps", "up", "ground", "ground_estimated", "ground_velocity",
    "pace", "pace_legs", "pinned", "loop", "travel_added", "leg_length", "metres_per_unit", "unit_known",
    "slide_mean", "slide_worst",
    "slide_before_cm", "slide_after_cm",
    "penetration_worst", "float_worst", "below_ground_worst", "literature", "knee_degrees", "knee_pops",
    "body_shift", "body_moved", "body_added_acceleration", "seconds", "frames_per_second", "legs", "contacts",
    "messages", "cost", "minded",
}  # fmt: skip


def curves(heights, along, knee=None):
    steps = np.zeros((len(heights) - 1, 3))
    steps[:, 0] = np.diff(along)
    heights = np.asarray(heights, float)
    knee = np.full(len(heights), 150.0) if knee is None else np.asarray(knee, float)
    rolls = np.zeros(len(heights), np.int8)
    return FootCurves(heights, np.zeros(len(heights)), knee, steps, heights, steps, rolls, 180.0 - knee)


@pytest.fixture
def report():
    """One foot of ten frames that stands in 2 … 6, slides 3 units there, and is lower than the ground in 5 and 8."""
    before = curves([0, 5, 0, 0, 0.5, -2, 0, 5, -1, 5], [0, 0, 10, 11, 12, 13, 12, 40, 40, 40])
    after = curves([0, 5, 0, 0, 0, 0, 0, 5, 0, 5], [0, 0, 10, 10, 10, 10, 10, 40, 40, 40])
    own = [(2, 6)]
    old, new = (measure_contacts(c, own, [0.0])[0] for c in (before, after))
    return PlantReport(
        contacts=(Contact(0, "left", 2, 6, old, new),),
        legs=(LegReport("left", own, [], 90.0, 2.0, "given", before, after, STILL),),
        cost=PlantCost((STILL,), 10, 0.0, 0.0, 0, 0.0, 0.0),
        num_frames=10, frames=(0, 9), fps=30.0, up=np.array([0.0, 1.0, 0.0]), up_name="+Y", ground=0.0,
        ground_estimated=False, ground_velocity=None, metres_per_unit=0.01, unit_known=False,
        body_path=np.linspace(-1.0, 2.0, 10)[:, None] * [0.0, 1.0, 0.0], added_acceleration=0.5, seconds=0.1,
    )  # fmt: skip


def test_the_dictionary_survives_json_unchanged(report, make_walk):
    for told in (report.to_dict(), sk.plant_feet(make_walk().clip).report.to_dict()):
        assert json.loads(json.dumps(told, allow_nan=False)) == told
        assert set(told) == KEYS


def test_the_dictionary_holds_the_figures_of_each_contact(report):
    (contact,) = report.to_dict()["contacts"]
    assert (contact["leg"], contact["leg_index"], contact["first_frame"], contact["last_frame"]) == ("left", 0, 2, 6)
    # Away from the place of touchdown: 0, 1, 2, 3, 2
    assert contact["before"] == {"slide": 3.0, "slide_mean": 1.6, "travel": 4.0, "penetration": 2.0, "float": 0.5}
    assert set(contact["after"].values()) == {0.0}


def test_the_dictionary_holds_pelvis_literature_and_versions(report):
    told = report.to_dict()
    assert told["body_shift"] == [-1.0, 2.0]
    assert told["below_ground_worst"] == {"before": 2.0, "after": 0.0}
    # Below: 2 and 1 cm in ten frames; above: three times 5 cm, and 0.5 cm, which count as none
    assert told["literature"]["before"]["penetration_mm"] == pytest.approx(3.0)
    assert told["literature"]["before"]["float_mm"] == pytest.approx(15.0)
    assert told["versions"]["skelkin_py"] == sk.__version__


def test_no_number_in_the_dictionary_is_not_finite(report):
    told = replace(report, fps=math.nan, ground=math.inf).to_dict()
    assert (told["fps"], told["ground"]) == (None, None)
    json.dumps(told, allow_nan=False)


def test_what_could_not_be_reached_is_said_with_the_reason(report):
    knee = np.array([150, 150, 170, 171, 150, 35, 150, 150, 150, 150])
    leg = report.legs[0]
    leg = replace(leg, unreachable=[(2, 3), (5, 5), (6, 6)], after=replace(leg.after, knee=knee))
    told = replace(report, legs=(leg,)).to_dict()["legs"][0]
    assert told["unreachable"] == [[2, 3], [5, 5], [6, 6]]
    far, near, other = told["unreachable_why"]
    assert far == "too far away for a leg of length 90: the knee opens to 171°"
    assert near == "too near the hip: the knee folds to 35°"
    assert other.startswith("too far away for a leg of length 90 while the body stays with the other feet")
    assert other.endswith("at a knee angle of 150° … 150°")


def test_a_pit_too_deep_for_a_leg_is_told_in_messages_and_dictionary():
    pit = sk.example("biped").clip.plant_feet(ground=lambda at: np.where(at[..., 0] > 0.0, -1.8, 0.0)).report
    told = pit.to_dict()
    left, right = told["legs"]
    assert right["unreachable"] == []
    assert left["unreachable"]
    assert all(why.startswith("too far away") for why in left["unreachable_why"])
    count, (first, last) = sum(b - a + 1 for a, b in left["unreachable"]), left["unreachable"][0]
    start = f"the left leg cannot reach its foothold in {count} frames, first in {first}–{last}: too far away"
    assert any(message.startswith(start) for message in told["messages"])


def test_gates_name_foot_contact_frames_and_value(report):
    slide, sunk, between = report.violations(max_slide=1.5, max_penetration=0.5, max_float=0.6, when="before")
    assert slide == ("left", 0, ((4, 6),), "slide", 3.0, 1.5, "units")
    assert sunk == ("left", 0, ((5, 5),), "penetration", 2.0, 0.5, "units")
    assert between == ("left", None, ((8, 8),), "penetration", 1.0, 0.5, "units")
    assert str(slide) == "left foot, frames 4–6: slide 3 units > 1.5 units"
    assert str(sunk) == "left foot, frame 5: penetration 2 units > 0.5 units"


def test_gates_name_every_span_of_frames(report):
    heights = np.array([0, 5, 1, 0, 1, 1, 0, 5, 0, 5.0])
    leg = replace(report.legs[0], before=replace(report.legs[0].before, height=heights))
    (found,) = replace(report, legs=(leg,)).violations(max_float=0.5, when="before")
    assert found.frames == ((2, 2), (4, 5))
    assert str(found) == "left foot, frames 2, 4–5: float 1 units > 0.5 units"


def test_gates_are_metres_where_the_unit_is_known(report):
    known = replace(report, unit_known=True)
    (slide,) = known.violations(max_slide=0.015, when="before")
    assert slide[:4] == ("left", 0, ((4, 6),), "slide")
    assert (slide.value, slide.bound, slide.unit) == (pytest.approx(0.03), 0.015, "m")


def test_gates_let_pass_what_is_on_the_bound(report):
    assert report.violations(max_slide=3.0, max_penetration=2.0, max_float=0.5, when="before") == []
    assert report.violations(max_slide=0.0, max_penetration=0.0, max_float=0.0) == []
    assert report.violations(when="before") == []


def test_gates_see_only_the_frames_that_were_worked_on(report):
    contacts = replace(report, frames=(0, 7)).violations(max_penetration=0.5, when="before")
    assert [v.frames for v in contacts] == [((5, 5),)]


def test_gates_measure_from_where_a_raised_foot_stands(report):
    raised = replace(report, contacts=(replace(report.contacts[0], rise=0.5),))
    floats = raised.violations(max_float=0.0, when="before")
    assert floats == []


@pytest.mark.parametrize("bound", [-0.1, math.nan])
def test_gates_refuse_bounds_that_are_no_lengths(report, bound):
    with pytest.raises(ValueError, match="max_float is"):
        report.violations(max_float=bound)


def test_gates_refuse_another_time_than_before_and_after(report):
    with pytest.raises(ValueError, match="when is 'now'"):
        report.violations(max_slide=1.0, when="now")


def test_the_worst_frames_agree_with_the_report(make_walk):
    report = sk.plant_feet(make_walk().clip, metres_per_unit=1.0).report
    found = report.violations(max_slide=0.0, when="before")
    assert [v.contact for v in found] == [k for k, c in enumerate(report.contacts) if c.before.slide > 0.0]
    assert max(v.value for v in found) == pytest.approx(report.slide("before")[1])


def test_a_knee_whose_speed_changes_by_more_than_8000_degrees_in_a_second_pops():
    for fps in (24.0, 120.0):
        time = np.arange(int(2 * fps)) / fps
        walk = 140.0 + 25.0 * np.sin(2.0 * np.pi * time)
        popped = walk.copy()
        popped[20] += 10_000.0 / fps**2
        assert knee_pops(walk, fps, (0, len(walk) - 1)) == []
        assert knee_pops(popped, fps, (0, len(walk) - 1)) == [19, 20, 21]
        assert knee_pops(popped, fps, (21, len(walk) - 1)) == []
        popped[20] -= 7_000.0 / fps**2
        assert knee_pops(popped, fps, (0, len(walk) - 1)) == []


def test_a_clip_of_two_frames_has_no_pops():
    assert knee_pops(np.array([90.0, 170.0]), 30.0, (0, 1)) == []
