# SPDX-License-Identifier: MIT
"""Linear skinning of libigl: a dense matrix, made outside the clock, times the stacked transforms (BLAS)."""

from __future__ import annotations

import igl
import numpy as np


def linear(mesh, matrices):
    frames, joints = matrices.shape[:2]
    dense = np.zeros((len(mesh.points), joints))
    for k in range(mesh.indices.shape[1]):
        np.add.at(dense, (np.arange(len(dense)), mesh.indices[:, k]), mesh.weights[:, k])
    left = igl.lbs_matrix(mesh.points.astype(np.float64), dense).astype(np.float32)
    right = np.ascontiguousarray(matrices[:, :, :3].transpose(1, 3, 0, 2).reshape(4 * joints, 3 * frames))
    out = np.zeros((len(left), 3 * frames), np.float32)
    return lambda: np.matmul(left, right, out=out), lambda: out.reshape(-1, frames, 3).transpose(1, 0, 2)
