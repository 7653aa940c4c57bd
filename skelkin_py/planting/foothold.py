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

from ..ground import Ground
from .blend import Span, fill_between, span_mask
from .foot import FootModel, LegTrack
from .placing import Stance, rolled_path, settle
from .stance import Hold, turn_matrices, turn_vectors, turned_foot

__all__ = ["Foothold", "carried_steps", "find_footholds", "level_tracks", "outline_on", "place_on_foothold"]
__all__ += ["riding_tracks"]

Array = NDArray[np.float64]

_PATCH = 0.1  # leg: over this distance the turn of the ground under a foot is taken
_LEVEL = 1e-9  # rad: ground that slopes by less is level
_ENOUGH = 500  # frames that tell whether feet lie along the ground
_SAME = 1e-12  # rad: a foot that turns by less keeps its own rotation
_FITTER = np.radians(3.0)  # by so much better feet have to fit along the ground to be taken to lie along it


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

    def level_foot(self, foot: Array) -> Array:
        """Return the original foot's linear part (F, 3, 3) as it is where the ground is level and still."""
        undo = self.undo
        return foot if undo is None else np.asarray(np.swapaxes(undo, 1, 2) @ foot)

    def level_points(self, points: Array) -> Array:
        """Return points (F, 3), all about the same origin, turned to where the ground is level."""
        return np.asarray(np.einsum("fji,fj->fi", self.lean, points))

    def level_places(self, points: Array, rise: Array, up: Array) -> Array:
        """Return where points (F, 3) that are `rise` (F,) above the ground are in the contact's own level plane."""
        turn = self.turn
        apart = points - self.place
        apart -= (apart @ up)[:, None] * up
        normal = turn @ up
        lean = np.maximum(normal @ up, 1e-6)
        apart += ((rise - np.einsum("fi,fi->f", normal, apart)) / lean)[:, None] * up
        own = np.einsum("fji,fj->fi", turn, apart)
        return np.asarray(own - (own @ up)[:, None] * up)

    def world_places(self, level: Array, rise: Array, up: Array) -> Array:
        """Return the reverse of `level_places`, in the world's level plane."""
        there = np.einsum("fij,fj->fi", self.turn, level + rise[:, None] * up) + self.place
        return np.asarray(there - (there @ up)[:, None] * up)


def outline_on(model: FootModel, foot: Array, up: Array, hold: Foothold | None) -> Array:
    """Return the points of the sole, relative to the ankle, of a foot on ground that may slope.

    Parameters
    ----------
    model : FootModel
        The sole.
    foot : (F, 3, 3) float64
        Linear parts of the foot joint's global matrices.
    up : (3,) float64
        Unit vector.
    hold : Foothold or None
        The ground under the foot; None where it is level.

    Returns
    -------
    (P, F, 3) float64
        As `FootModel.outline`.
    """
    if hold is None or not hold.tilt.any():
        return model.outline(foot, up)
    own = model.outline(np.swapaxes(hold.lean, 1, 2) @ foot, up)
    return _turned(hold.lean, own)


def _turned(turn: Array, points: Array) -> Array:
    """Return points (P, F, 3) turned by rotations (F, 3, 3)."""
    return np.asarray((turn @ points.transpose(1, 2, 0)).transpose(2, 0, 1))


def place_on_foothold(
    track: LegTrack,
    model: FootModel,
    contacts: Sequence[Span],
    hold: Hold,
    foothold: Foothold,
    ground: Ground,
    rises: Sequence[float],
    up: Array,
    *,
    pin: bool,
    window: int,
) -> Stance:
    """Compute where the ankle has to be inside the contacts, on ground that slopes or moves.

    Parameters
    ----------
    track, model, contacts, ground, rises, up, pin
        As in `place_stance`.
    hold : Hold
        How the foot is held in the contacts' own space.
    foothold : Foothold
        The ground under the foot.
    window : int
        Frames over which a foot turns to the ground and back.

    Returns
    -------
    Stance
        Offsets of the ankle inside the contacts, and the foot's whole turn.
    """
    own = model.outline(turned_foot(replace(track, foot=foothold.level_foot(track.foot)), hold.turn), up)
    sole = _turned(foothold.turn, own)
    ankle = track.ankle - (track.ankle @ up)[:, None] * up
    if pin:
        rise = -(own @ up).min(axis=0)
        places = foothold.level_places(track.ankle, rise, up)
        ankle = foothold.world_places(rolled_path(places, own[2], own[1], contacts, up), rise, up)
    inside = np.flatnonzero(span_mask(contacts, len(track.ankle)))
    whole = foothold.turn[inside] @ turn_matrices(hold.turn[inside])
    if foothold.undo is not None:
        whole = whole @ np.swapaxes(foothold.undo[inside], 1, 2)
    turn = np.zeros_like(track.ankle)
    turn[inside] = turn_vectors(whole)
    turn[np.linalg.norm(turn, axis=1) < _SAME] = 0.0
    turn = fill_between(turn, contacts, window)
    return settle(track, ankle, sole, contacts, rises, ground, up, Hold(turn, hold.spans))


