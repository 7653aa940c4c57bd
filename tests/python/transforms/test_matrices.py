# SPDX-License-Identifier: MIT
"""Compose, decompose, inverses and changes of basis against plain matrix products."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest

import skelkin_py as sk

TOLERANCE = {np.float32: 2e-5, np.float64: 5e-14}


def random_trs(seed: int, *shape: int, dtype: type = np.float64) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    scales = rng.uniform(0.3, 3, (*shape, 3))
    return tuple(a.astype(dtype) for a in (rng.normal(size=(*shape, 3)), rng.normal(size=(*shape, 4)), scales))


def homogeneous(linear: np.ndarray, translation: np.ndarray) -> np.ndarray:
    m = np.zeros((*linear.shape[:-2], 4, 4))
    m[..., :3, :3], m[..., :3, 3], m[..., 3, 3] = linear, translation, 1
    return m


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_compose_is_translation_times_rotation_times_scale(dtype):
    t, q, s = random_trs(1, 4, 5, dtype=dtype)
    found = sk.compose(t, q, s)
    assert found.dtype == dtype
    wide = [a.astype(np.float64) for a in (t, q, s)]
    expected = homogeneous(sk.quaternion_to_matrix(wide[1]) * wide[2][..., None, :], wide[0])
    np.testing.assert_allclose(found, expected, atol=TOLERANCE[dtype])
    np.testing.assert_array_equal(found[..., 3, :], np.broadcast_to([0, 0, 0, 1], (4, 5, 4)))


def test_compose_by_hand():
    c = math.sqrt(0.5)
    found = sk.compose([1, 2, 3], [math.cos(math.pi / 8), 0, 0, math.sin(math.pi / 8)], [2, 4, 8])
    expected = [[2 * c, -4 * c, 0, 1], [2 * c, 4 * c, 0, 2], [0, 0, 8, 3], [0, 0, 0, 1]]
    np.testing.assert_allclose(found, expected, atol=1e-15)


def test_compose_broadcasts_each_argument():
    t, q, s = random_trs(2, 6)
    found = sk.compose(t[:, None], q[0], s[:3])
    assert found.shape == (6, 3, 4, 4)
    np.testing.assert_array_equal(found[4, 2], sk.compose(t[4], q[0], s[2]))
    np.testing.assert_array_equal(sk.compose(t, q, 2.0), sk.compose(t, q, [2, 2, 2]))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_decompose_gives_back_what_was_composed(dtype):
    t, q, s = random_trs(3, 300, dtype=dtype)
    found_t, found_q, found_s = sk.decompose(sk.compose(t, q, s))
    assert found_t.dtype == found_q.dtype == found_s.dtype == dtype
    np.testing.assert_array_equal(found_t, t)
    np.testing.assert_allclose(found_s, s, rtol=TOLERANCE[dtype])
    np.testing.assert_allclose(sk.quaternion_to_matrix(found_q), sk.quaternion_to_matrix(q), atol=TOLERANCE[dtype])
    assert (found_q[..., 0] >= 0).all()


@pytest.mark.parametrize("signs", [(-1, 1, 1), (1, -1, 1), (1, 1, -1), (-1, -1, -1)])
def test_a_mirror_image_negates_all_three_scales(signs):
    t, q, s = random_trs(4, 30)
    m = sk.compose(t, q, s * signs)
    found_t, found_q, found_s = sk.decompose(m)
    assert (found_s < 0).all()
    np.testing.assert_allclose(np.abs(found_s), s, rtol=1e-13)
    np.testing.assert_allclose(sk.compose(found_t, found_q, found_s), m, atol=1e-13)


def test_two_negative_scales_are_half_a_turn():
    m = sk.compose([0, 0, 0], [1, 0, 0, 0], [-1, -1, 2])
    _, q, s = sk.decompose(m)
    np.testing.assert_allclose(s, [1, 1, 2])
    np.testing.assert_allclose(q, [0, 0, 0, 1], atol=1e-15)


@pytest.mark.parametrize("mirror", [1.0, -1.0])
def test_shear_completes_the_matrix(mirror):
    linear = np.random.default_rng(5).normal(size=(200, 3, 3))
    linear *= (mirror * np.sign(np.linalg.det(linear)))[:, None, None]
    m = homogeneous(linear, np.zeros((200, 3)))
    _, q, s, shear = sk.decompose(m, return_shear=True)
    np.testing.assert_allclose(sk.quaternion_to_matrix(q) @ shear * s[:, None, :], linear, atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(shear, axis=-2), 1, atol=1e-12)


def test_shear_without_any_is_the_identity():
    shear = sk.decompose(sk.compose(*random_trs(6, 50)), return_shear=True)[3]
    np.testing.assert_allclose(shear, np.broadcast_to(np.eye(3), (50, 3, 3)), atol=1e-13)


@pytest.mark.parametrize("zeros", [(0,), (1,), (2,), (0, 1), (1, 2), (0, 2), (0, 1, 2)])
def test_columns_of_length_zero_keep_a_rotation(zeros):
    t, q, s = random_trs(7, 20)
    s[:, list(zeros)] = 0
    m = sk.compose(t, q, s)
    found_t, found_q, found_s = sk.decompose(m)
    np.testing.assert_allclose(np.linalg.norm(found_q, axis=-1), 1, atol=1e-14)
    np.testing.assert_allclose(sk.compose(found_t, found_q, found_s), m, atol=1e-13)
    np.testing.assert_allclose(found_s, s, atol=1e-13)
    if len(zeros) == 1:
        np.testing.assert_allclose(sk.quaternion_to_matrix(found_q), sk.quaternion_to_matrix(q), atol=1e-13)


def test_nothing_but_zeros_decomposes_to_the_identity():
    t, q, s = sk.decompose(np.zeros((4, 4)))
    assert q.tolist() == [1, 0, 0, 0]
    assert s.tolist() == t.tolist() == [0, 0, 0]


def test_decompose_keeps_nan_in_its_matrix():
    m = sk.compose(*random_trs(8, 3))
    expected = sk.decompose(m)
    m[1, 2, 1] = np.nan
    for found, whole in zip(sk.decompose(m), expected):
        np.testing.assert_array_equal(found[[0, 2]], whole[[0, 2]])
    assert np.isnan(sk.decompose(m)[1][1]).all()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("function", [sk.invert, sk.invert_rigid, sk.invert_trs])
def test_inverse_times_matrix_is_the_identity(dtype, function):
    t, q, s = random_trs(9, 3, 40, dtype=dtype)
    m = sk.compose(t, q, None if function is sk.invert_rigid else s)
    found = function(m)
    assert found.dtype == dtype
    np.testing.assert_allclose(found @ m, np.broadcast_to(np.eye(4), m.shape), atol=TOLERANCE[dtype])
    np.testing.assert_array_equal(function(m[..., :3, :]), found[..., :3, :])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_invert_trs_keeps_scales_that_lie_far_apart(dtype):
    far = 1e-25 if dtype == np.float32 else 1e-200
    m = sk.compose([[1, 2, 3]] * 2, [[1, 2, 3, 4]] * 2, [[far, 1, -1 / far], [0.5, -2, 4]]).astype(dtype)
    found = sk.invert_trs(m)
    linear = m[:, :3, :3].astype(np.float64)
    largest = np.abs(linear).max(axis=1, keepdims=True)
    rows = linear / largest
    rows /= np.sum(rows * rows, axis=1, keepdims=True) * largest
    np.testing.assert_allclose(found[:, :3, :3], rows.swapaxes(1, 2), rtol=TOLERANCE[dtype])
    m[1, 0, 0] = np.nan
    assert np.isnan(sk.invert_trs(m)[1, 0, :3]).all()
    np.testing.assert_array_equal(sk.invert_trs(m)[0], found[0])
    with pytest.raises(ValueError, match=r"^matrices\[1\] is .*: a singular matrix has no inverse$"):
        sk.invert_trs(sk.compose([0, 0, 0], [1, 0, 0, 0], [[1, 1, 1], [1, 0, 1]]))


def test_invert_takes_shear():
    linear = np.random.default_rng(10).normal(size=(50, 3, 3))
    m = homogeneous(linear, np.random.default_rng(11).normal(size=(50, 3)))
    np.testing.assert_allclose(sk.invert(m), np.linalg.inv(m), rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize(("dtype", "scale"), [(np.float32, 1e-15), (np.float32, 1e15), (np.float64, 1e-120)])
def test_invert_where_the_determinant_leaves_the_range(dtype, scale):
    t, q, _ = random_trs(12, 5, dtype=dtype)
    m = sk.compose(t * dtype(scale), q, dtype(scale))
    m[2] = sk.compose(t[2], q[2])
    expected = np.linalg.inv(m.astype(np.float64))
    for found, whole in zip(sk.invert(m), expected):
        size = np.abs(whole[:3, :3]).max()
        np.testing.assert_allclose(found[:3, :3] / size, whole[:3, :3] / size, atol=1e-6)
        np.testing.assert_allclose(found[:3, 3], whole[:3, 3], atol=1e-5)


def test_a_singular_matrix_is_named():
    m = np.broadcast_to(np.eye(4), (2, 3, 4, 4)).copy()
    m[1, 2, 1, 1] = 0
    with pytest.raises(ValueError, match=r"^matrices\[1, 2\] is \[.*\]: a singular matrix has no inverse$"):
        sk.invert(m)
    with pytest.raises(ValueError, match=r"^matrices is \[.*\]: a singular matrix has no inverse$"):
        sk.invert(np.zeros((4, 4)))


def test_invert_passes_nan_on():
    m = np.broadcast_to(np.eye(4), (3, 4, 4)).copy()
    m[1, 0, 0] = np.nan
    found = sk.invert(m)
    np.testing.assert_array_equal(found[[0, 2]], m[[0, 2]])
    assert np.isnan(found[1]).any()
    np.testing.assert_array_equal(found[1, 3], [0, 0, 0, 1])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_change_of_basis_is_conjugation(dtype):
    m, a, b = (sk.compose(*random_trs(seed, 6, dtype=dtype)) for seed in (13, 14, 15))
    found = sk.change_basis(m, a[0], b)
    assert found.dtype == dtype
    m, a, b = (x.astype(np.float64) for x in (m, a, b))
    x = np.linalg.inv(b) @ a[0]
    np.testing.assert_allclose(found, x @ m @ np.linalg.inv(x), atol=TOLERANCE[dtype] * 50)
    np.testing.assert_array_equal(sk.change_basis(m[:, :3], a[0], b), sk.change_basis(m, a[0], b)[:, :3])


def test_points_change_basis_as_the_transforms_that_move_them():
    m, a, b = (sk.compose(*random_trs(seed, 6)) for seed in (16, 17, 18))
    p = np.random.default_rng(19).normal(size=(6, 3))
    moved = np.einsum("nij,nj->ni", m[:, :3, :3], p) + m[:, :3, 3]
    changed = sk.change_basis(m, a, b)
    q = sk.change_basis_points(p, a, b)
    expected = np.einsum("nij,nj->ni", changed[:, :3, :3], q) + changed[:, :3, 3]
    np.testing.assert_allclose(sk.change_basis_points(moved, a, b), expected, atol=1e-11)


def test_a_point_of_the_office_seen_from_the_door():
    """The worked example of the literature: the office's basis, written in that of the door."""
    office = np.array([[0.0, 0, 1, 9], [0, 1, 0, 4], [-1, 0, 0, 28], [0, 0, 0, 1]])
    np.testing.assert_array_equal(sk.change_basis_points([-2, -4, -10], office, np.eye(4)), [-1, 0, 30])
    np.testing.assert_array_equal(sk.change_basis_points([-1, 0, 30], np.eye(4), office), [-2, -4, -10])


