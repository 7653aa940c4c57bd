# SPDX-License-Identifier: MIT
"""From contacts to the path of every ankle and of the body over the whole clip: one convex problem, solved in C."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..ground import Ground
from ..plant_options import PlantOptions
from .blend import Span, hold_between, lengths, span_mask
from .fade import Fade
from .foothold import HeldFoot, Stance, outline_on, stances_of
from .levels import lowest_near, whole_rise
from .settings import LegReach
from .stance import turned_foot

__all__ = ["Body", "FootPaths", "acceleration", "plan_paths"]

Array = NDArray[np.float64]

# What counts how much, see csrc/planting/paths/smooth_paths.h; lengths in legs, times in seconds, angles in radians.
_BODY, _ANKLE = 20.0, 0.2
_FLEXION, _FLEXION_JERK = 1000.0, 0.1
_SPRING = 3000.0  # 1/s⁴ where corrections fade over the usual time
# A leg gets no straighter than this part of its length (11.5° of flexion), unless it was; in the air than that.
_STRAIGHT, _FULL = 0.995, 0.9995
_GRAZE = 0.008  # leg: so far below the ground a sole may swing, if it was there: lifting it would jerk the knee
_NOTHING = 5e-10  # leg: what would be moved by less stays
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


@dataclass(frozen=True)
class _Sole:
    """Of a foot in the air: points (P, F, 3) from the ankle; how far (F,) below the ground they may be, ≤ 0."""

    points: Array
    below: Array


def _sole(foot: HeldFoot, stance: Stance, air: NDArray[np.bool_], ramp: Array, ground: Ground, up: Array) -> _Sole:
    """Return the sole of a foot that is turned as its stance says; towards the ends of a range `ramp` goes to 0."""
    track, inside = foot.track, span_mask(foot.contacts, len(ramp))
    old, new = (
        outline_on(foot.model, feet, up, foot.foothold) for feet in (track.foot, turned_foot(track, stance.turn))
    )
    height, rows = np.zeros(len(ramp)), np.flatnonzero(air)
    above = ground.above((track.ankle + old)[:, rows], up, rows).min(axis=0)
    height[rows] = np.where(np.isfinite(above), above, 0.0)
    raised = hold_between(stance.offset @ up, inside) if inside.any() else np.zeros(len(ramp))
    # Hardly below what it stands on, as far as it was; where nothing changes, as it was.
    floor = lowest_near(foot.contacts, foot.rises, len(ramp))
    below = floor + np.clip(height + raised - floor, -_GRAZE * track.length, 0.0)
    return _Sole(new, ramp * below + (1.0 - ramp) * np.minimum(height, 0.0))


def _lowest(sole: _Sole, ankle: Array, offset: Array, air: NDArray[np.bool_], ground: Ground, up: Array) -> Array:
    """(F,) The least rise of an ankle along up that keeps its sole in the air above the ground, else −inf."""
    out, rows = np.full(len(ankle), -np.inf), np.flatnonzero(air)
    if rows.size:
        above = ground.above((ankle + offset)[rows] + sole.points[:, rows], up, rows).min(axis=0)
        out[rows] = np.where(np.isfinite(above), offset[rows] @ up - above + sole.below[rows], -np.inf)
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


def _straightest(reach: LegReach, stands: NDArray[np.bool_]) -> Array:
    """(K, F) To which part of their length legs may be straightened, or stretched."""
    if reach.way == "stretch":
        return np.full(stands.shape, max(reach.stretch, _FULL))
    return np.where(stands | (reach.way == "soften"), _STRAIGHT, _FULL)


def plan_paths(
    feet: Sequence[HeldFoot],
    body: Body,
    ground: Ground,
    up: Array,
    fps: float,
    *,
    reach: LegReach,
    fade: Fade,
    blend: float = PlantOptions.blend,
) -> FootPaths:
    """Plan the ankles and the body.

    `reach`: what happens to a leg that is too short. `fade`: where corrections fade. `blend`: how long that takes, in
    seconds.
    """
    stances = stances_of(feet, ground, up, fade.window)
    tracks, num = [foot.track for foot in feet], len(fade.ramp)
    free, moves = fade.ramp > 0.0, ~fade.alone[:, None]
    stands = np.stack([span_mask(foot.contacts, num) for foot in feet])
    hips, knees, ankles = (np.stack(joints) for joints in zip(*[(t.hip, t.knee, t.ankle) for t in tracks], strict=True))
    flexions = np.stack([track.flexion for track in tracks])
    bones = lengths(knees - hips) + lengths(ankles - knees)
    limits = np.maximum(lengths(hips - ankles), _straightest(reach, stands) * bones)
    weights = np.zeros(1, _core.PATH_WEIGHTS)
    length = float(np.mean([track.length for track in tracks]))
    spring = _SPRING * (PlantOptions.blend / max(blend, 1e-3)) ** 4
    weights[0] = (_BODY, _ANKLE, _FLEXION, _FLEXION_JERK, spring, body.most / length)
    whole = whole_rise(feet, stances, ground, up, jumps=bool(fade.alone.any())) if body.rise is None else body.rise
    rise = body.drift + (whole if fade.whole or body.rise is not None else 0.0)  # nothing else leads into a range
    drift = rise[:, None] * up
    places, turns = (np.stack(each) for each in zip(*[(s.offset, s.turn) for s in stances], strict=True))
    held = places - drift
    offsets, shift = np.repeat(drift[None], len(feet), axis=0), drift
    left_out, lowest = np.zeros_like(stands), np.full(stands.shape, -np.inf)
    before, settled = np.zeros((num, 5 * len(feet) + 4)), False  # each look begins with what the last one found
    for look in range(_LOOKS):
        air = free & ~(stands & ~left_out)
        if not settled:
            soles = [_sole(*each, fade.ramp, ground, up) for each in zip(feet, stances, air, strict=True)]
        found = np.stack([_lowest(*leg, ground, up) for leg in zip(soles, ankles, offsets, air, strict=True)])
        # Where feet swing over an edge each look may see another side of it: the higher one counts.
        known, lowest = lowest, found if look < 2 else np.maximum(found, lowest)
        if settled and not _touched(offsets @ up, known, lowest, length):
            break
        shift, offsets, _, _ = _core.smooth_paths(
            hips, ankles, held, bones, flexions, limits, lowest - rise, stands & ~left_out, free, up,
            length, 1.0 / fps, body.path is not None, body.heights_only, weights, before,
        )  # fmt: skip
        shift, offsets = shift + drift * moves, offsets + drift * moves
        lacking = lengths(hips + shift - ankles - offsets) - limits
        more = _out_of_reach(
            feet, stands & ~left_out & free & (lacking > _LACKING * length), places * ~left_out[..., None], fps
        )
        left_out |= more
        settled = not more.any()
        before *= settled
        if settled and (ground.level is not None or look + 1 >= _LOOKS_AT_GROUND):
            break
    shift[lengths(shift) < _NOTHING * length] = 0.0
    offsets = np.where((lengths(offsets - shift) < _NOTHING * length)[..., None], shift, offsets)
    moved = free & ((np.abs(offsets - shift) + np.abs(turns)) @ np.ones(3) > 0.0)
    added = 0.0
    if body.path is not None:
        added = float((acceleration(body.path + shift, fps) - acceleration(body.path, fps)).max(initial=0.0))
    missed = np.where(left_out, lengths(offsets - places), 0.0)
    flat = [stance.held for stance in stances]
    return FootPaths([*(ankles + offsets)], [*turns], flat, shift, added, [*moved], [*missed])
