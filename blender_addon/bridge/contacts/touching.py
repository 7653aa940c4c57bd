# SPDX-License-Identifier: GPL-3.0-or-later
"""What was touched up by hand since planting: the pose that plays beside the one that planting wrote."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import numpy as np

from ...core.keys import linear_keys
from ...core.packing import unpacked
from ...core.steps import Steps
from .. import actions, compat, leg_data, native, writing
from ..original import marks
from ..planting import read_poses
from ..playback import is_on, playing
from ..reading import goals_of
from ..rig import detached_feet
from ..rig.leg_joints import needed_joints, standing
from ..rig.leg_methods import Chooser
from . import stored, touch_ups
from .touch_ups import PELVIS, TouchUps

#: values of curves that differ by less are the same
_SAME = 1e-6


def found(context, ob) -> Steps:
    """Return the touch-ups of the planted action that plays, new ones too, and whether these are all that was edited.

    Only keys that planting wrote count: what else moves the legs is part of both poses.
    """
    package, kept = native.load(), touch_ups.read(playing(ob).action)
    objects = [obj for obj in (ob, *goals_of(ob)) if is_on(obj)]
    if not any(marks.is_edited(playing(obj)) for obj in objects):
        return kept, False
    frames, is_all = _changed(objects)
    if not len(frames):
        return kept, False
    armature, bones = detached_feet.read(package, ob)
    chooser = Chooser(context, ob, package, bones, leg_data.load(ob, bones))
    part = package.blender.sub_armature(armature, {bones.names[joint] for joint in needed_joints(bones, chooser.shown)})
    place, asked = part.names.index, (part, frames, (), int(frames[0]))
    chains = [[place(bones.names[j]) for j in standing(package, bones, leg).chain] for leg in chooser.shown]
    after, _ = yield from read_poses(context, package, ob, asked, [], "", False)
    with _as_written(context, objects):
        before, _ = yield from read_poses(context, package, ob, asked, [], "", False)
    poses = part.rest.astype(np.float64), before.pose, after.pose
    changes = package.planting.editing.touch_ups.changes(*poses, place(bones.names[chooser.carrier]), chains)
    feet = [PELVIS, *(foot.name for foot in stored.feet_of(ob))]
    return kept.with_more(package, TouchUps(feet, frames, changes)), is_all and bool(changes.any())


def _written(mark) -> Iterator[tuple]:
    """Yield each planted channel, its frames and the values (F, size) that planting wrote."""
    for item in mark.channels:
        values = unpacked(item.written, item.size)
        yield item, mark.first_frame + np.arange(len(values)), values


def _changed(objects: list) -> tuple[np.ndarray, bool]:
    """Return the frames in which planted channels have other values than were written, and whether all keys are there.

    There are none where a curve is gone, or nothing is known of what was written.
    """
    changed, is_all = [np.empty(0, int)], True
    for obj in objects:
        played = playing(obj)
        curves = actions.curves_by_channel(*played)
        for item, frames, values in _written(played.action.skelkin):
            now = marks.values_of(curves, item, frames)
            if now is None or not len(frames):
                return np.empty(0, int), False
            changed.append(frames[(np.abs(now - values) > _SAME * np.maximum(np.abs(values), 1.0)).any(axis=1)])
            ranges = [curves[actions.bone_path(item.bone, item.channel), k].range() for k in range(item.size)]
            is_all &= all(low >= frames[0] and high <= frames[-1] for low, high in ranges)
    return np.unique(np.concatenate(changed)), is_all


@contextmanager
def _as_written(context, objects: list) -> Iterator[None]:
    """Play the planted channels as they were written for a while, and all others as they are."""
    with ExitStack() as undo:
        undo.callback(context.view_layer.update)
        for obj in objects:
            played = playing(obj)
            copy = writing.full_copy(*played, f"{played.action.name} written")
            undo.callback(writing.remove, copy.action)
            curves = actions.curves_by_channel(*copy)
            for item, frames, values in _written(played.action.skelkin):
                for index, column in enumerate(values.T):
                    curve = curves[actions.bone_path(item.bone, item.channel), index]
                    for modifier in list(curve.modifiers):
                        curve.modifiers.remove(modifier)
                    actions.write_keys(curve, linear_keys(frames, column))
            undo.callback(compat.assign, obj.animation_data, *played)
            compat.assign(obj.animation_data, *copy)
        context.view_layer.update()
        yield
