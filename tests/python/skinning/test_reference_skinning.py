# SPDX-License-Identifier: MIT
"""The oracle of skinning on its own, against what can be worked out by hand or by a second way."""

from __future__ import annotations

import numpy as np
import pytest
import reference
from random_rigs import random_skeleton, random_transforms, random_weights
from reference import dual_quaternion

import skelkin_py as sk

METHODS = ["linear", "dual_quaternion"]
X_HALF = np.diag([1.0, -1, -1, 1])  # half a turn about x


def close(found, expected, atol=1e-12):
    np.testing.assert_allclose(found, expected, rtol=0, atol=atol)


def test_the_split_gives_back_the_matrix():
    matrices = random_transforms(1, 50) * np.where(np.arange(50) % 2, 1, -1)[:, None, None]
    matrices[:, :3, :3] = matrices[:, :3, :3] @ random_transforms(2, 50)[:, :3, :3]  # shear
    parts = dual_quaternion.split(matrices)
    rotation = sk.quaternion_to_matrix(parts.real)
    close(rotation @ parts.residual, matrices[:, :3, :3])
    close(parts.residual, parts.residual.swapaxes(-1, -2))
    close(np.linalg.det(rotation), 1)


def test_the_split_of_a_rigid_matrix_leaves_no_residual():
    close(
        dual_quaternion.split(random_transforms(3, 50, scaled=False)).residual, np.broadcast_to(np.eye(3), (50, 3, 3))
    )


@pytest.mark.parametrize("scales", [(1, 1, 0), (2, 0, 0), (0, 0, 0)])
def test_the_split_of_a_flat_matrix_is_a_rotation_and_a_residual(scales):
    flat = random_transforms(4, scaled=False)[None]
    flat[:, :3, :3] *= np.asarray(scales, float)
    parts = dual_quaternion.split(flat)
    close(sk.quaternion_to_matrix(parts.real) @ parts.residual, flat[:, :3, :3])


@pytest.mark.parametrize("method", METHODS)
def test_one_influence_is_its_matrix(method):
    points, matrices = np.random.default_rng(5).normal(size=(9, 3)), random_transforms(6, 7, 9)
    matrices[:, ::2] *= [[-1], [1], [1], [1]]  # mirrored
    skin = sk.SkinWeights(np.arange(9)[:, None], np.ones((9, 1)), 9)
    expected = np.einsum("fvij,vj->fvi", matrices[..., :3, :3], points) + matrices[..., :3, 3]
    close(reference.skin_points(points, skin, matrices, method=method), expected)


def test_half_a_turn_collapses_in_linear_and_keeps_its_radius_in_dual_quaternions():
    ring = np.array([[0.5, 1, 0], [0.5, 0, 1], [0.5, -1, 0]])
    skin = sk.SkinWeights(np.tile([0, 1], (3, 1)), np.full((3, 2), 0.5), 2)
    matrices = np.stack([np.eye(4), X_HALF])
    close(reference.skin_points(ring, skin, matrices), [[0.5, 0, 0]] * 3)
    turned = reference.skin_points(ring, skin, matrices, method="dual_quaternion")
    close(np.linalg.norm(turned[:, 1:], axis=1), 1)
    close(turned[:, 0], 0.5)
    close(np.sum(turned * ring, axis=1), 0.25)  # a quarter turn: at right angles to where it was


def test_dual_quaternions_of_one_screw_go_along_the_screw():
    """Half-way between no motion and a screw lies the screw's own half, whatever its axis and pitch."""
    half = sk.compose([0.4, -0.3, 0.8], [1, 0.3, -0.2, 0.6])
    skin = sk.SkinWeights([[0, 1]], [[0.5, 0.5]], 2)
    point = np.array([[0.3, -0.2, 0.9]])
    found = reference.skin_points(point, skin, np.stack([np.eye(4), half @ half]), method="dual_quaternion")
    close(found, point @ half[:3, :3].T + half[:3, 3])


def test_scale_under_dual_quaternions_is_blended_as_a_matrix():
    matrices = np.stack([np.eye(4), np.diag([3.0, 1, 1, 1])])
    skin = sk.SkinWeights([[0, 1]], [[0.5, 0.5]], 2)
    close(reference.skin_points([[1.0, 1, 1]], skin, matrices, method="dual_quaternion"), [[2, 1, 1]])


