# SPDX-License-Identifier: GPL-3.0-or-later
"""A row of bars for each foot: where it stands, as triangles in pixels of a region."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
#: what is off, and what stripes tell of a place or height of its own
OFF, PIN = (0.5, 0.5, 0.5, 0.45), (1.0, 1.0, 1.0, 0.9)


class Bar(NamedTuple):
    """What is shown of a contact."""

    foot: str
    first: int
    last: int
    part: str = WHOLE
    is_used: bool = True
    is_pinned: bool = False


class Strip(NamedTuple):
    """Where frames are in a region: the first and the last one that it shows, and its width in pixels."""

    first: float
    last: float
    width: float

    def x(self, frame: float) -> float:
        """Return where a frame is.

        >>> Strip(0.0, 100.0, 500.0).x(20)
        100.0
        """
        return (frame - self.first) * self.width / (self.last - self.first)


class Rows(NamedTuple):
    """Corners of triangles (x, y), three for each, a colour for each corner, and names with where they begin."""

    corners: list[tuple[float, float]]
    colours: list[Colour]
    names: list[tuple[str, float, float]]


def rows(bars: Iterable[Bar], feet: Sequence[Foot], strip: Strip, bottom: float, scale: float) -> Rows:
    """Return the bars of contacts, a row for each foot from ``bottom`` up; those of feet that are no legs are left out.

    A contact reaches to where the frame after its last one begins. ``scale``: pixels for an unscaled one.
    """
    found = Rows([], [], [])
    step = (ROW + GAP) * scale
    for k, foot in enumerate(feet):
        found.names.append((foot.name, 4.0 * scale, bottom + (len(feet) - 1 - k) * step))
    legs: dict[str, int | None] = {}
    for bar in bars:
        left, right = max(0.0, strip.x(bar.first)), min(strip.width, strip.x(bar.last + 1))
        leg = legs[bar.foot] if bar.foot in legs else legs.setdefault(bar.foot, leg_of(bar.foot, feet))
        if left >= right or leg is None:
            continue
        low = bottom + (len(feet) - 1 - leg) * step
        high = low + ROW * scale
        _box(found, left, low, right, high, COLOURS[bar.part] if bar.is_used else OFF)
        if bar.is_pinned:
            _box(found, left, high - 2.0 * scale, right, high, PIN)
    return found


def _box(found: Rows, left: float, low: float, right: float, high: float, colour: Colour) -> None:
    found.corners.extend(((left, low), (right, low), (right, high), (left, low), (right, high), (left, high)))
    found.colours.extend([colour] * 6)
