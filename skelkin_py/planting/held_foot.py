# SPDX-License-Identifier: MIT
"""All that is known of one foot when its path is planned: its contacts, and how it is held on the ground below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..ground import Ground
from .foot import StandingFoot
from .foothold import Foothold, place_on_foothold
from .placing import Stance, place_stance
from .stance import Hold

__all__ = ["HeldFoot"]

Array = NDArray[np.float64]


@dataclass(frozen=True)
class HeldFoot(StandingFoot):
    """A foot, when it stands and how it is held there.

    Parameters
    ----------
    rises : sequence of float
        Per contact, how far above the ground it stands.
    hold : Hold
        How it is held where it stands flat.
    foothold : Foothold or None
        The ground under it where that slopes or moves; None where it is level and keeps still.
    ground_step : (3,) float64 or None
        How far level ground below its contacts goes per frame.
    pinned : bool
        Whether it is held in the level plane too, not in height alone.
    places : sequence of ((3,) float64 or None)
        Per contact, over which point the ball stands; None where the foot stands where it was on average.
    """

    rises: Sequence[float]
    hold: Hold
    foothold: Foothold | None
    ground_step: Array | None
    pinned: bool
    places: Sequence[Array | None]

    def stance(self, ground: Ground, up: Array, window: int) -> Stance:
        """Return where its ankle has to be inside its contacts.

        `window`: frames over which a foot turns to the ground and back. Returns offsets of the ankle, and how the foot
        is turned.
        """
        if self.foothold is None:
            return place_stance(
                self, self.hold, self.rises, ground, up, self.ground_step, pin=self.pinned, places=self.places
            )
        return place_on_foothold(self, self.hold, self.foothold, self.rises, ground, up, pin=self.pinned, window=window)
