# SPDX-License-Identifier: GPL-3.0-or-later
"""The add-on's preferences: the settings that armatures are planted with which have none of their own."""

import bpy

from .properties import PlantSettings
from .widgets import draw_links, draw_settings


class SKELKIN_preferences(PlantSettings, bpy.types.AddonPreferences):
    bl_idname = __package__

    def draw(self, context):
        self.layout.label(text="Armatures without settings of their own are planted with:")
        draw_settings(self.layout, self)
        draw_links(self.layout.row())
