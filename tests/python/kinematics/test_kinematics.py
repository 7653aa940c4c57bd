# SPDX-License-Identifier: MIT
"""Forward kinematics and skinning matrices against the float64 reference and against what must always hold."""

from __future__ import annotations

import numpy as np
import pytest
import reference
from hypothesis import given, settings, strategies as st
from random_rigs import assert_close, random_skeleton, random_transforms

import skelkin_py as sk

DTYPES = [np.float32, np.float64]
SIZES = [(1, 1), (2, 1), (7, 3), (24, 1), (65, 2), (200, 1)]  # joints and roots
LEADS = [(), (1,), (5,), (33,), (2, 3), (0,), (3, 0)]


def three_rows(m: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(m[..., :3, :])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("joints", "roots"), SIZES)
def test_forward_kinematics_agrees_with_the_reference(dtype, joints, roots):
    skeleton = random_skeleton(joints, joints, roots)
    for lead in LEADS:
        local = random_transforms(1, *lead, joints, scaled=False).astype(dtype)
        found = sk.forward_kinematics(skeleton, local)
        assert found.dtype == dtype
        assert_close(found, reference.forward_kinematics(skeleton, local))


@pytest.mark.parametrize("dtype", DTYPES)
def test_scale_and_shear_go_down_the_chain(dtype):
    skeleton = sk.Skeleton([-1, 0, 1], random_transforms(2, 3))
    local = random_transforms(3, 9, 3).astype(dtype)
    wide = local.astype(np.float64)
    found = sk.forward_kinematics(skeleton, local)
    assert_close(found[:, 2], wide[:, 0] @ wide[:, 1] @ wide[:, 2])


def test_last_row_of_the_input_is_not_read():
    skeleton = random_skeleton(4)
    local = random_transforms(5, 6, 20)
    odd = local.copy()
    odd[..., 3, :] = np.nan
    expected = sk.forward_kinematics(skeleton, local)
    np.testing.assert_array_equal(sk.forward_kinematics(skeleton, odd), expected)
    np.testing.assert_array_equal(expected[..., 3, :], np.broadcast_to([0, 0, 0, 1], (6, 20, 4)))


@pytest.mark.parametrize("dtype", DTYPES)
def test_three_rows_are_taken_for_four(dtype):
    skeleton = random_skeleton(6)
    local = random_transforms(7, 6, 20).astype(dtype)
    expected = sk.forward_kinematics(skeleton, local)
    np.testing.assert_array_equal(sk.forward_kinematics(skeleton, three_rows(local)), expected)
    np.testing.assert_array_equal(sk.forward_kinematics(skeleton, local[..., :3, :]), expected)


def test_the_rest_pose_gives_rest_global():
    skeleton = random_skeleton(8, 40, 3, scaled=True)
    np.testing.assert_allclose(sk.forward_kinematics(skeleton, skeleton.rest_local), skeleton.rest_global, atol=1e-12)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("joints", "roots"), SIZES)
def test_trs_agrees_with_the_reference(dtype, joints, roots):
    rng = np.random.default_rng(9)
    skeleton = random_skeleton(joints, joints, roots)
    q = rng.normal(size=(4, joints, 4)).astype(dtype)
    t = rng.normal(size=(4, joints, 3)).astype(dtype)
    s = rng.uniform(0.9, 1.1, (4, joints, 3)).astype(dtype)
    for arguments in ((q,), (q, t), (q, None, s), (q, t, s)):
        found = sk.forward_kinematics_trs(skeleton, *arguments)
        assert found.dtype == dtype
        assert_close(found, reference.forward_kinematics_trs(skeleton, *arguments))


def test_trs_is_compose_then_forward_kinematics():
    rng = np.random.default_rng(10)
    skeleton = random_skeleton(11)
    t, q, s = rng.normal(size=(5, 20, 3)), rng.normal(size=(5, 20, 4)), rng.uniform(0.5, 2, (5, 20, 3))
    expected = sk.forward_kinematics(skeleton, sk.compose(t, q, s))
    assert_close(sk.forward_kinematics_trs(skeleton, q, t, s), expected)


def test_trs_broadcasts_each_argument():
    rng = np.random.default_rng(12)
    skeleton = random_skeleton(13)
    t, q, s = rng.normal(size=(20, 3)), rng.normal(size=(5, 1, 20, 4)), rng.uniform(0.5, 2, (3, 20, 3))
    found = sk.forward_kinematics_trs(skeleton, q, t, s)
    assert found.shape == (5, 3, 20, 4, 4)
    np.testing.assert_array_equal(found[4, 2], sk.forward_kinematics_trs(skeleton, q[4, 0], t, s[2]))


@pytest.mark.parametrize("scale", [1e-15, 1e15])
@pytest.mark.parametrize("dtype", DTYPES)
def test_quaternions_of_any_length_are_normalised(dtype, scale):
    skeleton = random_skeleton(14)
    q = np.random.default_rng(15).normal(size=(20, 4)).astype(dtype)
    found = sk.forward_kinematics_trs(skeleton, q * dtype(scale))
    assert_close(found, reference.forward_kinematics_trs(skeleton, q))


