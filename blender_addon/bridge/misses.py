# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether feet are where they were planned, once the keys are written, and what was touched up by hand since."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..core.steps import Steps
from . import curve_poses, leg_data, native
from .changes import as_written
from .contacts import stored, touch_ups
from .contacts.touch_ups import PELVIS, TouchUps
from .original import marks
from .planting import Plan, read_poses
from .playback import is_on, playing
from .poses import stepping
from .read_state import goals_of
from .rig import controls, detached_feet
from .rig.leg_joints import needed_joints, standing
from .rig.leg_methods import Chooser

#: frames that Blender evaluates too, where the F-curves alone move the legs
_SAMPLES = 5
#: feet found this far from where they were planned, in leg lengths, mean that the legs do not follow their keys
FOLLOWS = 1e-3
#: a control is at a limit that moves it by more than this, in leg lengths
_AT_LIMIT = 1e-4


class Misses(NamedTuple):
    """How far head or tail of each foot is from where it was planned at the worst, in leg lengths, and on which frame.

    ``found`` are the matrices (F, 4, 4) of the feet and of the plan's targets in world space, as planned where limits
    held them; ``ankles`` those of the feet on all frames.
    """

    worst: dict[str, tuple[float, int]]
    limited: dict[str, tuple[float, int]]  # the same where limits of its control keep a foot from its place
    found: dict[str, np.ndarray]
    ankles: dict[str, np.ndarray]

    def summary(self, centimetres: float) -> str:
        """Return the worst of all in words; the leg is so many centimetres long."""
        error, frame = max(self.worst.values())
        off = f"{max(100 * error, 0.001):.2g} % of the leg ({error * centimetres:.2g} cm)"
        return f"All frames checked: feet are within {off} of where they were planned, worst in frame {frame}"

    def beyond(self, bound: float) -> set[str]:
        """Return the feet that are off by more."""
        return {ankle for ankle, (error, _) in self.worst.items() if error > bound}

    def about_limits(self, package, ob, plan: Plan) -> list[str]:
        """Say which feet the limits of their controls keep from where they were planned, and how far."""
        remark, said = package.planting.remark, []
        for method in plan.methods:
            error, frame = self.limited.get(method.ankle, (0.0, 0))
            if error > FOLLOWS:
                bone = ob.pose.bones[method.written[0]]
                names = " and ".join(constraint.name for constraint in controls.limits(bone))
                off = f"up to {plan.report.centimetres(error * plan.leg_length):.2g} cm from its place"
                text = f"{method.name} leg: {names} of {bone.name} keeps the foot {off}, most in frame {remark.FRAME}"
                said.append(remark.Remark(text, frame))
        return said


def measure(context, package, ob, plan: Plan) -> Steps:
    """Look at all frames: by stepping the scene, or where that was not needed before either, from the F-curves.

    The result is `Misses`.
    """
    picks, read = np.arange(len(plan.frames)), {}
    if not plan.stepped:
        read = yield from _from_curves(package, ob, plan)
        yield
        picks = np.unique(np.linspace(0, picks[-1], _SAMPLES).round().astype(int))
    names = [*plan.ankles, *(target.bone for target in plan.targets), *(end.shin for end in plan.ends)]
    context.view_layer.update()  # playing another action takes time, and so does the first frame
    yield
    found = {name: np.empty((len(picks), 4, 4)) for name in names}
    leading = [target for target in plan.targets if target.leads and controls.limits(ob.pose.bones[target.bone])]
    limited = {target.leads: np.zeros(len(picks), bool) for target in leading}
    with stepping(context) as frame_set:
        for row, i in enumerate(picks):
            frame_set(int(plan.frames[i]))
            world = np.array(ob.matrix_world)
            for name, matrices in found.items():
                matrices[row] = world @ np.array(ob.pose.bones[name].matrix)
            for target in leading:
                limited[target.leads][row] = _moved_by_limits(ob, target.bone) > _AT_LIMIT * plan.leg_length
            yield
    feet = {name: found[name] for name in plan.ankles} if plan.stepped else read
    worst, at_limits = {}, {}
    for target in leading:
        foot, rows = target.leads, limited[target.leads]
        if rows.any():
            at_limits[foot] = _worst(
                found[foot][rows], plan.ankles[foot], picks[rows], ob.data.bones[foot].length, plan
            )
            feet[foot] = found[foot].copy()
            found[foot][rows], found[target.bone][rows] = plan.ankles[foot][rows], target.wanted[rows]
    for name, planned in plan.ankles.items():
        tail = ob.data.bones[name].length
        seen = [(found[name], picks), *([(read[name], np.arange(len(planned)))] if name in read else ())]
        worst[name] = max(_worst(matrices, planned, rows, tail, plan) for matrices, rows in seen)
    for end in plan.ends:
        apart = (found[end.shin] @ end.point - plan.ankles[end.foot][picks, :, 3])[:, :3]
        apart[limited.get(end.foot, slice(0))] = 0.0
        more = (np.linalg.norm(apart, axis=1) - end.gaps[picks]) / plan.leg_length
        worst[end.foot] = max(worst[end.foot], (float(more.max()), int(plan.frames[picks[more.argmax()]])))
    return Misses(worst, at_limits, found, feet)


