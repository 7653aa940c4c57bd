# SPDX-License-Identifier: GPL-3.0-or-later
"""From evaluated poses to channels of the leg and pelvis bones; nothing in the scene is changed here."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import NamedTuple

import numpy as np

from ..core.foot_paths import Stand
from ..core.rate import is_in_slow_motion
from ..core.sampling import runs
from ..core.steps import InThread, Steps
from ..core.words import IN_SLOW_MOTION, counted
from . import actions, advice, checks, compat, curve_poses, leg_data, native, plant_settings, scene_ground
from .checks import Refused
from .contacts import foot_edits, touch_ups
from .contacts.given import Given, given, remark_of
from .original import nla
from .playback import Played, playing, scene_range
from .poses import Poses, read_steps
from .rig import detached_feet, released_poses
from .rig.goals import Goal, goal_for
from .rig.leg_joints import moved_leg, needed_joints, standing
from .rig.leg_methods import COPIED, GOAL, LED, RELEASED, Chooser, LegMethod
from .rig.targets import Target, corrected, targets_of
from .rig.written_channels import Channel, rotation_channel
from .stored_report import in_scene
from .write_keys import Around

#: a matrix entry of a basis that differs by less has not been changed
_SAME = 1e-9


class Reading(NamedTuple):
    """How poses were read: in words, and why by stepping the scene, empty where from F-curves."""

    summary: str
    stepped: str


class Posed(NamedTuple):
    """What is planned of J bones over F frames, for those who make few keys of it."""

    tolerance: float  # in leg lengths
    carrier: str  # the bone that carries the body
    hips: list[str]  # the bones that the legs begin with, as the mesh shows them
    world: np.ndarray  # (F, J, 4, 4)
    basis: np.ndarray  # (F, J, 4, 4) what the bones' channels make up
    scale: np.ndarray  # (F, J, 3) their scale channels
    drift: float = 0.0  # by how much standing feet move with these keys, in leg lengths, once that is measured


class End(NamedTuple):
    """The end of a shin whose foot is detached: its ``point`` (3,), and the ``gaps`` (F,) of the original."""

    shin: str
    foot: str
    point: np.ndarray
    gaps: np.ndarray


class Plan(NamedTuple):
    """What is to be written, and messages about it."""

    frames: np.ndarray
    start: int  # the scene frame that the report counts as 0
    around: Around
    channels: list[Channel]
    report: object
    ankles: dict[str, np.ndarray]  # where the feet that the mesh shows have to be, (F, 4, 4) in world space
    ends: list[End]
    leg_length: float
    uneven: str  # what of the rig is scaled unevenly, and the cure
    reading: Reading
    messages: list[str]  # what the report says, in frames of the scene
    minded: list[str]  # what a viewer would mind, likewise
    armature: object  # the bones that were read
    methods: list[LegMethod]
    targets: list[Target]
    goals: list[Goal]
    feet_before: dict[str, np.ndarray]  # where the feet were, (F, 3) in world space
    posed: Posed | None  # where few keys are wanted: what they have to come near to
    given: Given  # the contacts that planting was given
    motion: tuple  # skeleton, local matrices of all frames before and after, frames per second
    normals: np.ndarray  # (K, 3) of the ground below each contact of the report

    @property
    def stepped(self) -> str:
        """Why the scene was stepped to read the poses; empty where the F-curves were enough."""
        return self.reading.stepped

    def corrected(self, package, ob, found: dict[str, np.ndarray]) -> Plan | None:
        """Return the plan with other keys where bones were ``found`` elsewhere than planned, None where none were."""
        better = corrected(package, ob, self.targets, found, self.ankles, self.leg_length)
        if better is None:
            return None
        targets, channels = better
        written = {(channel.bone, channel.channel): channel for channel in (*self.channels, *channels)}
        return self._replace(targets=targets, channels=list(written.values()))

    def stands(self, leg: int) -> list[Stand]:
        """Return the contacts of a leg, in rows of `frames`."""
        shift, end = self.start - int(self.frames[0]), len(self.frames) - 1
        found = []
        for contact, normal in zip(self.report.contacts, self.normals, strict=True):
            first, last = contact.first_frame + shift, contact.last_frame + shift
            if contact.leg == leg and first <= end and last >= 0:
                slides = contact.before.slide, contact.after.slide
                found.append(Stand(max(first, 0), min(last, end), *slides, contact.stands_at, normal))
        return found

    def contact_rows(self, leg: int) -> list[tuple[int, int]]:
        """Return the first and last row of `frames` of each contact of a leg."""
        return [(stand.first, stand.last) for stand in self.stands(leg)]

    def summary(self) -> list[str]:
        """Return how the poses were read, and a line for each leg that gets its keys by a method of its own."""
        read = f"{counted(len(self.frames), 'frame')} {self.reading.summary}"
        keyed = [f"{method.name} leg: {keys}" for method in self.methods if (keys := method.summary())]
        return [read, *keyed, *self.given.notes]


def keyed_range(context, ob, original: Played | None) -> tuple[int, int]:
    """Return the first and last frame with keys or with strips; for these a copy has keys on more than ``original``."""
    action, slot = original if original is not None and nla.blends(ob) else playing(ob)
    whole = nla.span(ob, actions.keyed_range(action, slot))
    if whole is None:
        raise Refused(f"{action.name} has no keys: choose another action")
    return whole


def settings_range(context, ob, settings: dict, whole: tuple[int, int], written: set[str]) -> tuple[int, int]:
    """Return the first and last frame to plant; keys are in the frames ``whole``, and get new ones in ``written``."""
    action, slot = compat.assigned(ob.animation_data)
    first, last = whole if nla.plays(ob) else actions.frame_range(action, whole)
    if settings["frames"] == "SCENE":
        first, last = scene_range(context.scene, preview=True)
    elif settings["frames"] == "KEYS":
        first, last = _selected_range(action, slot, written)
    if last <= first:
        frames = counted(max(0, last - first + 1), "frame")
        raise Refused(f"The range has {frames}: planting needs at least 2; set Range to Action")
    return first, last


def _ground_velocity(settings: dict) -> tuple[float, ...] | str | None:
    """Return the velocity of the ground as planting takes it."""
    if settings["ground_motion"] != "GIVEN":
        return {"OFF": None, "AUTO": "auto"}[settings["ground_motion"]]
    velocity = tuple(float(part) for part in settings["ground_velocity"])
    if not np.isfinite(velocity).all():
        raise Refused(f"The velocity of the ground is {velocity}: enter three finite numbers")
    if abs(velocity[2]) > 1e-6 * np.linalg.norm(velocity):
        raise Refused(f"The ground cannot move up or down: set Z of its velocity, {velocity[2]:.4g}, to 0")
    return velocity


def _selected_range(action, slot, names: set[str]) -> tuple[int, int]:
    frames = actions.selected_range(action, slot, tuple(actions.bone_path(name, "") for name in names))
    if frames is None:
        raise Refused("No key of a leg bone is selected: select some, or set Range to Action")
    return frames


class Rig(NamedTuple):
    """Which bones are planted, by which methods, on which frames."""

    bones: detached_feet.Bones
    armature: object  # the bones that are read
    linked: detached_feet.Bones  # these
    carrier: str  # the bone that carries the body
    methods: list[LegMethod]
    legs: list  # of the bones that are read
    written: set[str]
    whole: tuple[int, int]  # first and last frame with keys
    planted: tuple[int, int]
    frames: np.ndarray  # all that are read


class Motion(NamedTuple):
    """How the bones move, in world space, and what they stand on."""

    poses: Poses
    reading: Reading
    skeleton: object
    local: np.ndarray  # (F, J, 4, 4)
    ground: object
    lying: list[str]  # sentences, where the body stands along another axis than Z
    fps: float


def plan_steps(
    context,
    ob,
    settings: dict,
    *,
    failed: Collection[tuple[str, str]] = (),
    all_bones: bool = False,
    step: str = "",
    original: Played | None = None,
    contacts_of=None,
    find_contacts_again: bool = False,
) -> Steps:
    """Read the poses that the object plays, plant them and say which channels have to become what.

    ``failed``: methods of legs (name and kind) that were tried and did not bring the foot where it was planned.
    ``all_bones``: the motion of all bones is read, not of those alone that planting needs. ``step``: why the scene has
    to be stepped; empty where that is not known yet. ``original``: what plays is a copy of it. ``contacts_of``: the
    planted action whose contacts count where they were edited; that which plays where None. ``find_contacts_again``:
    whatever was edited, they are found.

    Raises
    ------
    Refused
        If the rig or its motion cannot be planted, with the reason.
    """
    velocity = _ground_velocity(settings)
    package = native.load()
    rig = yield from _rig(context, ob, package, settings, failed, original, all_bones)
    motion = yield from _motion(context, ob, package, settings, rig, step)
    owner = contacts_of or compat.assigned(ob.animation_data)[0]
    spans = (int(rig.frames[0]), int(rig.frames[-1])), rig.planted
    known = given(context, package, ob, owner, spans, settings["contacts"], find_again=find_contacts_again)
    if settings["travel"] != "KEEP" and any(contact.place for contact in known.by_hand or ()):
        raise Refused("Travel can only be kept: a contact is pinned to a place in the world: clear Pinned")
    planted = yield from _planted(context, package, settings, rig, motion, known.contacts, velocity)
    handlers = curve_poses.handlers()
    if handlers and settings["read"] == "AUTO" and not motion.reading.stepped:
        ends = {frame for contact in planted.report.contacts for frame in (contact.first_frame, contact.last_frame)}
        some = runs(len(rig.frames), ends)
        if not (yield from curve_poses.as_evaluated(context, ob, rig.armature, motion.poses, some)):
            step = f"frame handlers of {handlers} move the bones"
            again = {"failed": failed, "all_bones": all_bones, "step": step, "original": original}
            again |= {"contacts_of": contacts_of, "find_contacts_again": find_contacts_again}
            return (yield from plan_steps(context, ob, settings, **again))
        summary = f"{motion.reading.summary}; frame handlers of {handlers} do not move the bones, as a check showed"
        motion = motion._replace(reading=motion.reading._replace(summary=summary))
    touched = touch_ups.read(owner) if owner is not None else touch_ups.NONE
    planted = touch_ups.applied(package, ob, touched, rig, motion, planted)
    edits = foot_edits.based(foot_edits.read(owner) if owner is not None else [], touched)
    planted, unused = foot_edits.applied(package, ob, edits, touched, rig, motion, planted)
    messages = [*known.messages, *(remark_of(package, one) for one in unused)]
    notes = [*known.notes, *([f"Touch-ups by hand are kept: {touched}"] if len(touched.frames) else ())]
    known = known._replace(messages=messages, notes=notes, edits=edits, touch_ups=touched)
    yield
    return (yield from _plan(context, package, ob, settings, rig, motion, planted, known))


def _rig(context, ob, package, settings: dict, failed, original: Played | None, all_bones: bool) -> Steps:
    armature, bones = detached_feet.read(package, ob)
    legs = leg_data.load(ob, bones)
    checks.check_object(context, ob)
    whole = keyed_range(context, ob, original)
    chooser = Chooser(context, ob, package, bones, legs)
    methods = chooser.methods(whole, failed)
    carrier = bones.names[chooser.carrier]
    written = {carrier, *(name for method in methods for name in method.written)}
    first, last = settings_range(context, ob, settings, whole, written)
    if settings["travel"] != "KEEP":
        written.add(_root(ob, settings, methods, whole, (first, last)))
    checks.check_written(ob, written)
    frames = np.arange(min(whole[0], first), max(whole[1], last) + 1)
    yield
    armature = _needed_part(package, armature, methods, all_bones)
    place = {bones.names.index(name): row for row, name in enumerate(armature.names)}
    legs = [moved_leg(method.leg, place) for method in methods]
    linked = detached_feet.part_of(bones, armature)
    return Rig(bones, armature, linked, carrier, methods, legs, written, whole, (first, last), frames)


def _root(ob, settings: dict, methods: list[LegMethod], whole: tuple[int, int], planted: tuple[int, int]) -> str:
    """Return the bone that travels with all others, or say why travel can only be kept."""
    roots = [bone.name for bone in ob.data.bones if bone.parent is None]
    why = ""
    if len(roots) > 1:
        why = f"{ob.name} has {len(roots)} bones without a parent, {', '.join(roots[:3])}: parent them to one"
    elif any(method.kind == GOAL for method in methods):
        why = "feet follow objects that the root bone does not carry: set Travel to Keep"
    elif planted != whole:
        why = f"it changes all frames with keys, {whole[0]}–{whole[1]}: plant these"
    elif settings["ground"] == "OBJECTS":
        why = "other ground would be below the feet: set Ground to Estimated or Height"
    if why:
        raise Refused(f"Travel can only be kept: {why}")
    return roots[0]


def _motion(context, ob, package, settings: dict, rig: Rig, step: str) -> Steps:
    step = step or ("as chosen" if settings["read"] == "STEP" else "")
    asked = rig.armature, rig.frames, tuple(sorted(rig.written)), rig.planted[0]
    objects = [method.goals[0] for method in rig.methods if method.kind == GOAL]
    base, num_goals = scene_ground.base_of(context, ob, settings), len(objects)
    if base is not None:
        step, objects = step or base.why_stepped, [*objects, *base.moving]
    poses, reading = yield from read_poses(context, package, ob, asked, objects, step, settings["read"] == "CURVES")
    _check_poses(rig, poses)
    _check_loose_feet(package, rig, poses)
    yield
    skeleton, local = _world_skeleton(package, rig.linked, poses)
    local = _released(package, rig.armature, skeleton, local, poses, rig.methods)
    ground = settings["ground_height"] if settings["ground"] == "HEIGHT" else None
    if base is not None:
        ground = yield from scene_ground.ground_steps(context, package, base, poses.objects[num_goals:], rig.frames)
        poses = poses._replace(objects=poses.objects[:num_goals])
    fps = plant_settings.frame_rate(context, package, settings)
    lying = advice.about_up(package, poses, skeleton, rig.legs, fps)
    return Motion(poses, reading, skeleton, local, ground, lying, fps)


def _check_poses(rig: Rig, poses: Poses) -> None:
    bad = np.flatnonzero(~np.isfinite(poses.pose).all(axis=(1, 2, 3)))
    if bad.size:
        raise Refused(f"The pose in frame {rig.frames[bad[0]]} has values that are not finite: repair its keys first")
    flat = np.argwhere(np.linalg.det(poses.pose[..., :3, :3]) == 0.0)
    if flat.size:
        name, frame = rig.armature.names[flat[0][1]], rig.frames[flat[0][0]]
        raise Refused(f"{name} is scaled to nothing in frame {frame}: key a scale other than 0")


def _check_loose_feet(package, rig: Rig, poses: Poses) -> None:
    for method, leg in zip(rig.methods, rig.legs, strict=True):
        knee, foot = (rig.armature.names[joint] for joint in leg.chain[1:])
        if foot in rig.linked.loose:
            near = package.legs.detached_feet.distance_at_the_end(poses.pose, *leg.chain)
            if near is None:
                raise Refused(
                    f"{method.name} leg: {foot} does not stay at the end of {knee}, which does not carry it: let an IK "
                    f"constraint of {knee} aim at {foot}, or choose other bones in the panel Legs"
                )


def _planted(context, package, settings: dict, rig: Rig, motion: Motion, contacts, velocity) -> Steps:
    start, units = int(rig.frames[0]), context.scene.unit_settings
    plant = partial(
        package.planting.plant_locals,
        motion.skeleton,
        motion.local,
        fps=motion.fps,
        legs=rig.legs,
        ground=motion.ground,
        contacts=contacts,
        reach=settings["reach"].lower(),
        frames=tuple(frame - start for frame in rig.planted),
        up=(0.0, 0.0, 1.0),
        metres_per_unit=units.scale_length if units.system != "NONE" else None,
        pelvis=rig.armature.names.index(rig.carrier),
        ground_velocity=velocity,
        travel=settings["travel"].lower(),
    )
    try:
        return (yield InThread(plant))
    except ValueError as error:
        if error.args[0].startswith("travel="):
            raise Refused(f"Travel can only be kept: {advice.NO_TRAVEL[settings['travel']]}") from error
        raise Refused(in_scene(package, error.args[0], start)) from error


def _plan(context, package, ob, settings: dict, rig: Rig, motion: Motion, planted, known: Given) -> Steps:
    """Return the plan for what was planted."""
    armature, methods, start = rig.armature, rig.methods, int(rig.frames[0])
    part = slice(rig.planted[0] - start, rig.planted[1] - start + 1)
    forward = partial(package.forward_kinematics, motion.skeleton)
    before = (yield InThread(partial(forward, motion.local)))[part]
    world = (yield InThread(partial(forward, planted.local)))[part]
    poses = motion.poses.cut(part)
    world = _with_carried(armature, before, world, methods)
    pose = package.invert(poses.world)[:, None] @ world
    changed = {armature.names[joint] for joint in planted.changed} & rig.written
    found = (yield from _channels(package, ob, armature, poses, pose, changed, methods)) if planted.changed else []
    each = list(zip(methods, rig.legs, strict=True))
    feet = {method.ankle: standing(package, rig.linked, leg).ankle for method, leg in each}
    report, length = planted.report, planted.report.leg_length
    leg_centimetres = report.centimetres(length)
    messages = [in_scene(package, text, start, leg_centimetres) for text in report.messages]
    minded = [in_scene(package, text, start, leg_centimetres) for text in report.minded("blender")]
    if settings["rate"] != "BVH":
        hips, ankles = (before[:, [getattr(leg, joint) for leg in rig.legs]] for joint in ("hip", "ankle"))
        spans = [[(c.first_frame, c.last_frame) for c in report.contacts if c.leg == k] for k in range(len(methods))]
        if is_in_slow_motion(hips[..., :3, 3], ankles[..., :3, 3], spans, length, motion.fps):
            minded.insert(0, IN_SLOW_MOTION)
    posed = None
    if settings["keys"] == "SPARSE" or (settings["keys"] == "AUTO" and all(method.kind in LED for method in methods)):
        hips = [rig.bones.names[method.leg.hip] for method in methods]
        basis = armature.local_from_pose(pose)
        posed = Posed(settings["tolerance"] / 1000.0, rig.carrier, hips, world, basis, poses.scale)
    frames = *rig.whole, *scene_range(context.scene)
    normals = _normals(motion.ground if settings["ground"] == "OBJECTS" else None, report.contacts, length)
    shown = {name: _from_foot(rig.bones, armature.names[foot], name) for name, foot in feet.items()}
    return Plan(
        frames=rig.frames[part],
        start=start,
        around=Around(rig.whole, (min(frames), max(frames))),
        channels=found,
        report=report,
        ankles={name: world[:, foot] @ shown[name] for name, foot in feet.items()},
        ends=[_end(rig.linked, before, leg) for method, leg in each if method.ankle in rig.linked.detached],
        leg_length=length,
        uneven=checks.uneven_scale(ob, armature.names, poses.scale),
        reading=motion.reading,
        messages=known.messages + motion.lying + messages,
        minded=minded,
        armature=armature,
        methods=methods,
        targets=targets_of(armature, poses, world, pose, methods),
        goals=_goals(package, armature, poses, before, world, methods) if planted.changed else [],
        feet_before={name: before[:, foot, :3, 3] for name, foot in feet.items()},
        posed=posed,
        given=known,
        motion=(motion.skeleton, motion.local, planted.local, motion.fps),
        normals=normals,
    )


def _normals(ground, contacts, leg_length: float) -> np.ndarray:
    """Return the normal (K, 3) of the ground below each contact in its middle; level where there are no meshes."""
    found = np.tile([0.0, 0.0, 1.0], (len(contacts), 1))
    if ground is None or not len(found):
        return found
    above = np.array([contact.stands_at for contact in contacts])
    above[:, 2] += 0.5 * leg_length
    rows = np.array([(contact.first_frame + contact.last_frame) // 2 for contact in contacts])
    _, normals, hit, _ = ground.cast(above, np.array([[0.0, 0.0, -1.0]]), rows)
    sides = normals[hit]
    lengths = np.linalg.norm(sides, axis=1, keepdims=True)
    found[hit] = np.where(lengths > 0, sides / np.maximum(lengths, 1e-30), found[hit])
    return found


def read_poses(context, package, ob, asked: tuple, objects: list, step: str, curves_only: bool) -> Steps:
    """Return the poses and the `Reading`: from the F-curves where these say it all, else by stepping the scene.

    ``asked``: armature, frames, watched bones and the frame to watch them on. ``objects``: objects that are read too.
    """
    armature = asked[0]
    reason = step or curve_poses.obstacle(context, ob, set(armature.names))  # there is one where there are objects
    if not reason:
        context.view_layer.update()
        try:
            poses = yield from curve_poses.curve_steps(package, ob, *asked)
        except ValueError as error:
            reason = str(error)
        else:
            if curves_only or (yield from curve_poses.as_evaluated(context, ob, armature, poses)):
                return poses, Reading("read from F-curves", "")
            handlers = curve_poses.handlers()
            reason = "a pose that differs from its curves" + (f", frame handlers of {handlers}" if handlers else "")
    if curves_only:
        raise Refused(f"Curves do not show how {ob.name} moves ({reason}): set Read to Automatic")
    poses = yield from read_steps(context, ob, *asked, objects)
    return poses, Reading(f"read by stepping the scene ({reason})", reason)


def _needed_part(package, bones, methods: list[LegMethod], all_bones: bool):
    """Return the armature of the bones whose poses are read."""
    if all_bones:
        return package.blender.sub_armature(bones, bones.names)
    names = {bones.names[joint] for joint in needed_joints(bones, [method.leg for method in methods])}
    for method in methods:
        names |= {*method.written, *(copied for _, copied in method.pairs), *(other for _, other in method.carried)}
    return package.blender.sub_armature(bones, names)


def _world_skeleton(package, armature, poses: Poses):
    """Return skeleton and local matrices with the object's own transform folded into the roots: all in world space."""
    rest = poses.world[0] @ armature.rest.astype(np.float64)
    skeleton = package.Skeleton.from_global(armature.parents, rest, armature.names)
    return skeleton, package.local_from_global(skeleton, poses.world[:, None] @ poses.pose)


