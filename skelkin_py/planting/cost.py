# SPDX-License-Identifier: MIT
"""What planting cost: figures of legs and body of the planted clip, compared with the original."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from .. import _core
from .._support.arguments import check_word
from .._support.array_types import Flags, Floats
from .._support.short_repr import short_repr
from .foot import LegTrack
from .spans import Span
from .viewer_rows import NOTHING_MINDED, ViewerRow, viewer_rows

Range = tuple[float, float]
# Of all legs: hips, knees and ankles (K, F, 3), flexions (K, F) in degrees.
Motion = tuple[Floats, Floats, Floats, Floats]

_OF_LEGS = ("hip", "knee", "ankle", "flexion")
_COUNTS = ("overturned", "backward", "pops")  # of frames
_SAME = 1e-6  # leg: a loop whose ends are moved alike to this is measured across its seam
_AFTER = 3  # frames that then follow its last pose


@dataclass(frozen=True)
class LegCost:
    """What planting cost one leg; pairs are (original, planted).

    Parameters
    ----------
    name : str
        The leg's name, as in `LegReport`.
    flexion : ((float, float), (float, float))
        Smallest and largest signed flexion about the knee's hinge in degrees: 0 is straight, below 0 bent backward.
    overturned : (int, int)
        Frames in which the knee's bend turns by more than 90° while it is bent by more than 7° before and after.
    backward : int
        Frames that planting bends backward: the flexion is more than 1° below 0, and more than 1° below the original's.
    pops : (int, int)
        Frames in which the flexion accelerates by more than 8 000°/s².
    changed : float
        Part of the frames, 0 … 1, whose flexion changed by more than 10°; flexions below 11.5° count as 11.5°.
    change_typical, change_worst : float
        Root mean square and maximum of that change, in degrees.
    jerk : (float, float)
        Largest third difference of the flexion, in degrees per s³.
    jump : (float, float)
        Largest second difference of the ankle, in leg lengths per frame².
    frames : dict from str to int
        Where to look in the planted clip: for "overturned", "backward" and "pops" the first new frame, for "changed",
        "jerk" and "jump" the worst frame; figures without one are left out.
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
    """What planting cost, measured on the planted clip and the original.

    Maxima leave out 0.1 s around glitches of the capture itself, which would hide them. Printed, it names what a viewer
    would mind.

    Parameters
    ----------
    legs : tuple of LegCost
        One per leg.
    num_frames : int
        Number of frames measured.
    body_typical, body_worst : float
        How far the hips are moved: root mean square and maximum, in leg lengths.
    body_frame : int
        The frame of that maximum.
    leg_added, body_added : float
        Acceleration added to the ankles relative to the hips, and to the hips: root mean square over all frames (and
        legs), in leg lengths per s².
    glitch_frames : int
        Number of frames left out near glitches of the capture.
    rows : tuple of ViewerRow
        The worst of each row of what a viewer would mind; docs/planting.md lists the rows.

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
        """Return the number of frames of "overturned", "backward" or "pops" over all legs, (original, planted)."""
        check_word("what", what, _COUNTS)
        pairs = [(0, leg.backward) if what == "backward" else getattr(leg, what) for leg in self.legs]
        return sum(old for old, _ in pairs), sum(new for _, new in pairs)

    def minded(self) -> list[ViewerRow]:
        """Return the rows above their bars, which a viewer would mind, worst first."""
        return sorted((row for row in self.rows if row.grade), key=lambda row: -row.excess)

    @property
    def change_typical(self) -> float:
        """Root mean square of the change of flexion over all legs and frames, in degrees."""
        return float(np.sqrt(np.mean([leg.change_typical**2 for leg in self.legs]))) if self.legs else 0.0

    @property
    def change_worst(self) -> tuple[float, int]:
        """The largest change of a flexion, in degrees, and its frame."""
        worst = max(self.legs, key=lambda leg: leg.change_worst, default=None)
        return (worst.change_worst, worst.frames.get("changed", 0)) if worst is not None else (0.0, 0)

    def __str__(self) -> str:
        return "\n".join(row.text for row in self.minded()) or NOTHING_MINDED

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers, lists and strings, ready for JSON; keys are the attributes.

        A row also has its "grade" ("look at", "fault", or "" below its bar) and its "text".
        """
        legs = [asdict(leg) for leg in self.legs]
        for leg in legs:
            for what in ("flexion", "overturned", "pops", "jerk", "jump"):
                leg[what] = dict(zip(("before", "after"), leg[what], strict=True))
        return {**vars(self), "legs": legs, "rows": [row.to_dict() for row in self.rows]}


