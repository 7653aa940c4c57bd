# SPDX-License-Identifier: GPL-3.0-or-later
"""Bones that were renamed while a planted action plays: Blender tells the action that is assigned, and no other.

The original, which waits, and all that the add-on remembers by name follow here.
"""

from __future__ import annotations

import json
from typing import Any

import bpy

from ..core.leg_presets import JOINTS
from ..core.renames import renamed, with_names
from ..core.steps import finished
from . import actions, compat
from .contacts.stored import rename_feet
from .original import kept, marks, originals
from .playback import is_on, original_is_gone, playing, source_of
from .read_state import goals_of


def follow_all(ob) -> dict[Any, list[str]]:
    """Let the originals of an armature and its goals follow where planted ones play; return what could not, of each."""
    return {each: follow_names(each) for each in (ob, *goals_of(ob)) if each.pose is not None and is_on(each)}


def follow_names(ob) -> list[str]:
    """Let the original follow where bones were renamed while its planted copy plays; return what could not."""
    planted, slot = playing(ob)
    source = source_of(ob)
    source_slot = compat.find_slot(source, planted.skelkin.source_slot)
    if original_is_gone(ob) or compat.slot_is_missing(source, source_slot):
        return []
    names = _found(ob, planted, slot)
    if not names:
        return []
    escape = bpy.utils.escape_identifier
    paths = {escape(old): escape(new) for old, new in names.items()}
    _rename_kept(ob, names)
    _rename_mark(planted, slot, names, paths)
    sides = {leg.side for leg in ob.skelkin_legs}
    rename_feet(planted, {old: new for old, new in names.items() if old not in sides})
    holder = _held_by(ob, source, names) if source is not None else ""
    if holder:
        return [f"{source.name} {holder}: it does not move {', '.join(names.values())}, which were renamed meanwhile"]
    _rename_curves(ob, source, source_slot, paths)
    return []


def _found(ob, planted, slot) -> dict[str, str]:
    """Return old → new name of the bones that were renamed, and that Blender has renamed in the planted action."""
    record = kept.read_record(ob)
    if record is None:
        return {}
    animated = {path.split("]", 1)[0] for path, _ in actions.curves_by_channel(planted, slot)}
    names = renamed(record.bones, [bone.name for bone in ob.pose.bones])
    return {old: new for old, new in names.items() if actions.bone_path(old, "").split("]", 1)[0] not in animated}


def _rename_kept(ob, names: dict[str, str]) -> None:
    record = kept.read_record(ob)
    kept.write_record(ob, record._replace(bones=[names.get(bone, bone) for bone in record.bones]))
    for leg in ob.skelkin_legs:
        leg.name = names.get(leg.name, leg.name)
        leg.found = json.dumps([names.get(bone, bone) for bone in json.loads(leg.found or "[]")]) if leg.found else ""
        for joint in JOINTS:
            setattr(leg, joint, names.get(getattr(leg, joint), getattr(leg, joint)))


def _rename_mark(planted, slot, names: dict[str, str], paths: dict[str, str]) -> None:
    mark = planted.skelkin
    before = {new: old for old, new in paths.items()}
    own = {actions.bone_path(item.bone, item.channel) for item in mark.channels}
    untouched = actions.digest(planted, slot, own, before) == mark.keys_digest
    for item in mark.channels:
        item.bone = names.get(item.bone, item.bone)
    for item in mark.kept:
        item.data_path = with_names(item.data_path, paths)
    legs = json.loads(mark.legs or "[]")
    mark.legs = json.dumps([[names.get(bone, bone) for bone in leg] for leg in legs])
    mark.methods = json.dumps({names.get(foot, foot): keys for foot, keys in json.loads(mark.methods or "{}").items()})
    if untouched:
        mark.keys_digest = finished(marks.keys_digest(planted, slot))


def _held_by(ob, source, names: dict[str, str]) -> str:
    """Return what keeps the original from following: another file, or another armature that plays it."""
    if source.library is not None:
        return f"belongs to {source.library.filepath}"
    for other in bpy.data.objects:
        data = other.animation_data
        plays = other != ob and data is not None and data.action == source and other.pose is not None
        if plays and any(name in other.pose.bones for name in names):
            return f"is played by {other.name} too"
    return ""


def _rename_curves(ob, source, source_slot, paths: dict[str, str]) -> None:
    """Give the original's curves the new names, and compute its digest again where planted actions know it."""
    before = originals.digest(ob, source, source_slot, {new: old for old, new in paths.items()})
    for curve in compat.fcurves(source, source_slot):
        path = with_names(curve.data_path, paths)
        if path != curve.data_path:
            curve.data_path = path
    after = originals.digest(ob, source, source_slot)
    for action in bpy.data.actions:
        mark = action.skelkin
        if mark.is_planted and mark.source == source and mark.source_digest == before:
            mark.source_digest = after