def _released(package, armature, skeleton, local, poses: Poses, methods: list[LegMethod]) -> np.ndarray:
    """Return local matrices in which released legs move as before, and their copies with them."""
    place = armature.names.index
    for method in methods:
        if method.kind == RELEASED:
            pairs = [(place(keyed), place(other)) for keyed, other in method.pairs]
            chain = [place(name) for name in method.chain]
            channels = poses.location, poses.scale
            local = released_poses.released(package, armature, skeleton, local, pairs, chain, *channels)
    return local


def _from_foot(bones, foot: str, shown: str) -> np.ndarray:
    """Return where a bone that copies the foot is, as seen from the foot."""
    rest = [bones.rest[bones.names.index(name)].astype(np.float64) for name in (foot, shown)]
    return np.linalg.inv(rest[0]) @ rest[1]


def _end(bones: detached_feet.Bones, world: np.ndarray, leg) -> End:
    foot, shin = leg.ankle, int(bones.parents[leg.ankle])
    rest = bones.rest.astype(np.float64)
    point = (np.linalg.inv(rest[shin]) @ rest[foot])[:, 3]
    gaps = np.linalg.norm((world[:, shin] @ point - world[:, foot, :, 3])[:, :3], axis=1)
    return End(bones.names[shin], bones.names[foot], point, gaps)


