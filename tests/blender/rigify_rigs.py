# SPDX-License-Identifier: MIT
"""A generated Rigify human that walks: by its IK controls, or by rotations of its FK controls."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import bpy
import keys
import numpy as np
import rigs
from animals import FRAMES, Animal
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


def rigify_walk(ik: bool = True, frames: int = 60, ik_parent: int = 1) -> rigs.WalkingRig:
    """Return the generated human with a walk on its IK controls, or on its FK controls with IK_FK at 1.

    ``legs`` names the ORG bones, which the mesh follows. ``ik_parent`` is what the IK controls of the feet hang on: 1,
    the root, or 2, the torso. To key one takes seconds, so each is kept as a file beside the generated rig.
    """
    rig = generated_file()
    file = rig.with_name(f"{rig.stem}-{'ik' if ik else 'fk'}-{frames}-{ik_parent}.blend")
    known = file.with_suffix(".pickle")
    if not known.is_file():
        walk = make_rigify_walk(ik, frames, ik_parent)
        with tempfile.TemporaryDirectory(dir=CACHE) as folder:  # other processes may make the same at the same time
            bpy.ops.wm.save_as_mainfile(filepath=f"{folder}/walk.blend", copy=True)
            Path(folder, "walk.blend").replace(file)
            Path(folder, "known").write_bytes(pickle.dumps(replace(walk, object=None, action=None)))
            Path(folder, "known").replace(known)
    bpy.ops.wm.open_mainfile(filepath=str(file))
    rig = bpy.data.objects["rig"]
    return replace(pickle.loads(known.read_bytes()), object=rig, action=rig.animation_data.action)


def make_rigify_walk(ik: bool, frames: int, ik_parent: int) -> rigs.WalkingRig:
    """Key the walk of `rigify_walk` on the generated human."""
    bpy.ops.wm.open_mainfile(filepath=str(generated_file()))
    metarig, rig = bpy.data.objects["metarig"], bpy.data.objects["rig"]
    legs = {side: tuple(f"{bone}.{side}" for bone in SEGMENTS) for side in "LR"}
    walk = rigs.animate(metarig, "spine", legs, Gait(frames=frames))
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
    for side in "LR":
        rig.pose.bones[f"thigh_parent.{side}"]["IK_FK"] = 0.0 if ik else 1.0
        rig.pose.bones[f"thigh_parent.{side}"]["IK_parent"] = ik_parent
    rig.update_tag()
    key_moves(rig, {"torso": moves["spine"]}, walk.frames, with_location=True)
    if ik:
        feet = {f"foot_ik.{side}": moves[f"foot.{side}"] for side in "LR"}
    else:
        feet = {f"{bone}_fk.{side}": moves[f"{bone}.{side}"] for bone in SEGMENTS[:3] for side in "LR"}
    key_moves(rig, feet, walk.frames, with_location=ik)
    bpy.context.scene.frame_set(1)
    walk.object, walk.action, walk.pelvis = rig, action, "torso"
    walk.legs = {side: tuple(f"ORG-{bone}" for bone in leg) for side, leg in legs.items()}
    return walk


def key_moves(rig, moves: dict[str, list[Matrix]], frames, *, with_location: bool) -> None:
    """Key bones, parents first, so that each is moved from its rest by these matrices in armature space."""
    found = {bone: ([], []) for bone in moves}
    for i, frame in enumerate(frames):
        bpy.context.scene.frame_set(frame)
        moved = set()
        for bone, matrices in moves.items():
            pose = rig.pose.bones[bone]
            if not moved.isdisjoint(parent.name for parent in pose.parent_recursive):
                bpy.context.view_layer.update()
                moved.clear()
            pose.matrix = matrices[i] @ pose.bone.matrix_local
            moved.add(bone)
            found[bone][0].append(np.array(pose.location))
            found[bone][1].append(np.array(pose.matrix_basis.to_3x3()))
    for bone, (locations, turns) in found.items():
        rig.pose.bones[bone].location = (0, 0, 0)
        if with_location:
            keys.write(rig, keys.bone_path(bone, "location"), np.array(frames), np.array(locations))
        keys.key_rotations(rig, bone, np.array(frames), np.array(turns))


#: metarig → per foot: the control that is keyed, and the joint that stands
ANIMALS = {
    "basic_quadruped_metarig": [("foot_ik", "ORG-toe"), ("front_foot_ik", "ORG-front_toe")],
    "wolf_metarig": [("foot_ik", "ORG-toe"), ("front_foot_ik", "ORG-front_toe")],
    "horse_metarig": [("hind_foot_ik", "ORG-r_toe"), ("forefoot_ik", "ORG-f_toe")],
}


def rigify_animal(metarig: str, push: float = 0.25, drift: float = 0.02) -> Animal:
    """Return a generated animal in IK that is pushed forwards over 50 frames and lifts each foot once.

    ``push`` and ``drift`` are in leg lengths: how far the torso goes, and how far each foot slides while it stands.
    """
    bpy.ops.wm.open_mainfile(filepath=str(generated_file(metarig)))
    rig = bpy.data.objects["rig"]
    bpy.data.objects.remove(bpy.data.objects["metarig"])
    bpy.context.view_layer.objects.active = rig
    rig.select_set(True)
    action = keys.new_action(rig, "Push")
    feet = [(f"{control}{side}", f"{foot}{side}") for control, foot in ANIMALS[metarig] for side in (".L", ".R")]
    leg = min(float(rig.data.bones[foot].head_local.z) for _, foot in feet) + 0.8 * rig.data.bones["torso"].head_local.z
    way = push * leg * (FRAMES - 1.0) / (len(FRAMES) - 1)
    key_path(rig, "torso", way)
    stance = []
    for k, (control, _) in enumerate(feet):
        first = 6 + k * 40 // len(feet)
        phase = np.clip((FRAMES - first) / 8.0, 0.0, 1.0)
        stride = push * leg * phase**2 * (3 - 2 * phase)
        slide = drift * leg * np.sin(FRAMES / 8.0)
        key_path(rig, control, stride + slide, 0.15 * leg * np.sin(np.pi * phase) ** 2)
        stance.append([(1, first), (first + 8, int(FRAMES[-1]))])
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, int(FRAMES[-1])
    scene.render.fps, scene.render.fps_base = 30, 1.0
    scene.frame_set(1)
    frames = range(1, int(FRAMES[-1]) + 1)
    return Animal(rig, action, [foot for _, foot in feet], stance, leg, float(way[-1]), frames)


def key_path(rig, bone: str, forwards: np.ndarray, upwards: np.ndarray | float = 0.0) -> None:
    """Key a bone that goes forwards (-Y) and upwards in armature space."""
    path = np.zeros((len(FRAMES), 3))
    path[:, 1], path[:, 2] = -forwards, upwards
    rest = np.array(rig.data.bones[bone].matrix_local)[:3, :3]
    keys.write(rig, keys.bone_path(bone, "location"), FRAMES, path @ rest)
