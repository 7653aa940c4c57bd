# SPDX-License-Identifier: MIT
"""All that an operator could leave behind in a scene, in one comparable value; shares nothing with the add-on."""

from __future__ import annotations

from typing import Any

import bpy
import keys
import numpy as np

#: what Blender changes by itself
_ITS_OWN = {"rna_type", "name_full", "users", "is_evaluated", "original", "session_uid", "tag", "preview"}


def digest(ob: bpy.types.Object) -> dict[str, Any]:
    """Return actions, NLA, constraints, drivers, properties and pose values of the file as plain values."""
    data = ob.animation_data
    return {
        "actions": {action.name: action_of(action) for action in bpy.data.actions},
        "plays": (data.action.name if data and data.action else None, slot_name(data)),
        "use": data and (data.action_blend_type, data.action_influence, data.action_extrapolation, data.use_nla),
        "tracks": [track_of(track) for track in data.nla_tracks] if data else [],
        "drivers": [(curve.data_path, curve.array_index, curve.driver.expression) for curve in data.drivers]
        if data
        else [],
        "constraints": {
            bone.name: [values_of(constraint) for constraint in bone.constraints] for bone in ob.pose.bones
        },
        "bones": {bone.name: values_of(bone, ("location", "rotation_quaternion", "rotation_euler", "scale"))
                  for bone in ob.pose.bones},
        "object": values_of(ob, ("location", "rotation_euler", "scale", "parent")),
        "own": {name: repr(value) for name, value in registered(ob).items()},
        "frame": (bpy.context.scene.frame_current, bpy.context.scene.frame_subframe),
        "handlers": handlers(),
        "blocks": {name: len(getattr(bpy.data, name)) for name in ("objects", "armatures", "texts", "meshes")},
    }  # fmt: skip


def slot_name(data) -> str | None:
    slot = getattr(data, "action_slot", None) if data else None
    return slot.identifier if slot is not None else None


def action_of(action) -> dict[str, Any]:
    """Return the curves of all slots, markers, and who holds an action."""
    curves = []
    for curve in all_curves(action):
        points = np.empty(2 * len(curve.keyframe_points), np.float32)
        curve.keyframe_points.foreach_get("co", points)
        curves.append((curve.data_path, curve.array_index, curve.mute, len(curve.modifiers), points.tobytes()))
    return {
        "curves": sorted(curves),
        "markers": [(marker.name, marker.frame) for marker in action.pose_markers],
        "fake": action.use_fake_user,
        "own": {key: repr(value) for key, value in registered(action).items()},
        "points to": {key: plain(action[key]) for key in action.keys() if isinstance(action[key], bpy.types.ID)},  # noqa: SIM118
    }


def all_curves(action) -> list:
    if not keys.SLOTS:
        return list(action.fcurves)
    return [
        curve for layer in action.layers for strip in layer.strips for bag in strip.channelbags for curve in bag.fcurves
    ]


def registered(block) -> dict[str, Any]:
    """Return what the add-on stores on a data block, as deep as it goes."""
    return {
        prop.identifier: plain(getattr(block, prop.identifier))
        for prop in block.bl_rna.properties
        if prop.identifier.startswith("skelkin")
    }


def plain(value) -> Any:
    if isinstance(value, bpy.types.ID):
        return value.name
    if isinstance(value, bpy.types.PropertyGroup):
        return {
            prop.identifier: plain(getattr(value, prop.identifier))
            for prop in value.bl_rna.properties
            if prop.identifier != "rna_type"
        }
    if isinstance(value, str) or not hasattr(value, "__len__"):
        return value
    return [plain(item) for item in value]


def track_of(track) -> tuple:
    strips = [(s.name, s.action.name if s.action else None, s.frame_start, s.frame_end, s.mute) for s in track.strips]
    return track.name, track.mute, track.lock, tuple(strips)


def values_of(block, names=None) -> dict[str, str]:
    names = names or [p.identifier for p in block.bl_rna.properties if p.identifier not in _ITS_OWN]
    return {name: repr(plain_vector(getattr(block, name))) for name in names}


def plain_vector(value) -> Any:
    return tuple(value) if hasattr(value, "__len__") and not isinstance(value, str) else value


def handlers() -> dict[str, list[str]]:
    """Return the names of all application handlers and timers of the add-on's modules."""
    found = {}
    for name in dir(bpy.app.handlers):
        listed = getattr(bpy.app.handlers, name)
        if isinstance(listed, list):
            found[name] = [f"{each.__module__}.{each.__qualname__}" for each in listed]
    return found
