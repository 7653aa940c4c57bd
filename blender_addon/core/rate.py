# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a motion was made at another frame rate than the one it is planted at."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

_SLOW = 1.0  # leg lengths per second
_LONG = 0.8  # seconds


def is_in_slow_motion(
    hips: np.ndarray, ankles: np.ndarray, contacts: list[list[tuple[int, int]]], leg_length: float, fps: float
) -> bool:
    """Whether legs step more slowly than people do, as those of a capture of 120 frames per second do at 24.

    ``hips`` and ``ankles``: (F, L, 3) places of L legs; ``contacts``: first and last frames, in order, for each leg.
    """
    speeds = np.linalg.norm(np.diff(ankles - hips, axis=0), axis=2) * fps / leg_length
    swings = [(after[0] - before[1] - 1) / fps for spans in contacts for before, after in pairwise(spans)]
    return bool(swings and np.percentile(speeds, 95) < _SLOW and np.median(swings) > _LONG)
