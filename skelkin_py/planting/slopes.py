# SPDX-License-Identifier: MIT
"""Where there is ground to stand on, and how it goes and slopes there: the footholds, read from below the soles.

Contacts end where the ground has a hole or is too steep.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..ground import Footing, Ground
from .blend import Span, fill_between, frames_to_spans, lengths, median, span_mask
from .foot import LegTrack, StandingFoot, fit_foot
from .foothold import Foothold, ground_below
from .leg_tracks import LegPart
from .stance import turn_matrices

__all__ = ["Alignment", "read_footholds"]

Array = NDArray[np.float64]

_PATCH = 0.1  # leg: over this distance the turn of the ground under a foot is taken
_LEVEL = 1e-9  # rad: ground that slopes by less is level
_TRIES = 4  # times at most that contacts are cut: a shorter one stands in another place
_SAMPLES = 16  # frames of a contact in which the slope is read
_READINGS = 2  # times that the slope is read: a foot that turns to it stands on other places
_ENOUGH = 500  # frames that tell whether feet lie along the ground
_TOUCHES = 1e-3  # leg: soles that are this near to one height above the ground, in most frames, touch it
_ROUNDING = 1e-9  # leg
_FITTER = np.radians(3.0)  # by so much better feet have to fit along the ground to be taken to lie along it


@dataclass(frozen=True)
class Alignment:
    """How feet turn to ground that slopes."""

    weight: float  # 0 … 1: how much of the slope a foot takes on
    max_slope: float  # degrees: what is steeper is no ground to stand on
    window: int  # frames over which a foot turns to the ground and back

    @property
    def steepest(self) -> float:
        """Cosine of the steepest slope to stand on."""
        return float(np.cos(np.radians(self.max_slope)))


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
    left, lost, below = _keep_standable(feet, ground, up, steepest=alignment.steepest, pin=pin, part=part)
    messages = [
        f"the ground {why} where feet would stand in {num} frame{'s' * (num > 1)}: there they are in no contact, and "
        "keep their own height above the body"
        for num, why in zip(lost, ("has a hole", f"is steeper than {alignment.max_slope:g}°"), strict=True)
        if num
    ]
    rests = [leg.rest_up for leg in legs]
    feet = [replace(foot, contacts=spans) for foot, spans in zip(feet, left, strict=True)]
    footholds = _find_footholds(feet, ground, up, alignment=alignment, pin=pin, rests=rests, below=below)
    return left, footholds, messages


def _keep_standable(
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
    out = [list(foot.contacts) for foot in feet]
    below: list[Footing | None] = [None] * len(feet)
    holes, steep, uncertain = 0, 0, list(range(len(feet)))
    for _ in range(_TRIES):
        inside = {k: np.flatnonzero(span_mask(out[k], len(feet[k].track.ankle))) for k in uncertain}
        uncertain = [k for k in uncertain if inside[k].size]
        standing = [replace(feet[k], contacts=out[k]) for k in uncertain]
        rows = [inside[k] for k in uncertain]
        known = ground_below(standing, [None] * len(rows), rows, ground, up, pin=pin and not ground.moves)
        cut = []
        for k, own, footing in zip(uncertain, rows, known, strict=True):
            below_point = np.isfinite(footing.heights)
            hit = below_point.reshape(-1, own.size).max(axis=0)
            gentle = (below_point & (footing.normals @ up >= steepest)).reshape(-1, own.size).max(axis=0)
            if gentle.all():
                below[k] = None if ground.moves else footing
                continue
            holes += int((~hit).sum())
            steep += int((hit & ~gentle).sum())
            out[k] = _only(out[k], own[gentle], len(feet[k].track.ankle))
            cut.append(k)
        uncertain = cut
    if holes and not any(out) and not part:
        _check_somewhere([foot.track for foot in feet], ground, up)
    return out, (holes, steep), below


def _only(spans: Sequence[Span], frames: NDArray[np.intp], num: int) -> list[Span]:
    """Return what is left of contacts in some frames, without pieces of one frame that were longer."""
    left = np.zeros(num, dtype=np.bool_)
    left[frames] = True
    return [
        (first + a, first + b)
        for first, last in spans
        for a, b in frames_to_spans(left[first : last + 1])
        if b > a or first == last
    ]


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


def _find_footholds(
    feet: Sequence[StandingFoot],
    ground: Ground,
    up: Array,
    *,
    alignment: Alignment,
    pin: bool,
    rests: Sequence[Array | None],
    below: Sequence[Footing | None],
) -> list[Foothold | None]:
    """Read, for every foot, where the ground carries it and how the ground slopes.

    `alignment`: how feet turn to it. `pin`: whether feet are held in place. `rests` (3,): up in each foot joint's frame
    as the rest pose says it, where it does. `below` (Footing or None): what `_keep_standable` found below the soles.
    Returns (Foothold or None): one per leg; None where the ground under it is level and keeps still.
    """
    places = _carried(feet, ground, up)
    legs = [_Slope(foot, *place, alignment) for foot, place in zip(feet, places, strict=True)]
    if alignment.weight > 0.0 or ground.moves:
        _read(legs, below, ground, up, pin=pin)
    # All feet of a clip lie along its ground, or none does, where that can be told from what they touch.
    sloped = [leg for leg in legs if leg.hold.tilt.any()]
    touching = _touch_along(sloped, ground, up)
    for leg, rest in zip(legs, rests, strict=True):
        if leg.hold.tilt.any():
            along = _lies_along(leg.foot.track, leg.hold, leg.inside, up, rest) if touching is None else touching
            leg.hold = replace(leg.hold, along=along)
    for _ in range(_READINGS - 1):
        _read(sloped, [None] * len(sloped), ground, up, pin=pin)
        sloped = [leg for leg in sloped if leg.hold.tilt.any()]
    return [leg.hold if ground.moves or leg.hold.tilt.any() else None for leg in legs]


class _Slope:
    """The ground under one foot, read again from where the foot stands by what is known of it."""

    def __init__(self, foot: StandingFoot, place: Array, spin: Array | None, alignment: Alignment) -> None:
        self.foot, self.spin, self.alignment = foot, spin, alignment
        self.hold = Foothold(place, spin, np.zeros_like(place))
        self.inside, self.samples = span_mask(foot.contacts, len(place)), _samples(foot.contacts)

    def learn(self, footing: Footing, up: Array) -> None:
        """Take over how the ground below the sole slopes."""
        spans, weight = self.foot.contacts, self.alignment.weight
        slope = _slopes(self.spin, footing, self.inside, self.samples, up, self.alignment.steepest)
        tilt = np.zeros_like(slope)
        if weight > 0.0 and slope.any():
            tilt = fill_between(weight * slope, spans, self.alignment.window)
        yaw = None if self.spin is None else _yaws(self.spin, slope, self.inside, spans)
        self.hold = replace(self.hold, yaw=yaw, tilt=tilt)


def _read(legs: Sequence[_Slope], below: Sequence[Footing | None], ground: Ground, up: Array, *, pin: bool) -> None:
    """Read how the ground slopes: from what is known at all frames of the contacts, or where each foot stands now."""
    standing = [(leg, footing) for leg, footing in zip(legs, below, strict=True) if leg.foot.contacts]
    asked = [leg for leg, footing in standing if footing is None]
    answers = iter(
        ground_below(
            [leg.foot for leg in asked],
            [leg.hold for leg in asked],
            [leg.samples.frames for leg in asked],
            ground,
            up,
            pin=pin,
        )
    )
    for leg, footing in standing:
        leg.learn(next(answers) if footing is None else _rows(footing, leg.samples), up)


@dataclass(frozen=True)
class _Samples:
    """The frames of contacts in which slopes are read."""

    rows: NDArray[np.intp]  # (n,) where they are among all frames of the contacts
    frames: NDArray[np.intp]  # (n,) which they are
    begins: NDArray[np.intp]  # (C,) where each contact's are among them
    counts: NDArray[np.intp]  # (C,) how many frames each contact has


def _samples(spans: Sequence[Span]) -> _Samples:
    """Choose frames of contacts to read slopes in."""
    first, last = np.array(spans, dtype=np.intp).reshape(-1, 2).T
    counts = last - first + 1
    step = 1 + (last - first) // _SAMPLES
    chosen = (last - first) // step + 1
    begins = np.cumsum(chosen) - chosen
    away = (np.arange(chosen.sum()) - np.repeat(begins, chosen)) * np.repeat(step, chosen)
    return _Samples(
        away + np.repeat(np.cumsum(counts) - counts, chosen), away + np.repeat(first, chosen), begins, counts
    )


def _rows(footing: Footing, samples: _Samples) -> Footing:
    """Return the part of what is known of all frames of the contacts that belongs to the samples."""
    num = int(samples.counts.sum())
    sets = len(footing.heights) // num
    rows = (num * np.arange(sets)[:, None] + samples.rows).reshape(-1)
    return Footing(footing.heights[rows], footing.normals[rows], footing.surface[rows])


def _yaws(spin: Array, tilt: Array, inside: NDArray[np.bool_], spans: Sequence[Span]) -> Array:
    """Return what is left of the ground's turn beside the change of its slope: a turn about up."""
    yaw = np.tile(np.eye(3), (len(tilt), 1, 1))
    lean, (first, last) = turn_matrices(tilt), np.array(spans, dtype=np.intp).T
    middles = np.repeat((first + last) // 2, last - first + 1)
    yaw[inside] = np.swapaxes(lean[inside], 1, 2) @ spin[inside] @ lean[middles]
    return yaw


def _carried(feet: Sequence[StandingFoot], ground: Ground, up: Array) -> list[tuple[Array, Array | None]]:
    """Return where the place under the ball is in each frame of a contact, and how the ground there has turned."""
    spans = [np.array(foot.contacts, dtype=np.intp).reshape(-1, 2) for foot in feet]
    middles = [own.sum(axis=1) // 2 for own in spans]
    balls = [
        foot.track.ankle[own] + foot.model.points(foot.track.foot[own], up)[1]
        for foot, own in zip(feet, middles, strict=True)
    ]
    footings = ground.footings(balls, middles)
    points = np.concatenate(
        [
            ball + np.nan_to_num(footing.heights - ball @ up)[:, None] * up
            for ball, footing in zip(balls, footings, strict=True)
        ]
    )
    counts = np.concatenate([own[:, 1] - own[:, 0] + 1 for own in spans])
    masks = [span_mask(foot.contacts, len(foot.track.ankle)) for foot in feet]
    there, turns = np.repeat(points, counts, axis=0), None
    if ground.moves:
        axes = _level_axes(up)
        reach = np.repeat([_PATCH * foot.track.length for foot in feet], [len(own) for own in spans])
        patches = points[:, None] + reach[:, None, None] * np.stack([np.zeros(3), *axes])
        carried = ground.carry(
            np.repeat(patches, counts, axis=0).reshape(-1, 3),
            np.repeat(np.concatenate([footing.surface for footing in footings]), 3 * counts),
            np.repeat(np.concatenate(middles), 3 * counts),
            np.repeat(np.concatenate([np.flatnonzero(mask) for mask in masks]), 3),
        ).reshape(-1, 3, 3)
        there, turns = carried[:, 0], _frames_of(carried[:, 1:] - carried[:, :1]) @ np.stack([*axes, up])
    out, begin = list[tuple[Array, Array | None]](), 0
    for mask in masks:
        own = slice(begin, begin := begin + int(mask.sum()))
        place, spin = np.zeros((len(mask), 3)), None
        place[mask] = there[own]
        if turns is not None:
            spin = np.tile(np.eye(3), (len(mask), 1, 1))
            spin[mask] = turns[own]
        out.append((place, spin))
    return out


def _level_axes(up: Array) -> Array:
    """Return two level unit vectors (2, 3) that make a right-handed frame with up as the third."""
    first = np.cross(up, np.eye(3)[int(np.argmin(np.abs(up)))])
    first /= np.linalg.norm(first)
    return np.stack([first, np.cross(up, first)])


def _frames_of(edges: Array) -> Array:
    """Return right-handed frames (n, 3, 3) whose columns are the first of two edges (n, 2, 3), and square to it."""
    third = np.cross(edges[:, 0], edges[:, 1])
    frames = np.stack([edges[:, 0], np.cross(third, edges[:, 0]), third], axis=-1)
    return np.asarray(frames / np.maximum(np.linalg.norm(frames, axis=1, keepdims=True), 1e-300))


def _slopes(
    spin: Array | None, footing: Footing, inside: NDArray[np.bool_], samples: _Samples, up: Array, steepest: float
) -> Array:
    """Return the vectors that turn up to the mean normal below the sole of a contact, as the ground carries it."""
    usable = np.isfinite(footing.heights) & (footing.normals @ up >= steepest)
    normals = (footing.normals * usable[:, None]).reshape(-1, len(samples.frames), 3).sum(axis=0)
    if spin is not None:
        normals = np.einsum("fji,fj->fi", spin[samples.frames], normals)
    mean = np.add.reduceat(normals, samples.begins, axis=0)
    mean[~mean.any(axis=1)] = up
    tilt = np.zeros((len(inside), 3))
    if spin is None:
        tilt[inside] = np.repeat(_turns_from(up, mean), samples.counts, axis=0)
    else:
        tilt[inside] = _turns_from(up, np.einsum("fij,fj->fi", spin[inside], np.repeat(mean, samples.counts, axis=0)))
    return tilt


def _turns_from(up: Array, normals: Array) -> Array:
    """Return the shortest turns (n, 3) from up to normals (n, 3) of any length; 0 where that is hardly any."""
    axis = np.cross(up, normals)
    sine = lengths(axis)
    angle = np.arctan2(sine, normals @ up)
    steep = angle > _LEVEL
    return np.asarray(np.divide(angle, sine, out=np.zeros_like(sine), where=steep)[:, None] * axis)


def _touch_along(legs: Sequence[_Slope], ground: Ground, up: Array) -> bool | None:
    """Say whether feet lie along the ground that their soles touch throughout; None where they do not touch it.

    Feet that are planted already tell so, however little the ground slopes.
    """
    if not legs:
        return None
    soles = [_sole_points(leg, along, up) for along in (False, True) for leg in legs]
    frames = [_some_frames(leg) for leg in legs]
    above = ground.each_above(soles, up, frames + frames)
    apart, level = [], []
    for both in (above[: len(legs)], above[len(legs) :]):
        lowest = [each.min(axis=0) / leg.foot.track.length for each, leg in zip(both, legs, strict=True)]
        heights = [each[np.isfinite(each)] for each in lowest if np.isfinite(each).any()]
        if not heights:
            return None
        middles = [median(each) for each in heights]
        apart.append(median(np.concatenate([np.abs(h - m) for h, m in zip(heights, middles, strict=True)])))
        # Soles may be thicker on one side, and that is shared between both.
        level.append(abs(float(np.mean(middles))))
    if min(apart) > _TOUCHES:
        return None
    if max(apart) > 2.0 * min(apart) + _ROUNDING:
        return apart[1] < apart[0]
    return level[1] < level[0]


def _some_frames(leg: _Slope) -> NDArray[np.intp]:
    """Return frames of contacts that are enough to tell whether feet lie along the ground."""
    frames = np.flatnonzero(leg.inside)
    return frames[:: 1 + len(frames) // _ENOUGH]


def _sole_points(leg: _Slope, along: bool, up: Array) -> Array:
    """Return the points of a sole (P, N, 3) in those frames, if its foot lies along the ground or not."""
    hold, track, frames = replace(leg.hold, along=along), leg.foot.track, _some_frames(leg)
    foot = hold.level_foot(track.foot)
    # A sole is read where its foot turns least.
    speed = _core.turn_speeds(_core.rotations_of(np.ascontiguousarray(foot)))
    calm = leg.inside & (speed <= median(speed[leg.inside]))
    sole = fit_foot(replace(track, foot=foot), up, calm, leg.foot.model.clearance).outline(foot, up)
    if hold.undo is not None:
        sole = _core.turn_points(np.ascontiguousarray(hold.undo), sole, False)
    return np.asarray(track.ankle[frames] + sole[:, frames])


def _lies_along(track: LegTrack, hold: Foothold, inside: NDArray[np.bool_], up: Array, rest: Array | None) -> bool:
    """Say whether feet stand along the ground in the original: their soles then agree better with the rest pose."""
    frames = np.flatnonzero(inside)
    frames = frames[lengths(hold.tilt[frames]) > _FITTER]
    if not frames.size:
        return False
    frames = frames[:: 1 + len(frames) // _ENOUGH]
    turn = turn_matrices(hold.tilt[frames])
    if hold.yaw is not None:
        turn = turn @ hold.yaw[frames]
    errors = []
    for ground_up in (np.broadcast_to(up, (len(frames), 3)), turn @ up):
        own = np.linalg.solve(track.foot[frames], ground_up[..., None])[..., 0]
        own /= lengths(own)[:, None]
        middle = np.median(own, axis=0) if rest is None else rest
        cosine = own @ (middle / np.linalg.norm(middle))
        errors.append(median(np.arccos(np.clip(cosine, -1.0, 1.0))))
    slope = median(lengths(hold.tilt[frames]))
    return errors[1] + min(float(_FITTER), 0.5 * slope) < errors[0]
