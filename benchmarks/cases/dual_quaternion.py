# SPDX-License-Identifier: MIT
"""Dual-quaternion skinning. Skelkin and UsdSkel start from matrices; numba and jax get dual quaternions ready-made."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scene import PICK, VERTICES, Mesh, mesh, poses

import skelkin_py as sk
from cases import Case
from cases.linear import name

FLOPS = 2 * 32 + 7 * 3 + 16 + 8 + 2 * 30  # per vertex: blend, signs, normalise, transform


def cases() -> Iterator[Case]:
    whole = mesh()
    for count in (1, 64):
        yield _case(whole, *poses(count))


def expected(whole: Mesh, dual: np.ndarray) -> np.ndarray:
    """Points straight from the definition, in float64."""
    dual = dual.astype(np.float64)
    table = dual[:, whole.indices]  # (F, V, K, 8)
    signs = np.where(np.einsum("fvki,fvi->fvk", table[..., :4], table[..., 0, :4]) < 0, -1.0, 1.0)
    blend = np.einsum("vk,fvk,fvki->fvi", whole.weights.astype(np.float64), signs, table)
    blend /= np.linalg.norm(blend[..., :4], axis=-1, keepdims=True)
    conjugate = blend[..., :4] * [1, -1, -1, -1]
    move = 2 * sk.quaternion_multiply(blend[..., 4:], conjugate)[..., 1:]
    return sk.quaternion_rotate(blend[..., :4], whole.points.astype(np.float64)) + move


def _case(whole: Mesh, matrices: np.ndarray, dual: np.ndarray) -> Case:
    count = len(matrices)
    out = np.zeros((count, VERTICES, 3), np.float32)
    case = Case("skinning", name("dual quaternion", count), "Mverts/s", count * VERTICES, 1e-6, out.nbytes)
    case.flops = FLOPS * count * VERTICES
    case.expected = expected(whole, dual[PICK])
    case.add(
        "skelkin, out=",
        lambda: sk.skin_points(whole.points, whole.skin, matrices, method="dual_quaternion", out=out),
        lambda: out,
    )
    plain = np.zeros((count, VERTICES, 3), np.float32)
    case.add("skelkin, linear", lambda: sk.skin_points(whole.points, whole.skin, matrices, out=plain))
    case.offer("numba loop", "numba_skinning", lambda m: m.dual_quaternion(whole, dual))
    case.offer("jax", "jax_skinning", lambda m: m.dual_quaternion(whole, dual))
    case.offer("UsdSkel", "usd", lambda m: m.points(whole, matrices, "dualQuaternion"))
    return case
