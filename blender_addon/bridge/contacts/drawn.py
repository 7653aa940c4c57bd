# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts drawn as a row for each foot, in the Dope Sheet, the Action Editor and the 3-D view.

Nothing is registered, and so nothing costs, as long as they are not shown.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import blf
import bpy
import gpu
from gpu_extras.batch import batch_for_shader

from ...core import contacts
from ...core.contact_grips import Grip, grip_at
from ...core.contact_rows import Bar, Diamond, Rows, Strip, rows
from .. import checks, compat, playback
from . import stored

#: where rows begin above the bottom of a region, in unscaled pixels: above the markers' line and the view's scroll bar
_BOTTOM = {"DOPESHEET_EDITOR": 44.0, "VIEW_3D": 24.0}
#: what `ui_mode` would say lacks the timeline
_MODES = ("DOPESHEET", "ACTION")

#: what bars are made of, besides feet and parts
_OF_MARKERS = ("frame", "skelkin_contact", "skelkin_is_up")
_OF_FOOT_EDITS = ("frame", "last")
_OF_CONTACTS = ("key", "first", "last", "use", "use_height", "use_place")

_handles: list[tuple[type, object]] = []
#: the bar that the mouse holds, as it would be if it were released now: nothing is written before
_held: list[Bar] = []


class _Made(NamedTuple):
    """What was drawn last, and from what: it is drawn again until that changes."""

    of: tuple
    batch: Any
    names: list[tuple[str, float, float]]


#: for each kind of area
_made: dict[str, _Made] = {}


def bars_of(action) -> list[Bar]:
    """Return what is shown of the contacts of a planted action, where their markers are."""
    items, markers = action.skelkin.contacts, stored.markers_of(action)
    spans = [contacts.Contact(item.key, item.foot, item.first, item.last) for item in items]
    places = contacts.tied(spans, markers)
    bars = []
    for item, (key, foot, *_) in zip(items, spans, strict=True):
        down, up = (places.get((key, is_up)) for is_up in (False, True))
        if down is not None and up is not None:
            ends = markers[down].frame, markers[up].frame
            bars.append(Bar(foot, *ends, item.part, item.use, item.use_place or item.use_height, key))
    return bars


def planted_of(context):
    """Return the armature whose contacts are drawn, None where there is none."""
    ob = checks.armature_of(context)
    return ob if ob is not None and ob.type == "ARMATURE" and playback.is_on(ob) else None


def strip_of(context) -> Strip | None:
    """Return where rows are in the region of the context, None where there are none."""
    area, region = context.area, context.region
    if area.type == "DOPESHEET_EDITOR":
        if context.space_data.mode not in _MODES:
            return None
        ends = (region.view2d.region_to_view(x, 0)[0] for x in (0, region.width))
    else:
        first, last = playback.scene_range(context.scene, preview=True)
        ends = (first, last + 1)
    scale = context.preferences.system.ui_scale
    left, right = _clear(area, region) if area.type == "VIEW_3D" else (0, region.width)
    strip = Strip(*ends, right - left, _BOTTOM[area.type] * scale, scale, left)
    return strip if strip.first < strip.last and strip.width > 0 else None


def _clear(area, region) -> tuple[int, int]:
    """Return the left and right end, in pixels, of the bottom of a view between redo panel and sidebar."""
    left, right = 0, region.width
    for other in area.regions:
        if other.type == "HUD" and other.width > 1 and other.y > region.y:  # hidden, it is at 0, 0
            left = max(left, other.x + other.width - region.x)
        elif other.type == "UI" and other.alignment == "RIGHT" and other.width > 1:
            right = min(right, other.x - region.x)
    return left, right


def _shown(context) -> tuple | None:
    """Return action, feet and strip of what is drawn into the region of the context, None where nothing is."""
    ob = planted_of(context)
    strip = strip_of(context) if ob is not None else None
    return (playback.playing(ob).action, stored.feet_of(ob), strip) if strip is not None else None


def rows_of(context) -> Rows | None:
    """Return what is to be drawn into the region of the context, None where there is nothing."""
    shown = _shown(context)
    return _rows(*shown) if shown is not None else None


def _rows(action, feet, strip: Strip) -> Rows:
    held = {bar.key: bar for bar in _held}
    diamonds = [Diamond(item.foot, item.frame, item.last) for item in action.skelkin.foot_edits]
    return rows([held.get(bar.key, bar) for bar in bars_of(action)], feet, strip, diamonds)


def grip_below(context, x: float, y: float) -> Grip | None:
    """Return what of the contacts that are drawn is at a place of the region of the context, None for nothing."""
    if not is_shown() or context.area.type not in _BOTTOM or context.region.type != "WINDOW":
        return None
    shown = _shown(context)
    return grip_at(bars_of(shown[0]), *shown[1:], x, y) if shown is not None else None


def hold(bar: Bar | None) -> None:
    """Draw a bar in place of that of its contact, until the next one or None."""
    _held[:] = [bar] if bar is not None else []
    redraw()


def _draw() -> None:
    context = bpy.context
    shown = _shown(context)
    if shown is None:
        return
    made = _made_for(context.area.type, *shown)
    if made.batch is not None:
        gpu.state.blend_set("ALPHA")
        made.batch.draw(gpu.shader.from_builtin(_SHADER))
        gpu.state.blend_set("NONE")
    blf.color(0, 1.0, 1.0, 1.0, 0.9)
    compat.set_text_size(blf, 9.0 * shown[2].scale)
    for name, x, y in made.names:
        blf.position(0, x, y, 0.0)
        blf.draw(0, name)


def _made_for(kind: str, action, feet, strip: Strip) -> _Made:
    """Return what is drawn into a kind of area, made again only where what it is made of has changed."""
    now = (_seen(action), feet, strip, tuple(_held))
    if kind not in _made or _made[kind].of != now:
        found, batch = _rows(action, feet, strip), None
        if found.corners:
            colours = {"pos": found.corners, "color": found.colours}
            batch = batch_for_shader(gpu.shader.from_builtin(_SHADER), "TRIS", colours)
        _made[kind] = _Made(now, batch, found.names)
    return _made[kind]


def _seen(action) -> list:
    """Return all that bars are made of, numbers read in bulk."""
    items = action.skelkin.contacts
    edits = action.skelkin.foot_edits
    found: list = [*((item.foot, item.part) for item in items), *(item.foot for item in edits)]
    for objects, names in ((action.pose_markers, _OF_MARKERS), (items, _OF_CONTACTS), (edits, _OF_FOOT_EDITS)):
        for name in names:
            values = [0] * len(objects)
            objects.foreach_get(name, values)
            found.append(values)
    return found


_SHADER = "FLAT_COLOR" if bpy.app.version >= (4, 0) else "2D_FLAT_COLOR"


def is_shown() -> bool:
    """Whether contacts are drawn."""
    return bool(_handles)


def show(shown: bool) -> None:
    """Draw contacts, or no longer."""
    while _handles:
        space, handle = _handles.pop()
        space.draw_handler_remove(handle, "WINDOW")
    _held.clear()
    _made.clear()
    if shown and not bpy.app.background:
        for space in (bpy.types.SpaceDopeSheetEditor, bpy.types.SpaceView3D):
            _handles.append((space, space.draw_handler_add(_draw, (), "WINDOW", "POST_PIXEL")))
    redraw()


def redraw() -> None:
    """Let all that shows contacts be drawn again."""
    if not bpy.app.background:
        playback.redraw(*_BOTTOM)
