# SPDX-License-Identifier: MIT
"""What planting cost, measured on the legs' motion: added up over a clip as a whole, or block after block."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .cost import LegCost, PlantCost
from .foot import LegTrack
from .spans import Span

__all__ = ["Correction", "CostTally", "LegsMotion", "least_objective"]

Array = NDArray[np.float64]

_SAME = 1e-6  # leg: a loop whose ends are moved alike to this is looked at round its seam
_AFTER = 3  # frames that follow its last pose then
_FRAMES = ("overturned", "backward", "pops", "jerk", "jump", "changed")  # as in csrc/planting/measure/cost_tally.h
# What J* weighs (as J itself, csrc/planting/measure/cost.c) and is bound by: legs, legs per s².
_WEIGHTS, _REACH = (20.0, 0.2, 1000.0, 0.1, 1e7, 3000.0, 15.0), 0.995
_SETTLES = 2.5  # s: what the motion before and after a loop makes of its seam fades to 1e-5


class LegsMotion(NamedTuple):
    """All legs in every frame: joints (K, F, 3), and signed flexions (K, F) in degrees."""

    hip: Array
    knee: Array
    ankle: Array
    flexion: Array

    @staticmethod
    def of(tracks: Sequence[LegTrack]) -> LegsMotion:
        """Return that of tracks."""
        parts = zip(*((t.hip, t.knee, t.ankle, t.flexion) for t in tracks), strict=True)
        hip, knee, ankle, flexion = (np.stack(part) for part in parts)
        return LegsMotion(hip, knee, ankle, flexion)

    def rows(self, own: slice) -> LegsMotion:
        """Return some frames."""
        return LegsMotion(*(np.ascontiguousarray(part[:, own]) for part in self))

    def then(self, head: LegsMotion, turn: Array) -> LegsMotion:
        """Return it with the frames behind the first of `head`, which is its last pose before it is carried on."""
        start, end = head.hip[0, 0], self.hip[0, -1]
        hip, knee, ankle = (
            np.concatenate([own, (new[:, 1:] - start) @ turn.T + end], axis=1) for own, new in zip(self[:3], head[:3])
        )
        return LegsMotion(hip, knee, ankle, np.concatenate([self.flexion, head.flexion[:, 1:]], axis=1))

    def glitches(self, length: float) -> Array:
        """(K, 3) Beyond which second differences of hip, ankle and flexion the capture itself jumps."""
        return _core.glitch_limits(*self, length)


class Correction(NamedTuple):
    """Legs as they were and as they are planted, and, of a loop that closes, how its last pose is turned."""

    before: LegsMotion
    after: LegsMotion
    turn: Array | None


class CostTally:
    """Adds up what planting costs; blocks come one after the other, and lengths are in the clip's units.

    `names`: of the legs. `length`: of a leg. `num`: frames of the clip; `frames`: those to measure. `level`: whether
    the ground is. `glitches` (K, 3): what `LegsMotion.glitches` said of the clip; None reads it from the first block.
    `turn` (3, 3): of a loop, how its last pose is turned beside the first.
    """

    def __init__(
        self, names: Sequence[str], fps: float, length: float, num: int, frames: Span, level: bool,
        glitches: Array | None = None, turn: Array | None = None,
    ) -> None:  # fmt: skip
        self.names, self.fps, self.length, self.num, self.frames, self.level = names, fps, length, num, frames, level
        self.glitches, self.turn = glitches, turn
        self._legs, self._body = np.zeros(len(names), _core.LEG_TALLY), np.zeros(1, _core.BODY_TALLY)
        self._legs["frames"], self._legs["flexion"] = -1, (np.inf, -np.inf)
        self.seam = False  # whether a loop was looked at round its seam
        self._head: list[LegsMotion] = []

    def add(
        self, before: Sequence[LegTrack], after: Sequence[LegTrack], first: int, own: Span,
        alone: NDArray[np.bool_] | None = None,
    ) -> None:  # fmt: skip
        """Add the frames `own`, both ends included, given with some around them, the first of which is `first`.

        Frames that are `alone` count as glitches: the tracks have the motion beside them in their place.
        """
        old, new = both = [LegsMotion.of(tracks) for tracks in (before, after)]
        if own[0] == 0:
            self._head = [legs.rows(slice(-first, _AFTER + 1 - first)) for legs in both]
        low, high = max(own[0], self.frames[0]) - first, min(own[1], self.frames[1]) + 1 - first
        if high <= low:
            return
        closes = own[1] == self.num - 1 and self.turn is not None and self.num > _AFTER + 1 and self._closes(both)
        if closes:
            assert self.turn is not None
            self.seam = True
            cut = slice(0, self.num - first)
            old, new = (legs.rows(cut).then(head, self.turn) for legs, head in zip(both, self._head, strict=True))
        if self.glitches is None:
            self.glitches = old.glitches(self.length)
        _core.add_cost(
            *old, *new, self.glitches, alone, first, self.num, low, high, closes, self.length, self.fps,
            self._legs, self._body,
        )  # fmt: skip

    def _closes(self, both: Sequence[LegsMotion]) -> bool:
        """Whether the last pose is moved as the first."""
        assert self.turn is not None
        first, last = (
            np.stack([new.hip[:, at] - old.hip[:, at], new.ankle[:, at] - old.ankle[:, at]])
            for at, (old, new) in ((0, self._head), (-1, both))
        )
        return bool(np.abs(last - first @ self.turn.T).max() < _SAME * self.length)

    def cost(self) -> PlantCost:
        """Return what was added up."""
        count, body = max(self.frames[1] + 1 - self.frames[0], 1), _plain(self._body[0])
        legs = []
        for name, row in zip(self.names, map(_plain, self._legs), strict=True):
            frames = {what: frame for what, frame in zip(_FRAMES, row["frames"], strict=True) if frame >= 0}
            low_high = [tuple(pair) for pair in row["flexion"]]
            pairs = {what: tuple(row[what]) for what in ("overturned", "pops", "jerk", "jump")}
            legs.append(
                LegCost(
                    name=name, flexion=(low_high[0], low_high[1]), backward=row["backward"], **pairs,
                    changed=row["changed"] / count, change_typical=float(np.sqrt(row["change_square"] / count)),
                    change_worst=row["change_worst"], frames=frames,
                )
            )  # fmt: skip
        inner = max(body["inner"], 1)
        return PlantCost(
            legs=tuple(legs), num_frames=count, level=self.level, glitch_frames=body["hidden"],
            body_typical=float(np.sqrt(body["square"] / count)), body_worst=body["worst"], body_frame=body["frame"],
            leg_added=float(np.sqrt(body["leg_added"] / inner / len(legs))),
            body_added=float(np.sqrt(body["body_added"] / inner)), objective=body["objective"],
        )  # fmt: skip


def _plain(row: np.void) -> dict[str, Any]:
    """Return the fields of a row as plain numbers and lists."""
    return {name: row[name].tolist() for name in row.dtype.names or ()}


def least_objective(
    correction: Correction, held: Array, stands: NDArray[np.bool_], lowest: Array, up: Array, length: float, fps: float
) -> float:
    """Return J*, which keeps ankles (K, F) that stand at their offsets `held` (K, F, 3), and soles above `lowest`.

    As many rounds of a loop that closes are put before and after it as it takes.
    """
    old, _, turn = correction
    num, rounds = old.hip.shape[1], 0
    if not stands.any():
        held = np.zeros_like(held)
    if turn is not None:
        rounds = int(np.ceil(_SETTLES * fps / (num - 1)))
        old, held, stands, lowest = _unrolled(old, held, stands, lowest, turn, rounds)
    bones = np.linalg.norm(old.knee - old.hip, axis=2) + np.linalg.norm(old.ankle - old.knee, axis=2)
    reach = np.maximum(np.linalg.norm(old.hip - old.ankle, axis=2), _REACH * bones)
    weights = np.zeros(1, _core.PATH_WEIGHTS)
    weights[0] = _WEIGHTS
    body, offsets = held[0] * 0.0, held
    if stands.any():
        body, offsets, *_ = _core.smooth_paths(
            old.hip, old.ankle, old.hip - old.ankle, held, bones, old.flexion, reach,
            np.where(stands, -np.inf, lowest), stands,
            np.ones(held.shape[1], np.bool_), np.zeros(held.shape[1], np.bool_), up, length, 1.0 / fps, True, False, weights,
        )  # fmt: skip
    places, bends = _core.correction_cost(*old, old.hip + body, old.ankle + offsets, length, fps)[:2]
    first = rounds * (num - 1)
    return float(places[first : first + num - (rounds > 0)].sum() + bends[first + (rounds > 0) : first + num].sum())


def _unrolled(
    old: LegsMotion, held: Array, stands: NDArray[np.bool_], lowest: Array, turn: Array, rounds: int
) -> tuple[LegsMotion, Array, NDArray[np.bool_], Array]:
    """Return a loop with so many rounds of it before and after."""
    carry, period = np.eye(4), held.shape[1] - 1
    carry[:3, :3], carry[:3, 3] = turn, old.hip[0, -1] - turn @ old.hip[0, 0]
    powers = [np.linalg.matrix_power(carry, k) for k in range(-rounds, rounds + 1)]

    def again(values: NDArray[Any], carried: bool = False, turned: bool = False) -> NDArray[Any]:
        moved = [values @ m[:3, :3].T + carried * m[:3, 3] if carried or turned else values for m in powers]
        return np.ascontiguousarray(np.concatenate([*(part[:, :period] for part in moved), moved[-1][:, period:]], 1))

    hip, knee, ankle = (again(part, carried=True) for part in old[:3])
    joints = LegsMotion(hip, knee, ankle, again(old.flexion))
    return joints, again(held, turned=True), again(stands), again(lowest)
