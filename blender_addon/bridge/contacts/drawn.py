# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts drawn as a row for each foot, in the Dope Sheet, the Action Editor and the 3-D view.

Nothing is registered, and so nothing costs, as long as they are not shown.
"""

from __future__ import annotations

import blf
import bpy
import gpu
from gpu_extras.batch import batch_for_shader

from ...core.contact_rows import Bar, Rows, Strip, rows
from .. import checks, playback
from . import stored

#: where rows begin above the bottom of a region, in unscaled pixels: above the markers' line and the view's scroll bar
_BOTTOM = {"DOPESHEET_EDITOR": 44.0, "VIEW_3D": 24.0}
#: what `ui_mode` would say lacks the timeline
_MODES = ("DOPESHEET", "ACTION")

_handles: list[tuple[type, object]] = []


def bars_of(action) -> list[Bar]:
    """Return what is shown of the contacts of a planted action, where their markers are."""
    keys = ((m.skelkin_contact, m) for m in action.pose_markers)
    frames = {(key, m.skelkin_is_up): m.frame for key, m in keys if key > 0}
    bars = []
    for item in action.skelkin.contacts:
        key = item.key
        first, last = frames.get((key, False)), frames.get((key, True))
        if first is not None and last is not None:
            bars.append(Bar(item.foot, first, last, item.part, item.use, item.use_place or item.use_height))
    return bars


def rows_of(context) -> Rows | None:
    """Return what is to be drawn into the region of the context, None where there is nothing."""
    ob, area, region = checks.armature_of(context), context.area, context.region
    if ob is None or ob.type != "ARMATURE" or not playback.is_on(ob):
        return None
    if area.type == "DOPESHEET_EDITOR":
        if context.space_data.mode not in _MODES:
            return None
        ends = (region.view2d.region_to_view(x, 0)[0] for x in (0, region.width))
    else:
        scene = context.scene
        preview = scene.use_preview_range
        first = scene.frame_preview_start if preview else scene.frame_start
        last = scene.frame_preview_end if preview else scene.frame_end
        ends = (first, last + 1)
    strip = Strip(*ends, region.width)
    if strip.last <= strip.first:
        return None
    scale = context.preferences.system.ui_scale
    bars = bars_of(playback.playing(ob).action)
    return rows(bars, stored.feet_of(ob), strip, _BOTTOM[area.type] * scale, scale)


def _draw() -> None:
    context = bpy.context
    found = rows_of(context)
    if found is None:
        return
    scale = context.preferences.system.ui_scale
    if found.corners:
        shader = gpu.shader.from_builtin(_SHADER)
        batch = batch_for_shader(shader, "TRIS", {"pos": found.corners, "color": found.colours})
        gpu.state.blend_set("ALPHA")
        batch.draw(shader)
        gpu.state.blend_set("NONE")
    blf.color(0, 1.0, 1.0, 1.0, 0.9)
    blf.size(0, *_size(scale))
    for name, x, y in found.names:
        blf.position(0, x, y, 0.0)
        blf.draw(0, name)


def _size(scale: float) -> tuple:
    return (9.0 * scale,) if bpy.app.version >= (4, 0) else (round(9 * scale), 72)


_SHADER = "FLAT_COLOR" if bpy.app.version >= (4, 0) else "2D_FLAT_COLOR"


def is_shown() -> bool:
    """Whether contacts are drawn."""
    return bool(_handles)


def show(shown: bool) -> None:
    """Draw contacts, or no longer."""
    while _handles:
        space, handle = _handles.pop()
        space.draw_handler_remove(handle, "WINDOW")
    if shown and not bpy.app.background:
        for space in (bpy.types.SpaceDopeSheetEditor, bpy.types.SpaceView3D):
            _handles.append((space, space.draw_handler_add(_draw, (), "WINDOW", "POST_PIXEL")))
    for window in bpy.context.window_manager.windows if not bpy.app.background else ():
        for area in window.screen.areas:
            if area.type in _BOTTOM:
                area.tag_redraw()
