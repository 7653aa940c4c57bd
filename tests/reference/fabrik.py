# SPDX-License-Identifier: MIT
"""FABRIK step by step: a pass from the targets inwards, a pass from the root outwards, until the targets are met.

A. Aristidou, J. Lasenby, "FABRIK: A fast, iterative solver for the inverse kinematics problem", Graphical Models 73
(2011), sections 3 and 4. The short cuts by which `skelkin_py.solve_fabrik` ends chains with one target are left out, so
that results agree where these do not act: for trees, out of reach, and while the end is far from its target.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from skelkin_py import Fabrik, IKStatus

from ._algebra import Floats, length, perpendicular, unit

BEND = 1e-6  # nearer to the line to its target, as a part of its length, a chain is bowed


def spare_direction(line: Floats) -> Floats:
    """Return a unit vector across `line`, to where a bone goes that has lost its direction."""
    x, y, z = line[..., :1], line[..., 1:2], line[..., 2:]
    flat = np.abs(x) < 0.7
    return unit(np.where(flat, np.concatenate([0 * x, -z, y], axis=-1), np.concatenate([-y, x, 0 * x], axis=-1)))


def _line(at: Floats, goals: Floats, first_leaf: int) -> Floats:
    otherwise = unit(at[..., first_leaf, :], unit(at[..., 1, :], np.array([1.0, 0.0, 0.0])))
    return unit(goals[..., 0, :], otherwise)


def _straight(at: Floats, bones: Floats, line: Floats, goal: Floats) -> tuple[Floats, Floats, Floats]:
    """Return a chain along the line, and whether it is so because of a target too far or too close."""
    distance, reach = length(goal), bones.sum(axis=-1, keepdims=True)
    longest = bones.max(axis=-1, keepdims=True)
    far, close = distance >= reach, distance < longest - (reach - longest)
    forward = far | (np.arange(bones.shape[-1]) == bones.argmax(axis=-1)[..., None])
    steps = np.where(forward, bones, -bones)[..., None] * line[..., None, :]
    return np.where((far | close)[..., None], np.cumsum(steps, axis=-2), at), far[..., 0], close[..., 0]


def _bow(at: Floats, ways: Floats, line: Floats, goals: Floats) -> Floats:
    sides = perpendicular(at, line[..., None, :])
    others = perpendicular(goals, line[..., None, :])
    extent = np.maximum(np.abs(sides).max(axis=(-1, -2)), np.abs(others).max(axis=(-1, -2)))[..., None]
    amount = 0.5 * (1 - np.minimum(extent / BEND, 1.0))
    mean = sides.sum(axis=-2)
    side = np.where(length(mean) > 1e-3 * BEND, unit(mean), spare_direction(line))
    return np.asarray(at + (ways * (1 - ways) * amount)[..., None] * side[..., None, :])


def solve_fabrik(
    positions: ArrayLike,
    target: ArrayLike | Mapping[int, ArrayLike],
    *,
    parents: ArrayLike | None = None,
    tolerance: float = 1e-6,
    max_iterations: int = 64,
) -> Fabrik:
    """Bring the end of a chain, or the leaves of a tree, to their targets.

    Parameters
    ----------
    positions : array_like (..., N, 3)
        The joints, root first; all of a tree's leaves have targets.
    target : array_like (..., 3), (..., K, 3) for the leaves of a tree, or dict of leaves
        Where they should go.
    parents : array_like (N,), optional
        Parent of each joint; without it a chain.
    tolerance : float
        Of the longest way from the root to a target.
    max_iterations : int
        Most passes.

    Returns
    -------
    Fabrik
        With the broadcast leading dimensions, in float64.
    """
    given = np.asarray(positions, np.float64)
    count = given.shape[-2]
    tree = np.arange(-1, count - 1) if parents is None else np.asarray(parents)
    leaves = [j for j in range(count) if j not in tree]
    if isinstance(target, Mapping):
        goals = np.stack([np.asarray(target[j], np.float64) for j in leaves], axis=-2)
    else:
        goals = np.asarray(target, np.float64).reshape(*np.shape(target)[: -1 if parents is None else -2], -1, 3)
    lead = np.broadcast_shapes(given.shape[:-2], goals.shape[:-2])
    at, goals = np.broadcast_to(given, (*lead, count, 3)).copy(), np.broadcast_to(goals, (*lead, len(leaves), 3))
    root = at[..., :1, :].copy()
    bones = np.linalg.norm(at[..., 1:, :] - at[..., tree[1:], :], axis=-1)
    ways = np.zeros((*lead, count))
    for j in range(1, count):
        ways[..., j] = ways[..., tree[j]] + bones[..., j - 1]
    size = ways[..., leaves].max(axis=-1)[..., None, None]
    at, goals, bones, ways = (at - root) / size, (goals - root) / size, bones / size[..., 0], ways / size[..., 0]

    line = _line(at, goals, leaves[0])
    error = np.linalg.norm(at[..., leaves, :] - goals, axis=-1).max(axis=-1)
    there = error <= tolerance
    far = close = np.zeros(lead, bool)
    bowed = _bow(at, ways, line, goals)
    if len(leaves) == 1:
        straight, far, close = _straight(at[..., 1:, :], bones, line, goals[..., 0, :])
        straight = np.concatenate([at[..., :1, :], straight], axis=-2)
        bowed = np.where((far | close)[..., None, None], straight, bowed)
    at = np.where(there[..., None, None], at, bowed)
    spare = spare_direction(line)
    error = np.linalg.norm(at[..., leaves, :] - goals, axis=-1).max(axis=-1)
    passes = np.zeros(lead, np.int32)
    for _ in range(max_iterations):
        going = ~(there | far | close) & ((error > tolerance) | (passes == 0))
        if not going.any():
            break
        new = _pass(at, goals, bones, tree, leaves, spare)
        at = np.where(going[..., None, None], new, at)
        error = np.where(going, np.linalg.norm(at[..., leaves, :] - goals, axis=-1).max(axis=-1), error)
        passes += going
    status = np.where(far, IKStatus.TOO_FAR, np.where(close, IKStatus.TOO_CLOSE, IKStatus.NOT_CONVERGED))
    status = np.where(error <= tolerance, IKStatus.REACHED, status).astype(np.uint8)
    result = np.where(there[..., None, None], given, at * size + root)
    return Fabrik(result, status, error * size[..., 0, 0], passes)


def _pass(at: Floats, goals: Floats, bones: Floats, tree: Floats, leaves: list[int], spare: Floats) -> Floats:
    wishes: dict[int, list[Floats]] = {j: [goals[..., k, :]] for k, j in enumerate(leaves)}
    new = at.copy()
    for j in range(len(tree) - 1, 0, -1):
        here = np.mean(wishes[j], axis=0)
        way = unit(at[..., tree[j], :] - here, spare)
        wishes.setdefault(int(tree[j]), []).append(here + bones[..., j - 1, None] * way)
        new[..., j, :] = here
    for j in range(1, len(tree)):
        above = new[..., tree[j], :]
        new[..., j, :] = above + bones[..., j - 1, None] * unit(new[..., j, :] - above, spare)
    return np.asarray(new)
