# SPDX-License-Identifier: MIT
"""Whether a clip is a loop: its last pose is the first, and the motion goes on across the seam."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..ground import Ground
from .foot import LegTrack
from .loops import Loop
from .settings import Settings

__all__ = ["about_open", "find_loop", "no_loop", "slips_away", "way_of"]

Array = NDArray[np.float64]

_GIVEN = 0.03  # leg: a clip may be called a loop where its last pose is this near to the first
_TURNS, _SLIPS = 3, 6
_WHY_OPEN = {  # why a clip is left open, as csrc/planting/loops/find_loop.h counts
    _TURNS: "it turns, and a ground that moves in one direction does not turn with it",
    4: "the ground under its last pose is another than under its first",
    5: "the ground moves at another speed under its last pose than under its first",
    _SLIPS: "a foot never leaves the ground, which does not go with the body",
}


def find_loop(
    ends: Sequence[LegTrack],
    num: int,
    pieces: Callable[[], Iterable[Sequence[LegTrack]]],
    up: Array,
    fps: float,
    options: tuple[Any, ...],
    ground: Ground | None,
    settings: Settings,
) -> tuple[Loop | None, str]:
    """Return the loop that a clip is, which is not in memory as a whole.

    `ends`: the legs in the first two and the last two of its `num` frames. `pieces`: () → the legs' motion, in pieces
    that have two frames in common with the next one: asked for only where the last pose is the first, and only as far
    as it takes. `options`: what `asked_of` returns. Returns `loop`: None where nothing closes; `remark`: what to say of
    a loop that cannot be kept closed; empty where there is none such. ValueError: the clip is said to be a loop and
    cannot be kept closed.
    """
    comes_back, told, fault = _core.find_loop(ends, up, num, fps, options, ground)
    loop = Loop(*told)
    if settings.loop is True and fault:
        raise ValueError(no_loop(fault, loop.gap, settings, num))
    if not comes_back or not (settings.loop is True or _even(ends, pieces(), loop.travel, up)):
        return None, ""
    return None if fault else loop, about_open(loop, up, fault)


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


def slips_away(loop: Loop, never_lifts: bool, up: Array, num: int, settings: Settings) -> tuple[bool, str]:
    """Say whether a loop cannot be kept closed, as a foot never leaves ground that goes, or stays, where it does not.

    As csrc/planting/engine/learn.c does of a clip in memory. `never_lifts`: whether a foot stands in every frame of the
    unrolled motion. Returns `slips`: whether it is so; `remark`: what to say of it; empty where there is nothing to
    say. ValueError: it is said to be a loop, and the ground is not level: there a foot does not creep.
    """
    if loop.rides or not never_lifts:
        return False, ""
    given = settings.loop is True
    if settings.ground is None or settings.ground.level is not None:
        return not given, ""
    if given:
        raise ValueError(no_loop(_SLIPS, loop.gap, settings, num))
    return True, about_open(loop, up, _SLIPS)


def no_loop(fault: int, gap: float, settings: Settings, num: int) -> str:
    """Say why a clip of `num` frames that is said to be a loop cannot be one; `gap`: how far its ends are apart."""
    if fault == 1:
        return f"loop=True with frames={settings.frames}: only the whole clip, (0, {num - 1}), is closed"
    far = f"the legs of its last pose are {gap:.3g} leg lengths from those of its first, more than {_GIVEN:g}"
    return f"loop=True, but the clip cannot be one: {_WHY_OPEN.get(fault, far)}"


def about_open(loop: Loop, up: Array, fault: int) -> str:
    """Say why a clip is left open though its last pose is the first; nothing where it is not."""
    return f"the last pose is the first{way_of(loop, up)}, but {_WHY_OPEN[fault]}: it is not closed" if fault else ""


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
