# SPDX-License-Identifier: MIT
"""The panel draws in every state, says what is wrong, and offers only what exists."""

from __future__ import annotations

import bpy
import pytest
import rigs

pytestmark = pytest.mark.usefixtures("addon")


class Layout:
    """Takes everything a panel draws and remembers its texts and operators."""

    def __init__(self, drawn=None):
        self.__dict__["drawn"] = drawn if drawn is not None else []

    def __setattr__(self, name, value):
        pass

    def __getattr__(self, name):
        def call(*arguments, **options):
            if name in ("operator", "prop", "prop_search", "label"):
                self.drawn.append((name, *arguments, options))
            if name == "prop_search":
                assert hasattr(arguments[2], arguments[3])
            if name in ("prop", "prop_search"):
                assert arguments[1] in arguments[0].bl_rna.properties
            return Layout(self.drawn)

        return call


def draw(name):
    """Draw one panel; return what it drew."""
    panel = getattr(bpy.types, name)
    if hasattr(panel, "poll") and not panel.poll(bpy.context):
        return None
    layout = Layout()
    panel.draw(type("Fake", (), {"layout": layout})(), bpy.context)
    return layout.drawn


def texts(drawn):
    return " | ".join(str(item[-1].get("text", "")) for item in drawn)


def operators(drawn):
    return {item[1]: item[-1] for item in drawn if item[0] == "operator"}


def test_without_an_armature_the_panel_says_so():
    assert "Select an armature" in texts(draw("SKELKIN_PT_leg_ik"))
    assert draw("SKELKIN_PT_legs") is None


def test_the_switch_is_drawn_pressed_only_while_it_is_on():
    rigs.mixamo_walk()
    assert operators(draw("SKELKIN_PT_leg_ik"))["skelkin.leg_ik"]["depress"] is False
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    drawn = draw("SKELKIN_PT_leg_ik")
    assert operators(drawn)["skelkin.leg_ik"]["depress"] is True
    assert {"skelkin.update", "skelkin.apply", "skelkin.remove"} <= set(operators(drawn))
    assert "Planted" in texts(drawn)
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert operators(draw("SKELKIN_PT_leg_ik"))["skelkin.leg_ik"]["depress"] is False


def test_legs_that_were_found_are_listed_and_can_be_switched_off():
    walk = rigs.human_metarig_walk()
    assert bpy.ops.skelkin.find_legs() == {"FINISHED"}
    drawn = draw("SKELKIN_PT_legs")
    assert sum(item[0] == "prop" for item in drawn) == 2
    left = next(leg for leg in walk.object.skelkin_legs if leg.side == "left")
    left.enabled = False
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    bones = {item.bone for item in walk.object.animation_data.action.skelkin.channels}
    assert not bones & set(walk.legs["L"])
    assert bones & set(walk.legs["R"])


def test_an_armature_without_action_gets_its_reason_in_the_panel():
    walk = rigs.mixamo_walk()
    walk.object.animation_data_clear()
    assert "has no action" in texts(draw("SKELKIN_PT_leg_ik"))


def test_every_operator_has_undo_a_label_and_a_tooltip_without_full_stop():
    for name in ("find_legs", "leg_ik", "update", "apply", "remove"):
        operator = getattr(bpy.types, f"SKELKIN_OT_{name}")
        assert {"REGISTER", "UNDO"} <= operator.bl_options
        assert operator.bl_label
        assert operator.bl_description
        assert not operator.bl_description.endswith(".")
        assert getattr(bpy.ops.skelkin, name).get_rna_type().description == operator.bl_description


def test_while_it_is_off_the_panel_says_what_the_switch_does():
    rigs.mixamo_walk()
    assert "Plants the feet into a copy | of the action; the original stays" in texts(draw("SKELKIN_PT_leg_ik"))


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
