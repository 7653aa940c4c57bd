# SPDX-License-Identifier: GPL-3.0-or-later
"""Go To Frame, beside what the report says of one."""

import bpy
from bpy.props import IntProperty


class SKELKIN_OT_go_to_frame(bpy.types.Operator):
    """Show the frame that this is about."""

    bl_idname = "skelkin.go_to_frame"
    bl_label = "Go To Frame"
    bl_description = "Go to the frame that this is about"
    bl_options = {"INTERNAL"}

    frame: IntProperty(name="Frame", description="Frame of the scene")

    def execute(self, context):
        render = context.scene.render
        context.scene.frame_set(round(self.frame * render.frame_map_new / render.frame_map_old))
        return {"FINISHED"}
