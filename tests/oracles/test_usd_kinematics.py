# SPDX-License-Identifier: MIT
"""Global matrices against UsdSkel's ConcatJointTransforms, which is in double: 1e-12 of the largest number."""

from __future__ import annotations

import numpy as np
import pytest
import usd_arrays
from random_rigs import assert_close, random_parents, random_transforms

import skelkin_py as sk


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("scaled", [False, True])
@pytest.mark.parametrize(("joints", "roots"), [(1, 1), (2, 2), (24, 1), (65, 3), (200, 1)])
def test_forward_kinematics(joints: int, roots: int, scaled: bool, dtype: type) -> None:
    parents = random_parents(joints, joints, roots)
    skeleton = sk.Skeleton(parents, random_transforms(1, joints))
    poses = random_transforms(2, 5, joints, scaled=scaled).astype(dtype)
    expected = np.stack([usd_arrays.global_matrices(parents, pose) for pose in poses])
    assert_close(sk.forward_kinematics(skeleton, poses), expected)


def test_forward_kinematics_trs() -> None:
    rng = np.random.default_rng(3)
    parents = random_parents(3, 65, 2)
    skeleton = sk.Skeleton(parents, random_transforms(3, 65))
    t, q, s = rng.normal(size=(4, 65, 3)), rng.normal(size=(4, 65, 4)), rng.uniform(0.8, 1.25, (4, 65, 3))
    q /= np.linalg.norm(q, axis=-1, keepdims=True)
    expected = np.stack([usd_arrays.global_matrices(parents, usd_arrays.local_matrices(*x)) for x in zip(t, q, s)])
    assert_close(sk.forward_kinematics_trs(skeleton, q, t, s), expected)
