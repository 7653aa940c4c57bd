# SPDX-License-Identifier: MIT
"""Feet dragged and knees turned by hand in single frames, carried smoothly into the frames around them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...ik import apply_two_bone
from ...kinematics.forward import forward_kinematics
from ...legs import Leg
from ...motion.clip import Clip, with_moved_joints
from ...skeleton import Skeleton
from ...transforms import (
    decompose,
    quaternion_from_rotation_vector,
    quaternion_multiply,
    quaternion_to_rotation_vector,
)
from .edits import FootTarget, LegEdits, Point

Array = NDArray[np.float64]
Span = tuple[int, int]

_FADE = 2.0  # of `blend`: how long before and after its frame an edit is felt, unless it says so


class _Stop(NamedTuple):
    """Frames in which a correction is known: those of an edit, or of a contact that no edit is in, where it is 0."""

    first: int
    last: int
    value: Array
    fade: tuple[float, float]  # frames, before and after; of no use where the value is 0


def with_handles(
    clip: Clip, legs: Sequence[Leg], edits: Sequence[LegEdits], contacts: Sequence[Sequence[Span]], blend: float
) -> Clip:
    """Return the clip with its ankles at their targets and its knees turned to their poles, in the frames that say so.

    Around an edited frame the correction fades, over twice the `blend` to either side or as long as the edit says, and
    before a stance begins or after it has ended in any case: a foot that stands moves only where an edit is in its
    contact, and then all through it. Between two edits the correction goes from one to the other and is never larger
    than the larger of the two.

    Parameters
    ----------
    clip : Clip
        What is edited; F frames.
    legs : sequence of Leg
        Its legs.
    edits : sequence of LegEdits
        The targets and poles of each leg, in the clip's space.
    contacts : sequence of sequences of (first, last)
        When the feet of each leg stand.
    blend : float
        Seconds.

    Returns
    -------
    Clip
        Only rotations of thighs, shins and feet differ from the input's, in the frames around those edited.
    """
    for leg, own, spans in zip(legs, edits, contacts, strict=True):
        if own.targets or own.poles:
            before = clip.local_matrices()
            after = edited_locals(clip.skeleton, before, clip.fps, leg, own, spans, blend)
            clip = _with_chain(clip, leg, before, after)
    return clip


def edited_locals(
    skeleton: Skeleton, local: Array, fps: float, leg: Leg, edits: LegEdits, spans: Sequence[Span], blend: float
) -> Array:
    """Return local matrices (F, J, 4, 4) with the edits of one leg, as `with_handles` does to a clip."""
    fade = _FADE * blend
    if edits.targets:
        local = _dragged(skeleton, local, fps, leg, edits.targets, spans, fade)
    if edits.poles:
        local = _swivelled(skeleton, local, fps, leg, edits.poles, fade)
    return local


def _dragged(
    skeleton: Skeleton,
    local: Array,
    fps: float,
    leg: Leg,
    targets: Mapping[int, FootTarget],
    spans: Sequence[Span],
    fade: float,
) -> Array:
    """Return the pose with the ankle of a leg at its targets, and its foot turned as they say."""
    frames = sorted(targets)
    foot = forward_kinematics(skeleton, local)[:, leg.chain[2]]
    ankle, now = foot[:, :3, 3], decompose(foot)[1]
    edits = [targets[frame] for frame in frames]
    turns = [
        np.zeros(3) if edit.rotation is None else quaternion_to_rotation_vector(turn_between(now[frame], edit.rotation))
        for frame, edit in zip(frames, edits)
    ]
    wanted = np.array([[*(edit.point - ankle[f]), *turn] for f, edit, turn in zip(frames, edits, turns)])
    fades = [np.maximum(fps * np.array(edit.fade or (fade, fade)), 1.0) for edit in edits]
    change = _carried(frames, wanted, fades, len(local), spans)
    felt = np.flatnonzero(change.any(axis=1))
    if not len(felt):
        return local
    own = _range(felt)
    solved = apply_two_bone(
        skeleton,
        local[own],
        leg.chain,
        (ankle + change[:, :3])[own],
        end_rotation=quaternion_multiply(quaternion_from_rotation_vector(change[own, 3:]), now[own]),
    )
    return _with_frames(local, felt, solved.local)


def turn_between(start: Array, end: ArrayLike) -> Array:
    """Return the shorter turns (..., 4) from rotations to others."""
    turn = quaternion_multiply(end, start * [1.0, -1.0, -1.0, -1.0])
    return np.asarray(np.where(turn[..., :1] < 0.0, -turn, turn))


def _swivelled(
    skeleton: Skeleton, local: Array, fps: float, leg: Leg, poles: Mapping[int, Point], fade: float
) -> Array:
    """Return the pose with the knee of a leg turned about hip → ankle until it looks at its poles."""
    frames = sorted(poles)
    places = forward_kinematics(skeleton, local)
    hip, knee, ankle = (places[:, joint, :3, 3] for joint in leg.chain)
    points = np.array([poles[f] for f in frames])
    angles = angles_about(hip[frames], knee[frames], ankle[frames], points)
    fades = [np.maximum(fps * np.array((fade, fade)), 1.0)] * len(frames)
    angle = _carried(frames, angles[:, None], fades, len(local), ())[:, 0]
    felt = np.flatnonzero(angle)
    if not len(felt):
        return local
    own = _range(felt)
    solved = apply_two_bone(skeleton, local[own], leg.chain, ankle[own], twist=angle[own])
    return _with_frames(local, felt, solved.local)


def angles_about(hip: Array, knee: Array, ankle: Array, points: Array) -> Array:
    """Return by how much the knees have to turn about hip → ankle; 0 where knee or pole lies on that line."""
    axis = ankle - hip
    axis = axis / np.maximum(np.linalg.norm(axis, axis=1, keepdims=True), 1e-300)
    now, then = (_across(p - hip, axis) for p in (knee, points))
    return np.asarray(np.arctan2((np.cross(now, then) * axis).sum(1), (now * then).sum(1)))


def _across(way: Array, axis: Array) -> Array:
    """Return the part of ways that is across unit axes."""
    return np.asarray(way - (way * axis).sum(1, keepdims=True) * axis)


def _range(felt: NDArray[np.intp]) -> slice:
    """Return the range of frames from the first to the last of some."""
    return slice(int(felt[0]), int(felt[-1]) + 1)


def _with_frames(local: Array, frames: NDArray[np.intp], solved: Array) -> Array:
    """Return a pose with some frames of it from another, which begins with the first of them."""
    out = np.array(local)
    out[frames] = solved[frames - frames[0]]
    return out


def _with_chain(clip: Clip, leg: Leg, before: Array, after: Array) -> Clip:
    """Return the clip with the rotations of a leg's chain in the frames in which its local matrices have changed."""
    turned = {}
    for joint in leg.chain:
        frames = np.flatnonzero((before[:, joint] != after[:, joint]).any(axis=(1, 2)))
        own = decompose(after[frames, joint])[1]
        own[np.einsum("fi,fi->f", own, clip.rotations[frames, joint]) < 0.0] *= -1.0
        turned[joint] = frames, own
    return with_moved_joints(clip, turned, {})


