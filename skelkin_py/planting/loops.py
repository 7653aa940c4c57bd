# SPDX-License-Identifier: MIT
"""Loops: clips whose last pose is the first, in place or carried on by a displacement and a turn about up.

A loop is planted as a piece of the endless motion: periods are put before and after it, so that contacts, blends
and all smoothing go on across the seam, and the middle is cut out again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .leg_tracks import Subset
from .spans import Span

Array = NDArray[np.float64]
Ints = NDArray[np.intp]


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


def about_open(loop: Loop, up: Array, why: str | None) -> str:
    """Say why a clip is left open though its last pose is the first; nothing where it is not."""
    return f"the last pose is the first{way_of(loop, up)}, but {why}: it is not closed" if why else ""
