# SPDX-License-Identifier: MIT
"""Walks whose feet are led by controls: IK goals as bones or objects, and reverse feet, as riggers build them."""

from __future__ import annotations

from contextlib import contextmanager

import bpy
import keys
import numpy as np
import rigs
import stepping
from walk import LEFT, rotation

CONTROLS = {"L": "Foot control.L", "R": "Foot control.R"}


@contextmanager
def edit_bones(rig: bpy.types.Object):
    """Hand out the edit bones of the active armature."""
    bpy.ops.object.mode_set(mode="EDIT")
    yield rig.data.edit_bones
    bpy.ops.object.mode_set(mode="OBJECT")


def walk_with_controls(
    *,
    parent: str = "",
    turns_foot: bool = True,
    goal: str = "bone",
    reverse: bool = False,
    rotation_mode: str = "QUATERNION",
    holder: str = "",
    influence: float = 1.0,
    beyond: float = 0.0,
    **options,
) -> rigs.WalkingRig:
    """Return the walk of the rig with Mixamo's names, its legs moved by IK, keyed on foot controls.

    Parameters
    ----------
    parent : the bone that the controls hang on; empty for none.
    turns_foot : whether the feet copy the rotation of their controls.
    goal : "bone", "object" for an empty with keys of its own, or "hanging object" for one on the control.
    reverse : whether a foot hangs on a heel and a ball that roll below its control.
    rotation_mode : of the control bones.
    holder, influence : type of constraint on the pelvis for a bone that each control hangs on; empty for no such bone.
    beyond : by how much of the leg the controls are lower than the feet of the walk, out of reach.
    options : as for `rigs.mixamo_walk`.
    """
    walk = rigs.mixamo_walk(**options)
    rig = walk.object
    feet = {side: evaluated(rig, leg[2], walk.frames) for side, leg in walk.legs.items()}
    for matrices in feet.values():
        matrices[:, :3, 3] -= np.linalg.inv(np.array(rig.matrix_world))[:3, 2] * (beyond * walk.leg_length)
    carried = evaluated(rig, parent, walk.frames) if parent else None
    add_bones(walk, parent, reverse, bool(holder))
    for side, leg in walk.legs.items():
        drop_keys(rig, leg[:3])
        if holder:
            parent, carried = f"Holder.{side}", hold(rig, side, holder, influence, walk)
        control = rig.pose.bones[CONTROLS[side]]
        control.rotation_mode = rotation_mode
        target, bone = rig, CONTROLS[side]
        if goal == "object":
            target, bone = empty(walk, side, feet[side]), ""
        else:
            key_pose(rig, CONTROLS[side], feet[side], parent, carried, walk.frames)
        if goal == "hanging object":
            target, bone = hanging(rig, side), ""
        last = f"Ankle goal.{side}" if reverse else bone
        constrain(rig, leg, target, last, turns_foot)
        if reverse:
            roll(rig, side, walk.frames)
        if not turns_foot:
            key_foot(rig, leg, feet[side], walk.frames)
    bpy.context.scene.frame_set(1)
    return walk


def hold(rig, side: str, kind: str, influence: float, walk) -> np.ndarray:
    """Constrain the bone that a control hangs on to the pelvis; return its matrices (F, 4, 4)."""
    name = f"Holder.{side}"
    constraint = rig.pose.bones[name].constraints.new(kind)
    constraint.target, constraint.subtarget, constraint.influence = rig, walk.pelvis, influence
    return evaluated(rig, name, walk.frames)


def evaluated(rig, bone: str, frames) -> np.ndarray:
    """Return a bone's matrices (F, 4, 4) in armature space, stepped."""
    found = []
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        found.append(np.array(rig.pose.bones[bone].matrix))
    return np.array(found)


