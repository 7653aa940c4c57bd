# SPDX-License-Identifier: MIT
"""Dual-quaternion skinning: rigid motions, the choice of signs, scale and shear, and the hard cases."""

from __future__ import annotations

import numpy as np
import pytest
import reference
from hypothesis import given, settings, strategies as st
from random_rigs import assert_close, calm_transforms, random_transforms, random_weights

import skelkin_py as sk

both_dtypes = pytest.mark.parametrize("dtype", [np.float32, np.float64])


def dual(points, skin, matrices, **options):
    return sk.skin_points(points, skin, matrices, method="dual_quaternion", **options)


def problem(seed, vertices=40, influences=4, joints=6, lead=(), dtype=np.float64):
    points = np.random.default_rng(seed).normal(size=(vertices, 3)).astype(dtype)
    skin = sk.SkinWeights(*random_weights(seed, vertices, influences, joints), joints)
    return points, skin, calm_transforms(seed, *lead, joints).astype(dtype)


def turn_about_x(angle):
    return sk.compose([0, 0, 0], sk.quaternion_from_axis_angle([1.0, 0, 0], angle))


@both_dtypes
def test_one_influence_is_its_matrix(dtype):
    points, _, _ = problem(1, 9, dtype=dtype)
    matrices = random_transforms(2, 5, 9)
    matrices[:, ::2, :3, 0] *= -1  # mirrored
    matrices[..., :3, :3] = matrices[..., :3, :3] @ random_transforms(3, 5, 9)[..., :3, :3]  # sheared
    matrices = matrices.astype(dtype)
    skin = sk.SkinWeights(np.arange(9)[:, None], np.ones((9, 1)), 9)
    expected = (
        np.einsum("fvij,vj->fvi", matrices[..., :3, :3].astype(float), points.astype(float)) + matrices[..., :3, 3]
    )
    assert_close(dual(points, skin, matrices), expected)


@both_dtypes
@pytest.mark.parametrize("angle", [0.3, 1.5, 3.0, np.pi, 3.3, 4.0])
def test_half_of_a_turn_is_half_of_it_the_shorter_way(dtype, angle):
    skin = sk.SkinWeights([[0, 1]], [[0.5, 0.5]], 2)
    found = dual(np.array([[0, 1, 0]], dtype), skin, np.stack([np.eye(4), turn_about_x(angle)]).astype(dtype))
    half = angle / 2 if angle < np.pi else angle / 2 - np.pi
    if angle != np.pi:  # there both ways are equally short
        assert_close(found, np.array([[0, np.cos(half), np.sin(half)]]))
    np.testing.assert_allclose(np.linalg.norm(found), 1, atol=1e-6)


