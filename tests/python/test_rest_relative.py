# SPDX-License-Identifier: MIT
"""Rotations and translations relative to the rest pose."""

from __future__ import annotations

import numpy as np
import pytest

import skelkin_py as sk
from skelkin_py import reference


def make(joints: int, shape: tuple[int, ...], dtype: type) -> tuple[sk.Skeleton, np.ndarray]:
    rng = np.random.default_rng(joints)
    parents = [-1 if j % 9 == 0 else int(rng.integers(max(0, j - 3), j)) for j in range(joints)]
    rest = np.tile(np.eye(4), (joints, 1, 1))
    rest[:, :3, 3] = rng.normal(size=(joints, 3))
    return sk.Skeleton(parents, rest), rng.normal(size=(*shape, joints, 4)).astype(dtype)


@pytest.mark.parametrize("axes", ["posed", "rest"])
@pytest.mark.parametrize("shape", [(), (1,), (5,), (8,), (17,), (3, 4)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_it_is_that_of_the_reference(axes, shape, dtype):
    skeleton, q = make(31, shape, dtype)
    found = sk.rest_relative(skeleton, q, axes=axes)
    wanted = reference.rest_relative(skeleton, q, axes=axes)
    for array, exact in zip(found, wanted, strict=True):
        assert array.dtype == dtype
        np.testing.assert_allclose(array, exact, rtol=0, atol=2e-5 if dtype == np.float32 else 1e-12)
    lengths = np.linalg.norm(found.rotations.astype(np.float64), axis=-1)
    np.testing.assert_allclose(lengths, 1, rtol=0, atol=3e-7 if dtype == np.float32 else 1e-15)


@pytest.mark.parametrize("axes", ["posed", "rest"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_pose_has_the_same_bits_alone_and_in_a_batch(axes, dtype):
    skeleton, q = make(12, (21,), dtype)
    batch = sk.rest_relative(skeleton, q, axes=axes)
    ones = [sk.rest_relative(skeleton, pose, axes=axes) for pose in q]
    assert all(np.stack(arrays).tobytes() == whole.tobytes() for arrays, whole in zip(zip(*ones), batch, strict=True))
    backward = sk.rest_relative(skeleton, q[::-2], axes=axes)
    assert backward.rotations.tobytes() == np.ascontiguousarray(batch.rotations[::-2]).tobytes()


def test_axes_of_the_rest_pose_are_forward_kinematics():
    skeleton, q = make(17, (4,), np.float64)
    motion = sk.rest_relative(skeleton, q, axes="rest")
    matrices = sk.skinning_matrices(skeleton, sk.forward_kinematics_trs(skeleton, q))
    point = np.array([0.3, -2, 5])
    moved = sk.quaternion_rotate(motion.rotations, point) + motion.translations
    np.testing.assert_allclose(moved, matrices[..., :3, :3] @ point + matrices[..., :3, 3], atol=1e-12)


@pytest.mark.parametrize("axes", ["posed", "rest"])
def test_the_identity_leaves_the_rest_pose_as_it_is(axes):
    skeleton, _ = make(9, (), np.float64)
    motion = sk.rest_relative(skeleton, np.tile([2.0, 0, 0, 0], (9, 1)), axes=axes)
    assert (motion.rotations == [1, 0, 0, 0]).all()
    assert (motion.translations == 0).all()


def test_the_output_may_be_given_and_may_lie_over_the_input():
    skeleton, q = make(9, (13,), np.float32)
    wanted = sk.rest_relative(skeleton, q)
    out = sk.RestRelative(q, np.full((13, 9, 3), 7, np.float32))
    found = sk.rest_relative(skeleton, q, out=out)
    assert found.rotations is out.rotations
    assert found.translations is out.translations
    assert out.rotations.tobytes() == wanted.rotations.tobytes()
    assert out.translations.tobytes() == wanted.translations.tobytes()


def test_bad_input_is_named_and_nothing_is_written():
    skeleton, q = make(9, (20,), np.float64)
    q[13, 5] = [0, np.nan, 0, 1]
    out = (np.full((20, 9, 4), 7.0), np.full((20, 9, 3), 7.0))
    with pytest.raises(ValueError, match=r"^rotations\[13, 5\] is \[0, nan, 0, 1\]: a quaternion must be finite"):
        sk.rest_relative(skeleton, q, out=out)
    assert (out[0] == 7).all()
    assert (out[1] == 7).all()
    with pytest.raises(ValueError, match=r"^axes is 'world': expected 'posed' or 'rest'"):
        sk.rest_relative(skeleton, q, axes="world")
    with pytest.raises(TypeError, match=r"^out must be a tuple of two arrays"):
        sk.rest_relative(skeleton, q, out=out[0])
    with pytest.raises(ValueError, match=r"^out.translations has shape"):
        sk.rest_relative(skeleton, np.ones((20, 9, 4)), out=(out[0], out[0]))
