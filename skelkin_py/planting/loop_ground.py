# SPDX-License-Identifier: MIT
"""The ground of a loop, that of the clip carried on with every period: see csrc/planting/loops/loop_ground.h."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..ground import Footing, Ground
from .loops import Loop

__all__ = ["LoopGround", "clip_ground"]

Array = NDArray[np.float64]
Ints = NDArray[np.intp]


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
