# SPDX-License-Identifier: MIT
"""At which height feet stand: the ground's level, contacts high above it, and how far a whole motion is off it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..ground import Ground
from .blend import Span, median, span_mask
from .foot import FootModel, LegTrack
from .held_foot import HeldFoot
from .placing import Stance

__all__ = ["contact_levels", "contact_rises", "sole_heights", "stance_level", "standing_high", "whole_rise"]

Array = NDArray[np.float64]

# A contact this much (leg lengths) above the clip's ground stands on something the ground does not show.
_RISE = 0.13
_UNEVEN = 0.01  # leg: ground whose heights below standing feet differ by so much is not level
_FAR = 0.75  # leg: a motion further from its ground was not made on it


def sole_heights(track: LegTrack, model: FootModel, up: Array) -> Array:
    """(F,) Height of the lower point of the sole along up, in the clip's units."""
    heel, ball = model.points(track.foot, up)
    return np.asarray(track.ankle @ up + np.minimum(heel @ up, ball @ up))


def contact_levels(
    tracks: Sequence[LegTrack], models: Sequence[FootModel], contacts: Sequence[Sequence[Span]], up: Array
) -> list[list[float]]:
    """Return the median height of the sole in every contact.

    Parameters
    ----------
    tracks, models : sequence of LegTrack, FootModel
        One per leg.
    contacts : sequence of sequence of (first, last)
        One list per leg.
    up : (3,) float64
        Unit vector.

    Returns
    -------
    list of list of float
        Heights along up, in the clip's units.
    """
    levels = []
    for track, model, spans in zip(tracks, models, contacts, strict=True):
        heights = sole_heights(track, model, up)
        levels.append([median(heights[a : b + 1]) for a, b in spans])
    return levels


def stance_level(levels: Sequence[float], weights: Sequence[float]) -> float:
    """Return the weighted median of the heights at which feet stand.

    Parameters
    ----------
    levels : sequence of float
        One per contact.
    weights : sequence of float
        What each counts.

    Returns
    -------
    float
        The height of a level ground.

    Examples
    --------
    >>> stance_level([0.0, 0.1, 5.0], [10, 10, 1])
    0.1
    """
    order = np.argsort(levels)
    total = np.cumsum(np.asarray(weights, dtype=np.float64)[order])
    return float(np.asarray(levels, dtype=np.float64)[order][int(np.searchsorted(total, 0.5 * total[-1]))])


def contact_rises(
    tracks: Sequence[LegTrack], models: Sequence[FootModel], contacts: Sequence[Sequence[Span]], up: Array
) -> tuple[float, list[list[float]]]:
    """Return the clip's own ground level and, per contact, how far it stands above that level on purpose.

    Parameters
    ----------
    tracks, models : sequence of LegTrack, FootModel
        One per leg.
    contacts : sequence of sequence of (first, last)
        One list per leg, at least one contact in all.
    up : (3,) float64
        Unit vector.

    Returns
    -------
    level : float
        Height of the ground through the stance feet.
    rises : list of list of float
        0 where the foot belongs on the ground; else its height above it.
    """
    levels = contact_levels(tracks, models, contacts, up)
    # Squared: one long stance tells more about the ground than many short touches.
    weights = [float(b - a + 1) ** 2 for spans in contacts for a, b in spans]
    level = stance_level([x for own in levels for x in own], weights)
    rises = [[standing_high(x - level, track) for x in own] for track, own in zip(tracks, levels, strict=True)]
    return level, rises


def standing_high(height: float, track: LegTrack) -> float:
    """Return the height above a level ground at which a contact is kept: 0 where the foot belongs on the ground.

    Parameters
    ----------
    height : float
        How far above the ground the sole is in the contact, in the clip's units.
    track : LegTrack
        The leg.

    Returns
    -------
    float
        The height, or 0.
    """
    return height if height > _RISE * track.length else 0.0


def whole_rise(feet: Sequence[HeldFoot], stances: Sequence[Stance], ground: Ground, up: Array) -> float:
    """Return by how much all of a motion is moved along up first: the median of what standing feet are raised by.

    Ground that is not level has no such height, unless the motion is nowhere near it; in between it counts in part.
    """
    inside = [span_mask(foot.contacts, len(stance.offset)) for foot, stance in zip(feet, stances, strict=True)]
    heights = np.concatenate([stance.offset[own] @ up for stance, own in zip(stances, inside, strict=True)])
    middle = median(heights) if len(heights) else 0.0
    length = float(np.mean([foot.track.length for foot in feet]))
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