def _moved_by_limits(ob, name: str) -> float:
    """Return how far constraints of a bone's own move it, in the world."""
    bone, above = ob.pose.bones[name], {}
    if bone.parent is not None:
        above = {"parent_matrix": bone.parent.matrix, "parent_matrix_local": bone.bone.parent.matrix_local}
    keyed = bone.bone.convert_local_to_pose(bone.matrix_basis, bone.bone.matrix_local, **above)
    return float((ob.matrix_world @ bone.matrix.translation - ob.matrix_world @ keyed.translation).length)


def _worst(found: np.ndarray, planned: np.ndarray, rows: np.ndarray, tail: float, plan: Plan) -> tuple[float, int]:
    apart = found - planned[rows]
    ends = np.stack([apart[:, :3, 3], apart[:, :3, 3] + tail * apart[:, :3, 1]])
    errors = np.linalg.norm(ends, axis=2).max(axis=0) / plan.leg_length
    worst = int(errors.argmax())
    return float(errors[worst]), int(plan.frames[rows[worst]])


def _from_curves(package, ob, plan: Plan) -> Steps:
    """Return the matrices (F, 4, 4) of the ankles in world space that the F-curves now give."""
    names = plan.armature.names
    poses = yield from curve_poses.curve_steps(package, ob, plan.armature, plan.frames, (), int(plan.frames[0]))
    world = poses.world[:, None] @ poses.pose
    return {name: world[:, names.index(name)] for name in plan.ankles if name in names}


def touch_ups_since(context, ob) -> Steps:
    """Return the touch-ups of the planted action that plays, new ones too, and whether these are all that was edited.

    Only keys that planting wrote count: what else moves the legs is part of both poses. Where these are not
    finite there are no touch-ups.
    """
    package, kept = native.load(), touch_ups.read(playing(ob).action)
    objects = [obj for obj in (ob, *goals_of(ob)) if is_on(obj)]
    if not any(marks.is_edited(playing(obj)) for obj in objects):
        return kept, False
    frames, is_all = marks.changed([playing(obj) for obj in objects])
    if not len(frames):
        return kept, False
    armature, bones = detached_feet.read(package, ob)
    chooser = Chooser(context, ob, package, bones, leg_data.load(ob, bones))
    part = package.blender.sub_armature(armature, {bones.names[joint] for joint in needed_joints(bones, chooser.shown)})
    place, asked = part.names.index, (part, frames, (), int(frames[0]))
    chains = [[place(bones.names[j]) for j in standing(package, bones, leg).chain] for leg in chooser.shown]
    after, _ = yield from read_poses(context, package, ob, asked, [], "", False)
    with as_written(context, objects):
        before, _ = yield from read_poses(context, package, ob, asked, [], "", False)
    readable = np.isfinite(before.pose).all(axis=(1, 2, 3)) & np.isfinite(after.pose).all(axis=(1, 2, 3))
    frames, is_all = frames[readable], is_all and bool(readable.all())
    poses = part.rest.astype(np.float64), before.pose[readable], after.pose[readable]
    changes = package.planting.editing.touch_ups.changes(*poses, place(bones.names[chooser.carrier]), chains)
    feet = [PELVIS, *(foot.name for foot in stored.feet_of(ob))]
    return kept.with_more(package, TouchUps(feet, frames, changes)), is_all and bool(changes.any())
