# SPDX-License-Identifier: GPL-3.0-or-later
"""The Skelkin tab of the 3-D view's sidebar, and the entries of the Pose ▸ Animation menu."""

from __future__ import annotations

import json

import bpy

from .bridge import checks, compat, native, switching
from .core.words import counted, in_lines

# In two lines, as the sidebar is narrow.
PROMISE = ("Plants the feet into a copy", "of the action; the original stays")


class SkelkinPanel:
    """Where all panels are."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Skelkin"


class SKELKIN_PT_leg_ik(SkelkinPanel, bpy.types.Panel):
    bl_idname = "SKELKIN_PT_leg_ik"
    bl_label = "Leg IK"

    def draw(self, context):
        layout = self.layout
        ob = context.object
        problem = checks.armature_problem(context)
        on = not problem and switching.is_on(ob)
        if problem or native.problem():
            layout.box().label(text=problem or native.problem(), icon="INFO")
            if not on:  # what is on can be switched off whatever is missing
                return
        layout.operator("skelkin.find_legs", icon="VIEWZOOM")
        if len(ob.skelkin_legs):
            layout.label(text=counted(len(ob.skelkin_legs), "leg"), icon="CHECKMARK")
        switch = layout.row()
        switch.scale_y = 1.6
        switch.operator("skelkin.leg_ik", text="Leg IK", depress=on, icon="CON_KINEMATIC")
        if not on:
            reason = checks.action_problem(ob)
            if reason:
                layout.label(text=reason, icon="INFO")
                return
            column = layout.column(align=True)
            for part in PROMISE:
                column.label(text=part)
            return
        mark = ob.animation_data.action.skelkin
        box = layout.box()
        for part in mark.summary.split(", "):  # the sidebar is too narrow for the whole line
            box.label(text=part)
        for leg in json.loads(mark.worse or "[]"):  # what planting made worse, a leg each
            for k, part in enumerate(in_lines(leg)):
                box.label(text=part, icon="NONE" if k else "ERROR")
        source = compat.living(mark.source)
        if source is not None:
            box.label(text=f"Original: {source.name}", icon="ACTION")
        else:
            box.label(text="The original is gone", icon="ERROR")
        if mark.source_changed:
            box.label(text="The original has changed: press Update", icon="ERROR")
        row = layout.row(align=True)
        row.operator("skelkin.update")
        row.operator("skelkin.apply")
        row.operator("skelkin.remove")


class SKELKIN_PT_legs(SkelkinPanel, bpy.types.Panel):
    bl_idname = "SKELKIN_PT_legs"
    bl_label = "Legs"
    bl_parent_id = "SKELKIN_PT_leg_ik"
    bl_options = {"DEFAULT_CLOSED"}  # noqa: RUF012

    @classmethod
    def poll(cls, context):
        ob = context.object
        return ob is not None and ob.type == "ARMATURE" and len(ob.skelkin_legs) > 0

    def draw(self, context):
        ob = context.object
        for leg in ob.skelkin_legs:
            box = self.layout.box()
            row = box.row()
            row.prop(leg, "enabled", text=leg.side.capitalize() or leg.ankle)
            row.label(text=f"{100 * leg.confidence:.0f} %")
            column = box.column(align=True)
            column.enabled = leg.enabled
            for name in ("hip", "knee", "ankle", "toe"):
                column.prop_search(leg, name, ob.pose, "bones")


def draw_animation_menu(self, context):
    """Entries for armatures in the Pose ▸ Animation menu."""
    ob = context.object
    if ob is None or ob.type != "ARMATURE":
        return
    layout = self.layout
    layout.separator()
    layout.operator("skelkin.find_legs", text="Find Legs")
    layout.operator("skelkin.leg_ik", text="Leg IK Off" if switching.is_on(ob) else "Leg IK On")


CLASSES = (SKELKIN_PT_leg_ik, SKELKIN_PT_legs)
