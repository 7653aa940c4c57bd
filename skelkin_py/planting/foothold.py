# SPDX-License-Identifier: MIT
"""How the ground holds a standing foot: the place it stands on, where that goes, and how it slopes.

On level ground that keeps still none of this is needed. Elsewhere a contact has a space of its own, in which the ground
is level and still: there the foot is held and rolled as on any floor, and the result is carried into the world.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..ground import Footing, Ground
from .blend import Span, fill_between, hold_between, lengths, span_mask
from .foot import FootModel, LegTrack, StandingFoot, rolls_on_heel
from .stance import Hold, rolling_steps, turn_matrices, turn_vectors, turned_foot

__all__ = ["Foothold", "HeldFoot", "Stance", "carried_steps", "ground_below", "level_tracks", "outline_on", "roll_on"]
__all__ += ["standing_soles", "whole_turn"]

Array = NDArray[np.float64]

_SAME = 1e-12  # rad: a foot that turns by less keeps its own rotation


@dataclass(frozen=True)
class Stance:
    """Corrections of one foot inside its contacts."""

    offset: Array  # (F, 3) what to add to the ankle, valid inside the contacts
    tilt: Array  # (F,) the part of its height that keeps the back of a heel above the ground while the toes are up
    turn: Array  # (F, 3) rotation vector that turns the foot in global space; zero where its own rotation is kept
    held: list[Span]  # where the foot is held flat


@dataclass(frozen=True)
class Foothold:
    """The ground under one foot in its contacts.

    `place` (F, 3): the place that the foot stands on, as the ground carries it; valid inside contacts. `yaw` (F, 3, 3):
    how far the ground has turned about up since the middle of the contact, identity outside; None where it keeps still.
    `tilt` (F, 3): rotation vectors that turn a level foot to the ground; they fade outside contacts. `along`: whether
    the original's feet lie along the ground already.
    """

    place: Array
    yaw: Array | None
    tilt: Array
    along: bool = False

    @cached_property
    def lean(self) -> Array:
        """(F, 3, 3) From level ground to this."""
        return turn_matrices(self.tilt)

    @cached_property
    def turn(self) -> Array:
        """(F, 3, 3) From the contact's own space into the world."""
        return self.lean if self.yaw is None else np.asarray(self.lean @ self.yaw)

    @property
    def undo(self) -> Array | None:
        """(F, 3, 3) What the original's feet have of it already; None where that is nothing."""
        return self.turn if self.along else self.yaw

    def part(self, own: slice) -> Foothold:
        """Return that of some of the frames."""
        yaw = None if self.yaw is None else self.yaw[own]
        return replace(self, place=self.place[own], yaw=yaw, tilt=self.tilt[own])

    def level_foot(self, foot: Array) -> Array:
        """Return the original foot's linear part (F, 3, 3) as it is where the ground is level and still."""
        undo = self.undo
        return foot if undo is None else np.asarray(np.swapaxes(undo, 1, 2) @ foot)

    def level_points(self, points: Array) -> Array:
        """Return points (F, 3), all about the same origin, turned to where the ground is level."""
        return np.asarray(_core.turn_points(self.lean, np.ascontiguousarray(points)[None], True)[0])

    def level_places(self, points: Array, rise: Array, up: Array) -> Array:
        """Return where points (F, 3) that are `rise` (F,) above the ground are in the contact's own level plane."""
        return _core.level_places(self.place, self.turn, np.ascontiguousarray(points), rise, up)

    def world_places(self, level: Array, rise: Array, up: Array) -> Array:
        """Return the reverse of `level_places`, in the world's level plane."""
        return _core.world_places(self.place, self.turn, level, rise, up)


def outline_on(model: FootModel, foot: Array, up: Array, hold: Foothold | None) -> Array:
    """Return the points of the sole, relative to the ankle, of a foot on ground that may slope.

    `hold`: the ground under the foot; None where it is level. Returns (P, F, 3): as `FootModel.outline`.
    """
    if hold is None or not hold.tilt.any():
        return model.outline(foot, up)
    own = model.outline(np.swapaxes(hold.lean, 1, 2) @ foot, up)
    return _core.turn_points(hold.lean, own, False)


