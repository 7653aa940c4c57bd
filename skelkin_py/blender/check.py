# SPDX-License-Identifier: MIT
"""Compare what is computed here with what the running Blender evaluates, for every armature of the open file."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from .armature import Armature
from .live_armature import read_channels
from .live_modifiers import read_modifiers
from .read_action import read_action
from .read_ik import read_ik


class Difference(NamedTuple):
    """One row: which object, what was compared, the worst difference and the bound it should keep.

    `error` is relative to the largest coordinate, None where nothing was compared; then `why` says the reason.
    """

    name: str
    part: str
    error: float | None
    bound: float | None
    why: str = ""


BOUNDS = {"pose": 6e-6, "pose with its IK constraints": 1e-5, "points of the mesh": 5e-6, "action": 6e-6}


def check_scene() -> list[Difference]:
    """Compare every armature of the scene and every mesh that one of them deforms, at the current frame.

    Returns
    -------
    list of Difference
        In the order of ``scene.objects``.

    Raises
    ------
    ModuleNotFoundError
        Outside of Blender.
    """
    bpy: Any = import_module("bpy")

    found: list[Difference] = []
    for thing in bpy.context.scene.objects:
        if thing.type == "ARMATURE":
            found += _guarded(thing.name, "pose", _armature_rows, thing)
        elif thing.type == "MESH" and any(modifier.type == "ARMATURE" for modifier in thing.modifiers):
            found += _guarded(thing.name, "points of the mesh", _mesh_rows, thing)
    return found


def _guarded(name: str, part: str, rows: Any, thing: Any) -> list[Difference]:
    """Return the rows of an object; what is refused by name becomes a row of its own."""
    try:
        return list(rows(thing))
    except ValueError as error:
        return [Difference(name, part, None, None, str(error))]


def _live_pose(armature_object: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
    bpy: Any = import_module("bpy")

    bones = armature_object.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones
    return np.array([bone.matrix for bone in bones], float).reshape(-1, 4, 4)


def _worst(found: Any, expected: Any) -> float:
    if expected.size == 0:
        return 0.0
    size = float(np.abs(expected).max())
    return float(np.abs(np.asarray(found, float) - expected).max()) / (size if size > 0 else 1.0)


def _unmodelled(armature_object: Any) -> str:
    """Return what moves the bones beside channels and IK, in words, or nothing."""
    for bone in armature_object.pose.bones:
        for constraint in bone.constraints:
            if constraint.type != "IK" and not constraint.mute and constraint.influence > 0:
                return f"bone {bone.name!r} has a constraint of type {constraint.type}"
    return ""


def _armature_rows(thing: Any) -> Iterator[Difference]:
    if why := _unmodelled(thing):
        yield Difference(thing.name, "pose", None, None, why)
        return
    armature = Armature.from_bpy(thing)
    live = _live_pose(thing)
    pose = armature.pose(**read_channels(thing))
    constrained = any(c.type == "IK" and not c.mute for bone in thing.pose.bones for c in bone.constraints)
    part = "pose with its IK constraints" if constrained else "pose"
    if constrained:
        pose = armature.solve_ik(pose, **read_ik(thing))
    yield Difference(thing.name, part, _worst(pose[0], live), BOUNDS[part])
    if thing.animation_data and thing.animation_data.action and not constrained:
        yield from _action_rows(thing, armature)


def _action_rows(thing: Any, armature: Armature) -> Iterator[Difference]:
    """Compare the first, the middle and the last frame of the action with Blender stepping to them."""
    bpy: Any = import_module("bpy")

    if thing.animation_data.drivers or (thing.animation_data.use_nla and thing.animation_data.nla_tracks):
        yield Difference(thing.name, "action", None, None, "the object has drivers or NLA tracks")
        return
    scene = bpy.context.scene
    now, (first, last) = scene.frame_current, thing.animation_data.action.frame_range
    frames = np.unique(np.round([first, 0.5 * (first + last), last])).astype(int)
    poses = armature.pose(**read_action(thing).channels(armature, frames))
    worst = 0.0
    try:
        for frame, pose in zip(frames, poses):
            scene.frame_set(int(frame))
            worst = max(worst, _worst(pose, _live_pose(thing)))
    finally:
        scene.frame_set(now)
    yield Difference(thing.name, f"action, frames {', '.join(map(str, frames))}", worst, BOUNDS["action"])


def _mesh_rows(thing: Any) -> Iterator[Difference]:
    bpy: Any = import_module("bpy")

    kinds = {modifier.type for modifier in thing.modifiers if modifier.show_viewport}
    if kinds - {"ARMATURE"}:
        others = ", ".join(sorted(kinds - {"ARMATURE"}))
        yield Difference(thing.name, "points of the mesh", None, None, f"it has other modifiers too: {others}")
        return
    rig = next(modifier.object for modifier in thing.modifiers if modifier.type == "ARMATURE")
    if rig is None:
        yield Difference(thing.name, "points of the mesh", None, None, "its modifier has no armature")
        return
    evaluated = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    expected = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.vertices.foreach_get("co", expected)
    evaluated.to_mesh_clear()
    # What Blender evaluated, so that the row speaks of the deformation alone.
    found = Armature.from_bpy(rig).deform(_live_pose(rig), **read_modifiers(thing))
    yield Difference(
        thing.name, "points of the mesh", _worst(found, expected.reshape(-1, 3).astype(float)),
        BOUNDS["points of the mesh"],
    )  # fmt: skip
