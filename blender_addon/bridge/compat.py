# SPDX-License-Identifier: GPL-3.0-or-later
"""The only module that knows how Blender's versions differ.

Up to 4.3 an action is flat and owns its F-curves. From 4.4 on it has slots, and the F-curves of one slot are in the
channel bag of its only strip; from 5.0 on there is no other way to them.
"""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np

HAS_SLOTS = hasattr(bpy.types, "ActionSlot")
#: how this version evaluates F-curves: what the library calls ``compat``
EVALUATION = "4.2" if bpy.app.version >= (4, 2) else "3.4"


def assigned(animation_data):
    """Return action and slot that the data block plays; the slot is None where actions have none."""
    action = animation_data.action
    return action, (animation_data.action_slot if HAS_SLOTS and action is not None else None)


def assign(animation_data, action, slot) -> None:
    """Play an action, with its slot set explicitly: Blender's own choice goes by name and may play nothing."""
    animation_data.action = action
    if HAS_SLOTS and action is not None:
        animation_data.action_slot = slot


def slot_name(slot) -> str:
    """Return what finds the slot again within its action, renamed or not; empty where there are no slots."""
    return f"{slot.handle} {slot.identifier}" if slot is not None else ""


def find_slot(action, name: str):
    """Return the slot of that `slot_name`, None where it is gone or actions have none.

    A name from a Blender without slots stands for the only slot that such an action has here.
    """
    if not HAS_SLOTS or action is None:
        return None
    if not name:
        return action.slots[0] if len(action.slots) == 1 else None
    handle, _, identifier = name.partition(" ")
    return next((slot for slot in action.slots if str(slot.handle) == handle), None) or action.slots.get(identifier)


def new_slot(action, name: str):
    """Return a new slot for objects in a new action, None where actions have none."""
    return action.slots.new(id_type="OBJECT", name=name) if HAS_SLOTS else None


def strip_slot(strip):
    """Return the slot that a strip of the NLA plays; None where it plays none, or where actions have none."""
    return strip.action_slot if HAS_SLOTS else None


def object_slots(action) -> list:
    """Return the slots of an action that are meant for objects; none where actions have none."""
    if not HAS_SLOTS:
        return []
    return [slot for slot in action.slots if slot.target_id_type in ("OBJECT", "UNSPECIFIED")]


def slot_is_missing(action, slot) -> bool:
    """Whether the action plays nothing because no slot is assigned."""
    return HAS_SLOTS and action is not None and slot is None


def keep_only_slot(action, slot) -> None:
    """Remove every other slot, with its F-curves."""
    if not HAS_SLOTS:
        return
    name = slot.identifier
    for other in [s.identifier for s in action.slots if s.identifier != name]:
        action.slots.remove(action.slots[other])


def _bag(action, slot, *, ensure: bool = False):
    if slot is None:
        return None
    if ensure:
        layer = action.layers[0] if action.layers else action.layers.new("Layer")
        strip = layer.strips[0] if layer.strips else layer.strips.new(type="KEYFRAME")
        return strip.channelbag(slot, ensure=True)
    for layer in action.layers:
        for strip in layer.strips:
            bag = strip.channelbag(slot)
            if bag is not None:
                return bag
    return None


def fcurves(action, slot):
    """Return the F-curves of the slot (of the action, where it is flat); an empty tuple where there are none.

    Without an action there are none.
    """
    if action is None:
        return ()
    if not HAS_SLOTS:
        return action.fcurves
    bag = _bag(action, slot)
    return bag.fcurves if bag is not None else ()


def curve_group(action, slot, name: str):
    """Return the group of curves of that name, made where there is none."""
    groups = _bag(action, slot, ensure=True).groups if HAS_SLOTS else action.groups
    return groups.get(name) or groups.new(name)