def plant_cost(
    before: Sequence[LegTrack], after: Sequence[LegTrack], contacts: Sequence[Sequence[Span]], names: Sequence[str],
    fps: float, frames: Span, *, up: Floats, step: Floats | None = None, given: bool = False, level: bool = True,
    turn: Floats | None = None, alone: Flags | None = None,
) -> PlantCost:  # fmt: skip
    """Return what planting cost legs called `names` in a range of frames, both included.

    `up`, `step`, `given` and `level` as in `viewer_rows`. `turn` (3, 3): the turn from a loop's first pose to its last.
    Isolated frames (`alone`) count as glitches: the tracks have the motion beside them in their place.
    """
    num, length = len(before[0].hip), float(np.mean([track.length for track in before]))
    old, new = _stacked(before), _stacked(after)
    closes = turn is not None and num > _AFTER + 1 and _closes(old, new, turn, length)
    if turn is not None and closes:
        old, new = _continued(old, turn), _continued(new, turn)
    tally, body = _core.planting_cost(old, new, alone, num, frames[0], frames[1] + 1, closes, length, fps)
    count = frames[1] + 1 - frames[0]
    inner = max(body["inner"], 1)
    return PlantCost(
        legs=tuple(_leg_cost(name, row, count) for name, row in zip(names, tally, strict=True)),
        num_frames=count,
        rows=viewer_rows(
            before, after, contacts, names, fps, length, frames, up=up, step=step, given=given, level=level
        ),
        glitch_frames=body["hidden"],
        body_typical=float(np.sqrt(body["square"] / count)),
        body_worst=body["worst"],
        body_frame=body["frame"],
        leg_added=float(np.sqrt(body["leg_added"] / inner / len(names))),
        body_added=float(np.sqrt(body["body_added"] / inner)),
    )


def _stacked(tracks: Sequence[LegTrack]) -> Motion:
    """Return the motion of all legs in arrays."""
    hip, knee, ankle, flexion = (np.stack([getattr(t, name) for t in tracks]) for name in _OF_LEGS)
    return hip, knee, ankle, flexion


def _closes(old: Motion, new: Motion, turn: Floats, length: float) -> bool:
    """Tell whether planting moves hips and ankles in the last pose as in the first."""
    first, last = (np.stack([new[k][:, at] - old[k][:, at] for k in (0, 2)]) for at in (0, -1))
    return bool(np.abs(last - first @ turn.T).max() < _SAME * length)


def _continued(legs: Motion, turn: Floats) -> Motion:
    """Return the motion of a loop with the first frames repeated after its last pose."""
    *joints, flexion = legs
    start, end = joints[0][0, 0], joints[0][0, -1]
    more = slice(1, _AFTER + 1)
    hip, knee, ankle = (np.concatenate([own, (own[:, more] - start) @ turn.T + end], axis=1) for own in joints)
    return hip, knee, ankle, np.concatenate([flexion, flexion[:, more]], axis=1)


def _leg_cost(name: str, row: dict[str, Any], count: int) -> LegCost:
    """Return the cost of one leg from what the extension added up over `count` frames."""
    return LegCost(
        name=name,
        **{what: row[what] for what in ("flexion", "overturned", "backward", "pops", "jerk", "jump", "change_worst")},
        changed=row["changed"] / count,
        change_typical=float(np.sqrt(row["change_square"] / count)),
        frames={what: frame for what, frame in row["frames"].items() if frame >= 0},
    )
