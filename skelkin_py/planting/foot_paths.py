# SPDX-License-Identifier: MIT
"""From contacts to the path of every ankle and of the body over the whole clip: one convex problem, solved in C."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..ground import Ground
from .blend import Span, hold_between, lengths, median, span_mask
from .easing import Fade
from .foot import FootModel, LegTrack
from .foothold import outline_on
from .held_foot import HeldFoot
from .placing import Stance
from .settings import BLEND, LegReach
from .stance import turned_foot

__all__ = ["Body", "FootPaths", "acceleration", "contact_levels", "contact_rises", "plan_paths"]
__all__ += ["sole_heights", "stance_level", "standing_high", "whole_rise"]

Array = NDArray[np.float64]

# A contact this much (leg lengths) above the clip's ground stands on something the ground does not show.
_RISE = 0.13
# What counts how much, see csrc/planting/smooth_paths.h; lengths in legs, times in seconds, angles in radians.
_BODY, _ANKLE = 20.0, 0.2
_FLEXION, _FLEXION_JERK = 1000.0, 0.1
_SPRING = 3000.0  # 1/s⁴ where corrections fade over the usual time
# A leg gets no straighter than this part of its length (11.5° of flexion), unless it was; in the air than that.
_STRAIGHT, _FULL = 0.995, 0.9995
_GRAZE = 0.008  # leg: so far below the ground a sole may swing, if it was there: lifting it would jerk the knee
_UNEVEN = 0.01  # leg: ground whose heights below standing feet differ by so much is not level
_FAR = 0.75  # leg: a motion further from its ground was not made on it
_NOTHING = 1e-10  # leg: what would be moved by less stays
_LOOKS_AT_GROUND = 10  # times that ground which is not level is asked where feet in the air come to be
_NEAR = 0.01  # leg: a sole in the air that is higher above the ground is not held up by it
_SETTLED = 3e-10  # leg: where what it then says differs by less it is not asked again
_LOOKS = 20  # times at most that paths are planned, each without contacts that turned out to be out of reach
_LACKING = 1e-4  # leg: what an ankle lacks that is out of reach
_BESIDE = 0.25  # s: of the contacts nearer than this, the one held furthest from its way is left out first


@dataclass(frozen=True)
class Body:
    """The body, and how it may be moved.

    Parameters
    ----------
    path : (F, 3) float64 or None
        The original path of the joint that carries it; None where there is none.
    most : float
        By how much its acceleration may become greater, in the clip's units per s².
    drift : (F,) float64
        How far the ground goes up, or down, beyond the motion.
    heights_only : bool
        Whether feet, and with them the body, are moved along up alone.
    rise : float or None
        What `whole_rise` said of the clip of which this is a part; None where all of it is there.
    """

    path: Array | None
    most: float
    drift: Array
    heights_only: bool
    rise: float | None = None


@dataclass(frozen=True)
class FootPaths:
    """Where ankles and body have to go.

    Parameters
    ----------
    targets : list of (F, 3) float64
        Per leg, the ankle.
    turns : list of (F, 3) float64
        Per leg, rotation vectors that turn the foot in global space.
    held : list of list of (first, last)
        Per leg, where the foot is held flat.
    body : (F, 3) float64
        How the body is moved.
    acceleration : float
        By how much that makes its acceleration greater at worst, in the clip's units per s².
    changed : list of (F,) bool
        Per leg, the frames in which its joints have to move.
    missed : list of (F,) float64
        Per leg, how far its ankle is from its place in contacts that were left out, out of reach; else 0.
    """

    targets: list[Array]
    turns: list[Array]
    held: list[list[Span]]
    body: Array
    acceleration: float
    changed: list[NDArray[np.bool_]]
    missed: list[Array]

    def part(self, own: slice, held: list[list[Span]]) -> FootPaths:
        """Return those of some of the frames, in which feet are held in these spans."""
        targets, turns = ([path[own] for path in paths] for paths in (self.targets, self.turns))
        changed, missed = [flags[own] for flags in self.changed], [far[own] for far in self.missed]
        return replace(
            self, targets=targets, turns=turns, held=held, body=self.body[own], changed=changed, missed=missed
        )


def acceleration(path: Array, fps: float) -> Array:
    """(F,) Size of the second difference per s² of heights (F,) or places (F, 3); 0 in the first and the last frame."""
    out = np.zeros(len(path))
    if len(path) > 2:
        change = np.diff(path, 2, axis=0)
        out[1:-1] = (np.abs(change) if change.ndim == 1 else lengths(change)) * fps**2
    return out


def sole_heights(track: LegTrack, model: FootModel, up: Array) -> Array:
    """(F,) Height of the lower point of the sole along up, in the clip's units."""
    heel, ball = model.points(track.foot, up)
    return np.asarray(track.ankle @ up + np.minimum(heel @ up, ball @ up))


