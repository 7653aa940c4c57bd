# SPDX-License-Identifier: MIT
"""Two-bone inverse kinematics of random limbs, rotations included."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from peers import find

import skelkin_py as sk
from cases import Case


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


def cases() -> Iterator[Case]:
    for count, name in ((1, "one limb"), (1_000, "1 000 limbs"), (1_000_000, "1 000 000 limbs")):
        limb = limbs(count)
        rate = {"scale": 1e6} if count == 1 else {"work": count, "scale": 1e-6, "max_rounds": 10}
        case = Case("two bones", name, "µs/call" if count == 1 else "Msolves/s", **rate)
        case.add("skelkin", lambda limb=limb: sk.solve_two_bone(*limb[:4], pole=limb[4]))
        solved = sk.solve_two_bone(*limb[:4], pole=limb[4])
        case.errors["skelkin"] = _miss(*limb[:4], solved.upper, solved.b, solved.lower)
        module = find("numba_two_bone")
        if module is not None:
            call, result = module.closed_form(*limb)
            case.add("numba closed form", call)
            call()
            case.errors["numba closed form"] = _miss(*limb[:4], *result())
        yield case


def _miss(a, b, c, target, upper, new_b, lower) -> float:
    """Return how far the end joint, moved by the rotations alone, is from its target at worst."""
    a, b, c, target, upper, lower = (np.asarray(x, np.float64) for x in (a, b, c, target, upper, lower))
    knee = a + sk.quaternion_rotate(upper, b - a)
    return float(np.linalg.norm(knee + sk.quaternion_rotate(lower, c - b) - target, axis=-1).max())
