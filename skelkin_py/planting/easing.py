# SPDX-License-Identifier: MIT
"""Corrections that fade outside contacts, each over as many frames as hips and knees need to keep to their pace."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .blend import Span, fill_between, smoothstep

__all__ = ["LONGEST", "Fade", "ease_out", "longer_windows"]

Array = NDArray[np.float64]
Ints = NDArray[np.intp]

LONGEST = 3.0  # times the usual window that a correction may take to fade
_LONGER = 1.5  # and by this factor more at a time


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


def ease_out(values: Array, spans: Sequence[Span], windows: Ints, slope_frames: int, around: Array) -> Array:
    """Keep `values` inside the spans; outside, let them ease to `around`, each over its own window.

    Parameters
    ----------
    values, spans, slope_frames, around
        As in `fill_between`.
    windows : (C, 2) int
        Per span, the frames of easing before and after it. In a gap that is shorter than twice the longer one of its
        two, that one counts on both sides.

    Returns
    -------
    (F, K) float64
        The filled corrections.
    """
    usual = int(windows.min(initial=1_000_000_000))
    out = fill_between(values, spans, usual, slope_frames, around)
    for window in np.unique(windows[windows > usual]).tolist():
        wide = fill_between(values, spans, window, slope_frames, around)
        for first, last in _gaps_of(window, spans, windows, len(values)):
            out[first : last + 1] = wide[first : last + 1]
    return out


def _gaps_of(window: int, spans: Sequence[Span], windows: Ints, num: int) -> list[Span]:
    """Return the frames outside the spans in which this window counts."""
    out = []
    for k in range(len(spans) + 1):
        first = spans[k - 1][1] + 1 if k else 0
        last = spans[k][0] - 1 if k < len(spans) else num - 1
        left, right = int(windows[k - 1, 1]) if k else 0, int(windows[k, 0]) if k < len(spans) else 0
        if k and k < len(spans) and 2 * max(left, right) >= last - first + 2:
            left = right = max(left, right)
        middle = (first + last) // 2
        out += [(first, middle if k < len(spans) else last)] * (left == window)
        out += [(middle + 1 if k else first, last)] * (right == window)
    return out


def longer_windows(fast: NDArray[np.bool_], spans: Sequence[Span], windows: Ints, usual: int) -> Ints:
    """Return the windows with those made longer in which a leg turns too fast.

    Parameters
    ----------
    fast : (F,) bool
        The frames to which a hip or knee turns too fast.
    spans : sequence of (first, last)
        The foot's contacts.
    windows : (C, 2) int
        The windows so far.
    usual : int
        The usual one.

    Returns
    -------
    (C, 2) int
        The windows; those that fill their gap already stay.
    """
    out: Ints = windows.copy()
    num = len(fast)
    longest = int(np.ceil(LONGEST * usual))
    for k, (first, last) in enumerate(spans):
        before = first - spans[k - 1][1] if k else num
        after = spans[k + 1][0] - last if k + 1 < len(spans) else num
        left, right = min(before, int(windows[k, 0])), min(after, int(windows[k, 1]))
        if fast[max(0, first - left) : first + 1].any() and left < before:
            out[k, 0] = min(longest, int(np.ceil(_LONGER * windows[k, 0])))
        if fast[last + 1 : last + right + 1].any() and right < after:
            out[k, 1] = min(longest, int(np.ceil(_LONGER * windows[k, 1])))
    return out
