# SPDX-License-Identifier: MIT
"""The rows of the judge: what each is called, what it says, and the bar that it must not pass."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

Bar = Callable[[float, float, float], float]  # original, optimum, seconds → the most that is allowed


@dataclass(frozen=True)
class Kind:
    """A row: its short name in tables, its meaning, and its bar (None: it is shown and not judged)."""

    title: str
    meaning: str
    bar: Bar | None
    digits: int = 3


def _or_optimum(bar: Bar) -> Bar:
    """The larger of a bar and 1.1 times the optimum's own figure."""

    def most(original: float, optimum: float, seconds: float) -> float:
        own = bar(original, optimum, seconds)
        return own if math.isnan(optimum) else max(own, 1.1 * optimum)

    return most


KINDS: dict[str, Kind] = {
    "overturned": Kind(
        "over", "frames in which a knee that stays bent > 7° turns its bend by > 90°: at most the original's",
        _or_optimum(lambda o, s, t: o),
    ),
    "backward": Kind(
        "back", "frames whose signed flexion is below min(original, 0) − 1°: none", _or_optimum(lambda o, s, t: 0.0)
    ),
    "changed": Kind(
        "chg %", "percent of frames whose flexion differs by > 10°, flexions below 11.5° counted as that: at most 5",
        _or_optimum(lambda o, s, t: 5.0),
    ),
    "pops": Kind(
        "pops", "frames with a second difference of the flexion > 8 000°/s²: at most 1.1 × the original's + 3",
        _or_optimum(lambda o, s, t: 1.1 * o + 3.0),
    ),
    "jerk": Kind(
        "jerk", "highest third difference of the flexion, 10⁶ °/s³: at most 1.2 × the original's",
        _or_optimum(lambda o, s, t: 1.2 * o),
    ),
    "jump": Kind(
        "jump", "highest second difference of the ankle, leg/frame²: at most 1.2 × the original's + 0.01",
        _or_optimum(lambda o, s, t: 1.2 * o + 0.01), 4,
    ),
    "turn": Kind("turn", "fastest turn of the thigh, degrees a frame; not judged", None),
    "skating": Kind(
        "skate %", "the papers' skating ratio, percent: not higher than before", _or_optimum(lambda o, s, t: o + 1e-9)
    ),
    "cost": Kind("J", "the objective: at most 1.05 J* + 0.01 a second", lambda o, s, t: 1.05 * s + 0.01 * t),
    "leg acceleration": Kind(
        "leg", "acceleration added to the ankles relative to the hips, RMS of vectors, leg/s²: at most 1.15 × the "
        "optimum's + 0.1", lambda o, s, t: 1.15 * s + 0.1,
    ),
    "body acceleration": Kind(
        "body", "acceleration added to the hips, the same way: at most 1.15 × the optimum's + 0.1",
        lambda o, s, t: 1.15 * s + 0.1,
    ),
    "body moved": Kind("moved", "greatest shift of the hips, percent of the leg; not judged", None),
    "body moved, RMS": Kind("RMS", "the same, root of the mean square; not judged", None),
    "noise": Kind(
        "noise", "what noise of 1e-5 on every rotation and, in legs, on the root moves hips, ankles and toes, in 1e-4 "
        "leg: at most 5; where a contact's end moves by it, 1.2 × what it moves in the optimum",
        lambda o, s, t: 5.0 if math.isnan(s) else max(5.0, 1.2 * s),
    ),
    "noise, knees": Kind(
        "knees", "the same for knees: at most 50, or 1.2 × the optimum's",
        lambda o, s, t: 50.0 if math.isnan(s) else max(50.0, 1.2 * s),
    ),
    "flips": Kind(
        "flips", "longest run of frames that the same noise takes into a contact or out of one: at most 1",
        lambda o, s, t: 1.0,
    ),
    "float32": Kind(
        "f32", "what rounding to float32 moves any joint of a leg, in 1e-4 leg: at most 1", lambda o, s, t: 1.0,
    ),
    "float32, turned": Kind("f32 °", "and turns a thigh or foot, degrees: at most 0.1", lambda o, s, t: 0.1),
    "again": Kind(
        "again", "what planting anew moves any joint of a leg, in 1e-4 leg: at most 10", lambda o, s, t: 10.0,
    ),
    "check": Kind(
        "check", "slide, penetration or float of the planted clip looked at anew, worst, percent of the leg: at most 1",
        lambda o, s, t: 1.0,
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Row:
    """One figure of one leg, or of the clip where `leg` is empty; NaN where a version has none."""

    kind: str
    leg: str
    original: float
    planted: float
    optimum: float
    most: float

    @property
    def over(self) -> bool:
        return not self.planted <= self.most  # what is no number is over its bar too

    @property
    def excess(self) -> float:
        """Planted in parts of what is allowed; 0 where nothing is judged."""
        if math.isinf(self.most):
            return 0.0
        return self.planted / self.most if self.most > 0.0 else (math.inf if self.planted > 0.0 else 0.0)


def row(kind: str, leg: str, original: float, planted: float, optimum: float, seconds: float) -> Row:
    """Make a row and look up its bar."""
    bar = KINDS[kind].bar
    most = math.inf if bar is None else bar(original, optimum, seconds)
    return Row(kind, leg, float(original), float(planted), float(optimum), float(most))
