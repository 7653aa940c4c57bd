# SPDX-License-Identifier: MIT
"""Where corrections fade: outside contacts, and towards the borders of the range that is worked on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .blend import Span, frames_to_nearest, smoothstep

__all__ = ["Fade"]

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Fade:
    """Where corrections fade: outside contacts, and towards the borders of the range that is worked on.

    Parameters
    ----------
    window : int
        Frames that it takes.
    ramp : (N,) float64
        0 … 1: how much of a correction is allowed: 0 outside the range and beside lone frames, 1 inside.
    whole : bool
        Whether the range is the clip.
    alone : (N,) bool
        Lone frames.
    """

    window: int
    ramp: Array
    whole: bool
    alone: NDArray[np.bool_]

    @classmethod
    def within(cls, frames: Span, num: int, window: int, index: NDArray[np.intp], alone: NDArray[np.bool_]) -> Fade:
        """Return that of a range of a clip, in the frames `index` (N,), of which some are `alone`.

        At those ends of the range that are the clip's nothing fades; elsewhere it takes `window` frames.
        """
        first, last = frames
        ramp = np.ones(len(index))
        if first > 0:
            ramp *= smoothstep((index - first) / window)
        if last < num - 1:
            ramp *= smoothstep((last - index) / window)
        if alone.any():
            ramp *= smoothstep((frames_to_nearest(alone) - 1.0) / window)
        return cls(window, ramp, frames == (0, num - 1), alone)
