# SPDX-License-Identifier: MIT
"""Whether a clip is a loop: its last pose is the first, and the motion goes on across the seam."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from .foot import LegTrack
from .loops import Loop
from .settings import Settings

__all__ = ["end_poses", "find_loop", "loop_of"]

Array = NDArray[np.float64]

_RECOGNISED = 1e-3  # leg: a clip is taken for a loop where its last pose is this near to the first
_GIVEN = 0.03  # leg: and may be called one where it is this near
_BUMP = 2.0  # in a loop the speed changes at the seam by no more than this multiple of its greatest change inside,
_EVEN = 1e-3  # leg: or by this per frame
_MOVING = 1e-6  # leg: a clip that moves by less is a still picture
_AROUND = (3.0, 20.0)  # s: at least and at most that is put before and after, else a period


def end_poses(tracks: Sequence[LegTrack]) -> list[LegTrack]:
    """Return the legs' motion in the first two and the last two frames of a clip."""
    last = len(tracks[0].hip) - 1
    rows = [0, min(1, last), max(last - 1, 0), last]
    return [replace(t, hip=t.hip[rows], knee=t.knee[rows], ankle=t.ankle[rows], foot=t.foot[rows]) for t in tracks]


def loop_of(
    ends: Sequence[LegTrack],
    num: int,
    pieces: Callable[[], Iterable[Sequence[LegTrack]]],
    up: Array,
    fps: float,
    settings: Settings,
) -> Loop | None:
    """Return the loop that is to be kept closed, if there is one.

    Parameters
    ----------
    ends : sequence of LegTrack
        What `end_poses` gives.
    num : int
        Frames of the clip.
    pieces : callable
        () → the legs' motion, in pieces that have two frames in common with the next one: asked for only where the
        last pose is the first, and only as far as it takes.
    up : (3,) float64
        Unit vector.
    fps : float
        Frames per second.
    settings : Settings
        The options.

    Returns
    -------
    Loop or None
        None where nothing closes.

    Raises
    ------
    ValueError
        The clip is said to be a loop and cannot be kept closed.
    """
    if settings.loop is False:
        return None
    given = settings.loop is True
    whole = settings.frames == (0, num - 1)
    if not (given or (whole and settings.contacts != "never")):
        return None
    if not whole:
        raise ValueError(f"loop=True with frames={settings.frames}: only the whole clip, (0, {num - 1}), is closed")
    loop, gap = find_loop(ends, num, pieces, up, fps, given)
    why = ""
    if loop is None:
        why = f"the legs of its last pose are {gap:.3g} leg lengths from those of its first, more than {_GIVEN:g}"
    elif loop.travels and settings.ground is not None and settings.ground.level is None:
        why = "it comes back to another place, where the ground need not be the same: a level one is needed"
    elif settings.ground is not None and settings.ground.moves:
        why = "the ground moves, and need not come back to where it was"
    elif loop.turns and settings.ground_velocity is not None:
        why = "it turns, and a ground that moves in one direction does not turn with it"
    if given and why:
        raise ValueError(f"loop=True, but the clip cannot be one: {why}")
    return None if why else loop


def find_loop(
    ends: Sequence[LegTrack],
    num: int,
    pieces: Callable[[], Iterable[Sequence[LegTrack]]],
    up: Array,
    fps: float,
    given: bool,
) -> tuple[Loop | None, float]:
    """Recognise a loop.

    Parameters
    ----------
    ends, num, pieces, up, fps
        As in `loop_of`.
    given : bool
        Whether the clip is said to be one: then its last pose need not be as near to the first.

    Returns
    -------
    loop : Loop or None
        None where the clip is none.
    gap : float
        How far the last pose is from the first, carried on, in leg lengths.
    """
    length = float(np.mean([t.length for t in ends]))
    period = num - 1
    if period < 3:
        return None, np.inf
    near = _GIVEN if given else _RECOGNISED
    points = _points(ends)
    travel = np.eye(4)
    gap = _gap(points, travel) / length
    if gap > near:
        travel = _travel(np.stack([t.hip[[0, -1]] for t in ends], axis=1), points[[0, -1]], up)
        gap = _gap(points, travel) / length
    if gap > near or not (given or _even(points, (_points(tracks) for tracks in pieces()), travel, length)):
        return None, gap
    shortest, longest = (round(seconds * fps) for seconds in _AROUND)
    return Loop(period, max(shortest, min(period, longest)), travel, gap), gap


def _points(tracks: Sequence[LegTrack]) -> Array:
    """(F, 6 per leg, 3) Places that tell a leg's pose: its joints, and three of the foot's that tell its turn."""
    out = []
    for track in tracks:
        ankle = track.ankle[:, None]
        size = np.maximum(np.linalg.norm(track.foot, axis=1, keepdims=True), 1e-300)
        axes = np.swapaxes(track.foot / size, 1, 2) * (0.2 * track.length)
        out += [track.hip[:, None], track.knee[:, None], ankle, ankle + axes]
    return np.concatenate(out, axis=1)


def _travel(hips: Array, points: Array, up: Array) -> Array:
    """Return the turn about up and the level displacement that carry the first hips (or all points) onto the last."""
    spread = hips - hips.mean(axis=1, keepdims=True)
    spread -= (spread @ up)[..., None] * up
    if np.linalg.norm(spread[0]) < 1e-3 * np.linalg.norm(points[0] - points[0].mean(axis=0)):
        hips, spread = points, points - points.mean(axis=1, keepdims=True)
        spread = spread - (spread @ up)[..., None] * up
    sine, cosine = float((np.cross(spread[0], spread[1]) @ up).sum()), float((spread[0] * spread[1]).sum())
    angle = np.arctan2(sine, cosine)
    cross = np.array([[0.0, -up[2], up[1]], [up[2], 0.0, -up[0]], [-up[1], up[0], 0.0]])
    out = np.eye(4)
    if abs(angle) > 1e-9:
        out[:3, :3] += np.sin(angle) * cross + (1.0 - np.cos(angle)) * (cross @ cross)
    moved = hips[1].mean(axis=0) - out[:3, :3] @ hips[0].mean(axis=0)
    out[:3, 3] = moved - (moved @ up) * up
    return out


def _carried(points: Array, travel: Array) -> Array:
    return np.asarray(points @ travel[:3, :3].T + travel[:3, 3])


def _gap(points: Array, travel: Array) -> float:
    """Return how far any point is in the last frame from where it is in the first, carried on."""
    return float(np.linalg.norm(_carried(points[0], travel) - points[-1], axis=-1).max())


def _even(ends: Array, pieces: Iterable[Array], travel: Array, length: float) -> bool:
    """Whether there is motion, and it goes on across the seam as evenly as it goes inside.

    What of `pieces` is not needed to know that is not taken.
    """
    seam = np.linalg.norm(_carried(ends[1], travel) - 2.0 * ends[-1] + ends[-2], axis=-1).max()
    moves = even = False
    for points in pieces:
        moves = moves or bool(np.abs(points - ends[0]).max() > _MOVING * length)
        inside = np.linalg.norm(points[2:] - 2.0 * points[1:-1] + points[:-2], axis=-1).max(initial=0.0)
        even = even or bool(seam <= _BUMP * inside + _EVEN * length)
        if moves and even:
            return True
    return False
