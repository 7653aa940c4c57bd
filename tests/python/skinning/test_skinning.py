# SPDX-License-Identifier: MIT
"""Linear skinning against the float64 reference and against what must always hold."""

from __future__ import annotations

import numpy as np
import pytest
import reference
from hypothesis import given, settings, strategies as st
from random_rigs import assert_close, random_transforms, random_weights

import skelkin_py as sk

DTYPES = [np.float32, np.float64]


def problem(seed, vertices, influences, joints, lead=(), dtype=np.float64):
    points = np.random.default_rng(seed).normal(size=(vertices, 3)).astype(dtype)
    skin = sk.SkinWeights(*random_weights(seed, vertices, influences, joints), joints)
    return points, skin, random_transforms(seed, *lead, joints).astype(dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("influences", [1, 4, 9])
@pytest.mark.parametrize("lead", [(), (1,), (5,), (2, 3), (0,)])
def test_agrees_with_the_reference(dtype, influences, lead):
    for vertices in (0, 1, 3, 7, 8, 9, 64, 257):
        points, skin, matrices = problem(1, vertices, influences, 6, lead, dtype)
        found = sk.skin_points(points, skin, matrices)
        assert found.dtype == dtype
        assert_close(found, reference.skin_points(points, skin, matrices))


def test_by_hand():
    matrices = np.stack([np.eye(4), sk.compose([4, 0, 0], [1, 0, 0, 0], 3)])
    skin = sk.SkinWeights([[0, 1]], [[0.25, 0.75]], 2)
    np.testing.assert_array_equal(sk.skin_points([[1.0, 2, 4]], skin, matrices), [[5.5, 5, 10]])


@pytest.mark.parametrize("dtype", DTYPES)
def test_points_per_frame(dtype):
    points, skin, matrices = problem(2, 50, 4, 6, (7,), dtype)
    moving = points + np.arange(7, dtype=dtype)[:, None, None]
    assert_close(sk.skin_points(moving, skin, matrices), reference.skin_points(moving, skin, matrices))
    assert_close(sk.skin_points(moving, skin, matrices[0]), reference.skin_points(moving, skin, matrices[0]))


@pytest.mark.parametrize("dtype", DTYPES)
def test_three_rows_are_taken_for_four(dtype):
    points, skin, matrices = problem(3, 50, 4, 6, (7,), dtype)
    expected = sk.skin_points(points, skin, matrices)
    np.testing.assert_array_equal(sk.skin_points(points, skin, matrices[..., :3, :]), expected)
    np.testing.assert_array_equal(sk.skin_points(points, skin, np.ascontiguousarray(matrices[..., :3, :])), expected)


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_vertex_without_weight_stays(dtype):
    points = np.array([[1, 2, 3], [4, 5, 6]], dtype)
    skin = sk.SkinWeights([[0, 0], [0, 0]], [[0, 0], [1, 0]], 1)
    found = sk.skin_points(points, skin, sk.compose([10, 0, 0], [1, 0, 0, 0])[None].astype(dtype))
    np.testing.assert_array_equal(found, [[1, 2, 3], [14, 5, 6]])


@pytest.mark.parametrize("dtype", DTYPES)
def test_an_influence_of_weight_zero_never_touches_its_joint(dtype):
    points, _, matrices = problem(4, 40, 1, 3, (9,), dtype)
    matrices[:, 2] = np.nan
    indices = np.tile([0, 2, 1, 2], (40, 1))
    skin = sk.SkinWeights(indices, np.tile([0.5, 0.0, 0.5, -0.0], (40, 1)), 3)
    assert np.isfinite(sk.skin_points(points, skin, matrices)).all()


@pytest.mark.parametrize("dtype", DTYPES)
def test_nan_in_a_matrix_reaches_its_vertices_only(dtype):
    points, _, matrices = problem(5, 60, 1, 4, (9,), dtype)
    indices = np.stack([np.arange(60) % 4, (np.arange(60) + 1) % 4], axis=1)
    skin = sk.SkinWeights(indices, np.full((60, 2), 0.5), 4)
    expected = sk.skin_points(points, skin, matrices)
    matrices[5, 3, 0, 0] = np.nan
    found = sk.skin_points(points, skin, matrices)
    touched = (indices == 3).any(axis=1)
    np.testing.assert_array_equal(found[5, ~touched], expected[5, ~touched])
    np.testing.assert_array_equal(np.delete(found, 5, axis=0), np.delete(expected, 5, axis=0))
    assert np.isnan(found[5, touched, 0]).all()
    assert np.isfinite(found[5, touched, 1:]).all()


@pytest.mark.parametrize("dtype", DTYPES)
def test_nan_in_a_point_stays_there(dtype):
    points, skin, matrices = problem(6, 60, 4, 4, (9,), dtype)
    expected = sk.skin_points(points, skin, matrices)
    points[33, 1] = np.nan
    found = sk.skin_points(points, skin, matrices)
    np.testing.assert_array_equal(np.delete(found, 33, axis=1), np.delete(expected, 33, axis=1))
    assert np.isnan(found[:, 33]).all()


def test_repeated_joints_add_up():
    points, _, matrices = problem(7, 1, 1, 2)
    twice = sk.SkinWeights([[1, 1]], [[0.25, 0.75]], 2)
    once = sk.SkinWeights([[1]], [[1.0]], 2)
    assert_close(sk.skin_points(points, twice, matrices), sk.skin_points(points, once, matrices))


@given(st.integers(0, 10**6), st.sampled_from(DTYPES))
@settings(max_examples=20, deadline=None)
def test_moving_all_matrices_moves_the_points(seed, dtype):
    points, skin, matrices = problem(seed, 30, 4, 5, (), np.float64)
    move = random_transforms(seed + 1, scaled=False)
    found = sk.skin_points(points.astype(dtype), skin, (move @ matrices).astype(dtype))
    still = sk.skin_points(points, skin, matrices)
    assert_close(found, still @ move[:3, :3].T + move[:3, 3])


@pytest.mark.slow
@given(st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_order_of_influences_and_names_of_joints_do_not_matter(seed):
    points, skin, matrices = problem(seed, 30, 5, 6)
    rng = np.random.default_rng(seed)
    columns, joints = rng.permutation(5), rng.permutation(6)
    relabelled = sk.SkinWeights(np.argsort(joints)[np.asarray(skin.indices)][:, columns], skin.weights[:, columns], 6)
    assert_close(sk.skin_points(points, relabelled, matrices[joints]), sk.skin_points(points, skin, matrices))


@given(st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_order_of_vertices_does_not_matter(seed):
    points, skin, matrices = problem(seed, 40, 4, 6, (3,), np.float32)
    mixed = np.random.default_rng(seed).permutation(40)
    other = sk.SkinWeights(skin.indices[mixed], skin.weights[mixed], 6)
    found = sk.skin_points(points[mixed], other, matrices)
    np.testing.assert_array_equal(found, sk.skin_points(points, skin, matrices)[:, mixed])


@pytest.mark.parametrize("dtype", DTYPES)
def test_results_do_not_depend_on_how_the_mesh_or_the_batch_is_cut(dtype):
    points, skin, matrices = problem(8, 100, 4, 6, (11,), dtype)
    whole = sk.skin_points(points, skin, matrices)
    for first, last in [(0, 1), (0, 13), (37, 100), (99, 100)]:
        part = sk.SkinWeights(skin.indices[first:last], skin.weights[first:last], 6)
        found = sk.skin_points(points[first:last], part, matrices)
        np.testing.assert_array_equal(found, whole[:, first:last])
    for frame in range(11):
        np.testing.assert_array_equal(sk.skin_points(points, skin, matrices[frame]), whole[frame])


def test_an_unknown_method_is_an_error():
    points, skin, matrices = problem(9, 3, 2, 2)
    with pytest.raises(ValueError, match=r"method.*'cubic'"):
        sk.skin_points(points, skin, matrices, method="cubic")
