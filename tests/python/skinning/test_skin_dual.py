# SPDX-License-Identifier: MIT
"""Dual-quaternion skinning: against screws, rotations and splits that are worked out another way."""

from __future__ import annotations

import numpy as np
import pytest
import reference
from random_rigs import TOLERANCE, assert_close, calm_transforms, random_transforms, random_weights

import skelkin_py as sk

DUAL = {"method": "dual_quaternion"}
HALVES = sk.SkinWeights([[0, 1]], [[0.5, 0.5]], 2)


def turn(axis, angle, shift=(0, 0, 0)):
    return sk.compose(np.asarray(shift, dtype=float), sk.quaternion_from_axis_angle(np.asarray(axis, float), angle))


def close(found, expected, atol=1e-12):
    np.testing.assert_allclose(found, expected, rtol=0, atol=atol)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("influences", [1, 2, 3, 4, 7])
@pytest.mark.parametrize("lead", [(), (13,)])
def test_it_agrees_with_the_reference(dtype, influences, lead):
    joints, vertices = 11, 130
    skin = sk.SkinWeights(*random_weights(4, vertices, influences, joints), joints)
    matrices = calm_transforms(5, *lead, joints).astype(dtype)
    matrices[..., ::3, :, :] = random_transforms(6, scaled=False).astype(dtype)
    points = np.random.default_rng(21).normal(size=(vertices, 3)).astype(dtype)
    expected = reference.skin_points(points, skin, matrices, method="dual_quaternion")
    assert_close(sk.skin_points(points, skin, matrices, **DUAL), expected)


@pytest.mark.parametrize("part", [0.0, 0.25, 0.5, 0.9])
def test_two_motions_about_one_axis_blend_along_the_screw(part):
    """A turn by a about z with a shift by h along z; nlerp of quaternions turns by 2 atan2(w2 sin, w1 + w2 cos)."""
    angle, rise = 1.2, 0.7
    skin = sk.SkinWeights([[0, 1]], [[1 - part, part]], 2)
    matrices = np.stack([np.eye(4), turn([0, 0, 1], angle, [0, 0, rise])])
    found = sk.skin_points([[2, 0, 1]], skin, matrices, **DUAL)
    half = np.arctan2(part * np.sin(angle / 2), 1 - part + part * np.cos(angle / 2))
    close(found[0, :2], [2 * np.cos(2 * half), 2 * np.sin(2 * half)])
    if part == 0.5:
        close(found[0, 2], 1 + rise / 2)


def test_two_motions_blend_to_the_screw_half_way():
    """For a screw s, half way between 1 and s is the motion h with h h = s."""
    screw = turn([1, 2, -1], 2.1, [0.3, -1, 2])
    points = np.random.default_rng(22).normal(size=(1, 3))
    skin = sk.SkinWeights([[0, 1]], [[0.5, 0.5]], 2)
    once = sk.skin_points(points, skin, np.stack([np.eye(4), screw]), **DUAL)
    twice = sk.skin_points(once, skin, np.stack([np.eye(4), screw]), **DUAL)
    close(twice, points @ screw[:3, :3].T + screw[:3, 3])


def test_a_twisted_limb_keeps_its_thickness():
    matrices = np.stack([np.eye(4), turn([1, 0, 0], np.pi)])
    ring = np.array([[0, np.cos(a), np.sin(a)] for a in np.linspace(0, 6, 20)])
    skin = sk.SkinWeights([[0, 1]] * 20, [[0.5, 0.5]] * 20, 2)
    close(np.linalg.norm(sk.skin_points(ring, skin, matrices, **DUAL), axis=1), 1)
    close(sk.skin_points(ring, skin, matrices)[:, 1:], 0)  # the candy wrapper


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_order_of_influences_does_not_matter(dtype):
    """Half turns and more between the joints: the sign goes by the largest weight, of equals by the lowest joint."""
    matrices = random_transforms(7, 9, 8, scaled=False).astype(dtype)
    rng = np.random.default_rng(3)
    indices = np.array([rng.permutation(8)[:4] for _ in range(50)])
    weights = rng.integers(1, 4, (50, 4)) / 4.0  # many equal ones
    points = rng.normal(size=(50, 3)).astype(dtype)
    first = sk.skin_points(points, sk.SkinWeights(indices, weights, 8), matrices, **DUAL)
    for order in ([3, 2, 1, 0], [1, 0, 3, 2]):
        other = sk.SkinWeights(indices[:, order], weights[:, order], 8)
        bound = 50 * TOLERANCE[np.dtype(dtype)]
        close(sk.skin_points(points, other, matrices, **DUAL), first, bound)


