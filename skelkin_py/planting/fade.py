# SPDX-License-Identifier: MIT
"""Where corrections fade: outside contacts, and towards the borders of the range that is worked on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .blend import Span, smoothstep

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
        0 … 1: how much of a correction is allowed: 0 outside the range, 1 inside.
    """

    window: int
    ramp: Array

    @classmethod
    def within(cls, frames: Span, num: int, window: int, index: NDArray[np.intp]) -> Fade:
        """Return that of a range of a clip.

        Parameters
        ----------
        frames : (first, last)
            The range; at those of its ends that are the clip's nothing fades.
        num : int
            Frames of the clip.
        window : int
            Frames that it takes.
        index : (N,) int
            The frames that are asked for.

        Returns
        -------
        Fade
            The same in these frames.
        """
        first, last = frames
        ramp = np.ones(len(index))
        if first > 0:
            ramp *= smoothstep((index - first) / window)
        if last < num - 1:
            ramp *= smoothstep((last - index) / window)
        return cls(window, ramp)
