# SPDX-License-Identifier: MIT
"""Random skeletons, poses, meshes and weights, the same ones for the same seed."""

from __future__ import annotations

import numpy as np

import skelkin_py as sk

# What a result may be off: relative to the sizes that go into it, which are of the order of one here.
TOLERANCE = {np.dtype(np.float32): 2e-6, np.dtype(np.float64): 1e-12}


def random_parents(seed: int, joints: int, roots: int = 1) -> list[int]:
    """Return a forest with `roots` roots; joints hang on one of the few before them, so that chains are long."""
    rng = np.random.default_rng(seed)
    parents = [-1 if j < roots else int(rng.integers(max(0, j - 4), j)) for j in range(joints)]
    if roots > 1 and joints > roots + 2:  # and one root in the middle
        parents[1], parents[joints // 2] = 0, -1
    return parents


def random_transforms(seed: int, *shape: int, scaled: bool = True) -> np.ndarray:
    """Return (..., 4, 4) transforms with non-uniform scale near 1."""
    rng = np.random.default_rng(seed)
    scales = rng.uniform(0.8, 1.25, (*shape, 3)) if scaled else None
    return sk.compose(rng.normal(size=(*shape, 3)) * 0.3, rng.normal(size=(*shape, 4)), scales)


def calm_transforms(seed: int, *shape: int) -> np.ndarray:
    """Return (..., 4, 4) transforms that turn and scale a little: their weighted sums keep all three dimensions."""
    rng = np.random.default_rng(seed)
    turns = rng.normal(size=(*shape, 4)) * 0.15 + [1, 0, 0, 0]
    return sk.compose(rng.normal(size=(*shape, 3)) * 0.3, turns, rng.uniform(0.8, 1.25, (*shape, 3)))


def random_skeleton(seed: int = 0, joints: int = 20, roots: int = 1, scaled: bool = False) -> sk.Skeleton:
    return sk.Skeleton(random_parents(seed, joints, roots), random_transforms(seed + 1000, joints, scaled=scaled))


def random_weights(seed: int, vertices: int, influences: int, joints: int) -> tuple[np.ndarray, np.ndarray]:
    """Return indices (V, K) and weights (V, K) that sum to 1, some of them 0."""
    rng = np.random.default_rng(seed)
    weights = rng.uniform(size=(vertices, influences)) * (rng.uniform(size=(vertices, influences)) < 0.8)
    weights[:, 0] += 0.1
    return rng.integers(0, joints, (vertices, influences)), weights / weights.sum(axis=1, keepdims=True)


def assert_close(found: np.ndarray, expected: np.ndarray) -> None:
    """Compare with the float64 oracle within the bound of the found dtype, relative to the largest number."""
    assert found.shape == expected.shape
    size = float(np.abs(expected).max()) if expected.size else 1.0
    np.testing.assert_allclose(found, expected, rtol=0, atol=TOLERANCE[found.dtype] * max(size, 1.0))
