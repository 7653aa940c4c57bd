# SPDX-License-Identifier: MIT
"""Closed loops on any ground: pieces of the endless motion, left as they are by a second run, the same from files."""

from __future__ import annotations

import numpy as np
import pytest
from loop_cases import CARRIERS, carrier, endless_stair, ramp, stair_loop, walk_loop, way
from rigid_plate import Plate
from standing_truth import riding

import skelkin_py as sk


def in_a_row(clip, times):
    """A loop so many times, one after the other; only its roots are carried on, from the middle one."""
    period, travel = clip.num_frames - 1, way(clip)
    turn, frame = np.divmod(np.arange(times * period + 1) - times // 2 * period, period)
    local = clip.local_matrices()[frame]
    local[:, 0] = np.stack([np.linalg.matrix_power(travel, k) for k in turn]) @ local[:, 0]
    translations, rotations, _ = sk.decompose(local)
    return sk.Clip(clip.skeleton, rotations, translations, fps=clip.fps)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["made on a ramp", "stair", "made on an escalator"])
def test_it_is_a_piece_of_the_endless_motion(kind):
    """The third of five periods in a row, planted as any clip on ground that really goes on."""
    case = stair_loop(lift=0.02) if kind == "stair" else walk_loop(slide=0.05, lift=0.02)
    clip, num = case.clip, case.clip.num_frames
    period = num - 1
    if kind == "stair":
        grounds = [endless_stair, endless_stair]
    elif kind == "made on a ramp":
        clip, grounds = riding(clip, ramp(num)[0]), [ramp(1)[1]] * 2
    else:
        motion = carrier(5 * period + 1, **CARRIERS["escalator"])
        motion = np.linalg.inv(motion[2 * period]) @ motion
        grounds = [Plate(motion[2 * period : 3 * period + 1]), Plate(motion)]
        clip = riding(clip, grounds[0].motion)
    loop = sk.plant_feet(clip, ground=grounds[0], up="Y")
    whole = sk.plant_feet(in_a_row(clip, 5), ground=grounds[1], up="Y", loop=False)
    assert loop.report.loop
    assert not whole.report.loop
    apart = loop.clip.positions() - whole.clip.positions()[2 * period : 3 * period + 1]
    assert np.abs(apart).max() <= 1e-9 * case.leg


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["ramp", "lift"])
def test_the_last_planted_pose_follows_on_the_one_before(kind):
    """A walk made on a floor, on ground that goes up: what is written for the last frame is what was planned there."""
    case = walk_loop(slide=0.05, lift=0.02)
    num = case.clip.num_frames
    ground = ramp(num)[1] if kind == "ramp" else Plate(carrier(num, rise=0.2))
    planted = sk.plant_feet(case.clip, ground=ground, up="Y")
    hips = planted.clip.translations[:, 0, 1]
    change = np.abs(np.diff(hips, 2))
    assert planted.report.loop
    assert change[-1] <= 1.1 * np.concatenate([change[-12:-1], change[:3]]).max()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["ramp", "stair", "belt", "lift"])
def test_a_second_run_changes_nothing(kind):
    case = stair_loop(lift=0.02) if kind == "stair" else walk_loop(slide=0.05)
    num = case.clip.num_frames
    ground = {"ramp": ramp(num)[1], "stair": endless_stair}.get(kind)
    if ground is None:
        ground = Plate(carrier(num, **CARRIERS[kind]))
    first = sk.plant_feet(case.clip, ground=ground, up="Y")
    spans = [leg.contacts for leg in first.report.legs]
    again = sk.plant_feet(first.clip, ground=ground, up="Y", contacts=spans)
    assert again.report.loop
    assert np.abs(again.clip.positions() - first.clip.positions()).max() <= 1e-4 * case.leg
