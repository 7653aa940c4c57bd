# SPDX-License-Identifier: MIT
"""Poses read from F-curves are those that Blender evaluates; what else moves the bones is seen and named."""

import sys

import bpy
import numpy as np
import pytest
from keys import bone_path, fcurves, write
from random_rigs import MODES
from rigs import human_metarig_walk, mixamo_walk
from stepping import world_heads


@pytest.fixture
def ways(addon):
    """The add-on's modules: poses by stepping, poses from curves, and the native package."""
    names = ("bridge.poses", "bridge.curve_poses", "core.steps", "bridge.native")
    *modules, native = (sys.modules[f"{addon.__name__}.{name}"] for name in names)
    return *modules, native.load()


def both(ways, walk, frames):
    poses, curve_poses, steps, package = ways
    bones = package.blender.Armature.from_bpy(walk.object)
    names = set(bones.names)
    assert curve_poses.obstacle(bpy.context, walk.object, names) == ""
    watched = tuple(sorted(walk.leg_bones))
    asked = walk.object, bones, frames, watched, int(frames[0])
    stepped = steps.finished(poses.read_steps(bpy.context, *asked))
    return stepped, steps.finished(curve_poses.curve_steps(package, *asked))


def agree(stepped, read, leg):
    heads = [world[:, None] @ pose for world, pose in ((stepped.world, stepped.pose), (read.world, read.pose))]
    assert np.linalg.norm(heads[0][..., :3, 3] - heads[1][..., :3, 3], axis=-1).max() <= 1e-5 * leg
    size = np.abs(stepped.pose[..., :3, :3]).max()
    assert np.abs(stepped.pose[..., :3, :3] - read.pose[..., :3, :3]).max() <= 1e-5 * size
    assert stepped.scale == pytest.approx(read.scale, abs=1e-6)
    for name, values in stepped.first_rotation.items():
        assert read.first_rotation[name] == pytest.approx(values, abs=1e-6)


@pytest.mark.parametrize("maker", [human_metarig_walk, mixamo_walk])
def test_both_ways_read_the_same_walk(ways, maker):
    walk = maker()
    agree(*both(ways, walk, np.arange(-3, 70)), walk.leg_length)


def test_both_ways_read_sparse_bezier_keys_cycles_muted_curves_and_unkeyed_channels(ways):
    walk = mixamo_walk()
    curves = list(fcurves(walk.object))
    for curve in curves:
        for index in range(len(curve.keyframe_points) - 2, 0, -1):
            if index % 7:
                curve.keyframe_points.remove(curve.keyframe_points[index], fast=True)
            else:
                curve.keyframe_points[index].interpolation = "BEZIER"
        curve.update()
    curves[5].modifiers.new("CYCLES")
    curves[10].modifiers.new("NOISE")
    curves[15].mute = True
    walk.object.pose.bones["mixamorig:LeftFoot"].location = (1, 2, 3)
    agree(*both(ways, walk, np.arange(-10, 90)), walk.leg_length)


def test_both_ways_read_every_rotation_mode_scale_and_inheritance(ways):
    walk = mixamo_walk(frames=20)
    generator = np.random.default_rng(3)
    frames = np.arange(1, 21)
    inherit = ("FULL", "FIX_SHEAR", "ALIGNED", "AVERAGE", "NONE", "NONE_LEGACY")
    for index, bone in enumerate(walk.object.pose.bones):
        bone.rotation_mode = MODES[index % len(MODES)]
        bone.bone.inherit_scale = inherit[index % 6]
        bone.bone.use_inherit_rotation = index % 5 != 0
        bone.bone.use_local_location = index % 4 != 0
        write(walk.object, bone_path(bone.name, "scale"), frames, generator.uniform(0.8, 1.2, (20, 3)))
        for channel, size in (("rotation_euler", 3), ("rotation_axis_angle", 4)):
            if bone.rotation_mode != "QUATERNION":
                write(walk.object, bone_path(bone.name, channel), frames, generator.uniform(-2, 2, (20, size)))
    bpy.context.view_layer.update()
    agree(*both(ways, walk, frames), walk.leg_length)


def spoil_constraint(walk):
    walk.object.pose.bones[walk.pelvis].constraints.new("LIMIT_LOCATION")
    return "constraint"


def spoil_far_ik(walk):
    walk.object.pose.bones[walk.legs["L"][3]].constraints.new("IK")  # to the root: the pelvis too
    return "constraint"


def spoil_driver(walk):
    walk.object.pose.bones[walk.legs["R"][0]].driver_add("location", 0)
    return "animation"


def spoil_object(walk):
    write(walk.object, "location", np.array([1, 60]), np.array([[0, 0, 0], [1, 0, 0]]))
    return "location"


def spoil_parent(walk):
    walk.object.parent = bpy.data.objects.new("Mover", None)
    bpy.context.scene.collection.objects.link(walk.object.parent)
    walk.object.parent.animation_data_create()
    return "Mover"


def spoil_mode(walk):
    write(walk.object, bone_path(walk.pelvis, "rotation_mode"), np.array([1, 30]), np.array([0.0, 1.0]))
    return "rotation_mode"


def spoil_nla(walk):
    walk.object.animation_data.nla_tracks.new()
    return "NLA"


def spoil_influence(walk):
    walk.object.animation_data.action_influence = 0.5
    return "influence"


SPOILERS = [value for name, value in list(globals().items()) if name.startswith("spoil_")]


@pytest.mark.parametrize("spoil", SPOILERS)
def test_what_else_moves_the_bones_is_named(ways, spoil):
    walk = mixamo_walk()
    word = spoil(walk)
    assert word in ways[1].obstacle(bpy.context, walk.object, walk.leg_bones)


def test_constraints_and_keys_elsewhere_are_none(ways):
    walk = mixamo_walk()
    walk.object.pose.bones["mixamorig:LeftHand"].constraints.new("COPY_ROTATION")
    walk.object["mood"] = 1.0
    write(walk.object, '["mood"]', np.array([1, 30]), np.array([0.0, 1.0]))
    assert ways[1].obstacle(bpy.context, walk.object, walk.leg_bones) == ""


@pytest.mark.parametrize("motion", ["bone", "object", "parent"])
def test_the_switch_holds_the_feet_whichever_way_was_taken(addon, motion):
    walk = mixamo_walk(root_motion=motion)
    bpy.ops.skelkin.find_legs()
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    for side, (_, _, foot, _) in walk.legs.items():
        heads = world_heads(walk.object, [foot], walk.frames)[:, 0]
        for first, last in walk.stance[side]:
            assert np.ptp(heads[first - 1 : last, :2], axis=0).max() <= 0.0005 * walk.leg_length
