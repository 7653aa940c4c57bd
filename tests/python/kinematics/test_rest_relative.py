# SPDX-License-Identifier: MIT
"""Rotations and translations relative to the rest pose."""

from __future__ import annotations

import numpy as np
import pytest
import reference

import skelkin_py as sk


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


def star(joints):
    return np.concatenate([[-1], np.zeros(joints - 1, int)])


def chain(joints):
    return np.arange(-1, joints - 1)


@pytest.mark.slow
@pytest.mark.parametrize("axes", ["posed", "rest"])
@pytest.mark.parametrize(("shape", "dtype"), [(star, np.float32), (chain, np.float64)])
def test_as_many_joints_as_there_may_be(shape, dtype, axes):
    """All turn about one axis: rotations are sums of angles, places are sums of turned offsets, as complex numbers."""
    joints = 65_535
    parents = shape(joints)
    rng = np.random.default_rng(7)
    offsets, angles = rng.normal(size=joints) * 0.01 + 0.01j, rng.normal(size=(2, joints)) * 0.01
    rest = np.tile(np.eye(4), (joints, 1, 1))
    rest[:, 0, 3], rest[:, 1, 3] = offsets.real, offsets.imag
    zero = np.zeros_like(angles)
    q = np.stack([np.cos(angles / 2), zero, zero, np.sin(angles / 2)], axis=-1).astype(dtype)

    def summed(steps):
        return steps.cumsum(axis=-1) if shape is chain else steps + np.where(parents < 0, 0, steps[..., :1])

    total = summed(angles)
    turned = offsets * np.where(parents < 0, 1, np.exp(1j * total[:, parents]))
    shift = summed(turned) - np.exp(1j * total) * summed(offsets)
    found = sk.rest_relative(sk.Skeleton(parents, rest), q, axes=axes)
    expected = np.stack([np.cos(total / 2), zero, zero, np.sin(total / 2)], axis=-1)
    tolerance = 1e-6 if dtype == np.float32 else 1e-9
    np.testing.assert_allclose(
        found.rotations, expected * np.sign(np.sum(expected * found.rotations, -1))[..., None], rtol=0, atol=tolerance
    )
    np.testing.assert_allclose(found.translations, np.stack([shift.real, shift.imag, zero], -1), rtol=0, atol=tolerance)


@pytest.mark.parametrize("axes", ["posed", "rest"])
def test_a_million_tiny_poses(axes):
    skeleton, q = make(2, (1000,), np.float32)
    wanted = sk.rest_relative(skeleton, q, axes=axes)
    found = sk.rest_relative(skeleton, np.broadcast_to(q, (1000, 1000, 2, 4)), axes=axes)
    assert found.rotations.shape == (1000, 1000, 2, 4)
    for many, few in zip(found, wanted, strict=True):
        assert (many.view(np.uint32) == few.view(np.uint32)).all()
