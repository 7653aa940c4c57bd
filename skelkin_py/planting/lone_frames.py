# SPDX-License-Identifier: MIT
"""Lone frames: a pose before the motion or after it, or a few wrong frames within it, between jumps of the capture."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .blend import Span, frames_to_nearest, frames_to_spans
from .foot import LegTrack

__all__ = ["cut_beside", "lone_frames", "without_lone"]

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


def cut_beside(contacts: list[list[Span]], alone: Flags, window: int) -> list[list[Span]]:
    """Cut contacts to the frames further than `window` from lone ones; of a longer one a single frame is no contact."""
    if not alone.any():
        return contacts
    far = frames_to_nearest(alone) > window
    pieces = [[(a, b, frames_to_spans(far[a : b + 1])) for a, b in spans] for spans in contacts]
    return [[(a + c, a + d) for a, b, own in spans for c, d in own if d > c or a == b] for spans in pieces]
