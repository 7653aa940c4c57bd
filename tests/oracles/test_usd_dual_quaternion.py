# SPDX-License-Identifier: MIT
"""Dual-quaternion skinning against UsdSkel; skinning_inputs.BOUND says how near it can be."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import reference
import usd_arrays
from skinning_inputs import JOINTS, compare, joint_matrices, mesh

import skelkin_py as sk

KINDS = ["rigid", "uniform", "non-uniform", "mirrored", "sheared"]
INFLUENCES = [1, 2, 3, 4, 5, 8, 13]


def both(verb: Callable[..., np.ndarray], kind: str, influences: int, dtype: type) -> tuple[np.ndarray, np.ndarray]:
    matrices = joint_matrices(influences, kind)
    points, indices, weights = mesh(influences, influences)
    expected = usd_arrays.skin_points(points, indices, weights, matrices, usd_arrays.DUAL_QUATERNION)
    skin = sk.SkinWeights(indices, weights, JOINTS)
    return verb(points.astype(dtype), skin, matrices.astype(dtype), method="dual_quaternion"), expected


@pytest.mark.parametrize("influences", INFLUENCES)
@pytest.mark.parametrize("kind", KINDS)
def test_reference(kind: str, influences: int) -> None:
    compare(*both(reference.skin_points, kind, influences, np.float64), np.float64)
