# SPDX-License-Identifier: MIT
"""Whether a clip is a loop: its last pose is the first, and the motion goes on across the seam."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from .foot import LegTrack
from .loop_ground import ground_at_ends
from .loops import Loop
from .settings import Settings

__all__ = ["end_poses", "find_loop", "loop_of", "slips_away", "way_of"]

Array = NDArray[np.float64]

_RECOGNISED = 1e-3  # leg: a clip is taken for a loop where its last pose is this near to the first
_GIVEN = 0.03  # leg: and may be called one where it is this near
_BUMP = 2.0  # in a loop the speed changes at the seam by no more than this multiple of its greatest change inside,
_EVEN = 1e-3  # leg: or by this per frame
_MOVING = 1e-6  # leg: a clip that moves by less is a still picture
_NONE = "loop=True, but the clip cannot be one: {}"
_AROUND = (4.5, 20.0)  # s: at least and at most that is put before and after, else a period


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
) -> tuple[Loop | None, str]:
    """Return the loop that is to be kept closed, if there is one.

    `ends`: what `end_poses` gives. `pieces`: () → the legs' motion, in pieces that have two frames in common with the
    next one: asked for only where the last pose is the first, and only as far as it takes. Returns `loop`: None where
    nothing closes; `remark`: what to say of a loop that cannot be kept closed; empty where there is none such.
    ValueError: the clip is said to be a loop and cannot be kept closed.
    """
    if settings.loop is False:
        return None, ""
    given = settings.loop is True
    whole = settings.frames == (0, num - 1)
    if not (given or (whole and settings.contacts != "never")):
        return None, ""
    if not whole:
        raise ValueError(f"loop=True with frames={settings.frames}: only the whole clip, (0, {num - 1}), is closed")
    ground = settings.ground
    if ground is not None:
        ground = None if ground.level is not None else ground.facing(up, _length(ends), num)
    loop, gap = find_loop(ends, num, pieces, up, fps, given, climbs=ground is not None)
    why = ""
    if loop is None:
        why = f"the legs of its last pose are {gap:.3g} leg lengths from those of its first, more than {_GIVEN:g}"
    elif loop.turns and settings.ground_velocity is not None:
        why = "it turns, and a ground that moves in one direction does not turn with it"
    elif ground is not None:
        below = ground_at_ends(ground, ends, num, loop.travel, up, _GIVEN if given else _RECOGNISED)
        loop, why = replace(loop, planted=_lifted(loop.travel, below.lift * up), rides=below.rides), below.why
    if given and why:
        raise ValueError(_NONE.format(why))
    if not why or loop is None:
        return loop, ""
    return None, _left_open(loop, up, why)


def way_of(loop: Loop, up: Array) -> str:
    """Say where a loop comes back to: nothing where that is where it began."""
    turn, moved = loop.travel[:3, :3], loop.planted[:3, 3]
    rise = float(moved @ up)
    words = []
    if loop.turns:
        sine = 0.5 * np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]]) @ up
        words.append(f"turned by {np.degrees(np.arctan2(sine, 0.5 * (np.trace(turn) - 1.0))):.3g}°")
    elif (level := float(np.linalg.norm(moved - rise * up))) > 0.0:
        words.append(f"{level:.4g} units on")
    if rise:
        words.append(f"{abs(rise):.4g} units {'up' if rise > 0.0 else 'down'}")
    return "".join(f", {word}" for word in words)


def slips_away(loop: Loop, never_lifts: bool, up: Array, settings: Settings) -> tuple[bool, str]:
    """Say whether a loop cannot be kept closed, as a foot never leaves ground that goes, or stays, where it does not.

    A standing figure that slides away as it is comes back to its first pose all the time: on a floor that is no loop,
    unless it is said to be one.

    `never_lifts`: whether a foot stands in every frame of the unrolled motion. Returns `slips`: whether it is so;
    `remark`: what to say of it; empty where there is nothing to say. ValueError: it is said to be a loop, and the
    ground is not level: there a foot does not creep.
    """
    if loop.rides or not never_lifts:
        return False, ""
    given = settings.loop is True
    if settings.ground is None or settings.ground.level is not None:
        return not given, ""
    why = "a foot never leaves the ground, which does not go with the body"
    if given:
        raise ValueError(_NONE.format(why))
    return True, _left_open(loop, up, why)


def _left_open(loop: Loop, up: Array, why: str) -> str:
    return f"the last pose is the first{way_of(loop, up)}, but {why}: it is not closed"


def _length(tracks: Sequence[LegTrack]) -> float:
    return float(np.mean([t.length for t in tracks]))


def find_loop(
    ends: Sequence[LegTrack],
    num: int,
    pieces: Callable[[], Iterable[Sequence[LegTrack]]],
    up: Array,
    fps: float,
    given: bool,
    *,
    climbs: bool = False,
) -> tuple[Loop | None, float]:
    """Recognise a loop.

    `given`: whether the clip is said to be one: then its last pose need not be as near to the first. `climbs`: whether
    it may come back higher or lower, as on ground that is not level. Returns `loop`: None where the clip is none;
    `gap`: how far the last pose is from the first, carried on, in leg lengths.
    """
    length, period = _length(ends), num - 1
    if period < 3:
        return None, np.inf
    near = _GIVEN if given else _RECOGNISED
    points = _points(ends)
    travel = np.eye(4)
    gap = _gap(points, travel) / length
    if gap > near:
        whole = _travel(np.stack([t.hip[[0, -1]] for t in ends], axis=1), points[[0, -1]], up)
        travel = _lifted(whole, -(whole[:3, 3] @ up) * up)
        gap = _gap(points, travel) / length
        if climbs and gap > near:
            travel, gap = whole, _gap(points, whole) / length
    if gap > near or not (given or _even(points, (_points(tracks) for tracks in pieces()), travel, length)):
        return None, gap
    shortest, longest = (round(seconds * fps) for seconds in _AROUND)
    return Loop(
        period, max(shortest, min(period, longest)), travel, gap, travel, np.array_equal(travel, np.eye(4))
    ), gap


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
    """Return the turn about up and the displacement that carry the first hips (or all points) onto the last."""
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
    out[:3, 3] = hips[1].mean(axis=0) - out[:3, :3] @ hips[0].mean(axis=0)
    return out


def _lifted(travel: Array, lift: Array) -> Array:
    out: Array = travel.copy()
    out[:3, 3] += lift
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
