# SPDX-License-Identifier: GPL-3.0-or-later
"""Update, Apply and Remove."""

import bpy

from ..bridge import checks, switching
from ..properties import PlantSettings
from . import common


class SKELKIN_OT_update(common.ArmatureOperator, PlantSettings, bpy.types.Operator):
    """Plant the feet again from the original action; every other key stays as it is."""

    bl_idname = "skelkin.update"
    bl_label = "Update"

    @classmethod
    def poll(cls, context):
        return common.can_compute(cls, context) and common.needs_planted(cls, context)

    def invoke(self, context, event):
        ob = checks.armature_of(context)
        common.load_settings(self, switching.playing(ob)[0])
        if switching.edited(ob):
            return context.window_manager.invoke_confirm(self, event)
        return self.execute(context)

    def work(self, context, ob):
        return switching.update(context, ob, common.kept_settings(self, switching.playing(ob)[0]))

    def draw(self, context):
        common.draw_settings(self)


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
        something = ob.skelkin_planted is not None or len(ob.skelkin_legs) or switching.is_on(ob)
        return not common.refused(cls, "" if something else "There is nothing to remove")

    def work(self, context, ob):
        return switching.remove(context, ob)
