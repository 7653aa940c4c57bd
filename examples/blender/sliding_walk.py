# SPDX-License-Identifier: MIT
"""Write a .blend with the embedded biped: its skin, a walk whose feet slide and float, the ground it should stand on.

    python examples/blender/sliding_walk.py sliding_walk.blend                in a Python that has bpy and skelkin_py
    blender -b --python examples/blender/sliding_walk.py -- sliding_walk.blend    where Blender's Python has skelkin_py

Open it, switch Leg IK on with Ground: Objects, object "Ground", and the feet follow steps and slopes.
"""

from __future__ import annotations

import sys

import bpy
import numpy as np

import skelkin_py as sk

#: from Y up to Z up
STAND = np.array([[1.0, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1]])
SHORT = 0.1  # metres: bones of joints that nothing hangs on


def make() -> bpy.types.Object:
    """Put all of it into the open scene; return the armature."""
    biped = sk.example("biped")
    ob = armature_of(biped.clip.skeleton)
    key(ob, biped.clip)
    skin(ob, biped.mesh)
    lay_ground(biped.ground)
    scene = bpy.context.scene
    scene.render.fps, scene.frame_start, scene.frame_end = int(biped.clip.fps), 1, biped.clip.num_frames
    scene.frame_set(1)
    return ob


def armature_of(skeleton: sk.Skeleton) -> bpy.types.Object:
    """Return an armature with a bone for each joint, towards the joint that hangs on it."""
    ob = bpy.data.objects.new("Biped", bpy.data.armatures.new("Biped"))
    bpy.context.scene.collection.objects.link(ob)
    bpy.context.view_layer.objects.active = ob
    ob.select_set(True)
    heads = (STAND @ skeleton.rest_global)[:, :3, 3]
    bpy.ops.object.mode_set(mode="EDIT")
    bones = [ob.data.edit_bones.new(name) for name in skeleton.names]
    for joint, bone in enumerate(bones):
        below = [child for child, parent in enumerate(skeleton.parents) if parent == joint]
        parent = int(skeleton.parents[joint])
        along = heads[joint] - heads[parent] if parent >= 0 else np.array([0.0, 0.0, 1.0])
        bone.head = heads[joint]
        bone.tail = heads[below[0]] if below else heads[joint] + SHORT * along / np.linalg.norm(along)
        if parent >= 0:
            bone.parent = bones[parent]
    bpy.ops.object.mode_set(mode="OBJECT")
    return ob


def key(ob: bpy.types.Object, clip: sk.Clip) -> None:
    """Key rotations of all bones, and the place of the first, on every frame."""
    armature = sk.blender.Armature.from_bpy(ob)
    moved = sk.forward_kinematics(clip.skeleton, clip.local_matrices()) @ sk.invert(clip.skeleton.rest_global)
    rest = armature.rest.astype(np.float64)
    order = [clip.names.index(name) for name in armature.names]
    pose = (STAND @ moved @ np.linalg.inv(STAND))[:, order] @ rest
    basis = armature.local_from_pose(pose)
    turns = sk.quaternion_from_matrix(np.ascontiguousarray(basis[..., :3, :3]))
    sides = np.where(np.einsum("fbi,fbi->fb", turns[1:], turns[:-1]) < 0, -1.0, 1.0)
    turns[1:] *= np.cumprod(sides, axis=0)[..., None]
    for frame in range(clip.num_frames):
        for joint, name in enumerate(armature.names):
            bone = ob.pose.bones[name]
            bone.rotation_quaternion = turns[frame, joint]
            bone.keyframe_insert("rotation_quaternion", frame=frame + 1, group=name)
            if bone.parent is None:
                bone.location = basis[frame, joint, :3, 3]
                bone.keyframe_insert("location", frame=frame + 1, group=name)
    ob.animation_data.action.name = "Sliding walk"


def skin(ob: bpy.types.Object, mesh: sk.Mesh) -> None:
    """Hang the mesh on the armature by its weights."""
    data = bpy.data.meshes.new("Body")
    points = mesh.points @ STAND[:3, :3].T
    data.from_pydata(points.tolist(), [], mesh.faces.tolist())
    data.polygons.foreach_set("use_smooth", np.ones(len(data.polygons), dtype=bool))
    body = bpy.data.objects.new("Body", data)
    bpy.context.scene.collection.objects.link(body)
    body.parent = ob
    joints, weights = np.asarray(mesh.weights.indices), np.asarray(mesh.weights.weights)
    for joint, name in enumerate(mesh.skeleton.names):
        group = body.vertex_groups.new(name=name)
        for vertex, place in np.argwhere((joints == joint) & (weights > 0)).tolist():
            group.add([vertex], float(weights[vertex, place]), "REPLACE")
    body.modifiers.new("Armature", "ARMATURE").object = ob


def lay_ground(ground) -> None:
    """Lay the profile of the ground out as a strip of faces."""
    z = np.array(ground.z)
    heights = np.array(ground.height)
    edges = [STAND[:3, :3] @ (x, height, at) for x in (-1.5, 1.5) for at, height in zip(z, heights, strict=True)]
    count = len(z)
    faces = [(i, i + 1, count + i + 1, count + i) for i in range(count - 1)]
    data = bpy.data.meshes.new("Ground")
    data.from_pydata([tuple(edge) for edge in edges], [], faces)
    bpy.context.scene.collection.objects.link(bpy.data.objects.new("Ground", data))


if __name__ == "__main__":
    target = sys.argv[-1]
    bpy.ops.wm.read_homefile(use_empty=True)
    make()
    bpy.ops.wm.save_as_mainfile(filepath=target)
    print(f"wrote {target}")
