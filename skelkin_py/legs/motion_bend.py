# SPDX-License-Identifier: MIT
"""Which way knees bend, told by the motion where the rest pose does not show it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from .geometry import BENT_REASON, bend_from_motion
from .leg import Leg


def is_bent_at_rest(leg: Leg) -> bool:
    """Return whether the rest pose already shows where the knee is."""
    return BENT_REASON in leg.reasons


def bent_by_motion(leg: Leg, rest: NDArray[np.float64], poses: NDArray[np.float64]) -> Leg:
    """Return the leg with its bend taken from some poses where the rest pose does not show it.

    Parameters
    ----------
    leg : Leg
        The leg, as `find_legs` read it from the rest pose.
    rest : (J, 4, 4) float64
        Global rest matrices.
    poses : (F, J, 4, 4) float64
        Global matrices of some frames.

    Returns
    -------
    Leg
        The same leg where the motion tells nothing either.
    """
    if is_bent_at_rest(leg):
        return leg
    bend = bend_from_motion(rest, poses, *leg.chain)
    if bend is None:
        return leg
    kept = tuple(reason for reason in leg.reasons if not reason.startswith("bend: "))
    return replace(leg, bend=bend, reasons=(*kept, "bend: from the motion, the leg is straight in the rest pose"))
