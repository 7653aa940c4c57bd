# SPDX-License-Identifier: GPL-3.0-or-later
"""Update, Apply, Remove and Clean Up."""

import bpy
from bpy.props import BoolProperty

from ..bridge import checks, plant_settings, playback, switching
from ..core import words
from ..properties import PlantSettings
from ..widgets import draw_settings, lines_told
from . import common
from .stepwise import Stepwise


class SKELKIN_OT_update(Stepwise, common.ArmatureOperator, PlantSettings, bpy.types.Operator):
    """Plant the feet again from the original action; every other key stays as it is."""

    bl_idname = "skelkin.update"
    bl_label = "Update"

    over_edits: BoolProperty(options={"HIDDEN", "SKIP_SAVE"})

    @classmethod
    def poll(cls, context):
        return common.can_compute(cls, context) and common.needs_planted(cls, context)

    def invoke(self, context, event):
        ob = checks.armature_of(context)
        common.load_settings(self, ob, playback.playing(ob)[0])
        self.over_edits = switching.edited(ob)
        if self.over_edits:
            return context.window_manager.invoke_props_dialog(self, width=400)
        return self.begin(context)

    def steps(self, context):
        ob = checks.armature_of(context)
        stored = common.stored_settings(playback.playing(ob)[0])
        chosen = common.chosen_settings(self)
        return (yield from switching.update_steps(context, ob, plant_settings.wanted(ob, stored, chosen)))

    def draw(self, context):
        if self.over_edits:
            name = playback.playing(checks.armature_of(context))[0].name
            lines_told(self.layout, words.about_edits(name), "ERROR", 58)
        draw_settings(self.layout, self)


class SKELKIN_OT_apply(common.ArmatureOperator, bpy.types.Operator):
    """Keep the planted action as an ordinary one and let the original go."""

    bl_idname = "skelkin.apply"
    bl_label = "Apply"

    @classmethod
    def poll(cls, context):
        return super().poll(context) and common.needs_planted(cls, context)

    def work(self, context, ob):
        return switching.apply(context, ob)


class SKELKIN_OT_remove(common.ArmatureOperator, bpy.types.Operator):
    """Play the original action again and remove everything that Leg IK has added."""

    bl_idname = "skelkin.remove"
    bl_label = "Remove"

    @classmethod
    def poll(cls, context):
        if not super().poll(context):
            return False
        ob = checks.armature_of(context)
        something = ob.skelkin_planted is not None or len(ob.skelkin_legs) or playback.is_on(ob)
        return not common.refused(cls, "" if something else "There is nothing to remove")

    def work(self, context, ob):
        return switching.remove(context, ob)


class SKELKIN_OT_clean_up(common.ArmatureOperator, bpy.types.Operator):
    """Remove the planted actions of armatures that are no longer there."""

    bl_idname = "skelkin.clean_up"
    bl_label = "Clean Up"

    @classmethod
    def poll(cls, context):
        return not common.refused(cls, checks.render_problem())

    def work(self, context, ob):
        return switching.clean_up()
