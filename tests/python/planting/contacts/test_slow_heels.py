# SPDX-License-Identifier: MIT
"""Feet that stand while their heels rise and come down slowly, as those of people who shift their weight."""

from __future__ import annotations

import numpy as np
import pytest
from foreign_gaits import noisy

import skelkin_py as sk

FPS = 30
FOOT = ("RightUpLeg", "RightLeg", "RightFoot")


def standing(rise: float, seconds: float) -> sk.Clip:
    """Return a clip in which the right foot turns about its ball, up in so many seconds and down again.

    The angle is in radians; before and after both feet stand flat for two seconds.
    """
    rest = sk.example("biped").clean
    skeleton, names = rest.skeleton, rest.names
    time = np.arange(int((4 + 2 * seconds) * FPS)) / FPS
    turned = np.clip(np.minimum(time - 2, 2 + 2 * seconds - time) / seconds, 0, 1)
    angles = rise * (10 * turned**3 - 15 * turned**4 + 6 * turned**5)
    local = np.tile(skeleton.rest_local, (len(time), 1, 1, 1))
    local[:, 0, 1, 3] -= 0.03  # both knees are bent a little
    placed = np.array(skeleton.rest_global)
    foot, toe = names.index("RightFoot"), names.index("RightToeBase")
    turn = sk.quaternion_from_axis_angle([1.0, 0, 0], angles)
    ball = placed[toe, :3, 3]
    ankle = ball + sk.quaternion_rotate(turn, placed[foot, :3, 3] - ball)
    local = sk.apply_two_bone(skeleton, local, FOOT, ankle).local
    left = [name.replace("Right", "Left") for name in FOOT]
    local = sk.apply_two_bone(skeleton, local, left, placed[names.index(left[2]), :3, 3]).local
    for joint, by in ((foot, turn), (toe, None), (names.index(left[2]), None)):
        above = sk.forward_kinematics(skeleton, local)[:, skeleton.parents[joint], :3, :3]
        wanted = placed[joint, :3, :3] if by is None else sk.quaternion_to_matrix(by) @ placed[joint, :3, :3]
        local[:, joint, :3, :3] = np.swapaxes(above, 1, 2) @ wanted
    translation, rotation, _ = sk.decompose(local)
    return sk.Clip(skeleton, rotation, translation, fps=FPS)


def turn_of_foot(clip: sk.Clip, joint: int) -> np.ndarray:
    """Return how far a joint is turned about X from the first frame, in degrees."""
    turned = clip.global_matrices()[:, joint, :3, :3] @ clip.global_matrices()[0, joint, :3, :3].T
    return np.degrees(np.arctan2(turned[:, 2, 1] - turned[:, 1, 2], turned[:, 1, 1] + turned[:, 2, 2]))


@pytest.mark.parametrize("degrees", [6.0, 8.0, 12.0])
@pytest.mark.parametrize("seconds", [1.0, 1.5])
def test_a_heel_that_rises_slowly_is_not_held_down_until_it_snaps(degrees: float, seconds: float) -> None:
    # Where it takes less than `blend` to get past the bound, it is held for as long.
    clean = standing(np.radians(degrees), seconds)
    clip = noisy(clean, 5e-4, 5e-4, seed=1)  # what rests to the last bit has been planted before
    planted = clip.plant_feet(ground=0.0, metres_per_unit=1.0)
    foot = clip.names.index("RightFoot")
    before, after = turn_of_foot(clean, foot), turn_of_foot(planted.clip, foot)
    fastest = [np.abs(turn[3:] - turn[:-3]).max() for turn in (before, after)]
    off = np.abs(after - before).max()
    print(
        f"{degrees:g} degrees in {seconds:g} s: off by {off:.2f} degrees, {fastest[1] / fastest[0]:.2f} times as fast"
    )
    assert fastest[1] < 1.6 * fastest[0]
    assert planted.report.violations(max_slide=0.001) == []
