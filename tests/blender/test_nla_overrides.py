# SPDX-License-Identifier: MIT
"""Strips of the NLA on overridden armatures: linked strips and strips added in the file, on and off to the last bit."""

from __future__ import annotations

import bpy
import keys
import pytest
import rigs
import stepping
from linking import current, overridden, reload

pytestmark = pytest.mark.usefixtures("addon")

FRAMES = range(1, 61)


def strip_with(ob, action, start: int):
    """Give the object a track with a strip of the action."""
    track = (ob.animation_data or ob.animation_data_create()).nla_tracks.new()
    strip = track.strips.new(action.name, start, action)
    if keys.SLOTS and strip.action_slot is None:
        strip.action_slot = action.slots[0]
    return strip


def linked_strips(path):
    """An override of a character whose walk is in a strip of its file, with no action above it."""
    walk = rigs.mixamo_walk(frames=40)
    strip_with(walk.object, walk.action, 11)
    walk.object.animation_data.action = None
    bpy.ops.wm.save_as_mainfile(filepath=str(path / "character.blend"), check_existing=False)
    return overridden(path / "character.blend", walk.object.name).name


def linked_strips_below_an_action(path):
    """The same, and an action of the file that links it, which turns the pelvis."""
    name = linked_strips(path)
    ob = current(name)
    keys.new_action(ob, "Above")
    bone = ob.pose.bones["mixamorig:LeftForeArm"]
    for frame, turn in ((1, 0.0), (50, 0.3)):
        bone.rotation_quaternion = (1.0, turn, 0.0, 0.0)
        bone.keyframe_insert("rotation_quaternion", frame=frame)
    return name


def own_strips(path):
    """An override of a character; its linked walk is in a strip that was added to the override."""
    walk = rigs.mixamo_walk(frames=40)
    bpy.ops.wm.save_as_mainfile(filepath=str(path / "character.blend"), check_existing=False)
    name = overridden(path / "character.blend", walk.object.name).name
    ob = current(name)
    action = ob.animation_data.action
    strip_with(ob, action, 11)
    ob.animation_data.action = None
    return name


SITUATIONS = [linked_strips, linked_strips_below_an_action, own_strips]


def made(situation, path) -> str:
    """Return the name of the override, once it plays."""
    name = situation(path)
    bpy.context.scene.frame_set(3)
    bpy.context.view_layer.update()
    return name


def state(name: str) -> tuple:
    """Return poses on all frames, and what plays how."""
    ob = current(name)
    poses = stepping.pose_bits(ob, FRAMES)
    data = ob.animation_data
    tracks = [
        [(strip.name, strip.action.name, strip.frame_start, strip.frame_end, strip.mute) for strip in track.strips]
        for track in data.nla_tracks
    ]
    use = data.action_blend_type, data.action_influence, data.action_extrapolation
    return poses, data.action.name if data.action else None, use, tracks


@pytest.mark.parametrize("situation", SITUATIONS)
def test_off_is_exact_and_on_again_the_same(tmp_path, situation):
    name = made(situation, tmp_path)
    before = state(name)
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    on = stepping.pose_bits(current(name), FRAMES)
    assert on != before[0]
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert state(name) == before
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert stepping.pose_bits(current(name), FRAMES) == on
    assert bpy.ops.skelkin.remove() == {"FINISHED"}
    assert state(name) == before


@pytest.mark.parametrize("situation", SITUATIONS)
def test_saved_while_on_it_is_off_exactly_after_opening(tmp_path, situation):
    name = made(situation, tmp_path)
    before = state(name)
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    on = stepping.pose_bits(current(name), FRAMES)
    reload(tmp_path / "shot.blend")
    assert stepping.pose_bits(current(name), FRAMES) == on
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert state(name) == before
    reload(tmp_path / "shot.blend")
    assert state(name) == before
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert stepping.pose_bits(current(name), FRAMES) == on