def roll_on(sole: Array, up: Array, hold: Foothold | None) -> NDArray[np.int8]:
    """Say whether a foot stands on its heel, flat or on its ball, wherever it stands.

    `sole` (P, F, 3): points of the sole as `outline_on` returns them, in any translation. `hold`: the ground under the
    foot; None where it is level. Returns (F,): 1 where the toes are up, −1 where the heel is, 0 where the foot is flat.
    """
    _, ball, back = sole
    rear, front = (back, ball) if hold is None else (hold.level_points(back), hold.level_points(ball))
    heel = rolls_on_heel(rear, front, up)
    return np.asarray(heel.astype(np.int8) - rolls_on_heel(front, rear, up))


def whole_turn(contacts: Sequence[Span], turn: Array, foothold: Foothold, window: int) -> Array:
    """Return how a foot is turned in the world, to the ground and as it is held.

    `contacts`: those of the foot. `turn` (F, 3): how the foot is held in the contacts' own space. Returns (F, 3):
    rotation vectors; they fade outside contacts.
    """
    inside = np.flatnonzero(span_mask(contacts, len(turn)))
    whole = foothold.turn[inside] @ turn_matrices(turn[inside])
    if foothold.undo is not None:
        whole = whole @ np.swapaxes(foothold.undo[inside], 1, 2)
    own = turn_vectors(whole)
    own[lengths(own) < _SAME] = 0.0
    out = np.zeros_like(turn)
    out[inside] = own
    return fill_between(out, contacts, window)


def standing_soles(
    foot: StandingFoot,
    turn: Array | None,
    foothold: Foothold | None,
    up: Array,
    *,
    pin: bool,
    ground_step: Array | None = None,
) -> tuple[Array, Array]:
    """Return where a foot stands in its contacts, in the level plane.

    `turn` (F, 3): how the foot is held in the contacts' own space, None where it is not. `pin`: False leaves the foot
    where it is in the level plane. `ground_step` (3,), optional: how far level ground goes per frame: standing feet go
    with it. Returns `ankle` (F, 3): the ankle, without its height; `sole` (P, F, 3): points of the sole relative to it.
    """
    track = foot.track if foothold is None else replace(foot.track, foot=foothold.level_foot(foot.track.foot))
    own = foot.model.outline(track.foot if turn is None else turned_foot(track, turn), up)
    ankle = track.ankle - (track.ankle @ up)[:, None] * up
    if foothold is None:
        return (_rolled_path(ankle, own, foot.contacts, up, ground_step) if pin else ankle), own
    if pin:
        rise = -(own @ up).min(axis=0)
        places = foothold.level_places(track.ankle, rise, up)
        ankle = foothold.world_places(_rolled_path(places, own, foot.contacts, up), rise, up)
    return ankle, _core.turn_points(foothold.turn, own, False)


def ground_below(
    feet: Sequence[StandingFoot],
    footholds: Sequence[Foothold | None],
    frames: Sequence[NDArray[np.intp]],
    ground: Ground,
    up: Array,
    *,
    pin: bool,
) -> list[Footing]:
    """Return the ground below soles that stand on what is known of it, each in its (N,) frames: by points, (P · N)."""
    points, times = [], []
    for foot, foothold, own in zip(feet, footholds, frames, strict=True):
        ankle, sole = standing_soles(foot, None, foothold, up, pin=pin)
        below = ankle[own] + (foot.track.ankle[own] @ up)[:, None] * up + sole[:, own]
        points.append(below.reshape(-1, 3))
        times.append(np.tile(own, len(below)))
    return ground.footings(points, times)


def _rolled_path(
    ankle: Array, sole: Array, contacts: Sequence[Span], up: Array, ground_step: Array | None = None
) -> Array:
    """Return where ankles (F, 3) are whose feet roll without slipping: in the mean of a contact where they were."""
    # The ankle moves against what the pivot moves relative to it.
    steps = rolling_steps(sole[2], sole[1], up)
    if ground_step is not None:
        steps = steps - ground_step
    return _core.rolled_path(np.ascontiguousarray(ankle), np.ascontiguousarray(steps), contacts)


def level_tracks(tracks: Sequence[LegTrack], footholds: Sequence[Foothold | None] | None) -> list[LegTrack]:
    """Return the legs' motion with feet as they are where the ground is level and still.

    `tracks`: motion in the world. `footholds` (Foothold or None): the ground under each foot. Returns the same legs;
    only feet are turned.
    """
    holds = footholds or [None] * len(tracks)
    pairs = zip(tracks, holds, strict=True)
    return [track if hold is None else replace(track, foot=hold.level_foot(track.foot)) for track, hold in pairs]


