# SPDX-License-Identifier: MIT
"""Legs that somebody picks: bones where none were found, edits that stay, files of legs, and the reasons."""

from __future__ import annotations

import json
import sys

import bpy
import keys
import numpy as np
import pytest
import rigs
import stepping
from drawing import draw, operators, sentences, texts

pytestmark = pytest.mark.usefixtures("addon")

NAMES = {"UpLeg": "Stab", "Leg": "Pin", "Foot": "Slab", "ToeBase": "Tip"}  # which no table knows


@pytest.fixture
def nameless():
    """A walk whose bones have names that tell nothing."""
    walk = rigs.mixamo_walk()
    new = {}
    for number, bone in enumerate(walk.object.data.bones):
        old, part = bone.name, bone.name.split(":")[1]
        side, word = ("A" if part.startswith("Left") else "B"), part.removeprefix("Left").removeprefix("Right")
        bone.name = f"{side}{NAMES[word]}" if word in NAMES else f"Part{number}"
        new[old] = bone.name
    legs = {side: tuple(new[bone] for bone in bones) for side, bones in walk.legs.items()}
    return walk, legs, new[walk.pelvis]


@pytest.fixture
def world_feet():
    """A biped whose feet are parented to the root, and no constraint takes the shins to them."""
    bpy.ops.object.armature_add()
    ob = bpy.context.object
    bpy.ops.object.mode_set(mode="EDIT")
    bones = ob.data.edit_bones
    bones[0].name = "root"

    def bone(name, parent, head, tail):
        new = bones.new(name)
        new.head, new.tail, new.parent = head, tail, bones[parent]

    bone("hips", "root", (0, 0, 1), (0, 0, 1.2))
    for side, x in (("L", 0.1), ("R", -0.1)):
        bone(f"thigh.{side}", "hips", (x, 0, 1), (x, -0.02, 0.5))
        bone(f"shin.{side}", f"thigh.{side}", (x, -0.02, 0.5), (x, 0, 0.1))
        bone(f"foot_ik.{side}", "root", (x, 0, 0.1), (x, -0.15, 0))
    bpy.ops.object.mode_set(mode="OBJECT")
    return ob


def activate(ob, name):
    ob.data.bones.active = ob.data.bones[name]


def slide_of(walk, legs):
    heads = stepping.world_heads(walk.object, [legs[side][2] for side in "LR"], walk.frames)
    return max(
        slide
        for k, side in enumerate("LR")
        for slide in stepping.stance_slide(heads[:, k], walk.stance[side], walk.frames[0])
    )


def pick(ob, legs):
    for side in "LR":
        activate(ob, legs[side][2])
        assert bpy.ops.skelkin.add_leg() == {"FINISHED"}
        ob.skelkin_legs[-1].toe = legs[side][3]


def test_feet_in_the_world_that_leave_their_shins_are_refused_with_what_to_do(world_feet):
    assert bpy.ops.skelkin.find_legs() == {"FINISHED"}
    assert [(leg.knee, leg.ankle) for leg in world_feet.skelkin_legs] == [(f"shin.{s}", f"foot_ik.{s}") for s in "LR"]
    assert "keys keep at the end of 'shin.L'" in world_feet.skelkin_legs[0].reasons
    keys.new_action(world_feet, "Move")
    keys.write(world_feet, keys.bone_path("hips", "location"), np.array([1, 20]), np.array([[0, 0, 0], [0, 0.9, 0]]))
    with pytest.raises(RuntimeError, match=r"left leg: foot_ik\.L does not stay at the end of shin\.L.*let an IK"):
        bpy.ops.skelkin.leg_ik()
    assert len(bpy.data.actions) == 1


def test_feet_in_the_world_that_a_constraint_moves_are_said_to_be_the_reason(world_feet):
    for side in "LR":
        world_feet.pose.bones[f"foot_ik.{side}"].constraints.new("LIMIT_ROTATION").use_limit_x = True
    with pytest.raises(RuntimeError, match=r"'foot_ik\.L' is not below 'shin\.L'"):
        bpy.ops.skelkin.find_legs()
    assert len(world_feet.skelkin_legs) == 0
    assert "is not below 'shin.R'" in sentences(draw("SKELKIN_PT_legs"))


