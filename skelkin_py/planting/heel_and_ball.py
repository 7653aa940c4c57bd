# SPDX-License-Identifier: MIT
"""Feet turned to stand on heel, ball or both, as it is given for each apart.

A foot rolls about its heel where its toes are up, else about its ball; it stands on both where it is flat. So a foot
whose heel and ball are given is turned, where it does not stand so by itself, and all else follows from that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .blend import Span
from .foot import FootModel, LegTrack
from .foothold import Foothold, level_tracks
from .stance import Hold

__all__ = ["GivenRoll", "standing_flat"]

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

_POINT = 1e-9  # leg: a foot whose heel and ball are nearer has no length


@dataclass(frozen=True)
class GivenRoll:
    """On which part of it one foot is to stand.

    Parameters
    ----------
    track : LegTrack
        The leg's motion in the world.
    foothold : Foothold or None
        The ground under the foot; None where it is level and keeps still.
    contacts : sequence of (first, last)
        The foot's contacts.
    given : (F,) int8
        1 on its heel, 0 flat, −1 on its ball; valid inside the contacts.
    up : (3,) float64
        Unit vector.
    fps : float
        Frames per second.
    windows : (int, int)
        Frames over which a turn fades where the foot is held by itself, and where it is turned, to the ground too.
    """

    track: LegTrack
    foothold: Foothold | None
    contacts: Sequence[Span]
    given: NDArray[np.int8]
    up: Array
    fps: float
    windows: tuple[int, int]

    @cached_property
    def level(self) -> LegTrack:
        """The leg's motion with the foot as it is where the ground is level and still."""
        return level_tracks([self.track], [self.foothold])[0]

    def wrong(self, model: FootModel, turn: Array) -> Flags:
        """(F,) In which frames a foot that is turned so would stand otherwise than given."""
        return _core.roll_wrong(self, model, turn)

    def hold(self, model: FootModel, own: Hold) -> Hold:
        """Return how to hold and turn the foot so that it stands as given.

        `own`: how it is held by itself; comes back as it is if the foot stands as given with it. Returns the turn, and
        where the foot is held flat.
        """
        return Hold(*_core.roll_hold(self, model, own))

    def points_alike(self, model: FootModel) -> bool:
        """Whether nothing tells heel and ball of this foot apart."""
        return bool(np.linalg.norm(model.along) <= _POINT * self.track.length)


def standing_flat(
    contacts: Sequence[Sequence[Span]], rolls: Sequence[NDArray[np.int8] | None] | None
) -> list[Sequence[Span]]:
    """Return the contacts in which feet may be held flat: all but those that are given for heel or ball alone."""
    if rolls is None:
        return list(contacts)
    pairs = zip(contacts, rolls, strict=True)
    return [
        spans if roll is None else [(a, b) for a, b in spans if (roll[a : b + 1] == 0).any()] for spans, roll in pairs
    ]
