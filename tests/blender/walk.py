# SPDX-License-Identifier: MIT
"""A walk with known faults, in plain numpy: which frames each foot stands, and how far it slides while it does.

Everything here is in a character space: metres, Z up, the character faces -Y, its left is +X.
Nothing of skelkin is used, so that the walk can judge it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

FORWARD = np.array([0.0, -1.0, 0.0])
LEFT = np.array([1.0, 0.0, 0.0])
UP = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True)
class Gait:
    """How to walk; lengths are in leg lengths, times in frames."""

    frames: int = 60
    period: int = 30
    stance: int = 18
    step: float = 0.5  # how far the pelvis moves over one foot while that foot stands
    lift: float = 0.12
    drop: float = 0.06  # how much lower than in the rest pose the pelvis is carried
    slide: float = 0.03  # how far a standing foot drifts in one stance
    in_place: bool = False


@dataclass(frozen=True)
class Path:
    """Where the pelvis and the feet are: (F,3) offsets from the rest pose, and the turns."""

    body: np.ndarray  # (F,3) forward progress of the whole character
    pelvis: np.ndarray  # (F,3) the rest of the pelvis's motion, from its rest place
    pelvis_turn: np.ndarray  # (F,) about UP, radians
    feet: dict[str, np.ndarray]  # side -> (F,3) in the world
    pitch: dict[str, np.ndarray]  # side -> (F,) about LEFT, radians; 0 in stance
    stance: dict[str, list[tuple[int, int]]]  # side -> first and last frame, counted from 0


def rotation(axis: np.ndarray, angle: np.ndarray) -> np.ndarray:
    """Return (F,3,3) rotations about one axis."""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    angle = np.asarray(angle, float)[..., None, None]
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * (cross @ cross)


def foot_path(gait: Gait, leg: float, start: int) -> tuple[np.ndarray, np.ndarray, list[tuple[int, int]]]:
    """Return offsets (F,3), pitch (F,) and stances of a foot whose stance begins at frame `start` of each period."""
    speed = gait.step * leg / gait.stance
    drift = FORWARD * 0.6 + LEFT * 0.8
    offsets = np.zeros((gait.frames, 3))
    pitch = np.zeros(gait.frames)
    stances: list[tuple[int, int]] = []

    def place(cycle: int) -> np.ndarray:
        middle = cycle * gait.period + start + 0.5 * (gait.stance - 1)
        return FORWARD * (speed * middle)

    for frame in range(gait.frames):
        cycle, phase = divmod(frame - start, gait.period)
        if phase < gait.stance:
            offsets[frame] = place(cycle) + drift * (gait.slide * leg * (phase / (gait.stance - 1) - 0.5))
            if stances and stances[-1][1] == frame - 1:
                stances[-1] = (stances[-1][0], frame)
            else:
                stances.append((frame, frame))
            continue
        s = (phase - gait.stance + 1) / (gait.period - gait.stance + 1)
        ease = s * s * (3 - 2 * s)
        begin = place(cycle) + drift * (0.5 * gait.slide * leg)
        end = place(cycle + 1) - drift * (0.5 * gait.slide * leg)
        offsets[frame] = begin + (end - begin) * ease + UP * (gait.lift * leg * np.sin(np.pi * s))
        pitch[frame] = 0.35 * np.sin(2 * np.pi * s) * np.sin(np.pi * s)
    return offsets, pitch, stances


def make_path(gait: Gait, leg: float) -> Path:
    """Return the motion for a character whose legs are `leg` metres long."""
    time = np.arange(gait.frames)
    body = FORWARD * (gait.step * leg / gait.stance * time)[:, None]
    swing = 2 * np.pi * time / gait.period
    pelvis = (
        UP * (leg * (-gait.drop + 0.01 * np.cos(2 * swing)))[:, None] + LEFT * (0.02 * leg * np.sin(swing))[:, None]
    )
    left = foot_path(gait, leg, 0)
    right = foot_path(gait, leg, gait.period // 2)
    feet = {"L": left[0], "R": right[0]}
    if gait.in_place:
        feet = {side: offsets - body for side, offsets in feet.items()}
        body = np.zeros_like(body)
    return Path(
        body=body, pelvis=pelvis, pelvis_turn=0.06 * np.sin(swing), feet=feet,
        pitch={"L": left[1], "R": right[1]}, stance={"L": left[2], "R": right[2]},
    )  # fmt: skip


def frame_along(direction: np.ndarray, side: np.ndarray) -> np.ndarray:
    """Return (...,3,3) frames whose second column is the direction and whose first is as near to `side` as can be."""
    y = direction / np.linalg.norm(direction, axis=-1, keepdims=True)
    x = side - np.sum(side * y, axis=-1, keepdims=True) * y
    x = x / np.linalg.norm(x, axis=-1, keepdims=True)
    return np.stack([x, y, np.cross(x, y)], axis=-1)


def solve_leg(
    hip: np.ndarray, goal: np.ndarray, upper: float, lower: float, side: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the knees (F,3) and ankles (F,3); knees bend forward, `side` (F,3) is the axis of the hinge."""
    along = goal - hip
    distance = np.linalg.norm(along, axis=-1, keepdims=True)
    reach = np.minimum(distance, 0.9999 * (upper + lower))
    along = along / distance
    forward = np.cross(along, side)
    forward = forward / np.linalg.norm(forward, axis=-1, keepdims=True)
    cosine = (upper**2 + reach**2 - lower**2) / (2 * upper * reach)
    knee = hip + upper * (cosine * along + np.sqrt(1 - cosine**2) * forward)
    return knee, hip + reach * along
