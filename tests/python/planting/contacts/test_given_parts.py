# SPDX-License-Identifier: MIT
"""Contacts given for heel and ball apart: the report's come back, edited ones are kept, what cannot be is refused."""

from __future__ import annotations

import json
from dataclasses import replace

import known_motions
import numpy as np
import pytest
from known_steps import LEG_LENGTH, SIDES, SOLE, TO_BACK, TO_BALL, spans_of

import skelkin_py as sk
from skelkin_py.planting.given_contacts import given_legs
from skelkin_py.planting.spans import span_mask

UNDER_ANKLE = np.array([0.0, TO_BALL[1] - SOLE, 0.0])
SLIDE, HEIGHT = 1e-4 * LEG_LENGTH, 1e-3 * LEG_LENGTH
EASES = 6  # frames of a blend of 0.2 s at 30 frames per second


def parts_of(report):
    return {leg.name: {"heel": leg.heel_contacts, "ball": leg.ball_contacts} for leg in report.legs}


def apart(one, two):
    """Return by how much any rotation or translation differs."""
    return max(np.abs(one.rotations - two.rotations).max(), np.abs(one.translations - two.translations).max())


def foot_axes(clip, side):
    return clip.global_matrices()[:, clip.skeleton.index(f"{side}_foot")]


def sole(clip, side):
    """Return heel, its back and ball of a foot's sole, by forward kinematics of a clip in metres that is Y up."""
    ankle = foot_axes(clip, side)
    heel, back, ball = (ankle[:, :3, 3] + ankle[:, :3, :3] @ point for point in (UNDER_ANKLE, TO_BACK, TO_BALL))
    return {"heel": heel, "back": back, "ball": ball - [0.0, SOLE, 0.0]}


def wanders(points):
    """Return how far level places are from the first of them, at most."""
    return np.linalg.norm((points - points[0])[:, [0, 2]], axis=1).max()


def stands(points, ground=0.0):
    """Check that points are on the ground and keep their place."""
    assert wanders(points) <= SLIDE
    assert np.abs(points[:, 1] - ground).max() <= HEIGHT


@pytest.fixture(scope="module")
def walk():
    """A walk that slides, planted, with one whole contact of the left foot: its heel's span and its ball's."""
    case = known_motions.known("walk", fps=30.0, slide=0.08, sway=0.02)
    planted = sk.plant_feet(case.clip, ground=0.0)
    leg = planted.report.legs[0]
    first, last = leg.contacts[2]
    (heel,) = [span for span in leg.heel_contacts if first <= span[0] <= last]
    (ball,) = [span for span in leg.ball_contacts if first <= span[0] <= last]
    assert first == heel[0] < ball[0] < heel[1] < ball[1] == last
    return case, planted, heel, ball


def edited(walk, heel=None, ball=None):
    """Plant the walk with another heel or ball span in that contact; check that the report has what was given."""
    case, planted, own_heel, own_ball = walk
    given = parts_of(planted.report)
    for part, old, new in (("heel", own_heel, heel), ("ball", own_ball, ball)):
        if new is not None:
            given["left"][part] = [new if span == old else span for span in given["left"][part]]
    result = sk.plant_feet(case.clip, ground=0.0, contacts=given)
    assert parts_of(result.report) == given
    again = sk.plant_feet(result.clip, ground=0.0, contacts=given)
    assert apart(again.clip, result.clip) <= 1e-9
    return result.clip


ROUND_TRIPS = ["walk, all", "run, noise", "stairs, slide", "dance, all", "crawl, slide", "in place, all"]
ROUND_TRIPS += ["walk loop, slide", "in-place loop, noise", "side-step loop, all"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ROUND_TRIPS)
def test_contacts_of_a_report_give_the_run_that_they_came_from(name):
    case = known_motions.known(**known_motions.cases()[name])
    ground = 0.0 if case.ground is None else case.ground
    found = sk.plant_feet(case.clip, ground=ground)
    told = json.loads(json.dumps(found.report.to_dict()))["legs"]
    given = {leg["name"]: {"heel": leg["heel_contacts"], "ball": leg["ball_contacts"]} for leg in told}
    again = sk.plant_feet(case.clip, ground=ground, contacts=given)
    assert [leg.contacts for leg in again.report.legs] == [leg.contacts for leg in found.report.legs]
    assert apart(again.clip, found.clip) <= 1e-12
    twice = sk.plant_feet(found.clip, ground=ground, contacts=given)
    assert apart(twice.clip, found.clip) <= 1e-9