def carried_steps(ground: Ground, points: Array, up: Array) -> Array:
    """Return how far the ground below points goes from each frame to the next.

    `points` (P, F, 3): paths. Returns steps of the ground; zero where there is none and where it keeps still.
    """
    num = points.shape[1]
    if not ground.moves:
        return np.zeros((len(points), num - 1, 3))
    start = np.ascontiguousarray(points[:, :-1].reshape(-1, 3))
    frames = np.tile(np.arange(num - 1), len(points))
    footing = ground.footing(start, frames)
    there = start + np.nan_to_num(footing.heights - start @ up)[:, None] * up
    went = ground.carry(there, footing.surface, frames, frames + 1) - there
    return np.asarray(went.reshape(len(points), num - 1, 3))


@dataclass(frozen=True)
class HeldFoot(StandingFoot):
    """A foot, when it stands and how it is held there."""

    rises: Sequence[float]  # per contact, how far above the ground it stands (something the ground does not show)
    hold: Hold  # how it is held where it stands flat
    foothold: Foothold | None  # the ground under it where that slopes or moves
    ground_step: Array | None  # (3,) how far level ground below its contacts goes per frame
    pinned: bool  # whether it is held in the level plane too, not in height alone
    places: Sequence[Array | None]  # (3,) per contact, over which point the ball stands; None: where it was on average

    def stance(self, ground: Ground, up: Array, window: int) -> Stance:
        """Return where its ankle has to be inside its contacts.

        `window`: frames over which a foot turns to the ground and back. Returns offsets of the ankle, and how the foot
        is turned.
        """
        hold, near = self.hold, self.track.ankle @ up
        ankle, sole = standing_soles(self, hold.turn, self.foothold, up, pin=self.pinned, ground_step=self.ground_step)
        if self.foothold is not None:
            hold = Hold(whole_turn(self.contacts, hold.turn, self.foothold, window), hold.spans)
            if ground.moves:
                near = self.foothold.place @ up
        else:
            for (first, last), place in zip(self.contacts, self.places, strict=False):
                if place is not None:
                    own = slice(first, last + 1)
                    away = place - (ankle[own] + sole[1, own]).mean(axis=0)
                    ankle[own] += away - (away @ up) * up
        return _settle(self, ankle, near, sole, hold, self.rises, ground, up)


def _settle(
    foot: StandingFoot,
    ankle: Array,
    near: Array,
    sole: Array,
    hold: Hold,
    rises: Sequence[float],
    ground: Ground,
    up: Array,
) -> Stance:
    """Bring standing feet to the height at which their sole touches the ground.

    `ankle` (F, 3): where the ankle stands in the level plane. `near` (F,): the height from which its ground is looked
    for: of several storeys, the foot stands on the one it is in. `sole` (P, F, 3): points of the sole relative to the
    ankle: under ankle and ball, then the others. `hold`: how the foot is turned. `rises`: per contact, how far above
    the ground it stands. Returns offsets of the ankle inside the contacts. Where there is no ground below the sole, the
    height is that of the frames of the contact around, and the original's where there is none in the whole contact.
    """
    track, contacts = foot.track, foot.contacts
    offset, tilt = np.zeros_like(track.ankle), np.zeros(len(track.ankle))
    inside = np.flatnonzero(span_mask(contacts, len(offset)))
    old, new = track.ankle[inside], ankle[inside]
    points = new + sole[:, inside]
    below = ground.heights(points + near[inside, None] * up, inside)
    needed = np.where(np.isnan(below), -np.inf, below) - points @ up
    height, lowest = needed.max(axis=0), needed[:2].max(axis=0)
    counts = [last - first + 1 for first, last in contacts]
    known = np.isfinite(height)
    if not known.all():
        for stop, count in zip(np.cumsum(counts), counts, strict=True):
            part = slice(stop - count, stop)
            if not known[part].all():
                own = old[part] @ up
                height[part] = hold_between(height[part], known[part]) if known[part].any() else own
    tilt[inside] = np.where(np.isfinite(lowest), height - lowest, 0.0)
    offset[inside] = new + (height + np.repeat(rises, counts))[:, None] * up - old
    return Stance(offset, tilt, hold.turn, hold.spans)
