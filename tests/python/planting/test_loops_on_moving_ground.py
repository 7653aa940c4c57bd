# SPDX-License-Identifier: MIT
"""Loops on ground that moves: closed where it moves at the last pose as it does at the first."""

from __future__ import annotations

import known_motions
import numpy as np
import pytest
from loop_cases import CARRIERS, FPS, assert_closed, assert_open, carrier, standing_still, swinging, walk_loop, way
from rigid_plate import Plate
from standing_truth import riding, standing, turned

import skelkin_py as sk


@pytest.mark.slow
@pytest.mark.parametrize("made_on_it", [True, False], ids=["made on it", "made in a still world"])
@pytest.mark.parametrize("name", CARRIERS)
def test_a_walk_on_a_carrier_of_constant_velocity_is_closed(name, made_on_it):
    case = walk_loop(slide=0.03)
    motion = carrier(case.clip.num_frames, **CARRIERS[name])
    clip = riding(case.clip, motion) if made_on_it else case.clip
    planted = sk.plant_feet(clip, ground=Plate(motion), up="Y")
    rise = 0.0 if made_on_it else motion[-1, 1, 3] - motion[0, 1, 3]
    assert_closed(case, planted, way(clip, rise))
    figures = standing(case, planted, motion)
    assert figures["slide"] <= 1e-4
    assert max(figures["penetration"], figures["float"]) <= 1e-3


@pytest.mark.slow
@pytest.mark.parametrize("made_on_it", [True, False], ids=["made on it", "made in a still world"])
def test_a_turntable_closes_what_stays_where_it_is_on_it(made_on_it):
    """Who walks on it gets to where it goes at another speed, and cannot go on as before."""
    for name, closes in (("side-step loop", True), ("walk loop", False)):
        case = known_motions.known(name, fps=FPS, slide=0.03)
        motion = carrier(case.clip.num_frames, turn=0.3)
        clip = riding(case.clip, motion) if made_on_it else case.clip
        planted = sk.plant_feet(clip, ground=Plate(motion), up="Y")
        if closes:
            assert_closed(case, planted, way(clip))
            figures = standing(case, planted, motion)
            assert figures["slide"] <= 1e-4
            assert max(figures["penetration"], figures["float"]) <= 1e-3
        else:
            assert_open(planted, "the speed of the ground differs under its last pose and its first")


@pytest.mark.slow
@pytest.mark.parametrize("made_on_it", [True, False], ids=["made on it", "made in a still world"])
def test_steps_on_ground_that_swings_with_them_are_closed(made_on_it):
    case = known_motions.known("side-step loop", fps=FPS, slide=0.03)
    num = case.clip.num_frames
    motion = swinging(num, (num - 1) / FPS / 2.0)
    clip = riding(case.clip, motion) if made_on_it else case.clip
    planted = sk.plant_feet(clip, ground=Plate(motion), up="Y")
    assert_closed(case, planted, np.eye(4))
    figures = standing(case, planted, motion)
    assert figures["slide"] <= 1e-4
    assert max(figures["penetration"], figures["float"]) <= 1e-3


def test_ground_that_swings_at_another_rate_leaves_it_open():
    clip = known_motions.known("side-step loop", fps=FPS).clip
    planted = sk.plant_feet(clip, ground=Plate(swinging(clip.num_frames, 3.7)), up="Y")
    assert_open(planted, "the ground under its last pose differs from that under its first")
    # Where it passes the same place the other way.
    motion = np.tile(np.eye(4), (clip.num_frames, 1, 1))
    motion[:, 1, 3] = 0.4 * np.sin(np.linspace(0.0, np.pi, clip.num_frames))
    planted = sk.plant_feet(clip, ground=Plate(motion), up="Y")
    assert_open(planted, "the speed of the ground differs under its last pose and its first")


@pytest.mark.parametrize("name", [*CARRIERS, "turntable"])
def test_a_figure_that_stands_on_a_carrier_goes_with_it(name):
    case, clip = standing_still()
    motion = carrier(clip.num_frames, **CARRIERS.get(name, {"turn": 0.3}))
    clip = riding(clip, motion)
    planted = sk.plant_feet(clip, ground=Plate(motion), up="Y", contacts="always")
    assert_closed(case, planted, way(clip))
    assert planted.report.worst("slide") <= 1e-4 * case.leg


def test_a_figure_that_stands_still_while_the_ground_leaves_is_left_open():
    _, clip = standing_still()
    ground = Plate(carrier(clip.num_frames, across=0.05))
    planted = sk.plant_feet(clip, ground=ground, up="Y", contacts="always")
    assert_open(
        planted, "the last pose is the first, but a foot never leaves the ground, which does not move with the body"
    )
    with pytest.raises(ValueError, match="a foot never leaves the ground, which does not move with the body"):
        sk.plant_feet(clip, ground=ground, up="Y", contacts="always", loop=True)


@pytest.mark.parametrize("loop", ["auto", True])
def test_ground_that_is_nearly_the_same_has_to_be_called_so(loop):
    """Tipped by a degree on the way."""
    clip = walk_loop().clip
    tipped = np.radians(1.0)
    ground = Plate(turned([0.0, 0.0, 1.0], np.linspace(0.0, tipped, clip.num_frames)))
    planted = sk.plant_feet(clip, ground=ground, up="Y", loop=loop)
    assert planted.report.loop is (loop is True)
