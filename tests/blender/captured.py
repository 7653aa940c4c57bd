# SPDX-License-Identifier: MIT
"""Motion of others in Blender, and what skelkin makes of the same in float64: clips with keys, imported files."""

from __future__ import annotations

import os
import warnings
from dataclasses import dataclass
from pathlib import Path

import bpy
import keys
import numpy as np
from extent import WHOLE
from mathutils import Matrix

import skelkin_py as sk

Y_UP = np.array([[1.0, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1]])  # what importers turn such a clip by

#: character → n where every n-th of its actions is taken, how many these are, how many of them are planted
CHARACTERS = {
    # of the others 7 are one pose, in 10 no foot stands, in 2 they stand still
    "kaykit_Knight": (1, 76, 57) if WHOLE else (4, 19, 14),
    "Fox": (1, 3, 1),  # no foot stands, nor goes with the ground, while it walks or runs
}


@dataclass
class Captured:
    """A motion in Blender, and the same in float64: skeleton and local matrices in the world, Z up."""

    object: bpy.types.Object
    skeleton: sk.Skeleton
    local: np.ndarray
    start: int = 1  # scene frame of the first pose

    @property
    def frames(self) -> range:
        """Scene frames with poses."""
        return range(self.start, self.start + len(self.local))

    def leg_joints(self) -> list[int]:
        """Thigh, shin and foot of both legs."""
        rest = self.skeleton.rest_global[:, :3, 3]
        return [j for leg in sk.find_legs(self.skeleton.names, self.skeleton.parents, rest) for j in leg.chain]

    def planted_exactly(self) -> sk.PlantedLocals:
        """Plant these matrices by the library alone."""
        render = bpy.context.scene.render
        return sk.plant_locals(self.skeleton, self.local, fps=render.fps / render.fps_base, up=(0.0, 0.0, 1.0))

    def legs_of(self, local: np.ndarray) -> np.ndarray:
        """Return (F,B,4,4) of thighs, shins and feet in the world."""
        return sk.forward_kinematics(self.skeleton, local)[:, self.leg_joints()]

    def shown_legs(self) -> np.ndarray:
        """Return the same as Blender shows them, by stepping the scene."""
        world = np.array(self.object.matrix_world)
        names = [self.skeleton.names[j] for j in self.leg_joints()]
        found = np.empty((len(self.local), len(names), 4, 4))
        for row, frame in enumerate(self.frames):
            bpy.context.scene.frame_set(frame)
            for column, name in enumerate(names):
                found[row, column] = world @ np.array(self.object.pose.bones[name].matrix)
        return found


def unscaled(matrices: np.ndarray) -> np.ndarray:
    """Return the axes (…,3,3) of matrices, each of length 1."""
    axes = matrices[..., :3, :3]
    return axes / np.linalg.norm(axes, axis=-2, keepdims=True)


