# SPDX-License-Identifier: MIT
"""Ground that slopes: soles lie along it as far as wished, and what is too steep is none to stand on."""

from __future__ import annotations

import known_motions
import numpy as np
import pytest
import reference
from known_steps import SIDES
from standing_truth import UP, riding, standing, turned

import skelkin_py as sk

FPS = 60.0


def walk():
    return known_motions.known(motion="walk", fps=FPS, slide=0.03)


def ramp(degrees, axis=(1.0, 0.0, 0.0)):
    """The transform that leans a level plane, in every frame, and the plane's heights."""
    motion = turned(axis, np.full(walk().clip.num_frames, np.radians(degrees)))
    normal = motion[0, :3, 1]
    return motion, lambda points: -(points[:, 0] * normal[0] + points[:, 2] * normal[2]) / normal[1]


def soles(planted):
    """(F, 3) per foot: what was up on a flat foot."""
    matrices = reference.forward_kinematics(planted.clip.skeleton, planted.clip.local_matrices())
    return [matrices[:, planted.clip.skeleton.index(f"{side}_foot"), :3, 1] for side in SIDES]


def held(planted):
    for leg, own in zip(planted.report.legs, soles(planted), strict=True):
        for first, last in leg.held:
            yield own[first : last + 1]


@pytest.mark.parametrize("along", [False, True], ids=["made on a floor", "made on the ramp"])
@pytest.mark.parametrize("axis", [(1.0, 0.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 0.0, 1.0)], ids=["down", "up", "across"])
@pytest.mark.parametrize("degrees", [5.0, 20.0])
def test_feet_stand_along_a_ramp(degrees, axis, along):
    case, (motion, ground) = walk(), ramp(degrees, axis)
    clip = riding(case.clip, motion) if along else case.clip
    planted = sk.plant_feet(clip, ground=ground, up="Y")
    figures = standing(case, planted, motion)
    assert figures["slide"] <= 1e-4
    assert max(figures["penetration"], figures["float"]) <= 1e-3
    flat = list(held(planted))
    assert len(flat) >= 4
    for own in flat:
        assert np.degrees(np.arccos(np.clip(own @ motion[0, :3, 1], -1, 1))).max() <= 2.0


@pytest.mark.parametrize("align", [0.0, 0.5, 1.0])
def test_the_weight_says_how_much_of_the_slope_a_foot_takes_on(align):
    _, ground = ramp(20.0)
    planted = sk.plant_feet(walk().clip, ground=ground, align=align, up="Y")
    for own in held(planted):
        lean = np.degrees(np.arccos(np.clip(own @ UP, -1, 1)))
        assert np.abs(lean - 20.0 * align).max() <= 2.0


@pytest.mark.slow
def test_feet_turn_to_the_slope_and_back_without_a_jerk():
    case, (_, ground) = walk(), ramp(20.0)
    planted, plain = (sk.plant_feet(case.clip, ground=ground, align=align, up="Y") for align in (1.0, 0.0))
    for after, before in zip(soles(planted), soles(plain), strict=True):
        lean = np.arccos(np.clip(np.sum(after * before, axis=1), -1, 1))
        speed = np.diff(lean) * FPS
        # 20° within 0.2 s by a cubic: at most 1.5 times the mean speed, and never a jump of the speed.
        assert np.abs(speed).max() <= 1.6 * np.radians(20.0) / 0.2
        assert np.abs(np.diff(speed)).max() <= 7.0 * np.radians(20.0) / 0.2**2 / FPS


@pytest.mark.slow
@pytest.mark.parametrize("given", [True, False], ids=["the same contacts", "contacts found anew"])
def test_planted_once_more_on_a_ramp_nothing_moves(given):
    case, (_, ground) = walk(), ramp(20.0)
    planted = sk.plant_feet(case.clip, ground=ground, up="Y")
    spans = [leg.contacts for leg in planted.report.legs] if given else "auto"
    again = sk.plant_feet(planted.clip, ground=ground, contacts=spans, up="Y")
    assert np.abs(again.clip.positions() - planted.clip.positions()).max() <= (1e-4 if given else 1e-2) * case.leg


