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
from ..ground import Ground
from .blend import Span, fill_between, lengths, span_mask
from .foot import FootModel, LegTrack, StandingFoot, rolls_on_heel
from .placing import Stance, rolled_path, settle
from .stance import Hold, turn_matrices, turn_vectors, turned_foot

__all__ = ["Foothold", "carried_steps", "level_tracks", "outline_on", "place_on_foothold"]
__all__ += ["roll_on", "standing_soles", "whole_turn"]

Array = NDArray[np.float64]

_SAME = 1e-12  # rad: a foot that turns by less keeps its own rotation


@dataclass(frozen=True)
class Foothold:
    """The ground under one foot in its contacts.

    Parameters
    ----------
    place : (F, 3) float64
        The place that the foot stands on, as the ground carries it; valid inside contacts.
    yaw : (F, 3, 3) float64 or None
        How far the ground has turned about up since the middle of the contact; identity outside. None where it keeps
        still.
    tilt : (F, 3) float64
        Rotation vectors that turn a level foot to the ground; they fade outside contacts.
    along : bool
        Whether the original's feet lie along the ground already.
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


def place_on_foothold(
    foot: StandingFoot,
    hold: Hold,
    foothold: Foothold,
    rises: Sequence[float],
    ground: Ground,
    up: Array,
    *,
    pin: bool,
    window: int,
) -> Stance:
    """Compute where the ankle has to be inside the contacts, on ground that slopes or moves.

    `hold`: how the foot is held in the contacts' own space. `foothold`: the ground under the foot. `window`: frames
    over which a foot turns to the ground and back. Returns offsets of the ankle inside the contacts, and the foot's
    whole turn.
    """
    ankle, sole = standing_soles(foot, hold.turn, foothold, up, pin=pin)
    turn = whole_turn(foot.contacts, hold.turn, foothold, window)
    near = (foothold.place if ground.moves else foot.track.ankle) @ up
    return settle(foot, ankle, near, sole, Hold(turn, hold.spans), rises, ground, up)


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


def standing_soles(foot: StandingFoot, turn: Array, foothold: Foothold, up: Array, *, pin: bool) -> tuple[Array, Array]:
    """Return where a foot stands in its contacts, in the level plane.

    `turn` (F, 3): how the foot is held in the contacts' own space. Returns `ankle` (F, 3): the ankle, without its
    height; `sole` (P, F, 3): points of the sole relative to the ankle.
    """
    track = foot.track
    own = foot.model.outline(turned_foot(replace(track, foot=foothold.level_foot(track.foot)), turn), up)
    ankle = track.ankle - (track.ankle @ up)[:, None] * up
    if pin:
        rise = -(own @ up).min(axis=0)
        places = foothold.level_places(track.ankle, rise, up)
        ankle = foothold.world_places(rolled_path(places, own[2], own[1], foot.contacts, up), rise, up)
    return ankle, _core.turn_points(foothold.turn, own, False)


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
