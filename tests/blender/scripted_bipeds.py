# SPDX-License-Identifier: MIT
"""Bipeds as scripts build them: IK feet that hang on nothing, or on a root, and no foot below the shin."""

from __future__ import annotations

import bpy
import keys
import numpy as np
import rigs
import stepping
from control_rigs import edit_bones, roll
from mathutils import Vector
from walk import LEFT, Gait, make_path, rotation

THIGH, SHIN = 0.5, 0.4


def walk_on_world_feet(
    *,
    foot: str = "child",
    pole: bool = False,
    stretch: float = 0.0,
    reverse: bool = False,
    feet_first: bool = False,
    rooted: bool = False,
    names: tuple[str, str, str] = ("thigh", "shin", "foot"),
    **gait,
) -> rigs.WalkingRig:
    """Return a walk whose shins are moved by IK constraints to controls in the world.

    Parameters
    ----------
    foot : "child" of the control, or the "control" itself.
    pole : whether knees look at bones in front of them.
    stretch : of thigh and shin, the constraint's being on.
    reverse : whether heel and ball roll between control and foot.
    feet_first : whether the controls are made before the legs.
    rooted : whether hips and controls hang on a root.
    names : of thigh, shin and foot.
    """
    rig = bpy.data.objects.new("Biped", bpy.data.armatures.new("Biped"))
    bpy.context.scene.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    rig.select_set(True)
    with edit_bones(rig) as bones:
        root = add(bones, "root", None, (0, 0, 0), (0, 0.3, 0)) if rooted else None
        parts = [_legs, _feet] if not feet_first else [_feet, _legs]
        for part in parts:
            part(bones, root, names, foot, reverse)
        for side, x in (("L", 0.1), ("R", -0.1)):
            if pole:
                add(bones, f"knee target.{side}", root, (x, -1, 0.5), (x, -1, 0.6))
    legs = {side: tuple(f"{bone}.{side}" for bone in (*names, "toe")) for side in "LR"}
    for side, leg in legs.items():
        for name in leg[:2]:
            rig.pose.bones[name].ik_stretch = stretch
        ik = rig.pose.bones[leg[1]].constraints.new("IK")
        ik.target, ik.chain_count = rig, 2
        ik.subtarget = f"Ankle goal.{side}" if reverse else top_of(leg, foot, side)
        ik.use_stretch = stretch > 0
        if pole:
            ik.pole_target, ik.pole_subtarget, ik.pole_angle = rig, f"knee target.{side}", -np.pi / 2
    walk = _animated(rig, legs, foot, Gait(**gait))
    if reverse:
        for side in "LR":
            roll(rig, side, walk.frames)
    bpy.context.scene.frame_set(1)
    return walk


def top_of(leg, foot: str, side: str) -> str:
    """Return the control of a foot."""
    return f"Control.{side}" if foot == "child" else leg[2]


def add(bones, name, parent, head, tail):
    bone = bones.new(name)
    bone.head, bone.tail, bone.parent = Vector(head), Vector(tail), parent
    return bone


def _legs(bones, root, names, foot, reverse) -> None:
    hips = add(bones, "hips", root, (0, 0, 1), (0, 0, 1.2))
    add(bones, "chest", hips, (0, 0, 1.2), (0, 0, 1.6))
    for side, x in (("L", 0.1), ("R", -0.1)):
        thigh = add(bones, f"{names[0]}.{side}", hips, (x, 0, 1), (x, -0.02, 0.1 + SHIN))
        shin = add(bones, f"{names[1]}.{side}", thigh, (x, -0.02, 0.1 + SHIN), (x, 0, 0.1))
        shin.use_connect = True


