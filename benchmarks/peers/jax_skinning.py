# SPDX-License-Identifier: MIT
"""Skinning with jax.jit, the loop over influences unrolled, poses by lax.map."""

from __future__ import annotations

import jax
import jax.numpy as jnp


def _blend(indices, weights, table):
    """Sum of weighted rows of a table (J, ...)."""
    tail = (None,) * (table.ndim - 1)
    return sum(weights[:, k][(..., *tail)] * table[indices[:, k]] for k in range(indices.shape[1]))


def _points(blend, points):
    return jnp.einsum("vij,vj->vi", blend[:, :, :3], points) + blend[:, :, 3]


def _poses(one, table):
    return jax.lax.map(one, table) if len(table) > 1 else one(table[0])[None]


@jax.jit
def _linear(points, indices, weights, matrices):
    return _poses(lambda m: _points(_blend(indices, weights, m), points), matrices)


@jax.jit
def _with_normals(points, normals, indices, weights, matrices):
    def one(m):
        blend = _blend(indices, weights, m)
        rows = blend[:, 0, :3], blend[:, 1, :3], blend[:, 2, :3]
        cofactors = [jnp.cross(rows[(i + 1) % 3], rows[(i + 2) % 3]) for i in range(3)]
        moved = jnp.stack([jnp.sum(c * normals, -1) for c in cofactors], -1)
        moved = moved * jax.lax.rsqrt(jnp.sum(moved * moved, -1, keepdims=True))
        return jnp.concatenate([_points(blend, points), moved], -1)

    return _poses(one, matrices)


@jax.jit
def _dual_quaternion(points, indices, weights, dual):
    def one(table):
        first = table[indices[:, 0], :4]
        signs = [jnp.where(jnp.sum(table[indices[:, k], :4] * first, -1) < 0, -1, 1) for k in range(indices.shape[1])]
        blend = _blend(indices, weights * jnp.stack(signs, -1), table)
        blend = blend * jax.lax.rsqrt(jnp.sum(blend[:, :4] ** 2, -1, keepdims=True))
        w, axis, w_dual, dual_axis = blend[:, :1], blend[:, 1:4], blend[:, 4:5], blend[:, 5:]
        turned = points + 2 * jnp.cross(axis, jnp.cross(axis, points) + w * points)
        return turned + 2 * (w * dual_axis - w_dual * axis + jnp.cross(axis, dual_axis))

    return _poses(one, dual)


def _prepared(function, *arrays):
    device = [jnp.asarray(array) for array in arrays]

    def call():
        return jax.block_until_ready(function(*device))

    return call, call


def linear(mesh, matrices):
    return _prepared(_linear, mesh.points, mesh.indices, mesh.weights, matrices[:, :, :3])


def with_normals(mesh, matrices):
    return _prepared(_with_normals, mesh.points, mesh.normals, mesh.indices, mesh.weights, matrices[:, :, :3])


def dual_quaternion(mesh, dual):
    return _prepared(_dual_quaternion, mesh.points, mesh.indices, mesh.weights, dual)
