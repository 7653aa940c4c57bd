# SPDX-License-Identifier: MIT
"""Linear skinning of 100 000 vertices by 100 joints with 4 influences: one pose and 64; and a call of 32 vertices."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import reference
from scene import PICK, VERTICES, Mesh, mesh, poses

import skelkin_py as sk
from cases import Case

INSIDE, TIMES = "ozz-animation inside C++", 100  # a loop over the job alone, where others are called from Python
FLOPS = 2 * 57  # per vertex: 12 numbers blended from 4 matrices, then 9 multiply-adds


def cases() -> Iterator[Case]:
    for count in (1, 64):
        for words, whole in meshes():
            yield _case(name("linear", count, words), whole, poses(count)[0])
    yield _small()


def meshes() -> Iterator[tuple[str, Mesh]]:
    """Yield the mesh as exporters write them, and one whose vertices hang on any joints."""
    yield "", mesh()
    yield ", random joints", mesh(coherent=False)


def name(theme: str, count: int, words: str = "") -> str:
    return f"{theme}, {count} poses{words}" if count > 1 else f"{theme}, one pose{words}"


def _case(title: str, whole: Mesh, matrices: np.ndarray) -> Case:
    count = len(matrices)
    out = np.zeros((count, VERTICES, 3), np.float32)
    case = Case(title, "Mverts/s", count * VERTICES, 1e-6, out.nbytes)
    case.flops = FLOPS * count * VERTICES
    case.expected = reference.skin_points(whole.points, whole.skin, matrices[PICK])
    case.add("skelkin, out=", lambda: sk.skin_points(whole.points, whole.skin, matrices, out=out), lambda: out)
    case.add("skelkin", lambda: sk.skin_points(whole.points, whole.skin, matrices))
    wide = whole.as_type(np.float64), matrices.astype(np.float64), out.astype(np.float64)
    case.add(
        "skelkin, float64, out=",
        lambda: sk.skin_points(wide[0].points, whole.skin, wide[1], out=wide[2]),
        lambda: wide[2],
    )
    case.offer("numba loop", "numba_skinning", lambda m: m.linear(whole, matrices))
    if count > 1:
        case.offer("numba, frames innermost", "numba_skinning", lambda m: m.frames_innermost(whole, matrices))
        case.offer(
            "numba, frames innermost + way back",
            "numba_skinning",
            lambda m: m.frames_innermost(whole, matrices, way_back=True),
        )
    else:
        case.offer("numpy", "numpy_plain", lambda m: m.linear(whole, matrices))
    case.offer("jax", "jax_skinning", lambda m: m.linear(whole, matrices))
    case.offer("torch.compile", "torch_skinning", lambda m: m.linear(whole, matrices))
    case.offer("UsdSkel", "usd", lambda m: m.points(whole, matrices, "classicLinear"))
    case.offer("libigl", "igl_skinning", lambda m: m.linear(whole, matrices))
    case.offer("ozz-animation", "ozz", lambda m: m.linear(whole, matrices))
    return case


def _small() -> Case:
    few = mesh(32, 4)
    matrices = poses(1, 4)[0]
    case = Case("linear, 32 vertices", "µs/call", scale=1e6, max_rounds=60)
    case.expected = reference.skin_points(few.points, few.skin, matrices[PICK])
    out = np.zeros((32, 3), np.float32)
    pose = matrices[0]
    case.add("skelkin", lambda: sk.skin_points(few.points, few.skin, pose))
    case.add("skelkin, out=", lambda: sk.skin_points(few.points, few.skin, pose, out=out), lambda: out[None])
    case.offer("numba loop", "numba_skinning", lambda m: m.linear(few, matrices))
    case.offer("numpy", "numpy_plain", lambda m: m.linear(few, matrices))
    case.offer("jax", "jax_skinning", lambda m: m.linear(few, matrices))
    case.offer("UsdSkel", "usd", lambda m: m.points(few, matrices, "classicLinear"))
    case.offer("libigl", "igl_skinning", lambda m: m.linear(few, matrices))
    case.offer("ozz-animation", "ozz", lambda m: m.linear(few, matrices))
    case.offer(INSIDE, "ozz", lambda m: m.linear(few, matrices, times=TIMES), times=TIMES)
    return case
