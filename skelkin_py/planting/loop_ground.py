# SPDX-License-Identifier: MIT
"""The ground of a loop: whether it is the same under both ends of the clip, and how it then goes on with the motion.

A clip that comes back to another place, or on ground that moves, comes back to other ground. Where that has the same
shape under the feet, only higher or lower, and goes on as evenly as before, the endless motion has a ground too: that
of the clip, once in every period, each time so much higher or lower. Beyond the clip's own places and frames the
given ground is never asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..ground import Footing, Ground
from .foot import LegTrack
from .loops import Loop

__all__ = ["GroundAtEnds", "LoopGround", "clip_ground", "ground_at_ends"]

Array = NDArray[np.float64]
Ints = NDArray[np.intp]

_ALONG = (-1.0 / 3.0, 0.0, 0.5, 1.0, 4.0 / 3.0)  # from ankle to ball: from behind the heel to the tip of the toes
_ASIDE = 0.05  # leg: half the width of a foot
_BUMP = 2.0  # the ground's speed changes at the seam by no more than this multiple of its greatest change beside it,
_EVEN = 1e-3  # leg: or by this per frame


class GroundAtEnds(NamedTuple):
    """The ground under the feet of the last pose, as seen from that under the first.

    Attributes
    ----------
    lift : float
        How much further up it is than the clip's own displacement goes.
    rides : bool
        Whether it has carried what stands on it there.
    why : str
        Why the clip cannot be closed on it; empty where it can.
    """

    lift: float
    rides: bool
    why: str = ""


def ground_at_ends(
    ground: Ground, ends: Sequence[LegTrack], num: int, travel: Array, up: Array, near: float
) -> GroundAtEnds:
    """Compare the ground under the feet of the last pose with that under those of the first.

    `ground`: the ground, which knows the clip's up; it slopes or moves. `ends`: the legs' motion in the clip's first
    two and last two frames. `travel` (4, 4): carries the first pose onto the last. `near`: how far from the same it may
    be, in leg lengths, in height and in place.
    """
    if not ground.moves and np.array_equal(travel, np.eye(4)):
        return GroundAtEnds(0.0, True)
    length = float(np.mean([t.length for t in ends]))
    near *= length
    first = np.concatenate([_below_foot(track, up) for track in ends])
    last = _moved(first, travel)
    none, then = np.zeros(len(first), dtype=np.intp), np.full(len(first), num - 1)
    footing = ground.footing(first, none)
    # At the edge of a step rounding decides between above and below: there the ground a little aside counts too.
    aside = np.concatenate([np.zeros((1, 3)), np.eye(3), -np.eye(3)]) * near
    aside -= (aside @ up)[:, None] * up
    heights = ground.heights(last + aside[:, None], then)
    apart = heights - footing.heights
    known = np.isfinite(apart[0])
    own = float(travel[:3, 3] @ up)
    rise = float(np.median(apart[0, known])) if known.any() else own
    hole = np.isnan(heights) & np.isnan(footing.heights)
    if not ((np.abs(apart - rise) <= near) | hole).any(axis=0).all():
        return GroundAtEnds(0.0, False, "the ground under its last pose is another than under its first")
    whole = travel.copy()
    whole[:3, 3] += (rise - own) * up
    if not ground.moves:
        return GroundAtEnds(rise - own, False)
    start = (first + (footing.heights - first @ up)[:, None] * up)[known]
    there = _moved(start, whole)
    begin = _carried_path(ground, start, footing.surface[known], [0, 1, 2])
    end = _carried_path(ground, there, ground.footing(there, then[known]).surface, [num - 1, num - 2, num - 3])
    step = (begin[1] - begin[0]) @ travel[:3, :3].T - (end[0] - end[1])
    beside = max(float(np.abs(np.diff(path, 2, axis=0)).max(initial=0.0)) for path in (begin, end))
    if np.abs(step).max(initial=0.0) > _BUMP * beside + _EVEN * length:
        return GroundAtEnds(0.0, False, "the ground moves at another speed under its last pose than under its first")
    carried = ground.carry(start, footing.surface[known], none[known], then[known])
    rides = bool(np.abs(carried - there).max(initial=0.0) <= near)
    return GroundAtEnds(rise - own, rides)


def _below_foot(track: LegTrack, up: Array) -> Array:
    """Return places (N, 3) under the foot of the first pose, from heel to toes and as wide as a foot."""
    ahead = np.zeros(3) if track.ball is None else track.foot[0] @ track.ball
    level = ahead - (ahead @ up) * up
    if np.linalg.norm(level) < _ASIDE * track.length:
        level = np.cross(up, np.eye(3)[int(np.argmin(np.abs(up)))])
        ahead = _ASIDE * track.length * level / np.linalg.norm(level)
    aside = np.cross(up, level)
    aside *= _ASIDE * track.length / np.linalg.norm(aside)
    line = track.ankle[0] + np.array(_ALONG)[:, None] * ahead
    return np.concatenate([line - aside, line + aside])


def _moved(points: Array, travel: Array) -> Array:
    return np.asarray(points @ travel[:3, :3].T + travel[:3, 3])


def _carried_path(ground: Ground, points: Array, surface: Ints, frames: Sequence[int]) -> Array:
    """Return where points (N, 3) of the first of some frames are in each of them, (frames, N, 3)."""
    num = len(points)
    return np.stack([ground.carry(points, surface, np.full(num, frames[0]), np.full(num, f)) for f in frames])


class LoopGround(Ground):
    """The ground of an unrolled loop: the clip's, carried on with every period.

    Parameters
    ----------
    clip : Ground
        The ground in the clip's frames, which knows its up.
    loop : Loop
        How the clip goes on.
    up : (3,) float64
        Unit vector.
    """

    def __init__(self, clip: Ground, loop: Loop, up: Array) -> None:
        super().__init__(0.0)
        self.level = None
        self.clip, self._loop, self._along = clip, loop, up
        self._rise = float(loop.planted[:3, 3] @ up)

    def __repr__(self) -> str:
        return f"LoopGround({self.clip!r})"

    @property
    def moves(self) -> bool:
        """Whether it carries what stands on it."""
        return self.clip.moves

    def _own(self, frames: Ints | None) -> tuple[Ints, Ints]:
        """Return the period and the clip's frame of each frame."""
        when = self._times(frames)
        assert when is not None
        return self._loop.places(when)

    def footing(self, points: Array, frames: Ints | None = None) -> Footing:
        """Return heights, normals and surfaces at points, as `Ground.footing`; frames are those of the loop."""
        turn, frame = self._own(frames)
        found = self.clip.footing(_taken(points, -turn, self._loop.travel), frame)
        normals = found.normals
        if self._loop.turns:
            normals = _taken(normals, turn, np.block([[self._loop.travel[:3, :3], np.zeros((3, 1))], [np.eye(4)[3:]]]))
        return Footing(found.heights + turn * self._rise, normals, found.surface)

    def heights(self, points: Array, frames: Ints | None = None) -> Array:
        """Return the ground's height along up at each point, as `Ground.heights`; frames are those of the loop."""
        shape = points.shape[:-1]
        assert frames is not None
        turn, frame = self._own(np.broadcast_to(frames, shape).reshape(-1))
        flat = _taken(np.ascontiguousarray(points.reshape(-1, 3)), -turn, self._loop.travel)
        return np.asarray((self.clip.heights(flat, frame) + turn * self._rise).reshape(shape))

    def carry(self, points: Array, surface: Ints, from_frames: Ints, to_frames: Ints) -> Array:
        """Return where points of its surfaces are in other frames, as `Ground.carry`; frames are those of the loop.

        What is carried beyond an end of the clip goes on at its other end, on the ground that is there.
        """
        if not self.moves:
            return points
        loop = self._loop
        (turn, frame), (goal, there) = self._own(from_frames), self._own(to_frames)
        out, surface = _taken(points, -turn, loop.planted), np.array(surface)
        while (rows := np.flatnonzero(turn != goal)).size:
            way = np.sign(goal[rows] - turn[rows])
            edge = np.where(way > 0, loop.period, 0)
            at = self.clip.carry(out[rows], surface[rows], frame[rows], edge)
            out[rows] = _taken(at, -way, loop.planted)
            turn[rows] += way
            frame[rows] = loop.period - edge
            surface[rows] = self.clip.footing(out[rows], frame[rows]).surface
        return _taken(self.clip.carry(out, surface, frame, there), goal, loop.planted)


def _taken(points: Array, turn: Ints, travel: Array) -> Array:
    """Return points (N, 3), each taken so many times along `travel`."""
    out = np.array(points)
    for k in np.unique(turn):
        if k:
            rows = turn == k
            power = np.linalg.matrix_power(travel, int(k))
            out[rows] = _moved(points[rows], power)
    return out


def clip_ground(ground: Ground) -> Ground:
    """Return the ground in the clip's frames, of one that may be that of a loop."""
    return ground.clip if isinstance(ground, LoopGround) else ground
