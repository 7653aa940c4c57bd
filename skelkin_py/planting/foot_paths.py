# SPDX-License-Identifier: MIT
"""From contacts to the path of every ankle and of the pelvis over the whole clip."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..ground import Ground
from .blend import Span, frames_to_nearest, lengths, median, smooth_envelope, smoothstep, span_mask
from .easing import Fade, ease_out
from .foot import FootModel, LegTrack
from .foothold import outline_on
from .held_foot import HeldFoot
from .pelvis import Body, place_body
from .settings import LegReach
from .stance import turned_foot

__all__ = ["FootPaths", "contact_levels", "contact_rises", "plan_paths", "sole_heights", "stance_level"]
__all__ += ["standing_high"]

Array = NDArray[np.float64]
Ints = NDArray[np.intp]

# A contact this much (leg lengths) above the clip's ground stands on something the ground does not show.
_RISE = 0.13
# Beyond this extension a leg in the air is slowed down before it snaps straight.
_SOFT, _FULL = 0.98, 0.9995
# And the knee opens by no more than this beyond what it does within so many seconds; up to 164°, it may.
_OPENS, _AROUND, _BENT = np.radians(1.0), 0.1, 0.99
_HEIGHT_KEPT = 0.8  # what such a foot keeps of the height that it would gain by coming straight towards its hip
_FOLLOW = (0.03, 0.2)  # s: how soon a foot that has left goes with a body that takes back a jump, or is lowered


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
    paces : (float, float, float)
        As in `BodyShift`.
    windows : list of (C, 2) int
        Per leg and contact, over how many frames its correction fades before and after it.
    reaches : list of ((F,) float64 or None)
        Per leg, as in `place_body`.
    planned : callable
        From such windows and reaches to the paths with them.
    """

    targets: list[Array]
    turns: list[Array]
    held: list[list[Span]]
    body: Array
    acceleration: float
    changed: list[NDArray[np.bool_]]
    paces: tuple[float, float, float]
    windows: list[Ints]
    reaches: list[Array | None]
    planned: Callable[[Sequence[Ints], Sequence[Array | None]], FootPaths]

    def part(self, own: slice, held: list[list[Span]]) -> FootPaths:
        """Return those of some of the frames, in which feet are held in these spans."""
        targets, turns = ([path[own] for path in paths] for paths in (self.targets, self.turns))
        changed = [flags[own] for flags in self.changed]
        return replace(self, targets=targets, turns=turns, held=held, body=self.body[own], changed=changed)


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


def _keep_above(
    foot: HeldFoot, turn: Array, offset: Array, free: NDArray[np.bool_], ground: Ground, up: Array, fps: float
) -> Array:
    """Return how far to lift a foot in the air so that its sole stays above the ground."""
    needed, rows = np.zeros(len(free)), np.flatnonzero(free)
    if not rows.size:
        return needed
    track = foot.track
    sole = outline_on(foot.model, turned_foot(track, turn), up, foot.foothold)[:, rows]
    below = -ground.above((track.ankle + offset)[rows] + sole, up, rows).min(axis=0)
    needed[rows] = np.where(below < 1e-9 * track.length, 0.0, below)
    if not needed.any():
        return needed
    half = max(1, round(0.08 * fps))
    # Next to a contact the foot leaves the ground it stands on: there the smooth part fades in.
    lift = smooth_envelope(needed, half) * smoothstep(frames_to_nearest(~free) / (0.5 * half))
    return np.asarray(np.where(free, np.maximum(lift, needed), 0.0))


