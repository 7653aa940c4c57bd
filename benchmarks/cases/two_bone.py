# SPDX-License-Identifier: MIT
"""Two-bone inverse kinematics of random limbs, rotations included."""

from __future__ import annotations

import math

import numba
import numpy as np

import skelkin_py as sk
from cases import Case


@numba.njit(fastmath=True, inline="always")
def shortest_arc(ux, uy, uz, vx, vy, vz, q):
    w = math.sqrt((ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz)) + ux * vx + uy * vy + uz * vz
    x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    n = 1 / math.sqrt(w * w + x * x + y * y + z * z)
    q[0], q[1], q[2], q[3] = w * n, x * n, y * n, z * n


@numba.njit(fastmath=True)
def numba_closed_form(a, b, c, target, pole, new_b, new_c, upper, lower):
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


def limbs(count: int) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(count)
    a = rng.normal(size=(count, 3))
    upper, lower = (rng.normal(size=(count, 3)) for _ in range(2))
    b = a + upper / np.linalg.norm(upper, axis=1, keepdims=True)
    c = b + lower / np.linalg.norm(lower, axis=1, keepdims=True)
    direction = rng.normal(size=(count, 3))
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    target = a + direction * rng.uniform(0.1, 1.9, (count, 1))
    return tuple(x.astype(np.float32) for x in (a, b, c, target, a + rng.normal(size=(count, 3)) * 3))


def cases() -> list[Case]:
    found = []
    for count, name in ((1, "one limb"), (1_000, "1 000 limbs"), (1_000_000, "1 000 000 limbs")):
        a, b, c, target, pole = limbs(count)
        own = [np.zeros((count, size), np.float32) for size in (3, 3, 4, 4)]
        arguments = (a, b, c, target)
        rate = {"scale": 1e6} if count == 1 else {"work": count, "scale": 1e-6, "max_rounds": 10}
        case = Case("two bones", name, "µs/call" if count == 1 else "Msolves/s", **rate)
        case.add("skelkin", lambda x=arguments, p=pole: sk.solve_two_bone(*x, pole=p))
        case.add("numba closed form", lambda x=arguments, p=pole, o=own: numba_closed_form(*x, p, *o))
        result = sk.solve_two_bone(a, b, c, target, pole=pole)
        numba_closed_form(a, b, c, target, pole, *own)
        for label, (upper, new_b, lower) in {
            "skelkin": (result.upper, result.b, result.lower),
            "numba closed form": (own[2], own[0], own[3]),
        }.items():
            case.errors[label] = _miss(a, b, c, target, upper, new_b, lower)
        found.append(case)
    return found


def _miss(a, b, c, target, upper, new_b, lower) -> float:
    """Return how far the end joint, moved by the rotations alone, is from its target at worst."""
    a, b, c, target, upper, lower = (np.asarray(x, np.float64) for x in (a, b, c, target, upper, lower))
    knee = a + sk.quaternion_rotate(upper, b - a)
    return float(np.linalg.norm(knee + sk.quaternion_rotate(lower, c - b) - target, axis=-1).max())
