# SPDX-License-Identifier: MIT
"""Bones that are renamed while Leg IK is on: the original follows, and moves them as before when it is off."""

from __future__ import annotations

import json
import sys

import bpy
import keys
import numpy as np
import pytest
import rigs
import stepping

pytestmark = pytest.mark.usefixtures("addon")


def rename(walk, *pairs):
    for old, new in pairs:
        walk.object.data.bones[old].name = new


def mark_of(walk):
    return walk.object.animation_data.action.skelkin


@pytest.mark.parametrize("which", ["leg", "spine", "both", "pelvis and toe"])
def test_off_moves_renamed_bones_as_before(which, capfd):
    walk = rigs.mixamo_walk()
    for curve in list(keys.fcurves(walk.object)):  # a bone that only the planted action animates
        if f'"{walk.legs["L"][2]}"' in curve.data_path:
            keys.fcurves(walk.object).remove(curve)
    walk.object.pose.bones[walk.legs["L"][2]].rotation_quaternion = (0.99, 0.1, 0.0, 0.0)
    leg = [(walk.legs["L"][k], name) for k, name in enumerate(('Thigh "1"', "Shin", "Foot"))]
    pairs = {
        "leg": leg,
        "spine": [("mixamorig:Spine1", "Back")],
        "both": [*leg, ("mixamorig:Spine1", "Back"), ("mixamorig:Head", "Skull")],
        "pelvis and toe": [(walk.pelvis, "Root"), (walk.legs["R"][3], "Ball")],
    }[which]
    before = stepping.pose_bits(walk.object, walk.frames)
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    on = stepping.pose_bits(walk.object, walk.frames)
    rename(walk, *pairs)
    assert stepping.pose_bits(walk.object, walk.frames) == on
    capfd.readouterr()
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert "Warning" not in capfd.readouterr().out
    assert stepping.pose_bits(walk.object, walk.frames) == before
    assert walk.object.animation_data.action == walk.action
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert not mark_of(walk).source_changed
    assert stepping.pose_bits(walk.object, walk.frames) == on


def test_update_plants_renamed_bones_and_sees_no_edits():
    walk = rigs.mixamo_walk()
    before = stepping.pose_bits(walk.object, walk.frames)
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    on = stepping.world_heads(walk.object, [b.name for b in walk.object.pose.bones], walk.frames)
    rename(walk, (walk.legs["L"][1], "Shin"), (walk.legs["R"][1], "Shin.R"))
    assert bpy.ops.skelkin.update() == {"FINISHED"}
    assert len(bpy.data.actions) == 2
    assert {"Shin", "Shin.R"} <= {item.bone for item in mark_of(walk).channels}
    again = stepping.world_heads(walk.object, [b.name for b in walk.object.pose.bones], walk.frames)
    np.testing.assert_allclose(again, on, atol=1e-5)
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert stepping.pose_bits(walk.object, walk.frames) == before


def test_an_original_that_another_armature_plays_keeps_its_names_and_it_is_said(capfd):
    walk = rigs.mixamo_walk()
    other = walk.object.copy()
    other.data = walk.object.data.copy()
    bpy.context.scene.collection.objects.link(other)
    if keys.SLOTS:
        other.animation_data.action_slot = walk.object.animation_data.action_slot
    others = stepping.pose_bits(other, walk.frames)
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    rename(walk, (walk.legs["L"][1], "Shin"))
    capfd.readouterr()
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert f"Walk is played by {other.name} too: it does not move Shin" in capfd.readouterr().out
    assert stepping.pose_bits(other, walk.frames) == others


def test_a_bone_that_was_removed_is_named_when_switching_off(capfd):
    walk = rigs.mixamo_walk()
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    bpy.ops.object.mode_set(mode="EDIT")
    walk.object.data.edit_bones.remove(walk.object.data.edit_bones["mixamorig:Head"])
    bpy.ops.object.mode_set(mode="OBJECT")
    capfd.readouterr()
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert "animates mixamorig:Head, which are gone" in capfd.readouterr().out


def test_no_bone_gets_a_property_and_an_override_one_for_the_record_alone():
    walk = rigs.mixamo_walk()
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert not any(name.startswith("skelkin") for name in bpy.types.PoseBone.bl_rna.properties.keys())  # noqa: SIM118
    assert not any(bone.keys() for bone in walk.object.pose.bones)
    assert len(walk.object.skelkin_kept_pose) > 100
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert walk.object.skelkin_kept_pose == ""


def test_clean_up_removes_what_a_deleted_armature_left_and_nothing_else():
    gone, kept = rigs.mixamo_walk(), rigs.human_metarig_walk()
    for walk in (gone, kept):
        bpy.context.view_layer.objects.active = walk.object
        assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    playing, source = kept.object.animation_data.action, gone.action
    left_over = gone.object.animation_data.action.name
    bpy.data.objects.remove(gone.object)
    assert bpy.ops.skelkin.clean_up() == {"FINISHED"}
    assert left_over not in bpy.data.actions
    assert not source.use_fake_user
    assert not source.skelkin.holds_fake_user
    assert kept.object.animation_data.action == playing
    assert kept.action.use_fake_user
    with pytest.raises(RuntimeError, match="nothing to clean up"):
        bpy.ops.skelkin.clean_up()
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert bpy.ops.skelkin.clean_up.poll()


def test_clean_up_leaves_a_copy_that_waits_while_the_switch_is_off():
    walk = rigs.mixamo_walk()
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    with pytest.raises(RuntimeError, match="nothing to clean up"):
        bpy.ops.skelkin.clean_up()
    assert walk.object.skelkin_planted is not None


def test_bones_that_are_renamed_while_it_is_off_are_planted_anew_when_it_goes_on():
    walk = rigs.mixamo_walk()
    before = stepping.pose_bits(walk.object, walk.frames)
    assert bpy.ops.skelkin.leg_ik(ground="HEIGHT", ground_height=0.01) == {"FINISHED"}
    on = stepping.pose_bits(walk.object, walk.frames)
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    rename(walk, (walk.legs["L"][1], "Shin"), ("mixamorig:Spine1", "Back"))
    assert bpy.ops.skelkin.find_legs() == {"FINISHED"}
    assert "Shin" in {leg.knee for leg in walk.object.skelkin_legs}
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert stepping.pose_bits(walk.object, walk.frames) == on
    assert len(bpy.data.actions) == 2
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert stepping.pose_bits(walk.object, walk.frames) == before


def test_the_panel_tells_the_keys_of_a_foot_that_was_renamed(addon):
    walk = rigs.mixamo_walk()
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    keyed = json.loads(mark_of(walk).methods)
    rename(walk, (walk.legs["L"][2], "Foot"))
    follow = sys.modules[f"{addon.__name__}.bridge.renaming"].follow_names
    assert follow(walk.object) == []
    assert json.loads(mark_of(walk).methods) == {name.replace(walk.legs["L"][2], "Foot"): keyed[name] for name in keyed}
