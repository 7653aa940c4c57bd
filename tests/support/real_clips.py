# SPDX-License-Identifier: MIT
"""The captured clips at hand, and how far rotations are apart."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Folder and name of every BVH clip of the test data.
CLIPS = (
    "bvh/cmu_01_01",
    "bvh/cmu_12_01_walk",
    "bvh/fair1_jumping",
    "bvh/makehuman_walk1",
    "bvh/optitrack_louise",
    "bvh/rokoko_jesse_dance",
    "bvh_hard/accad_crawl",
    "bvh_hard/accad_pick_up_box",
    "bvh_hard/accad_side_step",
    "bvh_hard/adelaide_milad",
    "bvh_hard/cmu_01_03_frames_3200_3400",
    "bvh_hard/cmu_03_01_uneven_frames_150_215",
    "bvh_hard/fair1_zombie",
    "bvh_hard/makehuman_zombieWalk1",
)
#: The names of those in the folder `bvh`.
PLAIN = tuple(name.removeprefix("bvh/") for name in CLIPS if name.startswith("bvh/"))


def degrees_between(first: NDArray[Any], second: NDArray[Any]) -> NDArray[np.float64]:
    """Return the angle between (…,3,3) rotations; unlike by the trace, small angles keep their digits."""
    chord = np.linalg.norm(first.astype(float) - second, axis=(-2, -1)) / np.sqrt(8)
    return np.asarray(np.degrees(2 * np.arcsin(np.minimum(chord, 1))))
