# SPDX-License-Identifier: MIT
"""Clips whose contacts are known exactly: footsteps from formulas, legs solved on paper, faults of stated strength.

Each foot has a list of footsteps. Between touching down and leaving it may roll over its heel, stand flat, turn on
its ball and roll over it; in between it swings. The figure stands Y up and looks along +z, in metres, and is turned
and scaled at the end.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

import skelkin_py as sk

SIDES = ("left", "right")
LEG = ("thigh", "shin", "foot", "toe")
SOLE = 0.03  # metres: the ball joint's height when the foot stands
LEG_LENGTH = 2.0 * np.hypot(0.42, 0.01)
TO_BALL = np.array([0.0, -0.03, 0.13])  # from ankle to ball
TO_BACK = np.array([0.0, -0.06, -0.13 / 3.0])  # from ankle to the back of the heel
_TRUNK = {
    "hips": (None, (0.0, 0.92, 0.0)),
    "spine": ("hips", (0.0, 0.3, 0.0)),
    "head": ("spine", (0.0, 0.4, 0.0)),
    "left_arm": ("spine", (0.2, 0.2, 0.0)),
    "right_arm": ("spine", (-0.2, 0.2, 0.0)),
}
AXES = {"Y": np.eye(3), "Z": np.array([[1.0, 0, 0], [0, 0, -1.0], [0, 1.0, 0]])}


def make_skeleton(axes: np.ndarray, unit: float) -> sk.Skeleton:
    """Make the figure's skeleton: a trunk, two arms, two legs of thigh, shin, foot and toe."""
    names, parents, offsets = list(_TRUNK), [], []
    for above, at in _TRUNK.values():
        parents.append(-1 if above is None else names.index(above))
        offsets.append(at)
    for side, x in zip(SIDES, (0.1, -0.1), strict=True):
        steps = [(x, -0.02, 0.0), (0.0, -0.42, 0.01), (0.0, -0.42, -0.01), TO_BALL]
        for k, (part, at) in enumerate(zip(LEG, steps, strict=True)):
            parents.append(0 if k == 0 else len(names) - 1)
            names.append(f"{side}_{part}")
            offsets.append(tuple(at))
    rest = np.tile(np.eye(4), (len(names), 1, 1))
    rest[:, :3, 3] = np.asarray(offsets) @ axes.T * unit
    return sk.Skeleton(parents, rest, names)


@dataclass(frozen=True)
class Step:
    """One footstep: where the ball stands (x, y of the ground, z), its times, and how the foot rolls.

    The heel is down from `down` to `off`, the ball from `flat` to `up`. The foot lands with its toes up by `strike`,
    leaves with its heel up by `push` (radians), looks to `yaw` and turns on its ball by `pivot` while it stands flat.
    With a `tip` it never stands flat: its heel is up by so much throughout, and the ball alone stands.
    """

    place: tuple[float, float, float]
    down: float
    flat: float
    off: float
    up: float
    yaw: float = 0.0
    pivot: float = 0.0
    strike: float = 0.0
    push: float = 0.6
    tip: float = 0.0


@dataclass(frozen=True)
class Motion:
    """Footsteps of both feet, and what they walk on."""

    steps: dict[str, list[Step]]
    seconds: float
    swing: float = 0.09  # metres: how high the foot swings
    height: float = 0.86  # metres: hips above the mean of the feet
    ahead: float = -0.05  # metres: and ahead of it
    bounce: tuple[float, float] = (0.012, 1.1)  # metres, seconds of a full cycle
    velocity: tuple[float, float, float] = (0.0, 0.0, 0.0)  # of a moving ground, taken off at the end
    ground: Callable[[np.ndarray], np.ndarray] | None = None
    closed: float | None = None  # seconds after which everything comes again, where it was or a way further


@dataclass(frozen=True)
class Known:
    """A clip, what is true about it, and the clean version it was made from.

    `heel` and `ball` are flags (F,) per side; `contact` is either of them. `velocity` is that of a moving ground, in
    the clip's units per second; `ground` is what to hand to `plant_feet` (None: a level plane).
    """

    clip: sk.Clip
    clean: sk.Clip
    heel: dict[str, np.ndarray]
    ball: dict[str, np.ndarray]
    up: int
    unit: float
    velocity: np.ndarray
    ground: Callable[[np.ndarray], np.ndarray] | None
    closed: bool

    @property
    def leg(self) -> float:
        return LEG_LENGTH * self.unit

    @property
    def contact(self) -> dict[str, np.ndarray]:
        return {side: self.heel[side] | self.ball[side] for side in SIDES}

    @property
    def spans(self) -> dict[str, list[tuple[int, int]]]:
        """The contacts as `plant_feet` takes them."""
        return {side: spans_of(flags) for side, flags in self.contact.items()}

    @property
    def flat(self) -> dict[str, list[tuple[int, int]]]:
        """Where heel and ball are both down."""
        return {side: spans_of(self.heel[side] & self.ball[side]) for side in SIDES}


