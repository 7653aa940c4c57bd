# SPDX-License-Identifier: GPL-3.0-or-later
"""Legs of an armature: found by the native package or picked by hand, kept on the object and in files by bone name."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from ..core import leg_presets
from ..core.leg_presets import JOINTS
from . import compat, native
from .checks import Refused
from .rig import detached_feet

_PICKED = ("hip", "knee", "ankle", "toe", "heel", "pelvis", "side")
_KEPT = ("name", *_PICKED, "found", "enabled", "confidence", "reasons")
_PRESET = ".json"  # ending of a file of legs


def about(ob) -> str:
    """Return a key for an armature: another file may have one of the same name."""
    return f"{ob.name_full} {len(ob.data.bones)}"


def find(ob) -> int:
    """Find the legs, keep them on the object and return how many it has.

    Legs that were picked or edited by hand stay as they are, and legs that were switched off stay off. Those that are
    too unsure to plant are switched off.

    Raises
    ------
    Refused
        If there are none, with the reasons.
    """
    package = native.load()
    _, bones = detached_feet.read(package, ob)
    rest = rest_of(ob, bones)
    legs = detached_feet.find_legs(package, bones, rest)
    sure = package.legs.sure_legs(legs)
    found = [{**_as_kept(leg, bones.names), "enabled": leg in sure} for leg in legs]
    former = [_kept(item) for item in ob.skelkin_legs]
    edited = [leg for leg in former if _is_edited(leg)]
    if not found and not edited:
        why = "; ".join(package.legs.why_no_legs(bones.names, bones.parents, rest))
        raise Refused(f"No legs found among the {len(bones.names)} bones of {ob.name}: {why}")
    stay = {place: leg for leg in edited for place in (leg["found"], leg["ankle"])}
    off = {leg["found"] for leg in former if not leg["enabled"]}
    new = [leg for leg in found if leg["found"] not in stay and leg["ankle"] not in stay]
    _keep(ob, [*edited, *({**leg, "enabled": leg["enabled"] and leg["found"] not in off} for leg in new)])
    return len(ob.skelkin_legs)


def rest_of(ob, bones) -> np.ndarray:
    """Return the joints' places at rest in the world."""
    return (np.array(ob.matrix_world, dtype=np.float64) @ bones.rest)[:, :3, 3]


def _as_kept(leg, names) -> dict:
    joints = {joint: getattr(leg, joint) for joint in JOINTS}
    bone_of = {joint: "" if index is None else names[index] for joint, index in joints.items()}
    found = json.dumps(list(bone_of.values()))
    more = {"side": leg.side or "", "confidence": leg.confidence, "reasons": "; ".join(leg.reasons)}
    return {**bone_of, **more, "found": found, "enabled": True, "name": bone_of["ankle"]}


def _kept(item) -> dict:
    return {name: getattr(item, name) for name in _KEPT}


def _is_edited(leg: dict) -> bool:
    return leg["found"] != json.dumps([leg[joint] for joint in JOINTS])


def is_edited(item) -> bool:
    """Whether a leg was picked or changed by hand."""
    return _is_edited(_kept(item))


def _keep(ob, legs: list[dict]) -> None:
    ob.skelkin_legs.clear()
    for leg in legs:
        item = ob.skelkin_legs.add()
        for name in _KEPT:
            setattr(item, name, leg[name])


def replace(ob, legs: list[dict]) -> None:
    """Give the object legs that somebody picked, as bones by joint and the side."""
    more = {"found": "", "enabled": True, "confidence": 1.0, "reasons": "picked by hand"}
    _keep(ob, [{**{name: leg.get(name, "") for name in _PICKED}, **more, "name": leg["ankle"]} for leg in legs])


def unsure(ob) -> list[str]:
    """Return the feet of the legs that were found and switched off, because they are too unsure to plant."""
    package = native.load()
    least = package.legs.SURE_ENOUGH
    return [leg.ankle for leg in ob.skelkin_legs if leg.confidence < least and not leg.enabled]


