# SPDX-License-Identifier: MIT
"""Normals and tangents that follow joints: against plain algebra, per vertex and per corner."""

from __future__ import annotations

import numpy as np
import pytest
import reference
from random_rigs import TOLERANCE, calm_transforms, random_weights

import skelkin_py as sk

JOINTS, VERTICES = 9, 77
METHODS = ["linear", "dual_quaternion"]
INDICES, WEIGHTS = random_weights(1, VERTICES, 5, JOINTS)
SKIN = sk.SkinWeights(INDICES, WEIGHTS, JOINTS)
RNG = np.random.default_rng(2)
POINTS, NORMALS = RNG.normal(size=(2, VERTICES, 3))
TANGENTS = np.concatenate([RNG.normal(size=(VERTICES, 3)), RNG.choice([-1.0, 1.0], (VERTICES, 1))], axis=1)
CORNERS = RNG.integers(0, VERTICES, 3 * VERTICES)
TRIVIAL = sk.SkinWeights([[0]], [[1.0]], 1)


def unit(vectors):
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def blended(matrices):
    return np.einsum("vk,...vkij->...vij", WEIGHTS, matrices[..., INDICES, :, :])


def close(found, expected, atol=1e-12):
    np.testing.assert_allclose(found, expected, rtol=0, atol=atol)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("lead", [(), (3,), (21,), (2, 9)])
def test_normals_go_through_the_inverse_transpose_and_tangents_through_the_matrix(dtype, lead):
    matrices = calm_transforms(3, *lead, JOINTS).astype(dtype)
    given = [a.astype(dtype) for a in (POINTS, NORMALS, TANGENTS)]
    found = sk.skin_mesh(given[0], SKIN, matrices, normals=given[1], tangents=given[2])
    linear = blended(matrices.astype(np.float64))[..., :3, :3]
    inverse_transpose = np.linalg.inv(linear).swapaxes(-1, -2)
    bound = 4 * TOLERANCE[np.dtype(dtype)]
    close(found.normals, unit(np.einsum("...vij,vj->...vi", inverse_transpose, given[1])), bound)
    close(found.tangents[..., :3], unit(np.einsum("...vij,vj->...vi", linear, given[2][:, :3])), bound)
    np.testing.assert_array_equal(found.tangents[..., 3], np.broadcast_to(given[2][:, 3], (*lead, VERTICES)))
    np.testing.assert_array_equal(found.points, sk.skin_points(given[0], SKIN, matrices))


@pytest.mark.parametrize("method", METHODS)
def test_normals_stay_at_right_angles_to_tangents(method):
    matrices = calm_transforms(4, 5, JOINTS) @ np.diag([1.5, 1, 0.5, 1])
    tangents = np.cross(NORMALS, POINTS)
    found = sk.skin_mesh(POINTS, SKIN, matrices, normals=NORMALS, tangents=tangents, method=method)
    close(np.sum(found.normals * found.tangents, axis=-1), 0)
    close(np.linalg.norm(found.normals, axis=-1), 1)
    close(np.linalg.norm(found.tangents, axis=-1), 1)


@pytest.mark.parametrize("method", METHODS)
def test_a_mirror_keeps_normals_on_their_side(method):
    mirror = np.diag([-1.0, 1, 1, 1])[None]
    found = sk.skin_mesh([[1, 0, 0]], TRIVIAL, mirror, normals=[[1, 1, 0]], tangents=[[1, 0, 0, 1]], method=method)
    close(found.points, [[-1, 0, 0]])
    close(found.normals, unit(np.array([[-1, 1, 0]])))
    close(found.tangents, [[-1, 0, 0, 1]])


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_corner_moves_as_its_vertex_does(method, dtype):
    matrices = calm_transforms(5, 11, JOINTS).astype(dtype)
    given = [a.astype(dtype) for a in (POINTS, NORMALS, TANGENTS)]
    by_vertex = sk.skin_mesh(given[0], SKIN, matrices, normals=given[1], tangents=given[2], method=method)
    normals, tangents = given[1][CORNERS], given[2][CORNERS]
    found = sk.skin_mesh(given[0], SKIN, matrices, normals=normals, tangents=tangents, corners=CORNERS, method=method)
    np.testing.assert_array_equal(found.points, by_vertex.points)
    np.testing.assert_array_equal(found.normals, by_vertex.normals[:, CORNERS])
    np.testing.assert_array_equal(found.tangents, by_vertex.tangents[:, CORNERS])


