# SPDX-License-Identifier: MIT
"""Contacts of heel and ball apart: heel strike, flat, heel rise, as the known footsteps have them."""

from __future__ import annotations

import json

import known_motions
import numpy as np
import pytest

import skelkin_py as sk
from skelkin_py.planting.spans import span_mask

SIDES = ("left", "right")


def planted_case(name):
    case = known_motions.known(**known_motions.cases()[name])
    return case, sk.plant_feet(case.clip, ground=0.0 if case.ground is None else case.ground).report


@pytest.mark.parametrize("fault", ["clean", "slide", "sink", "noise", "all"])
@pytest.mark.parametrize("motion", ["walk", "run", "stairs", "dance"])
def test_heel_and_ball_stand_when_they_are_known_to(motion, fault):
    case, report = planted_case(f"{motion}, {fault}")
    for part in ("heel", "ball"):
        truth = np.stack([getattr(case, part)[side] for side in SIDES])
        found = np.stack([span_mask(getattr(leg, f"{part}_contacts"), report.num_frames) for leg in report.legs])
        assert 2 * (found & truth).sum() / (found.sum() + truth.sum()) >= 0.94, part


def test_a_step_of_a_walk_goes_from_the_heel_over_the_flat_foot_to_the_ball():
    _, report = planted_case("walk, slide")
    for leg in report.legs:
        whole = [(a, b) for a, b in leg.contacts if a > 0 and b < report.num_frames - 1]
        assert whole
        for first, last in whole:
            (heel,) = [span for span in leg.heel_contacts if first <= span[0] <= last]
            (ball,) = [span for span in leg.ball_contacts if first <= span[0] <= last]
            assert first == heel[0] < ball[0] <= heel[1] < ball[1] == last


@pytest.mark.parametrize("fault", known_motions.FAULTS)
def test_a_foot_that_stands_on_its_ball_throughout_never_stands_on_its_heel(fault):
    """In a crawl no moment shows how a flat foot is turned; its rest pose does."""
    case, report = planted_case(f"crawl, {fault}")
    for leg in report.legs:
        assert not case.heel[leg.name].any()
        assert leg.heel_contacts == []
        assert leg.ball_contacts == leg.contacts


@pytest.mark.parametrize("tip", [0.0, 0.1, 0.2, 0.7])
def test_a_foot_is_on_its_ball_where_it_is_clearly_further_up_than_at_rest(tip):
    """Feet of a walk that stand a little tipped are flat: the rest pose of a capture is seldom that of its floor."""
    case = known_motions.known("crawl", fps=30.0) if tip == 0.7 else known_motions.known("walk", fps=30.0)
    rotations = case.clip.rotations.copy()
    if tip < 0.7:
        for part, angle in (("foot", tip), ("toe", -tip)):
            for side in SIDES:
                joint = case.clip.skeleton.index(f"{side}_{part}")
                turn = sk.quaternion_from_axis_angle([1.0, 0.0, 0.0], angle)
                rotations[:, joint] = sk.quaternion_multiply(rotations[:, joint], turn)
    report = sk.plant_feet(case.clip.replace(rotations=rotations)).report
    assert [bool(leg.heel_contacts) for leg in report.legs] == [tip < 0.7] * 2


def test_heel_and_ball_together_are_the_contact_and_in_the_dictionary():
    _, report = planted_case("run, all")
    for leg, told in zip(report.legs, json.loads(json.dumps(report.to_dict()))["legs"], strict=True):
        both = span_mask([*leg.heel_contacts, *leg.ball_contacts], report.num_frames)
        assert both.tolist() == span_mask(leg.contacts, report.num_frames).tolist()
        for part in ("heel_contacts", "ball_contacts"):
            assert [tuple(span) for span in told[part]] == getattr(leg, part)


def test_a_foot_that_lies_on_a_slope_stands_on_heel_and_ball():
    clip = known_motions.known("walk", fps=30.0).clip
    report = sk.plant_feet(clip, ground=lambda points: 0.2 * points[:, 0]).report
    flat = sk.plant_feet(clip, ground=0.0).report
    for slope, level in zip(report.legs, flat.legs, strict=True):
        assert len(slope.heel_contacts) == len(level.heel_contacts)
        assert len(slope.ball_contacts) == len(level.ball_contacts)
