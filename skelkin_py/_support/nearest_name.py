# SPDX-License-Identifier: MIT
"""What somebody may have meant by a name that there is not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import nlargest

_LETTERS = 100  # names that are longer are not compared
_NAMES = 200  # of more than these, those that begin and end most like the name


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return the end of a message about an unknown name: up to three that are like it, as a question.

    Parameters
    ----------
    name : str
        What was given.
    known : iterable of str
        What there is.

    Returns
    -------
    str
        Begins with a colon; empty where nothing is like it. Takes milliseconds, and a fraction of a second for a rig of
        65 535 joints.

    Examples
    --------
    >>> did_you_mean("LeftFot", ["Hips", "LeftFoot", "LeftToe"])
    ": did you mean 'LeftFoot' or 'LeftToe'?"
    >>> did_you_mean("tail", ["Hips"])
    ''
    """
    from difflib import get_close_matches  # which only those need who mistype

    wanted = name.lower()
    lower: dict[str, str] = {}
    for each in known:
        if len(each) <= _LETTERS:
            lower.setdefault(each.lower(), each)
    if len(wanted) > _LETTERS or not lower:
        return ""
    likely = list(lower)
    if len(likely) > _NAMES:
        likely = nlargest(_NAMES, likely, key=lambda each: _ends_in_common(each, wanted))
    near = [lower[each] for each in get_close_matches(wanted, likely, 3, 0.6)]
    return f": did you mean {' or '.join(map(repr, near))}?" if near else ""


def _ends_in_common(one: str, other: str) -> int:
    """Return how many letters two names have in common at their beginnings and at their ends."""
    return len(common_beginning((one, other))) + len(common_beginning((one[::-1], other[::-1])))


def common_beginning(texts: Sequence[str]) -> str:
    """Return the letters that all texts begin with."""
    first, last = min(texts, default=""), max(texts, default="")  # in their order all others are between these
    differ = (k for k, letter in enumerate(first) if letter != last[k : k + 1])
    return first[: next(differ, len(first))]