def test_bones_can_be_picked_there_and_what_is_wrong_with_them_is_said(world_feet):
    world_feet.pose.bones["foot_ik.L"].constraints.new("LIMIT_ROTATION").use_limit_x = True
    keys.new_action(world_feet, "Move")
    keys.write(world_feet, keys.bone_path("hips", "location"), np.array([1, 20]), np.array([[0, 0, 0], [0, 0, 0.1]]))
    activate(world_feet, "foot_ik.L")
    assert bpy.ops.skelkin.add_leg() == {"FINISHED"}  # a foot without two bones above it
    leg = world_feet.skelkin_legs[0]
    assert (leg.hip, leg.knee, leg.ankle) == ("", "", "")
    with pytest.raises(RuntimeError, match=r"no bone for Thigh: choose one in the panel Legs"):
        bpy.ops.skelkin.leg_ik()
    leg.hip, leg.knee, leg.ankle = "thigh.L", "shin.L", "foot_ik.L"
    with pytest.raises(RuntimeError, match=r"the ankle 'foot_ik\.L' is not below the knee 'shin\.L'"):
        bpy.ops.skelkin.leg_ik()
    assert len(bpy.data.actions) == 1


def test_legs_that_were_picked_are_planted_as_well_as_found_ones(nameless):
    walk, legs, pelvis = nameless
    before = stepping.pose_bits(walk.object, walk.frames)
    assert slide_of(walk, legs) > 0.01 * walk.leg_length
    pick(walk.object, legs)
    assert [(leg.hip, leg.knee, leg.ankle) for leg in walk.object.skelkin_legs] == [legs[s][:3] for s in "LR"]
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert slide_of(walk, legs) <= 5e-4 * walk.leg_length
    bones = {item.bone for item in walk.object.animation_data.action.skelkin.channels}
    assert bones <= {pelvis, *legs["L"][:3], *legs["R"][:3]}
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert stepping.pose_bits(walk.object, walk.frames) == before


def test_picked_legs_get_the_bend_heel_and_pelvis_of_their_own_bones(addon):
    walk = rigs.human_metarig_walk()
    ob = walk.object
    leg_data, native = (sys.modules[f"{addon.__name__}.bridge.{name}"] for name in ("leg_data", "native"))
    assert bpy.ops.skelkin.find_legs() == {"FINISHED"}
    bones = native.load().blender.Armature.from_bpy(ob)
    found = leg_data.load(ob, bones)
    left, right = ob.skelkin_legs
    for joint in ("hip", "knee", "ankle", "toe"):  # each gets the other's bones; what else was found stays behind
        mine, other = getattr(left, joint), getattr(right, joint)
        setattr(left, joint, other)
        setattr(right, joint, mine)
    edited = leg_data.load(ob, bones)
    for one, other in zip(found, reversed(edited), strict=True):
        assert (one.heel, one.pelvis, one.chain, one.segments) == (
            other.heel,
            other.pelvis,
            other.chain,
            other.segments,
        )
        np.testing.assert_allclose(one.bend, other.bend, atol=1e-6)


def test_find_legs_keeps_edits_and_what_was_switched_off():
    walk = rigs.mixamo_walk()
    ob = walk.object
    assert bpy.ops.skelkin.find_legs() == {"FINISHED"}
    left, right = ob.skelkin_legs
    left.toe, right.enabled = "", False
    ankles = {leg.ankle for leg in ob.skelkin_legs}
    assert bpy.ops.skelkin.find_legs() == {"FINISHED"}
    assert bpy.ops.skelkin.find_legs() == {"FINISHED"}
    assert {leg.ankle for leg in ob.skelkin_legs} == ankles
    kept = {leg.side: leg for leg in ob.skelkin_legs}
    assert kept["left"].toe == ""
    assert not kept["right"].enabled
    assert kept["right"].toe != ""


def test_a_leg_that_was_added_stays_and_can_be_removed():
    walk = rigs.mixamo_walk()
    ob = walk.object
    activate(ob, walk.legs["L"][2])
    assert bpy.ops.skelkin.add_leg() == {"FINISHED"}
    ob.skelkin_legs[0].toe = "mixamorig:Head"
    assert bpy.ops.skelkin.find_legs() == {"FINISHED"}
    assert [leg.ankle for leg in ob.skelkin_legs].count(walk.legs["L"][2]) == 1
    assert ob.skelkin_legs[0].toe == "mixamorig:Head"
    assert bpy.ops.skelkin.remove_leg(index=0) == {"FINISHED"}
    assert walk.legs["L"][2] not in [leg.ankle for leg in ob.skelkin_legs]
    with pytest.raises(RuntimeError, match="There is no leg 7"):
        bpy.ops.skelkin.remove_leg(index=7)


