# SPDX-License-Identifier: MIT
"""Two characters that walk: Rigify's human metarig and a rig with Mixamo's names, each with known stances and slide."""

from __future__ import annotations

from dataclasses import dataclass

import bpy
import keys
import numpy as np
from mathutils import Matrix, Vector
from walk import LEFT, UP, Gait, frame_along, make_path, rotation, solve_leg

FINGERS = ("Thumb", "Index", "Middle", "Ring", "Pinky")


@dataclass
class WalkingRig:
    """An armature with a walk, and what is known about it; lengths are in metres of the world."""

    object: bpy.types.Object
    action: bpy.types.Action
    legs: dict[str, tuple[str, str, str, str]]  # "L"/"R" -> thigh, shin, foot, toe
    pelvis: str
    stance: dict[str, list[tuple[int, int]]]  # scene frames, first and last
    slide: float  # drift of an ankle in one stance
    leg_length: float
    frames: range
    ground: float = 0.0

    @property
    def leg_bones(self) -> set[str]:
        """The bones that planting may change, the pelvis included."""
        return {self.pelvis, *(bone for leg in self.legs.values() for bone in leg)}


def human_metarig_walk(
    frames: int = 60, *, root_motion: str = "bone", rotation_mode: str | None = None, **gait: float
) -> WalkingRig:
    """Return Rigify's human metarig with a walk; see `animate` for the arguments."""
    if "rigify" not in bpy.context.preferences.addons:
        bpy.ops.preferences.addon_enable(module="rigify")
    bpy.ops.object.armature_human_metarig_add()
    rig = bpy.context.object
    legs = {side: tuple(f"{bone}.{side}" for bone in ("thigh", "shin", "foot", "toe")) for side in "LR"}
    return animate(rig, "spine", legs, Gait(frames=frames, **gait), root_motion, rotation_mode)


def mixamo_walk(
    frames: int = 60,
    *,
    prefix: str = "mixamorig:",
    imported: bool = True,
    root_motion: str = "bone",
    rotation_mode: str | None = None,
    **gait: float,
) -> WalkingRig:
    """Return a 65-bone rig with Mixamo's names and a walk; see `animate` for the arguments.

    `imported` builds it as an imported file looks: centimetres and Y up inside, the object turned and scaled by 0.01.
    """
    rig = mixamo_rig(prefix, imported)
    legs = {
        side: tuple(f"{prefix}{word}{bone}" for bone in ("UpLeg", "Leg", "Foot", "ToeBase"))
        for side, word in (("L", "Left"), ("R", "Right"))
    }
    return animate(rig, prefix + "Hips", legs, Gait(frames=frames, **gait), root_motion, rotation_mode)


def mixamo_bones() -> dict[str, tuple[str | None, tuple[float, float, float], tuple[float, float, float]]]:
    """Return name -> (parent, head, tail) in metres, Z up, facing -Y."""
    bones: dict[str, tuple[str | None, tuple[float, float, float], tuple[float, float, float]]] = {}
    column = [("Hips", 1.0), ("Spine", 1.1), ("Spine1", 1.22), ("Spine2", 1.35), ("Neck", 1.5), ("Head", 1.6)]
    tops = [height for _, height in column[1:]] + [1.8]
    parent = None
    for (name, low), high in zip(column, tops):
        bones[name] = (parent, (0, 0, low), (0, 0, high))
        parent = name
    bones["HeadTop_End"] = ("Head", (0, 0, 1.8), (0, 0, 1.85))
    for word, sign in (("Left", 1.0), ("Right", -1.0)):
        arm = [("Shoulder", 0.05), ("Arm", 0.17), ("ForeArm", 0.44), ("Hand", 0.69)]
        ends = [reach for _, reach in arm[1:]] + [0.78]
        parent = "Spine2"
        for (name, near), far in zip(arm, ends):
            bones[word + name] = (parent, (sign * near, 0.01, 1.45), (sign * far, 0.01, 1.45))
            parent = word + name
        for row, finger in enumerate(FINGERS):
            parent = word + "Hand"
            for part in range(4):
                y, x = 0.03 - 0.02 * row, sign * (0.78 + 0.03 * part)
                name = f"{word}Hand{finger}{part + 1}"
                bones[name] = (parent, (x, y, 1.45), (x + sign * 0.03, y, 1.45))
                parent = name
        x = sign * 0.09
        joints = [("UpLeg", (x, 0.0, 0.94)), ("Leg", (x, -0.01, 0.53)), ("Foot", (x, 0.03, 0.11))]
        joints += [("ToeBase", (x, -0.11, 0.03)), ("Toe_End", (x, -0.2, 0.03))]
        tails = [head for _, head in joints[1:]] + [(x, -0.23, 0.03)]
        parent = "Hips"
        for (name, head), tail in zip(joints, tails):
            bones[word + name] = (parent, head, tail)
            parent = word + name
    return bones


