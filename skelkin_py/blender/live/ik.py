# SPDX-License-Identifier: MIT
"""IK constraints of an armature object in live Blender."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from ..ik.goals import IKGoal
from ..ik.solve import IKJoints
from .objects import check_object


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
        constraint = next((one for one in bone.constraints if _counts(one)), None)
        if constraint is not None:
            goals.append(_goal(constraint, number, bone.name, into, graph))
    return {"goals": goals, "joints": _joints(evaluated.pose.bones)}


def _counts(constraint: Any) -> bool:
    usable = constraint.type == "IK" and not constraint.mute and constraint.is_valid and constraint.influence > 0
    return bool(usable and constraint.target is not None)


def _goal(constraint: Any, number: int, name: str, into: Any, graph: Any) -> IKGoal:
    where = f"the IK constraint {constraint.name!r} of bone {name!r}"
    if constraint.ik_type != "COPY_POSE":
        raise ValueError(f"{where} is not modelled: only Copy Pose is")
    pole = None
    if constraint.pole_target is not None:
        pole = _frame(constraint.pole_target, constraint.pole_subtarget, into, graph, where)[:3, 3]
    target = _frame(constraint.target, constraint.subtarget, into, graph, where)
    return IKGoal(
        bone=number,
        target=target[:3, 3],
        chain_count=constraint.chain_count,
        pole=pole,
        pole_angle=constraint.pole_angle,
        iterations=constraint.iterations,
        influence=constraint.influence,
        weight=constraint.weight,
        use_tail=constraint.use_tail,
        use_stretch=constraint.use_stretch,
        use_location=constraint.use_location,
        rotation=_unit_axes(target) if constraint.use_rotation else None,
        orient_weight=constraint.orient_weight,
    )


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

    return IKJoints(
        stiffness=column("ik_stiffness_{}"),
        lock=column("lock_ik_{}"),
        use_limit=column("use_ik_limit_{}"),
        limit_min=column("ik_min_{}"),
        limit_max=column("ik_max_{}"),
        stretch=np.array([bone.ik_stretch for bone in bones], float),
    )
