# SPDX-License-Identifier: GPL-3.0-or-later
"""What prevents planting, in one sentence each."""

from __future__ import annotations

from collections.abc import Iterator

import bpy
import numpy as np

from ..core.renames import bone_channel
from ..core.state import Refused
from ..properties import FORMAT
from . import compat
from .original import nla

_TURNS_CHAIN = ("IK", "SPLINE_IK")
#: scales of the axes that differ by more than this part of the largest are uneven
_UNEVEN = 1e-4


def armature_of(context):
    """Return the armature that is meant: the active object, or the one that deforms it; None where there is none."""
    ob = context.object
    if ob is None or ob.type == "ARMATURE":
        return ob
    return ob.find_armature()


def armature_problem(context) -> str:
    """Why nothing can be done with the armature that is meant, empty if something can. Cheap enough for ``poll``."""
    ob = armature_of(context)
    return "Select an armature" if ob is None else object_problem(ob)


def with_parents(ob) -> Iterator:
    """Yield an object, what it is a child of, and so on."""
    while ob is not None:
        yield ob
        ob = ob.parent


def render_problem() -> str:
    """Why nothing can be done with anything while a render reads the scene; empty where none does."""
    return "A render is running: wait for its end, or cancel it" if bpy.app.is_job_running("RENDER") else ""


def is_newer(action) -> bool:
    """Whether an action was planted by a newer add-on, in a way that this version does not know."""
    return action.skelkin.format > FORMAT


def _newer_problem(ob) -> str:
    data = ob.animation_data
    known = (data and data.action, ob.skelkin_planted, *(item.action for item in ob.skelkin_held))
    newer = next((action for action in known if action is not None and is_newer(action)), None)
    return f"{newer.name} was planted by a newer version of Skelkin: update the add-on first" if newer else ""


def link_problem(ob) -> str:
    """Why an object that another file owns cannot be changed; empty if it can, or is this file's."""
    if ob.library is not None:
        return f"{ob.name} is linked: make a library override of it first"
    if compat.is_system_override(ob):
        return f"{ob.name} is an override that is not editable: make it editable first"
    return ""


def object_problem(ob) -> str:
    """Why nothing can be done with an armature, empty if something can."""
    problem = render_problem() or _newer_problem(ob) or link_problem(ob)
    if problem:
        return problem
    if ob.mode == "EDIT":
        return "Leave Edit Mode first"
    if ob.data.pose_position == "REST":
        return "The armature is in Rest Position: switch to Pose Position"
    data = ob.animation_data
    if data is not None and data.use_tweak_mode:
        return "Leave NLA tweak mode first"
    return ""


def action_problem(ob) -> str:
    """Why the object's animation cannot be planted, empty if it can. Cheap enough for ``poll``."""
    data = ob.animation_data
    if data is None or (data.action is None and not nla.plays(ob)):
        return f"{ob.name} has no action: give it one, or bake what moves it (Pose > Animation > Bake Action)"
    if solo := nla.solo_track(ob):
        return f"The NLA track {solo} of {ob.name} plays alone, without the action: switch its star (solo) off first"
    action, slot = compat.assigned(data)
    if compat.slot_is_missing(action, slot):
        return f"{ob.name} plays no slot of {action.name}: choose a slot first"
    return ""


def is_evaluated(context, ob) -> bool:
    """Whether Blender evaluates an object: it does if an eye hides it, and does not if it is disabled."""
    if ob.hide_viewport:
        return False
    holders, left = ob.users_collection, [context.view_layer.layer_collection]
    while left:
        layer = left.pop()
        if layer.collection.hide_viewport:
            continue
        if not layer.exclude and layer.collection in holders:
            return True
        left += layer.children
    return False


def check_object(context, ob) -> None:
    """Refuse an object that Blender does not evaluate.

    Raises
    ------
    Refused
        With what to enable.
    """
    if not is_evaluated(context, ob):
        raise Refused(
            f"{ob.name} or its collection is disabled in viewports, so that Blender does not move it: enable it"
        )


def uneven_scale(ob, bones=(), scales=()) -> str:
    """Say what is scaled unevenly and the cure: the object, one above it, or a bone; empty where nothing is.

    ``scales`` (F, B, 3) are the scale channels of ``bones``.
    """
    found = [(link.name, link.scale) for link in with_parents(ob)]
    found += [(name, scales[:, row]) for row, name in enumerate(bones)]
    for name, scale in found:
        sizes = np.abs(scale)
        if (np.ptp(sizes, axis=-1) > _UNEVEN * sizes.max(axis=-1)).any():
            return f"{name} is scaled unevenly, so that bones that turn are sheared: give it one scale on all axes"
    return ""


def check_order(first: int, last: int) -> None:
    """Refuse a contact or a range that ends before it begins."""
    if first > last:
        raise Refused(f"First ({first}) is after Last ({last}): enter an earlier First")


def check_written(ob, names: set[str]) -> None:
    """Refuse bones whose keys would be written in a rotation mode that changes during the action.

    Raises
    ------
    Refused
        With the bone.
    """
    for curve in (*compat.fcurves(*compat.assigned(ob.animation_data)), *nla.curves(ob)):
        bone, channel = bone_channel(curve.data_path)
        if bone in names and channel == "rotation_mode":
            raise Refused(f"{bone} has an animated rotation mode: remove its keys")


def bones_turned(bone, constraint) -> set[str]:
    """Names of the bones that a constraint moves by itself (children only follow)."""
    hit = {bone.name}
    if constraint.type in _TURNS_CHAIN:
        left = constraint.chain_count or 10**6
        link = bone
        if constraint.type == "IK" and not constraint.use_tail:
            link = bone.parent
        while link is not None and left:
            hit.add(link.name)
            link = link.parent
            left -= 1
    return hit


def acts(constraint, animated: set[str]) -> bool:
    """Whether a constraint does or may do something: on, or its influence or muting is ``animated`` or driven."""
    if not constraint.mute and constraint.influence > 0 and constraint.is_valid:
        return True
    path = constraint.path_from_id()
    return any(f"{path}.{name}" in animated for name in ("influence", "mute", "enabled"))


def is_motion(channel: str) -> bool:
    """Whether a bone's property is one of its transforms."""
    return channel.startswith(("location", "rotation", "scale"))
