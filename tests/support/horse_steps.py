# SPDX-License-Identifier: MIT
"""A horse that walks: legs of three segments, contacts known exactly, in the plane that each leg moves in.

A point (y up, z forwards) of that plane is the complex number y + iz, so that a turn about x is a factor.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from make_legs import HORSE

import skelkin_py as sk

LEGS = {
    "hind": ("hip", "knee", "ankle", "toe", "toe_end"),
    "fore": ("fhip", "fknee", "fankle", "ftoe", "ftoe_end"),
}
NAMES = {
    "hind": ("thigh", "lower_leg", "hind_foot", "r_toe", "r_hoof"),
    "fore": ("upper_arm", "lower_arm", "forefoot", "f_toe", "f_hoof"),
}
PHASE = {"hind.L": 0.0, "fore.L": 0.25, "hind.R": 0.5, "fore.R": 0.75}
PERIOD, STANCE, SPEED, SUNK = 1.2, 0.65, 0.6, 0.08


class HorseWalk(NamedTuple):
    """The clean clip, one that slides and bobs, and the frames in which each leg stands."""

    clean: sk.Clip
    clip: sk.Clip
    stands: dict[str, np.ndarray]
    joints: dict[str, list[int]]


def _skeleton() -> tuple[sk.Skeleton, dict[str, list[int]]]:
    names, parents, places = ["spine", "chest", "head"], [-1, 0, 1], [HORSE["pelvis"], HORSE["chest"], HORSE["head"]]
    joints = {}
    for which, mark, sign in (("hind", ".L", 1), ("hind", ".R", -1), ("fore", ".L", 1), ("fore", ".R", -1)):
        above = 0 if which == "hind" else 1
        joints[which + mark] = list(range(len(names), len(names) + 5))
        for name, place in zip(NAMES[which], LEGS[which], strict=True):
            x, y, z = HORSE[place]
            parents.append(above)
            above = len(names)
            names.append(name + mark)
            places.append((sign * x, y, z))
    rest = np.tile(np.eye(4), (len(names), 1, 1))
    rest[:, :3, 3] = places
    local = rest.copy()
    for j, p in enumerate(parents):
        if p >= 0:
            local[j, :3, 3] -= rest[p, :3, 3]
    return sk.Skeleton(parents, local, names), joints


def _leg_angles(bones: np.ndarray, way: np.ndarray, hock: np.ndarray, foot: np.ndarray) -> np.ndarray:
    """Return the (F, 4) turns of thigh, shin, cannon and pastern that bring the fetlock to `way` from the hip."""
    thigh, shin, cannon, _ = bones
    below = shin + np.exp(1j * hock) * cannon
    a, b, far = abs(thigh), abs(below), abs(way)
    side = np.sign(((shin + cannon + thigh) * np.conj(thigh)).imag)
    open_ = np.arccos((a * a + far * far - b * b) / (2 * a * far))
    upper = np.angle(way * np.exp(-1j * side * open_) / thigh)
    lower = np.angle((way - np.exp(1j * upper) * thigh) / below)
    return np.stack([upper, lower, lower + hock, foot], axis=1)


def horse_walk(*, fps: float = 30.0, seconds: float = 4.0, slide: float = 0.1, bob: float = 0.015) -> HorseWalk:
    """Make the walk: `slide` lengthens the body's way by that part, `bob` raises and lowers it (metres)."""
    skeleton, joints = _skeleton()
    time = np.arange(round(fps * seconds)) / fps
    local = np.tile(skeleton.rest_local, (len(time), 1, 1, 1)).astype(float)
    travel = SPEED * time
    local[:, 0, 1, 3] -= SUNK
    local[:, 0, 2, 3] += travel
    rest = skeleton.rest_global[:, :3, 3]
    stands = {}
    for leg, chain in joints.items():
        step = np.floor(time / PERIOD - PHASE[leg])
        phase = time / PERIOD - PHASE[leg] - step
        stands[leg] = phase <= STANCE
        swing = np.clip((phase - STANCE) / (1 - STANCE), 0, 1)
        ease = swing**3 * (10 - 15 * swing + 6 * swing * swing)
        flat = rest[chain]
        along = flat[3, 2] + SPEED * PERIOD * (step + PHASE[leg] + STANCE / 2 + ease)
        lift = np.sin(np.pi * swing) ** 2
        target = (flat[3, 1] + 0.12 * lift) + 1j * along
        points = flat[:, 1] + 1j * flat[:, 2]
        hip = points[0] - SUNK + 1j * travel
        bones = np.diff(points)
        fold = np.sign((np.conj(bones[1]) * bones[2]).imag)  # which turn folds the hock further
        hock = fold * (0.05 * np.sin(2 * np.pi * phase) ** 2 + 0.45 * lift)
        turns = _leg_angles(bones, target - hip, hock, 0.6 * lift)
        own = np.diff(np.concatenate([np.zeros((len(time), 1)), turns], axis=1), axis=1)
        for k in range(4):
            c, s = np.cos(own[:, k]), np.sin(own[:, k])
            local[:, chain[k], 1, 1], local[:, chain[k], 1, 2] = c, -s
            local[:, chain[k], 2, 1], local[:, chain[k], 2, 2] = s, c
    translations, rotations, _ = sk.decompose(local)
    clean = sk.Clip(skeleton, rotations, translations, fps=fps)
    worse = translations.copy()
    worse[:, 0, 2] += slide * travel
    worse[:, 0, 1] += bob * np.sin(2 * np.pi * time / 0.7)
    return HorseWalk(clean, sk.Clip(skeleton, rotations, worse, fps=fps), stands, joints)
