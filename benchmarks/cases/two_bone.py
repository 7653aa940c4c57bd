# SPDX-License-Identifier: MIT
"""Two-bone inverse kinematics of random limbs, rotations included."""

from __future__ import annotations

import math

import numba
import numpy as np

import skelkin_py as sk
from cases import Case


@numba.njit(fastmath=True)
def shortest_arc(u, v, q):
    w = math.sqrt((u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]))
    w += u[0] * v[0] + u[1] * v[1] + u[2] * v[2]
    x, y, z = u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]
    n = 1 / math.sqrt(w * w + x * x + y * y + z * z)
    q[0], q[1], q[2], q[3] = w * n, x * n, y * n, z * n


@numba.njit(fastmath=True)
def numba_closed_form(a, b, c, target, pole, new_b, new_c, upper, lower):
    for i in range(a.shape[0]):
        l1 = math.sqrt(((b[i] - a[i]) ** 2).sum())
        l2 = math.sqrt(((c[i] - b[i]) ** 2).sum())
        to = target[i] - a[i]
        d = math.sqrt((to**2).sum())
        to = to / d
        reach = min(max(d, abs(l1 - l2)), l1 + l2)
        side = pole[i] - a[i]
        side = side - (side * to).sum() * to
        side = side / math.sqrt((side**2).sum())
        along = (l1 * l1 - l2 * l2 + reach * reach) / (2 * reach)
        height = math.sqrt(max(l1 * l1 - along * along, 0))
        new_b[i] = a[i] + along * to + height * side
        new_c[i] = a[i] + reach * to
        shortest_arc(b[i] - a[i], new_b[i] - a[i], upper[i])
        shortest_arc(c[i] - b[i], new_c[i] - new_b[i], lower[i])


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
        candidates = {
            "skelkin": lambda x=arguments, p=pole: sk.solve_two_bone(*x, pole=p),
            "numba closed form": lambda x=arguments, p=pole, o=own: numba_closed_form(*x, p, *o),
        }
        rate = {"scale": 1e6} if count == 1 else {"work": count, "scale": 1e-6, "max_rounds": 10}
        case = Case("two bones", name, "µs/call" if count == 1 else "Msolves/s", candidates, **rate)
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
