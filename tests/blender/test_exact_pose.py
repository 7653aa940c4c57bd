# SPDX-License-Identifier: MIT
"""Poses evaluated from arrays against what Blender evaluates, bit by bit."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
import random_rigs

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
