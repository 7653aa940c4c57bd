# SPDX-License-Identifier: MIT
"""Lone frames: a pose before the motion or after it, or a few wrong frames within it, between jumps of the capture."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .foot import LegTrack

__all__ = ["lone_frames", "without_lone"]

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]


def lone_frames(tracks: Sequence[LegTrack], fps: float) -> Flags:
    """(F,) The frames that no motion leads into or out of: few, before or after a jump or between two."""
    return _core.lone_frames(tracks, fps)


def without_lone(local: Array, alone: Flags) -> Array:
    """Return local matrices (F, S, 4, 4) in which lone frames have the pose of the nearest frame of the motion."""
    real = np.flatnonzero(~alone)
    nearest = np.interp(np.arange(len(alone)), real, np.arange(len(real))).round().astype(np.intp)
    return np.asarray(local[real[nearest]])
