# SPDX-License-Identifier: GPL-3.0-or-later
"""A row of bars for each foot: where it stands, as triangles in pixels of a region."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from .contacts import BALL, FLAT, HEEL, WHOLE, Foot, leg_of

Colour = tuple[float, float, float, float]

#: height of a row and what is left free between two, in unscaled pixels
ROW, GAP = 9.0, 3.0
COLOURS: dict[str, Colour] = {
    WHOLE: (0.35, 0.70, 0.45, 0.85),
    FLAT: (0.25, 0.60, 0.85, 0.85),
    HEEL: (0.90, 0.60, 0.25, 0.85),
    BALL: (0.80, 0.45, 0.75, 0.85),
}
#: frames in which a foot was brought somewhere by hand
BY_HAND: Colour = (1.0, 0.85, 0.2, 1.0)
#: what is off, and the stripes of a place or height of its own
OFF, PIN = (0.5, 0.5, 0.5, 0.45), (1.0, 1.0, 1.0, 0.9)


class Bar(NamedTuple):
    """What is shown of a contact."""

    foot: str
    first: int
    last: int
    part: str = WHOLE
    is_used: bool = True
    is_pinned: bool = False
    key: int = 0


class Diamond(NamedTuple):
    """What is shown of frames in which a foot was brought somewhere by hand."""

    foot: str
    first: int
    last: int


class Strip(NamedTuple):
    """Where rows are in a region: the first and the last frame that they show, their width, where they begin.

    ``width``, ``bottom`` and ``left`` are in pixels; ``scale``: pixels for an unscaled one.
    """

    first: float
    last: float
    width: float
    bottom: float = 0.0
    scale: float = 1.0
    left: float = 0.0

    def x(self, frame: float) -> float:
        """Return where a frame is.

        >>> Strip(0.0, 100.0, 500.0).x(20)
        100.0
        """
        return self.left + (frame - self.first) * self.width / (self.last - self.first)

    def frame(self, x: float) -> float:
        """Return which frame is at a place, the inverse of `x`.

        >>> Strip(0.0, 100.0, 500.0).frame(100.0)
        20.0
        """
        return self.first + (x - self.left) * (self.last - self.first) / self.width


class Rows(NamedTuple):
    """Corners of triangles (x, y), three for each, a colour for each corner, and names with where they begin."""

    corners: list[tuple[float, float]]
    colours: list[Colour]
    names: list[tuple[str, float, float]]


def rows(bars: Iterable[Bar], feet: Sequence[Foot], strip: Strip, diamonds: Iterable[Diamond] = ()) -> Rows:
    """Return the bars of contacts, a row for each foot, the first on top; those of feet that are no legs are left out.

    A contact reaches to where the frame after its last one begins. Over them are the ``diamonds``, each as long as its
    frames.
    """
    found = Rows([], [], [])
    scale = strip.scale
    for leg, foot in enumerate(feet):
        found.names.append((foot.name, strip.left + 4.0 * scale, height_of(leg, feet, strip)))
    for leg, bar in on_legs(bars, feet):
        left, right = max(strip.left, strip.x(bar.first)), min(strip.left + strip.width, strip.x(bar.last + 1))
        if left >= right:
            continue
        low = height_of(leg, feet, strip)
        high = low + ROW * scale
        _box(found, left, low, right, high, COLOURS[bar.part] if bar.is_used else OFF)
        if bar.is_pinned:
            _box(found, left, high - 2.0 * scale, right, high, PIN)
    for diamond in diamonds:
        leg = leg_of(diamond.foot, feet)
        ends = strip.x(diamond.first), strip.x(diamond.last)
        if leg is not None and ends[1] >= strip.left and ends[0] <= strip.left + strip.width:
            _diamond(found, *ends, height_of(leg, feet, strip), scale)
    return found


def on_legs(bars: Iterable[Bar], feet: Sequence[Foot]) -> Iterator[tuple[int, Bar]]:
    """Yield the bars of feet that are legs, each with its leg."""
    legs: dict[str, int | None] = {}
    for bar in bars:
        leg = legs[bar.foot] if bar.foot in legs else legs.setdefault(bar.foot, leg_of(bar.foot, feet))
        if leg is not None:
            yield leg, bar


def height_of(leg: int, feet: Sequence[Foot], strip: Strip) -> float:
    """Return where the row of a leg begins in the region.

    >>> feet = [Foot("left", "foot.L"), Foot("right", "foot.R")]
    >>> height_of(0, feet, Strip(0.0, 100.0, 500.0, bottom=40.0))
    52.0
    """
    return strip.bottom + (len(feet) - 1 - leg) * (ROW + GAP) * strip.scale


def row_at(y: float, feet: Sequence[Foot], strip: Strip) -> int | None:
    """Return the leg in whose row a height of the region is, half of what is left free between two included.

    >>> feet = [Foot("left", "foot.L"), Foot("right", "foot.R")]
    >>> [row_at(y, feet, Strip(0.0, 100.0, 500.0, bottom=40.0)) for y in (38.0, 39.0, 50.0, 51.0, 63.0)]
    [None, 1, 1, 0, None]
    """
    above = math.floor(((y - strip.bottom) / strip.scale + GAP / 2) / (ROW + GAP))
    return len(feet) - 1 - above if 0 <= above < len(feet) else None


def _box(found: Rows, left: float, low: float, right: float, high: float, colour: Colour) -> None:
    found.corners.extend(((left, low), (right, low), (right, high), (left, low), (right, high), (left, high)))
    found.colours.extend([colour] * 6)


def _diamond(found: Rows, left: float, right: float, low: float, scale: float) -> None:
    """Add a diamond with points at both sides of a row, as high as this."""
    half = ROW * scale / 2
    middle, high = low + half, low + 2 * half
    for tip, x in ((left - half, left), (right + half, right)):
        found.corners.extend(((tip, middle), (x, low), (x, high)))
        found.colours.extend([BY_HAND] * 3)
    if right > left:
        _box(found, left, low, right, high, BY_HAND)
