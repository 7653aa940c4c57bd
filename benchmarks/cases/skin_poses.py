# SPDX-License-Identifier: MIT
"""From rotations to skinned points in one call, against the same in three; with the memory that either needs."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import reference
from scene import PICK, mesh, rig

import skelkin_py as sk
from cases import Case

SIZES = ((100_000, 100, 64), (2_000, 65, 10_000))  # a large mesh, and a crowd of small ones


def words(vertices: int, joints: int, count: int) -> str:
    return f"{vertices} vertices × {joints} joints × {count} poses"


def cases() -> Iterator[Case]:
    for size in SIZES:
        yield from _cases(*size)


def _cases(vertices: int, joints: int, count: int) -> Iterator[Case]:
    whole, r = mesh(vertices, joints), rig(joints, count)
    out, other = (np.zeros((count, vertices, 3), np.float32) for _ in range(2))
    globals_, matrices = (np.zeros((count, joints, 4, 4), np.float32) for _ in range(2))

    def one() -> None:
        sk.skin_poses(whole.points, whole.skin, r.skeleton, r.rotations, out=out)

    def three_kept() -> None:
        sk.forward_kinematics_trs(r.skeleton, r.rotations, out=globals_)
        sk.skinning_matrices(r.skeleton, globals_, out=matrices)
        sk.skin_points(whole.points, whole.skin, matrices, out=other)

    def three() -> None:
        found = sk.forward_kinematics_trs(r.skeleton, r.rotations)
        sk.skin_points(whole.points, whole.skin, sk.skinning_matrices(r.skeleton, found), out=other)

    name = words(vertices, joints, count)
    case = Case(f"skin_poses, {name}", "Mverts/s", count * vertices, 1e-6, out.nbytes)
    case.tolerance = 1e-4
    found = reference.forward_kinematics_trs(r.skeleton, r.rotations[PICK])
    case.expected = reference.skin_points(whole.points, whole.skin, reference.skinning_matrices(r.skeleton, found))
    case.add("skelkin, one call, out=", one, lambda: out)
    case.add("skelkin, three calls, kept arrays", three_kept, lambda: other)
    case.add("skelkin, three calls, new arrays", three, lambda: other)
    yield case
    memory = Case(f"memory besides the result, {name}", "MB")
    memory.facts = {"skelkin, one call, out=": peak(one), "skelkin, three calls, new arrays": peak(three)}
    yield memory


def peak(call: Callable[[], object]) -> float:
    """Return by how many MB the resident memory rises at most during a call."""
    gc.collect()
    try:
        Path("/proc/self/clear_refs").write_text("5")  # sets the highest mark back to the present size
        before = _status("VmRSS")
        call()
        return max(0.0, _status("VmHWM") - before)
    except OSError:
        return float("nan")


def _status(key: str) -> float:
    lines = Path("/proc/self/status").read_text().splitlines()
    return float(next(line for line in lines if line.startswith(key)).split()[1]) * 1024e-6
