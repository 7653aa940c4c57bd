# SPDX-License-Identifier: MIT
"""Where there is ground to stand on: contacts end where the ground has a hole or is too steep."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..ground import Footing, Ground
from .blend import Span, frames_to_spans, span_mask
from .foot import LegTrack, StandingFoot
from .foothold import Foothold
from .leg_tracks import LegPart
from .placing import rolled_path
from .slopes import Alignment, find_footholds

__all__ = ["keep_standable", "read_footholds"]

Array = NDArray[np.float64]

_TRIES = 4  # times at most that contacts are cut: a shorter one stands in another place


def read_footholds(
    legs: Sequence[LegPart],
    feet: Sequence[StandingFoot],
    ground: Ground,
    up: Array,
    alignment: Alignment,
    *,
    pin: bool,
    part: bool = False,
) -> tuple[list[list[Span]], list[Foothold | None], list[str]]:
    """Leave out contacts without ground to stand on, and read how it slopes and moves under the others.

    `part` says that these are some frames of a clip: those may have no ground at all. Returned are what is left, per
    leg the ground under the foot where it slopes or moves, and what to say of what was left out.
    """
    left, lost, below = keep_standable(feet, ground, up, steepest=alignment.steepest, pin=pin, part=part)
    messages = [
        f"the ground {why} where feet would stand in {num} frame{'s' * (num > 1)}: there they are in no contact, and "
        "keep their own height above the body"
        for num, why in zip(lost, ("has a hole", f"is steeper than {alignment.max_slope:g}°"), strict=True)
        if num
    ]
    rests = [leg.rest_up for leg in legs]
    feet = [replace(foot, contacts=spans) for foot, spans in zip(feet, left, strict=True)]
    footholds = find_footholds(feet, ground, up, alignment=alignment, pin=pin, rests=rests, below=below)
    return left, footholds, messages


def keep_standable(
    feet: Sequence[StandingFoot],
    ground: Ground,
    up: Array,
    *,
    steepest: float,
    pin: bool,
    part: bool = False,
) -> tuple[list[list[Span]], tuple[int, int], list[Footing | None]]:
    """Cut contacts to frames in which the sole has ground below it whose slope has a cosine of `steepest` or more.

    Returned are what is left, without pieces of one frame; how many frames were lost as there is no ground, and as it
    is too steep; and per leg the ground at the points of the sole (P · N) in the N frames of what is left, point by
    point, or None where it is not known: of feet that do not stand, or that moving ground will carry elsewhere. Where
    there is no ground below or above any foot in any frame of a clip that is not a `part`, ValueError is raised.
    """
    out, below, holes, steep = [], list[Footing | None](), 0, 0
    for foot in feet:
        spans, found, num = list(foot.contacts), None, len(foot.track.ankle)
        for _ in range(_TRIES):
            inside = np.flatnonzero(span_mask(spans, num))
            if not inside.size:
                break
            footing = _below(replace(foot, contacts=spans), inside, ground, up, pin)
            below_point = np.isfinite(footing.heights)
            hit = below_point.reshape(-1, inside.size).max(axis=0)
            gentle = (below_point & (footing.normals @ up >= steepest)).reshape(-1, inside.size).max(axis=0)
            if gentle.all():
                found = None if ground.moves else footing
                break
            holes += int((~hit).sum())
            steep += int((hit & ~gentle).sum())
            left = np.zeros(num, dtype=np.bool_)
            left[inside[gentle]] = True
            spans = [
                (first + a, first + b)
                for first, last in spans
                for a, b in frames_to_spans(left[first : last + 1])
                if b > a or first == last
            ]
        out.append(spans)
        below.append(found)
    if holes and not any(out) and not part:
        _check_somewhere([foot.track for foot in feet], ground, up)
    return out, (holes, steep), below


def _below(foot: StandingFoot, inside: NDArray[np.intp], ground: Ground, up: Array, pin: bool) -> Footing:
    """Return the ground below standing soles, point by point."""
    track = foot.track
    sole = foot.model.outline(track.foot, up)
    ankle = track.ankle[inside]
    if pin and not ground.moves:
        level = track.ankle - (track.ankle @ up)[:, None] * up
        ankle = ankle + (rolled_path(level, sole[2], sole[1], foot.contacts, up) - level)[inside]
    points = ankle + sole[:, inside]
    return ground.footing(points.reshape(-1, 3), np.tile(inside, len(sole)))


def _check_somewhere(tracks: Sequence[LegTrack], ground: Ground, up: Array) -> None:
    """Raise ValueError where no foot ever has ground below it."""
    frames = np.arange(len(tracks[0].ankle))
    if any(np.isfinite(ground.footing(np.array(track.ankle), frames).heights).any() for track in tracks):
        return
    place = ", ".join(f"{x:.6g}" for x in tracks[0].ankle[0])
    raise ValueError(
        f"ground: there is none below or above any foot in any frame, such as at ({place}) in frame 0: is it in the "
        "clip's space, unit and axes?"
    )
