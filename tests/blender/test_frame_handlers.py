# SPDX-License-Identifier: MIT
"""Functions of other add-ons that run on every change of frame: those that move nothing cost little."""

from __future__ import annotations

import math
import sys
import tracemalloc
from itertools import pairwise

import bpy
import numpy as np
import pytest
import rigs
import stepping

pytestmark = pytest.mark.usefixtures("addon")


@pytest.fixture
def on_frames():
    """Let a function run on every change of frame, until the test is over."""
    added = []

    def add(function):
        bpy.app.handlers.frame_change_post.append(function)
        added.append(function)
        return function

    yield add
    for function in added:
        bpy.app.handlers.frame_change_post.remove(function)


@pytest.fixture
def counted(on_frames):
    """Count the changes of frame."""
    frames = []
    on_frames(lambda scene, *_: frames.append(scene.frame_current))
    return frames


def plant(capfd, **options):
    capfd.readouterr()
    assert bpy.ops.skelkin.leg_ik(**options) == {"FINISHED"}
    return capfd.readouterr().out


def test_a_handler_that_moves_nothing_leaves_curve_reading_and_is_named(counted, capfd):
    walk = rigs.mixamo_walk(frames=400)
    said = plant(capfd)
    assert "400 frames read from F-curves; frame handlers of test_frame_handlers do not move" in said
    assert 8 * 4 <= len(counted) < 120
    assert walk.object.animation_data.action != walk.action


def test_a_handler_is_compared_in_runs_with_ends_of_contacts(counted):
    walk = rigs.mixamo_walk(frames=400)
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    in_order = {first for first, second in pairwise(counted) if second == first + 1}
    assert len(in_order) >= 8 * 3
    ends = {m.frame for m in walk.object.animation_data.action.pose_markers}
    assert len(ends & set(counted)) >= 6


def test_a_handler_that_moves_the_armature_makes_the_scene_be_stepped_in_order(counted, on_frames, capfd):
    walk = rigs.mixamo_walk(frames=90)
    name = walk.object.name

    def sway(scene, *_):
        bpy.data.objects[name].location[0] = 0.05 * math.sin(scene.frame_current / 9)

    on_frames(sway)
    said = plant(capfd)
    assert "read by stepping the scene (" in said
    assert "frame handlers of test_frame_handlers" in said
    begin = max(i for i in range(len(counted) - 89) if counted[i] == 1 and counted[i : i + 90] == list(range(1, 91)))
    assert begin >= 0


def sprung(move):
    """Return a handler that lags behind in playback, and not in isolated frames."""
    state = {"frame": None, "lag": 0.0}

    def spring(scene, *_):
        frame = scene.frame_current
        state["lag"] = min(state["lag"] + 0.05, 0.2) if state["frame"] == frame - 1 else 0.0
        state["frame"] = frame
        move(state["lag"])

    return spring


def test_a_spring_that_starts_anew_after_jumps_is_seen_in_runs(on_frames, capfd):
    walk = rigs.mixamo_walk(frames=90)
    name = walk.object.name

    def move(lag):
        bpy.data.objects[name].location[0] = 0.1 * lag

    on_frames(sprung(move))
    assert "read by stepping the scene (frame handlers of test_frame_handlers move the bones)" in plant(capfd)


def test_a_spring_of_a_bone_with_keys_is_named_and_refused(on_frames):
    walk = rigs.mixamo_walk(frames=90)
    name, thigh = walk.object.name, walk.legs["L"][0]

    def move(lag):
        bpy.data.objects[name].pose.bones[thigh].rotation_quaternion[1] += lag

    on_frames(sprung(move))
    with pytest.raises(RuntimeError, match="frame handlers of test_frame_handlers"):
        bpy.ops.skelkin.leg_ik()
    assert walk.object.animation_data.action == walk.action


def test_a_handler_that_moves_what_is_written_is_named_and_refused(on_frames):
    walk = rigs.mixamo_walk()
    name, thigh = walk.object.name, walk.legs["L"][0]

    def kick(scene, *_):
        bpy.data.objects[name].pose.bones[thigh].rotation_quaternion[1] += 0.2 * math.sin(scene.frame_current)

    on_frames(kick)
    with pytest.raises(RuntimeError, match="frame handlers of test_frame_handlers"):
        bpy.ops.skelkin.leg_ik()
    assert walk.object.animation_data.action == walk.action


def test_curves_and_step_are_chosen_whatever_handlers_do(on_frames, counted, capfd):
    walk = rigs.mixamo_walk()
    assert "60 frames read from F-curves\n" in plant(capfd, read="CURVES")
    assert len(counted) < 20
    on = stepping.pose_bits(walk.object, walk.frames)
    assert "by stepping the scene (as chosen)" in (plant(capfd), plant(capfd, read="STEP"))[1]
    np.testing.assert_allclose(
        *(np.frombuffer(b"".join(bits), np.float32) for bits in (on, stepping.pose_bits(walk.object, walk.frames))),
        atol=2e-3,
    )


def test_curves_alone_are_refused_where_they_do_not_tell():
    walk = rigs.mixamo_walk(root_motion="object")
    with pytest.raises(RuntimeError, match=r"Curves do not show how .* moves \(the animation of"):
        bpy.ops.skelkin.leg_ik(read="CURVES")
    assert walk.object.animation_data.action == walk.action


def test_stepping_takes_memory_for_the_bones_of_legs_alone(addon):
    walk = rigs.mixamo_walk(frames=60)
    ob = walk.object
    bpy.ops.object.mode_set(mode="EDIT")
    for index in range(600):
        bone = ob.data.edit_bones.new(f"Hair{index}")
        bone.head, bone.tail = (0, 0, index), (0, 1, index)
    bpy.ops.object.mode_set(mode="OBJECT")
    names = ("bridge.poses", "bridge.native", "core.steps")
    poses, native, steps = (sys.modules[f"{addon.__name__}.{name}"] for name in names)
    package = native.load()
    bones = package.blender.Armature.from_bpy(ob)
    armature = package.blender.sub_armature(bones, walk.legs["L"][:3])
    frames = np.arange(1, 501)
    tracemalloc.start()
    try:
        read = steps.finished(poses.read_steps(bpy.context, ob, armature, frames, (), 1))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert read.pose.shape == (500, len(armature.names), 4, 4)
    every = len(ob.pose.bones) * len(frames) * 16 * 4
    assert peak < every / 10
