# SPDX-License-Identifier: MIT
"""Dragged feet and turned knees: edits of single frames that fade smoothly over the frames around them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..._support.array_types import Floats
from ...ik import apply_two_bone
from ...kinematics.forward import forward_kinematics
from ...legs import Leg
from ...motion.clip import Clip, with_moved_joints
from ...skeleton import Skeleton
from ...transforms import decompose, quaternion_from_rotation_vector, quaternion_multiply, quaternion_to_rotation_vector
from .edits import FootTarget, LegEdits, Point

Span = tuple[int, int]

_FADE = 2.0  # of `blend`: how long before and after its frame an edit fades, unless it has a fade of its own


class _Stop(NamedTuple):
    """Frames with a known correction: that of an edit, or 0 in a contact without edits."""

    first: int
    last: int
    value: Floats
    fade: tuple[float, float]  # frames, before and after; unused where the value is 0


def with_handles(
    clip: Clip, legs: Sequence[Leg], edits: Sequence[LegEdits], contacts: Sequence[Sequence[Span]], blend: float
) -> Clip:
    """Return the clip with ankles at their targets and knees turned to their poles in the edited frames.

    Around an edited frame the correction fades, over twice the `blend` to either side or over the fade of the edit, and
    ends where a contact begins: a standing foot moves only by an edit in its contact, and then throughout it. Between
    two edits the correction changes from one to the other, and is never larger than the larger of the two.

    Parameters
    ----------
    clip : Clip
        The clip to edit, F frames.
    legs : sequence of Leg
        Its legs.
    edits : sequence of LegEdits
        The targets and poles of each leg, in the clip's space.
    contacts : sequence of sequences of (first, last)
        The contacts of each leg.
    blend : float
        Seconds.

    Returns
    -------
    Clip
        Only rotations of thighs, shins and feet differ from the input, in and around the edited frames.
    """
    for leg, own, spans in zip(legs, edits, contacts, strict=True):
        if own.targets or own.poles:
            before = clip.local_matrices()
            after = edited_locals(clip.skeleton, before, clip.fps, leg, own, spans, blend)
            clip = _with_chain(clip, leg, before, after)
    return clip


def edited_locals(
    skeleton: Skeleton, local: Floats, fps: float, leg: Leg, edits: LegEdits, spans: Sequence[Span], blend: float
) -> Floats:
    """Return local matrices (F, J, 4, 4) with the edits of one leg, as `with_handles` does to a clip."""
    fade = _FADE * blend
    if edits.targets:
        local = _dragged(skeleton, local, fps, leg, edits.targets, spans, fade)
    if edits.poles:
        local = _swivelled(skeleton, local, fps, leg, edits.poles, fade)
    return local


def _dragged(
    skeleton: Skeleton,
    local: Floats,
    fps: float,
    leg: Leg,
    targets: Mapping[int, FootTarget],
    spans: Sequence[Span],
    fade: float,
) -> Floats:
    """Return the pose with the ankle and the foot of a leg at its targets."""
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
    change = _faded(frames, wanted, fades, len(local), spans)
    changed = np.flatnonzero(change.any(axis=1))
    if not len(changed):
        return local
    own = slice(changed[0], changed[-1] + 1)
    turned = quaternion_multiply(quaternion_from_rotation_vector(change[own, 3:]), now[own])
    solved = apply_two_bone(skeleton, local[own], leg.chain, (ankle + change[:, :3])[own], end_rotation=turned)
    return _with_frames(local, changed, solved.local)


def turn_between(start: Floats, end: ArrayLike) -> Floats:
    """Return the shorter turns (..., 4) from rotations to others."""
    turn = quaternion_multiply(end, start * [1.0, -1.0, -1.0, -1.0])
    return np.asarray(np.where(turn[..., :1] < 0.0, -turn, turn))


def _swivelled(
    skeleton: Skeleton, local: Floats, fps: float, leg: Leg, poles: Mapping[int, Point], fade: float
) -> Floats:
    """Return the pose with a leg turned about the line hip–ankle until its knee points at its poles."""
    frames = sorted(poles)
    places = forward_kinematics(skeleton, local)
    hip, knee, ankle = (places[:, joint, :3, 3] for joint in leg.chain)
    points = np.array([poles[f] for f in frames])
    angles = angles_about(hip[frames], knee[frames], ankle[frames], points)
    fades = [np.full(2, max(fps * fade, 1.0))] * len(frames)
    angle = _faded(frames, angles[:, None], fades, len(local), ())[:, 0]
    changed = np.flatnonzero(angle)
    if not len(changed):
        return local
    own = slice(changed[0], changed[-1] + 1)
    solved = apply_two_bone(skeleton, local[own], leg.chain, ankle[own], twist=angle[own])
    return _with_frames(local, changed, solved.local)


def angles_about(hip: Floats, knee: Floats, ankle: Floats, points: Floats) -> Floats:
    """Return the angles by which knees turn about the line hip–ankle; 0 where knee or pole lies on that line."""
    axis = ankle - hip
    axis = axis / np.maximum(np.linalg.norm(axis, axis=1, keepdims=True), 1e-300)
    now, then = (_across(p - hip, axis) for p in (knee, points))
    return np.asarray(np.arctan2((np.cross(now, then) * axis).sum(1), (now * then).sum(1)))


def _across(vectors: Floats, axes: Floats) -> Floats:
    """Return the part of vectors perpendicular to unit axes."""
    return np.asarray(vectors - (vectors * axes).sum(1, keepdims=True) * axes)


def _with_frames(local: Floats, frames: NDArray[np.intp], solved: Floats) -> Floats:
    """Return a pose with some frames from another, whose first frame is the first of them."""
    out = np.array(local)
    out[frames] = solved[frames - frames[0]]
    return out


def _with_chain(clip: Clip, leg: Leg, before: Floats, after: Floats) -> Clip:
    """Return the clip with new rotations of a leg's chain in the frames whose local matrices changed."""
    turned = {}
    for joint in leg.chain:
        frames = np.flatnonzero((before[:, joint] != after[:, joint]).any(axis=(1, 2)))
        own = decompose(after[frames, joint])[1]
        own[np.einsum("fi,fi->f", own, clip.rotations[frames, joint]) < 0.0] *= -1.0
        turned[joint] = frames, own
    return with_moved_joints(clip, turned, {})


