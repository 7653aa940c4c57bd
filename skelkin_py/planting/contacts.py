# SPDX-License-Identifier: MIT
"""Spans in which feet stand, found more than once."""

from __future__ import annotations

from .blend import Span

__all__ = ["joined_spans"]


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
