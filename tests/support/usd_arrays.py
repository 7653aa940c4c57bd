# SPDX-License-Identifier: MIT
"""UsdSkel over numpy arrays in the conventions of skelkin: column vectors, matrices (..., 4, 4)."""

from __future__ import annotations

import numpy as np
from pxr import Gf, UsdSkel, Vt

LINEAR, DUAL_QUATERNION = "classicLinear", "dualQuaternion"


def _turned(matrices: np.ndarray) -> np.ndarray:
    """Transpose, since USD multiplies row vectors from the left."""
    return np.ascontiguousarray(np.swapaxes(matrices, -1, -2))


def _influences(indices: np.ndarray, weights: np.ndarray) -> tuple[object, object, int]:
    ids = Vt.IntArray.FromNumpy(np.ascontiguousarray(indices, np.int32).ravel())
    return ids, Vt.FloatArray.FromNumpy(np.ascontiguousarray(weights, np.float32).ravel()), indices.shape[1]


def skin_points(
    points: np.ndarray, indices: np.ndarray, weights: np.ndarray, matrices: np.ndarray, method: str
) -> np.ndarray:
    """Skin (V, 3) by matrices (J, 4, 4), given in double; its points and weights are float32 throughout."""
    moved = Vt.Vec3fArray.FromNumpy(np.ascontiguousarray(points, np.float32))
    joints = Vt.Matrix4dArray.FromNumpy(_turned(np.asarray(matrices, np.float64)))
    assert UsdSkel.SkinPoints(method, Gf.Matrix4d(1), joints, *_influences(indices, weights), moved, True)
    return np.array(moved)


def skin_normals(
    normals: np.ndarray, indices: np.ndarray, weights: np.ndarray, matrices: np.ndarray, method: str
) -> np.ndarray:
    """Skin (V, 3) normals by the inverse transposes of the matrices' 3x3 parts, which USD blends as they are."""
    turned = Vt.Vec3fArray.FromNumpy(np.ascontiguousarray(normals, np.float32))
    inverse = np.linalg.inv(np.asarray(matrices, np.float64)[:, :3, :3])  # transposed twice
    joints = Vt.Matrix3dArray.FromNumpy(np.ascontiguousarray(inverse))
    assert UsdSkel.SkinNormals(method, Gf.Matrix3d(1), joints, *_influences(indices, weights), turned, True)
    return np.array(turned)


def global_matrices(parents: np.ndarray, local: np.ndarray) -> np.ndarray:
    """Return ConcatJointTransforms of one pose (J, 4, 4), in double."""
    topology = UsdSkel.Topology(Vt.IntArray([int(p) for p in parents]))
    joints = Vt.Matrix4dArray.FromNumpy(_turned(np.asarray(local, np.float64)))
    return _turned(np.array(UsdSkel.ConcatJointTransforms(topology, joints)))


def local_matrices(translations: np.ndarray, rotations: np.ndarray, scales: np.ndarray) -> np.ndarray:
    """Return (J, 4, 4) from translations, quaternions w x y z and scales by Gf's own algebra, in double."""
    found = []
    for t, q, s in zip(translations.tolist(), rotations.tolist(), scales.tolist(), strict=True):
        scaled = Gf.Matrix4d().SetScale(Gf.Vec3d(*s))
        turned = Gf.Matrix4d().SetRotate(Gf.Quatd(q[0], *q[1:]))
        found.append(scaled * turned * Gf.Matrix4d().SetTranslate(Gf.Vec3d(*t)))
    return _turned(np.array(found))
