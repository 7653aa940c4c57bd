# SPDX-License-Identifier: GPL-3.0-or-later
"""From evaluated poses to channels of the leg and pelvis bones; nothing in the scene is changed here."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from ..core import channels
from ..core.words import counted
from . import actions, checks, compat, curve_poses, leg_data, native, released_poses
from .checks import Refused
from .leg_joints import moved_leg, needed_joints, standing
from .leg_ways import CONTROL, COPIED, RELEASED, Chooser, LegWay
from .poses import Poses, read_poses

#: a matrix entry of a basis that differs by less has not been changed
_SAME = 1e-9
#: a control that is no further from its place, in leg lengths, is there
_IN_PLACE = 1e-5


class Channel(NamedTuple):
    """Values (F, size) for one property of one bone."""

    bone: str
    channel: str
    values: np.ndarray


class Control(NamedTuple):
    """A foot's control: where it has to be in world space, and the basis that puts it there; both (F, 4, 4)."""

    bone: str
    wanted: np.ndarray
    basis: np.ndarray
    scale: np.ndarray  # (F, 3), its channels
    first_rotation: np.ndarray


class Plan(NamedTuple):
    """What is to be written, and what is said about it."""

    frames: np.ndarray
    start: int  # the scene frame that the report counts as 0
    around: actions.Around
    channels: list[Channel]
    report: object
    ankles: dict[str, np.ndarray]
    leg_length: float
    stepped: str  # why the scene was stepped to read the poses; empty where the F-curves said it all
    messages: list[str]  # what the report says, in frames of the scene
    worse: list[str]  # a line for each leg that got worse, likewise
    armature: object  # the bones that were read
    ways: list[LegWay]
    controls: list[Control]

    def told(self) -> list[str]:
        """Return how the poses were read, and a line for each leg that gets its keys in a way of its own."""
        how = f"read by stepping the scene ({self.stepped})" if self.stepped else "read from F-curves"
        return [f"{counted(len(self.frames), 'frame')} {how}", *filter(None, (way.told() for way in self.ways))]


def keyed_range(context, ob) -> tuple[int, int]:
    """Return the first and last frame with keys."""
    action, slot = compat.assigned(ob.animation_data)
    whole = actions.keyed_range(action, slot)
    render = context.scene.render
    if render.frame_map_old != render.frame_map_new:
        raise Refused("The scene stretches time: set both values of Time Stretching (Output, Frame Range) to the same")
    if whole is None:
        raise Refused(f"{action.name} has no keys")
    return whole


def settings_range(context, ob, settings: dict, whole: tuple[int, int], written: set[str]) -> tuple[int, int]:
    """Return the first and last frame to plant; keys are in the frames ``whole``, and get new ones in ``written``."""
    action, slot = compat.assigned(ob.animation_data)
    first, last = actions.frame_range(action, whole)
    if settings["frames"] == "SCENE":
        scene = context.scene
        preview = scene.use_preview_range
        first = scene.frame_preview_start if preview else scene.frame_start
        last = scene.frame_preview_end if preview else scene.frame_end
    elif settings["frames"] == "KEYS":
        first, last = _selected_range(action, slot, written)
    if last <= first:
        raise Refused(f"The range has {max(0, last - first + 1)} frame(s): planting needs at least 2")
    return first, last


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


