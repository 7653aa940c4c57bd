# SPDX-License-Identifier: MIT
"""How far each verb is from `tests/reference`: prints a table.

``python tests/support/differences.py``; relative to the largest number of the result, the worst of
20 random rigs of 65 joints: 16 poses, 300 vertices.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from random_rigs import calm_transforms, random_skeleton, random_transforms, random_weights

import skelkin_py as sk

sys.path.append(str(Path(__file__).resolve().parents[1]))

import reference

JOINTS, POSES, VERTICES, RIGS = 65, 16, 300, 20
Case = tuple[str, Any, Any]


def poses(seed: int, dtype: type) -> Iterator[Case]:
    """Give name, result and what the reference makes of it, for what takes a skeleton."""
    skeleton = random_skeleton(seed, JOINTS, 2, scaled=True)
    rng = np.random.default_rng(seed)
    local = random_transforms(seed, POSES, JOINTS, scaled=False).astype(dtype)
    q = rng.normal(size=(POSES, JOINTS, 4)).astype(dtype)
    t = (rng.normal(size=(POSES, JOINTS, 3)) * 0.3).astype(dtype)
    global_ = reference.forward_kinematics(skeleton, local).astype(dtype)
    calls: list[tuple[str, tuple[Any, ...]]] = [
        ("forward_kinematics", (skeleton, local)),
        ("forward_kinematics_trs", (skeleton, q, t)),
        ("skinning_matrices", (skeleton, global_)),
        ("local_from_global", (skeleton, global_)),
        ("relative_transform", (skeleton, local, 40, 50)),
    ]
    for name, given in calls:
        yield name, getattr(sk, name)(*given), getattr(reference, name)(*given)
    for axes in ("posed", "rest"):
        found = sk.rest_relative(skeleton, q, axes=axes)
        for a, b in zip(found, reference.rest_relative(skeleton, q, axes=axes), strict=True):
            yield "rest_relative", a, b
    points, weights = rng.normal(size=(VERTICES, 3)).astype(dtype), mesh_weights(seed)
    for method in ("linear", "dual_quaternion"):
        given = points, weights, skeleton, q, t
        yield f"skin_poses {method}", sk.skin_poses(*given, method=method), reference.skin_poses(*given, method=method)


def mesh_weights(seed: int) -> sk.SkinWeights:
    return sk.SkinWeights(*random_weights(seed, VERTICES, 4, JOINTS), JOINTS)


def meshes(seed: int, dtype: type) -> Iterator[Case]:
    """Give the same for points, normals and tangents under matrices."""
    points, normals, tangents = np.random.default_rng(seed).normal(size=(3, VERTICES, 3)).astype(dtype)
    given = points, mesh_weights(seed), calm_transforms(seed, POSES, JOINTS).astype(dtype)
    for method in ("linear", "dual_quaternion"):
        options = {"normals": normals, "tangents": tangents, "method": method}
        found, expected = sk.skin_mesh(*given, **options), reference.skin_mesh(*given, **options)
        for name, a, b in zip(("points", "normals", "tangents"), found, expected, strict=True):
            yield f"{name} {method}", a, b


def main() -> None:
    worst: dict[str, list[float]] = {}
    for column, dtype in enumerate((np.float64, np.float32)):
        for seed in range(RIGS):
            for name, found, expected in (*poses(seed, dtype), *meshes(seed, dtype)):
                size = max(1.0, float(np.abs(expected).max()))
                row = worst.setdefault(name, [0.0, 0.0])
                row[column] = max(row[column], float(np.abs(found - expected).max()) / size)
    print(f"{'':28} float64  float32")
    for name, (wide, narrow) in sorted(worst.items()):
        print(f"{name:28} {wide:.1e}  {narrow:.1e}")


if __name__ == "__main__":
    main()