def mixamo_rig(prefix: str, imported: bool) -> bpy.types.Object:
    """Build the armature, unconnected bones as importers leave them."""
    world = Matrix.Rotation(np.pi / 2, 4, "X") @ Matrix.Scale(0.01, 4) if imported else Matrix.Identity(4)
    inside = world.inverted()
    rig = bpy.data.objects.new("Armature", bpy.data.armatures.new("Armature"))
    bpy.context.scene.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    rig.select_set(True)
    bpy.ops.object.mode_set(mode="EDIT")
    for name, (parent, head, tail) in mixamo_bones().items():
        bone = rig.data.edit_bones.new(prefix + name)
        bone.head, bone.tail = inside @ Vector(head), inside @ Vector(tail)
        bone.roll = 0.3 if "Leg" in name else 0.0
        if parent:
            bone.parent = rig.data.edit_bones[prefix + parent]
    bpy.ops.object.mode_set(mode="OBJECT")
    rig.matrix_world = world
    bpy.context.view_layer.update()
    return rig


def animate(
    rig: bpy.types.Object,
    pelvis: str,
    legs: dict[str, tuple[str, str, str, str]],
    gait: Gait,
    root_motion: str = "bone",
    rotation_mode: str | None = None,
) -> WalkingRig:
    """Key a walk of scene frames 1…F on every bone of the rig.

    Parameters
    ----------
    root_motion : what carries the character: "bone" (the pelvis), "object", or "parent" (an empty at scale 0.01).
    rotation_mode : for the leg bones; None leaves them as they are.
    gait : keywords of `walk.Gait`: slide, step, lift, in_place, … in leg lengths and frames.
    """
    for name in (*legs["L"], *legs["R"]):
        if rotation_mode is not None:
            rig.pose.bones[name].rotation_mode = rotation_mode
    world = np.array(rig.matrix_world)
    rest = {bone.name: np.array(bone.matrix_local) for bone in rig.data.bones}
    heads = {name: (world @ matrix)[:3, 3] for name, matrix in rest.items()}
    thigh, shin, foot, _ = legs["L"]
    upper = float(np.linalg.norm(heads[shin] - heads[thigh]))
    lower = float(np.linalg.norm(heads[foot] - heads[shin]))
    path = make_path(gait, upper + lower)
    frames = np.arange(1, gait.frames + 1)
    action = keys.new_action(rig, "Walk")

    carried = path.body if root_motion == "bone" else np.zeros_like(path.body)
    feet = {side: path.feet[side] - path.body + carried for side in legs}
    pose = {pelvis: pelvis_pose(world, rest[pelvis], path, carried)}
    for side, bones in legs.items():
        pose |= leg_pose(world, rest, pose[pelvis] @ np.linalg.inv(rest[pelvis]), bones, feet[side], path.pitch[side])
    key_pose(rig, pelvis, rest, pose, frames)
    key_body(rig, root_motion, path.body, frames)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, gait.frames
    scene.render.fps, scene.render.fps_base = 30, 1.0
    scene.frame_set(1)
    leg = upper + lower
    return WalkingRig(
        rig, action, legs, pelvis, {side: [(a + 1, b + 1) for a, b in spans] for side, spans in path.stance.items()},
        gait.slide * leg, leg, range(1, gait.frames + 1),
    )  # fmt: skip


