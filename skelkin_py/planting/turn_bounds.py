# SPDX-License-Identifier: MIT
"""How fast hips and knees turn, and how fast they may: 1.5 times the original's fastest and 60°/s more."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .leg_tracks import Subset

__all__ = ["turn_bounds", "turns_used"]

Array = NDArray[np.float64]

_FASTER = 1.5
_MORE = np.radians(60.0)  # rad/s
_SETTLED = 3  # frames: files often begin with a jump out of another pose


def turn_bounds(subset: Subset, local: Array, fps: float) -> list[tuple[float, float]]:
    """Return how far hip and knee of each leg may turn from frame to frame.

    `local` (F, S, 4, 4): their local matrices in the original. Returns radians, for hip and knee.
    """
    more = float(_MORE / fps)
    out = []
    for leg in subset.legs:
        turns = (_core.joint_turns(local, joint)[_SETTLED:] for joint in leg.chain[:2])
        hip, knee = (_FASTER * float(own.max(initial=0.0)) + more for own in turns)
        out.append((hip, knee))
    return out


def turns_used(subset: Subset, local: Array, bounds: Sequence[tuple[float, float]]) -> list[Array]:
    """Say how fast hip or knee turns to each frame, in parts of how fast it may.

    `bounds`: what that returned. Returns (F,): per leg, the greater one of both; above 1 is too fast.
    """
    out = []
    for leg, limits in zip(subset.legs, bounds, strict=True):
        used = np.zeros(len(local))
        for joint, limit in zip(leg.chain[:2], limits, strict=True):
            np.maximum(used[1:], _core.joint_turns(local, joint) / limit, out=used[1:])
        used[1 : _SETTLED + 1] = 0.0
        out.append(used)
    return out
