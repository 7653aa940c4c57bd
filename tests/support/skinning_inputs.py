# SPDX-License-Identifier: MIT
"""Matrices and meshes for the comparisons with UsdSkel, and how near it can be."""

from __future__ import annotations

import numpy as np
from random_rigs import random_weights

import skelkin_py as sk

JOINTS, VERTICES = 40, 500
# UsdSkel keeps points and weights in float32 and works in double between them. Given the same float32 points and
# weights, skelkin's float64 result may differ by the rounding of the points on their way out, and by what linear
# skinning there rounds on the way: 4 units in the last place of float32. skelkin's own float32 result adds the 2e-6 of
# its contract.
BOUND = {np.float64: 5e-7, np.float32: 2.5e-6}


def joint_matrices(seed: int, kind: str) -> np.ndarray:
    """Return (J, 4, 4): rigid, or with uniform, non-uniform or mirrored scale, or with shear."""
    rng = np.random.default_rng(seed)
    scales = {
        "rigid": np.ones((JOINTS, 3)),
        "uniform": np.repeat(rng.uniform(0.5, 2, (JOINTS, 1)), 3, axis=1),
        "non-uniform": rng.uniform(0.5, 2, (JOINTS, 3)),
        "mirrored": np.repeat(rng.choice([-1.0, 1.0], (JOINTS, 1)), 3, axis=1) * rng.uniform(0.5, 2, (JOINTS, 3)),
        "sheared": rng.uniform(0.7, 1.4, (JOINTS, 3)),
    }[kind]
    rotations = np.concatenate([np.ones((JOINTS, 1)), rng.uniform(-0.4, 0.4, (JOINTS, 3))], -1)
    rotations *= rng.choice([-1.0, 1.0], (JOINTS, 1))
    matrices = sk.compose(rng.normal(size=(JOINTS, 3)), rotations, scales)
    if kind == "sheared":
        matrices = matrices @ sk.compose(np.zeros((JOINTS, 3)), rng.normal(size=(JOINTS, 4)), scales)
    return matrices


def mesh(seed: int, influences: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return points, ids and weights whose values are float32, as UsdSkel takes them.

    No joint is named twice for a vertex: skelkin adds its weights up before it looks for the largest, UsdSkel does not.
    """
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(VERTICES, 3)).astype(np.float32)
    _, weights = random_weights(seed, VERTICES, influences, JOINTS)
    indices = np.argsort(rng.random((VERTICES, JOINTS)), axis=1)[:, :influences]
    return points, indices, weights.astype(np.float32)


def compare(found: np.ndarray, expected: np.ndarray, dtype: type) -> None:
    assert found.dtype == dtype
    np.testing.assert_allclose(found, expected, rtol=0, atol=BOUND[dtype] * max(1.0, np.abs(expected).max()))
