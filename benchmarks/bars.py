# SPDX-License-Identifier: MIT
"""What each case has to reach: a time that is not exceeded, or a part of the best peer's speed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Bar:
    """`candidate` of `case` has to take at most `at_most`, or to reach `part_of_best` of the fastest peer."""

    case: str
    candidate: str
    words: str
    at_most: float | None = None
    part_of_best: float | None = None


BARS = (
    Bar("one pose, 24 joints", "skelkin", "≤ 2 µs", at_most=2.0),
    Bar("linear, 1 poses", "skelkin, out=", "within 2× of the best peer", part_of_best=0.5),
    Bar("linear, 64 poses", "skelkin, out=", "within 2× of the best peer", part_of_best=0.5),
    Bar("3 000 frames, 60 joints, 2 legs", "read, plant, write", "≤ 0.5 s", at_most=0.5),
)
BLENDER_BARS = {"3.4": 15.0, "4.": 2.0, "5.": 2.0}  # times as fast as the bake of all bones
SWITCH_SECONDS = 1.5  # on 1 000 frames and 60 bones
NO_PEER = ("memset", "memcpy", "read", "plant", "write", "read, plant, write", "switch", "bake legs")
