# SPDX-License-Identifier: GPL-3.0-or-later
"""What starts operators by the mouse; users find it in Preferences, Keymap, and may change it there."""

from __future__ import annotations

import bpy

from .operators.drag_contact import SKELKIN_OT_drag_contact

#: keymaps of the regions into which contacts are drawn
_KEYMAPS = (("Dopesheet", "DOPESHEET_EDITOR"), ("3D View", "VIEW_3D"))

_items: list[tuple] = []


def register() -> None:
    """Let the left button drag contacts where they are drawn."""
    config = bpy.context.window_manager.keyconfigs.addon
    for name, space in _KEYMAPS if config is not None else ():  # without a window there may be none
        keymap = config.keymaps.new(name=name, space_type=space)
        _items.append((keymap, keymap.keymap_items.new(SKELKIN_OT_drag_contact.bl_idname, "LEFTMOUSE", "PRESS")))


def unregister() -> None:
    """Undo `register`."""
    while _items:
        keymap, item = _items.pop()
        keymap.keymap_items.remove(item)
