# SPDX-License-Identifier: MIT
"""A generated Rigify human that walks: by its IK controls, or by rotations of its FK controls."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import bpy
import keys
import numpy as np
import rigs
from mathutils import Matrix
from walk import Gait

HERE = Path(__file__).resolve().parent
CACHE = Path(os.environ.get("SKELKIN_TEST_RIGIFY", HERE.parent.parent / "artefacts" / "rigify"))
SEGMENTS = ("thigh", "shin", "foot", "toe")


def generated_file(metarig: str = "human_metarig") -> Path:
    """Return the file with the metarig and its generated rig, made by a child process where it is not there yet."""
    CACHE.mkdir(parents=True, exist_ok=True)
    file = CACHE / f"{metarig}-{bpy.app.version_string.split()[0]}.blend"
    if not file.is_file():
        script = str(HERE / "generate_rigify.py")
        start = [sys.executable, "-P", "-B", script]
        if bpy.app.binary_path:
            start = [bpy.app.binary_path, "-b", "-noaudio", "--factory-startup", "--python", script, "--"]
        done = subprocess.run(
            [*start, metarig, str(file)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600,
            check=False,
        )  # fmt: skip
        assert file.is_file(), f"Rigify's {metarig} could not be generated:\n{done.stdout}"
    return file


def rigify_walk(ik: bool = True, frames: int = 60, *, ik_parent: int = 1, **gait: float) -> rigs.WalkingRig:
    """Return the generated human with a walk on its IK controls, or on its FK controls with IK_FK at 1.

    ``legs`` names the ORG bones, which the mesh follows. ``ik_parent`` is what the IK controls of the feet hang on: 1,
    the root, or 2, the torso.
    """
    bpy.ops.wm.open_mainfile(filepath=str(generated_file()))
    metarig, rig = bpy.data.objects["metarig"], bpy.data.objects["rig"]
    legs = {side: tuple(f"{bone}.{side}" for bone in SEGMENTS) for side in "LR"}
    walk = rigs.animate(metarig, "spine", legs, Gait(frames=frames, **gait))
    wanted = ("spine", *(bone for leg in legs.values() for bone in leg[:3]))
    moves = {bone: [] for bone in wanted}
    for frame in walk.frames:
        bpy.context.scene.frame_set(frame)
        for bone in wanted:
            pose = metarig.pose.bones[bone]
            moves[bone].append(pose.matrix @ pose.bone.matrix_local.inverted())
    bpy.data.objects.remove(metarig)
    bpy.context.view_layer.objects.active = rig
    rig.select_set(True)
    action = keys.new_action(rig, "Walk")
    key_moves(rig, {"torso": moves["spine"]}, walk.frames, with_location=True)
    for side in "LR":
        rig.pose.bones[f"thigh_parent.{side}"]["IK_FK"] = 0.0 if ik else 1.0
        rig.pose.bones[f"thigh_parent.{side}"]["IK_parent"] = ik_parent
        rig.update_tag()
        if ik:
            key_moves(rig, {f"foot_ik.{side}": moves[f"foot.{side}"]}, walk.frames, with_location=True)
        else:
            leg = {f"{bone}_fk.{side}": moves[f"{bone}.{side}"] for bone in SEGMENTS[:3]}
            key_moves(rig, leg, walk.frames, with_location=False)
    bpy.context.scene.frame_set(1)
    walk.object, walk.action, walk.pelvis = rig, action, "torso"
    walk.legs = {side: tuple(f"ORG-{bone}" for bone in leg) for side, leg in legs.items()}
    return walk


def key_moves(rig, moves: dict[str, list[Matrix]], frames, *, with_location: bool) -> None:
    """Key bones, parents first, so that each is moved from its rest by these matrices in armature space."""
    found = {bone: ([], []) for bone in moves}
    for i, frame in enumerate(frames):
        bpy.context.scene.frame_set(frame)
        for bone, matrices in moves.items():
            pose = rig.pose.bones[bone]
            pose.matrix = matrices[i] @ pose.bone.matrix_local
            bpy.context.view_layer.update()
            found[bone][0].append(np.array(pose.location))
            found[bone][1].append(np.array(pose.matrix_basis.to_3x3()))
    for bone, (locations, turns) in found.items():
        rig.pose.bones[bone].location = (0, 0, 0)
        if with_location:
            keys.write(rig, keys.bone_path(bone, "location"), np.array(frames), np.array(locations))
        keys.key_rotations(rig, bone, np.array(frames), np.array(turns))
