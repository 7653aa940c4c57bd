# SPDX-License-Identifier: MIT
"""F-curves evaluated from arrays against ``fcurve.evaluate`` and against the animated armature."""

from __future__ import annotations

import sys
from pathlib import Path

import bpy
import keys
import numpy as np
import pytest
import random_rigs
from extent import seeds
from mathutils import Vector
from parity import note
from random_curves import EASINGS, INTERPOLATIONS, random_curves

from skelkin_py.blender import Armature, read_action, read_channels

sys.path.append(str(Path(__file__).resolve().parents[1] / "golden"))
import record_fcurves

BOUND = 1e-6
COMPAT = "4.2" if bpy.app.version >= (4, 2) else "3.4"
SEEDS = seeds(8)


def relative(ours, live):
    """Return the largest difference, relative to the largest live value."""
    return float(np.abs(live - ours).max() / max(np.abs(live).max(), np.finfo(np.float32).tiny))


def error(curve, ours, frames):
    """Return the largest difference from live evaluation, relative to the curve's largest value."""
    return relative(ours, np.array([curve.evaluate(float(frame)) for frame in frames]))


@pytest.mark.parametrize("path", [path for path in [record_fcurves.golden_file()] if path.is_file()])
def test_the_recorded_curves_are_those_that_recording_makes(path):
    with np.load(path) as file:
        kept = dict(file)
    made = record_fcurves.record()
    assert {name: array.dtype for name, array in made.items()} == {name: array.dtype for name, array in kept.items()}
    for name, array in made.items():
        if array.dtype.kind == "f":  # the system's own sines may differ in the last bit
            np.testing.assert_allclose(kept[name], array, rtol=1e-6, atol=1e-12)
        else:
            assert np.array_equal(kept[name], array), name


def empty_object():
    target = bpy.data.objects.new("Empty", None)
    bpy.context.scene.collection.objects.link(target)
    return target


@pytest.mark.parametrize("seed", SEEDS)
def test_random_curves_are_what_blender_evaluates(seed):
    target = empty_object()
    curves, frames = random_curves(np.random.default_rng(seed), target, "location", 60)
    read = read_action(target)
    assert read.names == tuple(("location", index) for index in range(60))
    worst = max(error(c, read.evaluate(f, compat=COMPAT)[:, i], f) for i, (c, f) in enumerate(zip(curves, frames)))
    note("F-curves", worst, BOUND)


@pytest.mark.parametrize("interpolation", INTERPOLATIONS)
def test_every_easing_on_a_dense_grid(interpolation):
    target = empty_object()
    keys.new_action(target, "Easing")
    curves = []
    for numbers in ((1.70158, 0.0, 0.0), (-1.5, 0.8, 4.1), (0.0, 5.0, 3.0), (4.0, 1.5, -7.0)):
        for easing in EASINGS:
            curve = keys.fcurves(target).new("location", index=len(curves))
            curve.keyframe_points.add(2)
            for key, place in zip(curve.keyframe_points, ((-2.3, 2.0), (10.1, -1.4))):
                key.co, key.interpolation, key.easing = place, interpolation, easing
                key.back, key.amplitude, key.period = numbers
            curves.append(curve)
    frames = np.linspace(-3, 11, 281, dtype=np.float32)
    ours = read_action(target).evaluate(frames)
    note("F-curves, easing", max(error(c, ours[:, i], frames) for i, c in enumerate(curves)), BOUND)


