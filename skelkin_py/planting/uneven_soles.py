# SPDX-License-Identifier: MIT
"""Soles that are thicker than their fellows: how much higher than the others each foot stands throughout a clip."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..ground import Ground
from .blend import Span, median, span_mask
from .foot import FootModel, LegTrack
from .foothold import Foothold
from .levels import contact_levels, stance_level

__all__ = ["uneven_soles"]

Array = NDArray[np.float64]

# Feet whose stance differs by more than twice this do not stand on one ground with different soles.
_UNEVEN = 0.04
_STEADY = 2e-3  # leg: contacts that are by less nearer to one level in one way than in another tell nothing


def uneven_soles(
    tracks: Sequence[LegTrack],
    models: Sequence[FootModel],
    contacts: Sequence[Sequence[Span]],
    up: Array,
    ground: Ground | None = None,
    footholds: Sequence[Foothold | None] | None = None,
) -> list[float]:
    """Return how much higher than the mean of all feet each foot stands throughout the clip, in leg lengths.

    The feet are as they are where the ground is level and still. On ground that is not level heights are those above it
    wherever that makes the contacts of each foot more alike, as in a clip that was made on this ground, or is planted
    on it already. 0 for a foot that never stands, or that stands too high for it to be the sole.
    """
    weights = [[float(b - a + 1) ** 2 for a, b in spans] for spans in contacts]
    leg = float(np.mean([track.length for track in tracks]))
    levels = contact_levels(tracks, models, contacts, up)
    high = _raised(levels, weights, leg)
    if ground is not None and ground.level is None:
        above = _levels_above(tracks, models, contacts, up, ground, footholds or [None] * len(tracks))
        # Where both are as steady, as on a stair that is walked along, soles are rather alike.
        better = _spread(levels, weights) - _spread(above, weights)
        own = _raised(above, weights, leg)
        if max(map(abs, own)) < max(map(abs, high)) if abs(better) < _STEADY * leg else better > 0.0:
            high = own
    if max(map(abs, high)) >= _UNEVEN:
        return [0.0] * len(high)
    return [x * leg / track.length for x, track in zip(high, tracks, strict=True)]


def _raised(levels: Sequence[Sequence[float]], weights: Sequence[Sequence[float]], leg: float) -> list[float]:
    """Return how much higher than the mean of all feet each foot stands, in leg lengths; 0 where it never does."""
    own = [stance_level(level, each) if each else None for level, each in zip(levels, weights, strict=True)]
    known = [level for level in own if level is not None]
    middle = float(np.mean(known)) if known else 0.0
    return [0.0 if x is None else (x - middle) / leg for x in own]


def _levels_above(
    tracks: Sequence[LegTrack],
    models: Sequence[FootModel],
    contacts: Sequence[Sequence[Span]],
    up: Array,
    ground: Ground,
    footholds: Sequence[Foothold | None],
) -> list[list[float]]:
    """Return the median height of the sole above the ground in every contact, 0 where there is no ground."""
    soles, frames = [], []
    for track, model, spans, hold in zip(tracks, models, contacts, footholds, strict=True):
        inside = np.flatnonzero(span_mask(spans, len(track.ankle)))
        sole = model.outline(track.foot, up)
        if hold is not None:
            sole = _core.turn_points(hold.turn, sole, False)
        soles.append(track.ankle[inside] + sole[:, inside])
        frames.append(inside)
    out = []
    for above, inside, spans, hold, track in zip(
        ground.each_above(soles, up, frames), frames, contacts, footholds, tracks, strict=True
    ):
        heights = np.zeros(len(track.ankle))
        heights[inside] = above.min(axis=0)
        if hold is not None:  # soles are thick square to the ground
            heights[inside] *= hold.lean[inside] @ up @ up
        heights[~np.isfinite(heights)] = 0.0
        out.append([median(heights[a : b + 1]) for a, b in spans])
    return out


def _spread(levels: Sequence[Sequence[float]], weights: Sequence[Sequence[float]]) -> float:
    """Return how far the contacts of each foot are from its own level, in the mean."""
    pairs = [(np.asarray(level), np.asarray(each)) for level, each in zip(levels, weights, strict=True) if each]
    total = sum(float(each.sum()) for _, each in pairs)
    away = sum(float(each @ np.abs(level - stance_level(level.tolist(), each.tolist()))) for level, each in pairs)
    return away / total if total else 0.0
