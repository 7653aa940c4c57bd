# SPDX-License-Identifier: GPL-3.0-or-later
"""Poses straight from the F-curves, where nothing but them moves the bones: many times as fast as stepping the scene.

Stepping evaluates all that a scene holds, skinned meshes included. Where the curves say it all, they are read in bulk
and the bones' matrices are computed here. `obstacle` names what speaks against it; then the scene has to be stepped.
"""

from __future__ import annotations

import bpy
import numpy as np

from ..core.channels import ROTATION_CHANNELS
from ..core.parenting import parent_factors, pose_from_basis
from . import actions, compat
from .checks import bone_channel, bones_turned
from .poses import Bones, Poses, bone_rest, stepping

#: largest difference from the evaluated pose on the frames that are compared, relative to the size of the pose
TOLERANCE = 1e-5
_TRANSFORMS = {"location", "scale", "rotation_quaternion", "rotation_euler", "rotation_axis_angle"}
#: a bone's properties that change nothing of its pose, besides its own custom ones
_HARMLESS = ("bbone_", "custom_", "ik_", "color")


def obstacle(context, ob, needed: set[str]) -> str:
    """Return what besides F-curves moves the bones ``needed`` (parents included) or the object; empty if nothing."""
    handlers = bpy.app.handlers
    if handlers.frame_change_pre or handlers.frame_change_post:
        return "frame change handlers"
    render = context.scene.render
    if render.frame_map_old != render.frame_map_new:
        return "time remapping"
    data = ob.animation_data
    if data.use_nla and any(not track.mute for track in data.nla_tracks):
        return "NLA tracks"
    if data.action_influence != 1.0 or data.action_blend_type != "REPLACE":
        return "the action's influence"
    return _moved_object(ob) or _moved_bones(ob, needed)


def _moved_object(ob) -> str:
    """Return what may move the armature object or its data during the action."""
    link = ob
    while link is not None:
        if link.constraints or (link is not ob and link.animation_data is not None):
            return f"the motion of {link.name}"
        if link.parent is not None and link.parent_type != "OBJECT":
            return f"the parenting of {link.name}"
        link = link.parent
    if ob.rigid_body is not None or ob.data.animation_data is not None:
        return f"the animation of {ob.data.name}"
    return ""


def _moved_bones(ob, needed: set[str]) -> str:
    for bone in ob.pose.bones:
        for constraint in bone.constraints:
            if bones_turned(bone, constraint) & needed:
                return f"the constraint {constraint.name} of {bone.name}"
    data = ob.animation_data
    for curve in (*data.drivers, *compat.fcurves(*compat.assigned(data))):
        is_driver = getattr(curve, "driver", None) is not None
        bone, name = bone_channel(curve.data_path)
        if not bone:
            if not curve.data_path.startswith(('["', "pose.bones[")):
                return f"the animation of {ob.name}'s {curve.data_path}"
        elif bone in needed and (is_driver or not (name in _TRANSFORMS or name.startswith(("[", *_HARMLESS)))):
            return f"the animation of {curve.data_path}"
    return ""


def read_curves(package, ob, bones: Bones, subset: list[int], frames: np.ndarray, watched, watch_frame: int) -> Poses:
    """Return what `poses.read_poses` returns, for the joints of ``subset`` (closed under parents) only.

    The other joints' poses are identity matrices. Arguments are those of `read_poses` and the package skelkin_py.
    """
    curves = actions.curves_by_channel(*compat.assigned(ob.animation_data))
    frames = np.asarray(frames, dtype=np.float64)
    count, joints = len(frames), len(bones.names)
    pose = np.tile(np.eye(4), (count, joints, 1, 1))
    scales = np.ones((count, joints, 3))
    first_rotation = {}
    for joint in subset:
        name, parent = bones.names[joint], bones.parents[joint]
        bone = ob.pose.bones[name]
        channel, _ = ROTATION_CHANNELS[bone.rotation_mode]
        turns = _values(bone, channel, curves, frames)
        scales[:, joint] = _values(bone, "scale", curves, frames)
        basis = np.zeros((count, 4, 4))
        basis[:, :3, :3] = _rotations(package, bone.rotation_mode, turns) * scales[:, joint, None, :]
        if not bone.bone.use_connect or bone.parent is None:
            basis[:, :3, 3] = _values(bone, "location", curves, frames)
        basis[:, 3, 3] = 1.0
        factors = parent_factors(bone_rest(ob, name), pose[:, parent] if parent >= 0 else None, count)
        pose[:, joint] = pose_from_basis(factors, basis)
        if name in watched:
            first_rotation[name] = turns[int(watch_frame - frames[0])]
    world = np.tile(np.array(ob.matrix_world, dtype=np.float64), (count, 1, 1))
    return Poses(frames, world, pose, scales, first_rotation)


