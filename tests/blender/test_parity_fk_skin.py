# SPDX-License-Identifier: MIT
"""Forward kinematics and linear skinning agree with what Blender evaluates, to 1e-6 of the coordinates' size."""

import bpy
import numpy as np
import pytest
from extent import seeds
from parity import note
from random_rigs import channels, live_pose, parents, random_rig, rest

import skelkin_py as sk

SEEDS = seeds(12)


def skeleton_of(rig):
    return sk.Skeleton.from_global(parents(rig), rest(rig), [bone.name for bone in rig.pose.bones])


def rotations_of(rig):
    found = []
    for mode, value, _, _ in channels(rig):
        if mode == "QUATERNION":
            found.append(value)
        elif mode == "AXIS_ANGLE":
            found.append(sk.quaternion_from_axis_angle(value[1:], value[0]))
        else:
            found.append(sk.quaternion_from_euler(value, mode))
    return np.array(found)


def basis_of(rig):
    _, _, locations, scales = zip(*channels(rig))
    return np.array(locations), rotations_of(rig), np.array(scales)


def worst(found, expected):
    """Largest difference relative to the size of the expected coordinates."""
    return np.abs(found - expected).max() / np.abs(expected).max()


@pytest.mark.parametrize("seed", SEEDS)
def test_matrices_from_channels_give_the_live_pose(seed):
    rng = np.random.default_rng(seed)
    rig = random_rig(rng, int(rng.integers(1, 21)))
    skeleton = skeleton_of(rig)
    local = skeleton.rest_local @ sk.compose(*basis_of(rig))
    note("library: forward kinematics, 20 bones", worst(sk.forward_kinematics(skeleton, local), live_pose(rig)), 1e-6)


@pytest.mark.parametrize("seed", SEEDS)
def test_rotations_translations_and_scales_give_the_live_pose(seed):
    rng = np.random.default_rng(100 + seed)
    rig = random_rig(rng, int(rng.integers(1, 21)))
    skeleton = skeleton_of(rig)
    locations, rotations, scales = basis_of(rig)
    offsets = skeleton.rest_local[:, :3, 3] + np.einsum("jab,jb->ja", skeleton.rest_local[:, :3, :3], locations)
    turns = sk.quaternion_multiply(sk.quaternion_from_matrix(skeleton.rest_local[:, :3, :3]), rotations)
    # Blender's rest axes are float32 and, near its own -Y, orthogonal to 4e-5 only; a quaternion cannot hold that.
    axes = skeleton.rest_local[:, :3, :3]
    slack = np.abs(np.swapaxes(axes, -1, -2) @ axes - np.eye(3)).max()
    assert worst(sk.forward_kinematics_trs(skeleton, turns, offsets, scales), live_pose(rig)) <= 1e-6 + slack


def skinned_mesh(rig, rng, count=300, influences=4):
    """Add a mesh of loose points with random weights and an Armature modifier; return it and its weights."""
    points = rng.uniform(-1, 1, (count, 3)).astype(np.float32)
    mesh = bpy.data.meshes.new("Points")
    mesh.from_pydata(points.tolist(), [], [])
    target = bpy.data.objects.new("Points", mesh)
    bpy.context.scene.collection.objects.link(target)
    joints = len(rig.pose.bones)
    indices = np.array([rng.choice(joints, influences, replace=joints < influences) for _ in range(count)])
    weights = rng.uniform(0.05, 1, (count, influences))
    weights = (weights / weights.sum(axis=1, keepdims=True)).astype(np.float32)
    groups = [target.vertex_groups.new(name=bone.name) for bone in rig.pose.bones]
    for vertex in range(count):
        for joint, weight in zip(indices[vertex], weights[vertex]):
            groups[joint].add([vertex], float(weight), "ADD")
    modifier = target.modifiers.new("Armature", "ARMATURE")
    modifier.object = rig
    return target, points, sk.SkinWeights(indices, weights, joints)


def evaluated_points(target):
    bpy.context.view_layer.update()
    evaluated = target.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    points = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.vertices.foreach_get("co", points)
    evaluated.to_mesh_clear()
    return points.reshape(-1, 3).astype(float)


@pytest.mark.parametrize("seed", SEEDS)
def test_linear_skinning_gives_the_modifiers_points(seed):
    rng = np.random.default_rng(200 + seed)
    rig = random_rig(rng, int(rng.integers(4, 21)))
    target, points, weights = skinned_mesh(rig, rng)
    skeleton = skeleton_of(rig)
    globals_ = sk.forward_kinematics(skeleton, skeleton.rest_local @ sk.compose(*basis_of(rig)))
    matrices = sk.skinning_matrices(skeleton, globals_)
    expected = evaluated_points(target)
    assert np.abs(expected - points).max() > 0.1
    note("library: linear skinning", worst(sk.skin_points(points.astype(float), weights, matrices), expected), 1e-6)
    assert worst(sk.skin_points(points, weights, matrices.astype(np.float32)), expected) <= 2e-6


@pytest.mark.parametrize("seed", SEEDS[:4])
def test_linear_skinning_of_moved_turned_and_scaled_objects(seed):
    rng = np.random.default_rng(300 + seed)
    rig = random_rig(rng, 12)
    target, points, weights = skinned_mesh(rig, rng)
    for thing in (rig, target):
        thing.location, thing.rotation_euler = rng.uniform(-2, 2, 3), rng.uniform(-3, 3, 3)
        thing.scale = rng.uniform(0.5, 2, 3)
    expected = evaluated_points(target)
    into = np.linalg.inv(np.array(rig.matrix_world, dtype=float)) @ np.array(target.matrix_world, dtype=float)
    skeleton = skeleton_of(rig)
    matrices = np.linalg.inv(into) @ sk.skinning_matrices(skeleton, live_pose(rig)) @ into
    # Blender inverts both world matrices in float32, hence the wider bound.
    error = worst(sk.skin_points(points.astype(float), weights, matrices), expected)
    note("library: linear skinning, moved, turned and scaled objects", error, 3e-6)
