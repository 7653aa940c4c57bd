# SPDX-License-Identifier: GPL-3.0-or-later
"""The one place that registers and unregisters."""

from __future__ import annotations

import sys

import bpy

from . import contact_panel, keymap, panels, preferences, properties, translations
from .bridge import noticing, overlay
from .bridge.contacts import drawn
from .bridge.dragging import drag
from .bridge.original import gltf_export
from .operators import CLASSES as OPERATORS

CLASSES = (preferences.SKELKIN_preferences, *OPERATORS, *panels.CLASSES, *contact_panel.CLASSES)


def register() -> None:
    """Register properties, preferences, operators, panels, menu entries and what notices edits."""
    translations.register()
    properties.register()
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.VIEW3D_MT_object_animation.append(panels.draw_animation_menu)
    noticing.register()
    overlay.register()
    keymap.register()
    sys.modules[__package__].glTF2ExportUserExtension = gltf_export.ActionsToExport  # the exporter looks for it there
    addon = bpy.context.preferences.addons.get(__package__)
    drawn.show(addon is not None and addon.preferences is not None and addon.preferences.shows_contacts)


def unregister() -> None:
    """Undo `register`, in the opposite order."""
    del sys.modules[__package__].glTF2ExportUserExtension
    drag.stop()
    drawn.show(False)
    keymap.unregister()
    overlay.unregister()
    noticing.unregister()
    bpy.types.VIEW3D_MT_object_animation.remove(panels.draw_animation_menu)
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
    properties.unregister()
    translations.unregister()
