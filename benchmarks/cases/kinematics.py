# SPDX-License-Identifier: MIT
"""Forward kinematics: one small call from Python, and a batch."""

from __future__ import annotations

import numba
import numpy as np

import skelkin_py as sk
from cases import Case
from skelkin_py import reference


@numba.njit(fastmath=True)
def numba_loop(parents, local, out):
    for f in range(local.shape[0]):
        for j in range(local.shape[1]):
            p = parents[j]
            for r in range(3):
                if p < 0:
                    for c in range(4):
                        out[f, j, r, c] = local[f, j, r, c]
                    continue
                x, y, z, t = out[f, p, r, 0], out[f, p, r, 1], out[f, p, r, 2], out[f, p, r, 3]
                for c in range(4):
                    out[f, j, r, c] = x * local[f, j, 0, c] + y * local[f, j, 1, c] + z * local[f, j, 2, c]
                out[f, j, r, 3] += t
            out[f, j, 3, 0] = out[f, j, 3, 1] = out[f, j, 3, 2] = 0
            out[f, j, 3, 3] = 1
    return out


def rig(joints: int, frames: int, dtype: type) -> tuple[sk.Skeleton, np.ndarray]:
    """Return a random tree of joints and random poses of it."""
    rng = np.random.default_rng(joints)
    parents = [-1, *(int(rng.integers(max(0, j - 3), j)) for j in range(1, joints))]
    rest = sk.compose(rng.normal(size=(joints, 3)) * 0.2, rng.normal(size=(joints, 4)))
    local = sk.compose(rng.normal(size=(joints, 3)) * 0.2, rng.normal(size=(frames, joints, 4)))
    return sk.Skeleton(parents, rest), local.astype(dtype)


def cases() -> list[Case]:
    found = []
    for joints in (24, 65):
        skeleton, local = rig(joints, 1, np.float32)
        parents, out = np.asarray(skeleton.parents), np.empty_like(local)
        pose, wide, pose_out = local[0], local[0].astype(np.float64), np.empty_like(local[0])
        candidates = {
            "skelkin": lambda s=skeleton, x=pose: sk.forward_kinematics(s, x),
            "skelkin, out=": lambda s=skeleton, x=pose, o=pose_out: sk.forward_kinematics(s, x, out=o),
            "skelkin, float64": lambda s=skeleton, x=wide: sk.forward_kinematics(s, x),
            "numba loop, out=": lambda p=parents, x=local, o=out: numba_loop(p, x, o),
        }
        found.append(Case("kinematics", f"one pose, {joints} joints", "µs/call", candidates, scale=1e6))
    skeleton, local = rig(65, 10_000, np.float32)
    parents, out, other = np.asarray(skeleton.parents), np.empty_like(local), np.empty_like(local)
    candidates = {
        "skelkin, out=": lambda: sk.forward_kinematics(skeleton, local, out=out),
        "numba loop, out=": lambda: numba_loop(parents, local, other),
    }
    case = Case("kinematics", "10 000 poses, 65 joints", "Mjoints/s", candidates, 650_000, 1e-6, max_rounds=15)
    expected = reference.forward_kinematics(skeleton, local[:100])
    for name, result in (("skelkin, out=", out), ("numba loop, out=", other)):
        candidates[name]()
        case.errors[name] = float(np.abs(result[:100] - expected).max())
    return [*found, case]