def add_bones(walk, parent: str, reverse: bool, held: bool) -> None:
    """Add a control to each foot, with the foot's rest pose; where it rolls, ball, heel and the ankle's goal too."""
    with edit_bones(walk.object) as bones:
        for side, leg in walk.legs.items():
            foot, toe = bones[leg[2]], bones[leg[3]]
            above = bones[parent] if parent else None
            above = copied(bones, f"Holder.{side}", foot, foot.head, above) if held else above
            above = copied(bones, CONTROLS[side], foot, foot.head, above)
            if reverse:
                above = copied(bones, f"Heel.{side}", foot, foot.head, above)
                above = copied(bones, f"Ball.{side}", foot, toe.head, above)
                copied(bones, f"Ankle goal.{side}", foot, foot.head, above)


def copied(bones, name: str, like, head, parent):
    bone = bones.new(name)
    bone.head, bone.tail, bone.roll = head, head + (like.tail - like.head), like.roll
    bone.parent = parent
    return bone


def drop_keys(rig, bones, paths=()) -> None:
    """Remove the curves of some bones, and of some data paths."""
    curves = keys.fcurves(rig)
    for curve in [c for c in curves if c.data_path in paths or any(f'"{bone}"' in c.data_path for bone in bones)]:
        curves.remove(curve)


def key_pose(rig, bone: str, pose: np.ndarray, parent: str, carried, frames) -> None:
    """Key matrices (F, 4, 4) in armature space on a bone."""
    rest = np.array(rig.data.bones[bone].matrix_local)
    if parent:
        rest = carried @ np.linalg.inv(np.array(rig.data.bones[parent].matrix_local)) @ rest
    basis = np.linalg.inv(rest) @ pose
    keys.write(rig, keys.bone_path(bone, "location"), np.array(frames), basis[:, :3, 3])
    keys.key_rotations(rig, bone, np.array(frames), basis[:, :3, :3])


def empty(walk, side: str, pose: np.ndarray) -> bpy.types.Object:
    """Return an empty with an action of its own that goes where the foot is."""
    thing = bpy.data.objects.new(f"Goal.{side}", None)
    bpy.context.scene.collection.objects.link(thing)
    thing.rotation_mode = "QUATERNION"
    keys.new_action(thing, f"Goal.{side}")
    world = np.array(walk.object.matrix_world) @ pose
    keys.write(thing, "location", np.array(walk.frames), world[:, :3, 3])
    turns = world[:, :3, :3] / np.linalg.norm(world[:, :3, :3], axis=1)[:, None]
    keys.write(thing, "rotation_quaternion", np.array(walk.frames), keys.steady_quaternions(turns))
    return thing


def hanging(rig, side: str) -> bpy.types.Object:
    """Return an empty that hangs on a control."""
    thing = bpy.data.objects.new(f"Goal.{side}", None)
    bpy.context.scene.collection.objects.link(thing)
    thing.parent, thing.parent_type, thing.parent_bone = rig, "BONE", CONTROLS[side]
    bpy.context.view_layer.update()
    thing.matrix_world = rig.matrix_world @ rig.pose.bones[CONTROLS[side]].matrix
    bpy.context.view_layer.update()
    return thing


def constrain(rig, leg, target, bone: str, turns_foot: bool) -> None:
    """Give a leg an IK constraint, and the foot the rotation of the same target."""
    ik = rig.pose.bones[leg[1]].constraints.new("IK")
    ik.target, ik.subtarget, ik.chain_count = target, bone, 2
    for name in leg[:2]:
        rig.pose.bones[name].rotation_mode = "QUATERNION"
        rig.pose.bones[name].rotation_quaternion = (1, 0, 0, 0)
    if turns_foot:
        copy = rig.pose.bones[leg[2]].constraints.new("COPY_ROTATION")
        copy.target, copy.subtarget = target, bone


def key_foot(rig, leg, pose: np.ndarray, frames) -> None:
    """Key the foot so that it keeps its rotation in the world below a shin that the constraint turns."""
    rest = [np.array(rig.data.bones[bone].matrix_local) for bone in leg[1:3]]
    above = evaluated(rig, leg[1], frames) @ np.linalg.inv(rest[0]) @ rest[1]
    keys.key_rotations(rig, leg[2], np.array(frames), (np.linalg.inv(above) @ pose)[:, :3, :3])


