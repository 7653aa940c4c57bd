# SPDX-License-Identifier: GPL-3.0-or-later
"""The panels of contacts (a list of them, and what can be done to each) and of feet that are dragged by hand."""

from __future__ import annotations

import bpy

from .bridge import checks
from .bridge.contacts.followed import has_moved
from .bridge.contacts.given import about
from .bridge.contacts.stored import is_moved
from .panels import FoldedPanel, PlantedPanel
from .translations import translate
from .widgets import draw_text


class SKELKIN_UL_contacts(bpy.types.UIList):
    bl_idname = "SKELKIN_UL_contacts"

    def draw_item(self, context, layout, data, item, icon, active_data, active_name):
        row = layout.row(align=True)
        row.prop(item, "use", text="")
        line = row.row(align=True)
        line.active = item.use
        line.label(text=f"{translate(item.foot)} {item.first}–{item.last}")  # in one label, as the sidebar is narrow
        if item.use_place or item.use_height:
            line.label(text="", icon="PINNED")
        if item.part != "FOOT" or item.by_hand:
            more = line.row()
            more.alignment = "RIGHT"
            more.label(text="by hand" if item.part == "FOOT" else item.part.lower())


class SKELKIN_UL_foot_edits(bpy.types.UIList):
    bl_idname = "SKELKIN_UL_foot_edits"

    def draw_item(self, context, layout, data, item, icon, active_data, active_name):
        frames = f"{item.frame}–{item.last}" if item.last > item.frame else f"{item.frame}"
        layout.label(text=f"{translate(item.foot)} {frames}", icon="KEYFRAME")


class SKELKIN_PT_contacts(PlantedPanel, bpy.types.Panel):
    bl_idname = "SKELKIN_PT_contacts"
    bl_label = "Contacts"

    def draw(self, context):
        layout = self.layout
        action = checks.armature_of(context).animation_data.action
        mark = action.skelkin
        layout.label(text=translate(about(mark)), icon="CHECKMARK")
        if mark.contacts_edited or is_moved(action):
            draw_text(layout, context, "Contacts were edited since: press Update", "ERROR")
        elif has_moved(action):
            draw_text(layout, context, "An object that a contact follows has moved: press Update", "ERROR")
        row = layout.row()
        row.template_list(SKELKIN_UL_contacts.bl_idname, "", mark, "contacts", mark, "contact", rows=5)
        column = row.column(align=True)
        column.operator("skelkin.contact_add", text="", icon="ADD")
        column.operator("skelkin.contact_remove", text="", icon="REMOVE")
        if 0 <= mark.contact < len(mark.contacts):
            _draw_contact(layout.box(), mark.contacts[mark.contact])
        if len(mark.foot_edits):
            _draw_foot_edits(layout, mark)
        if mark.touched:
            draw_text(layout, context, f"Touch-ups by hand are kept: {mark.touched}", "KEYFRAME")
            layout.operator("skelkin.discard_touch_ups", icon="X")
        layout.operator("skelkin.find_contacts_again", icon="VIEWZOOM")
        addon = context.preferences.addons.get(__package__)
        if addon is not None:
            layout.prop(addon.preferences, "shows_contacts")


def _draw_contact(layout, item) -> None:
    for name in ("first", "last"):
        row = layout.row(align=True)
        row.prop(item, name)
        row.operator("skelkin.contact_end", text="", icon="TIME").end = name.upper()
    layout.prop(item, "part")
    row = layout.row(align=True, heading="Height")
    row.prop(item, "use_height", text="")
    height = row.row()
    height.active = item.use_height
    height.prop(item, "height", text="")
    if item.use_place and item.follows is not None:
        layout.prop(item, "follows")
    elif item.use_place:
        layout.column(align=True).prop(item, "place")
    row = layout.row(align=True)
    row.operator("skelkin.contact_pin", text="Cursor", icon="PIVOT_CURSOR").to = "CURSOR"
    row.operator("skelkin.contact_pin", text="Empty", icon="EMPTY_AXIS").to = "EMPTY"
    row.operator("skelkin.contact_unpin", text="", icon="UNPINNED")


def _draw_foot_edits(layout, mark) -> None:
    layout.label(text="Feet by Hand")
    row = layout.row()
    row.template_list("SKELKIN_UL_foot_edits", "", mark, "foot_edits", mark, "foot_edit", rows=2)
    row.operator("skelkin.foot_edit_remove", text="", icon="REMOVE")
    if 0 <= mark.foot_edit < len(mark.foot_edits):
        fades = layout.row(align=True)
        for name in ("fade_in", "fade_out"):
            fades.prop(mark.foot_edits[mark.foot_edit], name)


class SKELKIN_PT_feet(FoldedPanel, bpy.types.Panel):
    bl_idname = "SKELKIN_PT_feet"
    bl_label = "Feet by Hand"

    @classmethod
    def poll(cls, context):
        return super().poll(context) and context.mode == "POSE"

    def draw(self, context):
        row = self.layout.row(align=True)
        row.operator("skelkin.drag_foot", icon="CON_KINEMATIC")
        row.operator("skelkin.lock_foot", icon="LOCKED")


CLASSES = (SKELKIN_UL_contacts, SKELKIN_UL_foot_edits, SKELKIN_PT_contacts, SKELKIN_PT_feet)