def as_evaluated(context, ob, joints: list[int], poses: Poses) -> bool:
    """Return whether first, middle and last frame are what Blender evaluates for these joints."""
    buffer = np.empty(poses.pose.shape[1] * 16, dtype=np.float32)
    with stepping(context) as frame_set:
        for i in sorted({0, len(poses.frames) // 2, len(poses.frames) - 1}):
            frame_set(int(poses.frames[i]))
            ob.pose.bones.foreach_get("matrix", buffer)
            seen = buffer.reshape(-1, 4, 4).transpose(0, 2, 1)[joints]
            apart = np.abs(poses.pose[i, joints] - seen)
            apart[:, :3, 3] /= max(float(np.abs(seen[:, :3, 3]).max()), 1e-30)
            apart[:, :3, :3] /= max(float(np.abs(seen[:, :3, :3]).max()), 1e-30)
            if not (apart.max() <= TOLERANCE and np.array_equal(np.array(ob.matrix_world), poses.world[i])):
                return False
    return True


def _rotations(package, mode: str, values: np.ndarray) -> np.ndarray:
    """Return rotation matrices (F, 3, 3) as Blender makes them of the channels, zero quaternions and axes included."""
    if mode == "QUATERNION":
        zero = ~np.any(values, axis=1)
        values = np.where(zero[:, None], (0.0, 1.0, 0.0, 0.0), values)
        return package.quaternion_to_matrix(values)
    if mode == "AXIS_ANGLE":
        zero = ~np.any(values[:, 1:], axis=1)
        axis = np.where(zero[:, None], (0.0, 1.0, 0.0), values[:, 1:])
        turns = package.quaternion_from_axis_angle(axis, np.where(zero, 0.0, values[:, 0]))
        return package.quaternion_to_matrix(turns)
    return package.quaternion_to_matrix(package.quaternion_from_euler(values, mode))


def _values(bone, channel: str, curves: dict, frames: np.ndarray) -> np.ndarray:
    """Return the values (F, N) of one property, float32 as Blender stores them: curves where they animate it."""
    still = np.array(getattr(bone, channel), dtype=np.float32)
    values = np.tile(still, (len(frames), 1))
    path = actions.bone_path(bone.name, channel)
    for index in range(len(still)):
        curve = curves.get((path, index))
        if curve is not None and actions.animates(curve):
            values[:, index] = _sampled(curve, frames)
    return values.astype(np.float64)


def _sampled(curve, frames: np.ndarray) -> np.ndarray:
    """Return a curve's values (F,) on frames: its keys where one lies on each frame, else its evaluation."""
    points = curve.keyframe_points
    if len(points) >= len(frames) and not curve.modifiers:
        pairs = np.empty(2 * len(points), dtype=np.float32)
        points.foreach_get("co", pairs)
        times, values = pairs[0::2], pairs[1::2]
        places = np.searchsorted(times, frames)
        if places[-1] < len(times) and np.array_equal(times[places], frames):
            return values[places]
    evaluate = curve.evaluate
    return np.array([evaluate(frame) for frame in frames])
