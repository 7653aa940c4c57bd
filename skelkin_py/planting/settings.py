# SPDX-License-Identifier: MIT
"""The options of planting as they apply to one clip, and as the extension takes them."""

from __future__ import annotations

import dataclasses
from typing import Literal

from .._support.arguments import frame_range
from .._support.array_types import Floats
from ..ground import Ground, as_ground
from ..motion.plant_options import PlantOptions
from .given_contacts import GivenLeg


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Settings(PlantOptions):
    """The options for a clip of known length."""

    ground: Ground | None = None
    frames: tuple[int, int] = (0, 0)
    ground_velocity: Floats | Literal["auto"] | None = None


@dataclasses.dataclass(frozen=True)
class EngineOptions:
    """The options of the extension, by the names in csrc/python/planting/engine/planting_options.c."""

    mode: str  # of contacts: `Settings.contacts`, or "given"
    given: list[GivenLeg]  # where the mode is "given"
    first: int  # the frames to work on
    last: int
    up: Floats | None  # (3,) a unit vector; None to find it from the motion
    belt: str  # the ground's velocity: "unknown", "measured", "given"
    belt_velocity: Floats  # (3,) in the clip's units per second
    sole: float | None
    align: float
    max_slope: float
    blend: float
    reach: str
    stretch: float  # 1: bones do not lengthen
    pelvis_acceleration: float
    toe_bend: float  # radians
    loop: str  # "auto", "never", "given"


def settled(options: PlantOptions, num: int) -> Settings:
    """Return the options for a clip of `num` frames."""
    frames = (0, num - 1) if options.frames is None else frame_range(options.frames, num)
    ground = as_ground(options.ground)
    if options.ground_velocity is not None and ground is not None and ground.level is None:
        raise ValueError("ground_velocity: a ground that moves so has to be level, a number or None")
    return Settings(**{**vars(options), "frames": frames, "ground": ground})
