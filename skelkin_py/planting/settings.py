# SPDX-License-Identifier: MIT
"""The options of planting, checked once for every way in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from .contacts import CONTACT_MODES
from .ground import Ground, as_ground

__all__ = ["BLEND", "Reach", "Settings", "check_settings"]

Reach = Literal["soften", "stretch", "lower_pelvis"]

BLEND = 0.2  # s: how long a correction takes to fade outside a contact


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
    stretch: Any = 1.05,
    sole: Any = None,
) -> Settings:
    """Check the options that can be checked without the motion.

    Parameters
    ----------
    num : int
        Frames of the clip.
    ground, contacts, reach, frames, up, metres_per_unit, blend, stretch, sole
        As in `plant_feet`.

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
    if reach not in ("soften", "lower_pelvis", "stretch"):
        raise ValueError(f"reach is {reach!r}: one of soften, lower_pelvis, stretch")
    for name, value, least in (("blend", blend, 0.0), ("stretch", stretch, 1.0)):
        if not (np.isfinite(value) and value >= least):
            raise ValueError(f"{name} is {value}: it must be finite and at least {least:g}")
    for name, value in (("metres_per_unit", metres_per_unit), ("sole", sole)):
        if value is not None and not (np.isfinite(value) and value >= 0.0 and (value > 0.0 or name == "sole")):
            raise ValueError(f"{name} is {value}: it must be positive and finite")
    first, last = 0, num - 1
    if frames is not None:
        first, last = (int(f) for f in frames)
        if not 0 <= first <= last < num:
            raise ValueError(f"frames is ({first}, {last}): 0 ≤ first ≤ last < {num} is needed")
    return Settings(
        as_ground(ground), contacts, reach, float(stretch), (first, last), up, metres_per_unit, float(blend), sole
    )