@pytest.mark.slow
@given(st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_rigid_joints_make_rigid_vertices(seed):
    """Points that share their weights keep their distances: what moves them is a rigid motion."""
    points, _, _ = problem(seed, 20)
    indices, weights = random_weights(seed, 1, 5, 6)
    skin = sk.SkinWeights(np.repeat(indices, 20, axis=0), np.repeat(weights, 20, axis=0), 6)
    found = dual(points, skin, random_transforms(seed, 6, scaled=False))
    before, after = (np.linalg.norm(each[:, None] - each[None], axis=-1) for each in (points, found))
    np.testing.assert_allclose(after, before, atol=1e-11)


@given(st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_order_of_influences_and_names_of_joints_do_not_matter(seed):
    """With any rotations, also where signs have to be chosen."""
    points, skin, _ = problem(seed, 30, 5, 6)
    matrices = random_transforms(seed, 6)
    rng = np.random.default_rng(seed)
    columns, joints = rng.permutation(5), rng.permutation(6)
    other = sk.SkinWeights(np.argsort(joints)[np.asarray(skin.indices)][:, columns], skin.weights[:, columns], 6)
    np.testing.assert_allclose(dual(points, other, matrices[joints]), dual(points, skin, matrices), atol=1e-10)


def test_of_equal_weights_the_lowest_joint_chooses_the_signs():
    """Three turns by 0, 130 and 260 degrees about x: who is taken as the first decides where the blend lies."""
    matrices = np.stack([turn_about_x(np.radians(angle)) for angle in (0, 130, 260)])
    third = 1 / 3
    for order in ([0, 1, 2], [2, 1, 0], [1, 2, 0]):
        skin = sk.SkinWeights([order], [[third] * 3], 3)
        found = dual([[0.0, 1, 0]], skin, matrices)
        np.testing.assert_allclose(
            found, reference.skin_points([[0.0, 1, 0]], skin, matrices, method="dual_quaternion"), atol=1e-12
        )
        np.testing.assert_allclose(
            found, dual([[0.0, 1, 0]], sk.SkinWeights([[0, 1, 2]], [[third] * 3], 3), matrices), atol=1e-12
        )


def test_scale_swells_and_leaves_no_trace_elsewhere():
    """A scaled joint changes its own vertices; those of rigid joints keep their bits."""
    points, _, _ = problem(4, 60, dtype=np.float32)
    indices = np.where(np.arange(60)[:, None] < 30, [[0, 1]], [[1, 2]])
    skin = sk.SkinWeights(indices, np.full((60, 2), 0.5), 3)
    matrices = random_transforms(5, 9, 3, scaled=False).astype(np.float32)
    rigid = dual(points, skin, matrices)
    matrices[:, 2, :3, :3] *= np.float32(1.5)
    scaled = dual(points, skin, matrices)
    np.testing.assert_array_equal(scaled[:, :30], rigid[:, :30])
    assert (np.abs(scaled[:, 30:] - rigid[:, 30:]).max(axis=-1) > 1e-3).all()


def test_weights_that_do_not_sum_to_one_still_move_rigidly():
    points, skin, _ = problem(6)
    matrices = random_transforms(7, 6, scaled=False)
    thrice = sk.SkinWeights(skin.indices, skin.weights * 3, 6)
    np.testing.assert_allclose(dual(points, thrice, matrices), dual(points, skin, matrices), atol=1e-12)


def test_motions_that_cancel_leave_that_of_the_largest_weight():
    move = random_transforms(8, scaled=False)
    skin = sk.SkinWeights([[0, 1]], [[0.5, -0.5]], 2)
    found = dual([[1.0, 2, 3]], skin, np.stack([move, move]))
    np.testing.assert_allclose(found[0], move[:3, :3] @ [1, 2, 3] + move[:3, 3], atol=1e-12)


@both_dtypes
@pytest.mark.parametrize("scales", [(1, 1, 0), (0, 0, 1), (0, 0, 0)])
def test_flat_joints_give_numbers(dtype, scales):
    """A joint scaled to nothing has no rotation to speak of; its points go where its matrix takes them."""
    points, _, _ = problem(9, 8, dtype=dtype)
    matrices = random_transforms(10, 2, scaled=False)
    matrices[1, :3, :3] *= np.asarray(scales, float)
    matrices = matrices.astype(dtype)
    alone = sk.SkinWeights(np.full((8, 1), 1), np.ones((8, 1)), 2)
    expected = points.astype(float) @ matrices[1, :3, :3].T.astype(float) + matrices[1, :3, 3]
    assert_close(dual(points, alone, matrices), expected)
    half = sk.SkinWeights(np.tile([0, 1], (8, 1)), np.full((8, 2), 0.5), 2)
    assert np.isfinite(dual(points, half, matrices)).all()


@both_dtypes
def test_what_is_not_a_number_reaches_its_own_vertices_only(dtype):
    points, _, matrices = problem(11, 60, 1, 4, (9,), dtype)
    indices = np.stack([np.arange(60) % 4, (np.arange(60) + 1) % 4], axis=1)
    skin = sk.SkinWeights(indices, np.full((60, 2), 0.5), 4)
    expected = dual(points, skin, matrices)
    matrices[5, 3, 1, 1] = np.nan
    found = dual(points, skin, matrices)
    touched = (indices == 3).any(axis=1)
    np.testing.assert_array_equal(found[5, ~touched], expected[5, ~touched])
    np.testing.assert_array_equal(np.delete(found, 5, axis=0), np.delete(expected, 5, axis=0))
    assert np.isnan(found[5, touched]).all()


@given(st.integers(0, 10**6))
@settings(max_examples=10, deadline=None)
def test_lengths_scale(seed):
    points, skin, matrices = problem(seed)
    for size in (1e-4, 1e4):
        scaled = matrices.copy()
        scaled[:, :3, 3] *= size
        np.testing.assert_allclose(dual(points * size, skin, scaled) / size, dual(points, skin, matrices), atol=1e-12)
