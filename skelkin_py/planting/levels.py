# SPDX-License-Identifier: MIT
"""At which height feet stand: the ground's level, contacts high above it, and how far a whole motion is off it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..ground import Ground
from .blend import Span, median, span_mask, span_medians
from .foot import FootModel, LegTrack
from .foothold import HeldFoot, Stance

__all__ = [
    "Levels",
    "contact_levels",
    "contact_rises",
    "lowest_near",
    "lowest_sole",
    "sole_heights",
    "stance_level",
    "whole_rise",
]

Array = NDArray[np.float64]

_RISE = 0.13  # leg: a contact so far above a ground that is given stands on something the ground does not show
_NEAR = (0.06, 0.12)  # leg: bounds of how far apart contacts are on one level that is not given: as far as
_TIMES_NOISE = 10.0  # times what a sole moves up and down inside of a contact, in the mean;
_EDGE = 0.1  # what is further away by this part of it keeps its own height
_MANY = (0.3, 0.5)  # of the time that feet stand: there is no level with less of it, and certainly one with more
_UNEVEN = 0.01  # leg: ground whose heights below standing feet differ by so much is not level
_FAR = 0.75  # leg: a motion further from its ground was not made on it
_LED_TO = 0.05  # leg: a motion beside a jump that is so near to its ground is led there; from twice that on it is moved


def sole_heights(track: LegTrack, model: FootModel, up: Array) -> Array:
    """(F,) Height of the lowest point of the sole along up, in the clip's units."""
    return np.asarray(track.ankle @ up + (model.outline(track.foot, up) @ up).min(axis=0))


def lowest_sole(tracks: Sequence[LegTrack], models: Sequence[FootModel], up: Array) -> float:
    """Return the height of the lowest point of all soles: with no foot standing, nothing tells of another ground."""
    return min(float(sole_heights(*foot, up).min()) for foot in zip(tracks, models, strict=True))


def contact_levels(
    tracks: Sequence[LegTrack], models: Sequence[FootModel], contacts: Sequence[Sequence[Span]], up: Array
) -> list[list[float]]:
    """Return the median height of the sole in every contact, along up, in the clip's units."""
    levels = []
    for track, model, spans in zip(tracks, models, contacts, strict=True):
        heights = sole_heights(track, model, up)
        levels.append(span_medians(heights, spans))
    return levels


def stance_level(levels: Sequence[float], weights: Sequence[float]) -> float:
    """Return the median of the heights at which feet stand, each counted by its weight."""
    order = np.argsort(levels)
    total = np.cumsum(np.asarray(weights, dtype=np.float64)[order])
    return float(np.asarray(levels, dtype=np.float64)[order][int(np.searchsorted(total, 0.5 * total[-1]))])


def _step(x: float) -> float:
    """Return 3x² − 2x³ of x clipped to 0 … 1."""
    x = min(max(x, 0.0), 1.0)
    return x * x * (3.0 - 2.0 * x)


@dataclass(frozen=True)
class Levels:
    """At which height each contact stands, from the heights at which the soles of a clip do; all in the clip's units.

    Parameters
    ----------
    level : float
        The height at which feet stand for longest.
    ground : float
        The ground: that level, and the lowest that a sole ever is where no level has many contacts.
    near : float
        Contacts that are no further from the level stand on it.
    uneven : float
        0 where feet stand on the level for most of the time, 1 where no level has many of them.
    spread : float
        How far the heights of all contacts are apart.
    length : float
        The leg.
    given : bool
        Whether the ground is given: then what is off the level is a fault, unless it is far above.
    """

    level: float
    ground: float
    near: float
    uneven: float
    spread: float
    length: float
    given: bool

    def rise(self, height: float) -> float:
        """Return how far above the ground a contact is kept in which the sole is at `height`."""
        off = height - self.level
        if self.given:
            return off if off > _RISE * self.length else 0.0
        own = off * _step((abs(off) - self.near) / (_EDGE * self.near))
        return own + self.uneven * (off - own) + self.level - self.ground