def add(ob, chosen: list[str]) -> None:
    """Add a leg: the bones chosen from thigh to foot or toe, or a foot alone with the two bones above it."""
    bones = ob.pose.bones
    picked = dict.fromkeys(_PICKED, "")
    if len(chosen) == 1:
        above = bones[chosen[0]].parent_recursive
        chosen = [*(bone.name for bone in reversed(above[:2])), chosen[0]] if len(above) >= 2 else []
    for joint, name in zip(("hip", "knee", "ankle", "toe"), chosen if len(chosen) >= 3 else (), strict=False):
        picked[joint] = name
    former = [_kept(item) for item in ob.skelkin_legs]
    replace(ob, [picked])
    new = _kept(ob.skelkin_legs[0])
    _keep(ob, [*former, new])


def as_dicts(ob) -> list[dict]:
    """Return the legs as files keep them."""
    return [{name: getattr(item, name) for name in _PICKED} for item in ob.skelkin_legs]


def described(ob) -> str:
    """Return the bones of the enabled legs as text, to see later whether they are other ones."""
    return json.dumps([[getattr(item, joint) for joint in JOINTS] for item in ob.skelkin_legs if item.enabled])


def load(ob, bones) -> list:
    """Return the enabled legs as the native package takes them, with joints counted in the armature ``bones``.

    What follows from hip, knee and ankle, such as where the knee bends to, is computed from the rest pose of these
    bones, whoever picked them.

    Raises
    ------
    Refused
        If there are none, or a bone is gone.
    """
    package = native.load()
    index = {name: i for i, name in enumerate(bones.names)}
    legs = [_picked(package, ob, item, index) for item in ob.skelkin_legs if item.enabled]
    if not legs:
        raise Refused(f"{ob.name} has no legs switched on: find the legs first, or add one in the panel Legs")
    try:
        return package.legs.completed_legs(legs, bones.names, bones.parents, rest_of(ob, bones))
    except ValueError as error:
        raise Refused(f"{ob.name}: {error}: choose other bones or find the legs again") from error


def _picked(package, ob, item, index: dict[str, int]):
    names = {joint: getattr(item, joint) for joint in JOINTS}
    for joint, name in names.items():
        if name and name not in index:
            raise Refused(f"{name} ({joint} of a leg) is not a bone of {ob.name}: find the legs again")
    joints = {joint: index.get(name) for joint, name in names.items()}
    for joint, word in (("hip", "Thigh"), ("knee", "Shin"), ("ankle", "Foot")):
        if joints[joint] is None:
            raise Refused(f"A leg of {ob.name} has no bone for {word}: choose one in the panel Legs, or remove the leg")
    if is_edited(item):  # what was found for other bones does not hold for these
        was = dict(zip(JOINTS, json.loads(item.found or "[]"), strict=False))
        joints.update({joint: None for joint in ("heel", "pelvis") if was.get(joint) == names[joint]})
    return package.legs.Leg(**joints, side=item.side or None)


def _preset_folder(*, create: bool = False) -> Path:
    """Return the user's folder of files of legs."""
    return compat.user_folder("legs", create=create)


def preset_names() -> list[str]:
    """Return the names of the files at hand."""
    return sorted(path.stem for path in _preset_folder().glob(f"*{_PRESET}"))


def save_preset(ob, name: str) -> Path:
    """Write the object's legs to a file of that name, in place of one that is there."""
    if not len(ob.skelkin_legs):
        raise Refused(f"{ob.name} has no legs: find them, or add one first")
    if not name.strip() or Path(name).name != name or name in (".", ".."):
        raise Refused(f"{name!r} is not a file name: enter a name without slashes")
    target = _preset_folder(create=True) / f"{name}{_PRESET}"
    temporary = target.with_suffix(".tmp")
    temporary.write_text(leg_presets.written(as_dicts(ob)), encoding="utf-8")
    temporary.replace(target)
    return target


def load_preset(ob, name: str) -> int:
    """Give the object the legs of a file; return how many they are."""
    path = Path(name) if name.endswith(_PRESET) else _preset_folder() / f"{name}{_PRESET}"
    try:
        legs = leg_presets.fitted(leg_presets.read(path.read_text(encoding="utf-8")), ob.pose.bones.keys())
    except OSError as error:
        raise Refused(f"{path} cannot be read ({error.strerror}): choose another file") from error
    except ValueError as error:
        raise Refused(f"{path.name}: {error}") from error
    replace(ob, legs)
    return len(legs)
