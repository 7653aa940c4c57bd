# SPDX-License-Identifier: MIT
"""Steps of people that no other test knows: other legs, other feet, other curves, and an own account of what is true.

Every step is drawn: how long a foot stands and swings, where to, which way it looks, how it lands and leaves. In the
air the sole follows a curve of minimum jerk, a cycloid, or one that is quick to leave and slow to land; on the ground
it turns about the edge of its heel, stands, and turns about its ball. Faults are those of a capture: a body that goes
too far or too short a way, floats or sinks, and noise on the legs.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

import skelkin_py as sk

GAITS = ("walk", "hurry", "stroll", "backwards", "sideways", "turns", "shifts", "jog", "limp", "creep")
SIDES = ("left", "right")
_RATES = (24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 72.0, 90.0, 100.0, 120.0)
# Seconds a foot stands, and swings; metres of a step; radians of a landing, a leaving, a change of direction.
_RANGES = {
    "walk": ((0.55, 0.75), (0.34, 0.44), (0.55, 0.8), (0.1, 0.35), (0.4, 0.9), 0.05),
    "hurry": ((0.36, 0.5), (0.3, 0.38), (0.75, 1.0), (0.2, 0.4), (0.6, 1.0), 0.05),
    "stroll": ((0.8, 1.2), (0.4, 0.55), (0.4, 0.6), (0.05, 0.25), (0.3, 0.7), 0.1),
    "backwards": ((0.6, 0.8), (0.36, 0.5), (-0.5, -0.3), (0.0, 0.05), (0.1, 0.4), 0.05),
    "sideways": ((0.6, 0.9), (0.35, 0.5), (0.0, 0.05), (0.0, 0.0), (0.1, 0.4), 0.0),
    "turns": ((0.5, 0.7), (0.35, 0.45), (0.2, 0.5), (0.0, 0.2), (0.3, 0.6), 0.6),
    "shifts": ((1.2, 2.5), (0.35, 0.6), (-0.1, 0.15), (0.0, 0.0), (0.05, 0.4), 0.15),
    "jog": ((0.22, 0.3), (0.4, 0.48), (0.9, 1.2), (0.0, 0.2), (0.5, 0.9), 0.02),
    "limp": ((0.5, 0.8), (0.3, 0.4), (0.35, 0.5), (0.05, 0.2), (0.2, 0.6), 0.05),
    "creep": ((1.0, 1.5), (0.6, 0.9), (0.3, 0.45), (0.0, 0.1), (0.3, 0.6), 0.03),
}


@dataclass(frozen=True)
class Foreign:
    """A clip and the frames (F,) per side in which each foot stands on heel or ball."""

    name: str
    clip: sk.Clip
    contact: dict[str, np.ndarray]


def _minimum_jerk(s):
    return s**3 * (10.0 - 15.0 * s + 6.0 * s**2)


def _cycloid(s):
    return s - np.sin(2.0 * np.pi * s) / (2.0 * np.pi)


def _quick(s):
    return _minimum_jerk(1.0 - (1.0 - s) ** 1.25)


_WAYS = (_minimum_jerk, _cycloid, _quick)


def _about(angles, axis):
    """(N, 3, 3) Turns about an axis of the world."""
    cross = np.array([[0.0, -axis[2], axis[1]], [axis[2], 0.0, -axis[0]], [-axis[1], axis[0], 0.0]])
    sine, versine = np.sin(angles)[:, None, None], (1.0 - np.cos(angles))[:, None, None]
    return np.eye(3) + sine * cross + versine * (cross @ cross)


_UP, _SIDE = np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 0.0])  # the figure walks along x, Z up


def _plan(of, gait, seconds, width):
    """Per side the rows (lands, leaves, x, y, looks to, strike, push) of its steps."""
    stand, swing, length, strike, push, bend = _RANGES[gait]
    rows = {side: [] for side in SIDES}
    heading, middle, clock, n = 0.0, np.zeros(2), {"left": 0.0, "right": 0.0}, 0
    # Feet take turns: the one that has stood for the longest swings next.
    period = 0.5 * (np.mean(stand) + np.mean(swing))
    for side, phase in zip(SIDES, (0.0, 1.0)):
        clock[side] = -2.0 * period + phase * period
    while min(clock.values()) < seconds + 6.0:
        side = SIDES[n % 2]
        sign = 1.0 if side == "left" else -1.0
        heading += of.uniform(-bend, bend)
        ahead = np.array([np.cos(heading), np.sin(heading)])
        across = np.array([-ahead[1], ahead[0]])
        middle = middle + of.uniform(*length) * ahead + (0.2 * across if gait == "sideways" else 0.0)
        place = middle + sign * width * across + of.normal(size=2) * 0.015
        part = of.uniform(*stand) / np.mean(stand)
        long = part * (np.mean(stand) + (0.08 * sign if gait == "limp" else 0.0))
        lands = clock[side]
        rows[side].append((lands, lands + long, *place, heading + sign * 0.12, of.uniform(*strike), of.uniform(*push)))
        clock[side] = max(lands + long + of.uniform(*swing), lands + 1.2 * period)
        n += 1
    return rows


def _foot_path(time, rows, sole, of, height, way):
    """Ankle (N, 3), turns (N, 3, 3), pitch (N,) and contact (N,) of one foot; heel up is positive."""
    ball_height, to_ball, to_edge = sole
    share_on, share_off = of.uniform(0.1, 0.2), of.uniform(0.3, 0.45)
    power = of.uniform(1.6, 2.6)
    at, yaw, pitch, lift = (np.zeros(s) for s in ((len(time), 2), len(time), len(time), len(time)))
    contact, on_edge = np.zeros(len(time), bool), np.zeros(len(time), bool)
    for row, after in pairwise(rows):
        lands, leaves, x, y, looks, strike, push = row
        inside = (time >= lands) & (time < after[0])
        t = time[inside]
        flat, off = lands + share_on * (leaves - lands) * (strike > 0.0), leaves - share_off * (leaves - lands)
        s = np.clip((t - leaves) / (after[0] - leaves), 0.0, 1.0)
        moved = way(s)
        at[inside] = np.outer(1.0 - moved, (x, y)) + np.outer(moved, after[2:4])
        yaw[inside] = looks + _minimum_jerk(s) * (after[4] - looks)
        landing = -strike * np.clip((flat - t) / max(flat - lands, 1e-9), 0.0, 1.0) ** 2
        leaving = push * np.clip((t - off) / (leaves - off), 0.0, 1.0) ** power
        swing = leaving * (1.0 - _minimum_jerk(np.clip(s / 0.7, 0.0, 1.0)))
        pitch[inside] = landing + swing - after[5] * _minimum_jerk(np.clip((s - 0.5) / 0.5, 0.0, 1.0))
        lift[inside] = height * 64.0 * s**3 * (1.0 - s) ** 3
        contact[inside] = t <= leaves
        on_edge[inside] = (t < flat) | (s > 0.5)
    turn = _about(yaw, _UP)
    whole = turn @ _about(pitch, _SIDE)
    ball = np.concatenate([at, np.full((len(time), 1), ball_height)], axis=1)
    about_ball = ball - whole @ to_ball
    about_edge = ball + turn @ (to_edge - to_ball) - whole @ to_edge
    # Where it changes from one to the other in the air the foot is turned about both.
    ankle = np.where((on_edge & (pitch < 0.0))[:, None], about_edge, about_ball)
    ankle[:, 2] += lift
    return ankle, whole, pitch, contact, at


def _soft(values, frames):
    """A running mean, four times over."""
    size = max(1, round(frames))
    for _ in range(4):
        padded = np.pad(values, ((size, size), (0, 0)), mode="reflect", reflect_type="odd")
        sums = np.cumsum(np.concatenate([np.zeros((1, values.shape[1])), padded]), axis=0)
        values = (sums[2 * size + 1 :] - sums[: -2 * size - 1]) / (2 * size + 1)
    return values


def _leg_turns(hip, ankle, bones, forward):
    """Turns of thigh and shin, whose bones hang down at rest: the knee goes forward."""
    line = ankle - hip
    far = np.linalg.norm(line, axis=1)
    down = line / far[:, None]
    along = (far**2 + bones[0] ** 2 - bones[1] ** 2) / (2.0 * far)
    out = np.sqrt(np.maximum(bones[0] ** 2 - along**2, 0.0))
    front = forward - (forward * down).sum(axis=1)[:, None] * down
    front /= np.linalg.norm(front, axis=1)[:, None]
    knee = hip + along[:, None] * down + out[:, None] * front
    turns = []
    for first, last in ((hip, knee), (knee, ankle)):
        z = (first - last) / np.linalg.norm(first - last, axis=1)[:, None]
        y = np.cross(z, front)
        y /= np.linalg.norm(y, axis=1)[:, None]
        turns.append(np.stack([np.cross(y, z), y, z], axis=-1))
    return turns


def clip(number: int, seed: int = 5, gait: str | None = None, faults: bool = True) -> Foreign:
    """Return the clip of a number; gaits take turns, and all else is drawn."""
    of = np.random.default_rng([seed, number])
    gait = GAITS[number % len(GAITS)] if gait is None else gait
    fps, seconds = float(of.choice(_RATES)), of.uniform(4.0, 7.0)
    time = np.arange(round(seconds * fps)) / fps
    bones = of.uniform(0.38, 0.46), of.uniform(0.38, 0.46)
    ball_height = of.uniform(0.015, 0.03)
    ankle_height, foot = of.uniform(0.07, 0.1), of.uniform(0.11, 0.15)
    to_ball = np.array([foot, 0.0, ball_height - ankle_height])
    to_edge = np.array([-of.uniform(0.25, 0.42) * foot, 0.0, -ankle_height])
    width, half, leg = of.uniform(0.06, 0.12), of.uniform(0.08, 0.11), sum(bones)
    way = _WAYS[int(of.integers(3))]
    height = of.uniform(0.03, 0.06) if gait in ("shifts", "creep", "limp") else of.uniform(0.05, 0.12)
    rows = _plan(of, gait, seconds, width)
    feet = {side: _foot_path(time, rows[side], (ball_height, to_ball, to_edge), of, height, way) for side in SIDES}
    between = np.mean([feet[side][4] for side in SIDES], axis=0)
    body = np.concatenate([_soft(between, 0.1 * fps), np.zeros((len(time), 1))], axis=1)
    facing = np.unwrap(np.mean([np.arctan2(feet[s][1][:, 1, 0], feet[s][1][:, 0, 0]) for s in SIDES], axis=0))
    facing = _soft(facing[:, None], 0.15 * fps)[:, 0]
    turned = _about(facing, _UP)
    hips = {s: body + turned @ [0.0, half * (1.0 if s == "left" else -1.0), 0.0] for s in SIDES}
    reach = [
        feet[s][0][:, 2] + np.sqrt(np.maximum((0.98 * leg) ** 2 - ((hips[s] - feet[s][0])[:, :2] ** 2).sum(1), 0.04))
        for s in SIDES
    ]
    low = np.minimum(np.min(reach, axis=0), 0.97 * leg + ankle_height)
    size = max(1, round(0.12 * fps))
    low = np.min([np.roll(np.pad(low, size, mode="edge"), k)[size:-size] for k in range(-size, size + 1)], axis=0)
    body[:, 2] = _soft(low[:, None], 0.05 * fps)[:, 0] - 0.01
    names, parents, offsets = (
        ["pelvis", "chest", "skull"],
        [-1, 0, 1],
        [(0, 0, leg + ankle_height), (0, 0, 0.3), (0, 0, 0.3)],
    )
    local = [turned, np.tile(np.eye(3), (len(time), 1, 1)), np.tile(np.eye(3), (len(time), 1, 1))]
    for side in SIDES:
        hips[side][:, 2] = body[:, 2]
        ankle, whole, pitch, _, _ = feet[side]
        thigh, shin = _leg_turns(hips[side], ankle, bones, whole[:, :, 0] * [1.0, 1.0, 0.0])
        chain = [turned, thigh, shin, whole]
        first = len(names)
        names += [f"{part}_{side[0].upper()}" for part in ("UpperLeg", "LowerLeg", "Foot", "Toe")]
        parents += [0, first, first + 1, first + 2]
        offsets += [(0, half * (1.0 if side == "left" else -1.0), 0), (0, 0, -bones[0]), (0, 0, -bones[1]), to_ball]
        local += [np.swapaxes(a, 1, 2) @ b for a, b in pairwise(chain)]
        local.append(_about(-np.maximum(pitch, 0.0), _SIDE))
    axes = np.eye(3) if of.random() < 0.5 else np.array([[0.0, 1, 0], [0, 0, 1], [1, 0, 0]])
    unit = float(10.0 ** of.uniform(-1.0, 2.0))
    rotations = np.stack([sk.quaternion_from_matrix(axes @ turn @ axes.T) for turn in local], axis=1)
    rest = np.tile(np.eye(4), (len(names), 1, 1))
    rest[:, :3, 3] = np.array(offsets, float) @ axes.T * unit
    fault = of.choice(["none", "way", "height", "noise", "all"]) if faults else "none"
    if fault in ("way", "all"):
        body[:, :2] *= 1.0 + of.uniform(-0.06, 0.06)
    if fault in ("height", "all"):
        body[:, 2] += of.uniform(-0.04, 0.04) + of.uniform(0.0, 0.03) * np.sin(
            2.0 * np.pi * time / of.uniform(2.0, 5.0)
        )
    translations = np.tile(rest[:, :3, 3], (len(time), 1, 1))
    translations[:, 0] = body @ axes.T * unit
    made = sk.Clip(sk.Skeleton(parents, rest, names), rotations, translations, fps=fps)
    if fault in ("noise", "all"):
        made = noisy(made, np.radians(of.uniform(0.02, 0.2)), 0.0, int(of.integers(1 << 30)))
    return Foreign(f"{number}: {gait}, {fault}, {fps:g}/s", made, {side: feet[side][3] for side in SIDES})


def noisy(clip: sk.Clip, angle: float, way: float, seed: int = 0) -> sk.Clip:
    """Return the clip with noise of `angle` radians on every rotation and of `way` on its root, about each axis."""
    of = np.random.default_rng(seed)
    vectors = of.normal(size=(*clip.rotations.shape[:2], 3)) * angle
    size = np.linalg.norm(vectors, axis=-1)
    shake = sk.quaternion_from_axis_angle(vectors / np.maximum(size, 1e-300)[..., None], size)
    translations = np.array(clip.translations, float)
    translations[:, 0] += of.normal(size=(clip.num_frames, 3)) * way
    return clip.replace(rotations=sk.quaternion_multiply(clip.rotations, shake), translations=translations)
