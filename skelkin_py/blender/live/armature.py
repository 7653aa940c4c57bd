# SPDX-License-Identifier: MIT
"""Armatures, their bendy bones, the channels of both and IK constraints, read out of live Blender in bulk."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..._support.array_types import Array
from ..ik.goals import IKGoal
from ..ik.solve import IKJoints
from ..rest.bbones import HANDLE_TYPES, BBones, BBoneShape
from ..rest.bones import Envelopes

_NEEDED = {"ARMATURE": "an armature object", "MESH": "a mesh"}
_PARTS = {"ARMATURE": "bones", "MESH": "points"}
# What Blender calls the fields of `Envelopes`, `IKGoal` and `IKJoints`.
_ENVELOPES = ("head_radius", "tail_radius", "envelope_distance", "envelope_weight")
_GOAL = (
    *("chain_count", "pole_angle", "iterations", "influence", "weight"),
    *("use_tail", "use_stretch", "use_location", "orient_weight"),
)
_JOINTS = ("ik_stiffness_{}", "lock_ik_{}", "use_ik_limit_{}", "ik_min_{}", "ik_max_{}")
_ROTATIONS = (("rotation_quaternion", 4), ("rotation_axis_angle", 4), ("rotation_euler", 3))


def check_object(ob: Any, kind: str, name: str = "ob") -> None:
    """Raise an error that names the argument unless it is an object of this type outside Edit Mode."""
    if getattr(ob, "type", None) != kind:
        found = getattr(ob, "type", type(ob).__name__)
        raise TypeError(f"{name} is {getattr(ob, 'name', ob)!r} of type {found}: {_NEEDED[kind]} is needed")
    if ob.mode == "EDIT":
        raise ValueError(f"{name} is {ob.name!r} in Edit Mode: its {_PARTS[kind]} are read after leaving it")
    if kind == "ARMATURE" and ob.pose is None:
        raise ValueError(f"{name} is {ob.name!r}, which has no pose before the view layer's next update")


def read_bones(ob: Any) -> dict[str, Any]:
    """Return the bones of an armature object at rest as the arguments of `Armature`, in the order of ``pose.bones``.

    The numbers are Blender's own float32, so that exact evaluation starts from the same bits.
    """
    check_object(ob, "ARMATURE")
    armature, pose = ob.data, ob.pose
    names = [bone.name for bone in pose.bones]
    bones = armature.bones
    row = {bone.name: index for index, bone in enumerate(bones)}
    order = [row[name] for name in names]
    parent = [bone.parent.name if bone.parent else None for bone in bones]
    index = {name: place for place, name in enumerate(names)}

    def get(field: str, *shape: int, dtype: Any = np.float32) -> Array:
        return _get(bones, field, shape, dtype)[order]

    return {
        "parents": np.array([index.get(parent[place] or "", -1) for place in order], np.int32),
        "rest": get("matrix_local", 4, 4).swapaxes(1, 2),
        "names": names,
        "heads": get("head_local", 3),
        "tails": get("tail_local", 3),
        "lengths": get("length"),
        "axes": get("matrix", 3, 3).swapaxes(1, 2),
        "offsets": get("head", 3),
        "connected": get("use_connect", dtype=bool),
        "inherit_rotation": get("use_inherit_rotation", dtype=bool),
        "local_location": get("use_local_location", dtype=bool),
        "deform": get("use_deform", dtype=bool),
        # Blender 3.4 hands out garbage for choices read in bulk
        "inherit_scale": [bones[place].inherit_scale for place in order],
        "envelopes": Envelopes._make([*map(get, _ENVELOPES), get("use_envelope_multiply", dtype=bool)]),
        "bbones": read_bbones(ob),
    }


def read_channels(ob: Any) -> dict[str, Any]:
    """Return the current channels of an armature object's bones: the keyword arguments of `Armature.pose`.

    Parameters
    ----------
    ob : bpy.types.Object
        An armature, original or evaluated. Values of F-curves and drivers are there after the view layer's update.

    Returns
    -------
    dict
        ``location`` (B, 3), ``rotation`` (B, 4), ``scale`` (B, 3), float32 as Blender stores them, and
        ``rotation_mode``, a tuple of B names; in the order of ``pose.bones``. Of the three ways in which a bone stores
        rotations, the one of its mode is taken; Euler angles fill the first three columns.

    Raises
    ------
    TypeError
        `ob` is no armature object.
    ValueError
        It is in Edit Mode, or has no pose yet.

    Examples
    --------
    ``armature.pose(**read_channels(ob))[0]`` is the array of ``pose_bone.matrix`` before constraints.

    Notes
    -----
    An armature whose ``pose_position`` is "REST" is shown by Blender as at rest, whatever its channels.

    Method: ``foreach_get``, see the manual's page of ``bpy_prop_collection``.
    """
    check_object(ob, "ARMATURE")
    bones = ob.pose.bones
    modes = tuple(bone.rotation_mode for bone in bones)
    quaternions, axis_angles, eulers = (_get(bones, field, (size,)) for field, size in _ROTATIONS)
    rotation = np.zeros((len(modes), 4), np.float32)
    rotation[:, :3] = eulers
    for mode, stored in (("QUATERNION", quaternions), ("AXIS_ANGLE", axis_angles)):
        chosen = [each == mode for each in modes]
        rotation[chosen] = stored[chosen]
    return {
        "location": _get(bones, "location", (3,)),
        "rotation": rotation,
        "rotation_mode": modes,
        "scale": _get(bones, "scale", (3,)),
    }


def read_bbones(ob: Any) -> BBones | None:
    """Return the options of an armature object's bendy bones, in the order of ``pose.bones``.

    Parameters
    ----------
    ob : bpy.types.Object
        An armature outside Edit Mode.

    Returns
    -------
    BBones or None
        None if no bone has more than one segment.

    Raises
    ------
    TypeError
        `ob` is no armature object.
    ValueError
        It is in Edit Mode, or has no pose yet.
    """
    check_object(ob, "ARMATURE")
    bones = [pose_bone.bone for pose_bone in ob.pose.bones]
    segments = [bone.bbone_segments for bone in bones]
    if max(segments, default=1) < 2:
        return None
    place = {bone.name: index for index, bone in enumerate(bones)}
    row = {bone.name: index for index, bone in enumerate(ob.data.bones)}

    def ends(name: str) -> list[list[Any]]:
        return [[getattr(bone, f"{name}_start"), getattr(bone, f"{name}_end")] for bone in bones]

    handles = [
        [-1 if handle is None else place[handle.name] for handle in pair] for pair in ends("bbone_custom_handle")
    ]
    types = [[HANDLE_TYPES.index(kind) for kind in pair] for pair in ends("bbone_handle_type")]
    return BBones(
        np.array(segments, np.int32),
        _read_shape(ob.data.bones, [row[bone.name] for bone in bones]),
        handle_types=np.array(types, np.uint8),
        handles=np.array(handles, np.int32),
        handle_scale=np.array(ends("bbone_handle_use_scale"), bool),
        handle_ease=np.array(ends("bbone_handle_use_ease"), bool),
        endroll_as_inroll=[bone.use_endroll_as_inroll for bone in bones],
        scale_easing=[bone.use_scale_easing for bone in bones],
        curved=[getattr(bone, "bbone_mapping_mode", "STRAIGHT") == "CURVED" for bone in bones],
    )


def read_bbone_channels(ob: Any) -> BBoneShape:
    """Return what the current pose adds to the curves of bendy bones, in the order of ``pose.bones``.

    Parameters
    ----------
    ob : bpy.types.Object
        An armature, original or evaluated; the latter has what drivers give.

    Returns
    -------
    BBoneShape
        Easing, roll, curve and scale of the pose bones: what `segment_palette` takes as `bbones`.

    Raises
    ------
    TypeError
        `ob` is no armature object.
    ValueError
        It is in Edit Mode, or has no pose yet.
    """
    check_object(ob, "ARMATURE")
    return _read_shape(ob.pose.bones)


def _read_shape(bones: Any, order: Sequence[int] | None = None) -> BBoneShape:
    """Return the curves of a collection of bones, or pose bones, in that order."""

    def column(name: str, width: int) -> Any:
        found = _get(bones, name, (width,) if width > 1 else ())
        return found if order is None else found[order]

    def pair(name: str, width: int = 1) -> Any:
        return np.stack([column(name.replace("*", end), width) for end in ("in", "out")], axis=1)

    curve = np.stack([pair("bbone_curve*x"), pair("bbone_curve*z")], axis=-1)
    return BBoneShape(pair("bbone_ease*"), pair("bbone_roll*"), curve, pair("bbone_scale*", 3))


def _get(collection: Any, field: str, shape: tuple[int, ...], dtype: Any = np.float32) -> Array:
    """Return one field of every item as (N, *shape); matrices arrive transposed."""
    values = np.empty((len(collection), *shape), dtype)
    collection.foreach_get(field, values.reshape(-1))
    return values


def read_ik(rig: Any) -> dict[str, Any]:
    """Return the keyword arguments of `Armature.solve_ik` for the IK constraints of an armature object.

    Parameters
    ----------
    rig : bpy.types.Object
        An armature object; targets are read where they are evaluated now.

    Returns
    -------
    dict
        `goals` (list of `IKGoal`) and `joints` (`IKJoints`), bones in the order of ``pose.bones``. Of each bone the
        first constraint that is enabled, valid and has an influence counts, as in Blender.

    Raises
    ------
    TypeError
        `rig` is no armature object.
    ValueError
        It is in Edit Mode or scaled to 0 along an axis; or for constraints that are not modelled: of the kind that
        keeps a distance, with a vertex group as target, or
        solved by another solver.
    """
    check_object(rig, "ARMATURE", "rig")
    bpy: Any = importlib.import_module("bpy")
    graph = bpy.context.evaluated_depsgraph_get()
    evaluated = rig.evaluated_get(graph)
    world = np.array(evaluated.matrix_world, dtype=float)
    if np.linalg.det(world[:3, :3]) == 0:
        raise ValueError(f"rig is {rig.name!r}, scaled to 0 along an axis: targets have no place in its space")
    into = np.linalg.inv(world)
    if rig.pose.ik_solver != "LEGACY":
        raise ValueError(f"armature {rig.name!r} uses the IK solver {rig.pose.ik_solver}: only Standard is modelled")
    goals = []
    for number, bone in enumerate(evaluated.pose.bones):
        active = (one for one in bone.constraints if one.type == "IK" and acts(one) and one.target is not None)
        if (constraint := next(active, None)) is not None:
            goals.append(_goal(constraint, number, bone.name, into, graph))
    return {"goals": goals, "joints": _joints(evaluated.pose.bones)}


def acts(constraint: Any) -> bool:
    """Whether a constraint is on, valid, and has an influence."""
    return bool(not constraint.mute and constraint.is_valid and constraint.influence > 0)


def _goal(constraint: Any, number: int, name: str, into: Any, graph: Any) -> IKGoal:
    where = f"the IK constraint {constraint.name!r} of bone {name!r}"
    if constraint.ik_type != "COPY_POSE":
        raise ValueError(f"{where} is not modelled: only Copy Pose is")
    pole = None
    if constraint.pole_target is not None:
        pole = _frame(constraint.pole_target, constraint.pole_subtarget, into, graph, where)[:3, 3]
    target = _frame(constraint.target, constraint.subtarget, into, graph, where)
    rotation = _unit_axes(target) if constraint.use_rotation else None
    alike = {name: getattr(constraint, name) for name in _GOAL}
    return IKGoal(number, target[:3, 3], pole=pole, rotation=rotation, **alike)


def _unit_axes(matrix: Any) -> Any:
    lengths = np.linalg.norm(matrix[:3, :3], axis=0)
    return matrix[:3, :3] / np.where(lengths > 0, lengths, 1)


def _frame(target: Any, subtarget: str, into: Any, graph: Any, where: str) -> Any:
    """Return the matrix of a target in armature space: that of an object or of a bone."""
    evaluated = target.evaluated_get(graph)
    world = np.array(evaluated.matrix_world, dtype=float)
    if subtarget:
        if target.type != "ARMATURE" or subtarget not in evaluated.pose.bones:
            raise ValueError(f"{where} aims at {subtarget!r} of {target.name!r}, which is no bone: not modelled")
        world = world @ np.array(evaluated.pose.bones[subtarget].matrix, dtype=float)
    return into @ world


def _joints(bones: Any) -> IKJoints:
    def column(pattern: str) -> Any:
        return np.array([[getattr(bone, pattern.format(axis)) for axis in "xyz"] for bone in bones]).reshape(-1, 3)

    return IKJoints._make([*map(column, _JOINTS), np.array([bone.ik_stretch for bone in bones], float)])
