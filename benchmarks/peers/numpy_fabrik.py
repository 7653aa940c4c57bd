# SPDX-License-Identifier: MIT
"""FABRIK in numpy, batched over chains: those that are done leave the batch."""

from __future__ import annotations

import numpy as np


def fabrik(positions: np.ndarray, target: np.ndarray, tolerance: float, max_iterations: int) -> np.ndarray:
    """Return the chains (C, N, 3), joints first inside, so that each step reads and writes contiguous memory."""
    at = np.ascontiguousarray(positions.transpose(1, 0, 2))
    bones = np.sqrt(np.einsum("jci,jci->jc", np.diff(at, axis=0), np.diff(at, axis=0)))[..., None]
    size, root = bones.sum(axis=0), at[0].copy()
    result = at.copy()
    left = np.arange(at.shape[1])
    goal, distance = target, np.sqrt(np.einsum("ci,ci->c", target - root, target - root))[:, None]
    far = distance[:, 0] >= size[:, 0]
    if far.any():
        line = (target[far] - root[far]) / distance[far]
        result[1:, far] = root[far] + np.cumsum(bones[:, far], axis=0) * line
        left = left[~far]
    at, bones, goal, root, size = at[:, left], bones[:, left], goal[left], root[left], size[left]
    for _ in range(max_iterations):
        if not len(left):
            break
        _pass(at, bones, goal, root)
        miss = at[-1] - goal
        done = np.einsum("ci,ci->c", miss, miss) <= (tolerance * size[:, 0]) ** 2
        if done.any():
            result[:, left[done]] = at[:, done]
            going = ~done
            left, at, bones, goal = left[going], at[:, going], bones[:, going], goal[going]
            root, size = root[going], size[going]
    result[:, left] = at
    return result.transpose(1, 0, 2)


def _pass(at: np.ndarray, bones: np.ndarray, goal: np.ndarray, root: np.ndarray) -> None:
    at[-1] = goal
    for j in range(len(bones) - 1, -1, -1):
        way = at[j] - at[j + 1]
        way *= bones[j] / np.sqrt(np.einsum("ci,ci->c", way, way))[:, None]
        np.add(at[j + 1], way, out=at[j])
    at[0] = root
    for j in range(len(bones)):
        way = at[j + 1] - at[j]
        way *= bones[j] / np.sqrt(np.einsum("ci,ci->c", way, way))[:, None]
        np.add(at[j], way, out=at[j + 1])
