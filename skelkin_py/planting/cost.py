# SPDX-License-Identifier: MIT
"""What planting cost beside the original: figures of legs and body, their limits, and what to say of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, NamedTuple

import numpy as np

from ..arguments import real_number
from ..short_repr import short_repr
from ..values import compared_by_values
from .remark import FRAME, Remark

__all__ = ["FIGURES", "CostLimits", "CostRow", "LegCost", "PlantCost", "Range"]

Range = tuple[float, float]

_MOST_TIMES = 1000.0  # of a still knee's jerk, which is rounding, a factor tells nothing
_MORE_POPS, _MORE_JUMP = 3, 0.01  # frames, and legs per frame²: what the factors are not asked of
_OWN = ("overturned", "backward", "pops")  # limited over all legs; the others leg by leg


@dataclass(frozen=True)
class CostLimits:
    """What planting may cost; a result beyond is called worse than the original.

    Parameters
    ----------
    overturned : float, default 0
        Frames in which a knee turns over, more than in the original.
    backward : float, default 0
        Frames in which a knee is bent backward further than the original's.
    pops : float, default 1.1
        Frames in which a knee pops, in parts of the original's; 3 more are allowed.
    changed : float, default 5
        Percent of the frames in which a knee's flexion is changed by more than 10°; on level ground alone.
    jerk : float, default 1.2
        A knee's highest jerk, in parts of the original's.
    jump : float, default 1.2
        An ankle's highest acceleration, in parts of the original's; 0.01 legs per frame² more are allowed.
    """

    overturned: float = 0.0
    backward: float = 0.0
    pops: float = 1.1
    changed: float = 5.0
    jerk: float = 1.2
    jump: float = 1.2

    def __post_init__(self) -> None:
        for each in fields(self):
            limit = real_number(each.name, getattr(self, each.name))
            if not limit >= 0.0:
                raise ValueError(f"{each.name} is {limit}: a limit must be at least 0")
            object.__setattr__(self, each.name, limit)

    def most(self, what: str, before: float) -> float:
        """Return how much of `what` is allowed where the original has so much."""
        limit = float(getattr(self, what))
        if what in ("backward", "changed"):
            return limit
        if what == "overturned":
            return before + limit
        return limit * before + {"pops": _MORE_POPS, "jump": _MORE_JUMP}.get(what, 0.0)


@compared_by_values
class CostRow(NamedTuple):
    """One figure beside its limit; printed, it is a sentence.

    Parameters
    ----------
    what : str
        A field of `CostLimits`.
    leg : str
        Its name; empty for all legs together.
    before, after : float
        Of the original and of the planted clip; in frames, percent, degrees per s³ or legs per frame².
    most : float
        What is allowed.
    frame : int or None
        Where to look: of counts the first new frame, else the worst; None where there is none.
    """

    what: str
    leg: str
    before: float
    after: float
    most: float
    frame: int | None

    @property
    def over(self) -> bool:
        """Whether it is beyond its limit; what is no number is."""
        return not self.after <= self.most

    @property
    def short(self) -> str:
        """What is worse, in a few words."""
        return FIGURES[self.what].short(self)

    @property
    def remark(self) -> str:
        """The same in a sentence."""
        told = FIGURES[self.what].sentence(self)
        if self.frame is None:
            return told
        return Remark(f"{told}, {'first' if self.what in _OWN else 'most'} in frame {FRAME}", self.frame)

    def __str__(self) -> str:
        return self.remark


def _times(row: CostRow) -> str:
    factor = row.after / row.before if row.before > 0.0 else np.inf
    return f"{factor:.2f} × the original's" if factor < _MOST_TIMES else "where the original has next to none"


class Figure(NamedTuple):
    """How one figure of what planting cost is told: in tables, figures, options, a few words and a sentence."""

    title: str  # of a row in a table, with the unit
    form: str  # of its numbers there,
    scale: float  # of which one is so many of those of a CostRow
    mark: str  # at the frame to look at
    unit: str  # of its limit
    limit: str  # what that limits
    short: Callable[[CostRow], str]
    sentence: Callable[[CostRow], str]


FIGURES: Mapping[str, Figure] = {
    "overturned": Figure(
        "knees turned over (frames)", ".0f", 1.0, "turns over",
        "FRAMES", "in how many more frames than in the original knees may turn over",
        lambda r: f"knees turn over in {r.after:.0f} frames (original {r.before:.0f})",
        lambda r: (
            f"knees turn over in {r.after:.0f} frames, in the original in {r.before:.0f}; {r.most:.0f} are allowed"
        ),
    ),
    "backward": Figure(
        "knees bent backward (frames)", ".0f", 1.0, "bent backward",
        "FRAMES", "in how many frames knees may be bent backward, further than the original's",
        lambda r: f"knees bent backward in {r.after:.0f} frames",
        lambda r: (
            f"knees are bent backward, and more than the original's, in {r.after:.0f} frames; {r.most:.0f} are allowed"
        ),
    ),
    "pops": Figure(
        "knee pops (frames)", ".0f", 1.0, "pops",
        "FACTOR", f"how often knees may pop: this factor times the original's frames, plus {_MORE_POPS}",
        lambda r: f"knees pop in {r.after:.0f} frames (original {r.before:.0f})",
        lambda r: f"knees pop in {r.after:.0f} frames, in the original in {r.before:.0f}; {r.most:.0f} are allowed",
    ),
    "changed": Figure(
        "changed over 10° (% of frames)", ".1f", 1.0, "changed most",
        "PERCENT", "the share of frames in which a knee may change by more than 10 degrees; on level ground",
        lambda r: f"{r.leg} knee changed by > 10° in {r.after:.1f} % of frames",
        lambda r: (
            f"the {r.leg} knee's flexion is changed by more than 10° in {r.after:.1f} % of the frames; "
            f"{r.most:g} % are allowed"
        ),
    ),
    "jerk": Figure(
        "knee jerk (10⁶ °/s³)", ".3g", 1e-6, "highest jerk",
        "FACTOR", "how high a knee's highest jerk may be, as a factor of the original's",
        lambda r: f"{r.leg} knee's jerk {_times(r)}",
        lambda r: (
            f"the {r.leg} knee's highest jerk is {1e-6 * r.after:.3g} million °/s³, in the original "
            f"{1e-6 * r.before:.3g}; {1e-6 * r.most:.3g} is allowed"
        ),
    ),
    "jump": Figure(
        "foot acceleration (legs/frame²)", ".3g", 1.0, "foot's highest acceleration",
        "FACTOR", f"the same for a foot's highest acceleration, plus {_MORE_JUMP:g} legs per frame squared",
        lambda r: f"{r.leg} foot's acceleration {_times(r)}",
        lambda r: (
            f"the {r.leg} foot's highest acceleration is {r.after:.3g} legs/frame², in the original {r.before:.3g}; "
            f"{r.most:.3g} is allowed"
        ),
    ),
}  # fmt: skip


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

    def row(self, what: str, limits: CostLimits) -> CostRow:
        """Return the figure that a field of `CostLimits` is about."""
        value = getattr(self, what)
        before, after = value if isinstance(value, tuple) else (0.0, 100.0 * value if what == "changed" else value)
        return CostRow(what, self.name, before, after, limits.most(what, before), self.frames.get(what))


@dataclass(frozen=True)
class PlantCost:
    """What planting cost, measured on the planted clip beside the original.

    Highest figures are taken outside of 0.1 s around glitches of the capture itself, which would hide them. Printed, it
    says what is worse than the original.

    Parameters
    ----------
    legs : tuple of LegCost
        One per leg.
    num_frames : int
        Frames that were measured.
    level : bool
        Whether the ground is level: elsewhere flexions have to change.
    body_typical, body_worst : float
        How far the hips are moved: root of the mean square, and at most, in leg lengths.
    body_frame : int
        Where they are moved furthest.
    leg_added, body_added : float
        Acceleration added to the ankles relative to the hips, and to the hips: root of the mean square over all frames
        (and legs), in leg lengths per s².
    objective : float
        J of the problem that docs/planting.md writes out, of what came out, with its standard weights.
    glitch_frames : int
        Frames left out for being near a glitch of the capture.

    Examples
    --------
    >>> import skelkin_py as sk
    >>> cost = sk.example("biped").clip.plant_feet().report.cost
    >>> cost.legs[0].backward, [row.what for row in cost.worse()]
    (0, [])
    """

    legs: tuple[LegCost, ...]
    num_frames: int
    level: bool
    body_typical: float
    body_worst: float
    body_frame: int
    leg_added: float
    body_added: float
    objective: float
    glitch_frames: int = 0

    def __repr__(self) -> str:
        return short_repr(self)

    def total(self, what: str) -> tuple[int, int]:
        """Return the frames of "overturned", "backward" or "pops" over all legs, (original, planted)."""
        if not isinstance(what, str) or what not in _OWN:
            raise ValueError(f"what is {what!r}: one of {', '.join(map(repr, _OWN))}")
        rows = [leg.row(what, CostLimits()) for leg in self.legs]
        return int(sum(row.before for row in rows)), int(sum(row.after for row in rows))

    def rows(self, limits: CostLimits | None = None) -> list[CostRow]:
        """Return every figure that has a limit, beside it.

        Parameters
        ----------
        limits : CostLimits, optional
            What is allowed; the standard where None.

        Returns
        -------
        list of CostRow
            Those of all legs together, then leg by leg.
        """
        if limits is not None and not isinstance(limits, CostLimits):
            raise TypeError(f"limits is a {type(limits).__name__}: CostLimits are needed")
        limits, out = limits or CostLimits(), []
        for what in _OWN:
            before, after = self.total(what)
            frames = [leg.frames[what] for leg in self.legs if what in leg.frames]
            out.append(CostRow(what, "", before, after, limits.most(what, before), min(frames, default=None)))
        each = ("changed",) * self.level + ("jerk", "jump")
        return out + [leg.row(what, limits) for leg in self.legs for what in each]

    def worse(self, limits: CostLimits | None = None) -> list[CostRow]:
        """Return the rows that are beyond their limits, in which planting made the clip worse."""
        return [row for row in self.rows(limits) if row.over]

    def worse_legs(self) -> list[str]:
        """Return a short line for each leg in which something is beyond its standard limit, counts leg by leg."""
        lines: list[str] = []
        for leg in self.legs:
            rows = [leg.row(what, CostLimits()) for what in (*_OWN, *("changed",) * self.level, "jerk", "jump")]
            if over := [row for row in rows if row.over]:
                told = [row.short.removeprefix(f"{leg.name} ").replace("knees", "knee", 1) for row in over]
                at = [row.frame for row in over if row.frame is not None]
                lines.append(Remark(f"{leg.name}: {'; '.join(told)}" + f", frame {FRAME}" * bool(at), *at[:1]))
        return lines

    @property
    def headline(self) -> str:
        """One line that says what is worse than the original; empty where nothing is."""
        told = "; ".join(row.short for row in self.worse())
        return f"Worse than the original: {told}" if told else ""

    def __str__(self) -> str:
        return self.headline or "No worse than the original"

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain numbers, lists and strings, ready for JSON; keys are the attributes."""
        told = asdict(self)
        told["legs"] = list(told["legs"])
        for leg in told["legs"]:
            for what in ("flexion", "overturned", "pops", "jerk", "jump"):
                leg[what] = dict(zip(("before", "after"), leg[what], strict=True))
        return {**told, "worse": [row.remark for row in self.worse()]}
