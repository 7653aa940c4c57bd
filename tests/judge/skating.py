# SPDX-License-Identifier: MIT
"""The papers' skating ratio, of the balls of the feet, by a rule of the judge's own.

Karunratanakul and others, *Guided Motion Diffusion for Controllable Human Motion Synthesis*, ICCV 2023.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from motion import Array, norm

LOW = 0.05  # metres
FAST = 0.5  # metres per second
AROUND = 0.25  # seconds in which the mean has to be as fast


def ratio(balls: Sequence[tuple[Array, Array]], fps: float) -> float:
    """Part of the steps in which a foot skates; per foot its ball's heights (F,) and level steps (F − 1, 3), metres."""
    half = max(0, round((AROUND * fps - 1.0) / 2.0))
    skates = []
    for heights, steps in balls:
        speeds = norm(steps) * fps
        way = np.concatenate([np.zeros(half + 1), np.cumsum(speeds), np.full(half, speeds.sum())])
        mean = (way[2 * half + 1 :] - way[: len(speeds)]) / (2 * half + 1)
        skates.append((heights[:-1] < LOW) & (heights[1:] < LOW) & (speeds > FAST) & (mean > FAST))
    return float(np.any(skates, axis=0).mean()) if len(balls[0][1]) else 0.0