def roll(rig, side: str, frames) -> None:
    """Key a roll over heel and ball."""
    frames = np.array(frames)
    for bone, phase in (("Heel", 0.0), ("Ball", 2.0)):
        rest = np.array(rig.data.bones[f"{bone}.{side}"].matrix_local)[:3, :3]
        world = np.array(rig.matrix_world)[:3, :3]
        axis = rest.T @ world.T @ LEFT
        angle = 0.06 * np.maximum(0.0, np.sin(frames / 15 * np.pi + phase))
        keys.key_rotations(rig, f"{bone}.{side}", frames, rotation(axis / np.linalg.norm(axis), angle))


def walk_with_three_chains(ik: float, kind: str = "COPY_TRANSFORMS", **options) -> rigs.WalkingRig:
    """Return a walk whose legs copy FK bones and then IK bones, as control rigs are built.

    The property "ik" of the object drives how much of the IK bones they copy; where it is 0 the FK bones have the keys,
    else the controls of the IK bones. ``kind`` is the type of the constraints that copy.
    """
    walk = rigs.mixamo_walk(prefix="", **options)
    rig = walk.object
    feet = {side: evaluated(rig, leg[2], walk.frames) for side, leg in walk.legs.items()}
    add_bones(walk, "", reverse=False, held=False)
    add_chains(walk)
    rig["ik"] = float(ik)
    for side, leg in walk.legs.items():
        constrain(rig, [f"{bone}_IK" for bone in leg], rig, CONTROLS[side], turns_foot=True)
        for bone in leg[:3]:
            for suffix in ("_FK", "_IK"):
                copy = rig.pose.bones[bone].constraints.new(kind)
                copy.name, copy.target, copy.subtarget = suffix, rig, bone + suffix
            drive(rig, copy, "ik")
        if ik:
            drop_keys(rig, leg[:3])
            key_pose(rig, CONTROLS[side], feet[side], "", None, walk.frames)
    for curve in keys.fcurves(rig):
        for bone in (bone for leg in walk.legs.values() for bone in leg[:3]):
            curve.data_path = curve.data_path.replace(f'["{bone}"]', f'["{bone}_FK"]')
    rig.update_tag()
    bpy.context.scene.frame_set(1)
    return walk


def walk_that_leaves_ik() -> rigs.WalkingRig:
    """Return the walk of three chains in IK, over to half FK in its last third."""
    walk = walk_with_three_chains(1)
    keys.write(walk.object, '["ik"]', np.array([1, 40, 60]), np.array([1.0, 1.0, 0.5]))
    bpy.context.scene.frame_set(1)
    return walk


def add_chains(walk) -> None:
    """Add FK and IK bones at the places of thigh, shin and foot."""
    with edit_bones(walk.object) as bones:
        for leg in walk.legs.values():
            for suffix in ("_FK", "_IK"):
                above = bones[leg[0]].parent
                for bone in leg[:3]:
                    above = copied(bones, bone + suffix, bones[bone], bones[bone].head, above)


def drive(rig, constraint, name: str) -> None:
    """Let a property of the object drive the influence of a constraint."""
    driver = constraint.driver_add("influence").driver
    driver.type = "AVERAGE"
    variable = driver.variables.new()
    variable.targets[0].id, variable.targets[0].data_path = rig, f'["{name}"]'


def worst_slide(walk, bones: dict[str, str] | None = None) -> float:
    """Return the worst drift of an ankle in a stance, in leg lengths; ``bones`` are looked at instead of the feet."""
    names = [bones[side] if bones else walk.legs[side][2] for side in "LR"]
    return slide_of(walk, stepping.world_heads(walk.object, names, walk.frames) / walk.leg_length)


def slide_of(walk, ankles: np.ndarray) -> float:
    """Return the worst drift in a stance of left and right ankles (F, 2, 3)."""
    return max(
        slide
        for i, side in enumerate("LR")
        for slide in stepping.stance_slide(ankles[:, i], walk.stance[side], walk.frames[0])
    )