def contact_rises(
    tracks: Sequence[LegTrack],
    models: Sequence[FootModel],
    contacts: Sequence[Sequence[Span]],
    up: Array,
    *,
    given: bool,
) -> tuple[Levels, list[list[float]]]:
    """Return the heights at which a clip stands and, per contact (one at least), how far it is kept above the ground.

    Where the ground is not given it is one level if the heights of contacts agree within what is seen inside of them,
    else each contact keeps its own; in between they go over into each other.
    """
    heights = [sole_heights(track, model, up) for track, model in zip(tracks, models, strict=True)]
    own = [[height[a : b + 1] for a, b in spans] for height, spans in zip(heights, contacts, strict=True)]
    levels = [span_medians(height, spans) for height, spans in zip(heights, contacts, strict=True)]
    each = np.array([x for part in levels for x in part])
    counts = np.array([last - first + 1 for spans in contacts for first, last in spans], dtype=np.float64)
    # Squared: one long stance tells more about the ground than many short touches.
    level = stance_level(each.tolist(), (counts**2).tolist())
    length = float(np.mean([track.length for track in tracks]))
    parts = [part for each_leg in own for part in each_leg]
    inside = np.array([np.abs(part - x).mean() for part, x in zip(parts, each.tolist(), strict=True)])
    near = length * float(np.clip(_TIMES_NOISE * np.average(inside, weights=counts) / length, *_NEAR))
    found = Levels(level, level, near, 0.0, float(np.ptp(each)), length, given)
    if not given:
        off = 1.0 - np.array([abs(found.rise(x)) / max(abs(x - level), 1e-300) for x in each.tolist()])
        rare = (_MANY[1] - float(np.average(off, weights=counts))) / (_MANY[1] - _MANY[0])
        found = replace(found, uneven=_step(rare))
        lowest = min(float(height.min()) for height in heights)
        found = replace(found, ground=level + found.uneven * min(0.0, lowest - level))
    return found, [[found.rise(x) for x in parts] for parts in levels]


def lowest_near(contacts: Sequence[Span], rises: Sequence[float], num: int) -> Array:
    """(F,) How far below the ground, ≤ 0, a foot may be: as far as in the contact it is in, or before and after."""
    edges, frames = np.array([0.0, *rises, 0.0]), np.arange(num)
    before = np.searchsorted([first for first, _ in contacts], frames, "right")
    after = np.searchsorted([last for _, last in contacts], frames, "left") + 1
    return np.asarray(np.minimum(0.0, np.minimum(edges[before], edges[after])))


def whole_rise(feet: Sequence[HeldFoot], stances: Sequence[Stance], ground: Ground, up: Array, *, jumps: bool) -> float:
    """Return by how much all of a motion is moved along up first: the median of what standing feet are raised by.

    Ground that is not level has no such height, unless the motion is nowhere near it; in between it counts in part.
    A motion that `jumps` from lone frames or to them is only moved so far off its ground that nothing else leads there.
    """
    inside = [span_mask(foot.contacts, len(stance.offset)) for foot, stance in zip(feet, stances, strict=True)]
    heights = np.concatenate([stance.offset[own] @ up for stance, own in zip(stances, inside, strict=True)])
    middle = median(heights) if len(heights) else 0.0
    length = float(np.mean([foot.track.length for foot in feet]))
    if jumps:
        middle *= _step(abs(middle) / (_LED_TO * length) - 1.0)
    if ground.level is not None or abs(middle) > _FAR * length:
        return middle
    return middle * _level_part(feet, inside, ground, up) if len(heights) else 0.0


def _level_part(feet: Sequence[HeldFoot], inside: Sequence[NDArray[np.bool_]], ground: Ground, up: Array) -> float:
    """Return 1 where all of the ground below standing feet has one height, 0 where it is uneven."""
    tracks, rows = [foot.track for foot in feet], [np.flatnonzero(own) for own in inside]
    each = zip(tracks, rows, strict=True)
    below = [t.ankle[own] @ up - ground.above(t.ankle[own][None], up, own)[0] for t, own in each if len(own)]
    spread = float(np.ptp(np.concatenate(below)))
    return max(0.0, 1.0 - spread / (_UNEVEN * tracks[0].length)) if np.isfinite(spread) else 0.0
