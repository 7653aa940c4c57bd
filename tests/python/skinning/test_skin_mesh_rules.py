# SPDX-License-Identifier: MIT
"""Normals, tangents and corners of skinned meshes: by hand, by algebra, and what must not leak into them."""

from __future__ import annotations

import numpy as np
import pytest
import reference
from hypothesis import given, settings, strategies as st
from random_rigs import assert_close, calm_transforms, random_transforms, random_weights

import skelkin_py as sk

METHODS = ["linear", "dual_quaternion"]
both_methods = pytest.mark.parametrize("method", METHODS)
both_dtypes = pytest.mark.parametrize("dtype", [np.float32, np.float64])


def problem(seed, vertices=40, joints=6, lead=(), dtype=np.float64):
    rng = np.random.default_rng(seed)
    points, normals = rng.normal(size=(2, vertices, 3)).astype(dtype)
    tangents = np.concatenate([rng.normal(size=(vertices, 3)), rng.choice([-1, 1], (vertices, 1))], 1).astype(dtype)
    skin = sk.SkinWeights(*random_weights(seed, vertices, 4, joints), joints)
    return points, skin, calm_transforms(seed, *lead, joints).astype(dtype), normals, tangents


def test_what_is_not_asked_for_is_none():
    points, skin, matrices, normals, tangents = problem(1)
    alone = sk.skin_mesh(points, skin, matrices)
    assert alone.normals is None
    assert alone.tangents is None
    np.testing.assert_array_equal(alone.points, sk.skin_points(points, skin, matrices))
    assert sk.skin_mesh(points, skin, matrices, normals=normals).tangents is None
    only_tangents = sk.skin_mesh(points, skin, matrices, tangents=tangents)
    assert only_tangents.normals is None
    both = sk.skin_mesh(points, skin, matrices, normals=normals, tangents=tangents)
    np.testing.assert_array_equal(both.tangents, only_tangents.tangents)


@both_methods
def test_normals_by_hand(method):
    """Flattened to a tenth along x: a slope of 45 degrees becomes steep, its normal leans towards x."""
    skin = sk.SkinWeights([[0]], [[1.0]], 1)
    flat = np.diag([0.1, 1, 1, 1])[None]
    found = sk.skin_mesh([[0.0, 0, 0]], skin, flat, normals=[[1.0, 1, 0]], tangents=[[-1.0, 1, 0, -1]], method=method)
    np.testing.assert_allclose(found.normals, [np.array([10, 1, 0]) / np.sqrt(101)], atol=1e-12)
    np.testing.assert_allclose(found.tangents, [[-0.1 / np.sqrt(1.01), 1 / np.sqrt(1.01), 0, -1]], atol=1e-12)


@both_methods
@both_dtypes
@given(seed=st.integers(0, 10**6))
@settings(max_examples=8, deadline=None)
def test_normals_stay_at_right_angles_to_the_surface(method, dtype, seed):
    """All corners of a face hang on the same joints, so the face moves as one piece, scale and shear included."""
    rng = np.random.default_rng(seed)
    faces = rng.normal(size=(30, 3, 3))
    across = np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0])
    indices, weights = random_weights(seed, 30, 4, 6)
    skin = sk.SkinWeights(np.repeat(indices, 3, axis=0), np.repeat(weights, 3, axis=0), 6)
    found = sk.skin_mesh(
        faces.reshape(-1, 3).astype(dtype),
        skin,
        calm_transforms(seed, 6).astype(dtype),
        normals=np.repeat(across, 3, axis=0).astype(dtype),
        method=method,
    )
    moved, normals = found.points.reshape(30, 3, 3).astype(float), found.normals[::3].astype(float)
    edges = moved[:, 1:] - moved[:, :1]
    edges /= np.linalg.norm(edges, axis=-1, keepdims=True)
    bound = 3e-5 if dtype is np.float32 else 1e-11  # an edge may be short beside the points it lies between
    np.testing.assert_allclose(np.einsum("fei,fi->fe", edges, normals), 0, atol=bound)
    assert (np.einsum("fi,fi->f", np.cross(edges[:, 0], edges[:, 1]), normals) > 0).all()