def test_selected_bones_from_thigh_to_toe_become_a_leg():
    walk = rigs.mixamo_walk()
    ob = walk.object
    bpy.ops.object.mode_set(mode="POSE")
    for bone in ob.pose.bones:
        (bone if hasattr(bone, "select") else bone.bone).select = bone.name in walk.legs["R"]
    assert bpy.ops.skelkin.add_leg() == {"FINISHED"}
    leg = ob.skelkin_legs[0]
    assert (leg.hip, leg.knee, leg.ankle, leg.toe) == walk.legs["R"]


def test_legs_go_to_a_file_and_to_another_armature_with_another_namespace(capfd):
    walk = rigs.mixamo_walk()
    assert bpy.ops.skelkin.find_legs() == {"FINISHED"}
    walk.object.skelkin_legs[0].toe = ""
    capfd.readouterr()
    assert bpy.ops.skelkin.save_legs(preset="Mine") == {"FINISHED"}
    assert "Mine.json" in capfd.readouterr().out
    other = rigs.mixamo_walk(prefix="hero7:")
    assert bpy.ops.skelkin.load_legs(preset="Mine") == {"FINISHED"}
    legs = other.object.skelkin_legs
    assert [leg.ankle for leg in legs] == [other.legs[side][2] for side in "LR"]
    assert legs[0].toe == ""
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}


def test_a_file_that_does_not_fit_is_refused_with_what_is_wrong_and_nothing_changes(tmp_path):
    walk = rigs.mixamo_walk()
    assert bpy.ops.skelkin.find_legs() == {"FINISHED"}
    before = [leg.ankle for leg in walk.object.skelkin_legs]
    path = tmp_path / "legs.json"
    leg = {"side": "left", "hip": "a", "knee": "b", "ankle": "c"}
    for text, said in (
        ("{", "line 1 is not JSON"),
        (json.dumps({"format": "other"}), "not a file of legs"),
        (json.dumps({"format": "skelkin legs", "version": 9}), "reads 1"),
        (json.dumps({"format": "skelkin legs", "version": 1, "legs": [{**leg, "knee": 3}]}), r"legs\[0\]\.knee is 3"),
        (json.dumps({"format": "skelkin legs", "version": 1, "legs": [leg]}), "hip is 'a': the armature has no such"),
    ):
        path.write_text(text)
        with pytest.raises(RuntimeError, match=said):
            bpy.ops.skelkin.load_legs(preset=str(path))
    with pytest.raises(RuntimeError, match="cannot be read"):
        bpy.ops.skelkin.load_legs(preset="Nowhere")
    with pytest.raises(RuntimeError, match="is not a file name"):
        bpy.ops.skelkin.save_legs(preset="../up")
    assert [leg.ankle for leg in walk.object.skelkin_legs] == before


def test_the_panel_shows_reasons_of_found_legs_and_says_which_are_by_hand():
    walk = rigs.mixamo_walk()
    assert {"skelkin.add_leg"} <= set(operators(draw("SKELKIN_PT_legs")))
    assert bpy.ops.skelkin.find_legs() == {"FINISHED"}
    first = walk.object.skelkin_legs[0]
    assert "by the word" not in texts(draw("SKELKIN_PT_legs"))
    first.shows_reasons = True
    assert "by the word" in sentences(draw("SKELKIN_PT_legs"))
    assert "by hand" not in texts(draw("SKELKIN_PT_legs"))
    first.toe = ""
    assert "by hand" in texts(draw("SKELKIN_PT_legs"))


def test_the_menu_lists_files_of_legs(addon):
    walk = rigs.mixamo_walk()
    assert bpy.ops.skelkin.find_legs() == {"FINISHED"}
    assert bpy.ops.skelkin.save_legs(preset="Listed") == {"FINISHED"}
    leg_data = sys.modules[f"{addon.__name__}.bridge.leg_data"]
    assert "Listed" in leg_data.preset_names()
    assert len(walk.object.skelkin_legs) == 2
