# SPDX-License-Identifier: GPL-3.0-or-later
"""What of a contact the mouse holds: the grip at a place of the rows, and where a contact is dragged by it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from .contact_rows import Bar, Strip, on_legs, row_at
from .contacts import Foot, Span, can_overlap, leg_of

#: what a bar is held at: an end of it, or all of it
FIRST, LAST, BOTH = "FIRST", "LAST", "BOTH"
#: how far from an end the mouse may be to mean it, in unscaled pixels
REACH = 6.0


class Grip(NamedTuple):
    """A bar, and what of it is meant."""

    bar: Bar
    part: str


def grip_at(bars: Iterable[Bar], feet: Sequence[Foot], strip: Strip, x: float, y: float) -> Grip | None:
    """Return what is meant at a place of the region, None where there is no bar.

    An end is meant up to `REACH` beside it, inside of its bar up to a third of that, so that narrow bars have all
    three grips. The nearest end counts, of equals the one whose bar the place is in. Else all of a bar is meant: of
    some above each other the shortest, which there would be no other way to.
    """
    wanted = row_at(y, feet, strip)
    if wanted is None:
        return None
    reach = REACH * strip.scale
    ends: list[tuple] = []
    insides: list[tuple] = []
    for number, (leg, bar) in enumerate(on_legs(bars, feet)):
        if leg != wanted or bar.first > bar.last:
            continue
        left, right = strip.x(bar.first), strip.x(bar.last + 1)
        is_inside, order = left <= x <= right, (right - left, -number)  # the last one is drawn on top
        for part, inward in ((FIRST, x - left), (LAST, right - x)):
            if -reach <= inward <= min(reach, (right - left) / 3):
                ends.append((abs(inward), not is_inside, order, Grip(bar, part)))
        if is_inside:
            insides.append((order, Grip(bar, BOTH)))
    return min(ends or insides, key=lambda found: found[:-1])[-1] if ends or insides else None


def room_of(held: Bar, bars: Iterable[Bar], feet: Sequence[Foot], frames: Span) -> Span:
    """Return the first and the last frame that a contact may reach: those of the motion, up to its neighbours.

    Heel and ball do not get in each other's way, nor does what is switched off.

    >>> feet, bars = [Foot("left", "foot.L")], [Bar("left", 1, 9), Bar("left", 20, 29), Bar("left", 40, 49)]
    >>> room_of(bars[1], bars, feet, (1, 60)), room_of(bars[2], bars, feet, (1, 60))
    ((10, 39), (30, 60))
    """
    low, high = frames
    for leg, bar in on_legs(bars, feet) if held.is_used else ():
        may_meet = can_overlap(bar.part, held.part) and not (bar.is_pinned and held.is_pinned)
        if leg != leg_of(held.foot, feet) or not bar.is_used or may_meet:
            continue
        if bar.last < held.first:
            low = max(low, bar.last + 1)
        elif bar.first > held.last:
            high = min(high, bar.first - 1)
    return low, high


def dragged(span: Span, part: str, by: int, within: Span) -> Span:
    """Return the first and the last frame of a contact of which a part is dragged by so many frames.

    It stays ``within`` the frames that it has room in, or goes no farther out where it is beyond them, and never ends
    before it begins; as a whole it keeps its length.

    >>> dragged((3, 9), FIRST, 20, (1, 60)), dragged((3, 9), LAST, 2, (1, 60)), dragged((3, 9), BOTH, -5, (1, 60))
    ((9, 9), (3, 11), (1, 7))
    """
    first, last = span
    low, high = min(within[0], first), max(within[1], last)
    if part == FIRST:
        return min(max(first + by, low), last), last
    if part == LAST:
        return first, max(min(last + by, high), first)
    by = min(max(by, low - first), high - last)
    return first + by, last + by
