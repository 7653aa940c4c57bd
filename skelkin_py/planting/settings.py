# SPDX-License-Identifier: MIT
"""What the options of planting mean for one clip."""

from __future__ import annotations

import dataclasses
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..arguments import array_of
from ..ground import Ground, as_ground
from ..plant_options import PlantOptions

__all__ = ["Settings", "settled"]


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Settings(PlantOptions):
    """The options for a clip of which the length is known."""

    ground: Ground | None = None
    frames: tuple[int, int] = (0, 0)
    ground_velocity: NDArray[np.float64] | Literal["auto"] | None = None

    @property
    def bone_stretch(self) -> float:
        """Largest factor by which bones may lengthen; 1 where they may not."""
        return self.stretch if self.reach == "stretch" else 1.0


def settled(options: PlantOptions, num: int) -> Settings:
    """Return the options for a clip of `num` frames."""
    frames = (0, num - 1) if options.frames is None else _frames(options.frames, num)
    ground = as_ground(options.ground)
    if options.ground_velocity is not None and ground is not None and ground.level is None:
        raise ValueError("ground_velocity: a ground that moves so has to be level, a number or None")
    return Settings(**{**vars(options), "frames": frames, "ground": ground})


def _frames(frames: Any, num: int) -> tuple[int, int]:
    """Return the range (first, last), which lies inside the clip."""
    pair = array_of(frames, "frames")
    if pair.shape != (2,) or pair.dtype.kind not in "iu":
        raise TypeError(f"frames is {frames!r}: (first, last) is needed, two whole frames")
    first, last = int(pair[0]), int(pair[1])
    if not 0 <= first <= last < num:
        raise ValueError(f"frames is ({first}, {last}): 0 ≤ first ≤ last < {num} is needed")
    return first, last