def _feet(bones, root, names, foot, reverse) -> None:
    for side, x in (("L", 0.1), ("R", -0.1)):
        ankle, ball = Vector((x, 0, 0.1)), Vector((x, -0.15, 0.02))
        top = root
        if foot == "child":
            top = add(bones, f"Control.{side}", root, ankle, ankle + Vector((0, -0.3, 0)))
            top.use_deform = False
        if reverse:
            heel = add(bones, f"Heel.{side}", top, (x, 0.05, 0), (x, 0.15, 0))
            top = add(bones, f"Ball.{side}", heel, ball, ankle)
            add(bones, f"Ankle goal.{side}", top, ankle, ankle + Vector((0, 0.1, 0))).use_deform = False
        last = add(bones, f"{names[2]}.{side}", top, ankle, ball)
        add(bones, f"toe.{side}", last, ball, ball + Vector((0, -0.08, 0)))


def _animated(rig, legs, foot: str, gait: Gait) -> rigs.WalkingRig:
    world, leg = np.eye(4), THIGH + SHIN
    rest = {bone.name: np.array(bone.matrix_local) for bone in rig.data.bones}
    path = make_path(gait, leg)
    frames = np.arange(1, gait.frames + 1)
    action = keys.new_action(rig, "Walk")
    pose = {"hips": rigs.pelvis_pose(world, rest["hips"], path, path.body)}
    for side, bones in legs.items():
        name = top_of(bones, foot, side)
        place = rest[name][:3, 3] + path.feet[side]
        pose[name] = rigs.turned(world, rest[name], rotation(LEFT, path.pitch[side]), place)
    for name, matrices in pose.items():
        rig.pose.bones[name].rotation_mode = "QUATERNION"
        basis = np.linalg.inv(rest[name]) @ matrices  # what they hang on does not move
        keys.write(rig, keys.bone_path(name, "location"), frames, basis[:, :3, 3])
        keys.key_rotations(rig, name, frames, basis[:, :3, :3])
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, gait.frames
    scene.render.fps, scene.render.fps_base = 30, 1.0
    scene.frame_set(1)
    stances = {side: [(a + 1, b + 1) for a, b in spans] for side, spans in path.stance.items()}
    return rigs.WalkingRig(rig, action, legs, "hips", stances, gait.slide * leg, leg, range(1, gait.frames + 1))


def gaps(walk) -> np.ndarray:
    """Return how far feet are from the ends of their shins on all frames, in leg lengths."""
    found = []
    for frame in walk.frames:
        bpy.context.scene.frame_set(frame)
        for leg in walk.legs.values():
            shin, foot = (walk.object.pose.bones[name] for name in leg[1:3])
            found.append((shin.tail - foot.head).length / walk.leg_length)
    return np.array(found)


def bake(walk) -> None:
    """Key what the IK constraints of the shins show, and take them away, as exports to other programs do."""
    rig, bones = walk.object, [name for leg in walk.legs.values() for name in leg[:2]]
    basis: dict[str, list[np.ndarray]] = {name: [] for name in bones}
    for frame in walk.frames:
        bpy.context.scene.frame_set(frame)
        for name in bones:
            bone = rig.pose.bones[name]
            local = rig.convert_space(pose_bone=bone, matrix=bone.matrix, from_space="POSE", to_space="LOCAL")
            basis[name].append(np.array(local)[:3, :3])
    for name in bones:
        for constraint in list(rig.pose.bones[name].constraints):
            rig.pose.bones[name].constraints.remove(constraint)
        rig.pose.bones[name].rotation_mode = "QUATERNION"
        keys.key_rotations(rig, name, np.array(walk.frames), np.array(basis[name]))
    bpy.context.scene.frame_set(walk.frames[0])


def pick(walk) -> None:
    """Pick the legs by hand."""
    for leg in walk.legs.values():
        walk.object.data.bones.active = walk.object.data.bones[leg[2]]
        assert bpy.ops.skelkin.add_leg() == {"FINISHED"}
        item = walk.object.skelkin_legs[-1]
        item.hip, item.knee, item.ankle, item.toe = leg


def slide(walk) -> float:
    """Return the worst drift of a foot in a stance, in leg lengths."""
    heads = stepping.world_heads(walk.object, [walk.legs[side][2] for side in "LR"], walk.frames)
    return max(
        drift / walk.leg_length
        for k, side in enumerate("LR")
        for drift in stepping.stance_slide(heads[:, k], walk.stance[side], walk.frames[0])
    )
