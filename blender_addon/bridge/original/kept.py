# SPDX-License-Identifier: GPL-3.0-or-later
"""Values of properties before the switch went on, and how they come back.

Swapping actions alone is not enough: a channel that only the planted action animates keeps its last value.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterator
from typing import NamedTuple

import bpy
import numpy as np

from ...properties import NUM_TRANSFORM_CHANNELS, TRANSFORM_CHANNELS
from .. import actions, values
from . import nla

#: property → first place in a row of the record, number of places
_PLACES = {
    name: (sum(size for _, size in TRANSFORM_CHANNELS[:k]), size) for k, (name, size) in enumerate(TRANSFORM_CHANNELS)
}


class Record(NamedTuple):
    """Transform channels before the switch went on: the object's own in the first row, then those of its bones."""

    bones: list[str]
    values: np.ndarray  # (1 + bones, channels) float32
    use: nla.Use | None  # how the action is laid over strips, None where there are none

    def row(self, bone: str | None) -> np.ndarray | None:
        """Return the channels of a bone, of the object where that is None; None for bones that were not there."""
        if bone is None:
            return self.values[0]
        return self.values[1 + self.bones.index(bone)] if bone in self.bones else None

    def value(self, bone: str, channel: str) -> list[float]:
        """Return the recorded value of one property of one bone, or of the object where none is named."""
        if channel not in _PLACES:
            raise ValueError(f"channel is {channel!r}: must be one of {', '.join(_PLACES)}")
        row, (first, size) = self.row(bone or None), _PLACES[channel]
        if row is None:
            raise ValueError(f"bone is {bone!r}: there was none of that name")
        return [float(value) for value in row[first : first + size]]


def keep_transforms(ob) -> None:
    """Record the transform channels of the object and all its pose bones, unless a record still waits to be used."""
    if not ob.skelkin_kept_pose:
        write_record(ob, record_of(ob))


def record_of(ob) -> Record:
    """Return the transform channels of the object and all its pose bones as they are."""
    bones = _bones(ob)
    values = np.empty((1 + len(bones), NUM_TRANSFORM_CHANNELS), dtype=np.float32)
    for name, (first, size) in _PLACES.items():
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
    for name, (first, size) in _PLACES.items():
        setattr(ob, name, record.values[0, first : first + size])
        bones.foreach_set(name, np.ascontiguousarray(record.values[1:, first : first + size]).ravel())


def _bones(ob):
    """Return the object's pose bones, none where it is no armature."""
    return ob.pose.bones if ob.pose is not None else ()


def read_record(ob) -> Record | None:
    """Return the record, None where there is none."""
    if not ob.skelkin_kept_pose:
        return None
    told = json.loads(ob.skelkin_kept_pose)
    values = np.frombuffer(zlib.decompress(base64.b64decode(told["values"])), dtype="<f4")
    use = nla.Use(*told["use"]) if told.get("use") else None
    return Record(told["bones"], values.reshape(-1, NUM_TRANSFORM_CHANNELS), use)


def write_record(ob, record: Record) -> None:
    """Keep a record on the object: as one text, since properties of bones become an override each on override rigs."""
    packed = base64.b64encode(zlib.compress(record.values.astype("<f4").tobytes())).decode("ascii")
    ob.skelkin_kept_pose = json.dumps({"bones": record.bones, "values": packed, "use": record.use})


def former_use(ob) -> nla.Use | None:
    """Return how the original is laid over strips, None where it is not, or where it plays now."""
    record = read_record(ob)
    return record.use if record is not None else None


def restore_use(ob) -> None:
    """Lay the original over strips as before."""
    use = former_use(ob)
    if use is not None:
        nla.set_use(ob, use)


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
    transforms, record = _transform_places(ob), read_record(ob)
    others = {(item.data_path, item.index): item.value for item in planted.skelkin.kept}
    if record is not None and record.use is not None:
        source = None  # above strips the original may have left to them what the planted action does on every frame
    for path, index in _added(planted, slot, source, source_slot):
        if path in transforms:
            owner, name = transforms[path]
            row = record.row(None if owner == ob else owner.name) if record is not None else None
            if row is not None:
                getattr(owner, name)[index] = row[_PLACES[name][0] + index]
        elif (path, index) in others:
            values.set_value(ob, path, index, _value(others[path, index]))
    if forget:
        planted.skelkin.kept.clear()
        forget_transforms(ob)


def forget_transforms(ob) -> None:
    """Drop the record of the object and its bones."""
    ob.property_unset("skelkin_kept_pose")


def rest_of(ob, record: Record, bone: str, channel: str) -> list[float]:
    """Return the recorded value of one property of one bone, or of the object where none is named.

    A property that is no transform has not been recorded: it is what it is now.
    """
    if channel in _PLACES:
        return record.value(bone, channel)
    return [values.get_value(ob, actions.bone_path(bone, channel), 0)]


def _added(planted, slot, source, source_slot) -> list[tuple[str, int]]:
    before = {key for key, curve in actions.curves_by_channel(source, source_slot).items() if actions.animates(curve)}
    return [key for key in actions.curves_by_channel(planted, slot) if key not in before]


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


def _transform_places(ob) -> dict:
    """Return data path → owner and property."""
    places = {}
    for name in _PLACES:
        places[name] = (ob, name)
        for bone in _bones(ob):
            places[actions.bone_path(bone.name, name)] = (bone, name)
    return places


def _value(text: str) -> bool | int | float:
    """Return a value from the text that keeps it."""
    known = {"True": True, "False": False}
    if text in known:
        return known[text]
    return float(text) if any(c in text for c in ".en") else int(text)
