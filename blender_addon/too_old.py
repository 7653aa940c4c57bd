# SPDX-License-Identifier: GPL-3.0-or-later
"""All that is registered where Blender's Python is older than the native module needs."""

import sys

import bpy


class SKELKIN_preferences_too_old(bpy.types.AddonPreferences):
    bl_idname = __package__

    def draw(self, context):
        box = self.layout.box()
        text = "Skelkin needs Python 3.10 or later; this Blender has {}.{}".format(*sys.version_info[:2])
        box.label(text=text, icon="ERROR")


def register():
    bpy.utils.register_class(SKELKIN_preferences_too_old)


def unregister():
    bpy.utils.unregister_class(SKELKIN_preferences_too_old)
