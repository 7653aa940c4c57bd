# SPDX-License-Identifier: MIT
"""Spans of frames, both ends included, and flags per frame."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .. import _core

Span = tuple[int, int]


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


def joined_spans(own: list[Span], more: list[Span]) -> list[Span]:
    """Return spans that go on wherever one of the others overlaps them, and those of the others that overlap none.

    Examples
    --------
    >>> joined_spans([(0, 3), (4, 9), (20, 25)], [(2, 5), (12, 14), (21, 24)])
    [(0, 9), (12, 14), (20, 25)]
    """
    out: list[Span] = []
    for first, last in sorted([*own, *more]):  # neither overlap among themselves
        if out and first <= out[-1][1]:
            out[-1] = (out[-1][0], max(last, out[-1][1]))
        else:
            out.append((first, last))
    return out
