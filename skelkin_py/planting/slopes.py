# SPDX-License-Identifier: MIT
"""How the ground goes and slopes under each contact: the footholds, read from the ground below the soles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..ground import Ground
from .blend import Span, fill_between, span_mask
from .foot import FootModel, LegTrack
from .foothold import Foothold, standing_soles
from .stance import turn_matrices

__all__ = ["find_footholds"]

Array = NDArray[np.float64]

_PATCH = 0.1  # leg: over this distance the turn of the ground under a foot is taken
_LEVEL = 1e-9  # rad: ground that slopes by less is level
_SAMPLES = 16  # frames of a contact in which the slope is read
_TRIES = 2  # times that the slope is read: a foot that turns to it stands on other places
_ENOUGH = 500  # frames that tell whether feet lie along the ground
_FITTER = np.radians(3.0)  # by so much better feet have to fit along the ground to be taken to lie along it


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
    pin: bool,
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
    pin : bool
        Whether feet are held in place.
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
        none = np.zeros_like(track.ankle)
        hold, along = Foothold(place, spin, none), None
        for _ in range(_TRIES if spans and (align > 0.0 or ground.moves) else 0):
            ankle, sole = standing_soles(track, model, spans, none, hold, up, pin=pin)
            points = ankle + (track.ankle @ up)[:, None] * up + sole
            slope = _slopes(spin, points, spans, ground, up, steepest)
            tilt = fill_between(align * slope, spans, window) if align > 0.0 and slope.any() else none
            hold = Foothold(place, None if spin is None else _yaws(spin, slope, spans), tilt)
            if not tilt.any():
                break
            if along is None:
                along = _lies_along(track, hold, spans, up, rest)
            hold = replace(hold, along=along)
        out.append(hold if ground.moves or hold.tilt.any() else None)
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
    some = np.concatenate([np.arange(first, last + 1, 1 + (last - first) // _SAMPLES) for first, last in spans])
    footing = ground.footing(np.ascontiguousarray(sole[:, some].reshape(-1, 3)), np.tile(some, len(sole)))
    usable = np.isfinite(footing.heights) & (footing.normals @ up >= steepest)
    normals = (footing.normals * usable[:, None]).reshape(len(sole), -1, 3).sum(axis=0)
    own[some] = normals if spin is None else np.einsum("fji,fj->fi", spin[some], normals)
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
