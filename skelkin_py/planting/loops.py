# SPDX-License-Identifier: MIT
"""Loops: clips whose last pose is the first, in place or carried on by a displacement and a turn about up.

A loop is planted as a piece of the endless motion: periods are put before and after it, so that contacts, blends
and all smoothing go on across the seam, and the middle is cut out again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..ground import Footing, Ground
from ..skeleton import Skeleton
from .foot import LegTrack
from .leg_tracks import Subset
from .settings import Settings
from .spans import Span

__all__ = ["Loop", "LoopGround", "about_open", "clip_ground", "find_loop", "no_loop", "slips_away", "way_of"]

Array = NDArray[np.float64]
Ints = NDArray[np.intp]

_GIVEN = 0.03  # leg: a clip may be called a loop where its last pose is this near to the first
_TURNS, _SLIPS = 3, 6
_WHY_OPEN = {  # why a clip is left open, as csrc/planting/loops/find_loop.h counts
    _TURNS: "it turns, and a ground that moves in one direction does not turn with it",
    4: "the ground under its last pose is another than under its first",
    5: "the ground moves at another speed under its last pose than under its first",
    _SLIPS: "a foot never leaves the ground, which does not go with the body",
}


@dataclass(frozen=True)
class Loop:
    """How a clip goes on where it ends.

    Frames of the unrolled motion are counted from its own first one; `margin` is the clip's first.
    """

    period: int  # frames from the first pose to its return: one less than the clip has
    margin: int  # frames put before the clip, and after it
    travel: Array  # carries the first pose onto the last: a turn about up and a displacement, level where the ground is
    gap: float  # how far a point of a leg is then from where it was, at most, in leg lengths
    planted: Array  # carries the planted first pose onto the planted last: the same, but up or down as the ground goes
    rides: bool  # whether the ground carries a foot that never leaves it as the body is carried

    @property
    def travels(self) -> bool:
        """Whether it does not come back to where it began."""
        return not np.array_equal(self.travel, np.eye(4))

    @property
    def turns(self) -> bool:
        """Whether it comes back looking to another side."""
        return not np.array_equal(self.travel[:3, :3], np.eye(3))

    @property
    def num_frames(self) -> int:
        """Frames of the unrolled motion."""
        return self.period + 1 + 2 * self.margin

    @property
    def middle(self) -> slice:
        """The clip's frames in the unrolled motion."""
        return slice(self.margin, self.margin + self.period + 1)

    def places(self, frames: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return in which period frames of the unrolled motion are (0: the clip), and which of the clip they are."""
        return np.divmod(frames - self.margin, self.period)

    def carry_on(self, local: Array, turn: NDArray[np.intp], skeleton: Skeleton) -> Array:
        """Carry the roots of local matrices (N, S, 4, 4) of the clip on to other periods (N,), in place."""
        _core.loop_carry_on(self, skeleton, local, np.ascontiguousarray(turn, dtype=np.int64))
        return local

    def unroll_spans(self, spans: Sequence[Span]) -> list[Span]:
        """Return the clip's spans in the unrolled motion; what touches both ends of the clip is one."""
        return _core.unroll_spans(self, spans)

    def roll_up(self, spans: Sequence[Span]) -> list[tuple[Span, int]]:
        """Return the clip's part of spans of the unrolled motion, each with the number of the span it comes from.

        A span that goes on across the seam is there twice, at the clip's end and at its beginning.
        """
        inside = [(max(a - self.margin, 0), min(b - self.margin, self.period)) for a, b in spans]
        return [(span, number) for number, span in enumerate(inside) if span[0] <= span[1]]

    def closing_pose(self, subset: Subset, first: Array, last: Array, joints: Iterable[int], length: float) -> Array:
        """Return the planted clip's last pose: the first one again, where planting has changed it.

        `first` (S, 4, 4): local matrices of the planted first pose. `last` (S, 4, 4): those of the last pose as it was;
        what differs by rounding alone is taken from it. `joints`: those that changed. `length`: leg length. Returns (S,
        4, 4): local matrices.
        """
        changed = np.zeros(len(first), dtype=np.bool_)
        changed[list(joints)] = True
        return _core.closing_pose(self, subset, first, np.ascontiguousarray(last), changed, length)

    @staticmethod
    def closing_joints(subset: Subset, joints: Iterable[int]) -> set[int]:
        """Return the joints whose last pose may be written: those that changed, and all that carry or make the legs."""
        return {*joints, *_tops(subset), *(j for leg in subset.legs for j in leg.chain)}


def _tops(subset: Subset) -> set[int]:
    """Return the joints whose place in space is carried on: what moves the body, or else the hips."""
    return {leg.chain[0] for leg in subset.legs} if subset.mover is None else {subset.mover}


class LoopGround(Ground):
    """The ground of an unrolled loop: the clip's, which knows its up, carried on with every period.

    See csrc/planting/loops/loop_ground.h.
    """

    def __init__(self, clip: Ground, loop: Loop, up: Array) -> None:
        super().__init__(0.0)
        self.level = None
        self.clip, self._loop, self._along = clip, loop, up

    def __repr__(self) -> str:
        return f"LoopGround({self.clip!r})"

    @property
    def moves(self) -> bool:
        """Whether it carries what stands on it."""
        return self.clip.moves

    def footing(self, points: Array, frames: Ints | None = None) -> Footing:
        """Return heights, normals and surfaces at points, as `Ground.footing`; frames are those of the loop."""
        return Footing(*self._below(points, frames, more=True))

    def heights(self, points: Array, frames: Ints | None = None) -> Array:
        """Return the ground's height along up at each point, as `Ground.heights`; frames are those of the loop."""
        shape = points.shape[:-1]
        assert frames is not None
        when = np.broadcast_to(frames, shape).reshape(-1)
        return np.asarray(self._below(points.reshape(-1, 3), when, more=False)[0].reshape(shape))

    def _below(self, points: Array, frames: Ints | None, *, more: bool) -> tuple[Any, Any, Any]:
        """Return heights at points (N, 3), and normals and surfaces if `more` is asked."""
        when = self._times(frames)
        assert when is not None
        when = np.ascontiguousarray(when, dtype=np.int64)
        return _core.loop_below(self.clip, self._loop, self._along, np.ascontiguousarray(points), when, more)

    def carry(self, points: Array, surface: Ints, from_frames: Ints, to_frames: Ints) -> Array:
        """Return where points of its surfaces are in other frames, as `Ground.carry`; frames are those of the loop.

        What is carried beyond an end of the clip goes on at its other end, on the ground that is there.
        """
        if not self.moves:
            return points
        when = [self._times(frames) for frames in (from_frames, to_frames)]
        told = [np.ascontiguousarray(numbers, dtype=np.int64) for numbers in (surface, *when)]
        return _core.loop_carry(self.clip, self._loop, self._along, np.ascontiguousarray(points), *told)


def clip_ground(ground: Ground) -> Ground:
    """Return the ground in the clip's frames, of one that may be that of a loop."""
    return ground.clip if isinstance(ground, LoopGround) else ground


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
