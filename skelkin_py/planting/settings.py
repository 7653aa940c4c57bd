# SPDX-License-Identifier: MIT
"""The options of planting, checked once for every way in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..arguments import FARTHEST, array_of, positive_number, real_number
from ..ground import Ground, as_ground
from .contacts import CONTACT_MODES

__all__ = [
    "ACCELERATION",
    "ALIGN",
    "BLEND",
    "MAX_SLOPE",
    "STRETCH",
    "LegReach",
    "Reach",
    "Settings",
    "check_settings",
]

Reach = Literal["soften", "stretch", "lower_pelvis"]

ACCELERATION = 20.0  # leg/s²: by how much the body's acceleration may become greater
BLEND = 0.2  # s: how long a correction takes to fade outside a contact
_LARGEST = 1e6  # blend (s) and stretch: beyond, a blend is no number of frames any more
_UNIT = 1e60  # m: of the clip, and the inverse of its least one
MAX_SLOPE = 60.0  # degrees: what is steeper is no ground to stand on
STRETCH = 1.05  # largest factor by which bones lengthen for `reach="stretch"`
ALIGN = 1.0  # how much of the ground's slope a standing foot takes on


class LegReach(NamedTuple):
    """What happens to a leg that is too short for the place of its foot.

    Attributes
    ----------
    way : "soften", "lower_pelvis" or "stretch"
        As in `plant_feet`.
    stretch : float
        Largest factor by which bones may lengthen; 1 where they may not.
    """

    way: Reach
    stretch: float


class Settings(NamedTuple):
    """Checked options, named as in `plant_feet`."""

    ground: Ground | None
    contacts: Any
    reach: Reach
    stretch: float
    frames: tuple[int, int]
    up: Any
    metres_per_unit: float | None
    blend: float
    sole: float | None
    max_slope: float = MAX_SLOPE
    align: float = ALIGN
    toe_bend: float = 0.0
    pelvis_acceleration: float = ACCELERATION
    ground_velocity: NDArray[np.float64] | Literal["auto"] | None = None
    loop: bool | Literal["auto"] = "auto"

    @property
    def leg_reach(self) -> LegReach:
        """What happens to a leg that is too short."""
        return LegReach(self.reach, self.stretch if self.reach == "stretch" else 1.0)


def check_settings(
    num: int,
    *,
    ground: Any = None,
    contacts: Any = "auto",
    reach: Any = "soften",
    frames: Any = None,
    up: Any = "auto",
    metres_per_unit: Any = None,
    blend: Any = BLEND,
    stretch: Any = STRETCH,
    sole: Any = None,
    max_slope: Any = MAX_SLOPE,
    align: Any = ALIGN,
    toe_bend: Any = 0.0,
    pelvis_acceleration: Any = ACCELERATION,
    ground_velocity: Any = None,
    loop: Any = "auto",
) -> Settings:
    """Check the options that can be checked without the motion.

    Parameters
    ----------
    num : int
        Frames of the clip.
    ground, contacts, reach, frames, up, metres_per_unit, blend, stretch, sole
        As in `plant_feet`.
    max_slope, align, toe_bend, pelvis_acceleration, ground_velocity, loop
        As there.

    Returns
    -------
    Settings
        The options.

    Raises
    ------
    ValueError, TypeError
        As in `plant_feet`.

    Examples
    --------
    >>> check_settings(10, frames=(2, 5)).frames
    (2, 5)
    """
    if isinstance(contacts, str):
        if contacts not in CONTACT_MODES:
            raise ValueError(f"contacts is {contacts!r}: one of {', '.join(CONTACT_MODES)}, or spans per leg")
    elif not isinstance(contacts, (Mapping, Sequence)):
        raise TypeError(f"contacts is {type(contacts).__name__}: a mode, a mapping side → spans, or spans per leg")
    if isinstance(reach, np.ndarray) or reach not in ("soften", "lower_pelvis", "stretch"):
        raise ValueError(f"reach is {reach!r}: one of soften, lower_pelvis, stretch")
    blend, stretch = real_number("blend", blend), real_number("stretch", stretch)
    for name, value, least in (("blend", blend, 0.0), ("stretch", stretch, 1.0)):
        if not (np.isfinite(value) and value >= least):
            raise ValueError(f"{name} is {value}: it must be finite and at least {least:g}")
    for name, value, unit in (("blend", blend, " seconds"), ("stretch", stretch, "")):
        if value > _LARGEST:
            raise ValueError(f"{name} is {value:g}: it must be at most {_LARGEST:g}{unit}")
    metres_per_unit = None if metres_per_unit is None else positive_number("metres_per_unit", metres_per_unit)
    if metres_per_unit is not None and not 1.0 / _UNIT <= metres_per_unit <= _UNIT:
        raise ValueError(f"metres_per_unit is {metres_per_unit:g}: it must lie within {1 / _UNIT:g} … {_UNIT:g}")
    sole = None if sole is None else real_number("sole", sole)
    if sole is not None and not (np.isfinite(sole) and sole >= 0.0):
        raise ValueError(f"sole is {sole}: it must be finite and at least 0")
    if sole is not None and not sole < FARTHEST:
        raise ValueError(f"sole is {sole:g}: it must be below {FARTHEST:g}")
    max_slope, align = real_number("max_slope", max_slope), real_number("align", align)
    toe_bend = real_number("toe_bend", toe_bend)
    bounded = (("max_slope", max_slope, 0.0, 90.0), ("align", align, 0.0, 1.0), ("toe_bend", toe_bend, 0.0, 90.0))
    for name, value, least, most in bounded:
        if not least <= value <= most:
            raise ValueError(f"{name} is {value:g}: it must lie within {least:g} … {most:g}")
    most = real_number("pelvis_acceleration", pelvis_acceleration)
    if not most > 0.0:
        raise ValueError(f"pelvis_acceleration is {most}: it must be positive")
    chosen = (0, num - 1) if frames is None else _check_frames(frames, num)
    velocity = _check_velocity(ground_velocity)
    if not (isinstance(loop, (bool, np.bool_)) or (isinstance(loop, str) and loop == "auto")):
        raise ValueError(f"loop is {loop!r}: True, False or 'auto'")
    loop, surface = loop if isinstance(loop, str) else bool(loop), as_ground(ground)
    if velocity is not None and surface is not None and surface.level is None:
        raise ValueError("ground_velocity: a ground that moves so has to be level, a number or None")
    whats = (surface, contacts, reach, stretch, chosen, up, metres_per_unit, blend, sole)
    return Settings(*whats, max_slope, align, toe_bend, most, velocity, loop)


def _check_velocity(given: Any) -> NDArray[np.float64] | Literal["auto"] | None:
    """Return the velocity of the ground as an array."""
    if given is None:
        return None
    if isinstance(given, str):
        if given == "auto":
            return "auto"
        raise ValueError(f"ground_velocity is {given!r}: 'auto', or (x, y, z) in the clip's units per second")
    velocity = array_of(given, "ground_velocity")
    if velocity.dtype.kind not in "biuf":
        raise TypeError(f"ground_velocity is {given!r}: 'auto', or (x, y, z) in the clip's units per second")
    if velocity.shape != (3,):
        raise ValueError(f"ground_velocity has shape {velocity.shape}: (3,) is needed, the clip's units per second")
    if not np.isfinite(velocity).all():
        raise ValueError(f"ground_velocity is {velocity.tolist()}: it must be finite")
    if not (np.abs(velocity) < FARTHEST).all():
        raise ValueError(f"ground_velocity is {velocity.tolist()}: it must be below {FARTHEST:g}")
    return velocity.astype(np.float64)


def _check_frames(frames: Any, num: int) -> tuple[int, int]:
    """Return the range (first, last), which lies inside the clip."""
    pair = array_of(frames, "frames")
    if pair.shape != (2,) or pair.dtype.kind not in "iu":
        raise TypeError(f"frames is {frames!r}: (first, last) is needed, two whole frames")
    first, last = int(pair[0]), int(pair[1])
    if not 0 <= first <= last < num:
        raise ValueError(f"frames is ({first}, {last}): 0 ≤ first ≤ last < {num} is needed")
    return first, last