@pytest.mark.slow
def test_contacts_of_a_report_come_back_on_uneven_ground():
    biped = sk.example("biped")
    found = sk.plant_feet(biped.clip, ground=biped.ground)
    again = sk.plant_feet(biped.clip, ground=biped.ground, contacts=parts_of(found.report))
    assert apart(again.clip, found.clip) == 0.0


def test_a_heel_that_is_to_stay_longer_stays_on_the_ground_in_its_place(walk):
    case, planted, heel, ball = walk
    flat = slice(ball[0], heel[1] + 6)
    free = sole(planted.clip, "left")["heel"][heel[1] + 1 : flat.stop]
    assert free[:, 1].max() > 10 * HEIGHT
    clip = edited(walk, heel=(heel[0], heel[1] + 5))
    points = sole(clip, "left")
    stands(points["heel"][flat])
    stands(points["ball"][ball[0] : ball[1] + 1])
    # The further from this contact, the more the foot looks where it did.
    away = np.maximum(0, np.maximum(heel[0] - np.arange(clip.num_frames), np.arange(clip.num_frames) - ball[1]))
    old, new = (foot_axes(each, "left")[:, :3, :3] for each in (planted.clip, clip))
    moved = np.abs(new - old).max(axis=(1, 2))
    assert (moved <= 1.5 * moved.max() * np.exp(-1.48 / EASES * away)).all()
    # It comes up without a jerk: no faster than twice the fastest that the foot turns by itself.
    turns = [np.abs(np.diff(foot_axes(each, "left")[:, :3, :3], axis=0)).max() for each in (case.clip, clip)]
    assert turns[1] <= 2.0 * turns[0]


def test_a_heel_that_is_to_leave_earlier_is_up_and_the_foot_stands_on_its_ball(walk):
    _, planted, heel, ball = walk
    early = slice(heel[1] - 4, heel[1] + 1)
    assert np.abs(sole(planted.clip, "left")["heel"][early, 1]).max() <= HEIGHT
    points = sole(edited(walk, heel=(heel[0], heel[1] - 5)), "left")
    assert points["heel"][early, 1].min() > 5e-4 * LEG_LENGTH
    stands(points["ball"][ball[0] : ball[1] + 1])


def test_toes_that_are_to_come_down_later_are_up_and_the_foot_stands_on_its_heel(walk):
    _, _, heel, ball = walk
    points = sole(edited(walk, ball=(ball[0] + 4, ball[1])), "left")
    assert points["ball"][ball[0] : ball[0] + 4, 1].min() > 5e-4 * LEG_LENGTH
    stands(points["back"][heel[0] : ball[0] + 4])
    stands(points["ball"][ball[0] + 4 : ball[1] + 1])


def test_toes_that_are_to_come_down_at_once_do(walk):
    _, planted, heel, ball = walk
    assert sole(planted.clip, "left")["ball"][heel[0], 1] > 5 * HEIGHT
    points = sole(edited(walk, ball=(heel[0], ball[1])), "left")
    stands(points["heel"][heel[0] : heel[1] + 1])
    stands(points["ball"][heel[0] : ball[1] + 1])


@pytest.mark.parametrize(("part", "pivot"), [("heel", "back"), ("ball", "ball")])
def test_a_foot_given_for_one_part_alone_stands_on_that(walk, part, pivot):
    case, planted, heel, ball = walk
    given = parts_of(planted.report)
    contact = (heel[0], ball[1])
    for each, own in (("heel", heel), ("ball", ball)):
        rest = [span for span in given["left"][each] if span != own]
        given["left"][each] = sorted([*rest, contact]) if each == part else rest
    result = sk.plant_feet(case.clip, ground=0.0, contacts=given)
    assert parts_of(result.report) == given
    inside = slice(contact[0], contact[1] + 1)
    points = sole(result.clip, "left")
    assert wanders(points[pivot][inside]) <= SLIDE
    other = points["ball" if part == "heel" else "back"][inside, 1]
    assert other.min() > 0.0
    assert apart(sk.plant_feet(result.clip, ground=0.0, contacts=given).clip, result.clip) <= 1e-9