def make_plan(context, ob, settings: dict, failed: Collection[tuple[str, str]] = ()) -> Plan:
    """Read the poses that the object plays, plant them and say which channels have to become what.

    ``failed`` are ways of legs (name and kind) that were tried and did not bring the foot where it was planned.

    Raises
    ------
    Refused
        If the rig or its motion cannot be planted, with the reason.
    """
    velocity = _ground_velocity(settings)
    package = native.load()
    bones = package.blender.Armature.from_bpy(ob)
    legs = leg_data.load(ob, bones)
    checks.check_object(ob)
    whole = keyed_range(context, ob)
    chooser = Chooser(context, ob, package, bones, legs)
    ways = chooser.ways(whole, failed)
    carrier = bones.names[chooser.carrier]
    written = {carrier, *(name for way in ways for name in way.written)}
    checks.check_written(ob, written)
    first, last = settings_range(context, ob, settings, whole, written)
    frames = np.arange(min(whole[0], first), max(whole[1], last) + 1)
    armature = _needed_part(package, bones, ways)
    poses, stepped = _read(context, package, ob, armature, frames, tuple(sorted(written)), first)
    bad = np.flatnonzero(~np.isfinite(poses.pose).all(axis=(1, 2, 3)))
    if bad.size:
        raise Refused(f"The pose of frame {frames[bad[0]]} is not finite: repair its keys first")
    flat = np.argwhere(np.linalg.det(poses.pose[..., :3, :3]) == 0.0)
    if flat.size:
        frame, joint = flat[0]
        raise Refused(f"{armature.names[joint]} is scaled to nothing in frame {frames[frame]}: no scale may be 0")
    skeleton, local = _world_skeleton(package, armature, poses)
    place = {bones.names.index(name): row for row, name in enumerate(armature.names)}
    moved_legs = [moved_leg(way.leg, place) for way in ways]
    local = _released(package, armature, skeleton, local, poses, ways)
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
            pelvis=place[chooser.carrier],
            ground_velocity=velocity,
        )
    except ValueError as error:
        raise Refused(numbered(error.args[0], lambda frame: frame + start)) from error
    before, world = (package.forward_kinematics(skeleton, each)[part] for each in (local, planted.local))
    poses = poses.cut(part)
    feet = [standing(package, armature, leg).ankle for leg in moved_legs]
    world = _with_carried(armature, before, world, ways)
    pose = package.invert(poses.world)[:, None] @ world
    changed = {armature.names[joint] for joint in planted.changed} & written
    found = _channels(package, ob, armature, poses, pose, changed, ways) if planted.changed else []
    controls = _controls(armature, poses, world, pose, ways)
    ankles = {way.ankle: world[:, foot, :3, 3] for way, foot in zip(ways, feet, strict=True)}
    around = actions.Around(whole, (min(whole[0], scene.frame_start), max(whole[1], scene.frame_end)))
    length = planted.report.leg_length
    said = [
        [numbered(text, lambda frame: frame + start) for text in texts]
        for texts in (planted.report.messages, planted.report.cost.worse_legs())
    ]
    return Plan(
        frames[part], start, around, found, planted.report, ankles, length, stepped, *said, armature, ways, controls
    )


def _read(context, package, ob, armature, frames, watched, first: int) -> tuple[Poses, str]:
    """Read the poses from the F-curves where these say it all, else by stepping the scene; say why, else nothing."""
    reason = curve_poses.obstacle(context, ob, set(armature.names))
    if not reason:
        context.view_layer.update()
        try:
            poses = curve_poses.read_curves(package, ob, armature, frames, watched, first)
        except ValueError as error:
            reason = str(error)
        else:
            if curve_poses.as_evaluated(context, ob, armature, poses):
                return poses, ""
            reason = "a pose that differs from its curves"
    return read_poses(context, ob, armature, frames, watched, first), reason


def _needed_part(package, bones, ways: list[LegWay]):
    """Return the armature of the bones whose poses are read."""
    names = {bones.names[joint] for joint in needed_joints(bones, [way.leg for way in ways])}
    for way in ways:
        names |= {*way.written, *(copied for _, copied in way.pairs), *(other for _, other in way.carried)}
    return package.blender.sub_armature(bones, names)


def _world_skeleton(package, armature, poses: Poses):
    """Return skeleton and local matrices with the object's own transform folded into the roots: all in world space."""
    rest = poses.world[0] @ armature.rest.astype(np.float64)
    skeleton = package.Skeleton.from_global(armature.parents, rest, armature.names)
    return skeleton, package.local_from_global(skeleton, poses.world[:, None] @ poses.pose)


def _released(package, armature, skeleton, local, poses: Poses, ways: list[LegWay]) -> np.ndarray:
    """Return local matrices in which the legs that are let go of follow what moved them, and their copies them."""
    place = armature.names.index
    for way in ways:
        if way.kind == RELEASED:
            pairs = [(place(keyed), place(other)) for keyed, other in way.pairs]
            chain = [place(name) for name in way.chain]
            local = released_poses.released(package, skeleton, local, pairs, chain, poses.location, poses.scale)
    return local


