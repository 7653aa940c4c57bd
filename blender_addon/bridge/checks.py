# SPDX-License-Identifier: GPL-3.0-or-later
"""What stands in the way of planting, said in one sentence each."""

from __future__ import annotations

import re

from . import compat

_BONE_CHANNEL = re.compile(r'^pose\.bones\["((?:[^"\\]|\\.)*)"\]\.(.+)$')
_TURNS_CHAIN = ("IK", "SPLINE_IK")


class Refused(RuntimeError):  # noqa: N818
    """The scene is in a state that cannot be planted; the text names what and where."""


def armature_of(context):
    """Return the armature that is meant: the active object, or the one that deforms it; None where there is none."""
    ob = context.object
    if ob is None or ob.type == "ARMATURE":
        return ob
    return ob.find_armature()


def armature_problem(context) -> str:
    """Why nothing can be done with the armature that is meant, empty if something can. Cheap enough for ``poll``."""
    ob = armature_of(context)
    if ob is None:
        return "Select an armature"
    if ob.library is not None:
        return f"{ob.name} is linked: make a library override of it first"
    if compat.is_system_override(ob):
        return f"{ob.name} is an override that is not editable: make it editable first"
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
    strips = (
        data is not None
        and data.use_nla
        and any(not track.mute and any(not strip.mute for strip in track.strips) for track in data.nla_tracks)
    )
    if data is None or data.action is None:
        return f"{ob.name} plays NLA strips only: planting needs an action" if strips else f"{ob.name} has no action"
    if strips:
        return f"{ob.name} plays NLA strips below its action: mute the NLA tracks first"
    action, slot = compat.assigned(data)
    if compat.slot_is_missing(action, slot):
        return f"{ob.name} plays no slot of {action.name}: choose a slot first"
    return ""


def check_rig(ob, legs) -> None:
    """Refuse rigs whose leg bones do not follow their own keys.

    Parameters
    ----------
    legs : list of list of str
        The bones whose keys would be written, by leg.

    Raises
    ------
    Refused
        For a generated Rigify rig, a constraint, a driver or an animated rotation mode on one of the bones, or an
        object that Blender does not evaluate.
    """
    if not (ob.visible_get() or ob.hide_get()):
        raise Refused(
            f"{ob.name} or its collection is disabled in viewports, so that Blender does not move it: enable it"
        )
    if "rig_id" in ob.data:
        raise Refused(f"{ob.name} is a generated Rigify rig: its legs are moved by controls; this is not supported yet")
    names = {name for leg in legs for name in leg}
    for bone in ob.pose.bones:
        for constraint in bone.constraints:
            hit = bones_turned(bone, constraint) & names
            if hit and acts(ob, constraint):
                raise Refused(
                    f"{sorted(hit)[0]} is moved by the constraint {constraint.name} of {bone.name}: "
                    "mute it or set its influence to 0"
                )
    data = ob.animation_data
    for driver in data.drivers if data is not None else ():
        bone, channel = bone_channel(driver.data_path)
        if bone in names and not driver.mute and _is_motion(channel):
            raise Refused(f"{bone} has a driver on {channel}: remove or mute it")
    if data is not None and data.action is not None:
        for curve in compat.fcurves(*compat.assigned(data)):
            bone, channel = bone_channel(curve.data_path)
            if bone in names and channel == "rotation_mode":
                raise Refused(f"{bone} has an animated rotation mode: remove its keys")


def bone_channel(path: str) -> tuple[str, str]:
    """Return the bone's name and the rest of a data path, both empty where it is not a pose bone's."""
    found = _BONE_CHANNEL.match(path)
    return (re.sub(r"\\(.)", r"\1", found.group(1)), found.group(2)) if found else ("", "")


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


def acts(ob, constraint) -> bool:
    """Whether a constraint does or may do something: on, or its influence or muting is animated or driven."""
    if not constraint.mute and constraint.influence > 0 and constraint.is_valid:
        return True
    data = ob.animation_data
    if data is None:
        return False
    paths = tuple(f"{constraint.path_from_id()}.{name}" for name in ("influence", "mute", "enabled"))
    curves = list(data.drivers)
    if data.action is not None:
        curves += list(compat.fcurves(*compat.assigned(data)))
    return any(curve.data_path in paths and not curve.mute for curve in curves)


def _is_motion(channel: str) -> bool:
    return channel.startswith(("location", "rotation", "scale"))
