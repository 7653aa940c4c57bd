# SPDX-License-Identifier: GPL-3.0-or-later
"""The ways of feet as lines: before and after planting, and where they stand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np


class FootPath(NamedTuple):
    """One foot over F frames."""

    before: np.ndarray  # (F, 3) in world space
    after: np.ndarray  # (F, 3)
    contacts: Sequence[tuple[int, int]]  # first and last row of each


class Lines(NamedTuple):
    """Pairs of points (N, 2, 3) in float32: of the original, planted, planted while standing; and where feet stand."""

    before: np.ndarray
    after: np.ndarray
    standing: np.ndarray
    places: np.ndarray  # (K, 3) in the middle of each contact


def lines_of(feet: Iterable[FootPath]) -> Lines:
    """Return the lines of all feet together.

    >>> import numpy as np
    >>> path = np.array([[0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 0, 0.0]])
    >>> lines = lines_of([FootPath(path, path + 1, [(1, 2)])])
    >>> [len(part) for part in lines]
    [3, 3, 1, 1]
    >>> lines.standing.tolist(), lines.places.tolist()
    ([[[2.0, 1.0, 1.0], [3.0, 1.0, 1.0]]], [[2.0, 1.0, 1.0]])
    """
    parts: tuple[list, list, list, list] = [], [], [], []
    for foot in feet:
        parts[0].append(_pairs(foot.before))
        parts[1].append(_pairs(foot.after))
        for first, last in foot.contacts:
            parts[2].append(_pairs(foot.after[first : last + 1]))
            parts[3].append(foot.after[(first + last) // 2][None])
    empty = np.empty((0, 2, 3)), np.empty((0, 2, 3)), np.empty((0, 2, 3)), np.empty((0, 3))
    return Lines(*(np.concatenate([e, *part]).astype(np.float32) for e, part in zip(empty, parts, strict=True)))


def _pairs(path: np.ndarray) -> np.ndarray:
    return np.stack([path[:-1], path[1:]], axis=1)