@pytest.mark.parametrize("motion", ["walk", "run", "stairs"])
def test_known_heel_and_ball_stand_when_they_are_known_to(motion):
    case = known_motions.known(motion, fps=30.0, slide=0.01, sway=0.02, lift=0.03)
    ground = 0.0 if case.ground is None else case.ground
    given = {side: {part: spans_of(getattr(case, part)[side]) for part in ("heel", "ball")} for side in SIDES}
    planted = sk.plant_feet(case.clip, ground=ground, contacts=given)
    assert parts_of(planted.report) == given
    for side in SIDES:
        points = sole(planted.clip, side)
        for first, last in case.flat[side]:
            part = slice(first, last + 1)
            below = 0.0 if case.ground is None else case.ground(points["ball"][first : first + 1])[0]
            stands(points["ball"][part], below)
            if motion != "stairs":
                stands(points["heel"][part])
        # Within a contact the part that stands keeps its place, be the other up or not.
        for part, point in (("ball", "ball"), ("heel", "back")):
            for first, last in given[side][part]:
                assert wanders(points[point][first : last + 1]) <= SLIDE, (side, part, first)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["walk, slide", "run, all", "dance, noise", "crawl, float"])
def test_any_spans_of_heel_and_ball_are_stood_by(name):
    case, random = known_motions.known(**known_motions.cases()[name]), np.random.default_rng(7)

    def spans():
        edges = np.cumsum(random.integers(1, 25, case.clip.num_frames))
        edges = edges[edges < case.clip.num_frames]
        return [(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=False)]

    given = {side: {part: spans() for part in ("heel", "ball")} for side in SIDES}
    report = sk.plant_feet(case.clip, ground=0.0, contacts=given).report
    for side, found in parts_of(report).items():
        for part in ("heel", "ball"):
            flags = [span_mask(each[part], report.num_frames).tolist() for each in (found, given[side])]
            assert flags[0] == flags[1], (side, part)


def test_a_foot_that_goes_from_its_ball_over_flat_to_its_heel_is_planted_once_for_all():
    case = known_motions.known("dance", fps=24.0)
    given = parts_of(sk.plant_feet(case.clip, ground=0.0).report)["left"]
    contact = given["ball"][-2]
    turned = [(contact[0] + 5, contact[1])], [(contact[0], contact[1] - 5)]
    for part, own in zip(("heel", "ball"), turned, strict=True):
        rest = [span for span in given[part] if span[1] < contact[0] or span[0] > contact[1]]
        given[part] = sorted([*rest, *own])
    once = sk.plant_feet(case.clip, ground=0.0, contacts={"left": given})
    assert parts_of(once.report)["left"] == given
    twice = sk.plant_feet(once.clip, ground=0.0, contacts={"left": given})
    assert apart(once.clip, twice.clip) <= 1e-9


def test_one_leg_may_be_given_by_parts_and_the_other_as_a_whole(walk):
    case, planted, _, _ = walk
    left, right = planted.report.legs
    given = [{"ball": left.ball_contacts, "heel": left.heel_contacts}, right.contacts]
    assert apart(sk.plant_feet(case.clip, ground=0.0, contacts=given).clip, planted.clip) == 0.0


