# SPDX-License-Identifier: MIT
"""How the body follows its feet: raised with the ground, lowered where a leg is too short, freed of jumps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from .blend import frames_to_nearest, hold_between, low_pass, smooth_envelope, span_mask
from .body_jumps import MOST, acceleration, added_acceleration, jumps_taken
from .foot import LegTrack
from .held_foot import HeldFoot
from .placing import Stance

__all__ = ["Body", "BodyShift", "StanceLeg", "body_height", "lowering", "place_body", "reach_limit"]

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


@dataclass(frozen=True)
class Body:
    """The body, and how it may be moved.

    Parameters
    ----------
    path : (F, 3) float64 or None
        The original path of the joint that carries it; None where there is none.
    most : float
        By how much its acceleration may become greater, in the clip's units per s².
    drift : (F,) float64
        How far the ground goes up, or down, beyond the motion: a foot that is moved so is not raised for its heel.
    paces : (float, float, float) or None
        Those of the clip of which this is a part, so that its parts fit together, as in `BodyShift`; None where all
        of it is there.
    """

    path: Array | None
    most: float
    drift: Array
    paces: tuple[float, float, float] | None


@dataclass(frozen=True)
class StanceLeg:
    """A leg whose ankle has to be at its place while it stands.

    Parameters
    ----------
    track : LegTrack
        Its original motion.
    ankle : (F, 3) float64
        Where its ankle has to be.
    stands : (F,) bool
        The frames of its contacts.
    limit : (F,) float64
        The longest distance from hip to ankle, such as from `reach_limit`, in the clip's units.
    """

    track: LegTrack
    ankle: Array
    stands: NDArray[np.bool_]
    limit: Array


def place_body(
    feet: Sequence[HeldFoot],
    stances: Sequence[Stance],
    body: Body,
    up: Array,
    fps: float,
    ramp: Array,
    stretch: float,
    reaches: Sequence[Array | None],
) -> BodyShift:
    """Decide how the body is moved.

    Parameters
    ----------
    feet : sequence of HeldFoot
        One per leg.
    stances : sequence of Stance
        Per leg, how its ankle is moved inside its contacts.
    body : Body
        The body.
    up : (3,) float64
        Unit vector.
    fps : float
        Frames per second.
    ramp : (F,) float64
        0 … 1: how much of a correction is allowed.
    stretch : float
        The largest factor by which bones may lengthen.
    reaches : sequence of ((F,) float64 or None)
        Per leg, how far it may reach while it stands, in leg lengths, where that is less than usual.

    Returns
    -------
    BodyShift
        The shift; zeros where nothing carries the body. Where feet are held in height alone, it goes up and down only.
    """
    num = len(ramp)
    none = np.zeros((num, 3))
    if body.path is None:
        return BodyShift(np.zeros(num), none, np.zeros(num), none, 0.0, (1.0, 1.0, 0.0))
    jumping, raising, reaching, rest = (share * body.most for share in _SHARES)
    rise_pace, fall_pace, rest_pace = (None, None, None) if body.paces is None else body.paces
    tracks = [foot.track for foot in feet]
    ankles = [track.ankle + stance.offset for track, stance in zip(tracks, stances, strict=True)]
    standing = [span_mask(foot.contacts, num) for foot in feet]
    # The body does not follow a foot that is raised because it is up on its heel, nor one that is already.
    heights = [s.offset @ up - np.clip(s.offset @ up - body.drift, 0.0, s.tilt) for s in stances]
    height, rise_pace = body_height(heights, standing, fps, raising, rise_pace)
    raised = ramp * height
    limits = [reach_limit(track, stretch) for track in tracks]
    for limit, track, reach in zip(limits, tracks, reaches, strict=True):
        if reach is not None:
            np.minimum(limit, reach * track.length, out=limit)
    legs = [StanceLeg(*each) for each in zip(tracks, ankles, standing, limits, strict=True)]
    shift = raised[:, None] * up
    down, fall_pace = lowering(legs, shift, up, fps, reaching, pace=fall_pace)
    jumps = none
    if any(foot.pinned for foot in feet):
        shift = (raised - ramp * down)[:, None] * up
        pops = [foot.pop for foot in feet]
        jumps = ramp[:, None] * jumps_taken(tracks, ankles, standing, body.path, shift, fps, jumping, pops)
        if jumps.any() if rest_pace is None else rest_pace > 0.0:
            # The body may jump away from a leg that is straight already.
            longest = max(stretch, _NEARLY_FULL)
            legs = [replace(leg, limit=np.full(num, longest * leg.track.length)) for leg in legs]
            more, rest_pace = lowering(legs, shift + jumps, up, fps, rest, MOST, pace=rest_pace)
            down = down + more
    lowered = ramp * down
    whole = (raised - lowered)[:, None] * up + jumps
    used = (rise_pace, fall_pace, rest_pace or 0.0)
    return BodyShift(raised, jumps, lowered, whole, added_acceleration(body.path, whole, fps), used)


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
    legs: Sequence[StanceLeg],
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
    legs : sequence of StanceLeg
        The legs.
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
    for leg in legs:
        reach = leg.track.hip + body - leg.ankle
        height = reach @ up
        level2 = np.maximum((reach * reach) @ np.ones(3) - height * height, 0.0)
        too_high = height - np.sqrt(np.maximum(leg.limit * leg.limit - level2, 0.0))
        # What only rounding asks for is no need.
        needs = leg.stands & (too_high >= 1e-9 * leg.track.length)
        np.maximum(needed, np.where(needs, np.minimum(too_high, deepest * leg.track.length), 0.0), out=needed)
    return _within(lambda width: smooth_envelope(needed, max(1, round(0.12 * fps * width))), fps, most, pace)
