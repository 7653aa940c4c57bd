# SPDX-License-Identifier: MIT
"""The foot as planting sees it: points of the sole under ankle and ball, at the back of the heel and at the toe tip.

Joints lie inside the body; what touches the ground is the sole. The points under ankle and ball are fixed to
the foot joint and at the same level when the foot stands flat, so that "heel up", "flat" and "toe up" follow
from their heights alone, whichever way the joint's own axes point. The foot rolls about these two; the back of
the heel and the tip of the toes only have to stay above the ground.

On ground that slopes or moves a contact has a space of its own, in which the ground is level and still: there the foot
is held and rolled as on any floor, and the result is transformed back.

The heights at which feet stand are here too: the ground's level, and contacts high above it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._support.array_types import Floats
from .spans import Span


@dataclass(frozen=True)
class LegTrack:
    """Global motion of one leg."""

    hip: Floats  # (F, 3) joint positions
    knee: Floats
    ankle: Floats
    foot: Floats  # (F, 3, 3) linear part of the foot joint's global matrix
    ball: Floats | None  # (3,) ball of the foot (toe joint, else end site) in the foot joint's frame
    bends: bool  # whether the ball is a joint
    length: float  # thigh and shin together: the median over the clip
    marker: Floats | None = None  # (3,) a joint that marks the heel, in the foot joint's frame
    rest_up: Floats | None = None  # (3,) up in the foot joint's frame in a rest pose that stands
    # (3,) the knee's axis in the axes of the thigh: a positive turn of the shin about it is flexion; zeros where
    # neither the clip nor the rest pose shows it
    hinge: Floats = field(default_factory=lambda: np.zeros(3))
    # (F,) the knee's flexion about it in degrees, negative where the knee is bent backward
    flexion: Floats = field(default_factory=lambda: np.zeros(0))


@dataclass(frozen=True)
class FootModel:
    """Where the sole is, in the foot joint's frame."""

    heel: Floats  # (3,) the sole under the ankle
    # (3,) the ball joint where the toes bend there, else the sole under the end site; the heel where there is neither
    ball: Floats
    # how far below `ball` the sole is, in the clip's units: straight below, as bent toes stay level under a rising
    # foot; where the toes are up, square to the sole
    drop: float
    clearance: float  # distance of the ball joint (of the ankle, where there is no ball) above the sole, in leg lengths
    source: str  # where `clearance` comes from, in words
    # (3,) the back of the heel, level with `heel`; equal to it where the direction of the foot is unknown. The foot
    # rolls about it while its toes are up
    back: Floats
    along: Floats  # (3,) from `heel` to the sole under the ball of a flat foot
    # how much lower the whole sole is, in the clip's units: straight below, however the foot is turned
    raised: float = 0.0

    def outline(self, foot: Floats, up: Floats) -> Floats:
        """Return the sole under ankle and ball and the back of the heel, relative to the ankle: (3, F, 3)."""
        return _core.sole_outline(self, np.ascontiguousarray(foot), up)


@dataclass(frozen=True)
class Foothold:
    """The ground under one foot in its contacts.

    `place` (F, 3): the point that the foot stands on, as the ground carries it; valid inside contacts. `yaw` (F, 3, 3):
    how far the ground has turned about up since the middle of the contact, identity outside; None for ground that does
    not move. `tilt` (F, 3): rotation vectors that turn a level foot to the ground; they fade outside contacts. `along`:
    whether the feet of the original lie along the ground already.
    """

    place: Floats
    yaw: Floats | None
    tilt: Floats
    along: bool = False

    @cached_property
    def lean(self) -> Floats:
        """(F, 3, 3) Rotations from level ground to this."""
        return _core.turn_matrices(self.tilt)

    @cached_property
    def turn(self) -> Floats:
        """(F, 3, 3) Rotations from the contact's own space to that of the clip."""
        return self.lean if self.yaw is None else np.asarray(self.lean @ self.yaw)

    def part(self, own: slice | NDArray[np.intp]) -> Foothold:
        """Return the foothold in some of the frames."""
        yaw = None if self.yaw is None else self.yaw[own]
        return replace(self, place=self.place[own], yaw=yaw, tilt=self.tilt[own])


@dataclass(frozen=True)
class HeldFoot:
    """How a foot is held in its contacts."""

    rises: list[float]  # per contact, how far above the ground it stands, on something the ground does not include
    held: list[Span]  # when it stands flat and still
    foothold: Foothold | None  # the ground under it, where that slopes or moves


class Levels(NamedTuple):
    """The heights at which contacts stand, in the clip's units."""

    level: float  # the height at which feet stand for longest
    ground: float  # the height of the ground: that level, or the lowest sole of all where no level has many contacts
    near: float  # contacts no further than this from the level stand on it
    uneven: float  # 0 where feet stand on the level for most of the time, 1 where no level has many of them
    spread: float  # difference of the highest and the lowest contact
    length: float  # leg length
    given: bool  # whether the ground is given: contacts off the level are then moved to it, unless far above


def lowest_sole(tracks: Sequence[LegTrack], models: Sequence[FootModel], up: Floats) -> float:
    """Return the height of the lowest point of all soles, which is the ground where no foot stands."""
    return _core.lowest_sole(tracks, models, [[]] * len(tracks), up)


def lowest_near(contacts: Sequence[Span], rises: Sequence[float], num: int) -> Floats:
    """(F,) How far below the ground, ≤ 0, a foot may be: as low as the contact it is in, or those before and after."""
    return _core.lowest_near(contacts, np.array(rises, dtype=np.float64), num)
