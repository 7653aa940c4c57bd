# SPDX-License-Identifier: MIT
"""Where joints are in space, read from local matrices block after block, so that global ones stay in the cache."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ..kinematics import forward_kinematics
from ..skeleton import Skeleton

__all__ = ["frame_blocks", "joint_places"]

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


def joint_places(skeleton: Skeleton, local: Array, joint: int) -> Array:
    """Return where a joint is, (F, 3) in global space."""
    places = np.empty((len(local), 3))
    for own in frame_blocks(len(local)):
        places[own] = forward_kinematics(skeleton, local[own], joints=[joint])[:, 0, :3, 3]
    return places
