# SPDX-License-Identifier: MIT
"""States in which nothing can be planted: a message that names what and where, and an untouched scene."""

from __future__ import annotations

from types import SimpleNamespace

import bpy
import keys
import numpy as np
import pytest
import rigs
import stepping

pytestmark = pytest.mark.usefixtures("addon")


def refusal(operator=None, **options):
    """Return what the operator says when it refuses."""
    with pytest.raises(RuntimeError) as caught:
        (operator or bpy.ops.skelkin.leg_ik)(**options)
    return str(caught.value)


def untouched(walk, before):
    """Whether everything is as it was."""
    assert len(bpy.data.actions) == 1
    assert walk.object.animation_data.action == walk.action
    assert len(walk.object.skelkin_legs) == 0
    assert stepping.pose_bits(walk.object, walk.frames) == before


def test_nothing_selected():
    assert "Select an armature" in refusal()
    assert "Select an armature" in refusal(bpy.ops.skelkin.find_legs)


def test_edit_mode():
    rigs.mixamo_walk()
    bpy.ops.object.mode_set(mode="EDIT")
    assert "Edit Mode" in refusal()


def test_rest_position():
    walk = rigs.mixamo_walk()
    walk.object.data.pose_position = "REST"
    assert "Rest Position" in refusal()


def test_no_action():
    walk = rigs.mixamo_walk()
    walk.object.animation_data_clear()
    assert "has no action" in refusal()


def push_down(walk):
    data = walk.object.animation_data
    track = data.nla_tracks.new()
    track.strips.new("Walk", 1, walk.action)
    data.action = None
    return track


def test_no_action_and_muted_strips():
    walk = rigs.mixamo_walk()
    push_down(walk).mute = True
    assert "has no action" in refusal()


def test_nla_tweak_mode():
    walk = rigs.mixamo_walk()
    track = push_down(walk)
    track.strips[0].select = True
    data = walk.object.animation_data
    data.nla_tracks.active = track
    data.use_tweak_mode = True
    if not data.use_tweak_mode:
        pytest.fail("tweak mode could not be entered")
    assert "NLA tweak mode" in refusal()
    data.use_tweak_mode = False


def test_an_action_without_keys():
    walk = rigs.mixamo_walk()
    keys.new_action(walk.object, "Empty")
    assert "Empty has no keys" in refusal()


def test_no_slot_assigned():
    walk = rigs.mixamo_walk()
    if not keys.SLOTS:
        assert bpy.app.version < (4, 4)
        return
    walk.object.animation_data.action_slot = None
    assert "choose a slot" in refusal()


def test_a_driven_leg_bone_is_named():
    walk = rigs.mixamo_walk()
    bone = walk.legs["L"][0]
    walk.object.pose.bones[bone].driver_add("rotation_quaternion", 1).driver.expression = "0.1"
    before = stepping.pose_bits(walk.object, walk.frames)
    said = refusal()
    assert bone in said
    assert "driver" in said
    untouched(walk, before)


def test_a_skeleton_without_legs():
    bpy.ops.object.armature_add()
    ob = bpy.context.object
    keys.new_action(ob, "Move")
    keys.write(ob, "location", np.array([1, 20]), np.array([[0, 0, 0], [1, 0, 0]]))
    assert "No legs found" in refusal(bpy.ops.skelkin.find_legs)
    assert "No legs found" in refusal()
    assert len(bpy.data.actions) == 1


def test_a_pose_that_is_not_finite_is_refused_with_its_frame():
    walk = rigs.mixamo_walk()
    path = keys.bone_path(walk.pelvis, "location")
    curve = next(c for c in keys.fcurves(walk.object) if c.data_path == path)
    curve.keyframe_points[20].co[1] = float("nan")
    curve.update()
    said = refusal()
    assert "finite" in said
    assert len(bpy.data.actions) == 1


def test_a_missing_native_module_is_said_by_every_operator(addon, monkeypatch):
    rigs.mixamo_walk()
    native = __import__(f"{addon.__name__}.bridge.native", fromlist=["native"])
    monkeypatch.setattr(native, "_problem", "Native module skelkin_py is missing: restart Blender")
    monkeypatch.setattr(native, "_module", None)
    for operator in (bpy.ops.skelkin.find_legs, bpy.ops.skelkin.leg_ik):
        assert "skelkin_py is missing" in refusal(operator)