def spans_of(flags: np.ndarray) -> list[tuple[int, int]]:
    """Return the runs of True as (first, last)."""
    edges = np.flatnonzero(np.diff(np.r_[0, flags.astype(int), 0]))
    return [(int(a), int(b) - 1) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def _ease(x: np.ndarray) -> np.ndarray:
    x = np.clip(x, 0.0, 1.0)
    return x * x * (3.0 - 2.0 * x)


def _part(time: np.ndarray, first: float, last: float) -> np.ndarray:
    return np.clip((time - first) / max(last - first, 1e-9), 0.0, 1.0)


def _turn(angle: np.ndarray, axis: int) -> np.ndarray:
    """(F, 3, 3) Rotations about the x (0) or y (1) axis."""
    c, s = np.cos(angle), np.sin(angle)
    out = np.tile(np.eye(3), (len(angle), 1, 1))
    a, b = ((1, 2), (2, 0))[axis]
    out[:, a, a] = out[:, b, b] = c
    out[:, b, a], out[:, a, b] = s, -s
    return out


def _foot(time: np.ndarray, motion: Motion, steps: Sequence[Step]) -> dict[str, np.ndarray]:
    """Ankle, rotation, pitch and contacts of one foot."""
    place, yaw, pitch, lift = np.zeros((len(time), 3)), np.zeros(len(time)), np.zeros(len(time)), np.zeros(len(time))
    heel, ball = np.zeros(len(time), bool), np.zeros(len(time), bool)
    for k, step in enumerate(steps):
        at = (time >= step.down) & (time < (steps[k + 1].down if k + 1 < len(steps) else np.inf))
        t = time[at]
        last = steps[k + 1] if k + 1 < len(steps) else step
        swing = _part(t, step.up, last.down) if last is not step else np.zeros(len(t))
        there = _ease(swing)[:, None]
        place[at] = (1.0 - there) * step.place + there * np.asarray(last.place)
        rise = last.place[1] - step.place[1]
        place[at, 1] = step.place[1] + rise * _ease(swing / (0.55 if rise > 0.0 else 1.0))
        lift[at] = motion.swing * np.sin(np.pi * swing) ** 2
        turned = step.yaw + step.pivot * _ease(_part(t, step.flat + 0.25 * (step.off - step.flat), step.off))
        yaw[at] = turned + (last.yaw - step.yaw - step.pivot) * _ease(swing)
        pitch[at] = (
            -step.strike * (1.0 - _ease(_part(t, step.down, step.flat)))
            + step.push * _ease(_part(t, step.off, step.up)) * (1.0 - _ease(swing / 0.6))
            - last.strike * _ease((swing - 0.6) / 0.4)
            + step.tip
            + (last.tip - step.tip) * _ease(swing)
        )
        heel[at] = (t <= step.off + 1e-9) & (step.tip == 0.0)
        ball[at] = (t >= step.flat - 1e-9) & (t <= step.up + 1e-9)
    foot = _turn(yaw, 1) @ _turn(pitch, 0)
    level = _turn(yaw, 1)
    # The place is that of the sole under the ball of a flat foot: about it while the heel is up, about the back of
    # the heel while the toes are.
    joint = place + SOLE * np.array([0.0, 1.0, 0.0])
    about_ball = joint - foot @ TO_BALL
    about_back = joint + level @ (TO_BACK - TO_BALL) - foot @ TO_BACK
    ankle = np.where((pitch >= 0.0)[:, None], about_ball, about_back)
    ankle[:, 1] += lift
    moved = np.asarray(motion.velocity) * time[:, None]
    place, ankle = place + moved, ankle + moved
    return {"ankle": ankle, "foot": foot, "pitch": pitch, "yaw": yaw, "place": place, "heel": heel, "ball": ball}


def _blur(values: np.ndarray, sigma: float, closed: bool) -> np.ndarray:
    """Gaussian over frames; goes round where closed, from end to beginning; else the ends go on straight."""
    half = min(round(3.0 * sigma), len(values) - 2)
    kernel = np.exp(-0.5 * (np.arange(-half, half + 1) / sigma) ** 2)
    kernel /= kernel.sum()
    flat = values.reshape(len(values), -1)
    if closed:
        way = flat[-1] - flat[0]
        padded = np.concatenate([flat[-half - 1 : -1] - way, flat, flat[1 : half + 1] + way])
    else:
        padded = np.concatenate([2 * flat[0] - flat[half:0:-1], flat, 2 * flat[-1] - flat[-2 : -half - 2 : -1]])
    out = np.stack([np.convolve(column, kernel, mode="valid") for column in padded.T], axis=-1)
    return out.reshape(values.shape)


def _aim(first: np.ndarray, side: np.ndarray, offset: np.ndarray) -> np.ndarray:
    """Rotations that turn a bone's `offset` to the directions `first`, with its x axis near `side`."""
    y = first / np.linalg.norm(first, axis=-1, keepdims=True)
    x = side - (side * y).sum(-1, keepdims=True) * y
    x /= np.linalg.norm(x, axis=-1, keepdims=True)
    own = offset / np.linalg.norm(offset)
    basis = np.stack([[1.0, 0.0, 0.0], own, np.cross([1.0, 0.0, 0.0], own)], axis=-1)
    return np.stack([x, y, np.cross(x, y)], axis=-1) @ basis.T


def _solve_leg(hip: np.ndarray, ankle: np.ndarray, forward: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Global rotations of thigh and shin by the law of cosines, knee forward."""
    thigh, shin = np.array([0.0, -0.42, 0.01]), np.array([0.0, -0.42, -0.01])
    bone = float(np.linalg.norm(thigh))
    line = ankle - hip
    far = np.linalg.norm(line, axis=-1)
    assert far.max() < 2.0 * bone, "the hips are too high for this motion"
    along = line / far[:, None]
    ahead = forward - (forward * along).sum(-1, keepdims=True) * along
    ahead /= np.linalg.norm(ahead, axis=-1, keepdims=True)
    knee = hip + 0.5 * line + np.sqrt(bone**2 - 0.25 * far**2)[:, None] * ahead
    side = np.cross([0.0, 1.0, 0.0], forward)
    return _aim(knee - hip, side, thigh), _aim(ankle - knee, side, shin)


def _body(time: np.ndarray, motion: Motion, feet: dict[str, dict[str, np.ndarray]], fps: float) -> tuple[Any, ...]:
    """Path and heading of the hips: over the feet, smoothed, low enough for both legs to reach."""
    closed = motion.closed is not None
    mean = np.mean([feet[side]["place"] for side in SIDES], axis=0)
    hips = _blur(mean, 0.12 * fps, closed)
    heading = _blur(np.mean([feet[side]["yaw"] for side in SIDES], axis=0), 0.15 * fps, closed)
    size, period = motion.bounce
    hips[:, 1] += motion.height + size * np.cos(4.0 * np.pi * time / period)
    hips += motion.ahead * np.stack([np.sin(heading), 0.0 * heading, np.cos(heading)], axis=-1)
    down = np.zeros(len(time))
    for side, x in zip(SIDES, (0.1, -0.1), strict=True):
        hip = hips + _turn(heading, 1) @ [x, -0.02, 0.0]
        apart = hip - feet[side]["ankle"]
        level = np.minimum(np.hypot(apart[:, 0], apart[:, 2]), 0.9 * LEG_LENGTH)
        down = np.maximum(down, apart[:, 1] - np.sqrt((0.985 * LEG_LENGTH) ** 2 - level**2))
    half = max(1, round(0.15 * fps))
    index = np.arange(len(time))[:, None] + np.arange(-half, half + 1)
    index = index % (len(time) - 1) if closed else np.clip(index, 0, len(time) - 1)
    hips[:, 1] -= _blur(np.maximum(down, 0.0)[index].max(axis=1), 0.4 * half, closed)
    return hips, heading


def build(
    motion: Motion,
    *,
    fps: float = 30.0,
    up: str = "Y",
    unit: float = 1.0,
    slide: float = 0.0,
    sway: float = 0.0,
    lift: float = 0.0,
    bump: float = 0.0,
    noise: float = 0.0,
    legs: float = 1.0,
    seed: int = 0,
) -> Known:
    """Make the clip of a motion and put faults on it.

    `slide` lengthens the body's level path by that part, `sway` (metres) wanders sideways, `lift` (metres) raises all
    of it, `bump` (metres) raises and then lowers a part of it, `noise` (radians) shakes every leg rotation, `legs`
    makes thighs and shins longer by that factor while all rotations stay (a retargeting error).
    """
    axes = AXES[up]
    num = round(motion.seconds * fps) + 1
    # A loop fills its frames to the last one at any rate: it then goes a little faster or slower than it would.
    pace = motion.seconds * fps / (num - 1) if motion.closed else 1.0
    time = np.arange(num) / fps * pace
    feet = {side: _foot(time, motion, motion.steps[side]) for side in SIDES}
    hips, heading = _body(time, motion, feet, fps)
    skeleton = make_skeleton(axes, unit)
    globals_ = {"hips": _turn(heading, 1)}
    forward = globals_["hips"] @ [0.0, 0.0, 1.0]
    local = np.tile(skeleton.rest_local, (num, 1, 1, 1))
    local[:, 0, :3, :3] = axes @ globals_["hips"] @ axes.T
    for side, x in zip(SIDES, (0.1, -0.1), strict=True):
        foot = feet[side]
        thigh, shin = _solve_leg(hips + globals_["hips"] @ [x, -0.02, 0.0], foot["ankle"], forward)
        chain = [globals_["hips"], thigh, shin, foot["foot"]]
        turns = [np.swapaxes(a, 1, 2) @ b for a, b in pairwise(chain)]
        turns.append(_turn(-np.maximum(foot["pitch"], 0.0), 0))  # the toes stay level under a rising heel
        for part, turn in zip(LEG, turns, strict=True):
            local[:, skeleton.index(f"{side}_{part}"), :3, :3] = axes @ turn @ axes.T
    for k, side in enumerate(SIDES):  # arms swing, so that "untouched" means something
        swing = _turn(0.5 * np.sin(2.0 * np.pi * time / motion.bounce[1] + np.pi * k), 0)
        local[:, skeleton.index(f"{side}_arm"), :3, :3] = axes @ swing @ axes.T
    local[:, 0, :3, 3] = hips @ axes.T * unit
    translations, rotations, _ = sk.decompose(local)
    clean = sk.Clip(skeleton, rotations, translations, fps=fps)
    clip = _damage(clean, hips, axes, unit, time, (slide, sway, lift, bump))
    if noise:
        clip = shaken(clip, noise, seed, motion.closed is not None)
    if legs != 1.0:
        clip = _longer_legs(clip, legs)
    return Known(
        clip,
        clean,
        {side: feet[side]["heel"] for side in SIDES},
        {side: feet[side]["ball"] for side in SIDES},
        1 if up == "Y" else 2,
        unit,
        axes @ np.asarray(motion.velocity) * unit * pace,
        None if motion.ground is None else functools.partial(_world_ground, motion.ground, axes, unit),
        motion.closed is not None,
    )


def _world_ground(ground: Any, axes: np.ndarray, unit: float, points: np.ndarray) -> np.ndarray:
    """Heights of the figure's ground at places in the clip's axes and unit."""
    return np.asarray(ground(points @ axes / unit) * unit)


def _damage(clean: sk.Clip, hips: np.ndarray, axes: np.ndarray, unit: float, time: np.ndarray, faults: Any) -> sk.Clip:
    """Put the faults of the root on a clip; each comes back to where it began, so that a loop stays closed."""
    slide, sway, lift, bump = faults
    if not any(faults):
        return clean
    damaged = hips.copy()
    damaged[:, [0, 2]] += slide * (hips - hips[0])[:, [0, 2]]
    total = time[-1]
    damaged[:, 0] += sway * np.sin(2 * np.pi * time * max(1, round(total / 2.7)) / total)
    damaged[:, 1] += lift + bump * np.where(time < total / 2, 1.0, -1.0) * np.sin(2 * np.pi * time / total) ** 2
    translations = clean.translations.copy()
    translations[:, 0] = damaged @ axes.T * unit
    return clean.replace(translations=translations)


def leg_joints(skeleton: sk.Skeleton, parts: Sequence[str] = LEG[:3]) -> list[int]:
    """Return the joints of both legs."""
    return [skeleton.index(f"{side}_{part}") for side in SIDES for part in parts]


def shaken(clip: sk.Clip, noise: float, seed: int, closed: bool = False) -> sk.Clip:
    """Return the clip with every leg rotation shaken by `noise` radians; the last pose of a loop is still the first."""
    random = np.random.default_rng(seed)
    joints = leg_joints(clip.skeleton)
    vectors = random.normal(size=(clip.num_frames, len(joints), 3)) * noise
    if closed:
        vectors[-1] = vectors[0]
    angle = np.linalg.norm(vectors, axis=-1)
    shake = sk.quaternion_from_axis_angle(vectors / np.maximum(angle, 1e-12)[..., None], angle)
    rotations = clip.rotations.copy()
    rotations[:, joints] = sk.quaternion_multiply(rotations[:, joints], shake)
    return clip.replace(rotations=rotations)


def _longer_legs(clip: sk.Clip, factor: float) -> sk.Clip:
    skeleton, joints = clip.skeleton, leg_joints(clip.skeleton, ("shin", "foot"))
    rest, translations = np.array(skeleton.rest_local), clip.translations.copy()
    # The other figure's own rest pose stands on the origin's plane too; its motion keeps the first one's hips.
    rest[0, :3, 3] -= (factor - 1.0) * rest[joints[:2], :3, 3].sum(axis=0)
    rest[joints, :3, 3] *= factor
    translations[:, joints] *= factor
    longer = sk.Skeleton(skeleton.parents, rest, list(skeleton.names))
    return sk.Clip(longer, clip.rotations, translations, fps=clip.fps)
