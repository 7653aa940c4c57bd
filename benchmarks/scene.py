# SPDX-License-Identifier: MIT
"""The made-up meshes and rigs that the cases share, always the same ones."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

import skelkin_py as sk

VERTICES, JOINTS, INFLUENCES = 100_000, 100, 4
PICK = [0, -1]  # the poses whose results are compared with the reference


class Mesh(NamedTuple):
    """Rest points and normals, and influences; the first influence of a vertex is its largest."""

    points: np.ndarray
    normals: np.ndarray
    indices: np.ndarray
    weights: np.ndarray
    skin: sk.SkinWeights

    def as_type(self, dtype: type) -> Mesh:
        return self._replace(**{name: getattr(self, name).astype(dtype) for name in ("points", "normals", "weights")})


def parents_of(joints: int) -> np.ndarray:
    """Return a random tree whose joints hang on one of the three before them."""
    rng = np.random.default_rng(joints)
    return np.array([-1, *(int(rng.integers(max(0, j - 3), j)) for j in range(1, joints))])


def neighbours(parents: np.ndarray, count: int) -> np.ndarray:
    """Return for each joint the `count` joints nearest to it in the hierarchy, itself first (J, count)."""
    near = [[c for c in range(len(parents)) if parents[c] == j] for j in range(len(parents))]
    for j in range(1, len(parents)):
        near[j].insert(0, int(parents[j]))
    found = np.empty((len(parents), count), np.int32)
    for start in range(len(parents)):
        seen = [start]
        for joint in seen:  # which grows on the way
            seen += [other for other in near[joint] if other not in seen]
            if len(seen) >= count:
                break
        found[start] = seen[:count]
    return found


def mesh(
    vertices: int = VERTICES, joints: int = JOINTS, influences: int = INFLUENCES, *, coherent: bool = True
) -> Mesh:
    """Return a mesh as exporters write them, or one whose vertices hang on any joints.

    In the first the vertices go along the body, joint by joint, a fifth of them with the joint beside it for their main
    one, and each hangs on the joints that are next to its own in the hierarchy.
    """
    rng = np.random.default_rng(7)
    points, normals = rng.normal(size=(2, vertices, 3))
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    indices = rng.integers(0, joints, (vertices, influences)).astype(np.int32)
    if coherent:
        near = neighbours(parents_of(joints), influences)
        along = near[np.arange(vertices) * joints // vertices, np.maximum(rng.integers(-3, 2, vertices), 0)]
        indices = near[along]
    raw = -np.sort(-rng.uniform(0.05, 1, (vertices, influences)), axis=1)
    weights = (raw / raw.sum(1, keepdims=True)).astype(np.float32)
    skin = sk.SkinWeights(indices, weights, joints)
    return Mesh(points.astype(np.float32), normals.astype(np.float32), indices, weights, skin)


def poses(count: int, joints: int = JOINTS, dtype: type = np.float32) -> tuple[np.ndarray, np.ndarray]:
    """Return rigid matrices (F, J, 4, 4) and the same as dual quaternions (F, J, 8), of either sign.

    All turns lie within a right angle of each other, so that no choice of sign hangs on the last bit.
    """
    rng = np.random.default_rng(11)
    q = np.concatenate([np.ones((count, joints, 1)), rng.uniform(-0.35, 0.35, (count, joints, 3))], -1)
    q *= rng.choice([-1.0, 1.0], (count, joints, 1)) / np.linalg.norm(q, axis=-1, keepdims=True)
    t = rng.normal(size=(count, joints, 3))
    pure = np.concatenate([np.zeros((count, joints, 1)), t], -1)
    half = 0.5 * np.linalg.norm(t, axis=-1, keepdims=True) * sk.quaternion_multiply(pure, q)  # which makes it unit
    return sk.compose(t, q).astype(dtype), np.concatenate([q, half], -1).astype(dtype)


class Rig(NamedTuple):
    """A random tree whose joints hang on one of the three before them, and unit quaternions for its poses."""

    skeleton: sk.Skeleton
    parents: np.ndarray
    offsets: np.ndarray
    rotations: np.ndarray


def rig(joints: int, count: int, dtype: type = np.float32) -> Rig:
    parents = parents_of(joints)
    rng = np.random.default_rng([joints, 1])
    offsets = rng.normal(size=(joints, 3)) * 0.2
    rest = np.tile(np.eye(4), (joints, 1, 1))
    rest[:, :3, 3] = offsets.astype(dtype)
    rotations = rng.normal(size=(count, joints, 4))
    rotations /= np.linalg.norm(rotations, axis=-1, keepdims=True)
    return Rig(sk.Skeleton(parents, rest), parents, offsets.astype(dtype), rotations.astype(dtype))