@pytest.mark.parametrize("method", METHODS)
def test_normals_stay_at_right_angles_to_the_surface(method):
    """Two edges of a small face go through one matrix; the normal of the moved face is the moved normal."""
    rng = np.random.default_rng(8)
    skin = sk.SkinWeights(np.tile([[0, 1]], (3, 1)), np.tile([[0.3, 0.7]], (3, 1)), 2)
    matrices = random_transforms(9, 6, 2)
    face = rng.normal(size=(3, 3))
    normal = np.cross(face[1] - face[0], face[2] - face[0])
    points, normals, tangents = reference.skin_mesh(
        face,
        skin,
        matrices,
        normals=np.tile(normal, (3, 1)),
        tangents=np.tile(face[1] - face[0], (3, 1)),
        method=method,
    )
    edges = points[:, 1:] - points[:, :1]
    close(np.einsum("fei,fvi->fev", edges, normals), 0)
    close(np.cross(edges[:, 0], tangents[:, 0]), 0)
    assert (np.einsum("fi,fi->f", np.cross(edges[:, 0], edges[:, 1]), normals[:, 0]) > 0).all()
    close(np.linalg.norm(normals, axis=-1), 1)


def test_rest_relative_is_forward_kinematics():
    skeleton = random_skeleton(10, 30, 3)
    q = np.random.default_rng(11).normal(size=(5, 30, 4))
    rest = np.asarray(skeleton.rest_global)
    # along the axes of the rest pose: the same as turning every joint in its own frame
    turn = rest[:, :3, :3].swapaxes(-1, -2) @ sk.quaternion_to_matrix(q) @ rest[:, :3, :3]
    local = np.tile(skeleton.rest_local, (5, 1, 1, 1))
    local[..., :3, :3] = local[..., :3, :3] @ turn
    expected = reference.forward_kinematics(skeleton, local)
    rotations, shift = reference.rest_relative(skeleton, q, axes="rest")
    found = sk.compose(shift, rotations) @ rest
    close(found, expected)


@pytest.mark.parametrize("axes", ["posed", "rest"])
def test_rest_relative_keeps_every_joint_where_its_parent_takes_it(axes):
    skeleton = random_skeleton(12, 30, 3)
    q = np.random.default_rng(13).normal(size=(5, 30, 4))
    rotations, shift = reference.rest_relative(skeleton, q, axes=axes)
    moved = sk.compose(shift, rotations)
    x = np.asarray(skeleton.rest_global)[:, :3, 3]
    for joint, parent in enumerate(skeleton.parents):
        own = moved[:, joint, :3, :3] @ x[joint] + moved[:, joint, :3, 3]
        above = (
            moved[:, parent, :3, :3] @ x[joint] + moved[:, parent, :3, 3] if parent >= 0 else np.tile(x[joint], (5, 1))
        )
        close(own, above)


def test_axes_of_the_pose_turn_what_is_seen():
    """A quarter turn about the world's z, given at the end of an arm that already turned about x."""
    rest = np.tile(np.eye(4), (2, 1, 1))
    skeleton = sk.Skeleton([-1, 0], rest)
    x, z = [np.sqrt(0.5), np.sqrt(0.5), 0, 0], [np.sqrt(0.5), 0, 0, np.sqrt(0.5)]
    posed, _ = reference.rest_relative(skeleton, [x, z], axes="posed")
    carried, _ = reference.rest_relative(skeleton, [x, z], axes="rest")
    close(posed[1], sk.quaternion_multiply(z, x))
    close(carried[1], sk.quaternion_multiply(x, z))


def test_relative_transform_takes_a_point_from_one_joint_to_another():
    skeleton, local = random_skeleton(14, 20, 2), random_transforms(15, 4, 20)
    global_ = reference.forward_kinematics(skeleton, local)
    point = np.array([0.1, 0.2, 0.3, 1])
    found = global_[:, 17] @ reference.relative_transform(skeleton, local, 5, 17) @ point
    close(found, global_[:, 5] @ point)


def test_skin_poses_is_its_three_steps():
    skeleton = random_skeleton(16, 12, 2)
    skin = sk.SkinWeights(*random_weights(17, 20, 3, 12), 12)
    points, q = np.random.default_rng(18).normal(size=(20, 3)), np.random.default_rng(19).normal(size=(3, 12, 4))
    matrices = reference.skinning_matrices(skeleton, reference.forward_kinematics_trs(skeleton, q))
    expected = reference.skin_mesh(points, skin, matrices, normals=points)
    found = reference.skin_poses(points, skin, skeleton, q, normals=points)
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_array_equal(a, b)
