# SPDX-License-Identifier: MIT
"""At which height feet stand: the ground's level, contacts high above it, and how far a whole motion is off it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..ground import Ground
from .foot import FootModel, HeldFoot, LegTrack, Stance
from .spans import Span

__all__ = ["Levels", "lowest_near", "lowest_sole", "whole_rise"]

Array = NDArray[np.float64]


class Levels(NamedTuple):
    """At which height each contact stands, from the heights at which soles do; all in the clip's units."""

    level: float  # the height at which feet stand for longest
    ground: float  # the ground: that level, and the lowest that a sole ever is where no level has many contacts
    near: float  # contacts that are no further from the level stand on it
    uneven: float  # 0 where feet stand on the level for most of the time, 1 where no level has many of them
    spread: float  # how far the heights of all contacts are apart
    length: float  # the leg
    given: bool  # whether the ground is given: then what is off the level is a fault, unless it is far above


def lowest_sole(tracks: Sequence[LegTrack], models: Sequence[FootModel], up: Array) -> float:
    """Return the height of the lowest point of all soles: with no foot standing, nothing tells of another ground."""
    return _core.lowest_sole(tracks, models, [[]] * len(tracks), up)


def lowest_near(contacts: Sequence[Span], rises: Sequence[float], num: int) -> Array:
    """(F,) How far below the ground, ≤ 0, a foot may be: as far as in the contact it is in, or before and after."""
    return _core.lowest_near(contacts, np.array(rises, dtype=np.float64), num)


def whole_rise(feet: Sequence[HeldFoot], stances: Sequence[Stance], ground: Ground, up: Array, *, jumps: bool) -> float:
    """Return by how much all of a motion is moved along up first: the median of what standing feet are raised by.

    Ground that is not level has no such height, unless the motion is nowhere near it; in between it counts in part.
    A motion that `jumps` from lone frames or to them is only moved so far off its ground that nothing else leads there.
    """
    tracks, models, contacts = ([getattr(foot, what) for foot in feet] for what in ("track", "model", "contacts"))
    return _core.whole_rise(tracks, models, contacts, up, [stance.offset for stance in stances], ground, jumps)
