# SPDX-License-Identifier: GPL-3.0-or-later
"""Values of properties before the switch went on, and how they come back.

Swapping actions alone is not enough: a channel that only the planted action animates keeps its last value.
"""

from __future__ import annotations

from collections.abc import Iterator

import bpy

from ..properties import NUM_TRANSFORM_CHANNELS, TRANSFORM_CHANNELS
from . import actions


def keep_transforms(ob) -> None:
    """Record the transform channels of the object and all its pose bones, unless a record still waits to be used."""
    for owner in (ob, *ob.pose.bones):
        if not owner.skelkin_is_kept:
            owner.skelkin_kept = [value for name, _ in TRANSFORM_CHANNELS for value in getattr(owner, name)]
            owner.skelkin_is_kept = True


def keep_others(ob, planted, slot, source, source_slot) -> None:
    """Record, on the planted action, every other property that it animates and the original does not.

    Constraints' settings and custom properties are recorded too: keys that they get while it is on must not outlive it.
    """
    transforms = _transform_places(ob)
    mark = planted.skelkin
    known = {(item.data_path, item.index) for item in mark.kept}
    for path, index in dict.fromkeys((*_added(planted, slot, source, source_slot), *_settings(ob))):
        if path in transforms or (path, index) in known:
            continue
        value = _get(ob, path, index)
        if isinstance(value, (bool, int, float)):
            item = mark.kept.add()
            item.data_path, item.index, item.value = path, index, repr(value)


def restore(ob, planted, slot, source, source_slot, *, forget: bool = True) -> None:
    """Give every property that only the planted action animates its value of before."""
    transforms = _transform_places(ob)
    others = {(item.data_path, item.index): item.value for item in planted.skelkin.kept}
    for path, index in _added(planted, slot, source, source_slot):
        if path in transforms:
            owner, name, offset = transforms[path]
            if owner.skelkin_is_kept:
                getattr(owner, name)[index] = owner.skelkin_kept[offset + index]
        elif (path, index) in others:
            _set(ob, path, index, others[path, index])
    if forget:
        planted.skelkin.kept.clear()
        forget_transforms(ob)


def forget_transforms(ob) -> None:
    """Drop the records of the object and its bones."""
    for owner in (ob, *ob.pose.bones):
        owner.property_unset("skelkin_is_kept")
        owner.property_unset("skelkin_kept")


def rest_of(ob, bone: str, channel: str) -> list[float]:
    """Return the recorded value of one property of one bone."""
    offset = 0
    for name, size in TRANSFORM_CHANNELS:
        if name == channel:
            return list(ob.pose.bones[bone].skelkin_kept[offset : offset + size])
        offset += size
    raise ValueError(f"channel is {channel!r}: must be one of {', '.join(n for n, _ in TRANSFORM_CHANNELS)}")


def _added(planted, slot, source, source_slot) -> list[tuple[str, int]]:
    before = {key for key, curve in actions.curves_by_channel(source, source_slot).items() if actions.animates(curve)}
    return [key for key in actions.curves_by_channel(planted, slot) if key not in before]


def _settings(ob) -> Iterator[tuple[str, int]]:
    """Paths and indices of what besides transforms is keyed on a pose: constraints' influences, custom properties."""
    for owner in (ob, *ob.pose.bones):
        for constraint in owner.constraints:
            for name in ("influence", "mute", "enabled"):
                yield f"{constraint.path_from_id()}.{name}", 0
        for key in owner.keys():  # noqa: SIM118 - bpy data has keys, but cannot be iterated
            if not key.startswith("skelkin_"):
                path = f'{"" if owner == ob else owner.path_from_id()}["{bpy.utils.escape_identifier(key)}"]'
                value = owner[key]
                count = len(value) if hasattr(value, "__len__") and not isinstance(value, (str, bytes)) else 1
                yield from ((path, index) for index in range(count))


def _transform_places(ob) -> dict:
    """Return data path → owner, property and place in the record."""
    places = {}
    offset = 0
    for name, size in TRANSFORM_CHANNELS:
        places[name] = (ob, name, offset)
        for bone in ob.pose.bones:
            places[actions.bone_path(bone.name, name)] = (bone, name, offset)
        offset += size
    assert offset == NUM_TRANSFORM_CHANNELS
    return places


def _get(ob, path: str, index: int):
    try:
        value = ob.path_resolve(path)
    except ValueError:
        return None
    try:
        return value[index]
    except (TypeError, IndexError):
        return value


def _set(ob, path: str, index: int, text: str) -> None:
    value = {"True": True, "False": False}.get(text)
    if value is None:
        value = float(text) if any(c in text for c in ".en") else int(text)
    try:
        owner_path, _, name = path.rpartition(".")
        if path.endswith("]"):  # a custom property: owner["name"]
            owner_path, _, key = path.rpartition('["')
            owner = ob.path_resolve(owner_path) if owner_path else ob
            name = bpy.utils.unescape_identifier(key[:-2])
            if hasattr(owner[name], "__len__"):
                owner[name][index] = value
            else:
                owner[name] = value
            return
        owner = ob.path_resolve(owner_path) if owner_path else ob
        if getattr(owner.bl_rna.properties[name], "is_array", False):
            getattr(owner, name)[index] = value
        else:
            setattr(owner, name, value)
    except (ValueError, KeyError, TypeError, AttributeError):
        return  # the property is gone: there is nothing to give back to
