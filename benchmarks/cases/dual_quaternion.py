# SPDX-License-Identifier: MIT
"""Dual-quaternion skinning. Skelkin and UsdSkel start from matrices; numba and jax get dual quaternions ready-made."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import reference
from scene import PICK, VERTICES, Mesh, poses

import skelkin_py as sk
from cases import Case
from cases.linear import meshes, name

FLOPS = 2 * 32 + 7 * 3 + 16 + 8 + 2 * 30  # per vertex: blend, signs, normalise, transform


def cases() -> Iterator[Case]:
    for count in (1, 64):
        for words, whole in meshes():
            yield _case(name("dual quaternion", count, words), whole, *poses(count))


def _case(title: str, whole: Mesh, matrices: np.ndarray, dual: np.ndarray) -> Case:
    count = len(matrices)
    out = np.zeros((count, VERTICES, 3), np.float32)
    case = Case(title, "Mverts/s", count * VERTICES, 1e-6, out.nbytes)
    case.flops = FLOPS * count * VERTICES
    case.expected = reference.skin_points(whole.points, whole.skin, matrices[PICK], method="dual_quaternion")
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
