# SPDX-License-Identifier: MIT
"""What is known of a motion, its frames, and what these are planted as."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..ground import Ground
from .foot import Foothold, LegTrack
from .scene import Scene, Standing
from .spans import Span

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Known:
    """What is learned of a clip."""

    scene: Scene  # its up, velocity, settings and loop
    standing: Standing  # when feet stand, on which soles
    level: float  # height of the ground through the stance feet; where none stands, of the lowest point of all soles
    turns: Sequence[tuple[float, float]]  # per leg, how fast hip and knee may turn, see `turn_bounds`
    messages: list[str]  # what to tell the user

    @property
    def stands(self) -> bool:
        """Whether a foot stands anywhere."""
        return any(self.standing.contacts)

    @property
    def ground(self) -> Ground:
        """The ground, given or estimated."""
        return Ground(self.level) if self.scene.ground is None else self.scene.ground

    def telling(self, messages: Sequence[str]) -> Known:
        """Return the same with more to tell the user."""
        return replace(self, messages=[*self.messages, *messages])


@dataclass(frozen=True, kw_only=True)
class Part:
    """The frames of a motion, read."""

    local: Array  # (N, S, 4, 4) local matrices
    tracks: list[LegTrack]  # the legs' motion
    contacts: list[list[Span]]  # per leg
    footholds: list[Foothold | None]  # per leg, the ground under the foot where it slopes or moves
    ground: Ground  # the ground in these frames
    alone: NDArray[np.bool_]  # (N,) lone frames; in `local` they have the pose of the motion beside them
    judged: list[LegTrack] | None = None  # the legs' motion beside which planting is judged, where that is not `tracks`


@dataclass(frozen=True)
class Solved:
    """A motion that is planted."""

    local: Array  # (N, S, 4, 4) planted local matrices
    changed: dict[int, NDArray[np.intp]]  # per changed joint the rows in which it differs
    errors: Array  # (N, C) distance of every ankle from its target
    after: list[LegTrack]  # the legs' motion
    rises: list[list[float]]  # per leg and contact, how far above the ground it stands
    held: list[list[Span]]  # per leg, where the foot is held flat
    targets: list[Array]  # per leg, where the ankle had to go
    body: Array  # (N, 3) how the body is moved
    acceleration: float  # by how much that makes its acceleration greater at worst, in the clip's units per s²
