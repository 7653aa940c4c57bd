# SPDX-License-Identifier: MIT
"""Laws that hold whatever the numbers: rest-relative motions, dual quaternions, meshes, and poses in one call."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from random_rigs import assert_close, calm_transforms, random_skeleton, random_transforms, random_weights

import skelkin_py as sk

seeds = st.integers(0, 10**6)
few = settings(max_examples=15, deadline=None)
both_methods = pytest.mark.parametrize("method", ["linear", "dual_quaternion"])
JOINTS, VERTICES = 12, 40


def turns(seed: int, *lead: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(*lead, JOINTS, 4))


def mesh(seed: int) -> tuple[np.ndarray, sk.SkinWeights, np.ndarray]:
    rng = np.random.default_rng(seed)
    points, normals = rng.normal(size=(2, VERTICES, 3))
    return points, sk.SkinWeights(*random_weights(seed, VERTICES, 4, JOINTS), JOINTS), normals


def relabelled(skeleton: sk.Skeleton, seed: int) -> tuple[sk.Skeleton, np.ndarray, np.ndarray]:
    """Return the skeleton with its joints in another order, that order, and the new number of each joint."""
    parents = np.asarray(skeleton.parents)
    mixed = np.random.default_rng(seed).permutation(len(parents))
    place = np.argsort(mixed)
    order = mixed[sk.sort_joints([-1 if parents[j] < 0 else place[parents[j]] for j in mixed])]
    place = np.argsort(order)
    moved = [-1 if parents[j] < 0 else place[parents[j]] for j in order]
    return sk.Skeleton(moved, skeleton.rest_local[order]), order, place


@given(seeds)
@few
@pytest.mark.parametrize("axes", ["posed", "rest"])
def test_a_joint_is_where_its_parent_carries_it(axes, seed):
    skeleton = random_skeleton(seed, JOINTS, 2)
    q, t = sk.rest_relative(skeleton, turns(seed, 3), axes=axes)
    at, parents = skeleton.rest_global[:, :3, 3], np.asarray(skeleton.parents)
    own = sk.quaternion_rotate(q, at) + t
    carried = sk.quaternion_rotate(q[:, parents], at) + t[:, parents]
    roots = parents < 0
    assert_close(own[:, ~roots], carried[:, ~roots])
    assert_close(own[:, roots], np.broadcast_to(at[roots], own[:, roots].shape))


@given(seeds)
@few
def test_one_turn_may_be_written_along_either_axes(seed):
    skeleton = random_skeleton(seed, JOINTS, 2)
    along_rest = turns(seed, 3)
    expected = sk.rest_relative(skeleton, along_rest, axes="rest")
    along_pose = along_rest.copy()
    for j, parent in enumerate(skeleton.parents):
        if parent >= 0:
            above = expected.rotations[:, parent]
            back = above * [1, -1, -1, -1]
            turned = sk.quaternion_multiply(sk.quaternion_multiply(above, along_rest[:, j]), back)
            along_pose[:, j] = turned
    found = sk.rest_relative(skeleton, along_pose, axes="posed")
    assert_close(found.translations, expected.translations)
    assert_close(np.abs((found.rotations * expected.rotations).sum(-1)), np.ones((3, JOINTS)))


@given(seeds)
@few
@pytest.mark.parametrize("axes", ["posed", "rest"])
def test_relabelling_joints_relabels_their_motions(axes, seed):
    skeleton = random_skeleton(seed, JOINTS, 2)
    other, order, _ = relabelled(skeleton, seed)
    q = turns(seed, 3)
    found, expected = sk.rest_relative(other, q[:, order], axes=axes), sk.rest_relative(skeleton, q, axes=axes)
    assert_close(found.rotations, expected.rotations[:, order])
    assert_close(found.translations, expected.translations[:, order])


@given(seeds)
@few
def test_motions_of_joints_skin_as_matrices_do(seed):
    skeleton = sk.Skeleton(random_skeleton(seed, JOINTS).parents, random_transforms(seed, JOINTS, scaled=False))
    points, weights, _ = mesh(seed)
    motion = sk.rest_relative(skeleton, turns(seed, 2))
    matrices = sk.compose(motion.translations, motion.rotations)
    posed = matrices @ skeleton.rest_global
    assert_close(
        sk.skin_points(points, weights, sk.skinning_matrices(skeleton, posed)),
        sk.skin_points(points, weights, matrices),
    )


@given(seeds, st.permutations(range(4)))
@few
@both_methods
def test_order_of_influences_and_names_of_joints_do_not_matter_to_meshes(method, seed, columns):
    points, weights, normals = mesh(seed)
    matrices = calm_transforms(seed, 2, JOINTS)
    order = np.random.default_rng(seed).permutation(JOINTS)
    other = sk.SkinWeights(np.argsort(order)[weights.indices][:, columns], weights.weights[:, columns], JOINTS)
    found = sk.skin_mesh(points, other, matrices[:, order], normals=normals, method=method)
    expected = sk.skin_mesh(points, weights, matrices, normals=normals, method=method)
    assert_close(found.points, expected.points)
    np.testing.assert_allclose(found.normals, expected.normals, rtol=0, atol=1e-11)


@pytest.mark.slow
@given(seeds, st.integers(0, VERTICES))
@few
@both_methods
def test_order_of_vertices_does_not_matter_to_any_bit(method, seed, count):
    points, weights, normals = mesh(seed)
    matrices = calm_transforms(seed, 3, JOINTS).astype(np.float32)
    points, normals = points.astype(np.float32), normals.astype(np.float32)
    some = np.random.default_rng(seed).permutation(VERTICES)[:count]
    found = sk.skin_mesh(points[some], weights.subset(some), matrices, normals=normals[some], method=method)
    expected = sk.skin_mesh(points, weights, matrices, normals=normals, method=method)
    np.testing.assert_array_equal(found.points, expected.points[:, some])
    np.testing.assert_array_equal(found.normals, expected.normals[:, some])


@given(seeds)
@few
@both_methods
def test_moving_the_roots_moves_all_that_skin_poses_gives(method, seed):
    skeleton = random_skeleton(seed, JOINTS, 2)
    points, weights, normals = mesh(seed)
    q, t = turns(seed, 3), np.tile(skeleton.rest_local[:, :3, 3], (3, 1, 1))
    move = random_transforms(seed + 1, scaled=False)
    turn, roots = sk.quaternion_from_matrix(move), np.asarray(skeleton.parents) < 0
    moved_q, moved_t = q.copy(), t.copy()
    moved_q[:, roots] = sk.quaternion_multiply(turn, q[:, roots])
    moved_t[:, roots] = t[:, roots] @ move[:3, :3].T + move[:3, 3]
    found = sk.skin_poses(points, weights, skeleton, moved_q, moved_t, normals=normals, method=method)
    still = sk.skin_poses(points, weights, skeleton, q, t, normals=normals, method=method)
    assert_close(found.points, still.points @ move[:3, :3].T + move[:3, 3])
    clear = np.linalg.norm(still.normals, axis=-1) > 0
    # where turns cancel in a blend, few digits of a normal's direction are left
    off = np.abs(found.normals - still.normals @ move[:3, :3].T)[clear]
    assert np.median(off) < 1e-14
    assert off.max() < 1e-6


@given(seeds)
@few
@both_methods
def test_the_rest_pose_leaves_the_mesh_as_it_is(method, seed):
    skeleton = random_skeleton(seed, JOINTS, 2)
    points, weights, normals = mesh(seed)
    _, q, _ = sk.decompose(skeleton.rest_local)
    found = sk.skin_poses(points, weights, skeleton, q, normals=normals, method=method)
    assert_close(found.points, points)
    assert_close(found.normals, normals / np.linalg.norm(normals, axis=1, keepdims=True))


@given(seeds, st.sampled_from([1e-4, 1e4]))
@few
@both_methods
def test_skin_poses_knows_no_unit(method, seed, size):
    skeleton = random_skeleton(seed, JOINTS, 2)
    points, weights, _ = mesh(seed)
    rest = skeleton.rest_local.copy()
    rest[:, :3, 3] *= size
    large = sk.Skeleton(skeleton.parents, rest)
    q = turns(seed, 2)
    found = sk.skin_poses(points * size, weights, large, q, method=method) / size
    assert_close(found, sk.skin_poses(points, weights, skeleton, q, method=method))


@given(seeds, st.integers(0, JOINTS - 1), st.integers(0, JOINTS - 1))
@few
def test_the_way_back_is_the_inverse(seed, start, end):
    skeleton = random_skeleton(seed, JOINTS, 2)
    local = random_transforms(seed, 3, JOINTS)
    there = sk.relative_transform(skeleton, local, start, end)
    assert_close(sk.relative_transform(skeleton, local, end, start) @ there, np.broadcast_to(np.eye(4), (3, 4, 4)))


@given(seeds)
@few
def test_locals_survive_the_way_to_globals_and_back(seed):
    skeleton = random_skeleton(seed, JOINTS, 2)
    local = calm_transforms(seed, 4, JOINTS)
    assert_close(sk.local_from_global(skeleton, sk.forward_kinematics(skeleton, local)), local)