def riding_tracks(tracks: Sequence[LegTrack], ground: Ground, up: Array) -> list[LegTrack]:
    """Return the legs' motion relative to the ground that moves below each foot.

    Parameters
    ----------
    tracks : sequence of LegTrack
        Motion in the world.
    ground : Ground
        Ground that moves.
    up : (3,) float64
        Unit vector.

    Returns
    -------
    list of LegTrack
        The same legs, less the way that the ground below the foot has gone since the first frame.
    """
    out = []
    for track in tracks:
        ball = track.ankle if track.ball is None else track.ankle + track.foot @ track.ball
        way = np.zeros_like(track.ankle)
        np.cumsum(carried_steps(ground, ball[None], up)[0], axis=0, out=way[1:])
        out.append(replace(track, hip=track.hip - way, knee=track.knee - way, ankle=track.ankle - way))
    return out


def level_tracks(tracks: Sequence[LegTrack], footholds: Sequence[Foothold | None] | None) -> list[LegTrack]:
    """Return the legs' motion with feet as they are where the ground is level and still.

    Parameters
    ----------
    tracks : sequence of LegTrack
        Motion in the world.
    footholds : sequence of (Foothold or None), or None
        The ground under each foot.

    Returns
    -------
    list of LegTrack
        The same legs; only feet are turned.
    """
    holds = footholds or [None] * len(tracks)
    pairs = zip(tracks, holds, strict=True)
    return [track if hold is None else replace(track, foot=hold.level_foot(track.foot)) for track, hold in pairs]