def test_handles_that_make_the_cubic_degenerate():
    rng = np.random.default_rng(0)
    target = empty_object()
    keys.new_action(target, "Degenerate")
    curves = []
    for right, left in (
        (1.5, 0),
        (0, 2),
        (2, 3),
        (0, 0),
        (1 / 3, 1 / 3),
        (1, 1),
        (0.5, 0.5),
        (1 / 3, 1),
        (-0.4, 1),
    ) * 5:
        start, span = rng.uniform(-50, 50), rng.choice([1.0, 3.1, 10.0])
        curve = keys.fcurves(target).new("location", index=len(curves))
        curve.keyframe_points.add(2)
        for key, time in zip(curve.keyframe_points, (start, start + span)):
            key.handle_left_type = key.handle_right_type = "FREE"
            key.co, key.interpolation = (time, rng.normal()), "BEZIER"
        first, last = curve.keyframe_points
        first.handle_right = (start + right * span, rng.normal())
        last.handle_left = (start + span - left * span, rng.normal())
        curves.append(curve)
    read = read_action(target)
    frames = [np.linspace(*curve.range(), 83, dtype=np.float32) for curve in curves]
    worst = max(error(c, read.evaluate(f)[:, i], f) for i, (c, f) in enumerate(zip(curves, frames)))
    note("F-curves", worst, BOUND)


def test_curves_on_few_keys():
    target = empty_object()
    keys.new_action(target, "Few")
    none, one, two = (keys.fcurves(target).new("location", index=index) for index in range(3))
    one.keyframe_points.insert(3, 4)
    two.keyframe_points.add(2)
    two.keyframe_points.foreach_set("co", [5, 1, 5, 2])
    frames = [-1.0, 3.0, 5.0, 5.00005, 9.0]
    read = read_action(target)
    assert none.is_empty
    assert [index for _, index in read.names] == [1, 2]
    for column, curve in enumerate((one, two)):
        assert read.evaluate(frames)[:, column].tolist() == [curve.evaluate(frame) for frame in frames]


def test_samples_are_linear_keys():
    target = empty_object()
    keys.new_action(target, "Action")
    keys.write(target, "location", np.arange(0, 50, 10), np.random.default_rng(0).normal(size=(5, 3)))
    curves = list(keys.fcurves(target))
    for curve in curves:
        curve.convert_to_samples(-2, 45)
    frames = np.concatenate([np.arange(-5, 0), np.linspace(0, 50, 200)]).astype(np.float32)
    ours = read_action(target).evaluate(frames)
    assert max(error(c, ours[:, i], frames) for i, c in enumerate(curves)) <= BOUND


def test_muted_curves_and_groups_are_left_out_and_other_modifiers_named():
    target = empty_object()
    keys.new_action(target, "Action")
    keys.write(target, "location", np.arange(3), np.ones((3, 3)))
    curves = keys.fcurves(target)
    curves[1].mute = True
    noise = curves[2].modifiers.new("NOISE")
    with pytest.raises(ValueError, match=r"the curve location\[2\] has the modifier NOISE"):
        read_action(target)
    noise.mute = True
    assert [index for _, index in read_action(target).names] == [0, 2]


def test_actions_and_slots_are_chosen():
    target = empty_object()
    with pytest.raises(TypeError, match=r"source is .* of type Vector: an object or an action is needed"):
        read_action(Vector())
    with pytest.raises(ValueError, match="'Empty', which plays no action"):
        read_action(target)
    keys.new_action(target, "First")
    keys.write(target, "location", np.arange(3), np.arange(9).reshape(3, 3))
    action = target.animation_data.action
    assert read_action(action).evaluate([1]).tolist() == [[3, 4, 5]]
    if not keys.SLOTS:
        return
    first = target.animation_data.action_slot
    other = action.slots.new(id_type="OBJECT", name="Other")
    with pytest.raises(ValueError, match="'First' with the slots OBEmpty, OBOther"):
        read_action(action)
    assert len(read_action(action, other)) == 0
    assert len(read_action(action, first)) == 3
    target.animation_data.action_slot = None
    assert len(read_action(target)) == 0