def degrees_between(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the angle between (…,3,3) rotations; unlike by the trace, small angles keep their digits."""
    chord = np.linalg.norm(first - second, axis=(-2, -1)) / np.sqrt(8)
    return np.degrees(2 * np.arcsin(np.minimum(chord, 1)))


def data_folder() -> Path:
    """Return the folder of clips and characters, known by its SOURCES.md; without it the test is skipped, or fails.

    It fails where SKELKIN_STRICT=1, as other tests do: a clone of the repository alone has no such folder.
    """
    given = os.environ.get("SKELKIN_DATA")
    folder = Path(given) if given else Path(__file__).resolve().parents[3] / "shared" / "data"
    if not (folder / "SOURCES.md").is_file():
        import pytest  # not in the window's Blender

        reason = "clips and characters: set SKELKIN_DATA to a folder with SOURCES.md"
        (pytest.fail if os.environ.get("SKELKIN_STRICT") == "1" else pytest.skip)(reason)
    return folder


def load_clip(name: str, *, stride: float = 1.0) -> Captured:
    """Build an armature for a BVH clip, its axes kept; `stride` multiplies the way of its root in the level plane."""
    clip = sk.load(data_folder() / f"{name}.bvh", root="replace")
    local = clip.local_matrices()
    up = int(np.argmax(np.abs(sk.plant_feet(clip).report.up)))
    level = [axis for axis in range(3) if axis != up]
    start = local[0, 0, level, 3]
    local[:, 0, level, 3] = start + stride * (local[:, 0, level, 3] - start)
    world = Y_UP if up == 1 else np.eye(4)
    ob = armature_of(clip.skeleton, world)
    key_locals(ob, clip.skeleton, local)
    render = bpy.context.scene.render
    render.fps = round(clip.fps)
    render.fps_base = render.fps / clip.fps
    skeleton = sk.Skeleton.from_global(clip.skeleton.parents, world @ clip.skeleton.rest_global, clip.names)
    moved = sk.local_from_global(skeleton, world @ sk.forward_kinematics(clip.skeleton, local))
    return Captured(ob, skeleton, moved)


def import_clip(name: str) -> Captured:
    """Import a BVH clip with Blender's own importer, told which axis is up."""
    path = data_folder() / f"{name}.bvh"
    lies = sk.plant_feet(sk.load(path)).report.up_name == "+Z"
    axes = {"axis_forward": "Y", "axis_up": "Z"} if lies else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # the importer leaves its file open
        bpy.ops.import_anim.bvh(filepath=str(path), update_scene_fps=True, **axes)
    return in_double(bpy.context.object)


def import_character(name: str) -> bpy.types.Object:
    """Import a glTF character with Blender's own importer; return its armature, which plays nothing from the NLA."""
    if bpy.app.version < (3, 5):  # the importer of Debian's Blender is older than Debian's numpy
        np.bool = bool
    if "io_scene_gltf2" not in bpy.context.preferences.addons:
        bpy.ops.preferences.addon_enable(module="io_scene_gltf2")
    bpy.ops.import_scene.gltf(filepath=str(data_folder() / "gltf" / f"{name}.glb"))
    (ob,) = (each for each in bpy.data.objects if each.type == "ARMATURE")
    for track in list(ob.animation_data.nla_tracks):
        ob.animation_data.nla_tracks.remove(track)
    bpy.context.view_layer.objects.active = ob
    return ob


def in_double(ob: bpy.types.Object) -> Captured:
    """Evaluate the action that an armature plays in float64, whole frames that hold its first and last key."""
    armature = sk.blender.Armature.from_bpy(ob)
    first, last = ob.animation_data.action.frame_range
    first, last = int(np.floor(first)), int(np.ceil(last))
    channels = sk.blender.read_action(ob).channels(armature, np.arange(first, last + 1))
    for channel in ("location", "rotation", "scale"):
        channels[channel] = channels[channel].astype(np.float64)
    world = np.array(ob.matrix_world, dtype=np.float64)
    skeleton = sk.Skeleton.from_global(armature.parents, world @ armature.rest.astype(np.float64), armature.names)
    local = sk.local_from_global(skeleton, world @ armature.pose(**channels))
    return Captured(ob, skeleton, local, first)


def armature_of(skeleton: sk.Skeleton, world: np.ndarray) -> bpy.types.Object:
    """Return an armature whose bones lie as the joints do in the rest pose."""
    ob = bpy.data.objects.new("Captured", bpy.data.armatures.new("Captured"))
    bpy.context.scene.collection.objects.link(ob)
    bpy.context.view_layer.objects.active = ob
    ob.select_set(True)
    rest = skeleton.rest_global
    length = 0.03 * float(np.ptp(rest[:, :3, 3], axis=0).max())
    bpy.ops.object.mode_set(mode="EDIT")
    for joint, name in enumerate(skeleton.names):
        bone = ob.data.edit_bones.new(name)
        bone.tail = (0.0, length, 0.0)
        bone.matrix = Matrix(rest[joint].tolist())
        if (parent := int(skeleton.parents[joint])) >= 0:
            bone.parent = ob.data.edit_bones[skeleton.names[parent]]
    bpy.ops.object.mode_set(mode="OBJECT")
    ob.matrix_world = Matrix(world.tolist())
    bpy.context.view_layer.update()
    return ob


def key_locals(ob: bpy.types.Object, skeleton: sk.Skeleton, local: np.ndarray) -> None:
    """Key local matrices from frame 1 on: a quaternion per bone, a place where it leaves that of the rest pose."""
    keys.new_action(ob, "Captured")
    frames = np.arange(1, len(local) + 1)
    basis = np.linalg.inv(skeleton.rest_local) @ local
    for joint, name in enumerate(skeleton.names):
        quaternions = sk.quaternion_from_matrix(np.ascontiguousarray(basis[:, joint, :3, :3]))
        signs = np.where(np.einsum("fi,fi->f", quaternions[1:], quaternions[:-1]) < 0, -1.0, 1.0)
        quaternions[1:] *= np.cumprod(signs)[:, None]
        keys.write(ob, keys.bone_path(name, "rotation_quaternion"), frames, quaternions)
        if np.abs(places := basis[:, joint, :3, 3]).max() > 1e-9:
            keys.write(ob, keys.bone_path(name, "location"), frames, places)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, len(local)