def carried_steps(ground: Ground, points: Array, up: Array) -> Array:
    """Return how far the ground below points goes from each frame to the next.

    Parameters
    ----------
    ground : Ground
        The ground.
    points : (P, F, 3) float64
        Paths.
    up : (3,) float64
        Unit vector.

    Returns
    -------
    (P, F − 1, 3) float64
        Steps of the ground; zero where there is none and where it keeps still.
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


def find_footholds(
    tracks: Sequence[LegTrack],
    models: Sequence[FootModel],
    contacts: Sequence[Sequence[Span]],
    ground: Ground,
    up: Array,
    *,
    align: float,
    steepest: float,
    window: int,
    rests: Sequence[Array | None],
) -> list[Foothold | None]:
    """Read, for every foot, where the ground carries it and how the ground slopes.

    Parameters
    ----------
    tracks, models : sequence of LegTrack, FootModel
        One per leg.
    contacts : sequence of sequence of (first, last)
        One list per leg.
    ground : Ground
        The ground.
    up : (3,) float64
        Unit vector.
    align : float
        0 … 1: how much of the slope a foot takes on.
    steepest : float
        Cosine of the steepest slope to stand on.
    window : int
        Frames over which a foot turns to the ground and back.
    rests : sequence of (3,) float64 or None
        Up in each foot joint's frame as the rest pose says it, where it does.

    Returns
    -------
    list of (Foothold or None)
        One per leg; None where the ground under it is level and keeps still.
    """
    out: list[Foothold | None] = []
    for track, model, spans, rest in zip(tracks, models, contacts, rests, strict=True):
        place, spin = _carried(track, model, spans, ground, up)
        sole = track.ankle + model.outline(track.foot, up)
        tilt = np.zeros_like(track.ankle)
        if align > 0.0 or ground.moves:
            tilt = _slopes(spin, sole, spans, ground, up, steepest)
        yaw = None if spin is None else _yaws(spin, tilt, spans)
        tilt = fill_between(align * tilt, spans, window) if align > 0.0 and tilt.any() else np.zeros_like(tilt)
        if not (ground.moves or tilt.any()):
            out.append(None)
            continue
        hold = Foothold(place, yaw, tilt)
        out.append(replace(hold, along=_lies_along(track, hold, spans, up, rest)) if tilt.any() else hold)
    return out


def _yaws(spin: Array, tilt: Array, spans: Sequence[Span]) -> Array:
    """Return what is left of the ground's turn beside the change of its slope: a turn about up."""
    yaw = np.tile(np.eye(3), (len(tilt), 1, 1))
    for first, last in spans:
        part, lean = slice(first, last + 1), turn_matrices(tilt[first : last + 1])
        yaw[part] = np.swapaxes(lean, 1, 2) @ spin[part] @ lean[(first + last) // 2 - first]
    return yaw


def _carried(
    track: LegTrack, model: FootModel, spans: Sequence[Span], ground: Ground, up: Array
) -> tuple[Array, Array | None]:
    """Return where the place under the ball is in each frame of a contact, and how the ground there has turned."""
    num = len(track.ankle)
    place, spin = np.zeros((num, 3)), np.tile(np.eye(3), (num, 1, 1)) if ground.moves else None
    middles = np.array([(first + last) // 2 for first, last in spans], dtype=np.intp)
    points = track.ankle[middles] + model.points(track.foot[middles], up)[1]
    footing = ground.footing(points, middles)
    points += np.nan_to_num(footing.heights - points @ up)[:, None] * up
    axes = _level_axes(up)
    base = np.stack([*axes, up], axis=-1)
    for (first, last), middle, here, surface in zip(spans, middles, points, footing.surface, strict=True):
        part, long = slice(first, last + 1), last - first + 1
        place[part] = here
        if spin is None:
            continue
        patch = here + _PATCH * track.length * np.stack([np.zeros(3), *axes])
        there = ground.carry(
            np.tile(patch, (long, 1)),
            np.full(3 * long, surface),
            np.full(3 * long, middle),
            np.repeat(np.arange(first, last + 1), 3),
        ).reshape(long, 3, 3)
        place[part] = there[:, 0]
        spin[part] = _frames_of(there[:, 1:] - there[:, :1]) @ base.T
    return place, spin


def _level_axes(up: Array) -> Array:
    """Return two level unit vectors (2, 3) that make a right-handed frame with up as the third."""
    first = np.cross(up, np.eye(3)[int(np.argmin(np.abs(up)))])
    first /= np.linalg.norm(first)
    return np.stack([first, np.cross(up, first)])


def _frames_of(edges: Array) -> Array:
    """Return right-handed frames (n, 3, 3) whose columns are the first of two edges (n, 2, 3), and square to it."""
    third = np.cross(edges[:, 0], edges[:, 1])
    frames = np.stack([edges[:, 0], np.cross(third, edges[:, 0]), third], axis=-1)
    return np.asarray(frames / np.maximum(np.linalg.norm(frames, axis=1, keepdims=True), 1e-300))


def _slopes(
    spin: Array | None, sole: Array, spans: Sequence[Span], ground: Ground, up: Array, steepest: float
) -> Array:
    """Return the vectors that turn up to the mean normal below the sole of a contact, as the ground carries it."""
    num = sole.shape[1]
    tilt, own = np.zeros((num, 3)), np.zeros((num, 3))
    inside = np.flatnonzero(span_mask(spans, num))
    footing = ground.footing(np.ascontiguousarray(sole[:, inside].reshape(-1, 3)), np.tile(inside, len(sole)))
    usable = np.isfinite(footing.heights) & (footing.normals @ up >= steepest)
    normals = (footing.normals * usable[:, None]).reshape(len(sole), -1, 3).sum(axis=0)
    own[inside] = normals if spin is None else np.einsum("fji,fj->fi", spin[inside], normals)
    for first, last in spans:
        total = own[first : last + 1].sum(axis=0)
        own[first : last + 1] = total if total.any() else up
    if spin is not None:
        own[inside] = np.einsum("fij,fj->fi", spin[inside], own[inside])
    axis = np.cross(up, own[inside])
    sine = np.linalg.norm(axis, axis=1)
    angle = np.arctan2(sine, own[inside] @ up)
    steep = angle > _LEVEL
    tilt[inside[steep]] = (angle[steep] / sine[steep])[:, None] * axis[steep]
    return tilt


def _lies_along(track: LegTrack, hold: Foothold, spans: Sequence[Span], up: Array, rest: Array | None) -> bool:
    """Say whether feet stand along the ground in the original: their soles then agree better with the rest pose."""
    inside = np.flatnonzero(span_mask(spans, len(track.foot)) & (np.linalg.norm(hold.tilt, axis=1) > _FITTER))
    if not inside.size:
        return False
    inside = inside[:: 1 + len(inside) // _ENOUGH]
    foot = track.foot[inside]
    errors = []
    for ground_up in (np.broadcast_to(up, (len(inside), 3)), (hold.turn @ up)[inside]):
        own = np.linalg.solve(foot, ground_up[..., None])[..., 0]
        own /= np.linalg.norm(own, axis=1, keepdims=True)
        middle = np.median(own, axis=0) if rest is None else rest
        cosine = own @ (middle / np.linalg.norm(middle))
        errors.append(float(np.median(np.arccos(np.clip(cosine, -1.0, 1.0)))))
    slope = float(np.median(np.linalg.norm(hold.tilt[inside], axis=1)))
    return bool(errors[1] + min(_FITTER, 0.5 * slope) < errors[0])
