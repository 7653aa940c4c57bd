# SPDX-License-Identifier: MIT
"""Poses evaluated from arrays against what Blender evaluates, bit by bit."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import bpy
import numpy as np
import pytest
import random_rigs
from extent import seeds
from mathutils import Matrix
from mixed_rigs import INHERIT_SCALE, mixed_rig
from parity import note
from test_parity_fk_skin import evaluated_points, skinned_mesh

from skelkin_py.blender import (
    Armature,
    frame_from_roll,
    read_bbone_channels,
    read_bbones,
    read_channels,
    roll_from_frame,
)

SEEDS = seeds(8)


@pytest.mark.parametrize("seed", SEEDS)
def test_bones_and_channels_are_read_as_they_are(seed):
    rig = mixed_rig(seed, 30)
    armature, channels = Armature.from_bpy(rig), read_channels(rig)
    assert armature.names == tuple(bone.name for bone in rig.pose.bones)
    assert armature.parents.tolist() == random_rigs.parents(rig).tolist()
    stored = random_rigs.channels(rig)
    for row, (posed, (mode, rotation, _, scale)) in enumerate(zip(rig.pose.bones, stored)):
        bone = posed.bone
        assert np.array_equal(armature.rest[row], np.array(bone.matrix_local))
        assert np.array_equal(armature.axes[row], np.array(bone.matrix))
        assert np.array_equal(armature.offsets[row], np.array(bone.head))
        assert np.array_equal(armature.heads[row], np.array(bone.head_local))
        assert np.array_equal(armature.tails[row], np.array(bone.tail_local))
        assert armature.lengths[row] == bone.length
        assert armature.connected[row] == (bone.use_connect and bone.parent is not None)
        assert INHERIT_SCALE[armature.inherit_scale[row]] == bone.inherit_scale
        assert armature.inherit_rotation[row] == bone.use_inherit_rotation
        assert armature.local_location[row] == bone.use_local_location
        assert armature.deforming[row] == bone.use_deform
        assert armature.envelopes.distance[row] == np.float32(bone.envelope_distance)
        assert channels["rotation_mode"][row] == mode
        assert np.array_equal(channels["rotation"][row, : len(rotation)], rotation)
        assert np.array_equal(channels["location"][row], np.array(posed.location))
        assert np.array_equal(channels["scale"][row], scale)


def in_double(channels):
    return {name: value.astype(float) if name != "rotation_mode" else value for name, value in channels.items()}


def worst(pose, live):
    """Return the largest difference relative to how far the bones reach."""
    return float(np.abs(pose - live).max() / max(np.abs(live[:, :3, 3]).max(), 1.0))


def test_random_poses_come_out_bit_by_bit():
    """Every option and mode, mirrored and sheared bones: 40 rigs of which 38 have to be equal in every number."""
    equal = 0
    for seed in range(40):
        rig = mixed_rig(seed, 20)
        live = random_rigs.live_pose(rig)
        exact = Armature.from_bpy(rig).pose(**read_channels(rig), exact=True)
        assert exact.shape == (1, 20, 4, 4)
        assert worst(exact[0], live) <= 1e-6, seed
        equal += np.array_equal(exact[0], live)
    note("poses, exact: rigs with other bits (of 40)", 40 - equal, 2)


@pytest.mark.parametrize(("count", "bound"), [(5, 1e-6), (20, 1e-6), (60, 6e-6), (200, 6e-6)])
def test_random_poses_come_out_in_double(count, bound):
    for seed in range(4):
        rig = mixed_rig(seed, count)
        pose = Armature.from_bpy(rig).pose(**in_double(read_channels(rig)))[0]
        note(f"poses of {count} bones, double", worst(pose, random_rigs.live_pose(rig)), bound)


@pytest.mark.parametrize(("count", "bound"), [(20, 1e-6), (60, 6e-6), (200, 6e-6)])
def test_long_chains(count, bound):
    """Connected and not, turned and scaled a little at each bone: in double within bounds, exactly in every bit."""
    for seed in range(3):
        rng = np.random.default_rng(seed)
        ends = np.cumsum(rng.uniform(-0.5, 0.5, (count + 1, 3)), axis=0)
        bones = []
        for i, (head, tail) in enumerate(pairwise(ends)):
            parent = f"bone{i - 1}" if i else None
            bones.append((f"bone{i}", parent, head, tail, float(rng.uniform(-3, 3)), i % 3 > 0))
        rig = random_rigs.build(bones)
        for bone in rig.pose.bones:
            bone.rotation_quaternion = rng.normal(size=4)
            bone.location, bone.scale = rng.uniform(-0.3, 0.3, 3), rng.uniform(0.95, 1.05, 3)
        bpy.context.view_layer.update()
        armature, live = Armature.from_bpy(rig), random_rigs.live_pose(rig)
        note(f"chains of {count} bones, double", worst(armature.pose(**in_double(read_channels(rig)))[0], live), bound)
        assert np.array_equal(armature.pose(**read_channels(rig), exact=True)[0], live)


@pytest.mark.parametrize("quaternion", [(0, 0, 0, 0), (1e-18, 2e-18, 0, 0), (1e-25, 0, 0, 0), (1e20, 1e20, 0, 0)])
def test_quaternions_without_length_come_out_as_in_blender(quaternion):
    rig = random_rigs.random_rig(np.random.default_rng(1), 6)
    for bone in rig.pose.bones:
        bone.rotation_mode, bone.rotation_quaternion = "QUATERNION", quaternion
    assert_bits(rig)


@pytest.mark.parametrize("turn", [(1, 0, 0, 0), (1, 1e-17, 1e-17, 0), (1, 1e-18, 1e-18, 1e-18), (1e5, 1, 2, 3)])
def test_axes_without_length_come_out_as_in_blender(turn):
    rig = random_rigs.random_rig(np.random.default_rng(1), 6)
    for bone in rig.pose.bones:
        bone.rotation_mode, bone.rotation_axis_angle = "AXIS_ANGLE", turn
    assert_bits(rig)


@pytest.mark.parametrize("mode", INHERIT_SCALE)
@pytest.mark.parametrize("turns", [False, True])
def test_children_of_bones_without_size_come_out_as_in_blender(mode, turns):
    for scale in [(0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 0), (1e-20, 1, 1), (-1, -1, -1), (-1, 1, 1), (1e18, 1, 1)]:
        rig = random_rigs.random_rig(np.random.default_rng(2), 4)
        for bone in rig.data.bones:
            bone.inherit_scale, bone.use_inherit_rotation = mode, turns
        rig.pose.bones[0].scale = scale
        assert_bits(rig)


def assert_bits(rig):
    bpy.context.view_layer.update()
    exact = Armature.from_bpy(rig).pose(**read_channels(rig), exact=True)[0]
    assert np.array_equal(exact, random_rigs.live_pose(rig), equal_nan=True)


@pytest.mark.parametrize("seed", SEEDS)
def test_local_matrices_are_those_of_the_channels(seed):
    rig = mixed_rig(seed, 20)
    local = Armature.from_bpy(rig).local_from_pose(random_rigs.live_pose(rig))
    stored = np.array([bone.matrix_basis for bone in rig.pose.bones])
    note("local matrices from poses", np.abs(local - stored).max(), 5e-6)


def test_frames_and_rolls_are_those_of_blender():
    rng = np.random.default_rng(3)
    directions = rng.normal(size=(300, 3))
    directions[100:] = [0, -1, 0] + rng.normal(size=(200, 3)) * 10.0 ** rng.uniform(-6, -1, (200, 1))
    directions[:2] = [[0, -1, 0], [0, 1, 0]]
    directions = (directions / np.linalg.norm(directions, axis=1)[:, None]).astype(np.float32)
    rolls = rng.uniform(-3, 3, 300).astype(np.float32)
    theirs = np.array([bpy.types.Bone.MatrixFromAxisRoll(at, roll) for at, roll in zip(directions, rolls.tolist())])
    note("axes from directions and rolls", np.abs(frame_from_roll(directions, rolls) - theirs).max(), 1e-6)
    axes = np.concatenate([theirs, rng.normal(size=(200, 3, 3))]).astype(np.float32)
    back = [bpy.types.Bone.AxisRollFromMatrix(Matrix(each))[1] for each in axes.tolist()]
    difference = roll_from_frame(axes) - np.array(back)
    note("rolls from axes", np.abs((difference + np.pi) % (2 * np.pi) - np.pi).max(), 1e-4)


@pytest.mark.parametrize("seed", SEEDS)
def test_bones_of_edit_mode_become_those_of_blender(seed):
    rig = mixed_rig(seed, 30)
    bpy.ops.object.mode_set(mode="EDIT")
    bones = [rig.data.edit_bones[bone.name] for bone in rig.pose.bones]
    heads, tails = (np.array([getattr(bone, end) for bone in bones]) for end in ("head", "tail"))
    rolls = np.array([bone.roll for bone in bones])
    bpy.ops.object.mode_set(mode="OBJECT")
    made, live = Armature.from_edit_bones(random_rigs.parents(rig), heads, tails, rolls), Armature.from_bpy(rig)
    for name in ("rest", "axes", "offsets", "lengths"):
        note("bones of Edit Mode at rest", np.abs(getattr(made, name) - getattr(live, name)).max(), 3e-5)


def test_armatures_at_rest_keep_their_channels():
    rig = mixed_rig(1, 6)
    rig.data.pose_position = "REST"
    bpy.context.view_layer.update()
    armature = Armature.from_bpy(rig)
    assert np.array_equal(armature.rest, random_rigs.live_pose(rig))
    assert not np.array_equal(armature.pose(**read_channels(rig))[0], armature.rest)


def test_objects_that_are_no_armatures_and_edit_mode_are_named():
    empty = bpy.data.objects.new("Empty", None)
    readers = (Armature.from_bpy, read_channels, read_bbones, read_bbone_channels)
    for read in readers:
        with pytest.raises(TypeError, match="ob is 'Empty' of type EMPTY: an armature object is needed"):
            read(empty)
        with pytest.raises(TypeError, match="ob is 3 of type int"):
            read(3)
    rig = random_rigs.random_rig(np.random.default_rng(0), 2)
    bpy.ops.object.mode_set(mode="EDIT")
    for read in readers:
        with pytest.raises(ValueError, match="in Edit Mode"):
            read(rig)
    new = bpy.data.objects.new("New", bpy.data.armatures.new("New"))
    for read in readers:
        with pytest.raises(ValueError, match="ob is 'New', which has no pose"):
            read(new)


def test_the_pages_examples_are_right_in_blender():
    """Run what docs/blender.md says to do in Blender, and step to some of its frames."""
    page = (Path(__file__).resolve().parents[2] / "docs" / "blender.md").read_text(encoding="utf-8")
    clip, now, legs = (block for block in re.findall(r"```text\n(.*?)```", page, flags=re.S) if "sk.blender." in block)
    rng = np.random.default_rng(7)
    rig = random_rigs.random_rig(rng, 8)
    body = skinned_mesh(rig, rng)[0]
    rig.name, body.name = "Armature", "Body"
    bone = rig.pose.bones[1]
    bone.rotation_mode = "XYZ"
    for frame in (1, 90, 250):
        bone.rotation_euler = rng.normal(size=3)
        bone.keyframe_insert("rotation_euler", frame=frame)
    bpy.context.view_layer.update()
    space = {}
    exec(clip, space)
    for frame in (1, 77, 250):
        bpy.context.scene.frame_set(frame)
        assert worst(space["poses"][frame - 1], random_rigs.live_pose(rig)) <= 1e-6
        live = evaluated_points(body)
        assert np.abs(space["points"][frame - 1] - live).max() <= 5e-6 * np.abs(live).max()
    exec(now, space)
    assert worst(space["solved"][0], random_rigs.live_pose(rig)) <= 1e-6
    assert worst(space["arm"].pose(**read_channels(rig))[0], space["pose"][0]) == 0.0
    basis = np.array([each.matrix_basis for each in rig.pose.bones])
    basis[space["arm"].connected, :3, 3] = 0.0
    assert worst(space["local"][0], basis) <= 1e-5

    bpy.ops.object.mode_set(mode="EDIT")
    control = rig.data.edit_bones.new("Foot control")
    control.head, control.tail = rng.normal(size=3), (0, 0, 9)
    bpy.ops.object.mode_set(mode="OBJECT")
    for each in rig.pose.bones:
        each.scale = 1, 1, 1
    constraint = next(each for each in rig.pose.bones if each.parent).constraints.new("IK")
    constraint.target, constraint.subtarget, constraint.chain_count = rig, "Foot control", 2
    for frame in (1, 250):
        rig.pose.bones["Foot control"].location = rng.normal(size=3)
        rig.pose.bones["Foot control"].keyframe_insert("location", frame=frame)
    exec(clip + legs, space)
    for frame in (1, 77, 250):
        bpy.context.scene.frame_set(frame)
        assert worst(space["solved"][frame - 1], random_rigs.live_pose(rig)) <= 1e-5
