# SPDX-License-Identifier: MIT
"""Linear skinning against libigl's lbs_matrix, which is in double: 1e-12. Its weights are dense, one row per vertex.

libigl's Python package offers neither dual quaternions nor forward kinematics.
"""

from __future__ import annotations

import igl
import numpy as np
import pytest
from random_rigs import assert_close, random_transforms, random_weights

import skelkin_py as sk


def lbs(points: np.ndarray, dense: np.ndarray, matrices: np.ndarray) -> np.ndarray:
    """Return libigl's matrix times the stacked transposed transforms."""
    stacked = np.swapaxes(matrices[:, :3], -1, -2).reshape(-1, 3)
    left = igl.lbs_matrix(np.asarray(points, np.float64), np.ascontiguousarray(dense))
    return left @ stacked.astype(np.float64)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("influences", [1, 2, 4, 7, 20])
def test_linear(influences: int, dtype: type) -> None:
    joints, vertices = 30, 400
    rng = np.random.default_rng(influences)
    indices, weights = random_weights(influences, vertices, influences, joints)
    dense = np.zeros((vertices, joints))
    np.add.at(dense, (np.arange(vertices)[:, None], indices), weights)
    points = rng.normal(size=(vertices, 3)).astype(dtype)
    matrices = random_transforms(influences, joints).astype(dtype)
    skin = sk.SkinWeights(indices, weights, joints)
    assert_close(sk.skin_points(points, skin, matrices), lbs(points, dense, matrices))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_dense_weights_of_every_joint(dtype: type) -> None:
    rng = np.random.default_rng(0)
    dense = rng.uniform(-0.1, 1, (300, 25))
    dense /= dense.sum(axis=1, keepdims=True)
    points, matrices = rng.normal(size=(300, 3)).astype(dtype), random_transforms(0, 25).astype(dtype)
    found = sk.skin_points(points, sk.SkinWeights.from_dense(dense), matrices)
    assert_close(found, lbs(points, dense, matrices))


def test_weights_that_do_not_sum_to_one_are_used_as_given() -> None:
    rng = np.random.default_rng(1)
    dense = rng.uniform(0, 2, (50, 4))
    points, matrices = rng.normal(size=(50, 3)), random_transforms(1, 4)
    assert_close(sk.skin_points(points, sk.SkinWeights.from_dense(dense), matrices), lbs(points, dense, matrices))