def _with_carried(armature, before: np.ndarray, world: np.ndarray, ways: list[LegWay]) -> np.ndarray:
    """Return world matrices in which each bone that others follow goes as far as the planted one that follows it."""
    place = armature.names.index
    for leading, following in (pair for way in ways for pair in way.carried):
        leader, follower = place(leading), place(following)
        world[:, leader] = world[:, follower] @ np.linalg.inv(before[:, follower]) @ before[:, leader]
    return world


def _controls(armature, poses: Poses, world: np.ndarray, pose: np.ndarray, ways: list[LegWay]) -> list[Control]:
    names = [way.written[0] for way in ways if way.kind == CONTROL]
    if not names:
        return []
    bases, joints = armature.local_from_pose(pose), [armature.names.index(name) for name in names]
    return [
        Control(name, world[:, j], bases[:, j], poses.scale[:, j], poses.first_rotation[name])
        for name, j in zip(names, joints, strict=True)
    ]


def corrected(package, ob, plan: Plan, found: dict[str, np.ndarray]) -> Plan | None:
    """Return the plan with other channels of the controls, which were ``found`` elsewhere than where they belong.

    What a control hangs on may have moved with the pelvis, by constraints. None where all are in place.
    """
    controls, written = [], {(c.bone, c.channel): c for c in plan.channels}
    for control in plan.controls:
        astray = np.linalg.norm((found[control.bone] - control.wanted)[:, :3, 3], axis=1).max()
        if astray <= _IN_PLACE * plan.leg_length:
            controls.append(control)
            continue
        basis = control.basis @ np.linalg.inv(found[control.bone]) @ control.wanted
        controls.append(control._replace(basis=basis))
        bone = ob.pose.bones[control.bone]
        turned = _rotation_channel(package, bone, basis, control.scale, control.first_rotation)
        for channel in (turned, Channel(control.bone, "location", basis[:, :3, 3])):
            written[channel.bone, channel.channel] = channel
    if all(new is old for new, old in zip(controls, plan.controls, strict=True)):
        return None
    return plan._replace(channels=list(written.values()), controls=controls)


def _channels(package, ob, armature, poses: Poses, pose, changed: set[str], ways: list[LegWay]) -> list[Channel]:
    found: list[Channel] = []
    bases = [armature.local_from_pose(each) for each in (poses.pose, pose)]
    released = {name for way in ways if way.kind == RELEASED for name in way.written}
    carried = {leading for way in ways for leading, _ in way.carried}
    turned = {name for way in ways if way.kind in (RELEASED, COPIED) for name in way.written}  # placed by their parents
    for joint, name in enumerate(armature.names):
        if name not in changed | released | carried:
            continue
        old, new = (basis[:, joint] for basis in bases)
        size = np.abs(old[:, :3, :3]).max()
        if name in released or np.abs(new[:, :3, :3] - old[:, :3, :3]).max() > _SAME * size:
            found.append(
                _rotation_channel(package, ob.pose.bones[name], new, poses.scale[:, joint], poses.first_rotation[name])
            )
        reach = max(float(np.abs(poses.pose[:, joint, :3, 3]).max()), 1e-30)
        if name not in turned and np.abs(new[:, :3, 3] - old[:, :3, 3]).max() > _SAME * reach:
            found.append(Channel(name, "location", new[:, :3, 3]))
    held = dict.fromkeys(hold for way in ways for hold in way.holds)
    return found + [Channel(hold.bone, hold.channel, np.full((len(pose), 1), hold.value)) for hold in held]


def _rotation_channel(package, bone, basis: np.ndarray, scale: np.ndarray, before: np.ndarray) -> Channel:
    """Return the rotation (in the bone's mode) of a basis; ``before`` is what the first frame is continuous with."""
    mode = bone.rotation_mode
    channel, _ = channels.ROTATION_CHANNELS[mode]
    matrices = channels.rotation_of_basis(basis, scale, package.transforms.nearest_rotation)
    quaternions = package.quaternion_from_matrix(matrices)
    if mode == "QUATERNION":
        return Channel(bone.name, channel, channels.continuous_quaternions(quaternions, before))
    if mode == "AXIS_ANGLE":
        return Channel(bone.name, channel, channels.continuous_axis_angles(quaternions, before))
    angles = package.quaternion_to_euler(quaternions, mode)
    return Channel(bone.name, channel, package.transforms.continuous_euler(angles, mode, before))
