# SPDX-License-Identifier: MIT
"""MakeHuman's rigs, as MPFB builds them from its files, each with a walk."""

from __future__ import annotations

import json

import bpy
import rigs
from captured import data_folder
from walk import Gait

#: rig → pelvis, and thigh, shin, foot and toe of a side
RIGS = {
    "default": ("root", "upperleg01.{0} lowerleg01.{0} foot.{0} toe1-1.{0}"),
    "game_engine": ("pelvis", "thigh_{1} calf_{1} foot_{1} ball_{1}"),
    "mixamo": (
        "mixamorig:Hips",
        "mixamorig:{2}UpLeg mixamorig:{2}Leg mixamorig:{2}Foot mixamorig:{2}ToeBase",
    ),
}


def makehuman_walk(name: str, frames: int = 60) -> rigs.WalkingRig:
    """Return one of the rigs with a walk."""
    pelvis, leg = RIGS[name]
    legs = {side: tuple(leg.format(side, side.lower(), word).split()) for side, word in (("L", "Left"), ("R", "Right"))}
    return rigs.animate(makehuman_rig(name), pelvis, legs, Gait(frames=frames))


def makehuman_rig(name: str) -> bpy.types.Object:
    """Build an armature from its file: heads, tails and rolls of the person that is nobody in particular."""
    bones = json.loads((data_folder() / "makehuman" / f"rig.{name}.json").read_text())
    bones = bones.get("bones", bones)
    rig = bpy.data.objects.new(name, bpy.data.armatures.new(name))
    bpy.context.scene.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    rig.select_set(True)
    bpy.ops.object.mode_set(mode="EDIT")
    made = {bone: rig.data.edit_bones.new(bone) for bone in bones}
    for bone, told in bones.items():
        made[bone].head, made[bone].tail = told["head"]["default_position"], told["tail"]["default_position"]
        made[bone].roll = told["roll"]
    for bone, told in bones.items():
        if told["parent"]:
            made[bone].parent = made[told["parent"]]
            made[bone].use_connect = told["use_connect"]
        made[bone].inherit_scale = told["inherit_scale"]
        made[bone].use_local_location = told["use_local_location"]
        made[bone].use_inherit_rotation = told["use_inherit_rotation"]
    bpy.ops.object.mode_set(mode="OBJECT")
    return rig
