# SPDX-License-Identifier: MIT
"""Armature modifiers of a live Blender mesh, as the arguments of `deform`."""

from __future__ import annotations

from importlib import import_module
from types import SimpleNamespace
from typing import Any

import numpy as np

from ..._support.array_types import Float32
from ..float32_inverse import inverse
from ..modifiers.options import ArmatureModifier, VertexGroups
from .armature import check_object, read_bbone_channels

_OFF = ("use_bone_envelopes", "use_deform_preserve_volume", "invert_vertex_group", "use_multi_modifier")  # of a parent


def read_modifiers(ob: Any) -> dict[str, Any]:
    """Return a mesh object's points, vertex groups and Armature modifiers: the keyword arguments of `Armature.deform`.

    Parameters
    ----------
    ob : bpy.types.Object
        A mesh, not in Edit Mode. Its enabled modifiers must be Armature modifiers of one armature; those that are off
        in the viewport, or have no armature, are passed over. A parent that deforms ("Armature Deform" without a
        modifier) counts as one before the others. World matrices and values of drivers are as of the last update of the
        view layer.

    Returns
    -------
    dict
        ``points`` (V, 3) float32, relative shape keys included; ``groups``, ``modifiers``, ``mesh_world`` and
        ``armature_world`` (float32), ``bbones`` where the armature has bendy bones, and ``compat``, by the version of
        Blender. Of a mesh scaled to 0 along an axis, ``mesh_world`` is what the version inverts in its place.

    Raises
    ------
    TypeError
        `ob` is no mesh object.
    ValueError
        It is in Edit Mode, or has modifiers of other kinds, Armature modifiers of several armatures, or absolute shape
        keys.

    Notes
    -----
    Blender offers the groups of vertices one by one only: reading takes a microsecond or two for each.
    """
    check_object(ob, "MESH")
    modifiers, rig = _modifiers(ob)
    groups = read_vertex_groups(ob)
    version: tuple[int, ...] = import_module("bpy").app.version
    found: dict[str, Any] = {
        "points": _points(ob, groups),
        "groups": groups,
        "modifiers": modifiers,
        "mesh_world": _mesh_world(ob, safely=version >= (5, 0)),
        "compat": "4.2" if version >= (4, 0) else "3.4",
    }
    if rig is not None:
        found["armature_world"] = np.array(rig.matrix_world, np.float32)
        if any(bone.bbone_segments > 1 for bone in rig.data.bones):
            found["bbones"] = read_bbone_channels(rig)
    return found


def _mesh_world(ob: Any, safely: bool) -> Float32:
    """Return the object's matrix; `safely`, what ``Matrix.inverted_safe`` inverts for one without inverse."""
    world = np.array(ob.matrix_world, np.float32)
    if safely and not inverse(world).any():
        world += np.float32(1e-8) * np.eye(4, dtype=np.float32)
        return world if inverse(world).any() else np.eye(4, dtype=np.float32)
    return world


def read_vertex_groups(ob: Any) -> VertexGroups:
    """Return the vertex groups of a mesh object, each vertex's in the order in which Blender stores them."""
    entries = [vertex.groups for vertex in ob.data.vertices]
    offsets = np.zeros(len(entries) + 1, np.int64)
    np.cumsum([len(each) for each in entries], out=offsets[1:])
    pairs = [(entry.group, entry.weight) for each in entries for entry in each]
    count = len(ob.vertex_groups)
    groups = np.array([group for group, _ in pairs], np.int64)
    weights = np.array([weight for _, weight in pairs], np.float32)
    names = [group.name for group in ob.vertex_groups]
    names += [""] * (int(groups.max(initial=-1)) + 1 - count)  # entries may outlive their group
    return VertexGroups(names, offsets, groups, weights)


def _modifiers(ob: Any) -> tuple[tuple[ArmatureModifier, ...], Any]:
    found, rig = [], None
    remembered = False  # what the run's first was given
    stack = modifier_stack(ob)
    first = len(ob.modifiers) - len(stack)  # -1 with a parent's, which has no number
    following = [*(each.type == "ARMATURE" and bool(each.use_multi_modifier) for each in stack[1:]), False]
    for index, modifier in enumerate(stack, first):
        if not modifier.show_viewport:
            continue
        if modifier.type != "ARMATURE":
            raise ValueError(
                f"ob.modifiers[{index}] = {modifier.name!r} is of type {modifier.type}: only ARMATURE can be evaluated"
            )
        if modifier.object is None:
            continue
        if rig is not None and modifier.object != rig:
            raise ValueError(
                f"ob.modifiers[{index}] = {modifier.name!r} has armature {modifier.object.name!r}: "
                f"it must be that of the others, {rig.name!r}"
            )
        rig = modifier.object
        multi = remembered and modifier.use_multi_modifier
        # Blender looks at the next of the list, also at one that is off; what it keeps, it keeps to the end of the run.
        remembered = following[index - first] or multi
        uses = (modifier.use_vertex_groups, modifier.use_bone_envelopes, modifier.use_deform_preserve_volume)
        found.append(ArmatureModifier(*uses, modifier.vertex_group, modifier.invert_vertex_group, multi))
    return tuple(found), rig


def modifier_stack(ob: Any) -> list[Any]:
    """Return the modifiers, and first what Blender puts before those of a child whose parent deforms it, as one."""
    if ob.parent is None or ob.parent_type != "ARMATURE" or ob.parent.type != "ARMATURE":
        return [*ob.modifiers]
    parent = SimpleNamespace(name="parent", type="ARMATURE", object=ob.parent, vertex_group="")
    vars(parent).update({"show_viewport": True, "use_vertex_groups": True, **dict.fromkeys(_OFF, False)})
    return [parent, *ob.modifiers]


def _points(ob: Any, groups: VertexGroups) -> Float32:
    keys = ob.data.shape_keys
    if keys is None:
        return _places(ob.data.vertices)
    if not keys.use_relative:
        raise ValueError(f"ob is {ob.name!r}, which has absolute shape keys: only relative ones can be evaluated")
    if ob.show_only_shape_key:
        return _places(ob.active_shape_key.data)
    points = _places(keys.reference_key.data)
    for key in keys.key_blocks:
        if key.mute or key == keys.reference_key:
            continue
        weights = groups.weights_in(key.vertex_group)
        factor = np.float32(key.value) if weights is None else np.float32(key.value) * weights[:, None]
        points += factor * (_places(key.data) - _places(key.relative_key.data))
    return points


def _places(items: Any) -> Float32:
    points = np.empty((len(items), 3), np.float32)
    items.foreach_get("co", points.reshape(-1))
    return points
