# SPDX-License-Identifier: GPL-3.0-or-later
"""What the NLA of an object plays, and how the object's action is laid over it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from ...core.steps import Steps
from .. import actions, compat


class Use(NamedTuple):
    """How an action is laid over strips: blend type, influence, extrapolation."""

    blend: str
    influence: float
    extrapolation: str


#: how a planted action is: its channels replace what strips do, and nothing else does
OVER = Use("REPLACE", 1.0, "HOLD")

#: properties of a strip that follow keys of its own where a setting says so
_ANIMATED = {"influence": "influence", "strip_time": "time"}


def blends(ob) -> bool:
    """Whether the object's action is laid over strips: those that are muted count, tracks that are do not."""
    return any(True for _ in _strips(ob))


def plays(ob) -> bool:
    """Whether strips move the object."""
    return any(not strip.mute for strip in _strips(ob))


def solo_track(ob) -> str:
    """Return the track that plays alone, so that the action is not evaluated; empty if none does."""
    data = ob.animation_data
    tracks = data.nla_tracks if data is not None and data.use_nla else ()
    return next((track.name for track in tracks if track.is_solo), "")


def _strips(ob) -> Iterator:
    data = ob.animation_data
    if data is not None and data.use_nla:
        yield from (strip for track in data.nla_tracks if not track.mute for strip in track.strips)


def _within(strips) -> Iterator:
    """Yield strips and those inside of them."""
    for strip in strips:
        yield strip
        yield from _within(strip.strips)


def span(ob, keyed: tuple[int, int] | None) -> tuple[int, int] | None:
    """Return the first and last frame of strips and keys together, rounded outwards."""
    ranges = [(strip.frame_start, strip.frame_end) for strip in _strips(ob) if not strip.mute]
    ranges += [keyed] if keyed is not None else []
    if not ranges:
        return None
    return math.floor(min(low for low, _ in ranges)), math.ceil(max(high for _, high in ranges))


def played_actions(ob) -> list:
    """Return the actions of strips, with the slots that they play."""
    return [(strip.action, compat.strip_slot(strip)) for strip in _within(_strips(ob)) if strip.action is not None]


def curves(ob) -> list:
    """Return the F-curves that strips play."""
    return [curve for action, slot in played_actions(ob) for curve in compat.fcurves(action, slot)]


def use_of(ob) -> Use:
    """Return how the object's action is laid over strips."""
    data = ob.animation_data
    return Use(data.action_blend_type, data.action_influence, data.action_extrapolation)


def set_use(ob, use: Use) -> None:
    """Lay the object's action over strips in this way."""
    data = ob.animation_data
    data.action_blend_type, data.action_influence, data.action_extrapolation = use


def digest_steps(ob, names: dict | None = None) -> Steps:
    """Return a digest of all that strips play, a curve at a time; ``names`` are those of `actions.digest`."""
    parts = []
    for track in ob.animation_data.nla_tracks:
        if track.mute:
            continue
        for strip in _within(track.strips):
            curves_of_strip = [(c.data_path, [tuple(key.co) for key in c.keyframe_points]) for c in strip.fcurves]
            animated = [name for name in _ANIMATED if getattr(strip, f"use_animated_{_ANIMATED[name]}")]
            parts.append(([pair for pair in actions.properties_of(strip) if pair[0] not in animated], curves_of_strip))
            if strip.action is not None:
                parts.append((yield from actions.digest_steps(strip.action, compat.strip_slot(strip), None, names)))
    return repr(parts)
