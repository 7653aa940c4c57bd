# SPDX-License-Identifier: MIT
"""From one joint's frame to another's: against the reference, along every kind of path, and what it never reads."""

from __future__ import annotations

import numpy as np
import pytest
import reference
from hypothesis import given, settings, strategies as st
from random_rigs import random_skeleton, random_transforms

import skelkin_py as sk

JOINTS = 24
SKELETON = random_skeleton(1, JOINTS, 2)
joints = st.integers(0, JOINTS - 1)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.integers(0, 99), joints, joints, st.sampled_from([(), (1,), (3, 5), (131,)]))
def test_it_is_inverse_global_times_global(seed, start, end, lead):
    local = random_transforms(seed, *lead, JOINTS)
    wanted = reference.relative_transform(SKELETON, local, start, end)
    found = sk.relative_transform(SKELETON, local, start, end)
    assert found.shape == (*lead, 4, 4)
    size = np.abs(np.linalg.inv(found)).max(initial=1) * np.abs(found).max(initial=1)
    np.testing.assert_allclose(found, wanted, atol=1e-13 * size)
    narrow = sk.relative_transform(SKELETON, local.astype(np.float32), start, end)
    assert narrow.dtype == np.float32
    np.testing.assert_allclose(narrow, wanted, atol=3e-6 * size)


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(st.integers(0, 99), joints, joints, joints)
def test_paths_join(seed, a, b, c):
    local = random_transforms(seed, JOINTS)
    step = sk.relative_transform(SKELETON, local, b, c) @ sk.relative_transform(SKELETON, local, a, b)
    direct = sk.relative_transform(SKELETON, local, a, c)
    np.testing.assert_allclose(step, direct, rtol=1e-8, atol=1e-8 * np.abs(step).max())


def test_a_joint_sees_itself_as_the_identity():
    found = sk.relative_transform(SKELETON, random_transforms(2, 3, JOINTS), 7, 7)
    np.testing.assert_array_equal(found, np.broadcast_to(np.eye(4), (3, 4, 4)))


def test_what_both_joints_share_is_never_read():
    """A root at 1e8 costs no digits; one that is no number, nothing at all."""
    rest = random_transforms(3, 5)
    skeleton = sk.Skeleton([-1, 0, 1, 1, 3], rest)
    near = sk.relative_transform(skeleton, rest, 2, 4)
    for value in (1e8, np.nan):
        moved = rest.copy()
        moved[:2, :3, 3] = value
        np.testing.assert_array_equal(sk.relative_transform(skeleton, moved, 2, 4), near)


def test_a_singular_ancestor_of_both_is_no_error():
    rest = random_transforms(4, 3)
    skeleton = sk.Skeleton([-1, 0, 0], rest)
    pose = rest.copy()
    pose[0] = 0
    np.testing.assert_array_equal(
        sk.relative_transform(skeleton, pose, 1, 2), sk.relative_transform(skeleton, rest, 1, 2)
    )


def test_joints_by_name():
    skeleton = sk.Skeleton([-1, 0, 0], random_transforms(5, 3), ["hips", "left", "right"])
    by_name = sk.relative_transform(skeleton, skeleton.rest_local, "left", "right")
    np.testing.assert_array_equal(by_name, sk.relative_transform(skeleton, skeleton.rest_local, 1, np.int64(2)))


@pytest.mark.parametrize(
    ("start", "end", "error", "message"),
    [
        (JOINTS, 0, ValueError, rf"^from_joint is {JOINTS}: there is no joint of this number$"),
        (0, -1, ValueError, "^to_joint is -1: "),
        ("nobody", 0, ValueError, "^from_joint: no joint is called 'nobody'"),
        (0, 1.5, TypeError, "^to_joint is 1.5: a joint is given by its number or name$"),
        (None, 1, TypeError, "^from_joint is None: "),
    ],
)
def test_a_joint_that_is_not_there_is_named(start, end, error, message):
    with pytest.raises(error, match=message):
        sk.relative_transform(SKELETON, random_transforms(6, JOINTS), start, end)


def test_a_joint_without_inverse_on_the_way_down_is_named_and_nothing_is_written():
    rest = random_transforms(7, 4)
    skeleton = sk.Skeleton([-1, 0, 0, 2], rest)
    pose = np.stack([rest] * 6).reshape(2, 3, 4, 4, 4)
    pose[1, 2, 2, :3, :3] = 0
    out = np.full((2, 3, 4, 4), 7.0)
    with pytest.raises(ValueError, match=r"^local\[1, 2, 2\] is \[.*\]: a singular matrix has no inverse$"):
        sk.relative_transform(skeleton, pose, 1, 3, out=out)
    assert (out == 7).all()
    assert np.isfinite(sk.relative_transform(skeleton, pose, 3, 1)).all()  # on the way up it may be singular


def test_out_and_rows_and_strides():
    local = random_transforms(8, 6, JOINTS)
    wanted = sk.relative_transform(SKELETON, local, 20, 11)
    out = np.empty((6, 3, 4))
    assert sk.relative_transform(SKELETON, local[..., :3, :], 20, 11, out=out) is out
    np.testing.assert_array_equal(out, wanted[:, :3])
    view = np.empty((12, 4, 4))[::-2]
    sk.relative_transform(SKELETON, local, 20, 11, out=view)
    np.testing.assert_array_equal(view, wanted)
    np.testing.assert_array_equal(sk.relative_transform(SKELETON, local[::-1], 20, 11), wanted[::-1])
    inside = local.copy()
    sk.relative_transform(SKELETON, inside, 20, 11, out=inside[:, 20])
    np.testing.assert_array_equal(inside[:, 20], wanted)


def test_threads_give_the_bits_of_one_thread():
    local = random_transforms(9, 3000, JOINTS)
    whole = sk.relative_transform(SKELETON, local, 20, 11)
    before = sk.get_num_threads()
    try:
        sk.set_num_threads(2)
        np.testing.assert_array_equal(sk.relative_transform(SKELETON, local, 20, 11), whole)
    finally:
        sk.set_num_threads(before)
