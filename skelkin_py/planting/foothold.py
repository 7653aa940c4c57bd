# SPDX-License-Identifier: MIT
"""How the ground holds a standing foot: the place it stands on, where that goes, and how it slopes.

On level ground that keeps still none of this is needed. Elsewhere a contact has a space of its own, in which the ground
is level and still: there the foot is held and rolled as on any floor, and the result is carried into the world.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..ground import Ground
from .foot import StandingFoot
from .spans import Span

__all__ = ["Foothold", "HeldFoot", "Hold", "Stance"]
__all__ += ["stances_of"]

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Hold:
    """How a foot is held where it stands flat and still.

    Parameters
    ----------
    turn : (F, 3) float64
        Rotation vectors in global space; they fade outside the held moments.
    spans : list of (first, last)
        The held moments.
    """

    turn: Array
    spans: list[Span]


@dataclass(frozen=True)
class Stance:
    """Corrections of one foot inside its contacts."""

    offset: Array  # (F, 3) what to add to the ankle, valid inside the contacts
    turn: Array  # (F, 3) rotation vector that turns the foot in global space; zero where its own rotation is kept
    held: list[Span]  # where the foot is held flat


@dataclass(frozen=True)
class Foothold:
    """The ground under one foot in its contacts.

    `place` (F, 3): the place that the foot stands on, as the ground carries it; valid inside contacts. `yaw` (F, 3, 3):
    how far the ground has turned about up since the middle of the contact, identity outside; None where it keeps still.
    `tilt` (F, 3): rotation vectors that turn a level foot to the ground; they fade outside contacts. `along`: whether
    the original's feet lie along the ground already.
    """

    place: Array
    yaw: Array | None
    tilt: Array
    along: bool = False

    @cached_property
    def lean(self) -> Array:
        """(F, 3, 3) From level ground to this."""
        return _core.turn_matrices(self.tilt)

    @cached_property
    def turn(self) -> Array:
        """(F, 3, 3) From the contact's own space into the world."""
        return self.lean if self.yaw is None else np.asarray(self.lean @ self.yaw)

    def part(self, own: slice) -> Foothold:
        """Return that of some of the frames."""
        yaw = None if self.yaw is None else self.yaw[own]
        return replace(self, place=self.place[own], yaw=yaw, tilt=self.tilt[own])


@dataclass(frozen=True)
class HeldFoot(StandingFoot):
    """A foot, when it stands and how it is held there."""

    rises: Sequence[float]  # per contact, how far above the ground it stands (something the ground does not show)
    hold: Hold  # how it is held where it stands flat
    foothold: Foothold | None  # the ground under it where that slopes or moves
    ground_step: Array | None  # (3,) how far level ground below its contacts goes per frame
    pinned: bool  # whether it is held in the level plane too, not in height alone
    places: Sequence[Array | None]  # (3,) per contact, over which point the ball stands; None: where it was on average


def stances_of(feet: Sequence[HeldFoot], ground: Ground, up: Array, window: int) -> list[Stance]:
    """Return where ankles have to be inside of contacts, their soles on the ground, and how feet are turned.

    `window`: frames over which a foot turns to the ground and back.
    """
    found = _core.stances(feet, ground, up, window)
    return [Stance(offset, turn, foot.hold.spans) for foot, (offset, turn) in zip(feet, found, strict=True)]
