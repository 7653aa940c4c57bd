# SPDX-License-Identifier: GPL-3.0-or-later
"""Values of properties before the switch went on, and how they come back.

Swapping actions alone is not enough: a channel that only the planted action animates keeps its last value.
"""

from __future__ import annotations

from collections.abc import Iterator

import bpy

from ..properties import NUM_TRANSFORM_CHANNELS, TRANSFORM_CHANNELS
from . import actions, values


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
        value = values.get_value(ob, path, index)
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
            values.set_value(ob, path, index, _value(others[path, index]))
    if forget:
        planted.skelkin.kept.clear()
        forget_transforms(ob)


def forget_transforms(ob) -> None:
    """Drop the records of the object and its bones."""
    for owner in (ob, *ob.pose.bones):
        owner.property_unset("skelkin_is_kept")
        owner.property_unset("skelkin_kept")


def rest_of(ob, bone: str, channel: str) -> list[float]:
    """Return the recorded value of one property of one bone, or what a property that is no transform has now."""
    sizes = dict(TRANSFORM_CHANNELS)
    if channel not in sizes:
        return [values.get_value(ob, actions.bone_path(bone, channel), 0)]
    names = list(sizes)
    offset = sum(sizes[name] for name in names[: names.index(channel)])
    return list(ob.pose.bones[bone].skelkin_kept[offset : offset + sizes[channel]])


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


def _value(text: str) -> bool | int | float:
    """Return a value from the text that keeps it."""
    known = {"True": True, "False": False}
    if text in known:
        return known[text]
    return float(text) if any(c in text for c in ".en") else int(text)
