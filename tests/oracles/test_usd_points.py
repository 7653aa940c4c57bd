# SPDX-License-Identifier: MIT
"""Linearly skinned points against UsdSkel; skinning_inputs.BOUND says how near it can be."""

from __future__ import annotations

import numpy as np
import pytest
import usd_arrays
from skinning_inputs import JOINTS, compare, joint_matrices, mesh

import skelkin_py as sk


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("influences", [1, 2, 3, 4, 5, 8, 13])
@pytest.mark.parametrize("kind", ["rigid", "uniform", "non-uniform", "mirrored", "sheared"])
def test_linear(kind: str, influences: int, dtype: type) -> None:
    matrices = joint_matrices(influences, kind)
    points, indices, weights = mesh(influences, influences)
    expected = usd_arrays.skin_points(points, indices, weights, matrices, usd_arrays.LINEAR)
    skin = sk.SkinWeights(indices, weights, JOINTS)
    compare(sk.skin_points(points.astype(dtype), skin, matrices.astype(dtype)), expected, dtype)


def test_padding_of_weight_zero_changes_nothing() -> None:
    matrices = joint_matrices(0, "non-uniform")
    points, indices, weights = mesh(0, 4)
    padded = np.pad(indices, ((0, 0), (0, 4))), np.pad(weights, ((0, 0), (0, 4)))
    expected = usd_arrays.skin_points(points, *padded, matrices, usd_arrays.LINEAR)
    compare(sk.skin_points(points, sk.SkinWeights(*padded, JOINTS), matrices), expected, np.float64)