@pytest.mark.parametrize(
    ("files", "said"),
    [
        (None, "skelkin_py is missing"),
        ({}, "nothing compiled for"),
        ({"_core.abi3.so": ""}, "found skelkin_py of an unknown version"),
        (
            {"_core.abi3.so": "", "_support/version.py": '__version__ = "0.0.1"'},
            "found skelkin_py 0.0.1: restart Blender",
        ),
    ],
)
def test_what_is_wrong_with_an_installed_native_module_is_said(addon, monkeypatch, tmp_path, files, said):
    native = __import__(f"{addon.__name__}.bridge.native", fromlist=["native"])
    for name, text in (files or {}).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    found = None if files is None else SimpleNamespace(submodule_search_locations=[str(tmp_path)])
    monkeypatch.setattr(native.importlib.util, "find_spec", lambda name: found)
    monkeypatch.setattr(native, "_found_name", lambda: "not_imported")
    monkeypatch.setattr(native, "_problem", None)
    monkeypatch.setattr(native, "_module", None)
    with pytest.raises(native.NativeError, match=said):
        native.load()


def test_values_of_properties_that_are_gone_are_none_and_setting_them_does_nothing(addon):
    values = __import__(f"{addon.__name__}.bridge.values", fromlist=["values"])
    bpy.ops.object.armature_add()
    ob = bpy.context.object
    ob["pair"] = [1.0, 2.0]
    values.set_value(ob, '["pair"]', 1, 5.0)
    assert list(ob["pair"]) == [1.0, 5.0]
    assert values.all_values(ob, '["pair"]') == [1.0, 5.0]
    assert values.all_values(ob, "name") is None
    for path in ("gone", '["gone"]', 'constraints["gone"].influence'):
        assert values.get_value(ob, path, 0) is None
        values.set_value(ob, path, 0, 1.0)
        assert values.get_value(ob, path, 0) is None


def test_legs_whose_bones_were_renamed_are_named():
    walk = rigs.mixamo_walk()
    assert bpy.ops.skelkin.find_legs() == {"FINISHED"}
    walk.object.data.bones[walk.legs["L"][1]].name = "Other"
    assert walk.legs["L"][1] in refusal()


@pytest.mark.parametrize("read", ["CURVES", "STEP"])
def test_a_scene_that_stretches_time_gets_the_keys_it_would_get_without(read):
    def planted(stretch):
        walk, scene = rigs.mixamo_walk(), bpy.context.scene
        scene.render.frame_map_new = 100 * stretch
        scene.frame_start, scene.frame_end = stretch, 60 * stretch
        off = stepping.pose_bits(walk.object, walk.frames)
        assert bpy.ops.skelkin.leg_ik(read=read, frames="SCENE") == {"FINISHED"}
        action = walk.object.animation_data.action
        found = keys.digest(walk.object, action), [(item.first, item.last) for item in action.skelkin.contacts]
        assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
        assert stepping.pose_bits(walk.object, walk.frames) == off
        assert scene.render.frame_map_new == 100 * stretch
        return found

    wanted = planted(1)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    assert planted(2) == wanted


def test_a_foot_is_dragged_and_contacts_are_edited_where_a_stretched_scene_shows_them():
    walk = rigs.mixamo_walk()
    scene = bpy.context.scene
    scene.render.frame_map_new = 200
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    scene.frame_set(50)
    bpy.ops.object.mode_set(mode="POSE")
    bone = walk.object.pose.bones[walk.legs["L"][2]]
    walk.object.data.bones.active = bone.bone
    place = walk.object.matrix_world @ bone.head
    assert bpy.ops.skelkin.drag_foot("EXEC_DEFAULT", move=(0.0, 0.0, 0.05)) == {"FINISHED"}
    mark = walk.object.animation_data.action.skelkin
    assert mark.foot_edits[0].frame == 25
    scene.frame_set(50)
    assert (walk.object.matrix_world @ bone.head - place).z == pytest.approx(0.05, abs=1e-4)
    mark.contact = next(k for k, item in enumerate(mark.contacts) if item.first < 25 < item.last)
    assert bpy.ops.skelkin.contact_end(end="LAST") == {"FINISHED"}
    assert mark.contacts[mark.contact].last == 25
    scene.frame_set(51)
    with pytest.raises(RuntimeError, match="Go to a whole frame first"):
        bpy.ops.skelkin.drag_foot("EXEC_DEFAULT", move=(0.0, 0.0, 0.05))
