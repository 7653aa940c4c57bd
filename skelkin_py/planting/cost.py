# SPDX-License-Identifier: MIT
"""What planting cost beside the original: figures of legs and body, added up over a clip or block after block."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._support.short_repr import short_repr
from .foot import LegTrack
from .spans import Span
from .viewer_rows import NOTHING_MINDED, RowsTally, ViewerRow

Array = NDArray[np.float64]
Range = tuple[float, float]

_COUNTS = ("overturned", "backward", "pops")  # of frames
_SAME = 1e-6  # leg: a loop whose ends are moved alike to this is looked at round its seam
_AFTER = 3  # frames that follow its last pose then
_FRAMES = ("overturned", "backward", "pops", "jerk", "jump", "changed")  # as in csrc/planting/measure/cost_tally.h


@dataclass(frozen=True)
class LegCost:
    """What planting cost one leg; pairs are (original, planted).

    Parameters
    ----------
    name : str
        As `LegReport.name`.
    flexion : ((float, float), (float, float))
        Smallest and largest signed flexion about the knee's hinge in degrees: 0 is straight, below 0 bent backward.
    overturned : (int, int)
        Frames in which the knee's bend turns by more than 90° while it is bent by more than 7° before and after.
    backward : int
        Frames whose flexion is more than 1° below the original's, or below 0 where that is bent as it should.
    pops : (int, int)
        Frames in which the flexion's speed changes faster than by 8 000°/s².
    changed : float
        Part of the frames, 0 … 1, whose flexion is changed by more than 10°; less than 11.5° counts as that.
    change_typical, change_worst : float
        That change in degrees: root of the mean square, and largest.
    jerk : (float, float)
        Highest third difference of the flexion, degrees per s³.
    jump : (float, float)
        Highest second difference of the ankle, legs per frame².
    frames : dict from str to int
        Where to look in the planted clip: by "overturned", "backward" and "pops" the first frame that was none of these
        before, by "changed", "jerk" and "jump" the worst; what there is none of is not there.
    """

    name: str
    flexion: tuple[Range, Range]
    overturned: tuple[int, int]
    backward: int
    pops: tuple[int, int]
    changed: float
    change_typical: float
    change_worst: float
    jerk: Range
    jump: Range
    frames: Mapping[str, int] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class PlantCost:
    """What planting cost, measured on the planted clip beside the original.

    Highest figures are taken outside of 0.1 s around glitches of the capture itself, which would hide them. Printed, it
    says what a viewer would mind.

    Parameters
    ----------
    legs : tuple of LegCost
        One per leg.
    num_frames : int
        Frames that were measured.
    body_typical, body_worst : float
        How far the hips are moved: root of the mean square, and at most, in leg lengths.
    body_frame : int
        Where they are moved furthest.
    leg_added, body_added : float
        Acceleration added to the ankles relative to the hips, and to the hips: root of the mean square over all frames
        (and legs), in leg lengths per s².
    glitch_frames : int
        Frames left out for being near a glitch of the capture.
    rows : tuple of ViewerRow
        What a viewer sees in which row, the worst of each; docs/planting.md lists them.

    Examples
    --------
    >>> import skelkin_py as sk
    >>> cost = sk.example("biped").clip.plant_feet().report.cost
    >>> cost.legs[0].backward, cost.minded()
    (0, [])
    """

    legs: tuple[LegCost, ...]
    num_frames: int
    body_typical: float
    body_worst: float
    body_frame: int
    leg_added: float
    body_added: float
    glitch_frames: int = 0
    rows: tuple[ViewerRow, ...] = ()

    def __repr__(self) -> str:
        return short_repr(self)

    def total(self, what: str) -> tuple[int, int]:
        """Return the frames of "overturned", "backward" or "pops" over all legs, (original, planted)."""
        if not isinstance(what, str) or what not in _COUNTS:
            raise ValueError(f"what is {what!r}: one of {', '.join(map(repr, _COUNTS))}")
        pairs = [(0, leg.backward) if what == "backward" else getattr(leg, what) for leg in self.legs]
        return sum(old for old, _ in pairs), sum(new for _, new in pairs)

    def minded(self) -> list[ViewerRow]:
        """Return the rows that are over their bars, which a viewer would mind, worst first."""
        return sorted((row for row in self.rows if row.grade), key=lambda row: -row.excess)

    @property
    def change_typical(self) -> float:
        """How much flexions are changed: root of the mean square over all legs and frames, in degrees."""
        return float(np.sqrt(np.mean([leg.change_typical**2 for leg in self.legs]))) if self.legs else 0.0

    @property
    def change_worst(self) -> tuple[float, int]:
        """How much a flexion is changed at most, in degrees, and in which frame."""
        worst = max(self.legs, key=lambda leg: leg.change_worst, default=None)
        return (worst.change_worst, worst.frames.get("changed", 0)) if worst is not None else (0.0, 0)

    def __str__(self) -> str:
        return "\n".join(row.text for row in self.minded()) or NOTHING_MINDED

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain numbers, lists and strings, ready for JSON; keys are the attributes.

        A row has its "grade" ("look at", "fault", or "" where nobody would mind it) and "text" besides.
        """
        told = {field.name: getattr(self, field.name) for field in fields(self)}
        told["legs"] = [asdict(leg) for leg in self.legs]
        for leg in told["legs"]:
            for what in ("flexion", "overturned", "pops", "jerk", "jump"):
                leg[what] = dict(zip(("before", "after"), leg[what], strict=True))
        return {**told, "rows": [row.to_dict() for row in self.rows]}


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


