# SPDX-License-Identifier: MIT
"""How much memory planting takes beside its input: the result, the joints that move, and no copy of all others."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable

import numpy as np
import pytest

import skelkin_py as sk
from skelkin_py.planting import plant_locals

FRAMES, PROPS = 4000, 60  # joints beside the legs, which nobody touches


@pytest.fixture(scope="module")
def long_clip() -> sk.Clip:
    clip = sk.example("biped").clip
    parents = [*clip.skeleton.parents.tolist(), *([0] * PROPS)]
    rest = np.concatenate([clip.skeleton.rest_local, np.tile(np.eye(4), (PROPS, 1, 1))])
    rig = sk.Skeleton(parents, rest, [*clip.names, *(f"prop{number}" for number in range(PROPS))])
    again, joints = np.arange(FRAMES) % clip.num_frames, rig.num_joints
    rotations, translations = np.tile([1.0, 0.0, 0.0, 0.0], (FRAMES, joints, 1)), np.zeros((FRAMES, joints, 3))
    rotations[:, :-PROPS] = clip.rotations[again]
    translations[:, :-PROPS] = clip.translations[again]
    return sk.Clip(rig, rotations, translations, fps=30.0)


def peak(call: Callable[[], object]) -> int:
    """Return the most that a call takes, whatever has been called before: what the first one of all loads stays."""
    sk.plant_feet(sk.example("biped").clip.slice(0, 60))
    gc.collect()
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.slow
def test_planting_a_clip_takes_little_more_than_the_planted_one(long_clip: sk.Clip) -> None:
    size = long_clip.rotations.nbytes + long_clip.translations.nbytes
    assert peak(lambda: sk.plant_feet(long_clip, loop=False)) < 1.3 * size


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rows", "dtype", "most"),
    [(4, np.float64, 1.35), (4, np.float32, 1.6), (3, np.float64, 4 / 3 + 0.8)],  # of a result that has four rows
)
def test_planting_matrices_takes_little_more_than_the_result(
    long_clip: sk.Clip, rows: int, dtype: type, most: float
) -> None:
    local = np.ascontiguousarray(long_clip.local_matrices()[:, :, :rows], dtype)
    assert peak(lambda: plant_locals(long_clip.skeleton, local, fps=30.0, loop=False)) < most * local.nbytes
