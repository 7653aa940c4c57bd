# SPDX-License-Identifier: MIT
"""Where there is ground to stand on, and how it goes and slopes there: the footholds, read from below the soles.

Contacts end where the ground has a hole or is too steep.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..ground import Ground
from .blend import Span
from .foot import StandingFoot
from .foothold import Foothold

__all__ = ["Alignment", "read_footholds"]

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Alignment:
    """How feet turn to ground that slopes."""

    weight: float  # 0 … 1: how much of the slope a foot takes on
    max_slope: float  # degrees: what is steeper is no ground to stand on
    window: int  # frames over which a foot turns to the ground and back

    @property
    def steepest(self) -> float:
        """Cosine of the steepest slope to stand on."""
        return float(np.cos(np.radians(self.max_slope)))


def read_footholds(
    feet: Sequence[StandingFoot],
    ground: Ground,
    up: Array,
    alignment: Alignment,
    *,
    pin: bool,
    part: bool = False,
) -> tuple[list[list[Span]], list[Foothold | None], list[str]]:
    """Leave out contacts without ground to stand on, and read how it slopes and moves under the others.

    `part` says that these are some frames of a clip: those may have no ground at all. Returned are what is left, per
    leg the ground under the foot where it slopes or moves, and what to say of what was left out.
    """
    left, found, holes, steep, nowhere = _core.read_footholds(
        feet, ground, up, alignment.weight, alignment.steepest, alignment.window, pin, part
    )
    if nowhere:
        place = ", ".join(f"{x:.6g}" for x in feet[0].track.ankle[0])
        raise ValueError(
            f"ground: there is none below or above any foot in any frame, such as at ({place}) in frame 0: is it in "
            "the clip's space, unit and axes?"
        )
    messages = [
        f"the ground {why} where feet would stand in {num} frame{'s' * (num > 1)}: there they are in no contact, and "
        "keep their own height above the body"
        for num, why in zip((holes, steep), ("has a hole", f"is steeper than {alignment.max_slope:g}°"), strict=True)
        if num
    ]
    footholds: list[Foothold | None] = [None] * len(feet)
    for k, hold in enumerate(found):
        if hold is not None:
            (place, yaw, tilt), along = hold
            footholds[k] = Foothold(place, yaw, tilt, along)
    return left, footholds, messages
