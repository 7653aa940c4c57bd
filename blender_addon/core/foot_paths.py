# SPDX-License-Identifier: GPL-3.0-or-later
"""What the 3-D view shows of planted feet: their paths before and after, where they slid, where they stand on what."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

#: radius of the ring where the ground was hit, in legs; and its corners
_RADIUS, _CORNERS = 0.045, 16


class Stand(NamedTuple):
    """A contact: its first and last row, how far its foot slid before and after, and where it stands on what."""

    first: int
    last: int
    slide_before: float
    slide_after: float
    place: Sequence[float]  # (3,) on the ground below the ball of the foot
    normal: Sequence[float]  # (3,) of the ground there


class FootPath(NamedTuple):
    """One foot over F frames."""

    before: np.ndarray  # (F, 3) in world space
    after: np.ndarray  # (F, 3)
    stands: Sequence[Stand]


class Label(NamedTuple):
    """What is written beside a contact, at a place in world space, with its first and last row."""

    first: int
    last: int
    place: tuple[float, float, float]
    text: str


class Lines(NamedTuple):
    """Pairs of points (N, 2, 3) in float32, and what is written beside them.

    Of the original, of the original while its foot ought to stand, planted, of where feet stand (and a line down to the
    ground in the middle of each contact), and of rings where the ground was hit.
    """

    before: np.ndarray
    slid: np.ndarray
    after: np.ndarray
    standing: np.ndarray
    hits: np.ndarray
    labels: list[Label]


def lines_of(feet: Iterable[FootPath], leg_length: float = 1.0, centimetres: float = 100.0) -> Lines:
    """Return the lines of all feet together; ``centimetres`` of a unit of the scene, for what is written.

    >>> import numpy as np
    >>> path = np.array([[0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 0, 0.0]])
    >>> lines = lines_of([FootPath(path, path + 1, [Stand(1, 2, 0.5, 0.0, (2, 0, 0), (0, 0, 1))])])
    >>> [len(part) for part in lines]
    [3, 1, 3, 2, 16, 1]
    >>> lines.standing.tolist(), lines.labels[0].text
    ([[[2.0, 1.0, 1.0], [3.0, 1.0, 1.0]], [[2.0, 1.0, 1.0], [2.0, 0.0, 0.0]]], '50.0 → 0.0 cm')
    """
    parts: tuple[list, ...] = tuple([np.empty((0, 2, 3))] for _ in range(5))
    labels = []
    for foot in feet:
        parts[0].append(_pairs(foot.before))
        parts[2].append(_pairs(foot.after))
        for stand in foot.stands:
            rows = slice(stand.first, stand.last + 1)
            parts[1].append(_pairs(foot.before[rows]))
            parts[3].append(_pairs(foot.after[rows]))
            parts[4].append(_ring(stand, _RADIUS * leg_length))
            middle = foot.after[(stand.first + stand.last) // 2]
            parts[3].append(np.array([[middle, stand.place]]))
            slides = (f"{centimetres * slide:.1f}" for slide in (stand.slide_before, stand.slide_after))
            labels.append(Label(stand.first, stand.last, tuple(middle.tolist()), f"{' → '.join(slides)} cm"))
    lines = (np.concatenate(part).astype(np.float32) for part in parts)
    return Lines(*lines, labels)


def nearest(labels: Sequence[Label], row: float, most: int) -> list[Label]:
    """Return the labels of the contacts that are nearest in time, those under way first.

    >>> labels = [Label(k, k + 5, (0, 0, 0), str(k)) for k in (0, 10, 20)]
    >>> [label.text for label in nearest(labels, 12, 2)]
    ['10', '0']
    """
    return sorted(labels, key=lambda label: max(label.first - row, row - label.last, 0))[:most]


def _pairs(path: np.ndarray) -> np.ndarray:
    return np.stack([path[:-1], path[1:]], axis=1)


def _ring(stand: Stand, radius: float) -> np.ndarray:
    """Return a ring that lies on the ground around the place of a contact, as pairs of points."""
    normal = np.asarray(stand.normal, float)
    aside = np.cross(normal, np.eye(3)[np.argmin(np.abs(normal))])
    aside /= np.linalg.norm(aside)
    ahead = np.cross(normal, aside)
    turns = np.linspace(0.0, 2.0 * np.pi, _CORNERS + 1)[:, None]
    return _pairs(np.asarray(stand.place, float) + radius * (np.cos(turns) * aside + np.sin(turns) * ahead))
