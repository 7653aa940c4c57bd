# SPDX-License-Identifier: MIT
"""The clean-up that papers on motion generation run on 22 joints: contact thresholds, then an iterated IK of the body.

Feet slower than a threshold and near the ground are set to the mean place of each contact; then, in ROUNDS rounds,
every joint in turn is rotated so that its children point to where they should be, and the whole body's kinematics
are computed anew after each. All of it is vectorised over frames, none over joints.
"""

from __future__ import annotations

import numpy as np

from .numpy_planting import SLOW, Cells, between, conjugate, forward, multiply, rotate

ROUNDS = 10
NEAR = 0.12  # leg: a joint of the foot is this near to the ground in contact


def plant(
    parents: list[int],
    feet: list[int],
    rotations: np.ndarray,
    translations: np.ndarray,
    cells: Cells,
    fps: float,
    leg: float,
) -> np.ndarray:
    """Return rotations (F, J, 4) of a skeleton whose first joint is the root."""
    joints = list(range(len(parents)))
    _, place = forward(parents, rotations, translations, joints)
    goal = np.stack([place[j] for j in joints], axis=1)
    for foot in feet:
        path = goal[:, foot]
        speed = np.linalg.norm(np.gradient(path, axis=0), axis=1) * fps
        stands = (speed < SLOW * leg) & (path[:, 1] - cells.heights(path) < NEAR * leg)
        edges = np.flatnonzero(np.diff(np.concatenate([[0], stands.astype(int), [0]])))
        offset = np.zeros_like(path)
        for first, stop in zip(edges[::2], edges[1::2], strict=True):
            offset[first:stop] = path[first:stop].mean(axis=0) - path[first:stop]
        inside = np.flatnonzero(stands)
        frames = np.arange(len(path))
        goal[:, foot] = path + np.stack([np.interp(frames, inside, offset[inside, k]) for k in range(3)], axis=1)
    children = [[c for c in joints if parents[c] == j] for j in joints]
    rotations = rotations.copy()
    for _ in range(ROUNDS):
        for joint in joints:
            if not children[joint]:
                continue
            turn, place = forward(parents, rotations, translations, joints)
            total = np.zeros((len(rotations), 4))
            for child in children[joint]:
                total += between(place[child] - place[joint], goal[:, child] - place[joint])
            total /= np.linalg.norm(total, axis=1, keepdims=True)
            above = turn[parents[joint]] if parents[joint] >= 0 else np.array([1.0, 0.0, 0.0, 0.0])
            rotations[:, joint] = multiply(conjugate(above), multiply(total, turn[joint]))
    return rotations


def body_of(names: list[str], parents: list[int]) -> list[int]:
    """Return 22 joints of a skeleton with fingers, roots first: spine, head, arms and legs."""
    left_out = ("Thumb", "Index", "Middle", "Ring", "Pinky", "Roll", "Eye", "Jaw", "Neck1")
    return [j for j, name in enumerate(names) if not any(part in name for part in left_out)]


def reduced(
    parents: list[int], joints: list[int], rotations: np.ndarray, translations: np.ndarray
) -> tuple[list[int], np.ndarray, np.ndarray]:
    """Return parents, rotations and translations of some joints only, those between taken into their children."""
    turn, place = forward(parents, rotations, translations, joints)
    own = []
    for joint in joints:
        up = parents[joint]
        while up >= 0 and up not in joints:
            up = parents[up]
        own.append(up)
    local = [turn[j] if up < 0 else multiply(conjugate(turn[up]), turn[j]) for j, up in zip(joints, own, strict=True)]
    moved = [
        place[j] if up < 0 else rotate(conjugate(turn[up]), place[j] - place[up])
        for j, up in zip(joints, own, strict=True)
    ]
    return [joints.index(up) if up >= 0 else -1 for up in own], np.stack(local, axis=1), np.stack(moved, axis=1)