def contact_levels(
    tracks: Sequence[LegTrack], models: Sequence[FootModel], contacts: Sequence[Sequence[Span]], up: Array
) -> list[list[float]]:
    """Return the median height of the sole in every contact.

    Parameters
    ----------
    tracks, models : sequence of LegTrack, FootModel
        One per leg.
    contacts : sequence of sequence of (first, last)
        One list per leg.
    up : (3,) float64
        Unit vector.

    Returns
    -------
    list of list of float
        Heights along up, in the clip's units.
    """
    levels = []
    for track, model, spans in zip(tracks, models, contacts, strict=True):
        heights = sole_heights(track, model, up)
        levels.append([median(heights[a : b + 1]) for a, b in spans])
    return levels


def stance_level(levels: Sequence[float], weights: Sequence[float]) -> float:
    """Return the weighted median of the heights at which feet stand.

    Parameters
    ----------
    levels : sequence of float
        One per contact.
    weights : sequence of float
        What each counts.

    Returns
    -------
    float
        The height of a level ground.

    Examples
    --------
    >>> stance_level([0.0, 0.1, 5.0], [10, 10, 1])
    0.1
    """
    order = np.argsort(levels)
    total = np.cumsum(np.asarray(weights, dtype=np.float64)[order])
    return float(np.asarray(levels, dtype=np.float64)[order][int(np.searchsorted(total, 0.5 * total[-1]))])


def contact_rises(
    tracks: Sequence[LegTrack], models: Sequence[FootModel], contacts: Sequence[Sequence[Span]], up: Array
) -> tuple[float, list[list[float]]]:
    """Return the clip's own ground level and, per contact, how far it stands above that level on purpose.

    Parameters
    ----------
    tracks, models : sequence of LegTrack, FootModel
        One per leg.
    contacts : sequence of sequence of (first, last)
        One list per leg, at least one contact in all.
    up : (3,) float64
        Unit vector.

    Returns
    -------
    level : float
        Height of the ground through the stance feet.
    rises : list of list of float
        0 where the foot belongs on the ground; else its height above it.
    """
    levels = contact_levels(tracks, models, contacts, up)
    # Squared: one long stance tells more about the ground than many short touches.
    weights = [float(b - a + 1) ** 2 for spans in contacts for a, b in spans]
    level = stance_level([x for own in levels for x in own], weights)
    rises = [[standing_high(x - level, track) for x in own] for track, own in zip(tracks, levels, strict=True)]
    return level, rises


def standing_high(height: float, track: LegTrack) -> float:
    """Return the height above a level ground at which a contact is kept: 0 where the foot belongs on the ground.

    Parameters
    ----------
    height : float
        How far above the ground the sole is in the contact, in the clip's units.
    track : LegTrack
        The leg.

    Returns
    -------
    float
        The height, or 0.
    """
    return height if height > _RISE * track.length else 0.0


def _raised(foot: HeldFoot, stance: Stance, up: Array) -> Array:
    """(F,) How far a foot is raised where it stands, in straight lines between contacts."""
    inside = span_mask(foot.contacts, len(stance.offset))
    return hold_between(stance.offset @ up, inside) if inside.any() else np.zeros(len(inside))


