# SPDX-License-Identifier: MIT
"""Where joints are in space, read from local matrices block after block, so that global ones stay in the cache."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ..kinematics import forward_kinematics
from ..skeleton import Skeleton

__all__ = ["frame_blocks", "global_blocks", "joint_places"]

Array = NDArray[np.float64]

_BLOCK = 1024  # frames


def frame_blocks(num_frames: int) -> Iterator[slice]:
    """Yield the frames of a clip, some at a time.

    Yields
    ------
    slice
        The next frames.

    Examples
    --------
    >>> [(own.start, own.stop) for own in frame_blocks(1500)]
    [(0, 1024), (1024, 1500)]
    """
    for first in range(0, num_frames, _BLOCK):
        yield slice(first, min(first + _BLOCK, num_frames))


def global_blocks(skeleton: Skeleton, local: Array, joints: Sequence[int]) -> Iterator[tuple[slice, Array]]:
    """Yield the global matrices of some joints, some frames at a time.

    `skeleton`: S joints. `joints`: which of them.

    Yields
    ------
    own : slice
        The frames.
    matrices : (frames, N, 4, 4) float64
        The matrices.
    """
    for own in frame_blocks(len(local)):
        yield own, forward_kinematics(skeleton, local[own], joints=joints)


def joint_places(skeleton: Skeleton, local: Array, joint: int) -> Array:
    """Return where a joint is.

    `joint`: which joint. Returns (F, 3): in global space.
    """
    places = np.empty((len(local), 3))
    for own, matrices in global_blocks(skeleton, local, [joint]):
        places[own] = matrices[:, 0, :3, 3]
    return places