def test_corners_may_have_normals_of_their_own():
    matrices = calm_transforms(6, JOINTS)
    normals = np.random.default_rng(16).normal(size=(len(CORNERS), 3))
    found = sk.skin_mesh(POINTS, SKIN, matrices, normals=normals, corners=CORNERS.tolist())
    expected = reference.skin_mesh(POINTS, SKIN, matrices, normals=normals, corners=CORNERS)
    close(found.normals, expected[1])
    assert found.tangents is None


def test_no_corners_give_no_normals():
    found = sk.skin_mesh(POINTS, SKIN, calm_transforms(7, 2, JOINTS), normals=np.zeros((0, 3)), corners=[])
    assert found.normals.shape == (2, 0, 3)
    assert found.points.shape == (2, VERTICES, 3)


@pytest.mark.parametrize(
    ("corners", "error", "text"),
    [
        ([0, VERTICES], ValueError, rf"corners\[1\] is {VERTICES}: a vertex index must be at least 0 and less"),
        ([-1], ValueError, r"corners\[0\] is -1: a vertex index"),
        ([0.5], TypeError, "corners has dtype float64: integers are needed"),
        ([[0]], ValueError, r"corners has shape \(1, 1\): expected \(C,\)"),
    ],
)
def test_a_bad_corner_is_named(corners, error, text):
    out = np.full((VERTICES, 3), 7.0)
    with pytest.raises(error, match=text):
        sk.skin_mesh(POINTS, SKIN, calm_transforms(8, JOINTS), corners=corners, out=(out, None, None))
    assert (out == 7).all()


@pytest.mark.parametrize("method", METHODS)
def test_normals_of_what_is_scaled_to_nothing_are_0_and_all_others_as_they_were(method):
    matrices = calm_transforms(9, 3, 2, JOINTS)
    weights = sk.SkinWeights(SKIN.indices[:, :1], np.ones((VERTICES, 1)), JOINTS)
    before = sk.skin_mesh(POINTS, weights, matrices, normals=NORMALS, method=method).normals
    matrices[2, 1, :, :3, :3] = 0.0
    found = sk.skin_mesh(POINTS, weights, matrices, normals=NORMALS, method=method)
    assert (found.normals[2, 1] == 0).all()
    assert np.array_equal(found.normals[:2], before[:2])
    assert np.isfinite(found.points).all()


def test_normals_of_what_is_scaled_flat_are_those_of_its_plane():
    """Along the joint's x nothing is left: all that remains lies in the plane of its y and z."""
    weights = sk.SkinWeights([[0]] * 3, [[1.0]] * 3, 1)
    turn = sk.compose([1, 2, 3], [0.5, 0.5, -0.5, 0.5], [1, 1, 1])
    flat = turn @ np.diag([0.0, 2.0, 3.0, 1.0])
    normals = np.array([[1.0, 0, 0], [0.6, 0.8, 0], [0, 1, 0]])
    found = sk.skin_mesh(np.zeros((3, 3)), weights, flat[None], normals=normals).normals
    np.testing.assert_allclose(np.abs(found[:2] @ turn[:3, 0]), 1.0, atol=1e-12)
    np.testing.assert_allclose(found[2], 0.0, atol=0)


@pytest.mark.parametrize("method", METHODS)
def test_a_joint_that_moves_nothing_may_be_anything(method):
    skin = sk.SkinWeights([[0, 1]] * 2, [[1.0, 0.0]] * 2, 3)
    matrices = np.stack([np.eye(4), np.full((4, 4), np.nan), np.zeros((4, 4))])
    found = sk.skin_mesh(POINTS[:2], skin, matrices, normals=NORMALS[:2], method=method)
    close(found.points, POINTS[:2])
    close(found.normals, unit(NORMALS[:2]))


