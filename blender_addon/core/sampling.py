# SPDX-License-Identifier: GPL-3.0-or-later
"""Where two ways to read the same frames are compared."""

from __future__ import annotations

from collections.abc import Iterable

#: runs of consecutive frames: what follows a motion with a delay shows in them, not in single frames
_LENGTH, _PLACES = 4, 8


def runs(count: int, ends: Iterable[int]) -> list[int]:
    """Return frames of ``count``, rising: runs of four, eight spread evenly and up to eight at ``ends`` of contacts.

    >>> runs(100, [30])[:12]
    [0, 1, 2, 3, 14, 15, 16, 17, 27, 28, 29, 30]
    >>> runs(6, [])
    [0, 1, 2, 3, 4, 5]
    """
    last = max(count - _LENGTH, 0)
    spread = [round(last * k / (_PLACES - 1)) for k in range(_PLACES)]
    ends = sorted(set(ends))
    chosen = [ends[round((len(ends) - 1) * k / (_PLACES - 1))] for k in range(_PLACES)] if ends else []
    starts = {*spread, *(min(max(end - _LENGTH // 2, 0), last) for end in chosen)}
    return sorted({start + k for start in starts for k in range(_LENGTH) if start + k < count})
