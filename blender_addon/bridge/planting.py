# SPDX-License-Identifier: GPL-3.0-or-later
"""From evaluated poses to channels of the leg and pelvis bones; nothing in the scene is changed here."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..core import channels
from . import actions, checks, compat, curve_poses, leg_data, native
from .checks import Refused
from .poses import Poses, read_poses

#: a matrix entry of a basis that differs by less has not been changed
_SAME = 1e-9


class Channel(NamedTuple):
    """Values (F, size) for one property of one bone."""

    bone: str
    channel: str
    values: np.ndarray


class Plan(NamedTuple):
    """What is to be written, and what is said about it."""

    frames: np.ndarray
    start: int  # the scene frame that the report counts as 0
    around: actions.Around
    channels: list[Channel]
    report: object
    ankles: dict[str, np.ndarray]
    leg_length: float
    way: str  # how the poses were read
    messages: list[str]  # what the report says, in frames of the scene
    worse: list[str]  # a line for each leg that got worse, likewise


def settings_range(context, ob, settings: dict, legs: list[list[str]]) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the first and last frame with keys, and of the range to plant."""
    action, slot = compat.assigned(ob.animation_data)
    whole = actions.keyed_range(action, slot)
    render = context.scene.render
    if render.frame_map_old != render.frame_map_new:
        raise Refused("The scene stretches time: set both values of Time Stretching (Output, Frame Range) to the same")
    if whole is None:
        raise Refused(f"{action.name} has no keys")
    first, last = actions.frame_range(action, whole)
    if settings["frames"] == "SCENE":
        scene = context.scene
        preview = scene.use_preview_range
        first = scene.frame_preview_start if preview else scene.frame_start
        last = scene.frame_preview_end if preview else scene.frame_end
    elif settings["frames"] == "KEYS":
        first, last = _selected_range(action, slot, {name for leg in legs for name in leg})
    if last <= first:
        raise Refused(f"The range has {max(0, last - first + 1)} frame(s): planting needs at least 2")
    return whole, (first, last)


def _ground_velocity(settings: dict) -> tuple[float, ...] | str | None:
    """Return the velocity of the ground as planting takes it."""
    if settings["ground_motion"] != "GIVEN":
        return {"OFF": None, "AUTO": "auto"}[settings["ground_motion"]]
    velocity = tuple(float(part) for part in settings["ground_velocity"])
    if not np.isfinite(velocity).all():
        raise Refused(f"The velocity of the ground is {velocity}: it has to be finite")
    if abs(velocity[2]) > 1e-6 * np.linalg.norm(velocity):
        raise Refused(f"The ground cannot move up or down: set Z of its velocity, {velocity[2]:.4g}, to 0")
    return velocity


def _selected_range(action, slot, names: set[str]) -> tuple[int, int]:
    prefixes = tuple(actions.bone_path(name, "") for name in names)
    frames = [
        key.co[0]
        for curve in compat.fcurves(action, slot)
        if curve.data_path.startswith(prefixes)
        for key in curve.keyframe_points
        if key.select_control_point
    ]
    if not frames:
        raise Refused("No key of a leg bone is selected")
    return int(np.floor(min(frames))), int(np.ceil(max(frames)))