@pytest.mark.parametrize(
    ("heel", "ball", "spans"),
    [
        ([(0, 5)], [(3, 9)], [(0, 9)]),
        ([(0, 5)], [(6, 9)], [(0, 9)]),  # from the heel onto the ball at once
        ([(0, 5), (6, 9)], [(2, 5), (7, 9)], [(0, 5), (6, 9)]),  # two footsteps: the heel stands on both sides
        ([(0, 5), (6, 9)], [(3, 7)], [(0, 9)]),  # the ball stands through
        ([(7, 9), (0, 2)], [], [(0, 2), (7, 9)]),
    ],
)
def test_a_foot_stands_where_its_heel_or_its_ball_does(heel, ball, spans):
    [leg] = given_legs([{"heel": heel, "ball": ball}], ["left"], 10)
    assert (leg.contacts, leg.heel, leg.ball) == (spans, sorted(heel), ball)


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"left": {"toe": [(0, 3)]}}, ValueError, r"contacts\['left'\]\['toe'\]: a foot has 'heel' and 'ball'"),
        ({"left": {"heel": [(0, 3), (5, 900)]}}, ValueError, r"contacts\['left'\]\['heel'\]\[1\] is \(5, 900\): 0 ≤"),
        (
            {"right": {"ball": [(5, 3)]}},
            ValueError,
            r"contacts\['right'\]\['ball'\]\[0\] is \(5, 3\): 0 ≤ first ≤ last",
        ),
        ({"left": {"ball": [(1.5, 3)]}}, ValueError, r"contacts\['left'\]\['ball'\]\[0\] is \(1.5, 3\): .* two whole"),
        ([{}, {"heel": 3}], TypeError, r"contacts\[1\]\['heel'\] is 3: a list of spans"),
        ({"left": {"heel": "all"}}, TypeError, r"contacts\['left'\]\['heel'\] is 'all': a list of spans"),
        ({"tail": {"heel": []}}, ValueError, r"contacts\['tail'\]: there is no such leg, only left, right"),
    ],
)
def test_parts_that_make_no_sense_are_named(walk, given, error, words):
    with pytest.raises(error, match=words):
        sk.plant_feet(walk[0].clip, contacts=given)


def test_no_span_for_heel_and_ball_is_no_contact(walk):
    planted = sk.plant_feet(walk[0].clip, contacts={"left": {"heel": [], "ball": []}, "right": {}})
    assert planted.clip is walk[0].clip


def test_feet_in_place_are_not_turned_and_that_is_said():
    case = known_motions.known("in place", fps=30.0)
    given = parts_of(sk.plant_feet(case.clip).report)
    given["right"]["ball"] = [(max(0, a - 2), b) for a, b in given["right"]["ball"]]
    with pytest.raises(ValueError, match=r"contacts\['right'\] in frame \d+: .* give the ground's velocity"):
        sk.plant_feet(case.clip, contacts=given)
    held = sk.plant_feet(case.clip, contacts=given, ground_velocity="auto").report
    assert parts_of(held) == given


def test_a_loop_stands_alike_in_its_first_and_last_pose():
    case = known_motions.known("walk loop", fps=30.0)
    report = sk.plant_feet(case.clip, ground=0.0).report
    given, last = parts_of(report), report.num_frames - 1
    assert report.loop
    side = next(leg.name for leg in report.legs if span_mask(leg.ball_contacts, last + 1)[[0, last]].all())
    given[side]["ball"][-1] = (given[side]["ball"][-1][0], last - 1)
    given[side]["heel"] = [span for span in given[side]["heel"] if span[1] < last - 8] + [(last - 8, last)]
    with pytest.raises(ValueError, match=rf"contacts\['{side}'\] in frame {last}: of a loop this is frame 0 again"):
        sk.plant_feet(case.clip, ground=0.0, contacts=given)


def test_a_foot_without_toes_is_given_as_a_whole(walk):
    case, planted, _, _ = walk
    legs = [replace(leg, toe=None) for leg in case.clip.find_legs()]
    same = {leg.name: {"heel": leg.contacts, "ball": leg.contacts} for leg in planted.report.legs}
    whole = {leg.name: leg.contacts for leg in planted.report.legs}
    one, two = (sk.plant_feet(case.clip, ground=0.0, legs=legs, contacts=given) for given in (same, whole))
    assert apart(one.clip, two.clip) == 0.0
    same["left"]["ball"] = [(a + 2, b) for a, b in same["left"]["ball"]]
    with pytest.raises(ValueError, match=r"contacts\['left'\] in frame \d+: heel and ball differ, and this foot has"):
        sk.plant_feet(case.clip, ground=0.0, legs=legs, contacts=same)
