# SPDX-License-Identifier: MIT
"""The panel draws in every state, says what is wrong, and offers only what exists."""

from __future__ import annotations

import sys

import bpy
import pytest
import rigs
from drawing import draw, operators, sentences, texts

pytestmark = pytest.mark.usefixtures("addon")


def test_without_an_armature_the_panel_says_so():
    assert "Select an armature" in texts(draw("SKELKIN_PT_leg_ik"))
    assert draw("SKELKIN_PT_legs") is None
    assert "skelkin.clean_up" in operators(draw("SKELKIN_PT_leg_ik"))


def test_the_switch_is_drawn_pressed_only_while_it_is_on():
    rigs.mixamo_walk()
    assert operators(draw("SKELKIN_PT_leg_ik"))["skelkin.leg_ik"]["depress"] is False
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    drawn = draw("SKELKIN_PT_leg_ik")
    assert operators(drawn)["skelkin.leg_ik"]["depress"] is True
    assert {"skelkin.update", "skelkin.apply", "skelkin.remove"} <= set(operators(drawn))
    assert "feet stand" in texts(drawn)
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert operators(draw("SKELKIN_PT_leg_ik"))["skelkin.leg_ik"]["depress"] is False


def test_legs_that_were_found_are_listed_and_can_be_switched_off():
    walk = rigs.human_metarig_walk()
    assert bpy.ops.skelkin.find_legs() == {"FINISHED"}
    drawn = draw("SKELKIN_PT_legs")
    assert sum(item[0] == "prop" and item[2] == "enabled" for item in drawn) == 2
    left = next(leg for leg in walk.object.skelkin_legs if leg.side == "left")
    left.enabled = False
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    bones = {item.bone for item in walk.object.animation_data.action.skelkin.channels}
    assert not bones & set(walk.legs["L"])
    assert bones & set(walk.legs["R"])


def test_why_an_armature_has_no_legs_is_said_of_that_one_alone():
    bpy.ops.object.armature_add()
    with pytest.raises(RuntimeError, match="No legs found"):
        bpy.ops.skelkin.find_legs()
    assert "No legs found" in sentences(draw("SKELKIN_PT_legs"))
    bpy.ops.object.armature_add()
    assert "No legs found" not in sentences(draw("SKELKIN_PT_legs"))
    first = bpy.data.objects["Armature"]
    bpy.context.view_layer.objects.active = first
    assert "No legs found" in sentences(draw("SKELKIN_PT_legs"))
    bpy.ops.object.mode_set(mode="EDIT")
    first.data.edit_bones.new("more").tail = (0.0, 1.0, 0.0)
    bpy.ops.object.mode_set(mode="OBJECT")
    assert "No legs found" not in sentences(draw("SKELKIN_PT_legs"))


def test_an_armature_without_action_gets_its_reason_in_the_panel():
    walk = rigs.mixamo_walk()
    walk.object.animation_data_clear()
    assert "has no action" in sentences(draw("SKELKIN_PT_leg_ik"))


def test_every_operator_has_undo_a_label_and_a_tooltip_without_full_stop():
    for name in ("find_legs", "add_leg", "remove_leg", "leg_ik", "update", "apply", "remove", "clean_up"):
        operator = getattr(bpy.types, f"SKELKIN_OT_{name}")
        assert {"REGISTER", "UNDO"} <= operator.bl_options
        assert operator.bl_label
        assert operator.bl_description
        assert not operator.bl_description.endswith(".")
        assert getattr(bpy.ops.skelkin, name).get_rna_type().description == operator.bl_description


def test_while_it_is_off_the_panel_says_what_the_switch_does():
    rigs.mixamo_walk()
    drawn = texts(draw("SKELKIN_PT_leg_ik")).replace(" | ", " ")
    assert "Plants the feet in a copy of the action; the original stays" in drawn


@pytest.mark.parametrize("tie", ["modifier", "parent"])
def test_an_active_mesh_leads_to_its_armature(tie):
    walk = rigs.mixamo_walk()
    mesh = bpy.data.objects.new("Body", bpy.data.meshes.new("Body"))
    bpy.context.collection.objects.link(mesh)
    bpy.context.view_layer.objects.active = mesh
    assert "Select an armature" in texts(draw("SKELKIN_PT_leg_ik"))
    if tie == "modifier":
        mesh.modifiers.new("Armature", "ARMATURE").object = walk.object
    else:
        mesh.parent = walk.object
        mesh.parent_type = "ARMATURE"
    assert "skelkin.leg_ik" in operators(draw("SKELKIN_PT_leg_ik"))
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert walk.object.animation_data.action.skelkin.is_planted
    assert bpy.ops.skelkin.update() == {"FINISHED"}
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert walk.object.animation_data.action == walk.action


@pytest.mark.parametrize("on", [False, True])
def test_drawing_and_polling_search_no_actions(addon, monkeypatch, on):
    rigs.mixamo_walk()
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    if not on:
        assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    compat, actions = (sys.modules[f"{addon.__name__}.bridge.{name}"] for name in ("compat", "actions"))
    monkeypatch.setattr(actions, "digest", lambda *_: pytest.fail("a digest was made"))
    monkeypatch.setattr(compat, "fcurves", lambda *_: pytest.fail("curves were searched"))
    for name in ("leg_ik", "warnings", "figures", "settings", "legs"):
        draw(f"SKELKIN_PT_{name}")
    for name in ("find_legs", "leg_ik", "update", "apply", "remove", "open_report", "clean_up"):
        getattr(bpy.ops.skelkin, name).poll()
