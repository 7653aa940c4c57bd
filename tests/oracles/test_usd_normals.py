# SPDX-License-Identifier: MIT
"""Normals against UsdSkel, where both mean the same.

UsdSkel blends what the caller gives it for each joint, here the inverse transposes; skelkin takes the inverse transpose
of the blend, which is what keeps normals at right angles to the skinned surface. The two agree where one joint has all
of the weight, whatever its matrix, and for dual quaternions of rigid joints, whose blend is a rotation.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import reference
import usd_arrays
from skinning_inputs import JOINTS, compare, joint_matrices, mesh

import skelkin_py as sk


def unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def both(verb: Callable[..., tuple], kind: str, influences: int, method: str, dtype: type) -> tuple:
    matrices = joint_matrices(influences, kind)
    points, indices, weights = mesh(influences, influences)
    normals = unit(np.random.default_rng(9).normal(size=points.shape)).astype(np.float32)
    usd = {"linear": usd_arrays.LINEAR, "dual_quaternion": usd_arrays.DUAL_QUATERNION}[method]
    expected = unit(usd_arrays.skin_normals(normals, indices, weights, matrices, usd).astype(np.float64))
    arrays = points.astype(dtype), sk.SkinWeights(indices, weights, JOINTS), matrices.astype(dtype)
    return verb(*arrays, normals=normals.astype(dtype), method=method)[1], expected


@pytest.mark.parametrize("kind", ["rigid", "uniform", "non-uniform", "mirrored", "sheared"])
def test_reference_with_one_joint_each(kind: str) -> None:
    compare(*both(reference.skin_mesh, kind, 1, "linear", np.float64), np.float64)


@pytest.mark.parametrize("influences", [1, 2, 4, 7])
def test_reference_by_dual_quaternions_of_rigid_joints(influences: int) -> None:
    compare(*both(reference.skin_mesh, "rigid", influences, "dual_quaternion", np.float64), np.float64)