@both_methods
@both_dtypes
def test_normals_and_tangents_have_length_one_whatever_they_had(method, dtype):
    points, skin, matrices, normals, tangents = problem(2, lead=(9,), dtype=dtype)
    for size in (1e-6, 1.0, 1e6):
        found = sk.skin_mesh(
            points, skin, matrices, normals=normals * dtype(size), tangents=tangents[:, :3] * dtype(size), method=method
        )
        for each in (found.normals, found.tangents):
            np.testing.assert_allclose(np.linalg.norm(each, axis=-1), 1, atol=1e-6 if dtype is np.float32 else 1e-14)


@both_methods
def test_handedness_is_passed_on(method):
    points, skin, matrices, _, tangents = problem(3, lead=(9,))
    tangents[:, 3] = np.arange(40) - 20.5
    found = sk.skin_mesh(points, skin, matrices, tangents=tangents, method=method)
    np.testing.assert_array_equal(found.tangents[..., 3], np.broadcast_to(tangents[:, 3], (9, 40)))
    plain = sk.skin_mesh(points, skin, matrices, tangents=tangents[:, :3], method=method)
    np.testing.assert_array_equal(found.tangents[..., :3], plain.tangents)


@both_methods
def test_mirrored_joints_turn_normals_outward_still(method):
    skin = sk.SkinWeights([[0]], [[1.0]], 1)
    mirror = np.diag([-1.0, 1, 1, 1])[None]
    found = sk.skin_mesh([[1.0, 0, 0]], skin, mirror, normals=[[1.0, 0, 0]], method=method)
    np.testing.assert_allclose(found.points, [[-1, 0, 0]], atol=1e-12)
    np.testing.assert_allclose(found.normals, [[-1, 0, 0]], atol=1e-12)


@both_methods
@both_dtypes
def test_a_vertex_without_weight_keeps_everything_as_it_is(method, dtype):
    points, _, matrices, normals, tangents = problem(4, 5, lead=(9,), dtype=dtype)
    skin = sk.SkinWeights(np.zeros((5, 1), int), [[1.0], [0.0], [1.0], [0.0], [0.0]], 6)
    found = sk.skin_mesh(points, skin, matrices, normals=normals, tangents=tangents, method=method)
    for each, given_ in zip(found, (points, normals, tangents), strict=True):
        np.testing.assert_array_equal(each[:, [1, 3, 4]], np.broadcast_to(given_[[1, 3, 4]], each[:, :3].shape))


def test_a_blend_that_leaves_no_direction_gives_zero():
    skin = sk.SkinWeights([[0, 1]], [[0.5, 0.5]], 2)
    matrices = np.stack([np.eye(4), np.diag([-1.0, -1, -1, 1])])
    found = sk.skin_mesh([[1.0, 2, 3]], skin, matrices, normals=[[0.0, 0, 1]], tangents=[[1.0, 0, 0]])
    np.testing.assert_array_equal(found.normals, [[0, 0, 0]])
    np.testing.assert_array_equal(found.tangents, [[0, 0, 0]])


# ---- corners ---------------------------------------------------------------------------------------------------------


@both_methods
@both_dtypes
@pytest.mark.parametrize("lead", [(), (9,), (2, 3)])
def test_corners_are_what_their_vertices_would_be(method, dtype, lead):
    points, skin, matrices, normals, tangents = problem(5, lead=lead, dtype=dtype)
    corners = np.random.default_rng(6).integers(0, 40, 120)
    found = sk.skin_mesh(
        points, skin, matrices, normals=normals[corners], tangents=tangents[corners], corners=corners, method=method
    )
    plain = sk.skin_mesh(points, skin, matrices, normals=normals, tangents=tangents, method=method)
    np.testing.assert_array_equal(found.points, plain.points)
    np.testing.assert_array_equal(found.normals, plain.normals[..., corners, :])
    np.testing.assert_array_equal(found.tangents, plain.tangents[..., corners, :])


@both_methods
def test_corners_have_normals_of_their_own(method):
    points, skin, matrices, _, _ = problem(7, lead=(4,))
    corners = np.repeat(np.arange(40), 3)
    normals = np.random.default_rng(8).normal(size=(120, 3))
    found = sk.skin_mesh(points, skin, matrices, normals=normals, corners=corners, method=method)
    expected = reference.skin_mesh(points, skin, matrices, normals=normals, corners=corners, method=method)
    assert_close(found.normals, expected[1])


