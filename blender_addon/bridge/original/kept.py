# SPDX-License-Identifier: GPL-3.0-or-later
"""Values of properties before the switch went on, and how they come back.

Swapping actions alone is not enough: a channel that only the planted action animates keeps its last value.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import bpy
import numpy as np

from ...core.packing import packed, unpacked
from ...core.state import NUM_TRANSFORM_CHANNELS, PLACES, Played, Record
from ...core.verbs import is_transform, values_back
from .. import actions, values
from . import nla


def keep_transforms(ob) -> None:
    """Record the transform channels of the object and all its pose bones, unless a record still waits to be used."""
    if not ob.skelkin_kept_pose:
        write_record(ob, record_of(ob))


def record_of(ob) -> Record:
    """Return the transform channels of the object and all its pose bones as they are."""
    bones = _bones(ob)
    values = np.empty((1 + len(bones), NUM_TRANSFORM_CHANNELS), dtype=np.float32)
    for name, (first, size) in PLACES.items():
        values[0, first : first + size] = getattr(ob, name)
        if not len(bones):
            continue
        column = np.empty(len(bones) * size, dtype=np.float32)
        bones.foreach_get(name, column)
        values[1:, first : first + size] = column.reshape(len(bones), size)
    return Record([bone.name for bone in bones], values, nla.use_of(ob) if nla.blends(ob) else None)


def give_back(ob, record: Record) -> None:
    """Give the object and its bones the values of a record of these bones."""
    bones = ob.pose.bones
    for name, (first, size) in PLACES.items():
        setattr(ob, name, record.values[0, first : first + size])
        bones.foreach_set(name, np.ascontiguousarray(record.values[1:, first : first + size]).ravel())


def _bones(ob):
    """Return the object's pose bones, none where it is no armature."""
    return ob.pose.bones if ob.pose is not None else ()


def read_record(ob) -> Record | None:
    """Return the record, None where there is none."""
    if not ob.skelkin_kept_pose:
        return None
    record = json.loads(ob.skelkin_kept_pose)
    use = nla.Use(*record["use"]) if record.get("use") else None
    return Record(record["bones"], unpacked(record["values"], NUM_TRANSFORM_CHANNELS), use)


def write_record(ob, record: Record) -> None:
    """Keep a record on the object: as one text, since properties of bones become an override each on override rigs."""
    ob.skelkin_kept_pose = json.dumps({"bones": record.bones, "values": packed(record.values), "use": record.use})


def former_use(ob) -> nla.Use | None:
    """Return how the original is laid over strips, None where it is not, or where it plays now."""
    record = read_record(ob)
    return record.use if record is not None else None


def restore_use(ob) -> None:
    """Lay the original over strips as before."""
    use = former_use(ob)
    if use is not None:
        nla.set_use(ob, use)


def keep_others(ob, copy: Played, original: Played) -> None:
    """Record, on the planted action, every other property that it animates and the original does not.

    Constraints' settings and custom properties are recorded too: keys that they get while it is on must not outlive it.
    """
    mark, before, bones = copy.action.skelkin, actions.animated(*original), bones_of(ob)
    known = {(item.data_path, item.index) for item in mark.kept}
    added = (key for key in actions.curves_by_channel(*copy) if not before.get(key, False))
    for path, index in dict.fromkeys((*added, *_settings(ob))):
        if is_transform(path, bones) or (path, index) in known:
            continue
        value = values.get_value(ob, path, index)
        if isinstance(value, (bool, int, float)):
            item = mark.kept.add()
            item.data_path, item.index, item.value = path, index, repr(value)


def restore(ob, copy: Played, original: Played, *, forget: bool = True) -> None:
    """Give every property that only the planted action animates its value of before."""
    curves = actions.curves_by_channel(*copy), actions.animated(*original)
    for path, index, value in values_back(read_record(ob), bones_of(ob), others_of(copy.action), *curves):
        values.set_value(ob, path, index, value)
    if forget:
        copy.action.skelkin.kept.clear()
        forget_transforms(ob)


def bones_of(ob) -> frozenset[str]:
    """Return the names of the object's bones."""
    return frozenset(ob.pose.bones.keys()) if ob.pose is not None else frozenset()


def others_of(action) -> dict[tuple[str, int], bool | int | float]:
    """Return what `keep_others` recorded."""
    return {(item.data_path, item.index): _value(item.value) for item in action.skelkin.kept}


def forget_transforms(ob) -> None:
    """Drop the record of the object and its bones."""
    ob.property_unset("skelkin_kept_pose")


def rest_of(ob, record: Record, bone: str, channel: str) -> list[float]:
    """Return the recorded value of one property of one bone, or of the object where none is named.

    A property that is no transform has not been recorded: it is what it is now.
    """
    if channel not in PLACES:
        return [values.get_value(ob, actions.bone_path(bone, channel), 0)]
    value = record.value(bone, channel)
    if value is None:
        raise ValueError(f"{bone} was not there when the values of {ob.name} were recorded: switch off, then on again")
    return value


def _settings(ob) -> Iterator[tuple[str, int]]:
    """Paths and indices of what besides transforms is keyed on a pose: constraints' influences, custom properties."""
    for owner in (ob, *_bones(ob)):
        for constraint in owner.constraints:
            for name in ("influence", "mute", "enabled"):
                yield f"{constraint.path_from_id()}.{name}", 0
        for key in owner.keys():  # noqa: SIM118 - bpy data has keys, but cannot be iterated
            if not key.startswith("skelkin_"):
                path = f'{"" if owner == ob else owner.path_from_id()}["{bpy.utils.escape_identifier(key)}"]'
                value = owner[key]
                count = len(value) if hasattr(value, "__len__") and not isinstance(value, (str, bytes)) else 1
                yield from ((path, index) for index in range(count))


def _value(text: str) -> bool | int | float:
    """Return a value from the text that keeps it."""
    known = {"True": True, "False": False}
    if text in known:
        return known[text]
    return float(text) if any(c in text for c in ".en") else int(text)
