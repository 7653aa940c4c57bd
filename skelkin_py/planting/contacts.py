# SPDX-License-Identifier: MIT
"""Spans in which feet stand, and the limits that they were found by."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .blend import Span

__all__ = ["ContactLimits", "joined_spans", "limit_to_range"]

Array = NDArray[np.float64]


class ContactLimits(NamedTuple):
    """What detection reads from a clip as a whole.

    Parameters
    ----------
    enter : float
        The speed below which a contact begins, in leg lengths per second.
    lowest : tuple of float
        Per foot the height it is held up from, in mean leg lengths.
    smoothing : tuple of float
        Per foot by how much its path is smoothed, the standard deviation of a Gaussian in seconds.
    ground_velocity : (3,) float64 or None
        Velocity of a moving ground in leg lengths per second, where it moves.
    """

    enter: float
    lowest: tuple[float, ...]
    smoothing: tuple[float, ...]
    ground_velocity: Array | None


def limit_to_range(contacts: list[list[Span]], first: int, last: int) -> list[list[Span]]:
    """Cut contacts to the frames first … last; those of which one frame or none is left are dropped.

    Examples
    --------
    >>> limit_to_range([[(0, 5), (7, 7), (8, 9)]], 3, 8)
    [[(3, 5), (7, 7)]]
    """
    inside = [[(a, b, max(a, first), min(b, last)) for a, b in spans] for spans in contacts]
    # A contact given as one frame stands; one frame that cutting leaves of a longer one is an edge, not a footstep.
    return [[(c, d) for a, b, c, d in spans if d > c or (a == b and c == d)] for spans in inside]


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
