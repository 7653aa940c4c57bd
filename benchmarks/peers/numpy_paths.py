# SPDX-License-Identifier: MIT
"""The smoothest paths of a body and two ankles by numpy and scipy: a banded matrix, and bounds by multipliers.

All is vectorised over frames; scipy's `solveh_banded` (LAPACK) factors the matrix. Held ankles stay unknowns whose rows
say where they are, which keeps the band regular.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solveh_banded

Array = NDArray[np.float64]

HOLD, PENALTY = 1e12, 3e4  # what keeps a held ankle, and what pushes a bound back at first, per length^2 and second
ROUNDS, STEPS, ENOUGH = 12, 8, 1e-9


def paths(*problem) -> tuple[Callable[[], None], Callable[[], Array]]:
    """Return the call and its result (F, 9): the body's shift and the offsets of both ankles. Arguments: `_solve`'s."""
    found: list[Array] = []

    def call() -> None:
        found[:] = [_solve(*problem)]

    return call, lambda: found[0][:, :9]


def _quadratic(weights: dict[str, float], line: Array, bones: Array, h: float) -> list[Array]:
    """Return the blocks (F, 11, 11) in which a frame meets itself, the next one and the one after."""
    frames = line.shape[1]
    far = np.linalg.norm(line, axis=2)
    half = np.sqrt(np.maximum(1.0 - (far / bones) ** 2, 0.0))
    gain = 2.0 / (bones * np.maximum(half, np.sin(np.radians(4.0))))
    same = np.zeros((21, 11))
    same[0:3, 0:3] = np.sqrt(weights["body"]) * np.eye(3)
    for k in range(2):
        own = slice(3 + 3 * k, 6 + 3 * k)
        same[3 + 6 * k : 6 + 6 * k, own] = np.eye(3)
        same[3 + 6 * k : 6 + 6 * k, 0:3] = -np.eye(3)
        same[6 + 6 * k : 9 + 6 * k, own] = np.sqrt(weights["ankle"]) * np.eye(3)
    terms = np.broadcast_to(same, (frames, 21, 11)).copy()
    for k in range(2):
        way = gain[k][:, None] * line[k] / far[k][:, None]
        for row in (15 + k, 19 + k):
            terms[:, row, 0:3], terms[:, row, 3 + 3 * k : 6 + 3 * k] = way, -way
        terms[:, 17 + k, 9 + k], terms[:, 19 + k, 9 + k] = 1.0, -1.0
    bend, value = np.ones(21), np.full(21, weights["spring"])
    bend[15:] = np.repeat([0.0, weights["flexion_jerk"], 0.0], 2)
    value[15:] = np.repeat([weights["flexion"], 0.0, weights["split"]], 2)
    inner = np.zeros(frames + 4)
    inner[3 : frames + 1] = 1.0  # around which frames there are second differences, two more on each side
    before, here, after = inner[1:-3], inner[2:-2], inner[3:-1]
    times = [before + 4.0 * here + after, -2.0 * (here + after)[:-1], after[:-2]]
    blocks = []
    for step, by in enumerate(times):
        weighed = terms[: frames - step].transpose(0, 2, 1) * bend
        blocks.append(by[:, None, None] / h**3 * (weighed @ terms[step:]))
    blocks[0] += h * (terms.transpose(0, 2, 1) * value) @ terms
    return blocks


def _banded(blocks: list[Array]) -> Array:
    """Return the lower band (33, 11 F) of the symmetric matrix."""
    frames = len(blocks[0])
    band = np.zeros((33, frames, 11))
    for step, block in enumerate(blocks):
        for row in range(11):
            for column in range(row + 1 if step == 0 else 11):
                band[11 * step + row - column, : frames - step, column] = block[:, column, row]
    return band.reshape(33, -1)


def _times(blocks: list[Array], x: Array) -> Array:
    out = np.einsum("fij,fj->fi", blocks[0], x)
    for step in (1, 2):
        out[:-step] += np.einsum("fij,fj->fi", blocks[step], x[step:])
        out[step:] += np.einsum("fij,fi->fj", blocks[step], x[:-step])
    return out


def _bounds(x: Array, apart: Array, reach: Array, lowest: Array, up: Array) -> tuple[Array, Array, Array]:
    """Return by how much bounds are broken (4, F), their slopes (4, F, 11) and how reaches curve (2, F)."""
    broken, slopes = np.empty((4, len(x))), np.zeros((4, len(x), 11))
    curves = np.empty((2, len(x)))
    for k in range(2):
        own = slice(3 + 3 * k, 6 + 3 * k)
        way = apart[k] + x[:, :3] - x[:, own]
        far = np.linalg.norm(way, axis=1)
        slopes[k, :, :3] = way / far[:, None]
        slopes[k, :, own] = -slopes[k, :, :3]
        broken[k], curves[k] = far - reach[k], 1.0 / far
        broken[2 + k] = lowest[k] - x[:, own] @ up
        slopes[2 + k, :, own] = -up
    return broken, slopes, curves


def _solve(
    weights: dict[str, float],
    hip: Array,
    ankle: Array,
    line: Array,
    held: Array,
    bones: Array,
    reach: Array,
    lowest: Array,
    stands: NDArray[np.bool_],
    up: Array,
    h: float,
) -> Array:
    """Solve for frames a time `h` apart; lengths in legs, arrays (2, F, ...)."""
    frames, apart = hip.shape[1], hip - ankle
    blocks = _quadratic(weights, line, bones, h)
    place, holds = np.zeros((frames, 11)), np.zeros((frames, 11))
    for k in range(2):
        place[stands[k], 3 + 3 * k : 6 + 3 * k] = held[k][stands[k]]
        holds[stands[k], 3 + 3 * k : 6 + 3 * k] = HOLD
    quadratic, x = _banded(blocks), place.copy()
    forces, penalty = np.zeros((4, frames)), h * PENALTY
    bounded = np.concatenate((np.ones((2, frames), bool), ~stands))
    for _ in range(ROUNDS):
        for _ in range(STEPS):
            broken, slopes, curves = _bounds(x, apart, reach, lowest, up)
            push = np.where(bounded, np.maximum(forces + penalty * broken, 0.0), 0.0)
            slope = _times(blocks, x) + holds * (x - place) + np.einsum("bf,bfi->fi", push, slopes)
            awake = np.where(push > 0.0, penalty, 0.0)
            more = np.einsum("bf,bfi,bfj->fij", awake, slopes, slopes)
            for k in range(2):
                own = slice(3 + 3 * k, 6 + 3 * k)
                flat = push[k][:, None, None] * curves[k][:, None, None]
                flat = flat * (np.eye(3) - slopes[k, :, :3, None] * slopes[k, :, None, :3])
                more[:, :3, :3] += flat
                more[:, own, own] += flat
                more[:, :3, own] -= flat
                more[:, own, :3] -= flat
            matrix = quadratic + _banded([more])
            matrix[0] += holds.ravel()
            step = solveh_banded(matrix, -slope.ravel(), lower=True, check_finite=False).reshape(frames, 11)
            x += step
            if np.abs(step).max() < ENOUGH:
                break
        broken = np.where(bounded, _bounds(x, apart, reach, lowest, up)[0], 0.0)
        if np.maximum(broken, 0.0).max() < 1e-8:
            break
        forces = np.where(bounded, np.maximum(forces + penalty * broken, 0.0), 0.0)
        penalty *= 4.0
    return x
