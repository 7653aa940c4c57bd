# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects with keys of their own that lead feet: which may get keys, and which keys these are."""

from __future__ import annotations

from itertools import takewhile
from typing import Any, NamedTuple

import numpy as np

from .. import checks, compat
from ..original import nla
from ..poses import Track
from .rig_map import RigMap
from .written_channels import Channel, rotation_channel


class Goal(NamedTuple):
    """An object, and the channels that it gets in a copy of its own action; where these place it, over F frames."""

    obj: Any
    channels: list[Channel]
    world: np.ndarray  # (F, 4, 4)
    basis: np.ndarray  # (F, 4, 4)
    scale: np.ndarray  # (F, 3) its scale channels


def candidates(rig: RigMap, names: list[str], *, with_keys: bool = True) -> list[Any]:
    """Return the objects that may lead a foot, the topmost first: those that constraints of these bones look at.

    Nothing but keys and parents moves them, and they have an action if ``with_keys``.
    """
    fits = _has_own_keys if with_keys else lambda obj: not why_fixed(obj)
    turning = [turning for name in names for turning in rig.turning.get(name, ())]
    found: list[Any] = []
    for obj in (obj for _, constraint in turning for obj in rig.objects_targeted(constraint)):
        chain = list(takewhile(lambda link: link != rig.ob, checks.with_parents(obj)))
        found += [each for each in reversed(chain) if each not in found and fits(each)]
    return found


def _has_own_keys(obj) -> bool:
    data = obj.animation_data
    if data is None or data.action is None or compat.slot_is_missing(*compat.assigned(data)):
        return False
    return not (data.action.skelkin.is_planted or why_fixed(obj))


def why_fixed(obj) -> str:
    """Say why keys would not put an object just anywhere, and the cure; empty where they would."""
    if problem := checks.link_problem(obj):
        return problem
    data = obj.animation_data
    if data is not None and nla.blends(obj):
        return f"{obj.name} plays NLA strips: mute their tracks"
    curves = compat.fcurves(*compat.assigned(data)) if data is not None and data.action is not None else ()
    drivers = data.drivers if data is not None else ()
    if any(checks.is_motion(curve.data_path) and not curve.mute for curve in drivers):
        return f"{obj.name} has a driver on its transforms: remove or mute it"
    if any(curve.data_path == "rotation_mode" for curve in curves):
        return f"{obj.name} has an animated rotation mode: remove its keys"
    animated = {curve.data_path for curve in (*curves, *drivers)}
    if held := next((each for each in obj.constraints if checks.acts(each, animated)), None):
        return f"{obj.name} is moved by its constraint {held.name}: mute it or set its influence to 0"
    if any(obj.delta_location) or tuple(obj.delta_scale) != (1, 1, 1) or not _turns_nothing(obj):
        return f"{obj.name} has delta transforms: clear them"
    return ""


def _turns_nothing(obj) -> bool:
    return not any(obj.delta_rotation_euler) and tuple(obj.delta_rotation_quaternion) == (1, 0, 0, 0)


def goal_for(package, track: Track, motion: np.ndarray) -> Goal:
    """Return an object's channels for motions (F, 4, 4) that it is to make in world space on top of its own."""
    wanted = motion @ track.world
    basis = track.basis @ np.linalg.inv(track.world) @ wanted
    turned = rotation_channel(package, track.obj, basis, track.scale, track.first_rotation)
    moved = Channel("", "location", basis[:, :3, 3])
    return Goal(track.obj, [moved, turned._replace(bone="")], wanted, basis, track.scale)
