# SPDX-License-Identifier: GPL-3.0-or-later
"""The one place that registers and unregisters."""

from __future__ import annotations

import bpy

from . import panels, properties
from .operators import CLASSES as OPERATORS


def register() -> None:
    """Register properties, operators, panels and menu entries."""
    properties.register()
    for cls in (*OPERATORS, *panels.CLASSES):
        bpy.utils.register_class(cls)
    bpy.types.VIEW3D_MT_object_animation.append(panels.draw_animation_menu)


def unregister() -> None:
    """Undo `register`, in the opposite order."""
    bpy.types.VIEW3D_MT_object_animation.remove(panels.draw_animation_menu)
    for cls in reversed((*OPERATORS, *panels.CLASSES)):
        bpy.utils.unregister_class(cls)
    properties.unregister()
