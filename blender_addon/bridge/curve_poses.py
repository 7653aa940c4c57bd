# SPDX-License-Identifier: GPL-3.0-or-later
"""Poses straight from the F-curves, where nothing but them moves the bones: many times as fast as stepping the scene.

Stepping evaluates all that a scene holds, skinned meshes included. Where the curves are enough, the library reads and
evaluates them. `obstacle` names what prevents that; then the scene has to be stepped.
"""

from __future__ import annotations

from functools import partial

import bpy
import numpy as np

from ..core.channels import ROTATION_CHANNELS
from ..core.steps import InThread, Steps
from . import compat
from .checks import bone_channel, bones_turned, with_parents
from .poses import Poses, rows_of, stepping

#: largest difference from the evaluated pose on the frames that are compared, relative to the size of the pose
TOLERANCE = 1e-5
#: bones times frames that are read at once
_KEYS = 12_000
_TRANSFORMS = {"location", "scale", "rotation_quaternion", "rotation_euler", "rotation_axis_angle"}
#: a bone's properties that change nothing of its pose, besides its own custom ones
_HARMLESS = ("bbone_", "custom_", "ik_", "color")


def obstacle(context, ob, needed: set[str]) -> str:
    """Return what besides F-curves moves the bones ``needed`` (parents included) or the object; empty if nothing.

    What frame handlers do cannot be known: see `handlers`.
    """
    data = ob.animation_data
    if data.use_nla and any(not track.mute for track in data.nla_tracks):
        return "NLA tracks"
    if data.action_influence != 1.0 or data.action_blend_type != "REPLACE":
        return "the action's influence"
    return _moved_object(ob) or _moved_bones(ob, needed)


def handlers() -> str:
    """Return the modules of the functions that run on every change of frame and may move anything; empty if none."""
    found = (*bpy.app.handlers.frame_change_pre, *bpy.app.handlers.frame_change_post)
    return ", ".join(dict.fromkeys(str(getattr(function, "__module__", function)) for function in found))


def _moved_object(ob) -> str:
    """Return what may move the armature object or its data during the action."""
    for link in with_parents(ob):
        if link.constraints or (link is not ob and link.animation_data is not None):
            return f"the motion of {link.name}"
        if link.parent is not None and link.parent_type != "OBJECT":
            return f"the parenting of {link.name}"
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


def curve_steps(package, ob, armature, frames: np.ndarray, watched, watch_frame: int) -> Steps:
    """Return what `poses.read_steps` returns. Arguments are those, and the package skelkin_py.

    Raises
    ------
    ValueError
        If keys are not finite, or not in order.
    """
    channels: dict = {}
    count = max(1, _KEYS // len(frames))
    for first in range(0, len(armature.names), count):
        rows = slice(first, first + count)
        curves = package.blender.read_action(ob, bones=armature.names[rows], sampled_on=frames)
        part = yield InThread(partial(curves.channels, armature, frames, compat=compat.EVALUATION))
        for name in ("location", "rotation", "scale") if channels else ():
            channels[name][:, rows] = part[name][:, rows]
        channels = channels or part
    for name in ("location", "rotation", "scale"):
        channels[name] = channels[name].astype(np.float64)
    turns = channels["rotation"][int(watch_frame - frames[0])]
    first_rotation = {}
    for name in watched:
        joint = armature.names.index(name)
        _, size = ROTATION_CHANNELS[channels["rotation_mode"][joint]]
        first_rotation[name] = turns[joint, :size]
    world = np.tile(np.array(ob.matrix_world, dtype=np.float64), (len(frames), 1, 1))
    pose = yield InThread(partial(armature.pose, **channels))
    moved = channels["scale"], channels["location"]
    return Poses(np.asarray(frames, dtype=np.float64), world, pose, *moved, first_rotation)


def as_evaluated(context, ob, armature, poses: Poses, rows: list[int] | None = None) -> Steps:
    """Return whether Blender evaluates the same for these bones, in first, middle and last frame or in ``rows``."""
    rows = sorted({0, len(poses.frames) // 2, len(poses.frames) - 1}) if rows is None else rows
    joints = rows_of(ob, armature)
    buffer = np.empty(len(ob.pose.bones) * 16, dtype=np.float32)
    with stepping(context) as frame_set:
        for i in rows:
            frame_set(int(poses.frames[i]))
            ob.pose.bones.foreach_get("matrix", buffer)
            seen = buffer.reshape(-1, 4, 4).transpose(0, 2, 1)[joints]
            apart = np.abs(poses.pose[i] - seen)
            apart[:, :3, 3] /= max(float(np.abs(seen[:, :3, 3]).max()), 1e-30)
            apart[:, :3, :3] /= max(float(np.abs(seen[:, :3, :3]).max()), 1e-30)
            yield
            if not (apart.max() <= TOLERANCE and np.array_equal(np.array(ob.matrix_world), poses.world[i])):
                return False
    return True