def _faded(frames: Sequence[int], values: Floats, fades: Sequence[Floats], count: int, spans: Sequence[Span]) -> Floats:
    """Return values (n, d) of some frames for all frames (F, d): constant in each span, 0 in a span without any."""
    out = np.zeros((count, values.shape[1]))
    before: _Stop | None = None
    for after in (*_stops(frames, values, fades, spans), None):
        if after:
            out[after.first : after.last + 1] = after.value
        _fill(out, before, after)
        before = after
    return out


def _stops(frames: Sequence[int], values: Floats, fades: Sequence[Floats], spans: Sequence[Span]) -> list[_Stop]:
    """Return the known corrections in the order of frames; a contact has the mean of the edits in it."""
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


def _fill(out: Floats, before: _Stop | None, after: _Stop | None) -> None:
    """Fill the frames between two stops, or between one and an end of the clip, with values that fade."""
    first, stop = before.last + 1 if before else 0, after.first if after else len(out)
    since, until = np.arange(1.0, stop - first + 1.0), np.arange(stop - first, 0.0, -1.0)
    one = before if before and before.value.any() else None
    other = after if after and after.value.any() else None
    gap = stop - first + 1.0
    if one and other:
        kept = _fading(since / one.fade[1]), _fading(until / other.fade[0])
        part = _fading(since / gap)
        mixed = part[:, None] * one.value + (1.0 - part)[:, None] * other.value
        out[first:stop] = (1.0 - (1.0 - kept[0]) * (1.0 - kept[1]))[:, None] * mixed
    elif one:
        fade = min(one.fade[1], gap) if after else one.fade[1]
        out[first:stop] = _fading(since / fade)[:, None] * one.value
    elif other:
        fade = min(other.fade[0], gap) if before else other.fade[0]
        out[first:stop] = _fading(until / fade)[:, None] * other.value


def _fading(part: Floats) -> Floats:
    """Return a smooth fall from 1 at 0 to 0 at 1, with first and second derivatives of 0 at both ends."""
    x = np.clip(part, 0.0, 1.0)
    return np.asarray(1.0 - x**3 * (10.0 - 15.0 * x + 6.0 * x**2))