@pytest.mark.parametrize("seed", SEEDS[:4])
def test_channels_are_those_of_the_animated_armature(seed):
    rng = np.random.default_rng(seed)
    rig = random_rigs.random_rig(rng, 12)
    rig.pose.bones[3].name = 'odd "name" \\ of\tone'
    sizes = {"location": 3, "scale": 3, "rotation_quaternion": 4, "rotation_euler": 3, "rotation_axis_angle": 4}
    keys.new_action(rig, "Walk")
    for bone in rig.pose.bones:
        for channel, size in sizes.items():
            if rng.random() < 0.7:
                frames = np.sort(rng.choice(np.arange(-20, 60), 6, replace=False))
                kind = str(rng.choice(["BEZIER", "LINEAR"]))
                path, values = keys.bone_path(bone.name, channel), rng.normal(size=(6, size))
                keys.write(rig, path, frames, values, interpolation=kind)
    for curve in list(keys.fcurves(rig))[::5]:
        curve.modifiers.new("CYCLES").mode_after = "REPEAT_OFFSET"
    bpy.context.scene.frame_set(0)
    armature, curves = Armature.from_bpy(rig), read_action(rig)
    assert curves.keys.size
    frames = [-30.0, 0.0, 7.25, 33.0, 200.5]
    channels = curves.channels(armature, frames, compat=COMPAT)
    poses = armature.pose(**channels, exact=True)
    worst = [0.0, 0.0]
    for row, frame in enumerate(frames):
        bpy.context.scene.frame_set(int(np.floor(frame)), subframe=frame % 1)
        live = read_channels(rig)
        assert channels["rotation_mode"] == live["rotation_mode"]
        for name in ("location", "rotation", "scale"):
            worst[0] = max(worst[0], relative(channels[name][row], live[name]))
        worst[1] = max(worst[1], relative(poses[row], np.array([bone.matrix for bone in rig.pose.bones])))
    note("actions to channels", worst[0], BOUND)
    note("actions to poses", worst[1], BOUND)


def test_linked_actions_are_read_whole(tmp_path):
    target = empty_object()
    curves, frames = random_curves(np.random.default_rng(11), target, "location", 20)
    values = [[curve.evaluate(float(frame)) for frame in each] for curve, each in zip(curves, frames)]
    path = str(tmp_path / "curves.blend")
    bpy.data.libraries.write(path, {target.animation_data.action})
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    with bpy.data.libraries.load(path, link=True) as (stored, linked):
        linked.actions = stored.actions
    read = read_action(bpy.data.actions[0])
    assert bpy.data.actions[0].library is not None
    for column, (each, live) in enumerate(zip(frames, values)):
        assert relative(read.evaluate(each, compat=COMPAT)[:, column], np.array(live)) <= BOUND


def test_curves_with_other_modifiers_can_be_sampled():
    target = empty_object()
    keys.new_action(target, "Action")
    keys.write(target, "location", np.arange(3), np.arange(9).reshape(3, 3), interpolation="BEZIER")
    curves = keys.fcurves(target)
    curves[1].modifiers.new("NOISE")
    curves[1].modifiers.new("STEPPED")
    curves[1].extrapolation = "LINEAR"
    frames = np.arange(-5, 9)
    ours = read_action(target, sampled_on=frames).evaluate(frames)
    live = np.array([[curve.evaluate(frame) for curve in curves] for frame in frames])
    assert np.array_equal(ours[:, 1], live[:, 1].astype(np.float32))
    assert relative(ours, live) <= BOUND
    with pytest.raises(ValueError, match=r"sampled_on has shape \(\): expected \(F,\)"):
        read_action(target, sampled_on=3)


def test_only_the_curves_of_some_bones_are_read():
    rig = random_rigs.random_rig(np.random.default_rng(0), 3)
    first, second = (bone.name for bone in list(rig.pose.bones)[:2])
    keys.new_action(rig, "Walk")
    for path in (keys.bone_path(first, "location"), keys.bone_path(second, "location"), "location"):
        keys.write(rig, path, np.arange(3), np.ones((3, 3)))
    names = tuple((keys.bone_path(second, "location"), index) for index in range(3))
    assert read_action(rig, bones=[second]).names == names
    assert len(read_action(rig)) == 9
