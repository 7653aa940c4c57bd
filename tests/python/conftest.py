# SPDX-License-Identifier: MIT
"""A walk with known contacts, made from formulas, and the faults that real clips have."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pytest
from known_steps import AXES, LEG, LEG_LENGTH, SOLE, TO_BALL, make_skeleton, shaken, spans_of

import skelkin_py as sk
from skelkin_py import reference


class Walk(NamedTuple):
    """A clip, what is true about it, and the clean version it was made from."""

    clip: sk.Clip
    contacts: dict[str, list[tuple[int, int]]]
    flat: dict[str, list[tuple[int, int]]]
    clean: sk.Clip
    up: int
    unit: float

    @property
    def leg(self) -> float:
        return LEG_LENGTH * self.unit

    def mask(self, side: str) -> np.ndarray:
        flags = np.zeros(self.clip.num_frames, bool)
        for first, last in self.contacts[side]:
            flags[first : last + 1] = True
        return flags


def _smooth(x: np.ndarray) -> np.ndarray:
    x = np.clip(x, 0.0, 1.0)
    return x**3 * (10.0 - 15.0 * x + 6.0 * x * x)


def _foot(time: np.ndarray, start: float, period: float, stance: float, stride: float) -> tuple[np.ndarray, ...]:
    """Ball along the path, its height, the foot's pitch, and the phase, for one foot."""
    step = np.floor((time - start) / period)
    phase = (time - start) / period - step
    swing = np.clip((phase - stance) / (1.0 - stance), 0.0, 1.0)
    along = stride * (step + start / period + _smooth(swing))
    height = 0.09 * np.sin(np.pi * swing) ** 2
    lift = _smooth((phase - 0.66 * stance) / (0.34 * stance)) * (1.0 - _smooth(swing / 0.8))
    return along, height, np.radians(38.0) * lift, phase


@functools.cache
def build_walk(
    *,
    fps: float = 30.0,
    seconds: float = 6.0,
    up: str = "Y",
    unit: float = 1.0,
    slide: float = 0.08,
    sway: float = 0.02,
    lift: float = 0.0,
    bump: float = 0.0,
    noise: float = 0.0,
    in_place: bool = False,
    seed: int = 0,
) -> Walk:
    """Make a walk along +z of a Y-up figure (x, y, z), then turn it to `up` and scale it to `unit` per metre.

    The foot stands flat, then rolls over its ball, then swings: contacts are exact. The faults are put on the
    root afterwards: `slide` lengthens the path by that part, `sway` wanders sideways, `lift` raises all of it,
    `bump` raises and then lowers a part of it (metres), `noise` shakes every leg rotation (radians).
    """
    axes = AXES[up]
    skeleton = make_skeleton(axes, unit)
    num = round(seconds * fps) + 1
    time = np.arange(num) / fps
    period, stance, stride = 1.1, 0.6, 1.1
    speed = stride / period
    local = np.tile(skeleton.rest_local, (num, 1, 1, 1))
    hips = np.stack([0.0 * time, 0.86 + 0.012 * np.cos(4 * np.pi * time / period), speed * time - 0.3 * stride], -1)
    local[:, 0, :3, 3] = hips @ axes.T * unit
    contacts, flat = {}, {}
    for side, x, start in (("left", 0.1, 0.0), ("right", -0.1, 0.5 * period)):
        along, height, pitch, phase = _foot(time, start, period, stance, stride)
        ball = np.stack([np.full(num, x), SOLE + height, along], -1)
        turn = np.stack([np.cos(0.5 * pitch), np.sin(0.5 * pitch), 0 * pitch, 0 * pitch], -1)
        back = -TO_BALL
        c, s = np.cos(pitch), np.sin(pitch)
        ankle = ball + np.stack([0 * pitch, back[1] * c - back[2] * s, back[1] * s + back[2] * c], -1)
        joints = [skeleton.index(f"{side}_{part}") for part in LEG]
        axis = axes @ np.array([1.0, 0.0, 0.0])
        quaternion = np.concatenate([turn[:, :1], turn[:, 1:2] * axis], -1)
        forward, target = axes @ np.array([0.0, 0.0, 1.0]), ankle @ axes.T * unit
        local = reference.apply_two_bone(
            skeleton, local, joints[:3], target, end_rotation=quaternion, bend=forward
        ).local
        toe = np.concatenate([turn[:, :1], -turn[:, 1:2] * axis], -1)  # the toes stay level
        local[:, joints[3], :3, :3] = sk.quaternion_to_matrix(toe)
        contacts[side] = spans_of(phase <= stance + 1e-9)
        flat[side] = spans_of(phase <= 0.66 * stance + 1e-9)
    # arms swing, so that "untouched" means something
    for k, side in enumerate(("left", "right")):
        angle = 0.5 * np.sin(2 * np.pi * time / period + np.pi * k)
        q = np.stack([np.cos(angle / 2), np.sin(angle / 2), 0 * angle, 0 * angle], -1)
        local[:, skeleton.index(f"{side}_arm"), :3, :3] = sk.quaternion_to_matrix(q)
    translations, rotations, _ = sk.decompose(local)
    clean = sk.Clip(skeleton, rotations, translations, fps=fps)
    damaged = hips.copy()
    damaged[:, 2] = hips[0, 2] + (1.0 + slide) * (hips[:, 2] - hips[0, 2])
    if in_place:
        damaged[:, 2] = 0.0
    damaged[:, 0] += sway * np.sin(2 * np.pi * time / 2.7)
    middle = time[-1] / 2.0
    damaged[:, 1] += lift + bump * np.where(time < middle, 1.0, -1.0) * np.sin(2 * np.pi * time / time[-1]) ** 2
    translations = translations.copy()
    translations[:, 0] = damaged @ axes.T * unit
    clip = clean.replace(translations=translations)
    return Walk(
        shaken(clip, noise, seed) if noise else clip,
        contacts,
        flat,
        clean,
        1 if up == "Y" else 2,
        unit,
    )


@pytest.fixture(scope="session")
def make_walk() -> Callable[..., Walk]:
    """Make a walk with known contacts and faults, see `build_walk`."""
    return build_walk