def _lowest(foot: HeldFoot, stance: Stance, offset: Array, ramp: Array, ground: Ground, up: Array) -> Array:
    """(F,) The least rise of the ankle along up that keeps a sole in the air (ramp > 0) above the ground, else −inf."""
    out, track = np.full(len(offset), -np.inf), foot.track
    rows = np.flatnonzero(ramp > 0.0)
    if not rows.size:
        return out
    old, new = (
        outline_on(foot.model, feet, up, foot.foothold)[:, rows]
        for feet in (track.foot, turned_foot(track, stance.turn))
    )
    moved = ground.above((track.ankle + offset)[rows] + new, up, rows).min(axis=0)
    out[rows] = np.where(np.isfinite(moved), offset[rows] @ up - moved, -np.inf)
    height = ground.above(track.ankle[rows] + old, up, rows).min(axis=0)
    height = np.where(np.isfinite(height), height, 0.0)
    # Hardly below what it stands on, as far as it was; towards the ends of a range, where nothing changes, as it was.
    below = np.clip(height + _raised(foot, stance, up)[rows], -_GRAZE * track.length, 0.0)
    out[rows] += ramp[rows] * below + (1.0 - ramp[rows]) * np.minimum(height, 0.0)
    return out


def _out_of_reach(feet: Sequence[HeldFoot], lacking: NDArray[np.bool_], held: Array, fps: float) -> NDArray[np.bool_]:
    """(K, F) The contacts to leave out: of those about one that lacks reach, the one held furthest from its way."""
    if not lacking.any():
        return lacking
    spans = [(k, a, b) for k, foot in enumerate(feet) for a, b in foot.contacts]
    moved = [float(lengths(held[k, a : b + 1]).max()) for k, a, b in spans]
    out, near = np.zeros(lacking.shape, dtype=np.bool_), _BESIDE * fps
    for k, a, b in spans:
        if lacking[k, a : b + 1].any():
            about = [n for n, (_, c, d) in enumerate(spans) if c <= b + near and d >= a - near]
            leg, first, last = spans[max(about, key=lambda n: moved[n])]
            out[leg, first : last + 1] = True
    return out


def _touched(heights: Array, known: Array, lowest: Array, length: float) -> bool:
    """Whether what bounds rises (K, F) from below is another where a foot is near to it."""
    old, new = (np.maximum(each, heights - length) for each in (known, lowest))
    near = heights - np.maximum(old, new) < _NEAR * length
    return bool((near & (np.abs(new - old) > _SETTLED * length)).any())


def whole_rise(feet: Sequence[HeldFoot], stances: Sequence[Stance], ground: Ground, up: Array) -> float:
    """Return by how much all of a motion is moved along up first: the median of what standing feet are raised by.

    Ground that is not level has no such height, unless the motion is nowhere near it; in between it counts in part.
    """
    inside = [span_mask(foot.contacts, len(stance.offset)) for foot, stance in zip(feet, stances, strict=True)]
    heights = np.concatenate([stance.offset[own] @ up for stance, own in zip(stances, inside, strict=True)])
    middle = median(heights) if len(heights) else 0.0
    length = float(np.mean([foot.track.length for foot in feet]))
    if ground.level is not None or abs(middle) > _FAR * length:
        return middle
    return middle * _level_part(feet, inside, ground, up) if len(heights) else 0.0


def _level_part(feet: Sequence[HeldFoot], inside: Sequence[NDArray[np.bool_]], ground: Ground, up: Array) -> float:
    """Return 1 where all of the ground below standing feet has one height, 0 where it is uneven."""
    tracks, rows = [foot.track for foot in feet], [np.flatnonzero(own) for own in inside]
    each = zip(tracks, rows, strict=True)
    below = [t.ankle[own] @ up - ground.above(t.ankle[own][None], up, own)[0] for t, own in each if len(own)]
    spread = float(np.ptp(np.concatenate(below)))
    return max(0.0, 1.0 - spread / (_UNEVEN * tracks[0].length)) if np.isfinite(spread) else 0.0


def _reach(track: LegTrack, bones: Array, free: NDArray[np.bool_], reach: LegReach) -> Array:
    """(F,) How far an ankle may be from its hip."""
    most = np.where(free & (reach.way != "soften"), _FULL, _STRAIGHT)
    if reach.way == "stretch":
        most = np.full(len(bones), max(reach.stretch, _FULL))
    return np.asarray(np.maximum(lengths(track.hip - track.ankle), most * bones))


def _bones(track: LegTrack) -> Array:
    """(F,) Thigh and shin together."""
    return np.asarray(lengths(track.knee - track.hip) + lengths(track.ankle - track.knee))


