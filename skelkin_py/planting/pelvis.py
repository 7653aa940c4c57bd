# SPDX-License-Identifier: MIT
"""How the body follows its feet: raised or lowered with the ground, and lowered where a leg is too short."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .blend import Span, frames_to_nearest, hold_between, low_pass, smooth_envelope, span_mask
from .foot import LegTrack

__all__ = ["body_height", "lowering", "reach_limit"]

Array = NDArray[np.float64]

# A stance leg is not stretched beyond this part of its length, unless the original stretched it further.
_STRAIGHT = 0.995
_FULL = 1.0
# The body is never lowered by more than this part of the leg for reach alone.
_DEEPEST = 0.3


def body_height(offsets: Sequence[Array], contacts: Sequence[Sequence[Span]], fps: float) -> Array:
    """Return how far the body is raised, per frame: the smoothed mean of what its standing feet are raised.

    Parameters
    ----------
    offsets : sequence of (F,) float64
        Per foot, the height correction inside its contacts.
    contacts : sequence of sequence of (first, last)
        Per foot.
    fps : float
        Frames per second.

    Returns
    -------
    (F,) float64
        The correction; zero where no foot ever stands.
    """
    num = len(offsets[0])
    total, weights = np.zeros(num), np.zeros(num)
    for offset, spans in zip(offsets, contacts, strict=True):
        if not spans:
            continue
        known = span_mask(spans, num)
        gap = frames_to_nearest(known)
        # A foot that stood or will stand soon counts more than one that is long in the air.
        weight = np.exp(-np.minimum(gap / (0.2 * fps), 30.0))
        total += weight * hold_between(offset, known)
        weights += weight
    if not weights.any():
        return total
    return low_pass(total / weights, 0.12 * fps)


def reach_limit(track: LegTrack, stretch: float) -> Array:
    """Return the longest distance from hip to ankle that a stance leg is given, per frame.

    Parameters
    ----------
    track : LegTrack
        The leg's original motion.
    stretch : float
        The largest factor by which bones may lengthen.

    Returns
    -------
    (F,) float64
        In the clip's units.
    """
    if stretch > 1.0:
        return np.full(len(track.hip), stretch * track.length)
    return np.asarray(np.clip(track.extension, _STRAIGHT, _FULL) * track.length)


def lowering(
    tracks: Sequence[LegTrack],
    ankles: Sequence[Array],
    contacts: Sequence[Sequence[Span]],
    limits: Sequence[Array],
    raised: Array,
    up: Array,
    fps: float,
) -> Array:
    """Return how far the body has to come down so that every standing foot can be reached.

    Parameters
    ----------
    tracks : sequence of LegTrack
        Original motion.
    ankles : sequence of (F, 3) float64
        Where the ankles have to be.
    contacts : sequence of sequence of (first, last)
        Per foot.
    limits : sequence of (F,) float64
        Longest distances, from `reach_limit`.
    raised : (F,) float64
        How far the body is raised with the ground already.
    up : (3,) float64
        Unit vector.
    fps : float
        Frames per second.

    Returns
    -------
    (F,) float64
        ≥ 0 and smooth; zero far from any need.
    """
    needed = np.zeros(len(raised))
    for track, ankle, spans, limit in zip(tracks, ankles, contacts, limits, strict=True):
        reach = track.hip - ankle
        height = reach @ up
        level2 = np.maximum(np.einsum("fi,fi->f", reach, reach) - height * height, 0.0)
        highest = np.sqrt(np.maximum(limit * limit - level2, 0.0))
        too_high = np.clip(height + raised - highest, 0.0, _DEEPEST * track.length)
        # What only rounding asks for is no need.
        too_high[too_high < 1e-9 * track.length] = 0.0
        too_high[~span_mask(spans, len(raised))] = 0.0
        np.maximum(needed, too_high, out=needed)
    return smooth_envelope(needed, max(1, round(0.12 * fps)))