def new_fcurve(action, slot, data_path: str, index: int, group: str):
    """Return a new F-curve in the group of that name."""
    if not HAS_SLOTS:
        return action.fcurves.new(data_path, index=index, action_group=group)
    curve = _bag(action, slot, ensure=True).fcurves.new(data_path, index=index)
    if group:
        curve.group = curve_group(action, slot, group)
    return curve


def remove_fcurve(action, slot, curve) -> None:
    """Take an F-curve out of the action."""
    (action.fcurves if not HAS_SLOTS else _bag(action, slot).fcurves).remove(curve)


def read_keys(curve, name: str, kind: type, size: int = 1) -> np.ndarray:
    """Return one property of all keys, (N * size,), enumerations as Blender numbers them, by ``np.uint8``.

    Enumerations are single bytes in Blender: read as such, they are copied, at a tenth of the time that integers take.
    3.4 has no bulk access to handle types, and for a linked action to none but the coordinates: it fills in garbage
    without a word.
    """
    points = curve.keyframe_points
    buffer = np.zeros(len(points) * size, dtype=kind)
    handle_types = name in ("handle_left_type", "handle_right_type")
    if _HANDLES_IN_BULK or not (handle_types or curve.id_data.library is not None):
        points.foreach_get(name, buffer)
        return buffer
    values = [getattr(key, name) for key in points]
    if size > 1:
        buffer[:] = np.array(values, dtype=kind).ravel()
    elif handle_types:
        buffer[:] = [_HANDLE_TYPES.index(value) for value in values]
    elif kind is np.uint8:
        numbers = {item.identifier: item.value for item in bpy.types.Keyframe.bl_rna.properties[name].enum_items}
        buffer[:] = [numbers[value] for value in values]
    else:
        buffer[:] = values
    return buffer


def write_handle_types(points, name: str, types: np.ndarray) -> None:
    """Set the handle types of keys that were just added."""
    if _HANDLES_IN_BULK:
        points.foreach_set(name, np.ascontiguousarray(types, dtype=np.uint8))
        return
    for i in np.flatnonzero(types != _NEW_HANDLE):
        setattr(points[int(i)], name, _HANDLE_TYPES[types[i]])


_HANDLE_TYPES = ("FREE", "AUTO", "VECTOR", "ALIGNED", "AUTO_CLAMPED")
_NEW_HANDLE = _HANDLE_TYPES.index("AUTO_CLAMPED")
_HANDLES_IN_BULK = bpy.app.version >= (4, 2)


def stop_playback(context) -> None:
    """Stop the animation where a window plays it; stepping frames below it would fight with it."""
    screen = getattr(context, "screen", None)
    if screen is not None and screen.is_animation_playing:
        bpy.ops.screen.animation_cancel(restore_frame=False)


def is_system_override(id_block) -> bool:
    """Whether a library override exists but has not been made editable."""
    override = id_block.override_library
    return override is not None and bool(getattr(override, "is_system_override", False))


#: the add-on's name in Blender, that of an extension from 4.2 on
_PACKAGE = __package__.rsplit(".", 1)[0]


def user_folder(name: str, *, create: bool = False) -> Path:
    """Return a folder for the user's files: the extension's own where this is one, else among the presets."""
    if _PACKAGE.startswith("bl_ext."):
        return Path(bpy.utils.extension_path_user(_PACKAGE, path=name, create=create))
    return Path(bpy.utils.user_resource("SCRIPTS", path=f"presets/skelkin/{name}", create=create))


def set_text_size(blf, size: float) -> None:
    """Write with letters of so many pixels."""
    blf.size(0, *((size,) if bpy.app.version >= (4, 0) else (round(size), 72)))


def polyline_shader(gpu):
    """Return the shader for wide lines with colours, bound for the viewport: Metal and Vulkan know no other width."""
    shader = gpu.shader.from_builtin("3D_POLYLINE_FLAT_COLOR" if bpy.app.version < (4, 0) else "POLYLINE_FLAT_COLOR")
    shader.bind()
    shader.uniform_float("viewportSize", gpu.state.viewport_get()[2:])
    return shader
