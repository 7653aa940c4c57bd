# SPDX-License-Identifier: MIT
"""Rigify's animals: they stand, lift one foot after the other, and are pushed along, so that standing feet slide."""

from __future__ import annotations

from dataclasses import dataclass

import bpy
import keys
import numpy as np
import stepping
from walk import LEFT, rotation

FRAMES = np.arange(1, 51)
#: hip, and the bone whose head has to stand, of each left leg; the right ones mirror them
LEGS = {
    "horse": (("thigh.L", "r_toe.L"), ("upper_arm.L", "f_toe.L")),
    "cat": (("thigh.L", "r_toe.L"), ("upper_arm.L", "f_toe.L")),
    "wolf": (("thigh.L", "toe.L"), ("front_thigh.L", "front_toe.L")),
    "basic_quadruped": (("thigh.L", "toe.L"), ("front_thigh.L", "front_toe.L")),
    "bird": (("thigh.L", "toe.L"),),
}


@dataclass
class Animal:
    """An armature that is pushed along, and when its feet stand."""

    object: bpy.types.Object
    action: bpy.types.Action
    feet: list[str]  # bones whose heads have to stand
    stance: list[list[tuple[int, int]]]  # per foot, scene frames
    leg_length: float  # from the lowest hip down to its foot
    push: float  # how far the body is pushed in the world
    frames: range


def pushed_animal(kind: str, push: float = 0.35) -> Animal:
    """Return Rigify's metarig of an animal, pushed forwards by so many legs over 50 frames; it lifts each foot once."""
    if "rigify" not in bpy.context.preferences.addons:
        bpy.ops.preferences.addon_enable(module="rigify")
    getattr(bpy.ops.object, f"armature_{kind}_metarig_add")()
    rig = bpy.context.object
    action = keys.new_action(rig, "Push")
    legs = [(hip.replace(".L", side), foot.replace(".L", side)) for hip, foot in LEGS[kind] for side in (".L", ".R")]
    rest = {bone.name: np.array(bone.matrix_local) for bone in rig.data.bones}
    leg_length = min(float(np.linalg.norm(rest[hip][:3, 3] - rest[foot][:3, 3])) for hip, foot in legs)
    way = push * leg_length * (FRAMES - 1.0) / (len(FRAMES) - 1)
    for bone in rig.data.bones:
        if bone.parent is None:
            moved = way[:, None] * (rest[bone.name][:3, :3].T @ [0.0, -1.0, 0.0])
            keys.write(rig, keys.bone_path(bone.name, "location"), FRAMES, moved)
    stance = []
    for k, (hip, _) in enumerate(legs):
        first = 6 + k * 40 // len(legs)
        phase = np.clip((FRAMES - first) / 8.0, 0.0, 1.0)
        axes = rest[hip][:3, :3]
        turn = axes.T @ rotation(LEFT, -0.5 * np.sin(np.pi * phase) ** 2) @ axes
        keys.key_rotations(rig, hip, FRAMES, turn)
        stance.append([(1, first), (first + 8, int(FRAMES[-1]))])
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, int(FRAMES[-1])
    scene.render.fps, scene.render.fps_base = 30, 1.0
    scene.frame_set(1)
    feet, frames = [foot for _, foot in legs], range(1, int(FRAMES[-1]) + 1)
    return Animal(rig, action, feet, stance, leg_length, float(way[-1]), frames)


def worst_slide(animal) -> float:
    """The worst slide of a standing foot; three frames at either side of a lift are between standing and lifting."""
    heads = stepping.world_heads(animal.object, animal.feet, animal.frames)
    last = animal.frames[-1]
    return max(
        slide
        for k, spans in enumerate(animal.stance)
        for slide in stepping.stance_slide(
            heads[:, k], [(a + 3 * (a > 1), b - 3 * (b < last)) for a, b in spans], animal.frames[0]
        )
    )
