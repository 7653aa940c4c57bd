# SPDX-License-Identifier: MIT
"""Linear skinning of 100 000 vertices by 100 joints with 4 influences: one pose, and 64."""

from __future__ import annotations

import numba
import numpy as np

import skelkin_py as sk
from cases import Case
from skelkin_py import reference

VERTICES, JOINTS, INFLUENCES = 100_000, 100, 4


@numba.njit(fastmath=True)
def numba_loop(points, indices, weights, matrices, out):
    for f in range(matrices.shape[0]):
        for v in range(points.shape[0]):
            x, y, z = points[v, 0], points[v, 1], points[v, 2]
            a = b = c = points.dtype.type(0)
            for k in range(indices.shape[1]):
                w, m = weights[v, k], matrices[f, indices[v, k]]
                a += w * (m[0, 0] * x + m[0, 1] * y + m[0, 2] * z + m[0, 3])
                b += w * (m[1, 0] * x + m[1, 1] * y + m[1, 2] * z + m[1, 3])
                c += w * (m[2, 0] * x + m[2, 1] * y + m[2, 2] * z + m[2, 3])
            out[f, v, 0], out[f, v, 1], out[f, v, 2] = a, b, c
    return out


@numba.njit(fastmath=True)
def numba_frames_innermost(points, indices, weights, matrices, out):
    """Matrices (J, 12, F), result (V, 3, F)."""
    for v in range(points.shape[0]):
        out[v] = 0
        for k in range(indices.shape[1]):
            w, m = weights[v, k], matrices[indices[v, k]]
            wx, wy, wz = w * points[v, 0], w * points[v, 1], w * points[v, 2]
            for f in range(m.shape[1]):
                out[v, 0, f] += m[0, f] * wx + m[1, f] * wy + m[2, f] * wz + m[3, f] * w
                out[v, 1, f] += m[4, f] * wx + m[5, f] * wy + m[6, f] * wz + m[7, f] * w
                out[v, 2, f] += m[8, f] * wx + m[9, f] * wy + m[10, f] * wz + m[11, f] * w
    return out


def numpy_gather(points, indices, weights, matrices):
    blend = np.einsum("vk,vkij->vij", weights, matrices[indices][:, :, :3])
    return np.einsum("vij,vj->vi", blend[:, :, :3], points) + blend[:, :, 3]


def cases() -> list[Case]:
    rng = np.random.default_rng(7)
    points = rng.normal(size=(VERTICES, 3)).astype(np.float32)
    indices = rng.integers(0, JOINTS, (VERTICES, INFLUENCES)).astype(np.int32)
    raw = rng.uniform(0.05, 1, (VERTICES, INFLUENCES))
    weights = (raw / raw.sum(1, keepdims=True)).astype(np.float32)
    skin = sk.SkinWeights(indices, weights, JOINTS)
    found = []
    for poses in (1, 64):
        matrices = sk.compose(rng.normal(size=(poses, JOINTS, 3)), rng.normal(size=(poses, JOINTS, 4)))
        matrices = matrices.astype(np.float32)
        found.append(_case(poses, points, indices, weights, skin, matrices))
    return [*found, _small()]


def _case(poses, points, indices, weights, skin, matrices) -> Case:
    out, loop_out = (np.zeros((poses, VERTICES, 3), np.float32) for _ in range(2))
    candidates = {
        "skelkin, out=": lambda: sk.skin_points(points, skin, matrices, out=out),
        "skelkin": lambda: sk.skin_points(points, skin, matrices),
        "numba loop, out=": lambda: numba_loop(points, indices, weights, matrices, loop_out),
    }
    results = {"skelkin, out=": lambda: out, "numba loop, out=": lambda: loop_out}
    if poses > 1:
        own = np.ascontiguousarray(matrices[:, :, :3].reshape(poses, JOINTS, 12).transpose(1, 2, 0))
        own_out = np.zeros((VERTICES, 3, poses), np.float32)
        back = np.zeros((poses, VERTICES, 3), np.float32)

        def innermost():
            return numba_frames_innermost(points, indices, weights, own, own_out)

        candidates["numba, frames innermost"] = innermost
        candidates["numba, frames innermost + way back"] = lambda: np.copyto(back, innermost().transpose(2, 0, 1))
        results["numba, frames innermost"] = lambda: own_out.transpose(2, 0, 1)
    else:
        candidates["numpy"] = lambda: numpy_gather(points, indices, weights, matrices[0])
    case = Case("skinning", f"linear, {poses} poses", "Mverts/s", candidates, poses * VERTICES, 1e-6, 15)
    expected = reference.skin_points(points, skin, matrices[:1])
    for name, result in results.items():
        candidates[name]()
        case.errors[name] = float(np.abs(result()[:1] - expected).max())
    return case


def _small() -> Case:
    rng = np.random.default_rng(8)
    points = rng.normal(size=(32, 3)).astype(np.float32)
    indices, weights = rng.integers(0, 4, (32, 4)).astype(np.int32), np.full((32, 4), 0.25, np.float32)
    matrices = np.broadcast_to(np.eye(4, dtype=np.float32), (4, 4, 4)).copy()
    skin, out = sk.SkinWeights(indices, weights, 4), np.empty((1, 32, 3), np.float32)
    batch = matrices[None]
    candidates = {
        "skelkin": lambda: sk.skin_points(points, skin, matrices),
        "numba loop, out=": lambda: numba_loop(points, indices, weights, batch, out),
        "numpy": lambda: numpy_gather(points, indices, weights, matrices),
    }
    return Case("skinning", "linear, 32 vertices", "µs/call", candidates, scale=1e6)
