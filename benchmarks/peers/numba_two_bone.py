# SPDX-License-Identifier: MIT
"""Two-bone inverse kinematics in closed form with numba: two shortest arcs."""

from __future__ import annotations

import math

import numba
import numpy as np


@numba.njit(fastmath=True, inline="always")
def shortest_arc(ux, uy, uz, vx, vy, vz, q):
    w = math.sqrt((ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz)) + ux * vx + uy * vy + uz * vz
    x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    n = 1 / math.sqrt(w * w + x * x + y * y + z * z)
    q[0], q[1], q[2], q[3] = w * n, x * n, y * n, z * n


@numba.njit(fastmath=True)
def _closed_form(a, b, c, target, pole, new_b, new_c, upper, lower):
    for i in range(a.shape[0]):
        ax, ay, az = a[i, 0], a[i, 1], a[i, 2]
        ux, uy, uz = b[i, 0] - ax, b[i, 1] - ay, b[i, 2] - az
        vx, vy, vz = c[i, 0] - b[i, 0], c[i, 1] - b[i, 1], c[i, 2] - b[i, 2]
        l1, l2 = math.sqrt(ux * ux + uy * uy + uz * uz), math.sqrt(vx * vx + vy * vy + vz * vz)
        dx, dy, dz = target[i, 0] - ax, target[i, 1] - ay, target[i, 2] - az
        d = math.sqrt(dx * dx + dy * dy + dz * dz)
        dx, dy, dz = dx / d, dy / d, dz / d
        reach = min(max(d, abs(l1 - l2)), l1 + l2)
        sx, sy, sz = pole[i, 0] - ax, pole[i, 1] - ay, pole[i, 2] - az
        s = sx * dx + sy * dy + sz * dz
        sx, sy, sz = sx - s * dx, sy - s * dy, sz - s * dz
        n = 1 / math.sqrt(sx * sx + sy * sy + sz * sz)
        x = (l1 * l1 - l2 * l2 + reach * reach) / (2 * reach)
        y = math.sqrt(max(l1 * l1 - x * x, 0)) * n
        kx, ky, kz = x * dx + y * sx, x * dy + y * sy, x * dz + y * sz
        ex, ey, ez = reach * dx, reach * dy, reach * dz
        new_b[i, 0], new_b[i, 1], new_b[i, 2] = ax + kx, ay + ky, az + kz
        new_c[i, 0], new_c[i, 1], new_c[i, 2] = ax + ex, ay + ey, az + ez
        shortest_arc(ux, uy, uz, kx, ky, kz, upper[i])
        shortest_arc(vx, vy, vz, ex - kx, ey - ky, ez - kz, lower[i])


def closed_form(a, b, c, target, pole):
    """Return the call and its result: upper rotations, knees, lower rotations."""
    own = [np.zeros((len(a), size), np.float32) for size in (3, 3, 4, 4)]
    return lambda: _closed_form(a, b, c, target, pole, *own), lambda: (own[2], own[0], own[3])
