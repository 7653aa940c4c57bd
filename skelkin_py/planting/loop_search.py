# SPDX-License-Identifier: MIT
"""Whether a clip is a loop: its last pose is the first, and the motion goes on across the seam."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .foot import LegTrack
from .loops import Loop
from .settings import Settings

__all__ = ["end_poses", "find_loop", "loop_of", "slips_away", "way_of"]

Array = NDArray[np.float64]

_RECOGNISED = 1e-3  # leg: a clip is taken for a loop where its last pose is this near to the first
_GIVEN = 0.03  # leg: and may be called one where it is this near
_OTHER_GROUND = (  # why a clip cannot be closed on its ground, as csrc/planting/loops/loop_ground.h counts
    "",
    "the ground under its last pose is another than under its first",
    "the ground moves at another speed under its last pose than under its first",
)
_NONE = "loop=True, but the clip cannot be one: {}"
_AROUND = (4.5, 20.0)  # s: at least and at most that is put before and after, else a period


def end_poses(tracks: Sequence[LegTrack]) -> list[LegTrack]:
    """Return the legs' motion in the first two and the last two frames of a clip."""
    last = len(tracks[0].hip) - 1
    rows = [0, min(1, last), max(last - 1, 0), last]
    parts = ("hip", "knee", "ankle", "foot", "flexion")
    return [replace(t, **{part: getattr(t, part)[rows] for part in parts}) for t in tracks]


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
        near = _GIVEN if given else _RECOGNISED
        lift, rides, other = _core.ground_at_ends(ground, ends, up, num, loop.travel, near)
        loop, why = replace(loop, planted=_lifted(loop.travel, lift * up), rides=rides), _OTHER_GROUND[other]
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
    period, near = num - 1, _GIVEN if given else _RECOGNISED
    if period < 3:
        return None, np.inf
    travel, gap = _core.loop_travel(ends, up, near, climbs)
    if gap > near or not (given or _even(ends, pieces(), travel, up)):
        return None, gap
    shortest, longest = (round(seconds * fps) for seconds in _AROUND)
    return Loop(
        period, max(shortest, min(period, longest)), travel, gap, travel, np.array_equal(travel, np.eye(4))
    ), gap


def _lifted(travel: Array, lift: Array) -> Array:
    out: Array = travel.copy()
    out[:3, 3] += lift
    return out


def _even(ends: Sequence[LegTrack], pieces: Iterable[Sequence[LegTrack]], travel: Array, up: Array) -> bool:
    """Whether there is motion, and it goes on across the seam as evenly as it goes inside.

    What of `pieces` is not needed to know that is not taken.
    """
    moves = even = False
    for tracks in pieces:
        told = _core.loop_seam(ends, up, travel, tracks)
        moves, even = moves or told[0], even or told[1]
        if moves and even:
            return True
    return False
