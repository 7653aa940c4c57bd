# SPDX-License-Identifier: MIT
"""What one writes with numpy alone."""

from __future__ import annotations

import numpy as np


def linear(mesh, matrices):
    """Gather and einsum, pose by pose."""

    def one(m):
        blend = np.einsum("vk,vkij->vij", mesh.weights, m[mesh.indices][:, :, :3])
        return np.einsum("vij,vj->vi", blend[:, :, :3], mesh.points) + blend[:, :, 3]

    def call():
        return np.stack([one(m) for m in matrices])

    return call, call


def _multiply(p, q):
    (a, b, c, d), (e, f, g, h) = np.moveaxis(p, -1, 0), np.moveaxis(q, -1, 0)
    w = a * e - b * f - c * g - d * h
    x = a * f + b * e + c * h - d * g
    y = a * g - b * h + c * e + d * f
    return np.stack([w, x, y, a * h + b * g - c * f + d * e], -1)


def from_rotations(parents, offsets, rotations):
    """All joints of one level of the tree at once."""
    level = np.zeros(len(parents), int)
    for j, p in enumerate(parents):
        level[j] = level[p] + 1 if p >= 0 else 0
    steps = [(ids := np.flatnonzero(level == n), parents[ids]) for n in range(1, level.max() + 1)]
    roots = np.flatnonzero(level == 0)

    def call():
        turns, places = np.empty_like(rotations), np.empty_like(rotations[..., :3])
        turns[:, roots], places[:, roots] = rotations[:, roots], offsets[roots]
        for ids, above in steps:
            q = turns[:, above]
            turns[:, ids] = _multiply(q, rotations[:, ids])
            axis, x = q[..., 1:], offsets[ids]
            inner = np.cross(axis, x) + q[..., :1] * x
            places[:, ids] = places[:, above] + x + 2 * np.cross(axis, inner)
        return places

    return call, call
