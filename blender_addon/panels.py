# SPDX-License-Identifier: GPL-3.0-or-later
"""The Skelkin tab of the 3-D view's sidebar, and the entries of the Pose ▸ Animation menu."""

from __future__ import annotations

import json

import bpy

from .bridge import (
    checks,
    leg_data,
    many,
    native,
    overlay,
    plant_settings,
    playback,
    scene_ground,
    stored_report,
)
from .core.words import IN_SLOW_MOTION, NOTHING_MINDED, counted
from .properties import OBJECT_PREFIX
from .translations import translate
from .widgets import draw_links, draw_settings, draw_text


class SkelkinPanel:
    """Where all panels are."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Skelkin"


class FoldedPanel(SkelkinPanel):
    """A folded panel below that of the switch, where there is an armature to work on."""

    bl_parent_id = "SKELKIN_PT_leg_ik"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context):
        return not checks.armature_problem(context)


class PlantedPanel(FoldedPanel):
    """One that is there while the armature plays a planted action."""

    @classmethod
    def poll(cls, context):
        return super().poll(context) and playback.is_on(checks.armature_of(context))


def warnings_of(ob):
    """Return what the report of the planted action says that the object plays."""
    return ob.animation_data.action.skelkin.warnings if playback.is_on(ob) else ()


def draw_warnings(layout, context, ob, *, minded: bool) -> None:
    """Draw what a viewer would mind, or the other warnings: worst first, each leading to its frame."""
    for warning in warnings_of(ob):
        if warning.minded != minded:
            continue
        box = layout.box()
        draw_text(box, context, warning.text, "ERROR")
        if warning.text == IN_SLOW_MOTION:
            box.operator("skelkin.rate_from_bvh", icon="FILE_FOLDER")
        if warning.names_frame:
            go = box.operator("skelkin.go_to_frame", text=translate(f"Frame {warning.frame}"), icon="TIME")
            go.frame = warning.frame


class SKELKIN_PT_leg_ik(SkelkinPanel, bpy.types.Panel):
    bl_idname = "SKELKIN_PT_leg_ik"
    bl_label = "Leg IK"

    def draw_header_preset(self, context):
        draw_links(self.layout.row(align=True), text=False)

    def draw(self, context):
        layout = self.layout
        ob = checks.armature_of(context)
        problem = checks.armature_problem(context)
        on = not problem and playback.is_on(ob)
        if problem or native.problem():
            draw_text(layout.box(), context, problem or native.problem(), "INFO")
            if not on:  # what is on can be switched off whatever is missing
                if ob is None:  # that of a planted action may have been deleted
                    layout.operator("skelkin.clean_up")
                return
        layout.operator("skelkin.find_legs", icon="VIEWZOOM")
        if len(ob.skelkin_legs):
            layout.label(text=translate(counted(len(ob.skelkin_legs), "leg")), icon="CHECKMARK")
        switch = layout.row()
        switch.scale_y = 1.6
        switch.operator("skelkin.leg_ik", text="Leg IK", depress=on, icon="CON_KINEMATIC")
        if not on:
            reason = checks.action_problem(ob)
            if reason:
                draw_text(layout, context, reason, "INFO")
                return
            draw_text(layout, context, "Plants the feet in a copy of the action; the original stays", "BLANK1")
            return
        mark = ob.animation_data.action.skelkin
        box = layout.box()
        for line in json.loads(mark.lines or "[]"):
            draw_text(box, context, line, "BLANK1")
        draw_warnings(box, context, ob, minded=True)
        if mark.lines and not any(warning.minded for warning in mark.warnings):
            draw_text(box, context, NOTHING_MINDED, "CHECKMARK")
        if mark.ground_speed:
            row = box.row()
            row.enabled = False
            row.prop(mark, "ground_speed")
        source = playback.source_of(ob)
        if source is not None:
            draw_text(box, context, f"Original: {source.name}", "ACTION")
        elif playback.original_is_gone(ob):
            draw_text(box, context, "The original is gone: press Apply to keep this action", "ERROR")
        else:
            draw_text(box, context, "Original: what the NLA plays", "NLA")
        if mark.source_changed:
            draw_text(box, context, "The original has changed: press Update", "ERROR")
        row = layout.row(align=True)
        row.operator("skelkin.update")
        row.operator("skelkin.apply")
        row.operator("skelkin.remove")
        layout.operator("skelkin.open_report", icon="URL")
        layout.prop(context.window_manager, "skelkin_foot_paths", icon="CURVE_PATH", toggle=True)
        if context.window_manager.skelkin_foot_paths:
            if overlay.lines_for(context) is None:
                draw_text(layout, context, "Foot paths: press Update to see them", "INFO")
            else:
                _legend(layout)


def _legend(layout) -> None:
    grid = layout.grid_flow(row_major=True, columns=2, align=True)
    for text, icon in overlay.LEGEND:
        grid.label(text=text, icon=icon)


class SKELKIN_PT_warnings(FoldedPanel, bpy.types.Panel):
    bl_idname = "SKELKIN_PT_warnings"
    bl_label = "Warnings"

    @classmethod
    def poll(cls, context):
        return super().poll(context) and cls.count(context) > 0

    @staticmethod
    def count(context) -> int:
        return sum(not warning.minded for warning in warnings_of(checks.armature_of(context)))

    def draw_header_preset(self, context):
        self.layout.label(text=str(self.count(context)))

    def draw(self, context):
        draw_warnings(self.layout, context, checks.armature_of(context), minded=False)


class SKELKIN_PT_figures(PlantedPanel, bpy.types.Panel):
    bl_idname = "SKELKIN_PT_figures"
    bl_label = "Before and After"

    def draw(self, context):
        mark = checks.armature_of(context).animation_data.action.skelkin
        column = self.layout.column(align=True)
        for title, *figures, is_over in json.loads(mark.figures or "[]"):
            draw_text(column, context, title, "ERROR" if is_over else "DOT")
            for figure in figures:
                draw_text(column, context, figure, "BLANK1")


class SKELKIN_PT_export(PlantedPanel, bpy.types.Panel):
    bl_idname = "SKELKIN_PT_export"
    bl_label = "Export"

    def draw(self, context):
        draw_text(self.layout, context, "glTF: the original is left out automatically", "CHECKMARK")
        draw_text(self.layout, context, "FBX: under Bake Animation, clear NLA Strips and All Actions", "INFO")


class SKELKIN_PT_settings(FoldedPanel, bpy.types.Panel):
    bl_idname = "SKELKIN_PT_settings"
    bl_label = "Settings"

    def draw(self, context):
        ob = checks.armature_of(context)
        self.layout.prop(ob, "skelkin_own_settings")
        addon = context.preferences.addons.get(__package__)
        if ob.skelkin_own_settings or addon is None or plant_settings.are_preferred(ob):
            draw_settings(self.layout.column(), ob, OBJECT_PREFIX)  # what is changed here becomes its own
        else:
            draw_text(self.layout, context, "From the add-on's preferences, for all armatures", "PREFERENCES")
            draw_settings(self.layout.column(), addon.preferences)
        if kept := plant_settings.kept_by_update(ob):
            draw_text(self.layout, context, f"Update still uses the old: {', '.join(map(translate, kept))}", "PINNED")
        settings = plant_settings.wanted(ob, {}, {})
        if settings["ground"] == "OBJECTS":
            for cost in scene_ground.cost_of(context, ob, settings["ground_object"], settings["ground_collection"]):
                draw_text(self.layout, context, cost, "TIME")
        self.layout.operator("skelkin.clean_up")


class SKELKIN_PT_legs(FoldedPanel, bpy.types.Panel):
    bl_idname = "SKELKIN_PT_legs"
    bl_label = "Legs"

    def draw(self, context):
        ob, layout = checks.armature_of(context), self.layout
        row = layout.row(align=True)
        row.operator("skelkin.add_leg", icon="ADD")
        row.menu(SKELKIN_MT_legs.bl_idname, text="", icon="PRESET")
        manager = context.window_manager
        if not len(ob.skelkin_legs) and manager.skelkin_no_legs_of == leg_data.about(ob):
            draw_text(layout.box(), context, manager.skelkin_no_legs, "INFO")
        for index, leg in enumerate(ob.skelkin_legs):
            box = layout.box()
            row = box.row()
            row.prop(leg, "enabled", text=leg.side.capitalize() or leg.ankle)
            row.label(text="by hand" if leg_data.is_edited(leg) else f"{100 * leg.confidence:.0f} % sure")
            row.operator("skelkin.remove_leg", text="", icon="X", emboss=False).index = index
            column = box.column(align=True)
            column.enabled = leg.enabled
            for name in ("hip", "knee", "ankle", "toe", "heel", "pelvis"):
                column.prop_search(leg, name, ob.pose, "bones")
            if keys := stored_report.methods_of(ob).get(leg.ankle):
                draw_text(box, context, keys, "KEYINGSET")
            if leg.reasons and not leg_data.is_edited(leg):
                box.prop(leg, "shows_reasons")
                for reason in leg.reasons.split("; ") if leg.shows_reasons else ():
                    draw_text(box, context, reason, "DOT")


class SKELKIN_MT_legs(bpy.types.Menu):
    bl_idname = "SKELKIN_MT_legs"
    bl_label = "Leg Files"

    def draw(self, context):
        self.layout.operator("skelkin.save_legs", text="Save…", icon="FILE_TICK")
        for name in leg_data.preset_names():
            self.layout.operator("skelkin.load_legs", text=name, icon="IMPORT").preset = name


class SKELKIN_UL_results(bpy.types.UIList):
    bl_idname = "SKELKIN_UL_results"

    def filter_items(self, context, data, property):
        return [self.bitflag_filter_item * many.still_holds(item) for item in getattr(data, property)], []

    def draw_item(self, context, layout, data, item, icon, active_data, active_name):
        row = layout.row()
        row.label(text=item.action or item.armature, icon="CHECKMARK" if item.planted else "X")
        if item.warnings:
            row.label(text=str(item.warnings), icon="ERROR")


class SKELKIN_PT_many(SkelkinPanel, bpy.types.Panel):
    bl_idname = "SKELKIN_PT_many"
    bl_label = "Many at Once"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context):
        layout, manager = self.layout, context.window_manager
        column = layout.column(align=True)
        column.operator("skelkin.plant_selected", text="Selected Armatures")
        column.operator("skelkin.plant_actions", text="All Actions of This Armature")
        results = manager.skelkin_results
        if not any(map(many.still_holds, results)):
            return
        layout.template_list(SKELKIN_UL_results.bl_idname, "", manager, "skelkin_results", manager, "skelkin_result")
        shown = results[min(max(manager.skelkin_result, 0), len(results) - 1)]
        if not many.still_holds(shown):
            return
        box = layout.box()
        draw_text(box, context, f"{shown.armature}, {shown.action}", "ARMATURE_DATA")
        draw_text(box, context, shown.line, "CHECKMARK" if shown.planted else "ERROR")
        if shown.warnings:
            draw_text(box, context, f"{counted(shown.warnings, 'warning')}: switch it on to see them", "BLANK1")


def draw_animation_menu(self, context):
    """Entries for armatures in the Pose ▸ Animation menu."""
    ob = checks.armature_of(context)
    if ob is None:
        return
    layout = self.layout
    layout.separator()
    layout.operator("skelkin.find_legs", text="Find Legs")
    layout.operator("skelkin.plant_selected")
    layout.operator("skelkin.plant_actions")
    layout.operator("skelkin.leg_ik", text="Leg IK Off" if playback.is_on(ob) else "Leg IK On")
    if context.mode == "POSE":
        layout.operator("skelkin.drag_foot")
        layout.operator("skelkin.lock_foot")


CLASSES = (
    SKELKIN_PT_leg_ik,
    SKELKIN_PT_warnings,
    SKELKIN_PT_figures,
    SKELKIN_PT_export,
    SKELKIN_PT_settings,
    SKELKIN_MT_legs,
    SKELKIN_PT_legs,
    SKELKIN_UL_results,
    SKELKIN_PT_many,
)