def test_a_joint_that_is_named_twice_has_the_sum_of_its_weights():
    """Turns of 0, 130 and 260 degrees: the last one takes the other sign where the first one leads."""
    matrices = np.stack([turn([0, 0, 1], np.radians(angle)) for angle in (0, 130, 260)])
    once = sk.SkinWeights([[0, 1, 2]], [[0.4, 0.5, 0.1]], 3)
    twice = sk.SkinWeights([[1, 0, 1, 2]], [[0.25, 0.4, 0.25, 0.1]], 3)
    expected = sk.skin_points([[1, 0, 0]], once, matrices, **DUAL)
    close(sk.skin_points([[1, 0, 0]], twice, matrices, **DUAL), expected)
    close(reference.skin_points([[1, 0, 0]], twice, matrices, **DUAL), expected)
    led_by_the_first = sk.SkinWeights([[0, 1, 2]], [[0.5, 0.4, 0.1]], 3)
    assert np.abs(sk.skin_points([[1, 0, 0]], led_by_the_first, matrices, **DUAL) - expected).max() > 0.1


def test_quaternions_of_either_sign_are_the_same_turn():
    """Joints that turn by 2 pi - a and by -a are one and the same."""
    points = np.random.default_rng(23).normal(size=(1, 3))
    there = np.stack([turn([0, 1, 0], 3.0), turn([0, 1, 0], 3.4)])
    found = sk.skin_points(points, HALVES, there, **DUAL)
    close(found, points @ turn([0, 1, 0], 3.2)[:3, :3].T)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_one_joint_moves_as_its_matrix_does(dtype):
    """Scale, shear and mirrors come back from rotation and residual, flat matrices too."""
    matrices = random_transforms(8, 40)
    matrices[:, :3, :3] = matrices[:, :3, :3] @ random_transforms(9, 40)[:, :3, :3]
    matrices[::3, :3, :3] *= -1
    matrices[1, :3, :3] = np.diag([1, 2, 0])
    matrices[2, :3, :3] = np.outer([1, 2, 3], [3, 1, -2])
    matrices[4, :3, :3] = 0
    matrices = matrices.astype(dtype)
    skin = sk.SkinWeights(np.arange(40)[:, None], np.ones((40, 1)), 40)
    points = np.random.default_rng(24).normal(size=(40, 3)).astype(dtype)
    assert_close(sk.skin_points(points, skin, matrices, **DUAL), reference.skin_points(points, skin, matrices))


def test_residuals_blend_as_matrices():
    scales = np.array([[2.0, 1, 1], [1, 3, 0.5]])
    matrices = np.stack([np.diag([*s, 1]) for s in scales])
    points = np.random.default_rng(25).normal(size=(1, 3))
    close(sk.skin_points(points, HALVES, matrices, **DUAL), points * scales.mean(axis=0))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("poses", [1, 16])
def test_a_scaled_joint_changes_no_bit_of_vertices_on_rigid_ones(dtype, poses):
    matrices = random_transforms(10, poses, 6, scaled=False).astype(dtype)
    skin = sk.SkinWeights(*random_weights(11, 90, 3, 5), 6)
    mixed = sk.SkinWeights(np.vstack([skin.indices, [[5, 5, 5]]]), np.vstack([skin.weights, [[1, 0, 0]]]), 6)
    points, normals = np.random.default_rng(12).normal(size=(2, 91, 3)).astype(dtype)
    points[3, 0] = -0.0
    plain = sk.skin_mesh(points, mixed, matrices, normals=normals, **DUAL)
    matrices[:, 5, :3, :3] *= 1.5
    found = sk.skin_mesh(points, mixed, matrices, normals=normals, **DUAL)
    assert found.points[:, :90].tobytes() == plain.points[:, :90].tobytes()
    assert found.normals[:, :90].tobytes() == plain.normals[:, :90].tobytes()
    assert (found.points[:, 90] != plain.points[:, 90]).any()


def test_where_motions_cancel_the_largest_weight_moves_alone():
    matrices = np.stack([turn([0, 0, 1], 0.5, [1, 2, 3]), turn([0, 0, 1], 0.5, [1, 2, 3])])
    skin = sk.SkinWeights([[0, 1]], [[1.0, -1.0]], 2)
    points = np.random.default_rng(26).normal(size=(1, 3))
    close(sk.skin_points(points, skin, matrices, **DUAL), points @ matrices[0, :3, :3].T + [1, 2, 3])


def test_a_wrong_method_is_named():
    for call in (sk.skin_points, sk.skin_mesh):
        with pytest.raises(ValueError, match="method is 'dual': expected 'linear' or 'dual_quaternion'"):
            call(np.zeros((1, 3)), HALVES, np.zeros((2, 4, 4)), method="dual")
