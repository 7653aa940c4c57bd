# SPDX-License-Identifier: MIT
"""Smooth curves over frames: low-pass, envelopes, and corrections that fade in and out around spans.

Everything works on (F,) or (F, K) arrays; what goes from frame to frame, or from span to span, is done in C.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .. import _core

__all__ = ["fill_between", "frames_to_nearest", "frames_to_spans", "hold_between", "lengths", "low_pass", "median"]
__all__ += ["running_max", "running_min", "smooth_envelope", "smoothstep", "span_mask"]

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


def span_medians(values: NDArray[np.float64], spans: Sequence[Span]) -> list[float]:
    """Return the median of the values inside of each span.

    `values` (F,): finite. `spans`: both ends included.

    Examples
    --------
    >>> span_medians(np.array([3.0, 1.0, 2.0, 7.0]), [(0, 2), (2, 3)])
    [2.0, 4.5]
    """
    return list(_core.span_medians(np.ascontiguousarray(values), spans).tolist())


def _window_mean(values: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Average along the first axis; weights (half + 1,) of this frame and those on both sides; ends go on."""
    columns = np.ascontiguousarray(values).reshape(len(values), -1)
    return _core.window_mean(columns, weights).reshape(values.shape)


def low_pass(values: NDArray[np.float64], sigma: float) -> NDArray[np.float64]:
    """Smooth along the first axis with a Gaussian of `sigma` frames.

    `values` (F, ...): curves. `sigma`: standard deviation in frames; below 0.2 the values come back as they are.
    Returns (F, ...): the smoothed curves; a constant stays what it is.

    Examples
    --------
    >>> low_pass(np.ones(5), 1.0).round(12).tolist()
    [1.0, 1.0, 1.0, 1.0, 1.0]
    """
    if sigma < 0.2 or len(values) < 2:
        return np.array(values)
    # Further out there are end values only, and a wild frame rate must not cost memory.
    half = max(1, int(min(np.ceil(3.0 * sigma), len(values))))
    bell = np.exp(-0.5 * (np.arange(half + 1) / sigma) ** 2)
    return _window_mean(values, bell / (2.0 * bell.sum() - 1.0))


def running_max(values: NDArray[np.float64], half: int) -> NDArray[np.float64]:
    """Return the maximum over the frames from t − half to t + half.

    `values` (F,): a curve. `half`: half the window, in frames. Returns (F,): the upper envelope.

    Examples
    --------
    >>> running_max(np.array([0.0, 1.0, 0.0, 0.0]), 1).tolist()
    [1.0, 1.0, 1.0, 0.0]
    """
    return _core.window_max(np.ascontiguousarray(values), half)


def running_min(values: NDArray[np.float64], half: int) -> NDArray[np.float64]:
    """Return the minimum over the frames from t − half to t + half.

    `values` (F,): a curve. `half`: half the window, in frames. Returns (F,): the lower envelope.

    Examples
    --------
    >>> running_min(np.array([1.0, 0.0, 1.0, 1.0]), 1).tolist()
    [0.0, 0.0, 0.0, 1.0]
    """
    return -running_max(-values, half)


def smooth_envelope(needed: NDArray[np.float64], half: int) -> NDArray[np.float64]:
    """Return a smooth curve that is nowhere below `needed`.

    The maximum over ± half frames, averaged over ± half frames with a Hann window: every value that is
    averaged at frame t covers t, so the mean is at least ``needed[t]``.

    `needed` (F,): what is needed, ≥ 0. `half`: half the window in frames. Returns (F,): the envelope; zeros stay exact
    zeros further than 2·half frames from any need.

    Examples
    --------
    >>> need = np.zeros(9); need[4] = 1.0
    >>> envelope = smooth_envelope(need, 1)
    >>> bool((envelope >= need).all()), envelope[[0, 8]].tolist()
    (True, [0.0, 0.0])
    """
    if half < 1 or not needed.any():
        return np.array(needed)
    half = min(half, len(needed))
    # The sum of a Hann window with its middle at 1 is half its length.
    window = (0.5 + 0.5 * np.cos(np.arange(half + 1) * (np.pi / (half + 1)))) / (half + 1)
    return np.maximum(_window_mean(running_max(needed, half), window), needed)


def fill_between(
    values: NDArray[np.float64],
    spans: Sequence[Span],
    window: int,
    slope_frames: int = 2,
    around: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """Keep `values` inside the spans; outside, let them ease to zero, or to `around`, and out of it again.

    Each side is a cubic with the span's own value and slope at the border and zero value and slope after
    `window` frames, both taken relative to `around`. Where the gap between two spans is shorter than the
    window, the two sides share the gap and become one cubic from value to value.

    `values` (F, K): corrections; read inside the spans only. `spans`: rising, apart by at least one frame. `window`:
    length of the easing in frames. `slope_frames`: over how many frames inside a span its slope at the border is taken.
    `around` (F, K), optional: what they ease to. Returns (F, K): the filled corrections.

    Examples
    --------
    >>> values = np.ones((7, 1))
    >>> fill_between(values, [(0, 1)], 2)[:, 0].tolist()
    [1.0, 1.0, 0.5, 0.0, 0.0, 0.0, 0.0]
    """
    return _core.fill_between(np.ascontiguousarray(values), spans, window, slope_frames, around)


def hold_between(values: NDArray[np.float64], known: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Fill the frames that are not `known` by straight lines between known ones, level beyond the ends.

    `values` (F,): a curve; read where known. `known` (F,): where it is known, at least once. Returns (F,): the filled
    curve.

    Examples
    --------
    >>> hold_between(np.array([0.0, 5.0, 4.0]), np.array([True, False, True])).tolist()
    [0.0, 2.0, 4.0]
    """
    frames = np.arange(len(values))
    return np.asarray(np.interp(frames, frames[known], values[known]))
