# SPDX-License-Identifier: MIT
"""Spans of frames, both ends included, and flags per frame."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .. import _core
from .._support.array_types import Flags

Span = tuple[int, int]


def span_mask(spans: Sequence[Span], num_frames: int) -> Flags:
    """Return a flag for each of `num_frames` frames: whether it lies in one of the spans, both ends included.

    Examples
    --------
    >>> span_mask([(1, 2)], 4).tolist()
    [False, True, True, False]
    """
    mask = np.zeros(num_frames, dtype=np.bool_)
    for first, last in spans:
        mask[first : last + 1] = True
    return mask


def frames_to_spans(mask: Flags) -> list[Span]:
    """Return the runs of True as (first, last), both included.

    `mask` (F,): a flag per frame.

    Examples
    --------
    >>> frames_to_spans(np.array([False, True, True, False, True]))
    [(1, 2), (4, 4)]
    """
    return _core.frames_to_spans(np.ascontiguousarray(mask))


def joined_spans(spans: list[Span]) -> list[Span]:
    """Return spans in ascending order; overlapping ones are joined, adjacent ones stay two footsteps.

    Examples
    --------
    >>> joined_spans([(4, 9), (0, 3), (2, 5), (12, 14)])
    [(0, 9), (12, 14)]
    """
    joined: list[Span] = []
    for first, last in sorted(spans):
        if joined and first <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], last))
        else:
            joined.append((first, last))
    return joined
