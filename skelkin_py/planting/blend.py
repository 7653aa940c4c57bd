# SPDX-License-Identifier: MIT
"""Curves over frames: spans of them, and corrections that fade in and out around these.

Everything works on (F,) or (F, K) arrays; what goes from frame to frame, or from span to span, is done in C.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .. import _core

__all__ = ["frames_to_nearest", "frames_to_spans", "hold_between", "lengths", "median", "smoothstep"]
__all__ += ["span_mask"]

Span = tuple[int, int]


def smoothstep(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return 3x² − 2x³ of x clipped to 0 … 1: a step with level ends.

    `x` (...): where on the step. Returns (...): 0 … 1.

    Examples
    --------
    >>> smoothstep(np.array([-1.0, 0.5, 2.0])).tolist()
    [0.0, 0.5, 1.0]
    """
    x = np.clip(x, 0.0, 1.0)
    return np.asarray(x * x * (3.0 - 2.0 * x))


def lengths(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the length of every vector.

    `vectors` (F, 3): one per frame.

    Examples
    --------
    >>> lengths(np.array([[3.0, 0.0, 4.0], [0.0, 0.0, 0.0]])).tolist()
    [5.0, 0.0]
    """
    # A product with ones: numpy's own sums along so short an axis, and `norm` with them, take five times as long.
    return np.asarray(np.sqrt((vectors * vectors) @ np.ones(3)))


def span_mask(spans: Sequence[Span], num_frames: int) -> NDArray[np.bool_]:
    """Return a flag per frame: whether it lies in one of the spans (both ends included).

    `num_frames`: how many frames there are.

    Examples
    --------
    >>> span_mask([(1, 2)], 4).tolist()
    [False, True, True, False]
    """
    mask = np.zeros(num_frames, dtype=np.bool_)
    for first, last in spans:
        mask[first : last + 1] = True
    return mask


def frames_to_spans(mask: NDArray[np.bool_]) -> list[Span]:
    """Return the runs of True as (first, last), both included.

    `mask` (F,): a flag per frame.

    Examples
    --------
    >>> frames_to_spans(np.array([False, True, True, False, True]))
    [(1, 2), (4, 4)]
    """
    return _core.frames_to_spans(np.ascontiguousarray(mask))


def frames_to_nearest(marks: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return how many frames each frame is away from the nearest mark.

    `marks` (F,): a flag per frame. Returns (F,): 0 at marks; 1e9 everywhere where there is none.

    Examples
    --------
    >>> frames_to_nearest(np.array([False, False, True, False])).tolist()
    [2.0, 1.0, 0.0, 1.0]
    """
    return _core.frames_to_nearest(np.ascontiguousarray(marks))


def median(values: NDArray[np.float64]) -> float:
    """Return the median of a few finite numbers, many times as fast as `numpy.median`.

    `values` (N,): at least one. Returns the one in the middle, or the mean of the two.

    Examples
    --------
    >>> median(np.array([3.0, 1.0, 2.0, 7.0]))
    2.5
    """
    rising = np.sort(values)
    return 0.5 * float(rising[(len(rising) - 1) // 2] + rising[len(rising) // 2])


def hold_between(values: NDArray[np.float64], known: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Fill the frames that are not `known` by straight lines between known ones, level beyond the ends.

    `values` (F,): a curve; read where known. `known` (F,): where it is known, at least once. Returns (F,): the filled
    curve.

    Examples
    --------
    >>> hold_between(np.array([0.0, 5.0, 4.0]), np.array([True, False, True])).tolist()
    [0.0, 2.0, 4.0]
    """
    return _core.hold_between(np.where(known, values, np.nan))
