# SPDX-License-Identifier: GPL-3.0-or-later
"""The Skelkin tab of the 3-D view's sidebar, and the entries of the Pose ▸ Animation menu."""

from __future__ import annotations

import json

import bpy

from .bridge import checks, compat, native, switching
from .core.words import counted, in_lines, letters_in

# In two lines, as the sidebar is narrow.
PROMISE = ("Plants the feet into a copy", "of the action; the original stays")


class SkelkinPanel:
    """Where all panels are."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Skelkin"


def told(layout, context, text: str, icon: str) -> None:
    """Lay a sentence out in as many lines as the sidebar needs, so that nothing of it is cut off."""
    region, scale = context.region, context.preferences.system.ui_scale
    width = letters_in(region.width / scale) if region is not None else letters_in(0)
    column = layout.column(align=True)
    for k, part in enumerate(in_lines(text, width)):
        column.label(text=part, icon="BLANK1" if k else icon)


def warnings_of(ob):
    """Return what the report of the planted action says that the object plays."""
    return ob.animation_data.action.skelkin.warnings if switching.is_on(ob) else ()


class SKELKIN_PT_leg_ik(SkelkinPanel, bpy.types.Panel):
    bl_idname = "SKELKIN_PT_leg_ik"
    bl_label = "Leg IK"

    def draw(self, context):
        layout = self.layout
        ob = checks.armature_of(context)
        problem = checks.armature_problem(context)
        on = not problem and switching.is_on(ob)
        if problem or native.problem():
            told(layout.box(), context, problem or native.problem(), "INFO")
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
                told(layout, context, reason, "INFO")
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
            told(box, context, leg, "ERROR")
        source = compat.living(mark.source)
        if source is not None:
            told(box, context, f"Original: {source.name}", "ACTION")
        else:
            box.label(text="The original is gone", icon="ERROR")
        if mark.source_changed:
            told(box, context, "The original has changed: press Update", "ERROR")
        row = layout.row(align=True)
        row.operator("skelkin.update")
        row.operator("skelkin.apply")
        row.operator("skelkin.remove")


class SKELKIN_PT_warnings(SkelkinPanel, bpy.types.Panel):
    bl_idname = "SKELKIN_PT_warnings"
    bl_label = "Warnings"
    bl_parent_id = "SKELKIN_PT_leg_ik"
    bl_options = {"DEFAULT_CLOSED"}  # noqa: RUF012

    @classmethod
    def poll(cls, context):
        return not checks.armature_problem(context) and len(warnings_of(checks.armature_of(context))) > 0

    def draw_header_preset(self, context):
        self.layout.label(text=str(len(warnings_of(checks.armature_of(context)))))

    def draw(self, context):
        for warning in warnings_of(checks.armature_of(context)):  # as in the report: worst first
            box = self.layout.box()
            told(box, context, warning.text, "ERROR")
            if warning.names_frame:
                go = box.operator("skelkin.go_to_frame", text=f"Frame {warning.frame}", icon="TIME")
                go.frame = warning.frame


class SKELKIN_PT_legs(SkelkinPanel, bpy.types.Panel):
    bl_idname = "SKELKIN_PT_legs"
    bl_label = "Legs"
    bl_parent_id = "SKELKIN_PT_leg_ik"
    bl_options = {"DEFAULT_CLOSED"}  # noqa: RUF012

    @classmethod
    def poll(cls, context):
        ob = checks.armature_of(context)
        return ob is not None and len(ob.skelkin_legs) > 0

    def draw(self, context):
        ob = checks.armature_of(context)
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
    ob = checks.armature_of(context)
    if ob is None:
        return
    layout = self.layout
    layout.separator()
    layout.operator("skelkin.find_legs", text="Find Legs")
    layout.operator("skelkin.leg_ik", text="Leg IK Off" if switching.is_on(ob) else "Leg IK On")


CLASSES = (SKELKIN_PT_leg_ik, SKELKIN_PT_warnings, SKELKIN_PT_legs)
