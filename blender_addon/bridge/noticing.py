# SPDX-License-Identifier: GPL-3.0-or-later
"""Originals that are edited while a planted copy of them plays: noticed at once, at next to no cost.

Blender says after each change which data blocks it was about. Where one is an action, its name is noted; once nothing
more was edited for a moment, the originals of that name are compared with what was planted. Playing a scene back
changes no action.
"""

from __future__ import annotations

import bpy

from . import checks, compat, playback
from .original import nla, originals

#: seconds without edits after which originals are compared: digests of long actions take a while
PAUSE = 0.4

_edited: set[str] = set()


def note(_scene, depsgraph) -> None:
    """Note the actions that were edited; Blender calls it after each update of the scene."""
    if not depsgraph.id_type_updated("ACTION"):
        return
    names = {update.id.original.name_full for update in depsgraph.updates if isinstance(update.id, bpy.types.Action)}
    if not names <= _edited:
        _edited.update(names)
    if names and not bpy.app.background:
        if bpy.app.timers.is_registered(_wait):
            bpy.app.timers.unregister(_wait)
        bpy.app.timers.register(_wait, first_interval=PAUSE)


def compare() -> int:
    """Compare the originals that were edited with what was planted; return for how many objects that is new."""
    names, found = set(_edited), 0
    _edited.clear()
    for ob in bpy.data.objects if names else ():
        planted = playback.playing(ob).action
        if ob.skelkin_planted is None or not playback.is_on(ob) or checks.is_newer(planted):
            continue
        mark = planted.skelkin
        source = mark.source
        parts = (source, *(action for action, _ in nla.played_actions(ob)))
        if names.isdisjoint(action.name_full for action in parts if action is not None):
            continue
        slot = compat.find_slot(source, mark.source_slot)
        changed = compat.slot_is_missing(source, slot) or originals.digest(ob, source, slot) != mark.source_digest
        if changed != mark.source_changed:
            mark.source_changed = changed
            found += 1
    return found


def _wait() -> None:
    if compare():
        playback.redraw("VIEW_3D")


def register() -> None:
    """Begin to note edits."""
    bpy.app.handlers.depsgraph_update_post.append(bpy.app.handlers.persistent(note))


def unregister() -> None:
    """End it, and forget what was noted."""
    if bpy.app.timers.is_registered(_wait):
        bpy.app.timers.unregister(_wait)
    bpy.app.handlers.depsgraph_update_post.remove(note)
    _edited.clear()
