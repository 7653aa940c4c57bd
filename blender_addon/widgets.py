# SPDX-License-Identifier: GPL-3.0-or-later
"""What panels, dialogs and preferences draw alike."""

from __future__ import annotations

import bpy

from . import links
from .core.words import in_lines, room_in
from .translations import translate


def draw_text(layout, context, text: str, icon: str) -> None:
    """Lay a sentence out in as many lines as the sidebar needs, so that nothing of it is cut off."""
    region, scale = context.region, context.preferences.system.ui_scale
    width = room_in(region.width / scale if region is not None else 0.0)
    draw_lines(layout, translate(text), icon, width)


def draw_lines(layout, text: str, icon: str, width: float) -> None:
    """Lay a sentence out in lines of so many unscaled pixels."""
    column = layout.column(align=True)
    for k, part in enumerate(in_lines(text, width)):
        column.label(text=part, icon="BLANK1" if k else icon)


def draw_settings(layout, owner, prefix: str = "") -> None:
    """Draw the settings of planting that an operator, the preferences or an object holds."""
    layout.use_property_split = True
    layout.use_property_decorate = False
    layout.prop(owner, f"{prefix}ground")
    if getattr(owner, f"{prefix}ground") == "HEIGHT":
        layout.prop(owner, f"{prefix}ground_height")
    if getattr(owner, f"{prefix}ground") == "OBJECTS":
        layout.prop_search(owner, f"{prefix}ground_object", bpy.data, "objects")
        layout.prop_search(owner, f"{prefix}ground_collection", bpy.data, "collections")
    layout.prop(owner, f"{prefix}ground_motion")
    if getattr(owner, f"{prefix}ground_motion") == "GIVEN":
        layout.prop(owner, f"{prefix}ground_velocity")
    layout.prop(owner, f"{prefix}travel")
    layout.prop(owner, f"{prefix}rate")
    chosen = {"NUMBER": "rate_fps", "BVH": "rate_file"}.get(getattr(owner, f"{prefix}rate"))
    if chosen:
        layout.prop(owner, f"{prefix}{chosen}")
    for name in ("contacts", "reach", "frames", "read", "keys"):
        layout.prop(owner, f"{prefix}{name}")
    if getattr(owner, f"{prefix}keys") != "EVERY":
        layout.prop(owner, f"{prefix}tolerance")


def draw_links(layout, *, text: bool = True) -> None:
    """Draw buttons for the add-on's addresses, those that it states."""
    for url, label, icon in ((links.DOC_URL, "Documentation", "HELP"), (links.TRACKER_URL, "Report a Bug", "URL")):
        if url:
            layout.operator("wm.url_open", text=label if text else "", icon=icon, emboss=text).url = url
