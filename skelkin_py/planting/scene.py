# SPDX-License-Identifier: MIT
"""What is known about a clip while it is planted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..ground import Ground
from .blend import Span
from .contact_search import Standing
from .cost_tally import CostTally
from .foot import FootModel, LegTrack
from .foothold import Foothold, HeldFoot
from .given_contacts import Pin
from .leg_tracks import Subset
from .levels import Levels
from .loops import Loop
from .settings import Settings
from .slopes import Alignment
from .stance import Hold

__all__ = ["Scene"]

Array = NDArray[np.float64]


@dataclass
class Scene:
    """What is known about a clip while it is planted.

    Parameters
    ----------
    subset, settings, fps
        What was given.
    tracks, models : list
        The legs' motion, and their soles.
    up : (3,) float64
        Unit vector.
    frames : (first, last)
        The range to work on.
    loop : Loop or None
        Where the clip is one: the motion is unrolled while it is planned.
    contacts : list of list of (first, last)
        Per leg.
    rises : list of list of float
        Per leg and contact, how far above the ground it stands.
    velocity : (3,) float64 or None
        Velocity of a ground that moves below the body, in the clip's units per second.
    ground : Ground or None
        The ground; None while unknown.
    holds : list of Hold
        Per leg, how it is held where it stands flat.
    first_models, hold_models : list of FootModel
        The soles by which contacts, and by which holds were found, before they were fitted to what is held.
    found : list of list of (first, last)
        Per leg, contacts as they were found or given, before the range and the ground cut them.
    contacts_outside : bool
        Whether there are contacts, all of them outside the range that is worked on.
    on_ground : bool
        Whether contacts were found relative to ground that slopes or moves.
    footholds : list of (Foothold or None), optional
        Per leg, the ground under the foot where it slopes or moves; None where all of it is level.
    levels : Levels, optional
        The heights at which the clip stands, where the ground is level or not given.
    rolls : list of ((F,) int8 or None), optional
        Per leg, on which part of it the foot is to stand, see `Standing`; None where that is not given.
    pins : list of list of Pin
        Per leg, the contacts that are given with a place or a height, in frames of the clip.
    alone : (F,) bool
        Lone frames, which are left as they are.
    messages : list of str
        What to tell the user.
    remarks : list of str
        What of that was said before contacts were read.
    standing : Standing, optional
        When feet stand, as it was found, or given.
    """

    subset: Subset
    settings: Settings
    fps: float
    tracks: list[LegTrack]
    models: list[FootModel]
    up: Array
    frames: Span
    loop: Loop | None
    contacts: list[list[Span]]
    rises: list[list[float]]
    velocity: Array | None
    ground: Ground | None
    holds: list[Hold]
    first_models: list[FootModel] = field(default_factory=list)
    hold_models: list[FootModel] = field(default_factory=list)
    found: list[list[Span]] = field(default_factory=list)
    contacts_outside: bool = False
    on_ground: bool = False
    footholds: list[Foothold | None] | None = None
    levels: Levels | None = None
    rolls: list[NDArray[np.int8] | None] | None = None
    pins: list[list[Pin]] = field(default_factory=list)
    alone: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, dtype=np.bool_))
    messages: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    standing: Standing | None = None

    @property
    def num_frames(self) -> int:
        """Length of the clip."""
        return len(self.tracks[0].hip)

    @property
    def pin(self) -> bool:
        """Whether feet are held in the level plane too."""
        on_it = self.velocity is None or self.settings.ground_velocity is not None
        return on_it and self.settings.contacts != "ground_only"

    @property
    def ground_step(self) -> Array | None:
        """How far the ground goes per frame, in the clip's units."""
        return None if self.velocity is None else self.velocity / self.fps

    @property
    def alignment(self) -> Alignment:
        """How feet turn to ground that slopes."""
        return Alignment(self.settings.align, self.settings.max_slope, self.window)

    def held_feet(
        self,
        tracks: list[LegTrack],
        contacts: list[list[Span]],
        rises: list[list[float]],
        holds: list[Hold],
        footholds: Sequence[Foothold | None] | None,
        level: float | None,
        first: int = 0,
    ) -> list[HeldFoot]:
        """Return the feet whose paths are planned, in some frames or in all of the motion.

        `level`: height of the ground; None where it is not level. `first`: which frame of the motion the first of them
        is.
        """
        none, steps = [None] * len(tracks), self._ground_steps(tracks, contacts, holds)
        places: list[list[Array | None]] = [[None] * len(spans) for spans in contacts]
        rises = [list(own) for own in rises]
        for k, pins in enumerate(self.pins):
            for n, (start, _) in enumerate(contacts[k] if pins else ()):
                for pin in (pin for pin in pins if pin.first <= self.number(first + start) <= pin.last):
                    if pin.height is not None and level is not None:
                        rises[k][n] = pin.height - level
                    if pin.place is not None:
                        places[k][n] = pin.place if self.loop is None else self.loop.carried(pin.place, first + start)
        each = zip(
            tracks, self.models, contacts, rises, holds, footholds or none, steps, [self.pin] * len(tracks), places,
            strict=True,
        )  # fmt: skip
        return [HeldFoot(*known) for known in each]

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

    def cost_tally(self, length: float, num: int, frames: Span, glitches: Array | None = None) -> CostTally:
        """Return what adds up the cost of planting, of a clip of so many frames."""
        level = self.ground is None or self.ground.level is not None
        turn = None if self.loop is None else self.loop.travel[:3, :3]
        return CostTally([leg.name for leg in self.subset.legs], self.fps, length, num, frames, level, glitches, turn)

    def _ground_steps(
        self, tracks: list[LegTrack], contacts: list[list[Span]], holds: list[Hold]
    ) -> list[Array | None]:
        """Return, per leg, how far the ground below its contacts goes per frame, in the clip's units."""
        steps = [self.ground_step] * len(tracks)
        if self.loop is not None and len(tracks[0].hip) == self.loop.num_frames:
            for k in _endless(contacts, self.loop.num_frames):
                steps[k] = self.loop.creep(tracks[k], self.models[k], holds[k], self.up)
        return steps

    @property
    def drift(self) -> tuple[float, float]:
        """How far the ground of a loop goes up beyond the clip per frame, and from which frame on."""
        loop = self.loop
        if loop is None:
            return 0.0, 0.0
        lift = float((loop.planted - loop.travel)[:3, 3] @ self.up)
        return lift / loop.period, float(loop.margin)

    @property
    def own_frames(self) -> NDArray[np.bool_]:
        """(F,) The frames that tell about the clip: of an unrolled motion one period."""
        own = np.ones(self.num_frames, dtype=np.bool_)
        if self.loop is not None:
            own[: self.loop.margin] = own[self.loop.margin + self.loop.period :] = False
        return own

    def number(self, frame: int) -> int:
        """Return a frame of the clip: of a loop that is planned unrolled, the one that comes again there."""
        return frame if self.loop is None else (frame - self.loop.margin) % self.loop.period

    @property
    def never_lifts(self) -> bool:
        """Whether a foot stands in every frame."""
        return bool(_endless(self.contacts, self.num_frames))

    @property
    def window(self) -> int:
        """Frames over which corrections fade."""
        return max(1, round(self.settings.blend * self.fps))


def _endless(contacts: list[list[Span]], num: int) -> list[int]:
    """Return the legs that stand in every one of so many frames."""
    return [k for k, spans in enumerate(contacts) if spans == [(0, num - 1)]]