def make_plan(context, ob, settings: dict) -> Plan:
    """Read the poses that the object plays, plant them and say which channels have to become what.

    Raises
    ------
    Refused
        If the rig or its motion cannot be planted, with the reason.
    """
    velocity = _ground_velocity(settings)
    package = native.load()
    bones = package.blender.Armature.from_bpy(ob)
    legs = leg_data.load(ob, bones)
    written = [*(_written_bones(package, bones, leg) for leg in legs), [bones.names[_mover(bones, legs)]]]
    checks.check_rig(ob, written)
    whole, (first, last) = settings_range(context, ob, settings, written)
    frames = np.arange(min(whole[0], first), max(whole[1], last) + 1)
    watched = tuple(sorted({name for leg in written for name in leg}))
    subset = _needed_joints(bones, legs)
    armature = package.blender.sub_armature(bones, (bones.names[joint] for joint in subset))
    poses, way = _read(context, package, ob, armature, frames, watched, first)
    bad = np.flatnonzero(~np.isfinite(poses.pose).all(axis=(1, 2, 3)))
    if bad.size:
        raise Refused(f"The pose of frame {frames[bad[0]]} is not finite: repair its keys first")
    flat = np.argwhere(np.linalg.det(poses.pose[..., :3, :3]) == 0.0)
    if flat.size:
        frame, joint = flat[0]
        raise Refused(f"{armature.names[joint]} is scaled to nothing in frame {frames[frame]}: no scale may be 0")
    skeleton, local, moved_legs = _world_skeleton(package, armature, poses, subset, legs)
    scene, units = context.scene, context.scene.unit_settings
    part = slice(first - int(frames[0]), last - int(frames[0]) + 1)
    numbered, start = package.planting.remark.numbered, int(frames[0])
    try:
        planted = package.planting.plant_locals(
            skeleton,
            local,
            fps=scene.render.fps / scene.render.fps_base,
            legs=moved_legs,
            ground=settings["ground_height"] if settings["ground"] == "HEIGHT" else None,
            contacts=settings["contacts"].lower(),
            reach=settings["reach"].lower(),
            frames=(part.start, part.stop - 1),
            up=(0.0, 0.0, 1.0),
            metres_per_unit=units.scale_length if units.system != "NONE" else None,
            pelvis=subset.index(_mover(bones, legs)),
            ground_velocity=velocity,
        )
    except ValueError as error:
        raise Refused(numbered(error.args[0], lambda frame: frame + start)) from error
    world = package.forward_kinematics(skeleton, planted.local)[part]
    poses = poses.cut(part)
    pose = package.invert(poses.world)[:, None] @ world
    found = _channels(package, ob, armature, poses, pose, list(planted.changed))
    ankles = {bones.names[leg.ankle]: world[:, subset.index(leg.ankle), :3, 3] for leg in legs}
    around = actions.Around(whole, (min(whole[0], scene.frame_start), max(whole[1], scene.frame_end)))
    length = planted.report.leg_length
    said = [
        [numbered(text, lambda frame: frame + start) for text in texts]
        for texts in (planted.report.messages, planted.report.cost.worse_legs())
    ]
    return Plan(frames[part], start, around, found, planted.report, ankles, length, way, *said)


def _read(context, package, ob, armature, frames, watched, first: int) -> tuple[Poses, str]:
    """Read the poses from the F-curves where these say it all, else by stepping the scene; say which and why."""
    reason = curve_poses.obstacle(context, ob, set(armature.names))
    if not reason:
        context.view_layer.update()
        try:
            poses = curve_poses.read_curves(package, ob, armature, frames, watched, first)
        except ValueError as error:
            reason = str(error)
        else:
            if curve_poses.as_evaluated(context, ob, armature, poses):
                return poses, "read from F-curves"
            reason = "a pose that differs from its curves"
    return read_poses(context, ob, armature, frames, watched, first), f"read by stepping the scene ({reason})"


def _written_bones(package, bones, leg) -> list[str]:
    # Animals stand on their toes: there the solve goes down to them.
    stands = package.planting.standing_leg.standing_leg(bones.parents.tolist(), bones.rest, leg)
    joints = {leg.hip, leg.knee, leg.ankle, stands.ankle, *_flat(leg.segments)}
    return [bones.names[j] for j in sorted(joints)]


def _mover(bones, legs: list) -> int:
    """Return the joint above all hips that can take a location: the lowest one, on the pelvis or towards the root."""
    above = [set(_upwards(bones, leg.hip)[1:]) for leg in legs]
    common = set.intersection(*above)
    if not common:
        raise Refused("No bone carries both legs: the pelvis cannot be lowered; give the legs a common parent")
    return _free_ancestor(bones, max(common))


def _upwards(bones, joint: int) -> list[int]:
    found = []
    while joint >= 0:
        found.append(joint)
        joint = int(bones.parents[joint])
    return found


