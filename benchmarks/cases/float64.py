# SPDX-License-Identifier: MIT
"""Every verb in float64 against the same in float32."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from scene import mesh, poses, rig

import skelkin_py as sk
from cases import Case

VERTICES, COUNT = 20_000, 16


def cases() -> Iterator[Case]:
    for name, (unit, work, make) in _verbs().items():
        case = Case(f"float64: {name}", unit, work, 1e-6 if work else 1e6)
        for dtype in (np.float32, np.float64):
            call = make(dtype)
            call()
            case.add(np.dtype(dtype).name, call)
        yield case


def _verbs() -> dict[str, tuple[str, float, Callable[[type], Callable[[], object]]]]:
    whole = mesh(VERTICES)
    verts, joints = float(VERTICES * COUNT), 65.0 * 1000

    def skin(count: int, **options) -> Callable[[type], Callable[[], object]]:
        def make(dtype: type) -> Callable[[], object]:
            m, given = whole.as_type(dtype), poses(COUNT, dtype=dtype)[0][:count]
            out = np.zeros((count, VERTICES, 3), dtype)
            return lambda: sk.skin_points(m.points, m.skin, given, out=out, **options)

        return make

    def normals(count: int) -> Callable[[type], Callable[[], object]]:
        def make(dtype: type) -> Callable[[], object]:
            m, given = whole.as_type(dtype), poses(COUNT, dtype=dtype)[0][:count]
            out = (*(np.zeros((count, VERTICES, 3), dtype) for _ in range(2)), None)
            return lambda: sk.skin_mesh(m.points, m.skin, given, normals=m.normals, out=out)

        return make

    def trs(count: int) -> Callable[[type], Callable[[], object]]:
        def make(dtype: type) -> Callable[[], object]:
            r, out = rig(65, count, dtype), np.zeros((count, 65, 4, 4), dtype)
            return lambda: sk.forward_kinematics_trs(r.skeleton, r.rotations, out=out)

        return make

    def of_matrices(verb: Callable[..., object]) -> Callable[[type], Callable[[], object]]:
        def make(dtype: type) -> Callable[[], object]:
            r = rig(65, 1000, dtype)
            given = sk.compose(np.broadcast_to(r.offsets, (1000, 65, 3)), r.rotations)
            out = np.zeros_like(given)
            return lambda: verb(r.skeleton, given, out=out)

        return make

    def one_call(dtype: type) -> Callable[[], object]:
        m, r = mesh(2_000, 65).as_type(dtype), rig(65, 500, dtype)
        out = np.zeros((500, 2_000, 3), dtype)
        return lambda: sk.skin_poses(m.points, m.skin, r.skeleton, r.rotations, out=out)

    return {
        "skin_points, one pose": ("Mverts/s", float(VERTICES), skin(1)),
        "skin_points, 16 poses": ("Mverts/s", verts, skin(COUNT)),
        "skin_mesh with normals, one pose": ("Mverts/s", float(VERTICES), normals(1)),
        "skin_mesh with normals, 16 poses": ("Mverts/s", verts, normals(COUNT)),
        "skin_points, dual quaternion, one pose": ("Mverts/s", float(VERTICES), skin(1, method="dual_quaternion")),
        "skin_points, dual quaternion, 16 poses": ("Mverts/s", verts, skin(COUNT, method="dual_quaternion")),
        "skin_poses, 500 poses": ("Mverts/s", 1e6, one_call),
        "forward_kinematics_trs, one pose": ("µs/call", 0.0, trs(1)),
        "forward_kinematics_trs, 1000 poses": ("Mjoints/s", joints, trs(1000)),
        "forward_kinematics, 1000 poses": ("Mjoints/s", joints, of_matrices(sk.forward_kinematics)),
        "local_from_global, 1000 poses": ("Mjoints/s", joints, of_matrices(sk.local_from_global)),
        "skinning_matrices, 1000 poses": ("Mjoints/s", joints, of_matrices(sk.skinning_matrices)),
    }
