# SPDX-License-Identifier: MIT
"""Linear skinning with normals: the true inverse transpose of the blend, normalised."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import reference
from scene import PICK, VERTICES, Mesh, poses

import skelkin_py as sk
from cases import Case
from cases.linear import FLOPS, meshes, name

NORMAL_FLOPS = 27 + 15 + 9  # cofactors, the product, the length


def cases() -> Iterator[Case]:
    for count in (1, 64):
        for words, whole in meshes():
            yield _case(name("with normals", count, words), whole, poses(count)[0])


def _case(title: str, whole: Mesh, matrices: np.ndarray) -> Case:
    count = len(matrices)
    out = sk.SkinnedMesh(*(np.zeros((count, VERTICES, 3), np.float32) for _ in range(2)), None)
    case = Case(title, "Mverts/s", count * VERTICES, 1e-6, 2 * out.points.nbytes)
    case.flops = (FLOPS + NORMAL_FLOPS) * count * VERTICES
    expected = reference.skin_mesh(whole.points, whole.skin, matrices[PICK], normals=whole.normals)
    case.expected = np.concatenate(expected[:2], -1)
    case.add(
        "skelkin, out=",
        lambda: sk.skin_mesh(whole.points, whole.skin, matrices, normals=whole.normals, out=out),
        lambda: np.concatenate([out.points, out.normals], -1),
    )
    plain = np.zeros((count, VERTICES, 3), np.float32)
    case.add("skelkin, points only", lambda: sk.skin_points(whole.points, whole.skin, matrices, out=plain))
    case.offer("numba loop", "numba_skinning", lambda m: m.with_normals(whole, matrices))
    case.offer("jax", "jax_skinning", lambda m: m.with_normals(whole, matrices))
    case.offer("UsdSkel", "usd", lambda m: m.with_normals(whole, matrices))
    case.offer("ozz-animation", "ozz", lambda m: m.with_normals(whole, matrices))
    return case
