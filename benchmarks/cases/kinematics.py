# SPDX-License-Identifier: MIT
"""Forward kinematics: one pose from Python, batches that stay in the cache, batches that do not."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import reference
from scene import PICK, Rig, rig

import skelkin_py as sk
from cases import Case
from cases.linear import INSIDE, TIMES

FLOPS = {"rotations": 15 + 24 + 72, "matrices": 72}  # per joint: normalise, to a matrix, times the parent


def cases() -> Iterator[Case]:
    for joints in (24, 65, 200):
        yield from_rotations(rig(joints, 1))
    for joints in (24, 65, 200):
        yield from_rotations(rig(joints, 100))
    for joints in (24, 65, 200):
        yield from_rotations(rig(joints, 10_000))
    for joints, count in ((65, 1), (65, 100), (65, 10_000)):
        yield from_matrices(rig(joints, count))


def words(count: int, joints: int, start: str) -> str:
    poses = {1: "one pose", 10_000: "10 000 poses"}.get(count, f"{count} poses")
    return f"{poses} × {joints} joints from {start}"


def _case(r: Rig, start: str, out: np.ndarray) -> Case:
    count, joints = r.rotations.shape[:2]
    case = Case(words(count, joints, start), "Mjoints/s", count * joints, 1e-6, out.nbytes)
    if count == 1:
        case = Case(words(count, joints, start), "µs/call", scale=1e6, max_rounds=60)
    else:
        case.flops = FLOPS[start] * count * joints
    case.tolerance = 1e-4
    case.expected = reference.forward_kinematics_trs(r.skeleton, r.rotations[PICK])[..., :3, 3]
    return case


def from_rotations(r: Rig) -> Case:
    count, joints = r.rotations.shape[:2]
    skeleton, out = r.skeleton, np.zeros((count, joints, 4, 4), np.float32)
    case = _case(r, "rotations", out)
    batch = (slice(None),) if count > 1 else (0,)  # one pose is given without a leading dimension
    given, target = r.rotations[batch], out[batch]
    case.add(
        "skelkin, out=",
        lambda: sk.forward_kinematics_trs(skeleton, given, out=target),
        lambda: out[..., :3, 3],
    )
    case.add("skelkin", lambda: sk.forward_kinematics_trs(skeleton, given))
    rows = np.zeros((count, joints, 3, 4), np.float32)
    rows_target = rows[batch]
    case.add(
        "skelkin, out= of 3 × 4",
        lambda: sk.forward_kinematics_trs(skeleton, given, out=rows_target),
        lambda: rows[..., 3],
    )
    arrays = r.parents, r.offsets, r.rotations
    case.offer("numba loop", "numba_kinematics", lambda m: m.from_rotations(*arrays))
    case.offer("numba loop to matrices", "numba_kinematics", lambda m: m.to_matrices(*arrays))
    case.offer("ozz-animation", "ozz", lambda m: m.from_rotations(*arrays))
    if count == 1:
        case.offer(INSIDE, "ozz", lambda m: m.from_rotations(*arrays, times=TIMES), times=TIMES)
    if count == 1 or joints == 65:  # the slow ones
        case.offer("jax", "jax_kinematics", lambda m: m.from_rotations(*arrays))
        case.offer("pymotion", "pymotion_kinematics", lambda m: m.from_rotations(*arrays))
        case.offer("numpy by level", "numpy_plain", lambda m: m.from_rotations(*arrays))
    return case


def from_matrices(r: Rig) -> Case:
    count, joints = r.rotations.shape[:2]
    local = sk.compose(np.broadcast_to(r.offsets, (count, joints, 3)), r.rotations)
    skeleton, out = r.skeleton, np.zeros_like(local)
    case = _case(r, "matrices", out)
    batch = (slice(None),) if count > 1 else (0,)
    given, target = local[batch], out[batch]
    case.add("skelkin, out=", lambda: sk.forward_kinematics(skeleton, given, out=target), lambda: out[..., :3, 3])
    case.add("skelkin", lambda: sk.forward_kinematics(skeleton, given))
    case.offer("numba loop", "numba_kinematics", lambda m: m.from_matrices(r.parents, local))
    return case