def _with_carried(armature, before: np.ndarray, world: np.ndarray, methods: list[LegMethod]) -> np.ndarray:
    """Return world matrices in which each bone that others follow goes as far as the planted one that follows it."""
    place = armature.names.index
    for leading, following in (pair for method in methods for pair in method.carried):
        leader, follower = place(leading), place(following)
        world[:, leader] = world[:, follower] @ np.linalg.inv(before[:, follower]) @ before[:, leader]
    return world


def _goals(package, armature, poses: Poses, before, world, methods: list[LegMethod]) -> list[Goal]:
    """Return the objects that feet follow; each goes as far as its foot from ``before`` to ``world``."""
    feet = [armature.names.index(method.ankle) for method in methods if method.kind == GOAL]
    motions = [world[:, foot] @ np.linalg.inv(before[:, foot]) for foot in feet]
    return [goal_for(package, track, motion) for track, motion in zip(poses.objects, motions, strict=True)]


def _channels(package, ob, armature, poses: Poses, pose, changed: set[str], methods: list[LegMethod]) -> Steps:
    """Return the channels (`Channel`) that bones need to be where they are planned."""
    found: list[Channel] = []
    bases = []
    for each in (poses.pose, pose):
        bases.append((yield InThread(partial(armature.local_from_pose, each))))
    released = {name for method in methods if method.kind == RELEASED for name in method.written}
    carried = {leading for method in methods for leading, _ in method.carried}
    by_parents = {name for method in methods if method.kind in (RELEASED, COPIED) for name in method.written}
    for joint, name in enumerate(armature.names):
        if name not in changed | released | carried:
            continue
        old, new = (basis[:, joint] for basis in bases)
        size = np.abs(old[:, :3, :3]).max()
        if name in released or np.abs(new[:, :3, :3] - old[:, :3, :3]).max() > _SAME * size:
            found.append(
                rotation_channel(package, ob.pose.bones[name], new, poses.scale[:, joint], poses.first_rotation[name])
            )
        reach = max(float(np.abs(poses.pose[:, joint, :3, 3]).max()), 1e-30)
        if name not in by_parents and np.abs(new[:, :3, 3] - old[:, :3, 3]).max() > _SAME * reach:
            found.append(Channel(name, "location", new[:, :3, 3]))
        yield
    held = dict.fromkeys(hold for method in methods for hold in method.holds)
    return found + [Channel(hold.bone, hold.channel, np.full((len(pose), 1), hold.value)) for hold in held]