@pytest.mark.slow
@pytest.mark.parametrize("made_on_it", [False, True], ids=["made on a floor", "made on the ramp"])
@pytest.mark.parametrize("degrees", [-20.0, -10.0, 10.0, 20.0])
@pytest.mark.parametrize("motion", ["walk", "run", "dance"])
def test_contacts_are_found_on_a_ramp_as_on_a_floor(motion, degrees, made_on_it):
    case = known_motions.known(motion=motion, fps=FPS)
    lean = turned([1.0, 0.0, 0.0], np.full(case.clip.num_frames, np.radians(degrees)))
    slope = lean[0, 2, 1] / lean[0, 1, 1]
    clip = riding(case.clip, lean) if made_on_it else case.clip
    report = sk.plant_feet(clip, ground=lambda points: -slope * points[:, 2], up="Y").report
    found = np.zeros((2, clip.num_frames), bool)
    for own, leg in zip(found, report.legs, strict=True):
        for first, last in leg.contacts:
            own[first : last + 1] = True
    truth = np.stack([case.contact[side] for side in SIDES])
    assert 2 * (found & truth).sum() / (found.sum() + truth.sum()) >= 0.97


def test_a_ramp_that_climbs_is_not_taken_for_ground_far_away():
    _, ground = ramp(20.0)
    planted = sk.plant_feet(walk().clip, ground=ground, up="Y")
    assert np.abs(planted.report.body_shift).max() > walk().leg
    assert not any("never come near" in message for message in planted.report.messages)


@pytest.mark.slow
def test_ground_that_is_too_steep_is_none_to_stand_on():
    clip = walk().clip
    _, ground = ramp(35.0)
    steep = sk.plant_feet(clip, ground=ground, max_slope=30.0, up="Y")
    assert steep.clip is clip
    assert any("the ground is steeper than 30° where feet would stand" in each for each in steep.report.messages)
    gentle = sk.plant_feet(clip, ground=ground, max_slope=40.0, up="Y")
    assert len(gentle.report.contacts) >= 5
    assert not any("steeper" in each for each in gentle.report.messages)


@pytest.mark.slow
def test_only_the_steep_part_is_left_out():
    clip = walk().clip

    def hill(points):
        return np.clip(points[:, 2] - 2.0, 0.0, 0.5) * np.tan(np.radians(50.0))

    at = clip.positions()
    whole, part = (sk.plant_feet(clip, ground=hill, max_slope=most, up="Y") for most in (60.0, 45.0))
    assert len(part.report.contacts) < len(whole.report.contacts)
    for side, leg in zip(SIDES, part.report.legs, strict=True):
        for first, last in leg.contacts:
            for joint, ahead in (("toe", 0.0), ("foot", -0.05)):
                z = at[(first + last) // 2, clip.skeleton.index(f"{side}_{joint}"), 2] + ahead
                if not 2.0 < z < 2.5:
                    break
            else:
                pytest.fail(f"{side} foot stands on the slope in {first} … {last}")


def test_a_step_is_not_steep():
    stairs = known_motions.known(motion="stairs", fps=FPS)
    one, other = (sk.plant_feet(stairs.clip, ground=stairs.ground, max_slope=most, up="Y") for most in (5.0, 90.0))
    np.testing.assert_array_equal(one.clip.rotations, other.clip.rotations)


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ({"max_slope": 91}, "max_slope is 91: it must lie within 0 … 90"),
        ({"max_slope": float("nan")}, "max_slope is nan"),
        ({"align": 1.5}, "align is 1.5: it must lie within 0 … 1"),
    ],
)
def test_options_out_of_bounds_are_named(option, message):
    with pytest.raises(ValueError, match=message):
        sk.plant_feet(walk().clip, **option)
    with pytest.raises(TypeError, match="a number is needed"):
        sk.plant_feet(walk().clip, **dict.fromkeys(option, "much"))
