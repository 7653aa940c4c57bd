# SPDX-License-Identifier: GPL-3.0-or-later
"""The add-on's preferences: the settings that armatures are planted with which have none of their own."""

import bpy
from bpy.props import BoolProperty

from .bridge.contacts import drawn
from .properties import PlantSettings
from .widgets import draw_links, draw_settings


class SKELKIN_preferences(PlantSettings, bpy.types.AddonPreferences):
    bl_idname = __package__

    shows_contacts: BoolProperty(
        name="Show Contacts",
        description="Draw contacts in Dope Sheet, Action Editor and 3D view",
        default=False,
        update=lambda preferences, context: drawn.show(preferences.shows_contacts),
    )

    def draw(self, context):
        self.layout.label(text="Armatures without settings of their own are planted with:")
        draw_settings(self.layout, self)
        self.layout.prop(self, "shows_contacts")
        draw_links(self.layout.row())
