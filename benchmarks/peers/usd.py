# SPDX-License-Identifier: MIT
"""Skinning of UsdSkel (usd-core); it works in place, so that the copy of the rest points is inside the clock."""

from __future__ import annotations

import numpy as np
from pxr import Gf, UsdSkel, Vt


def _joints(matrices, kind):
    """One array of matrices per pose; USD's row vectors want them transposed."""
    turned = np.ascontiguousarray(np.swapaxes(matrices, -1, -2), np.float32)
    return [kind.FromNumpy(pose) for pose in turned]


def _influences(mesh):
    indices = Vt.IntArray.FromNumpy(np.ascontiguousarray(mesh.indices.ravel(), np.int32))
    weights = Vt.FloatArray.FromNumpy(np.ascontiguousarray(mesh.weights.ravel(), np.float32))
    return indices, weights, mesh.indices.shape[1]


def points(mesh, matrices, method):
    """Skin by the method "classicLinear" or "dualQuaternion"."""
    joints, influences = _joints(matrices, Vt.Matrix4fArray), _influences(mesh)
    rest, bind = Vt.Vec3fArray.FromNumpy(np.ascontiguousarray(mesh.points, np.float32)), Gf.Matrix4f(1)
    kept = []

    def call():
        kept.clear()
        for pose in joints:
            moved = Vt.Vec3fArray(rest)
            if not UsdSkel.SkinPoints(method, bind, pose, *influences, moved, True):
                raise RuntimeError("SkinPoints refused")
            kept.append(moved)

    return call, lambda: np.stack([np.asarray(moved) for moved in kept])


def with_normals(mesh, matrices):
    """Two passes; the matrices of the normals are inverted outside the clock.

    No result: USD blends the joints' inverses, which is another normal than that of the blended surface.
    """
    move, _ = points(mesh, matrices, "classicLinear")
    inverse = np.linalg.inv(matrices[..., :3, :3].astype(np.float64)).swapaxes(-1, -2)
    joints, influences = _joints(inverse, Vt.Matrix3fArray), _influences(mesh)
    rest, bind = Vt.Vec3fArray.FromNumpy(np.ascontiguousarray(mesh.normals, np.float32)), Gf.Matrix3f(1)
    kept = []

    def call():
        move()
        kept.clear()
        for pose in joints:
            turned = Vt.Vec3fArray(rest)
            if not UsdSkel.SkinNormals("classicLinear", bind, pose, *influences, turned, True):
                raise RuntimeError("SkinNormals refused")
            kept.append(turned)

    return call, None