def _carried(frames: Sequence[int], values: Array, fades: Sequence[Array], count: int, spans: Sequence[Span]) -> Array:
    """Return values (n, d) given in some frames, over all (F, d): constant in spans, 0 in those without a frame."""
    out = np.zeros((count, values.shape[1]))
    before: _Stop | None = None
    for after in (*_stops(frames, values, fades, spans), None):
        if after:
            out[after.first : after.last + 1] = after.value
        _fill(out, before, after)
        before = after
    return out


def _stops(frames: Sequence[int], values: Array, fades: Sequence[Array], spans: Sequence[Span]) -> list[_Stop]:
    """Return what is known, in the order of frames; the mean of edits in one contact counts for it."""
    free = set(range(len(frames)))
    stops = []
    for first, last in spans:
        inside = [n for n in free if first <= frames[n] <= last]
        free.difference_update(inside)
        value = values[inside].mean(axis=0) if inside else np.zeros(values.shape[1])
        before, after = np.max([fades[n] for n in inside], axis=0) if inside else (1.0, 1.0)
        stops.append(_Stop(first, last, value, (before, after)))
    stops += [_Stop(frames[n], frames[n], values[n], tuple(fades[n])) for n in free]
    return sorted(stops, key=lambda stop: stop.first)


def _fill(out: Array, before: _Stop | None, after: _Stop | None) -> None:
    """Lead the frames between two stops, or between one and an end of the clip, from its value to the other's."""
    first, stop = before.last + 1 if before else 0, after.first if after else len(out)
    since, until = np.arange(1.0, stop - first + 1.0), np.arange(stop - first, 0.0, -1.0)
    one = before if before and before.value.any() else None
    other = after if after and after.value.any() else None
    gap = stop - first + 1.0
    if one and other:
        kept = _fading(since / one.fade[1]), _fading(until / other.fade[0])
        part = _fading(since / gap)
        near = part[:, None] * one.value + (1.0 - part)[:, None] * other.value
        out[first:stop] = (1.0 - (1.0 - kept[0]) * (1.0 - kept[1]))[:, None] * near
    elif one:
        way = min(one.fade[1], gap) if after else one.fade[1]
        out[first:stop] = _fading(since / way)[:, None] * one.value
    elif other:
        way = min(other.fade[0], gap) if before else other.fade[0]
        out[first:stop] = _fading(until / way)[:, None] * other.value


def _fading(part: Array) -> Array:
    """Return 1 at 0 and 0 from 1 on, with first and second derivatives of 0 at both ends."""
    x = np.clip(part, 0.0, 1.0)
    return np.asarray(1.0 - x**3 * (10.0 - 15.0 * x + 6.0 * x**2))
