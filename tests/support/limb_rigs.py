# SPDX-License-Identifier: MIT
"""Skeletons with limbs for the tests of `apply_two_bone`, and plain forward kinematics to look at what comes out."""

from __future__ import annotations

import numpy as np

import skelkin_py as sk

# Two limbs with joints in between (2-4-6 and 8-9-11), a spine, something below and beside.
PARENTS = [-1, 0, 1, 2, 3, 4, 5, 6, 1, 8, 9, 10, 11, 5]
FIRST, SECOND = (2, 4, 6), (8, 9, 11)
OTHERS = [j for j in range(len(PARENTS)) if j not in FIRST + SECOND]


def norm(v):
    return np.linalg.norm(v, axis=-1)


def matrices(rng, *shape):
    """Random rigid matrices."""
    q, _ = np.linalg.qr(rng.normal(size=(*shape, 3, 3)))
    q *= np.sign(np.linalg.det(q))[..., None, None]
    m = np.zeros((*shape, 4, 4))
    m[..., :3, :3], m[..., :3, 3], m[..., 3, 3] = q, rng.normal(size=(*shape, 3)), 1
    return m


def scaled(m, joint, *scale):
    m[..., joint, :3, :3] *= np.array(scale)


def forward(local):
    out = np.empty_like(local)
    for j, p in enumerate(PARENTS):
        out[..., j, :, :] = local[..., j, :, :] if p < 0 else out[..., p, :, :] @ local[..., j, :, :]
    return out


def points(local, joint):
    return forward(np.asarray(local, np.float64))[..., joint, :, :][..., :3, 3]


def reachable(rng, local, chain, low=0.05, high=0.95):
    """Targets inside the reach of a chain as the pose has it (rigid or uniformly scaled)."""
    a, b, c = (points(local, j) for j in chain)
    l1, l2 = norm(b - a), norm(c - b)
    n = rng.normal(size=a.shape)
    d = np.abs(l1 - l2) + (l1 + l2 - np.abs(l1 - l2)) * rng.uniform(low, high, a.shape[:-1])
    return a + n / norm(n)[..., None] * d[..., None]


PARENT_KINDS = {
    "rigid": lambda m: None,
    "mirrored": lambda m: scaled(m, 1, -1, 1, 1),
    "scaled": lambda m: [scaled(m, 0, 0.01, 0.01, 0.01), scaled(m, 1, 3, 3, 3)],
    "scaled inside": lambda m: [scaled(m, 2, 2, 2, 2), scaled(m, 3, 0.5, 0.5, 0.5), scaled(m, 5, -1.5, -1.5, -1.5)],
    "mirrored inside": lambda m: [scaled(m, 3, 1, -1, 1), scaled(m, 4, -1, 1, 1), scaled(m, 9, 1, 1, -1)],
    "sheared above": lambda m: [scaled(m, 0, 1, 2, 0.5), scaled(m, 1, 0.7, 1, -1.5)],
}


def leg_skeleton(bend=0.0, toe=(0.0, 0.0, 0.3), turn=None):
    rest = np.tile(np.eye(4), (5, 1, 1))
    rest[:, :3, 3] = [[0, 2, 0], [0, 0, 0], [0, -1, bend], [0, -1, -bend], toe]
    if turn is not None:
        rest[1, :3, :3] = turn
        rest[2, :3, 3] = turn.T @ rest[2, :3, 3]
        rest[2, :3, :3] = turn.T
    return sk.Skeleton([-1, 0, 1, 2, 3], rest, ["pelvis", "thigh", "shin", "foot", "toe"])


LEG = ("thigh", "shin", "foot")