class CostTally:
    """Adds up what planting costs; blocks come one after the other, and lengths are in the clip's units.

    `num`: frames of the clip. `rows`: what finds the rows that a viewer would mind, and knows legs and frames to look
    at. `glitches` (K, 3): what `LegsMotion.glitches` said of the clip; None reads it from the first block. `turn` (3,
    3): of a loop, how its last pose is turned beside the first.
    """

    def __init__(self, num: int, rows: RowsTally, glitches: Array | None = None, turn: Array | None = None) -> None:
        self.num, self.rows, self.glitches, self.turn = num, rows, glitches, turn
        self.names, self.fps, self.length, self.frames = rows.names, rows.fps, rows.length, rows.frames
        self._legs, self._body = np.zeros(len(self.names), _core.LEG_TALLY), np.zeros(1, _core.BODY_TALLY)
        self._legs["frames"], self._legs["flexion"] = -1, (np.inf, -np.inf)
        self._head: list[LegsMotion] = []

    def add(
        self, before: Sequence[LegTrack], after: Sequence[LegTrack], first: int, own: Span,
        contacts: Sequence[Sequence[Span]], alone: NDArray[np.bool_] | None = None,
    ) -> None:  # fmt: skip
        """Add the frames `own`, both ends included, given with some around them, the first of which is `first`.

        `contacts` count from that. Frames that are `alone` count as glitches: the tracks have the motion beside them in
        their place.
        """
        old, new = both = [LegsMotion.of(tracks) for tracks in (before, after)]
        if own[0] == 0:
            self._head = [legs.rows(slice(-first, _AFTER + 1 - first)) for legs in both]
        low, high = max(own[0], self.frames[0]) - first, min(own[1], self.frames[1]) + 1 - first
        if high <= low:
            return
        self.rows.add(before, after, first, (low, high), contacts)
        closes = own[1] == self.num - 1 and self.turn is not None and self.num > _AFTER + 1 and self._closes(both)
        if closes:
            assert self.turn is not None
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
            legs=tuple(legs), num_frames=count, rows=self.rows.rows(), glitch_frames=body["hidden"],
            body_typical=float(np.sqrt(body["square"] / count)), body_worst=body["worst"], body_frame=body["frame"],
            leg_added=float(np.sqrt(body["leg_added"] / inner / len(legs))),
            body_added=float(np.sqrt(body["body_added"] / inner)),
        )  # fmt: skip


def _plain(row: np.void) -> dict[str, Any]:
    """Return the fields of a row as plain numbers and lists."""
    return {name: row[name].tolist() for name in row.dtype.names or ()}