@pytest.mark.parametrize("bad", [[0, 0, 0, 0], [np.nan, 0, 0, 1], [1, 0, -np.inf, 0]])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("frames", [9, 70])
def test_a_bad_quaternion_is_named_and_nothing_is_written(bad, dtype, frames):
    skeleton = random_skeleton(16)
    q = np.random.default_rng(17).normal(size=(frames, 20, 4)).astype(dtype)
    q[frames - 2, 13] = bad
    out = np.full((frames, 20, 4, 4), 7, dtype)
    with pytest.raises(ValueError, match=rf"^rotations\[{frames - 2}, 13\] is \[.*\]: .*finite and not zero"):
        sk.forward_kinematics_trs(skeleton, q, out=out)
    assert (out == 7).all()


@pytest.mark.parametrize("dtype", DTYPES)
def test_nan_goes_to_descendants_of_its_own_frame_only(dtype):
    skeleton = random_skeleton(18, 30, 3)
    local = random_transforms(19, 40, 30).astype(dtype)
    expected = sk.forward_kinematics(skeleton, local)
    local[17, 4, 1, 3] = np.nan
    found = sk.forward_kinematics(skeleton, local)
    below = {4}
    for joint, parent in enumerate(skeleton.parents):
        if int(parent) in below:
            below.add(joint)
    others = [joint for joint in range(30) if joint not in below]
    assert others
    np.testing.assert_array_equal(found[17, others], expected[17, others])
    frames = np.delete(np.arange(40), 17)
    np.testing.assert_array_equal(found[frames], expected[frames])
    assert np.isnan(found[17, sorted(below), :3, 3]).any(axis=-1).all()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("lead", LEADS)
def test_skinning_matrices_agree_with_the_reference(dtype, lead):
    skeleton = random_skeleton(20, 30, 3)
    global_ = random_transforms(21, *lead, 30).astype(dtype)
    found = sk.skinning_matrices(skeleton, global_)
    assert found.dtype == dtype
    assert_close(found, reference.skinning_matrices(skeleton, global_))


@pytest.mark.parametrize("dtype", DTYPES)
def test_skinning_matrices_of_the_rest_pose_are_the_identity(dtype):
    skeleton = random_skeleton(22, 30)
    found = sk.skinning_matrices(skeleton, skeleton.rest_global.astype(dtype))
    assert_close(found, np.broadcast_to(np.eye(4), (30, 4, 4)))


@pytest.mark.slow
@given(st.integers(0, 10**6), st.integers(1, 40), st.integers(1, 3), st.integers(0, 9))
@settings(max_examples=30, deadline=None)
def test_forward_kinematics_is_undone_by_the_parents_inverse(seed, joints, roots, frames):
    skeleton = random_skeleton(seed, joints, min(roots, joints))
    local = random_transforms(seed, frames, joints, scaled=False)
    global_ = sk.forward_kinematics(skeleton, local)
    for joint, parent in enumerate(skeleton.parents):
        back = global_[:, joint] if parent < 0 else sk.invert_rigid(global_[:, parent]) @ global_[:, joint]
        np.testing.assert_allclose(back, local[:, joint], atol=1e-12)


@given(st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_moving_the_roots_moves_everything(seed):
    skeleton = random_skeleton(seed, 25, 2)
    local, move = random_transforms(seed, 25), random_transforms(seed + 1, scaled=False)
    moved = local.copy()
    roots = np.asarray(skeleton.parents) < 0
    moved[roots] = move @ local[roots]
    assert_close(sk.forward_kinematics(skeleton, moved), move @ sk.forward_kinematics(skeleton, local))


@given(st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_relabelling_joints_relabels_the_result(seed):
    skeleton = random_skeleton(seed, 25, 2)
    parents = np.asarray(skeleton.parents)
    mixed = np.random.default_rng(seed).permutation(25)
    place = np.argsort(mixed)
    unsorted = np.array([-1 if parents[j] < 0 else place[parents[j]] for j in mixed])
    order = mixed[np.asarray(sk.sort_joints(unsorted))]
    place = np.argsort(order)
    other = sk.Skeleton([-1 if parents[j] < 0 else place[parents[j]] for j in order], skeleton.rest_local[order])
    local = random_transforms(seed, 3, 25)
    found = sk.forward_kinematics(other, local[:, order])
    np.testing.assert_array_equal(found, sk.forward_kinematics(skeleton, local)[:, order])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("size", [1e-4, 1e4])
def test_lengths_scale(dtype, size):
    skeleton = random_skeleton(23)
    local = random_transforms(24, 3, 20).astype(dtype)
    scaled = local.copy()
    scaled[..., :3, 3] *= dtype(size)
    expected = sk.forward_kinematics(skeleton, local).astype(np.float64)
    found = sk.forward_kinematics(skeleton, scaled).astype(np.float64)
    found[..., :3, 3] /= float(dtype(size))
    np.testing.assert_allclose(found, expected, atol=2e-6 * 5 if dtype is np.float32 else 1e-13)
