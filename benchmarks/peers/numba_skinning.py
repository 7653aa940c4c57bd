# SPDX-License-Identifier: MIT
"""Skinning as a numpy user writes it with numba: plain loops, compiled for one core and for all of them."""

from __future__ import annotations

import functools
import math

import numba
import numpy as np


def _linear(points, indices, weights, matrices, out):
    for f in range(matrices.shape[0]):
        for v in numba.prange(points.shape[0]):
            x, y, z = points[v, 0], points[v, 1], points[v, 2]
            a = b = c = points.dtype.type(0)
            for k in range(indices.shape[1]):
                w, m = weights[v, k], matrices[f, indices[v, k]]
                a += w * (m[0, 0] * x + m[0, 1] * y + m[0, 2] * z + m[0, 3])
                b += w * (m[1, 0] * x + m[1, 1] * y + m[1, 2] * z + m[1, 3])
                c += w * (m[2, 0] * x + m[2, 1] * y + m[2, 2] * z + m[2, 3])
            out[f, v, 0], out[f, v, 1], out[f, v, 2] = a, b, c


def _frames_innermost(points, indices, weights, matrices, out):
    """Matrices (J, 12, F), result (V, 3, F)."""
    for v in numba.prange(points.shape[0]):
        out[v] = 0
        for k in range(indices.shape[1]):
            w, m = weights[v, k], matrices[indices[v, k]]
            wx, wy, wz = w * points[v, 0], w * points[v, 1], w * points[v, 2]
            for f in range(m.shape[1]):
                out[v, 0, f] += m[0, f] * wx + m[1, f] * wy + m[2, f] * wz + m[3, f] * w
                out[v, 1, f] += m[4, f] * wx + m[5, f] * wy + m[6, f] * wz + m[7, f] * w
                out[v, 2, f] += m[8, f] * wx + m[9, f] * wy + m[10, f] * wz + m[11, f] * w


@numba.njit(fastmath=True)
def _with_normals(points, normals, indices, weights, matrices, out, out_normals):
    """Blend first; the normal goes through the cofactors of the blend and is normalised."""
    for f in range(matrices.shape[0]):
        for v in range(points.shape[0]):
            a = b = c = d = e = g = h = i = j = r = s = t = points.dtype.type(0)
            for k in range(indices.shape[1]):
                w, m = weights[v, k], matrices[f, indices[v, k]]
                a, b, c, r = a + w * m[0, 0], b + w * m[0, 1], c + w * m[0, 2], r + w * m[0, 3]
                d, e, g, s = d + w * m[1, 0], e + w * m[1, 1], g + w * m[1, 2], s + w * m[1, 3]
                h, i, j, t = h + w * m[2, 0], i + w * m[2, 1], j + w * m[2, 2], t + w * m[2, 3]
            x, y, z = points[v, 0], points[v, 1], points[v, 2]
            out[f, v, 0] = a * x + b * y + c * z + r
            out[f, v, 1] = d * x + e * y + g * z + s
            out[f, v, 2] = h * x + i * y + j * z + t
            x, y, z = normals[v, 0], normals[v, 1], normals[v, 2]
            p = (e * j - g * i) * x + (g * h - d * j) * y + (d * i - e * h) * z
            q = (c * i - b * j) * x + (a * j - c * h) * y + (b * h - a * i) * z
            u = (b * g - c * e) * x + (c * d - a * g) * y + (a * e - b * d) * z
            n = 1 / math.sqrt(p * p + q * q + u * u)
            out_normals[f, v, 0], out_normals[f, v, 1], out_normals[f, v, 2] = p * n, q * n, u * n


def _dual_quaternion(points, indices, weights, dual, out):
    """Ready-made dual quaternions (F, J, 8); the first influence is the largest and decides the signs."""
    for f in range(dual.shape[0]):
        for v in numba.prange(points.shape[0]):
            first = dual[f, indices[v, 0]]
            w = weights[v, 0]
            a, b, c, d = w * first[0], w * first[1], w * first[2], w * first[3]
            e, g, h, i = w * first[4], w * first[5], w * first[6], w * first[7]
            for k in range(1, indices.shape[1]):
                q, w = dual[f, indices[v, k]], weights[v, k]
                if q[0] * first[0] + q[1] * first[1] + q[2] * first[2] + q[3] * first[3] < 0:
                    w = -w
                a, b, c, d = a + w * q[0], b + w * q[1], c + w * q[2], d + w * q[3]
                e, g, h, i = e + w * q[4], g + w * q[5], h + w * q[6], i + w * q[7]
            n = 1 / math.sqrt(a * a + b * b + c * c + d * d)
            a, b, c, d, e, g, h, i = a * n, b * n, c * n, d * n, e * n, g * n, h * n, i * n
            x, y, z = points[v, 0], points[v, 1], points[v, 2]
            r = c * z - d * y + a * x
            s = d * x - b * z + a * y
            t = b * y - c * x + a * z
            out[f, v, 0] = x + 2 * (c * t - d * s) + 2 * (a * g - e * b + c * i - d * h)
            out[f, v, 1] = y + 2 * (d * r - b * t) + 2 * (a * h - e * c + d * g - b * i)
            out[f, v, 2] = z + 2 * (b * s - c * r) + 2 * (a * i - e * d + b * h - c * g)


@functools.cache
def _compiled(function, all_cores):
    return numba.njit(fastmath=True, parallel=all_cores)(function)


def linear(mesh, matrices, all_cores=False):
    loop, out = _compiled(_linear, all_cores), np.zeros((len(matrices), *mesh.points.shape), mesh.points.dtype)
    return lambda: loop(mesh.points, mesh.indices, mesh.weights, matrices, out), lambda: out


def frames_innermost(mesh, matrices, *, way_back=False, all_cores=False):
    """Matrices come into the layout outside the clock; with `way_back` the result is copied to (F, V, 3) inside."""
    loop = _compiled(_frames_innermost, all_cores)
    frames, joints = matrices.shape[:2]
    own = np.ascontiguousarray(matrices[:, :, :3].reshape(frames, joints, 12).transpose(1, 2, 0))
    out = np.zeros((len(mesh.points), 3, frames), mesh.points.dtype)
    if not way_back:
        return lambda: loop(mesh.points, mesh.indices, mesh.weights, own, out), lambda: out.transpose(2, 0, 1)
    back = np.zeros((frames, len(mesh.points), 3), mesh.points.dtype)

    def call():
        loop(mesh.points, mesh.indices, mesh.weights, own, out)
        np.copyto(back, out.transpose(2, 0, 1))

    return call, lambda: back


def with_normals(mesh, matrices):
    out, out_normals = (np.zeros((len(matrices), *mesh.points.shape), mesh.points.dtype) for _ in range(2))

    def call():
        _with_normals(mesh.points, mesh.normals, mesh.indices, mesh.weights, matrices, out, out_normals)

    return call, lambda: np.concatenate([out, out_normals], -1)


def dual_quaternion(mesh, dual, all_cores=False):
    loop = _compiled(_dual_quaternion, all_cores)
    out = np.zeros((len(dual), *mesh.points.shape), mesh.points.dtype)
    return lambda: loop(mesh.points, mesh.indices, mesh.weights, dual, out), lambda: out
