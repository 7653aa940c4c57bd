# SPDX-License-Identifier: MIT
"""How small and how large legs may be: lengths with which planting can compute."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

__all__ = ["check_rest", "size_rule"]

_SHORTEST, _LONGEST = 1e-50, 1e50  # as in csrc/planting/engine/read_tracks.c


def size_rule(leg: str, size: float) -> str:
    """Say that a leg, called so, is too short or too long."""
    return (
        f"{leg} has a length of {size:.3g}: it must lie within {_SHORTEST:g} … {_LONGEST:g} of the clip's units, "
        "scale the clip"
    )


def check_rest(leg: str, joints: NDArray[np.float64]) -> None:
    """Raise ValueError where a leg is too long in the rest pose: (3, 3) places of its joints there."""
    size = max(float(np.abs(b - a).max()) for a, b in pairwise(joints))
    if size > _LONGEST:
        raise ValueError(size_rule(f"{leg} at rest", size))