def _soften(
    track: LegTrack,
    target: Array,
    body: Array,
    free: Array,
    moved: NDArray[np.bool_],
    soften: bool,
    up: Array,
    fps: float,
) -> None:
    """Pull the ankle of a leg in the air towards its hip, in place, where it would be straighter than the original."""
    hip = track.hip + body
    apart = target - hip
    far = lengths(apart)
    start = np.maximum(np.minimum(track.extension, 1.0), _SOFT if soften else _FULL) * track.length
    rows = np.flatnonzero(moved & (free > 0.0) & (far > start))
    if not rows.size:
        return
    full = _widest(track, far, free, fps, rows) if soften else start[rows]
    far, free, start = far[rows], free[rows], start[rows]
    room = np.maximum(full - start, 1e-12 * track.length)
    near = start + room * -np.expm1((start - far) / room)
    near = np.minimum(far + free * (np.minimum(near, far) - far), full)
    apart = apart[rows]
    # Mostly back over the ground, so that the foot comes down as it did: the point of this line that is near enough.
    line = apart - _HEIGHT_KEPT * (apart @ up)[:, None] * up
    along, ahead = np.einsum("fi,fi->f", line, line), np.einsum("fi,fi->f", apart, line)
    over = far * far - near * near
    part = over / (ahead + np.sqrt(np.maximum(ahead * ahead - along * over, 0.0)))
    target[rows] -= part[:, None] * line


def _widest(track: LegTrack, far: Array, free: Array, fps: float, rows: NDArray[np.intp]) -> Array:
    """Return how far an ankle in the air may get from its hip, in these frames.

    As far as it does around that moment in the original, a degree of the knee more, and as far as the leg is about to
    stand or has just stood: a foot that reaches forward to its place does not open the knee for it and close it again.
    """
    half = max(1, round(_AROUND * fps))
    own = np.minimum(track.extension, 1.0)
    around = smooth_envelope(own, half)[rows]
    # Hip to ankle is the sine of half the knee's angle, where thigh and shin are alike.
    opened = around * np.cos(0.5 * _OPENS) + np.sqrt(np.maximum(1.0 - around * around, 0.0)) * np.sin(0.5 * _OPENS)
    stands = smooth_envelope(np.where(free > 0.0, 0.0, far / track.length), half)[rows]
    limit = np.minimum(np.maximum(np.maximum(opened, stands), _BENT), _FULL)
    return np.asarray(np.maximum(limit, own[rows]) * track.length)


def plan_paths(
    feet: Sequence[HeldFoot],
    body: Body,
    ground: Ground,
    up: Array,
    fps: float,
    *,
    reach: LegReach,
    fade: Fade,
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

    Returns
    -------
    FootPaths
        Targets in every frame.
    """
    stances = [foot.stance(ground, up, fade.window) for foot in feet]
    ramp, num = fade.ramp, len(fade.ramp)

    def planned(windows: Sequence[Ints], reaches: Sequence[Array | None]) -> FootPaths:
        shift = place_body(feet, stances, body, up, fps, ramp, reach.stretch, reaches)
        targets, changed = [], []
        for foot, stance, own in zip(feet, stances, windows, strict=True):
            inside = span_mask(foot.contacts, num)
            away = frames_to_nearest(inside)
            # A foot that has left goes with the body.
            early, late = (smoothstep(away / max(1.0, wait * fps)) for wait in _FOLLOW)
            slope = max(1, round(0.03 * fps))
            offset = ease_out(stance.offset, foot.contacts, own, slope, shift.followed(early, late, up))
            free = ~inside & (ramp > 0.0)
            lift = _keep_above(foot, stance.turn, offset, free, ground, up, fps)
            if lift.any():
                offset += (ramp * lift)[:, None] * up
            moved = (np.abs(offset - shift.whole) + np.abs(stance.turn)) @ np.ones(3) > 0.0
            moved &= ramp > 0.0
            target = foot.track.ankle + offset
            if reach.way != "stretch":
                loose = smoothstep(away / max(1.0, 0.1 * fps)) * ramp
                _soften(foot.track, target, shift.whole, loose, moved, reach.way == "soften", up, fps)
            targets.append(target)
            changed.append(moved)
        return FootPaths(
            targets=targets,
            turns=[stance.turn for stance in stances],
            held=[stance.held for stance in stances],
            body=shift.whole,
            acceleration=shift.acceleration,
            changed=changed,
            paces=shift.paces,
            windows=list(windows),
            reaches=list(reaches),
            planned=planned,
        )

    usual = [np.full((len(foot.contacts), 2), fade.window, dtype=np.intp) for foot in feet]
    return planned(usual, [None] * len(usual))
