# SPDX-License-Identifier: MIT
"""Contacts that callers give: spans per leg, of whole feet or of heel and ball apart, checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..arguments import array_of, listed
from .blend import Span

__all__ = ["PARTS", "given_parts", "given_spans"]

PARTS = ("heel", "ball")  # of a foot, by which contacts may be given


def given_spans(given: Any, names: Sequence[str], num_frames: int) -> list[list[Span]]:
    """Check spans given by the caller and bring them into one list per leg.

    Parameters
    ----------
    given : mapping name → spans, or sequence of spans per leg
        A span is (first, last), both frames included. For spans there may be {"heel": spans, "ball": spans}: the foot
        stands where either does.
    names : sequence of str
        What each leg is called, see `legs.leg_names`.
    num_frames : int
        Length of the clip.

    Returns
    -------
    list of list of (first, last)
        Rising spans per leg; overlapping ones are joined.

    Raises
    ------
    ValueError
        An unknown name or part, a wrong number of lists, or a span that is not inside the clip.
    TypeError
        What is given for a leg is no list.

    Examples
    --------
    >>> given_spans([{"heel": [(0, 5)], "ball": [(2, 9)]}, []], ["left", "right"], 10)
    [[(0, 9)], []]
    >>> given_spans({"left": [(8, 9), (0, 3)]}, ["left", "right"], 10)
    [[(0, 3), (8, 9)], []]
    """
    return [
        _whole_foot(*_checked_parts(key, own, num_frames))
        if isinstance(own, Mapping)
        else _checked_spans(key, own, num_frames)
        for key, own in _lists_per_leg(given, names)
    ]


def given_parts(given: Any, names: Sequence[str], num_frames: int) -> list[tuple[list[Span], list[Span]] | None]:
    """Return where heel and ball stand, of the legs for which they are given apart.

    Parameters
    ----------
    given, names, num_frames
        As in `given_spans`.

    Returns
    -------
    list of ((first, last), …) pairs or None
        Per leg the rising spans of its heel and those of its ball; None where the foot is given as a whole.

    Examples
    --------
    >>> given_parts([{"heel": [(0, 5)], "ball": [(2, 9)]}, [(3, 7)]], ["left", "right"], 10)
    [([(0, 5)], [(2, 9)]), None]
    """
    return [
        _checked_parts(key, own, num_frames) if isinstance(own, Mapping) else None
        for key, own in _lists_per_leg(given, names)
    ]


def _lists_per_leg(given: Any, names: Sequence[str]) -> list[tuple[str, Any]]:
    """Return, per leg, what messages call it and what is given for it."""
    if isinstance(given, Mapping):
        unknown = [key for key in given if key not in names]
        if unknown:
            raise ValueError(f"contacts[{unknown[0]!r}]: no leg is called so; there are {', '.join(names)}")
        lists, keys = [given.get(name, ()) for name in names], [repr(name) for name in names]
    else:
        lists, keys = list(given), [str(leg) for leg in range(len(names))]
        if len(lists) != len(names):
            raise ValueError(f"contacts has {len(lists)} lists of spans: one per leg is needed ({len(names)})")
    return list(zip(keys, lists, strict=True))


def _checked_spans(key: str, spans: Any, num_frames: int) -> list[Span]:
    """Return rising spans; overlapping ones are joined."""
    if isinstance(spans, str) or not isinstance(spans, (Sequence, np.ndarray)):
        raise TypeError(f"contacts[{key}] is {spans!r}: a list of spans (first, last) is needed")
    if isinstance(spans, np.ndarray):
        spans = listed(
            f"contacts[{key}]", array_of(spans, f"contacts[{key}]"), "a list of spans (first, last) is needed"
        )
    pairs: list[Span] = []
    for n, span in enumerate(spans):
        pair = array_of(span, f"contacts[{key}][{n}]")
        if pair.shape != (2,) or pair.dtype.kind not in "iu":
            raise ValueError(f"contacts[{key}][{n}] is {span!r}: a span is (first, last), two whole frames")
        first, last = int(pair[0]), int(pair[1])
        if not 0 <= first <= last < num_frames:
            raise ValueError(
                f"contacts[{key}][{n}] is ({first}, {last}): 0 ≤ first ≤ last < {num_frames} frames is needed"
            )
        pairs.append((first, last))
    return _joined(pairs)


def _joined(pairs: list[Span]) -> list[Span]:
    """Return rising spans: neighbouring ones stay apart, as two footsteps; overlapping ones are one."""
    joined: list[Span] = []
    for pair in sorted(pairs):
        if joined and pair[0] <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], pair[1]))
        else:
            joined.append(pair)
    return joined


def _checked_parts(key: str, given: Mapping[Any, Any], num_frames: int) -> tuple[list[Span], list[Span]]:
    """Return where the heel and where the ball of a foot stand."""
    unknown = [part for part in given if part not in PARTS]
    if unknown:
        raise ValueError(f"contacts[{key}][{unknown[0]!r}]: a foot has {' and '.join(map(repr, PARTS))}")
    heel, ball = (_checked_spans(f"{key}][{part!r}", given.get(part, ()), num_frames) for part in PARTS)
    return heel, ball


def _whole_foot(heel: list[Span], ball: list[Span]) -> list[Span]:
    """Return where a foot stands whose heel and ball stand so.

    Spans that touch are one contact where the foot goes over from its heel to its ball, or back. Where the same part
    of it stands on both sides, they are two footsteps.
    """
    spans = _joined([*heel, *ball])
    out = spans[:1]
    for first, last in spans[1:]:
        before = [any(a <= first - 1 <= b for a, b in part) for part in (heel, ball)]
        now = [any(a <= first <= b for a, b in part) for part in (heel, ball)]
        if out[-1][1] == first - 1 and not any(x and y for x, y in zip(before, now, strict=True)):
            out[-1] = (out[-1][0], last)
        else:
            out.append((first, last))
    return out
