# SPDX-License-Identifier: MIT
"""FABRIK of random chains to random targets in reach."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from peers import find

import skelkin_py as sk
from cases import Case

TOLERANCE, MAX_ITERATIONS = 1e-4, 64


def chains(count: int, joints: int) -> tuple[np.ndarray, np.ndarray]:
    """Return chains (C, N, 3) of bones of length 1, and targets at 0.05 to 0.95 of their length."""
    rng = np.random.default_rng(count)
    bones = rng.normal(size=(count, joints, 3))
    bones[:, 1:] /= np.linalg.norm(bones[:, 1:], axis=-1, keepdims=True)
    positions = np.cumsum(bones, axis=1)
    direction = rng.normal(size=(count, 3))
    direction *= (joints - 1) * rng.uniform(0.05, 0.95, (count, 1)) / np.linalg.norm(direction, axis=-1, keepdims=True)
    return positions.astype(np.float32), (positions[:, 0] + direction).astype(np.float32)


def cases() -> Iterator[Case]:
    for count, name in ((1, "one chain × 10 joints"), (100_000, "100 000 chains × 10 joints")):
        positions, target = chains(count, 10)
        rate = {"scale": 1e6} if count == 1 else {"work": count, "scale": 1e-6, "max_rounds": 7}
        case = Case(f"FABRIK, {name}", "µs/call" if count == 1 else "Mchains/s", **rate)
        kwargs = {"tolerance": TOLERANCE, "max_iterations": MAX_ITERATIONS}
        case.add("skelkin", lambda p=positions, t=target, k=kwargs: sk.solve_fabrik(p, t, **k))
        case.errors["skelkin"] = _miss(sk.solve_fabrik(positions, target, **kwargs).positions, target)
        module = find("numpy_fabrik")
        if module is not None:
            call = lambda p=positions, t=target, f=module.fabrik: f(p, t, TOLERANCE, MAX_ITERATIONS)  # noqa: E731
            case.add("numpy", call)
            case.errors["numpy"] = _miss(call(), target)
        yield case


def _miss(positions: np.ndarray, target: np.ndarray) -> float:
    """Return how far ends are from their targets at worst, as a part of the chain's length."""
    miss = positions[:, -1].astype(np.float64) - target
    return float(np.linalg.norm(miss, axis=-1).max()) / (positions.shape[1] - 1)
