# SPDX-License-Identifier: MIT
"""What is read from a clip before it is planted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .._support.array_types import Flags, Floats
from ..ground import Ground
from .foot import FootModel, HeldFoot, LegTrack, Levels
from .given_contacts import Pin
from .leg_tracks import Subset
from .loops import Loop
from .settings import Settings
from .spans import Span


@dataclass(frozen=True)
class Scene:
    """What is read from a clip, whatever its contacts are."""

    subset: Subset  # what was given
    settings: Settings
    fps: float
    planting: Any  # the state that the extension keeps
    tracks: list[LegTrack]  # the legs' motion
    up: Floats  # (3,) unit vector
    frames: Span  # the range to work on
    loop: Loop | None  # where the clip is a loop: its motion is unrolled while it is planned
    ground: Ground | None  # None where it is not given
    alone: Flags  # (F,) isolated frames, which are not changed
    velocity: Floats | None  # (3,) velocity of a ground that moves below the body, in the clip's units per second
    pins: list[list[Pin]]  # per leg, the contacts that are given with a place or a height, in frames of the clip
    remarks: list[str]  # messages about this

    @property
    def pin(self) -> bool:
        """Whether feet are held horizontally too."""
        on_it = self.velocity is None or self.settings.ground_velocity is not None
        return on_it and self.settings.contacts != "ground_only"

    @property
    def ground_step(self) -> Floats | None:
        """How far the ground moves per frame, in the clip's units."""
        return None if self.velocity is None else self.velocity / self.fps

    def check_pins(self, level: float | None) -> None:
        """Raise ValueError where places or heights of contacts cannot be kept; `level` is None on uneven ground."""
        for k, pins in enumerate(self.pins):
            key = f"contacts[{self.subset.legs[k].name!r}]"
            for pin in pins:
                span = f"{key}: ({pin.first}, {pin.last}) has a {'height' if pin.place is None else 'place'}"
                if level is None:
                    raise ValueError(f"{span}: that is for level ground, on any other feet stand where the ground is")
                if pin.place is not None and not self.pin:
                    raise ValueError(
                        f"{span}, and in a cycle in place only heights are corrected: give ground_velocity"
                    )

    def number(self, frame: int) -> int:
        """Return a frame of the clip: of an unrolled loop, the frame that repeats there."""
        return frame if self.loop is None else (frame - self.loop.margin) % self.loop.period

    @property
    def window(self) -> int:
        """Number of frames over which corrections fade."""
        return max(1, round(self.settings.blend * self.fps))


@dataclass(frozen=True)
class Standing:
    """When feet stand, and how they are held; lists are per leg."""

    contacts: list[list[Span]]  # inside the range to work on
    outside: bool  # whether there are contacts, but none inside that range
    models: list[FootModel]  # the soles
    feet: list[HeldFoot]  # how feet are held; empty where none stands
    levels: Levels | None  # the heights at which the clip stands, where the ground is level or not given
    rises: list[list[float]]  # per contact, how far above the ground it stands by these levels
    holes: int  # frames of contact lost since there is no ground
    steep: int  # and since the ground is too steep
    rolls_left: list[int]  # frames in which the foot stands differently from given heel and ball
