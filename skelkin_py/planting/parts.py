# SPDX-License-Identifier: MIT
"""A motion while it is planted: its analysis, its frames, and the planted poses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._support.array_types import Flags, Floats
from ..ground import Ground
from .foot import Foothold, LegTrack
from .leg_tracks import Subset, leg_tracks
from .scene import Scene, Standing
from .spans import Span

Frames = slice | NDArray[np.intp]


@dataclass(frozen=True)
class Known:
    """The analysis of a clip."""

    scene: Scene  # what does not depend on the contacts
    standing: Standing  # when feet stand, on which soles
    level: float  # height of the ground through the stance feet; where none stands, of the lowest point of all soles
    turns: Sequence[tuple[float, float]]  # per leg, how fast hip and knee may turn, see `turn_bounds`
    messages: list[str]  # for the user

    @property
    def stands(self) -> bool:
        """Whether a foot stands anywhere."""
        return any(self.standing.contacts)

    @property
    def ground(self) -> Ground:
        """The ground, given or estimated."""
        return Ground(self.level) if self.scene.ground is None else self.scene.ground

    def with_messages(self, messages: Sequence[str]) -> Known:
        """Return the same with more messages."""
        return replace(self, messages=[*self.messages, *messages])


@dataclass(frozen=True, kw_only=True)
class Part:
    """The frames of a motion as they were read."""

    local: Floats  # (N, S, 4, 4) local matrices
    tracks: list[LegTrack]  # the legs' motion
    contacts: list[list[Span]]  # per leg
    footholds: list[Foothold | None]  # per leg, the ground under the foot where it slopes or moves
    ground: Ground  # the ground in these frames
    alone: Flags  # (N,) isolated frames; in `local` they have the pose of the motion beside them
    judged: list[LegTrack] | None = None  # the legs' motion to compare with, where that is not `tracks`

    def at(self, frames: Frames, subset: Subset, local: Floats, **changes: Any) -> Part:
        """Return some of the frames, or the same one several times, with other local matrices and other changes."""
        footholds = [None if foothold is None else foothold.part(frames) for foothold in self.footholds]
        tracks = leg_tracks(subset, local, self.tracks)
        return replace(self, local=local, tracks=tracks, footholds=footholds, alone=self.alone[frames], **changes)


@dataclass(frozen=True)
class Solved:
    """A planted motion."""

    local: Floats  # (N, S, 4, 4) planted local matrices
    changed: dict[int, NDArray[np.intp]]  # per changed joint the frames in which it differs
    errors: Floats  # (N, C) distance of every ankle from its target
    after: list[LegTrack]  # the legs' motion
    rises: list[list[float]]  # per leg and contact, how far above the ground it stands
    held: list[list[Span]]  # per leg, when the foot is held flat
    targets: list[Floats]  # per leg, (N, 3) target of the ankle
    body: Floats  # (N, 3) body shift
    acceleration: float  # by how much that raises the body's acceleration at worst, in the clip's units per s²

    def at(self, frames: Frames, subset: Subset, local: Floats, **changes: Any) -> Solved:
        """Return some of the frames, or the same one several times, with other local matrices and other changes."""
        after, targets = leg_tracks(subset, local, self.after), [target[frames] for target in self.targets]
        errors, body = self.errors[frames], self.body[frames]
        return replace(self, local=local, after=after, errors=errors, targets=targets, body=body, **changes)
