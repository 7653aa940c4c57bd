# SPDX-License-Identifier: MIT
"""Forward kinematics as a numpy user writes it with numba."""

from __future__ import annotations

import numba
import numpy as np


def _from_rotations(parents, offsets, rotations, out, positions):
    """Quaternions to global quaternions and positions: 7 numbers per joint."""
    for f in numba.prange(rotations.shape[0]):
        for j in range(rotations.shape[1]):
            p = parents[j]
            e, g, h, i = rotations[f, j, 0], rotations[f, j, 1], rotations[f, j, 2], rotations[f, j, 3]
            x, y, z = offsets[j, 0], offsets[j, 1], offsets[j, 2]
            if p < 0:
                out[f, j, 0], out[f, j, 1], out[f, j, 2], out[f, j, 3] = e, g, h, i
                positions[f, j, 0], positions[f, j, 1], positions[f, j, 2] = x, y, z
                continue
            a, b, c, d = out[f, p, 0], out[f, p, 1], out[f, p, 2], out[f, p, 3]
            out[f, j, 0] = a * e - b * g - c * h - d * i
            out[f, j, 1] = a * g + b * e + c * i - d * h
            out[f, j, 2] = a * h - b * i + c * e + d * g
            out[f, j, 3] = a * i + b * h - c * g + d * e
            r, s, t = 2 * (c * z - d * y), 2 * (d * x - b * z), 2 * (b * y - c * x)
            positions[f, j, 0] = positions[f, p, 0] + x + a * r + c * t - d * s
            positions[f, j, 1] = positions[f, p, 1] + y + a * s + d * r - b * t
            positions[f, j, 2] = positions[f, p, 2] + z + a * t + b * s - c * r


def _to_matrices(parents, offsets, rotations, out):
    """Quaternions of any length to global matrices: what skelkin takes, and what it gives."""
    local = np.zeros((3, 4), rotations.dtype)
    for f in range(rotations.shape[0]):
        for j in range(rotations.shape[1]):
            p = parents[j]
            w, x, y, z = rotations[f, j, 0], rotations[f, j, 1], rotations[f, j, 2], rotations[f, j, 3]
            twice = 2 / (w * w + x * x + y * y + z * z)
            local[0, 0], local[0, 1], local[0, 2] = (
                1 - twice * (y * y + z * z),
                twice * (x * y - w * z),
                twice * (x * z + w * y),
            )
            local[1, 0], local[1, 1], local[1, 2] = (
                twice * (x * y + w * z),
                1 - twice * (x * x + z * z),
                twice * (y * z - w * x),
            )
            local[2, 0], local[2, 1], local[2, 2] = (
                twice * (x * z - w * y),
                twice * (y * z + w * x),
                1 - twice * (x * x + y * y),
            )
            for r in range(3):
                local[r, 3] = offsets[j, r]
            for r in range(3):
                if p < 0:
                    for c in range(4):
                        out[f, j, r, c] = local[r, c]
                    continue
                a, b, c, d = out[f, p, r, 0], out[f, p, r, 1], out[f, p, r, 2], out[f, p, r, 3]
                for k in range(4):
                    out[f, j, r, k] = a * local[0, k] + b * local[1, k] + c * local[2, k]
                out[f, j, r, 3] += d
            out[f, j, 3, 0] = out[f, j, 3, 1] = out[f, j, 3, 2] = 0
            out[f, j, 3, 3] = 1


@numba.njit(fastmath=True)
def _from_matrices(parents, local, out):
    for f in range(local.shape[0]):
        for j in range(local.shape[1]):
            p = parents[j]
            for r in range(3):
                if p < 0:
                    for c in range(4):
                        out[f, j, r, c] = local[f, j, r, c]
                    continue
                x, y, z, t = out[f, p, r, 0], out[f, p, r, 1], out[f, p, r, 2], out[f, p, r, 3]
                for c in range(4):
                    out[f, j, r, c] = x * local[f, j, 0, c] + y * local[f, j, 1, c] + z * local[f, j, 2, c]
                out[f, j, r, 3] += t
            out[f, j, 3, 0] = out[f, j, 3, 1] = out[f, j, 3, 2] = 0
            out[f, j, 3, 3] = 1


def from_rotations(parents, offsets, rotations, all_cores=False):
    loop = numba.njit(fastmath=True, parallel=all_cores)(_from_rotations)
    out, positions = np.zeros_like(rotations), np.zeros_like(rotations[..., :3])
    return lambda: loop(parents, offsets, rotations, out, positions), lambda: positions


def to_matrices(parents, offsets, rotations):
    loop = numba.njit(fastmath=True)(_to_matrices)
    out = np.zeros((*rotations.shape[:2], 4, 4), rotations.dtype)
    return lambda: loop(parents, offsets, rotations, out), lambda: out[..., :3, 3]


def from_matrices(parents, local):
    out = np.zeros_like(local)
    return lambda: _from_matrices(parents, local, out), lambda: out[..., :3, 3]