@pytest.mark.parametrize("bad", [40, -1, 2**32, 2**40])
def test_a_corner_of_no_vertex_is_named(bad):
    points, skin, matrices, normals, _ = problem(9)
    out = sk.SkinnedMesh(np.full((40, 3), 7.0), np.full((3, 3), 7.0), None)
    with pytest.raises(ValueError, match=rf"^corners\[1\] is {bad}: "):
        sk.skin_mesh(points, skin, matrices, normals=normals[:3], corners=[0, bad, 5], out=out)
    assert (out.points == 7).all()
    assert (out.normals == 7).all()


def test_no_corners():
    points, skin, matrices, _, _ = problem(10, lead=(3,))
    found = sk.skin_mesh(points, skin, matrices, normals=np.zeros((0, 3)), corners=np.zeros(0, int))
    assert found.normals.shape == (3, 0, 3)


# ---- what must not leak ----------------------------------------------------------------------------------------------


@both_methods
@both_dtypes
def test_padding_touches_no_matrix(method, dtype):
    points, _, matrices, normals, tangents = problem(11, 40, 3, (9,), dtype)
    matrices[:, 2] = np.nan
    skin = sk.SkinWeights(np.tile([0, 2, 1, 2], (40, 1)), np.tile([0.5, 0.0, 0.5, -0.0], (40, 1)), 3)
    found = sk.skin_mesh(points, skin, matrices, normals=normals, tangents=tangents, method=method)
    assert all(np.isfinite(each).all() for each in found)


@both_methods
@both_dtypes
def test_what_is_not_a_number_reaches_its_own_vertices_only(method, dtype):
    points, _, matrices, normals, tangents = problem(12, 60, 4, (9,), dtype)
    indices = np.stack([np.arange(60) % 4, (np.arange(60) + 1) % 4], axis=1)
    skin = sk.SkinWeights(indices, np.full((60, 2), 0.5), 4)
    expected = sk.skin_mesh(points, skin, matrices, normals=normals, tangents=tangents, method=method)
    matrices[5, 3, 0, 0] = np.nan
    found = sk.skin_mesh(points, skin, matrices, normals=normals, tangents=tangents, method=method)
    touched = (indices == 3).any(axis=1)
    for each, before in zip(found, expected, strict=True):
        np.testing.assert_array_equal(each[5, ~touched], before[5, ~touched])
        np.testing.assert_array_equal(np.delete(each, 5, axis=0), np.delete(before, 5, axis=0))
        assert np.isnan(each[5, touched, :3]).any(axis=-1).all()


@both_methods
@both_dtypes
def test_a_normal_that_is_not_a_number_stays_alone(method, dtype):
    points, skin, matrices, normals, tangents = problem(13, 60, 4, (9,), dtype)
    expected = sk.skin_mesh(points, skin, matrices, normals=normals, tangents=tangents, method=method)
    normals[33, 1] = np.nan
    found = sk.skin_mesh(points, skin, matrices, normals=normals, tangents=tangents, method=method)
    assert np.isnan(found.normals[:, 33]).all()
    np.testing.assert_array_equal(np.delete(found.normals, 33, axis=1), np.delete(expected.normals, 33, axis=1))
    np.testing.assert_array_equal(found.points, expected.points)
    np.testing.assert_array_equal(found.tangents, expected.tangents)


@both_methods
@given(seed=st.integers(0, 10**6))
@settings(max_examples=8, deadline=None)
def test_moving_all_joints_moves_and_turns_everything(method, seed):
    points, skin, matrices, normals, tangents = problem(seed)
    move = random_transforms(seed + 1, scaled=False)
    found = sk.skin_mesh(points, skin, move @ matrices, normals=normals, tangents=tangents, method=method)
    still = sk.skin_mesh(points, skin, matrices, normals=normals, tangents=tangents, method=method)
    assert_close(found.points, still.points @ move[:3, :3].T + move[:3, 3])
    assert_close(found.normals, still.normals @ move[:3, :3].T)
    assert_close(found.tangents[:, :3], still.tangents[:, :3] @ move[:3, :3].T)


def test_corners_without_directions_change_nothing():
    points, weights, matrices = np.ones((2, 3)), sk.SkinWeights([[0], [0]], [[1.0], [1.0]], 1), np.eye(4)[None] * 1.0
    found = sk.skin_mesh(points, weights, matrices, corners=[0, 1, 1])
    assert found.normals is None
    assert found.tangents is None
    np.testing.assert_array_equal(found.points, points)