def test_change_of_basis_there_and_back_is_nothing():
    m, a, b = (sk.compose(*random_trs(seed, 6)) for seed in (20, 21, 22))
    np.testing.assert_allclose(sk.change_basis(sk.change_basis(m, a, b), b, a), m, atol=1e-12)
    p = np.random.default_rng(23).normal(size=(6, 3))
    np.testing.assert_allclose(sk.change_basis_points(sk.change_basis_points(p, a, b), b, a), p, atol=1e-13)


def test_points_broadcast_against_bases():
    a, b = sk.compose(*random_trs(24, 5, 1)), np.eye(4)
    p = np.random.default_rng(25).normal(size=(7, 3))
    found = sk.change_basis_points(p, a, b)
    assert found.shape == (5, 7, 3)
    np.testing.assert_allclose(found[3], p @ a[3, 0, :3, :3].T + a[3, 0, :3, 3], atol=1e-14)


@pytest.mark.parametrize("name", ["from_basis", "to_basis"])
def test_a_basis_without_inverse_is_named(name):
    bases = {"from_basis": np.eye(4), "to_basis": np.eye(4), name: np.zeros((4, 4))}
    with pytest.raises(ValueError, match=rf"^{name} is \[.*\]: a singular matrix has no inverse$"):
        sk.change_basis(np.eye(4), **bases)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sk.compose(np.zeros(4), [1, 0, 0, 0]), r"^translations has shape \(4,\): expected \(\.\.\., 3\)$"),
        (lambda: sk.compose([0, 0, 0], [1, 0, 0]), r"^rotations has shape \(3,\): expected \(\.\.\., 4\)$"),
        (lambda: sk.compose([0, 0, 0], [1, 0, 0, 0], [1, 1]), r"^scales has shape \(2,\): expected \(\.\.\., 3\)$"),
        (lambda: sk.invert(np.eye(3)), r"^matrices has shape \(3, 3\): expected \(\.\.\., 4, 4\)$"),
        (
            lambda: sk.compose(np.zeros((2, 3)), np.ones((3, 4))),
            r"^leading dimensions do not broadcast: translations has \(2,\), rotations has \(3,\)$",
        ),
    ],
)
def test_shapes_that_do_not_fit_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_lists_of_unequal_length_are_refused():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # numpy before 1.24 warns where later ones raise
        with pytest.raises((TypeError, ValueError), match=r"^matrices "):
            sk.invert([[1, 2], [3]])


def test_text_is_refused():
    with pytest.raises(TypeError, match=r"^translations has dtype <U1: float32, float64 or an integer type is needed$"):
        sk.compose(["a", "b", "c"], [1, 0, 0, 0])


def test_any_strides_are_read():
    t, q, s = random_trs(26, 8, 6)
    m = sk.compose(t, q, s)
    wide = np.zeros((16, 4, 6, 4))
    view = wide[::-2].transpose(0, 2, 3, 1)
    view[...] = m
    assert not view.flags.c_contiguous
    np.testing.assert_array_equal(sk.invert(view), sk.invert(m))
    np.testing.assert_array_equal(sk.decompose(view)[1], sk.decompose(m)[1])
