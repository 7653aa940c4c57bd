# SPDX-License-Identifier: MIT
"""Feet dragged and knees turned by hand in single frames, carried smoothly into the frames around them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ..clip import Clip, with_moved_joints
from ..ik import apply_two_bone
from ..legs import Leg
from ..transforms import decompose
from .edits import LegEdits, Point

Array = NDArray[np.float64]
Span = tuple[int, int]

_REACH = 2.0  # of `blend`: how far from its frame an edit is felt; half of it is left after 0.3 of that way


def with_handles(
    clip: Clip, legs: Sequence[Leg], edits: Sequence[LegEdits], contacts: Sequence[Sequence[Span]], blend: float
) -> Clip:
    """Return the clip with its ankles at their targets and its knees turned to their poles, in the frames that say so.

    Between these frames the corrections are interpolated, and they fade over twice the `blend` before the first and
    after the last. A standing foot that is dragged stays in place throughout its contact.

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

    Notes
    -----
    The interpolation is that by compactly supported radial functions, Wendland, *Piecewise polynomial, positive
    definite and compactly supported radial functions of minimal degree*, 1995 (the C² one), over the time between
    contacts; legs are solved in closed form.
    """
    radius = max(_REACH * blend * clip.fps, 1.0)
    for leg, own, spans in zip(legs, edits, contacts, strict=True):
        if own.targets:
            clip = _dragged(clip, leg, own.targets, spans, radius)
        if own.poles:
            clip = _swivelled(clip, leg, own.poles, radius)
    return clip


def _dragged(clip: Clip, leg: Leg, targets: Mapping[int, Point], spans: Sequence[Span], radius: float) -> Clip:
    """Return the clip with the ankle of a leg at its targets."""
    frames = np.array(sorted(targets))
    end = leg.chain[2]
    ankle = clip.global_matrices()[:, end, :3, 3]
    wanted = np.array([targets[int(f)] for f in frames]) - ankle[frames]
    shift = _interpolated(frames, wanted, clip.num_frames, spans, radius)
    felt = np.flatnonzero(shift.any(axis=1))
    if not len(felt):
        return clip
    local = clip[_range(felt)].local_matrices()
    goal = (ankle + shift)[_range(felt)]
    solved = apply_two_bone(clip.skeleton, local, leg.chain, goal)
    return _with_chain(clip, leg, felt, solved.local[felt - felt[0]])


def _swivelled(clip: Clip, leg: Leg, poles: Mapping[int, Point], radius: float) -> Clip:
    """Return the clip with the knee of a leg turned about hip → ankle until it looks at its poles."""
    frames = np.array(sorted(poles))
    hip, knee, ankle = (clip.global_matrices()[:, joint, :3, 3] for joint in leg.chain)
    points = np.array([poles[int(f)] for f in frames])
    angles = _angles(hip[frames], knee[frames], ankle[frames], points)
    angle = _interpolated(frames, angles[:, None], clip.num_frames, (), radius)[:, 0]
    felt = np.flatnonzero(angle)
    if not len(felt):
        return clip
    own = _range(felt)
    solved = apply_two_bone(clip.skeleton, clip[own].local_matrices(), leg.chain, ankle[own], twist=angle[own])
    return _with_chain(clip, leg, felt, solved.local[felt - felt[0]])


def _angles(hip: Array, knee: Array, ankle: Array, points: Array) -> Array:
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


def _with_chain(clip: Clip, leg: Leg, frames: NDArray[np.intp], local: Array) -> Clip:
    """Return the clip with rotations of a leg's chain taken from local matrices (n, J, 4, 4) of some frames."""
    turned = {}
    for joint in leg.chain:
        own = decompose(local[:, joint])[1]
        own[np.einsum("fi,fi->f", own, clip.rotations[frames, joint]) < 0.0] *= -1.0
        turned[joint] = frames, own
    return with_moved_joints(clip, turned, {})


def _interpolated(frames: NDArray[np.intp], values: Array, count: int, spans: Sequence[Span], radius: float) -> Array:
    """Return values (n, d) given in some frames, over all (F, d); 0 further than the radius from any of them.

    Time stands still within spans, so that values are equal throughout each.
    """
    clock = _clock(count, spans)
    every = _wendland(np.abs(clock[:, None] - clock[frames]) / radius)
    return np.asarray(every @ np.linalg.lstsq(every[frames], values, rcond=1e-12)[0])


def _clock(count: int, spans: Sequence[Span]) -> Array:
    """Return a time for each frame that goes on by 1 outside of spans, and stands still within them."""
    ticks = np.ones(count)
    for first, last in spans:
        ticks[first + 1 : last + 1] = 0.0
    return np.cumsum(ticks)


def _wendland(r: Array) -> Array:
    """Return Wendland's C² function, 1 at 0 and 0 from 1 on."""
    rest = np.maximum(1.0 - r, 0.0)
    return np.asarray(rest**4 * (4.0 * r + 1.0))
