# SPDX-License-Identifier: MIT
"""How the body follows its feet: raised with the ground, lowered where a leg is too short, freed of jumps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .blend import Span, frames_to_nearest, hold_between, low_pass, smooth_envelope, span_mask
from .body_jumps import MOST, acceleration, added_acceleration, jumps_taken
from .foot import LegTrack

__all__ = ["BodyShift", "body_height", "lowering", "place_body", "reach_limit"]

Array = NDArray[np.float64]

# A stance leg is not stretched beyond this part of its length, unless the original stretched it further.
_STRAIGHT = 0.995
_FULL = 1.0
_NEARLY_FULL = 0.9999
# What of the acceleration goes to jumps, to raising, to lowering, and to lowering for what jumps need.
_SHARES = (0.5, 0.25, 0.2, 0.05)
# The body is never lowered by more than this part of the leg for reach alone.
_DEEPEST = 0.3
_SLOWER = 1.2  # the factor by which a curve is made slower until it keeps its acceleration
_SLOWEST = 24  # times at most


@dataclass(frozen=True)
class BodyShift:
    """How the body is moved.

    Parameters
    ----------
    raised : (F,) float64
        Along up, with the ground.
    jumps : (F, 3) float64
        In frames in which the captured body jumps.
    lowered : (F,) float64
        Down, for legs that are too short.
    whole : (F, 3) float64
        The sum of these.
    acceleration : float
        By how much that makes the body's acceleration greater at worst, in the clip's units per s².
    paces : (float, float, float)
        By what factor the body is raised, lowered and, for what jumps need, lowered more slowly than usual, so that its
        acceleration stays within bounds; the last is 0 where there are no jumps.
    """

    raised: Array
    jumps: Array
    lowered: Array
    whole: Array
    acceleration: float
    paces: tuple[float, float, float]

    def followed(self, jumps: Array, lowered: Array, up: Array) -> Array:
        """Return the path (F, 3) of what follows the body: shares (F,) of its jumps and of its lowering, all else."""
        path = (self.raised - lowered * self.lowered)[:, None] * up
        if self.jumps.any():
            path += jumps[:, None] * self.jumps
        return path


def place_body(
    tracks: Sequence[LegTrack],
    offsets: Sequence[Array],
    heights: Sequence[Array],
    contacts: Sequence[Sequence[Span]],
    body: Array | None,
    up: Array,
    fps: float,
    *,
    stretch: float,
    most: float,
    ramp: Array,
    pin: bool,
    pops: Sequence[float] | None,
    paces: Sequence[float] | None,
    reaches: Sequence[Array | None] | None = None,
) -> BodyShift:
    """Decide how the body is moved.

    Parameters
    ----------
    tracks : sequence of LegTrack
        Original motion.
    offsets : sequence of (F, 3) float64
        Per leg, how its ankle is moved inside its contacts.
    heights : sequence of (F,) float64
        What of it the body follows.
    contacts : sequence of sequence of (first, last)
        Per leg.
    body : (F, 3) float64 or None
        The original path of the joint that carries the body, if there is one.
    up : (3,) float64
        Unit vector.
    fps : float
        Frames per second.
    stretch : float
        The largest factor by which bones may lengthen.
    most : float
        By how much the body's acceleration may become greater, in the clip's units per s².
    ramp : (F,) float64
        0 … 1: how much of a correction is allowed.
    pin : bool
        Whether feet are held in the level plane too; else the body moves up and down only.
    pops : sequence of float or None
        As in `jumps_taken`.
    paces : sequence of float or None
        Those of the clip of which this is a part, so that its parts fit together; None where all of it is there.
    reaches : sequence of ((F,) float64 or None), optional
        Per leg, how far it may reach while it stands, in leg lengths, where that is less than usual.

    Returns
    -------
    BodyShift
        The shift; zeros where nothing carries the body.
    """
    num = len(ramp)
    none = np.zeros((num, 3))
    if body is None:
        return BodyShift(np.zeros(num), none, np.zeros(num), none, 0.0, (1.0, 1.0, 0.0))
    jumping, raising, reaching, rest = (share * most for share in _SHARES)
    rise_pace, fall_pace, rest_pace = (None, None, None) if paces is None else paces
    ankles = [track.ankle + offset for track, offset in zip(tracks, offsets, strict=True)]
    standing = [span_mask(spans, num) for spans in contacts]
    height, rise_pace = body_height(heights, standing, fps, raising, rise_pace)
    raised = ramp * height
    limits = [reach_limit(track, stretch) for track in tracks]
    for limit, track, reach in zip(limits, tracks, reaches or (), strict=False):
        if reach is not None:
            np.minimum(limit, reach * track.length, out=limit)
    shift = raised[:, None] * up
    down, fall_pace = lowering(tracks, ankles, standing, limits, shift, up, fps, reaching, pace=fall_pace)
    jumps = none
    if pin:
        shift = (raised - ramp * down)[:, None] * up
        jumps = ramp[:, None] * jumps_taken(tracks, ankles, standing, body, shift, fps, jumping, pops)
        if jumps.any() if rest_pace is None else rest_pace > 0.0:
            # The body may jump away from a leg that is straight already.
            limits = [np.full(num, max(stretch, _NEARLY_FULL) * track.length) for track in tracks]
            more, rest_pace = lowering(
                tracks, ankles, standing, limits, shift + jumps, up, fps, rest, MOST, pace=rest_pace
            )
            down = down + more
    lowered = ramp * down
    whole = (raised - lowered)[:, None] * up + jumps
    used = (rise_pace, fall_pace, rest_pace or 0.0)
    return BodyShift(raised, jumps, lowered, whole, added_acceleration(body, whole, fps), used)


def _within(curve: Callable[[float], Array], fps: float, most: float, pace: float | None) -> tuple[Array, float]:
    """Return the curve of the smallest width whose acceleration is at most `most`, or of a width that is known."""
    if pace is not None:
        return curve(pace), pace
    width = 1.0
    for _ in range(_SLOWEST):
        out, pace = curve(width), width
        if float(acceleration(out, fps).max(initial=0.0)) <= most:
            break
        width *= _SLOWER
    return out, pace or width


def body_height(
    offsets: Sequence[Array], standing: Sequence[NDArray[np.bool_]], fps: float, most: float, pace: float | None = None
) -> tuple[Array, float]:
    """Return how far the body is raised, per frame: the smoothed mean of what its standing feet are raised.

    Parameters
    ----------
    offsets : sequence of (F,) float64
        Per foot, the height correction inside its contacts.
    standing : sequence of (F,) bool
        Per foot, the frames of its contacts.
    fps : float
        Frames per second.
    most : float
        Its greatest acceleration, in the clip's units per s².
    pace : float, optional
        By what factor to smooth more widely; found where it is not given.

    Returns
    -------
    height : (F,) float64
        The correction; zero where no foot ever stands.
    pace : float
        The factor.
    """
    num = len(offsets[0])
    total, weights = np.zeros(num), np.zeros(num)
    for offset, stands in zip(offsets, standing, strict=True):
        if not stands.any():
            continue
        gap = frames_to_nearest(stands)
        # A foot that stood or will stand soon counts more than one that is long in the air.
        weight = np.exp(-np.minimum(gap / (0.2 * fps), 30.0))
        total += weight * hold_between(offset, stands)
        weights += weight
    if not weights.any():
        return total, 1.0
    return _within(lambda width: low_pass(total / weights, 0.12 * fps * width), fps, most, pace)


def reach_limit(track: LegTrack, stretch: float) -> Array:
    """Return the longest distance from hip to ankle that a stance leg is given, per frame.

    Parameters
    ----------
    track : LegTrack
        The leg's original motion.
    stretch : float
        The largest factor by which bones may lengthen.

    Returns
    -------
    (F,) float64
        In the clip's units.
    """
    if stretch > 1.0:
        return np.full(len(track.hip), stretch * track.length)
    return np.asarray(np.clip(track.extension, _STRAIGHT, _FULL) * track.length)


def lowering(
    tracks: Sequence[LegTrack],
    ankles: Sequence[Array],
    standing: Sequence[NDArray[np.bool_]],
    limits: Sequence[Array],
    body: Array,
    up: Array,
    fps: float,
    most: float,
    deepest: float = _DEEPEST,
    pace: float | None = None,
) -> tuple[Array, float]:
    """Return how far the body has to come down so that every standing foot can be reached.

    Parameters
    ----------
    tracks : sequence of LegTrack
        Original motion.
    ankles : sequence of (F, 3) float64
        Where the ankles have to be.
    standing : sequence of (F,) bool
        Per foot, the frames of its contacts.
    limits : sequence of (F,) float64
        Longest distances, from `reach_limit`.
    body : (F, 3) float64
        How the body is moved already.
    up : (3,) float64
        Unit vector.
    fps : float
        Frames per second.
    most : float
        Greatest acceleration, in the clip's units per s²: the body begins to come down as early as that takes.
    deepest : float, default 0.3
        The body comes down no further than that, in leg lengths.
    pace : float, optional
        By what factor to begin earlier; found where it is not given.

    Returns
    -------
    down : (F,) float64
        ≥ 0 and smooth; zero far from any need.
    pace : float
        The factor.
    """
    needed = np.zeros(len(body))
    for track, ankle, stands, limit in zip(tracks, ankles, standing, limits, strict=True):
        reach = track.hip + body - ankle
        height = reach @ up
        level2 = np.maximum((reach * reach) @ np.ones(3) - height * height, 0.0)
        too_high = height - np.sqrt(np.maximum(limit * limit - level2, 0.0))
        # What only rounding asks for is no need.
        needs = stands & (too_high >= 1e-9 * track.length)
        np.maximum(needed, np.where(needs, np.minimum(too_high, deepest * track.length), 0.0), out=needed)
    return _within(lambda width: smooth_envelope(needed, max(1, round(0.12 * fps * width))), fps, most, pace)
