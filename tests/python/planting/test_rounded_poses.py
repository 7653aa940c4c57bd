# SPDX-License-Identifier: MIT
"""Matrices that went through float32, as all from Blender did, are planted with the rotations of exact ones."""

from __future__ import annotations

import numpy as np
import pytest
from real_clips import CLIPS, degrees_between

import skelkin_py as sk

BOUND = 0.1  # degrees, of every thigh, shin and foot in every frame


def leg_rotations(clip, local):
    joints = sorted({joint for leg in clip.find_legs() for joint in leg.chain})
    return sk.forward_kinematics(clip.skeleton, np.asarray(local, float))[:, joints, :3, :3]


@pytest.fixture(scope="module", params=CLIPS)
def case(request, data_dir):
    """A clip, its matrices, and the rotations of its legs as planted from these."""
    clip = sk.load(data_dir / f"{request.param}.bvh")
    local = clip.local_matrices()
    return clip, local, leg_rotations(clip, sk.plant_locals(clip.skeleton, local, fps=clip.fps).local)


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_legs_are_turned_as_from_exact_matrices(case, dtype):
    clip, local, exact = case
    planted = sk.plant_locals(clip.skeleton, local.astype(np.float32).astype(dtype), fps=clip.fps).local
    assert degrees_between(leg_rotations(clip, planted), exact).max() <= BOUND


@pytest.mark.slow
@pytest.mark.data
def test_no_leg_bone_turns_faster_than_planted_from_exact_matrices(case):
    clip, local, exact = case
    planted = sk.plant_locals(clip.skeleton, local.astype(np.float32), fps=clip.fps).local
    fastest = [degrees_between(each[1:], each[:-1]).max() for each in (leg_rotations(clip, planted), exact)]
    assert fastest[0] <= fastest[1] + BOUND