def _flat(nested):
    for item in nested:
        if isinstance(item, (list, tuple)):
            yield from _flat(item)
        else:
            yield int(item)


def _free_ancestor(bones, joint: int) -> int:
    """Return the joint itself, or the nearest one towards the root that can take a location."""
    while bones.connected[joint]:
        joint = int(bones.parents[joint])
    return joint


def _needed_joints(bones, legs: list) -> list[int]:
    """Joints above and below the legs' own, in order."""
    wanted: set[int] = set()
    for leg in legs:
        for joint in (leg.ankle, leg.toe, leg.heel, leg.pelvis, *_flat(leg.segments)):
            while joint is not None and joint >= 0 and joint not in wanted:
                wanted.add(joint)
                joint = int(bones.parents[joint])
    ankles = {leg.ankle for leg in legs}
    for joint, parent in enumerate(bones.parents):  # parents first: whatever hangs below an ankle
        if parent in ankles:
            wanted.add(joint)
            ankles.add(joint)
    return sorted(wanted)


def _world_skeleton(package, armature, poses: Poses, subset: list[int], legs: list):
    """Return the needed joints with the object's own transform folded into the roots: everything is in world space."""
    rest = poses.world[0] @ armature.rest.astype(np.float64)
    skeleton = package.Skeleton.from_global(armature.parents, rest, armature.names)
    local = package.local_from_global(skeleton, poses.world[:, None] @ poses.pose)
    place = {joint: i for i, joint in enumerate(subset)}
    return skeleton, local, [_moved_leg(leg, place) for leg in legs]


def _moved_leg(leg, place: dict[int, int]):
    """Return the same leg with its joints counted in the subset."""
    import dataclasses

    def moved(item):
        return tuple(moved(part) for part in item) if isinstance(item, (list, tuple)) else place[int(item)]

    joints = {name: getattr(leg, name) for name in ("hip", "knee", "ankle", "toe", "heel", "pelvis")}
    return dataclasses.replace(
        leg,
        **{name: None if joint is None else place[joint] for name, joint in joints.items()},
        chain=moved(leg.chain),
        segments=moved(leg.segments),
    )


def _channels(package, ob, armature, poses: Poses, pose, changed: list[int]) -> list[Channel]:
    found: list[Channel] = []
    bases = [armature.local_from_pose(each) for each in (poses.pose, pose)]
    for joint in changed:
        name = armature.names[joint]
        old, new = (basis[:, joint] for basis in bases)
        size = np.abs(old[:, :3, :3]).max()
        if np.abs(new[:, :3, :3] - old[:, :3, :3]).max() > _SAME * size:
            found.append(_rotation_channel(package, ob.pose.bones[name], new, poses, joint))
        reach = max(float(np.abs(poses.pose[:, joint, :3, 3]).max()), 1e-30)
        if np.abs(new[:, :3, 3] - old[:, :3, 3]).max() > _SAME * reach:
            found.append(Channel(name, "location", new[:, :3, 3]))
    return found


def _rotation_channel(package, bone, basis: np.ndarray, poses: Poses, joint: int) -> Channel:
    mode = bone.rotation_mode
    channel, _ = channels.ROTATION_CHANNELS[mode]
    before = poses.first_rotation.get(bone.name)
    matrices = channels.rotation_of_basis(basis, poses.scale[:, joint], package.transforms.nearest_rotation)
    quaternions = package.quaternion_from_matrix(matrices)
    if mode == "QUATERNION":
        start = before if before is not None else quaternions[0]
        return Channel(bone.name, channel, channels.continuous_quaternions(quaternions, start))
    if mode == "AXIS_ANGLE":
        start = before if before is not None else np.array([0.0, 0.0, 1.0, 0.0])
        return Channel(bone.name, channel, channels.continuous_axis_angles(quaternions, start))
    angles = package.quaternion_to_euler(quaternions, mode)
    start = before if before is not None else np.zeros(3)
    return Channel(bone.name, channel, package.transforms.continuous_euler(angles, mode, start))