@pytest.mark.parametrize("method", METHODS)
def test_what_is_not_a_number_reaches_what_depends_on_it_only(method):
    matrices = calm_transforms(10, 12, JOINTS)
    matrices[5, 4, 1, 2] = np.nan
    found = sk.skin_mesh(POINTS, SKIN, matrices, normals=NORMALS, tangents=TANGENTS, method=method)
    hit = ((INDICES == 4) & (WEIGHTS != 0)).any(axis=1)
    for array in (found.points, found.normals, found.tangents[..., :3]):
        bad = ~np.isfinite(array).all(axis=-1)
        np.testing.assert_array_equal(bad[5], hit)
        assert not bad[:5].any()
        assert not bad[6:].any()


@pytest.mark.parametrize("method", METHODS)
def test_a_vertex_without_weight_keeps_everything(method):
    skin = sk.SkinWeights([[0], [0]], [[0.0], [1.0]], 1)
    for lead in ((), (20,)):
        matrices = calm_transforms(11, *lead, 1)
        found = sk.skin_mesh(POINTS[:2], skin, matrices, normals=NORMALS[:2], tangents=TANGENTS[:2], method=method)
        for array, given in zip(found, (POINTS, NORMALS, TANGENTS), strict=True):
            np.testing.assert_array_equal(array[..., 0, :], np.broadcast_to(given[0], (*lead, given.shape[1])))


@pytest.mark.parametrize("size", [1e-18, 1e-9, 1.0, 1e9, 1e18])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_sizes_do_not_matter_to_directions(dtype, size):
    matrices = calm_transforms(12, JOINTS)
    matrices[:, :3] *= size
    found = sk.skin_mesh(
        POINTS.astype(dtype),
        SKIN,
        matrices.astype(dtype),
        normals=(NORMALS / size).astype(dtype),
        tangents=TANGENTS.astype(dtype),
    )
    linear = blended(matrices / size)[:, :3, :3]
    bound = 8 * TOLERANCE[np.dtype(dtype)]
    close(found.normals, unit(np.einsum("vij,vj->vi", np.linalg.inv(linear).swapaxes(1, 2), NORMALS)), bound)
    close(found.tangents[:, :3], unit(np.einsum("vij,vj->vi", linear, TANGENTS[:, :3])), bound)


def test_what_has_no_direction_left_is_zero():
    skin = sk.SkinWeights([[0, 1]], [[0.5, 0.5]], 2)
    matrices = np.stack([np.eye(4), np.diag([-1.0, -1, 1, 1])])
    found = sk.skin_mesh([[1, 2, 3]], skin, matrices, normals=[[1, 0, 0]], tangents=[[0, 1, 0]])
    assert (found.normals == 0).all()
    assert (found.tangents == 0).all()
    found = sk.skin_mesh([[1, 2, 3]], skin, matrices, normals=[[0, 0, 0]])
    assert (found.normals == 0).all()


def test_out_arrays_may_overlap_with_inputs_but_not_with_each_other():
    matrices = calm_transforms(13, JOINTS)
    expected = sk.skin_mesh(POINTS, SKIN, matrices, normals=NORMALS)
    points, normals = POINTS.copy(), NORMALS.copy()
    found = sk.skin_mesh(points, SKIN, matrices, normals=normals, out=(normals, points, None))
    assert found.points is normals
    assert found.normals is points
    np.testing.assert_array_equal(found.points, expected.points)
    np.testing.assert_array_equal(found.normals, expected.normals)
    both = np.empty((VERTICES + 1, 3))
    with pytest.raises(ValueError, match=r"out\.normals shares memory with out\.points"):
        sk.skin_mesh(POINTS, SKIN, matrices, normals=NORMALS, out=(both[:-1], both[1:], None))


def test_out_needs_three_places_and_only_for_what_is_asked():
    matrices = calm_transforms(14, JOINTS)
    with pytest.raises(TypeError, match="out must be a SkinnedMesh, or a tuple of three"):
        sk.skin_mesh(POINTS, SKIN, matrices, out=(np.empty((VERTICES, 3)), None))
    with pytest.raises(ValueError, match=r"out\.normals is given: there are no normals to write there"):
        sk.skin_mesh(POINTS, SKIN, matrices, out=(None, np.empty((VERTICES, 3)), None))
    with pytest.raises(ValueError, match=r"out.normals has shape \(1, 3\): expected \(77, 3\)"):
        sk.skin_mesh(POINTS, SKIN, matrices, normals=NORMALS, out=(None, np.empty((1, 3)), None))
