# SPDX-License-Identifier: MIT
"""Where there is ground to stand on: contacts end where the ground has a hole or is too steep."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..ground import Footing, Ground
from .blend import Span, frames_to_spans, span_mask
from .foot import FootModel, LegTrack
from .foothold import Foothold
from .leg_tracks import LegPart
from .placing import rolled_path
from .slopes import find_footholds

__all__ = ["keep_standable", "read_footholds"]

Array = NDArray[np.float64]

_TRIES = 4  # times at most that contacts are cut: a shorter one stands in another place


def read_footholds(
    legs: Sequence[LegPart],
    tracks: Sequence[LegTrack],
    models: Sequence[FootModel],
    contacts: Sequence[Sequence[Span]],
    ground: Ground,
    up: Array,
    align: float,
    max_slope: float,
    window: int,
    pin: bool,
    *,
    part: bool = False,
) -> tuple[list[list[Span]], list[Foothold | None], list[str]]:
    """Leave out contacts without ground to stand on, and read how it slopes and moves under the others.

    Parameters
    ----------
    legs : sequence of LegPart
        The legs' joints.
    tracks, models, contacts, ground, up, pin
        As in `keep_standable`.
    align : float
        0 … 1: how much of the slope a foot takes on.
    max_slope : float
        Degrees: what is steeper is no ground to stand on.
    window : int
        Frames over which a foot turns to the ground and back.
    part : bool, default False
        Whether these are some frames of a clip: those may have no ground at all.

    Returns
    -------
    contacts : list of list of (first, last)
        What is left.
    footholds : list of (Foothold or None)
        Per leg, the ground under the foot where it slopes or moves.
    messages : list of str
        What was left out, and why.
    """
    steepest = float(np.cos(np.radians(max_slope)))
    left, lost, below = keep_standable(tracks, models, contacts, ground, up, steepest=steepest, pin=pin, part=part)
    messages = [
        f"the ground {why} where feet would stand in {num} frame{'s' * (num > 1)}: there they are in no contact, and "
        "keep their own height above the body"
        for num, why in zip(lost, ("has a hole", f"is steeper than {max_slope:g}°"), strict=True)
        if num
    ]
    rests = [leg.rest_up for leg in legs]
    footholds = find_footholds(
        tracks, models, left, ground, up,
        align=align, steepest=steepest, window=window, pin=pin, rests=rests, below=below,
    )  # fmt: skip
    return left, footholds, messages


def keep_standable(
    tracks: Sequence[LegTrack],
    models: Sequence[FootModel],
    contacts: Sequence[Sequence[Span]],
    ground: Ground,
    up: Array,
    *,
    steepest: float,
    pin: bool,
    part: bool = False,
) -> tuple[list[list[Span]], tuple[int, int], list[Footing | None]]:
    """Cut contacts to the frames in which the sole has ground below it that is not too steep.

    Parameters
    ----------
    tracks, models : sequence of LegTrack, FootModel
        One per leg.
    contacts : sequence of sequence of (first, last)
        One list per leg.
    ground : Ground
        The ground.
    up : (3,) float64
        Unit vector.
    steepest : float
        Cosine of the steepest slope to stand on.
    pin : bool
        Whether feet are held in place.
    part : bool, default False
        Whether these are some frames of a clip.

    Returns
    -------
    contacts : list of list of (first, last)
        What is left; pieces of one frame are not.
    lost : (int, int)
        Frames that are no contact because there is no ground, and because it is too steep.
    below : list of (Footing or None)
        Per leg, the ground at the points of the sole (P · N) in the N frames of what is left, point by point; None
        where it is not known: of feet that do not stand, or that moving ground will carry elsewhere.

    Raises
    ------
    ValueError
        There is no ground below or above any foot in any frame of the clip.
    """
    out, below, holes, steep = [], list[Footing | None](), 0, 0
    for track, model, own in zip(tracks, models, contacts, strict=True):
        spans, found = list(own), None
        for _ in range(_TRIES):
            inside = np.flatnonzero(span_mask(spans, len(track.ankle)))
            if not inside.size:
                break
            footing = _below(track, model, spans, inside, ground, up, pin)
            below_point = np.isfinite(footing.heights)
            hit = below_point.reshape(-1, inside.size).max(axis=0)
            gentle = (below_point & (footing.normals @ up >= steepest)).reshape(-1, inside.size).max(axis=0)
            if gentle.all():
                found = None if ground.moves else footing
                break
            holes += int((~hit).sum())
            steep += int((hit & ~gentle).sum())
            left = np.zeros(len(track.ankle), dtype=np.bool_)
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
        _check_somewhere(tracks, ground, up)
    return out, (holes, steep), below


def _below(
    track: LegTrack, model: FootModel, spans: Sequence[Span], inside: NDArray[np.intp], ground: Ground, up: Array,
    pin: bool,
) -> Footing:  # fmt: skip
    """Return the ground below standing soles, point by point."""
    sole = model.outline(track.foot, up)
    ankle = track.ankle[inside]
    if pin and not ground.moves:
        level = track.ankle - (track.ankle @ up)[:, None] * up
        ankle = ankle + (rolled_path(level, sole[2], sole[1], spans, up) - level)[inside]
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
