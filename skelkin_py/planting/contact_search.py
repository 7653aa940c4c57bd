# SPDX-License-Identifier: MIT
"""In which space feet stand: contacts looked for in the world, and relative to ground that slopes or moves.

A clip may have been made on its ground, or on a floor that keeps still and is put on this ground now. Where feet stand
for longer is what it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..ground import Ground
from .blend import Span, span_mask
from .contacts import ContactLimits
from .foot import FootModel, LegTrack
from .given_contacts import given_parts, given_spans
from .leg_tracks import Subset
from .loops import Loop
from .settings import Settings
from .up_axis import axis_name

__all__ = ["Standing", "find_standing", "tracks_on"]

Array = NDArray[np.float64]

_LONGER = 1.02  # how much longer feet have to stand on ground that slopes for a clip to be taken as made on it


class Standing(NamedTuple):
    """When feet stand, and what was learned on the way.

    Attributes
    ----------
    contacts : list of list of (first, last)
        Per leg.
    velocity : (3,) float64 or None
        Velocity of the ground below a body that stays in place, in the clip's units per second.
    still : list of (F,) bool
        Per leg, frames in which the foot is likely flat.
    models : list of FootModel
        Per leg, the sole.
    on_ground : bool
        Whether they were found relative to the ground.
    rolls : list of ((F,) int8 or None), optional
        Per leg whose heel and ball are given apart, where the foot is to stand on its heel (1), flat (0) or on its
        ball (−1); valid inside contacts.
    limits : ContactLimits, optional
        What contacts were looked for by; None where they are given.
    """

    contacts: list[list[Span]]
    velocity: Array | None
    still: list[NDArray[np.bool_]]
    models: list[FootModel]
    on_ground: bool = False
    rolls: list[NDArray[np.int8] | None] | None = None
    limits: ContactLimits | None = None

    @property
    def frames(self) -> int:
        """Frames of contact of all legs together."""
        return sum(last - first + 1 for spans in self.contacts for first, last in spans)


def find_standing(
    tracks: Sequence[LegTrack],
    soles: Sequence[float | None],
    ground: Ground | None,
    up: Array,
    fps: float,
    subset: Subset,
    settings: Settings,
    loop: Loop | None,
) -> Standing:
    """Find or take when feet stand.

    `soles`: the soles' thickness in leg lengths, where known. `ground`: the ground; None while unknown. `loop`: where
    the motion is an unrolled loop. Returns contacts, and what was learned of the soles.
    """
    mode = settings.contacts
    found = _find(tracks, soles, up, fps, subset, settings, loop)
    if ground is None or ground.level is not None:
        return found
    if not ground.moves and not (isinstance(mode, str) and mode in ("auto", "ground_only")):
        return found
    relative = tracks_on(tracks, ground, up)
    if relative is None:
        return found
    there = _find(relative, soles, up, fps, subset, settings, loop)
    longer = there.frames >= (1.0 if ground.moves else _LONGER) * found.frames
    return there._replace(on_ground=True) if longer else found


def _find(
    tracks: Sequence[LegTrack],
    soles: Sequence[float | None],
    up: Array,
    fps: float,
    subset: Subset,
    settings: Settings,
    loop: Loop | None,
) -> Standing:
    """Find or take when feet stand in the space of these tracks."""
    leg, asked, mode = float(np.mean([t.length for t in tracks])), settings.ground_velocity, settings.contacts
    given = _level_velocity(asked, up) / leg if isinstance(asked, np.ndarray) else None
    search = isinstance(mode, str) and mode not in ("always", "never")
    still, soles_of, velocity, read, found = _core.find_standing(tracks, soles, up, fps, given, search)
    models = [FootModel(*fields) for fields in soles_of]
    num, rolls, limits = len(tracks[0].hip), None, None
    if not isinstance(mode, str):
        names, whole = [leg.name for leg in subset.legs], num if loop is None else loop.period + 1
        contacts = given_spans(mode, names, whole)
        contacts = contacts if loop is None else [loop.unroll_spans(spans) for spans in contacts]
        rolls = _given_rolls(given_parts(mode, names, whole), names, num, loop)
    elif read is None or found is None:
        contacts = [[(0, num - 1)] if mode == "always" else [] for _ in tracks]
    else:
        limits = ContactLimits(*read, velocity)
        contacts = found if loop is None else [loop.repeat(spans) for spans in found]
    if velocity is not None and isinstance(asked, str):
        velocity = _core.stance_velocity(tracks, models, contacts, up, fps)
    return Standing(contacts, None if velocity is None else velocity * leg, still, models, rolls=rolls, limits=limits)


def find_again(
    tracks: Sequence[LegTrack],
    models: Sequence[FootModel],
    limits: ContactLimits,
    ground: Ground | None,
    up: Array,
    fps: float,
) -> list[list[Span]]:
    """Look for contacts in other motion, a part of a clip or what it was planted as, by the limits of all of it.

    `ground`: relative to which they are looked for; None for the world.
    """
    seen = tracks if ground is None else tracks_on(tracks, ground, up, level_too=True) or tracks
    return _core.find_again(seen, models, *limits, up, fps)


def _given_rolls(
    parts: Sequence[tuple[list[Span], list[Span]] | None], names: Sequence[str], num: int, loop: Loop | None
) -> list[NDArray[np.int8] | None] | None:
    """Return on which part of it each foot stands in each frame, where that is given."""
    if not any(part is not None for part in parts):
        return None
    out: list[NDArray[np.int8] | None] = []
    for part, name in zip(parts, names, strict=True):
        if part is None:
            out.append(None)
            continue
        if loop is not None:
            ends = [[any(a <= frame <= b for a, b in own) for own in part] for frame in (0, loop.period)]
            if ends[0] != ends[1] and any(ends[0]) and any(ends[1]):
                raise ValueError(
                    f"contacts[{name!r}]: the clip is a loop, frame {loop.period} is frame 0 once more, and heel and "
                    "ball stand otherwise there: give both alike, or loop=False"
                )
        spans = part if loop is None else [loop.unroll_spans(own) for own in part]
        heel, ball = (span_mask(own, num).astype(np.int8) for own in spans)
        out.append(heel - ball)
    return out


def _level_velocity(velocity: Array, up: Array) -> Array:
    """Return the velocity if it is level."""
    if abs(float(velocity @ up)) > 1e-6 * float(np.linalg.norm(velocity)):
        raise ValueError(
            f"ground_velocity is {velocity.tolist()}: it must lie in the ground's plane, square to up ({axis_name(up)})"
        )
    return velocity


def tracks_on(
    tracks: Sequence[LegTrack], ground: Ground, up: Array, *, level_too: bool = False
) -> list[LegTrack] | None:
    """Return the legs' motion where the ground is a floor at height 0 that keeps still; None where it is one already.

    Each foot is turned about the ground below its ball by that ground's slope, and loses the way that the ground goes.

    `level_too`: whether to do so on ground that is level and keeps still too, as a part of one that is not. Returns
    None also where there is no ground below any frame of a foot.
    """
    legs, slopes = _core.unroll_ground(tracks, ground, up)
    if legs is None or not (level_too or slopes or ground.moves):
        return None
    return [
        replace(track, hip=hip, knee=knee, ankle=ankle, foot=foot)
        for track, (hip, knee, ankle, foot) in zip(tracks, legs, strict=True)
    ]