def repeat_walk(walk: WalkingRig, times: int) -> None:
    """Key a walk, whose last frame is the first of the next period, so many times; other bones lose their keys."""
    once = walk.frames[-1] - 1
    frames = np.arange(1, once * times + 1)
    for curve in list(keys.fcurves(walk.object)):
        path = curve.data_path
        if path != "location" and not any(path.startswith(keys.bone_path(bone, "")) for bone in walk.leg_bones):
            keys.fcurves(walk.object).remove(curve)
            continue
        points = np.empty(2 * len(curve.keyframe_points), np.float32)
        curve.keyframe_points.foreach_get("co", points)
        step = points[-1] - points[1] if path.endswith("location") else 0.0
        values = np.tile(points[1:-2:2], times) + step * ((frames - 1) // once)
        curve.keyframe_points.add(len(frames) - once - 1)
        curve.keyframe_points.foreach_set("co", np.stack([frames, values], axis=1).astype(np.float32).ravel())
        curve.keyframe_points.foreach_set("interpolation", np.full(len(frames), keys.INTERPOLATION["LINEAR"]))
        curve.update()
    for spans in walk.stance.values():
        inside = [(first, min(last, once)) for first, last in spans if first <= once]
        spans[:] = [(first + once * k, last + once * k) for k in range(times) for first, last in inside]
    walk.frames = range(1, once * times + 1)
    bpy.context.scene.frame_end = walk.frames[-1]


def turned(world: np.ndarray, rest: np.ndarray, turn: np.ndarray, place: np.ndarray) -> np.ndarray:
    """Return (F,4,4) poses in armature space: the rest turned by (F,3,3), its head put at (F,3) of the world."""
    axes = world[:3, :3] / np.linalg.norm(world[:3, :3], axis=0)
    pose = np.tile(np.eye(4), (len(place), 1, 1))
    pose[:, :3, :3] = axes.T @ turn @ axes @ rest[:3, :3]
    pose[:, :3, 3] = (place - world[:3, 3]) @ np.linalg.inv(world[:3, :3]).T
    return pose


def pelvis_pose(world: np.ndarray, rest: np.ndarray, path, carried: np.ndarray) -> np.ndarray:
    head = (world @ rest)[:3, 3]
    return turned(world, rest, rotation(UP, path.pelvis_turn), head + path.pelvis + carried)


def leg_pose(world, rest, carry, bones, offsets, pitch) -> dict[str, np.ndarray]:
    """Return the poses of thigh, shin and foot for an ankle that is `offsets` (F,3) away from its rest place."""
    thigh, shin, foot, _ = bones
    a, b, c = ((world @ rest[name])[:3, 3] for name in (thigh, shin, foot))
    hip = (world @ carry @ rest[thigh])[:, :3, 3]
    side = np.tile(LEFT, (len(offsets), 1))
    knee, ankle = solve_leg(hip, c + offsets, np.linalg.norm(b - a), np.linalg.norm(c - b), side)
    turn_upper = frame_along(knee - hip, side) @ frame_along(b - a, LEFT).T
    turn_lower = frame_along(ankle - knee, side) @ frame_along(c - b, LEFT).T
    return {
        thigh: turned(world, rest[thigh], turn_upper, hip),
        shin: turned(world, rest[shin], turn_lower, knee),
        foot: turned(world, rest[foot], rotation(LEFT, pitch), ankle),
    }


def key_pose(rig, pelvis: str, rest: dict, pose: dict, frames: np.ndarray) -> None:
    """Key the posed bones exactly and every other bone with a small swing; only the pelvis is keyed in location.

    Bones that carry posed ones, such as roots and the second halves of split thighs, keep still below their parents.
    """
    generator = np.random.default_rng(5)
    carrying = {above.name for name in pose for above in rig.data.bones[name].parent_recursive} - set(pose)
    for bone in sorted((rig.data.bones[name] for name in carrying), key=lambda bone: len(bone.parent_recursive)):
        parent = bone.parent.name if bone.parent else ""
        moved = pose[parent] @ np.linalg.inv(rest[parent]) if parent else np.eye(4)
        pose[bone.name] = np.tile(np.eye(4), (len(frames), 1, 1)) @ moved @ rest[bone.name]
    for bone in rig.data.bones:
        if bone.name in pose:
            parent = bone.parent
            above = pose.get(parent.name, rest[parent.name]) if parent else np.eye(4)
            offset = (np.linalg.inv(rest[parent.name]) if parent else np.eye(4)) @ rest[bone.name]
            basis = np.linalg.inv(above @ offset) @ pose[bone.name]
            keys.key_rotations(rig, bone.name, frames, basis[:, :3, :3])
            if bone.name == pelvis:
                keys.write(rig, keys.bone_path(bone.name, "location"), frames, basis[:, :3, 3])
        else:
            calm = any(part in bone.name.lower() for part in ("toe", "heel"))
            angle = (0.0 if calm else 0.1) * np.sin(frames / 30 * 2 * np.pi + generator.uniform(0, 6))
            axis = generator.normal(size=3)
            keys.key_rotations(rig, bone.name, frames, rotation(axis / np.linalg.norm(axis), angle))


def key_body(rig, root_motion: str, body: np.ndarray, frames: np.ndarray) -> None:
    """Key the forward progress on the object or on a parent, where the pelvis does not carry it."""
    if root_motion == "object":
        keys.write(rig, "location", frames, np.array(rig.location) + body)
    elif root_motion == "parent":
        empty = bpy.data.objects.new("Mover", None)
        bpy.context.scene.collection.objects.link(empty)
        empty.scale = (0.01, 0.01, 0.01)
        rig.parent = empty
        rig.scale = np.array(rig.scale) * 100
        rig.location = np.array(rig.location) * 100
        keys.new_action(empty, "Path")
        keys.write(empty, "location", frames, body)
        bpy.context.view_layer.update()
