# SPDX-License-Identifier: MIT
"""Loops: clips whose last pose is the first, in place or moved by a displacement and a turn about up.

A loop is planted unrolled, as a piece of the endless motion: periods are put before and after it, so that contacts,
blends and all smoothing continue across the seam, and the middle is cut out again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._support.array_types import Floats
from .leg_tracks import Subset
from .spans import Span

Ints = NDArray[np.intp]


@dataclass(frozen=True)
class Loop:
    """How a clip continues where it ends.

    Frames of the unrolled motion are counted from its own first one; the clip's first frame is number `margin` there.
    """

    period: int  # frames from the first pose to its return: one less than the clip has
    margin: int  # frames put before the clip, and after it
    # (4, 4) moves the first pose onto the last: a turn about up and a displacement, horizontal on level ground
    travel: Floats
    gap: float  # how far a point of a leg then is from its place in the last pose at most, in leg lengths
    planted: Floats  # (4, 4) the same for the planted poses, which also move up or down with the ground
    rides: bool  # whether the ground carries a foot that never leaves it as the body is carried

    @property
    def turns(self) -> bool:
        """Whether the last pose faces another way."""
        return not np.array_equal(self.travel[:3, :3], np.eye(3))

    @property
    def middle(self) -> slice:
        """The clip's frames in the unrolled motion."""
        return slice(self.margin, self.margin + self.period + 1)

    def roll_up(self, spans: Sequence[Span]) -> list[tuple[Span, int]]:
        """Return the clip's part of spans of the unrolled motion, each with the number of the span it comes from.

        A span that crosses the seam is there twice, at the clip's end and at its beginning.
        """
        inside = [(max(a - self.margin, 0), min(b - self.margin, self.period)) for a, b in spans]
        return [(span, number) for number, span in enumerate(inside) if span[0] <= span[1]]

    def closing_pose(self, subset: Subset, first: Floats, last: Floats, joints: Iterable[int], length: float) -> Floats:
        """Return the planted clip's last pose, which is the planted first one where planting changed it.

        `first` (S, 4, 4): local matrices of the planted first pose. `last` (S, 4, 4): those of the original last pose;
        what differs by rounding alone is taken from it. `joints`: those that changed. `length`: leg length. Returns (S,
        4, 4): local matrices.
        """
        changed = np.zeros(len(first), dtype=np.bool_)
        changed[list(joints)] = True
        return _core.closing_pose(self, subset, first, np.ascontiguousarray(last), changed, length)


def displacement_in_words(loop: Loop, up: Floats) -> str:
    """Return how the last pose of a loop is moved from the first, in words; nothing where it is not."""
    turn, moved = loop.travel[:3, :3], loop.planted[:3, 3]
    rise = float(moved @ up)
    words = []
    if loop.turns:
        sine = 0.5 * np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]]) @ up
        words.append(f"turned by {np.degrees(np.arctan2(sine, 0.5 * (np.trace(turn) - 1.0))):.3g}°")
    elif (distance := float(np.linalg.norm(moved - rise * up))) > 0.0:
        words.append(f"{distance:.4g} units on")
    if rise:
        words.append(f"{abs(rise):.4g} units {'up' if rise > 0.0 else 'down'}")
    return "".join(f", {word}" for word in words)


def about_open(loop: Loop, up: Floats, why: str | None) -> str:
    """Say why a clip is not closed although its last pose is the first; `why` is None for any other clip."""
    return f"the last pose is the first{displacement_in_words(loop, up)}, but {why}: it is not closed" if why else ""
