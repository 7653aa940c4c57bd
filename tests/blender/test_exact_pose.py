# SPDX-License-Identifier: MIT
"""Poses evaluated from arrays against what Blender evaluates, bit by bit."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
import random_rigs
from parity import note

from skelkin_py.blender import Armature, read_channels

INHERIT_SCALE = ("FULL", "FIX_SHEAR", "ALIGNED", "AVERAGE", "NONE", "NONE_LEGACY")
SEEDS = range(8)


def mixed_rig(seed, count):
    """Return a random rig whose bones inherit in every way; every other seed has mirrored bones."""
    rng = np.random.default_rng(seed)
    rig = random_rigs.random_rig(rng, count, scale=0.4)
    for bone in rig.data.bones:
        bone.inherit_scale = str(rng.choice(INHERIT_SCALE))
        bone.use_inherit_rotation = bool(rng.random() < 0.7)
        bone.use_local_location = bool(rng.random() < 0.7)
    if seed % 2:
        for bone in rig.pose.bones:
            bone.scale = np.array(bone.scale) * rng.choice([1, 1, -1], 3)
    bpy.context.view_layer.update()
    return rig


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


def test_objects_that_are_no_armatures_and_edit_mode_are_named():
    empty = bpy.data.objects.new("Empty", None)
    for read in (Armature.from_bpy, read_channels):
        with pytest.raises(TypeError, match="ob is 'Empty' of type EMPTY: an armature object is needed"):
            read(empty)
        with pytest.raises(TypeError, match="ob is 3 of type int"):
            read(3)
    rig = random_rigs.random_rig(np.random.default_rng(0), 2)
    bpy.ops.object.mode_set(mode="EDIT")
    with pytest.raises(ValueError, match="in Edit Mode"):
        Armature.from_bpy(rig)