def plan_paths(
    feet: Sequence[HeldFoot],
    body: Body,
    ground: Ground,
    up: Array,
    fps: float,
    *,
    reach: LegReach,
    fade: Fade,
    blend: float = BLEND,
) -> FootPaths:
    """Plan the ankles and the body.

    Parameters
    ----------
    feet : sequence of HeldFoot
        One per leg.
    body : Body
        The body.
    ground : Ground
        The ground.
    up : (3,) float64
        Unit vector.
    fps : float
        Frames per second.
    reach : LegReach
        What happens to a leg that is too short.
    fade : Fade
        Where corrections fade.
    blend : float, default 0.2
        How long that takes, in seconds.

    Returns
    -------
    FootPaths
        Targets in every frame.
    """
    stances = [foot.stance(ground, up, fade.window) for foot in feet]
    tracks, num = [foot.track for foot in feet], len(fade.ramp)
    free = fade.ramp > 0.0
    stands = np.stack([span_mask(foot.contacts, num) for foot in feet])
    bones, flexions = np.stack([_bones(track) for track in tracks]), np.stack([track.flexion for track in tracks])
    weights = np.zeros(1, _core.PATH_WEIGHTS)
    length = float(np.mean([track.length for track in tracks]))
    weighed = (_BODY, _ANKLE, _FLEXION, _FLEXION_JERK, _SPRING * (BLEND / max(blend, 1e-3)) ** 4, body.most / length)
    weights[0] = weighed
    whole = whole_rise(feet, stances, ground, up) if body.rise is None else body.rise
    rise = body.drift + (whole if free.all() or body.rise is not None else 0.0)  # nothing else leads into a range
    drift = rise[:, None] * up
    hips, ankles = np.stack([t.hip for t in tracks]), np.stack([t.ankle for t in tracks])
    places = np.stack([stance.offset for stance in stances])
    held = places - drift
    limits = np.stack([_reach(*each, reach) for each in zip(tracks, bones, ~stands, strict=True)])
    offsets, shift = np.repeat(drift[None], len(feet), axis=0), drift
    left_out, lowest = np.zeros_like(stands), np.full(stands.shape, -np.inf)
    settled = False
    for look in range(_LOOKS):
        legs = zip(feet, stances, offsets, stands & ~left_out, strict=True)
        air = [(foot, stance, offset, fade.ramp * ~own) for foot, stance, offset, own in legs]
        found = np.stack([_lowest(*each, ground, up) for each in air])
        # Where feet swing over an edge each look may see another side of it: the higher one counts.
        known, lowest = lowest, found if look < 2 else np.maximum(found, lowest)
        if settled and not _touched(offsets @ up, known, lowest, length):
            break
        shift, offsets, _, _ = _core.smooth_paths(
            hips, ankles, held, bones, flexions, limits, lowest - rise, stands & ~left_out, free, up,
            length, 1.0 / fps, body.path is not None, body.heights_only, weights,
        )  # fmt: skip
        shift, offsets = shift + drift * free[:, None], offsets + drift * free[:, None]
        lacking = np.linalg.norm(hips + shift - ankles - offsets, axis=2) - limits
        more = _out_of_reach(
            feet, stands & ~left_out & free & (lacking > _LACKING * length), places * ~left_out[..., None], fps
        )
        left_out |= more
        settled = not more.any()
        if settled and (ground.level is not None or look + 1 >= _LOOKS_AT_GROUND):
            break
    shift[lengths(shift) < _NOTHING * length] = 0.0
    for offset in offsets:
        same = lengths(offset - shift) < _NOTHING * length
        offset[same] = shift[same]
    targets = [track.ankle + offset for track, offset in zip(tracks, offsets, strict=True)]
    moved = [
        free & ((np.abs(offset - shift) + np.abs(stance.turn)) @ np.ones(3) > 0.0)
        for offset, stance in zip(offsets, stances, strict=True)
    ]
    added = 0.0
    if body.path is not None:
        added = float((acceleration(body.path + shift, fps) - acceleration(body.path, fps)).max(initial=0.0))
    turns = [stance.turn for stance in stances]
    apart = np.linalg.norm(offsets - places, axis=2)
    missed = list(np.where(left_out, apart, 0.0))
    return FootPaths(targets, turns, [stance.held for stance in stances], shift, added, moved, missed)
