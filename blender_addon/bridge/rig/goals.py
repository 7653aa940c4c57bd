# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects with keys of their own that lead feet: which may get keys, and which keys these are."""

from __future__ import annotations

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


def candidates(rig: RigMap, names: list[str]) -> list[Any]:
    """Return the objects that may lead a foot, the topmost first: those that constraints of these bones look at.

    They have an action, and nothing but its keys and their parents moves them.
    """
    turning = [turning for name in names for turning in rig.turning.get(name, ())]
    found: list[Any] = []
    for obj in (obj for _, constraint in turning for obj in rig.objects_targeted(constraint)):
        link, chain = obj, []
        while link is not None and link != rig.ob:
            chain.append(link)
            link = link.parent
        found += [each for each in reversed(chain) if each not in found and _has_own_keys(each)]
    return found


def _has_own_keys(obj) -> bool:
    data = obj.animation_data
    if obj.library is not None or compat.is_system_override(obj) or data is None or data.action is None:
        return False
    if compat.slot_is_missing(*compat.assigned(data)) or data.action.skelkin.is_planted or nla.blends(obj):
        return False
    curves = compat.fcurves(*compat.assigned(data))
    driven = any(checks.is_motion(curve.data_path) and not curve.mute for curve in data.drivers)
    has_mode_keys = any(curve.data_path == "rotation_mode" for curve in curves)
    animated = {curve.data_path for curve in (*curves, *data.drivers)}
    held = any(checks.acts(constraint, animated) for constraint in obj.constraints)
    plain = not any(obj.delta_location) and tuple(obj.delta_scale) == (1, 1, 1) and _turns_nothing(obj)
    return plain and not (driven or has_mode_keys or held)


def _turns_nothing(obj) -> bool:
    return not any(obj.delta_rotation_euler) and tuple(obj.delta_rotation_quaternion) == (1, 0, 0, 0)


def goal_for(package, track: Track, motion: np.ndarray) -> Goal:
    """Return an object's channels for motions (F, 4, 4) that it is to make in world space on top of its own."""
    wanted = motion @ track.world
    basis = track.basis @ np.linalg.inv(track.world) @ wanted
    turned = rotation_channel(package, track.obj, basis, track.scale, track.first_rotation)
    moved = Channel("", "location", basis[:, :3, 3])
    return Goal(track.obj, [moved, turned._replace(bone="")], wanted, basis, track.scale)
