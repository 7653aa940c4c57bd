# SPDX-License-Identifier: MIT
"""Meshes of loose points with random vertex groups and Armature modifiers, and what Blender makes of them."""

from __future__ import annotations

import bpy
import numpy as np
from random_rigs import random_rig

MASK = "mask"
WEIGHTS = ("zero", "some", "some", "some", "tiny")


def bound_rig(rng: np.random.Generator, count: int = 10, *, scale: float = 0.3) -> bpy.types.Object:
    """Make a random rig with random envelopes; some bones do not deform."""
    rig = random_rig(rng, count, scale=scale)
    for bone in rig.data.bones:
        bone.use_deform = bool(rng.random() < 0.8)
        bone.use_envelope_multiply = bool(rng.random() < 0.3)
        bone.envelope_distance = float(rng.choice([0.0, rng.uniform(0, 1)]))
        bone.envelope_weight = rng.uniform(0, 1)
        if not bone.use_connect:
            bone.head_radius = rng.uniform(0, 0.3)
        bone.tail_radius = rng.uniform(0, 0.3)
    return rig


def loose_points(rng: np.random.Generator, rig: bpy.types.Object, count: int = 120) -> bpy.types.Object:
    """Add points with up to five groups each, in random order, of weights that may be 0 or tiny; and a mask."""
    mesh = bpy.data.meshes.new("Points")
    mesh.from_pydata(rng.uniform(-1.5, 1.5, (count, 3)).tolist(), [], [])
    ob = bpy.data.objects.new("Points", mesh)
    bpy.context.scene.collection.objects.link(ob)
    names = [*(bone.name for bone in rig.pose.bones), "stray"]
    groups = [ob.vertex_groups.new(name=names[index]) for index in rng.permutation(len(names))]
    mask = ob.vertex_groups.new(name=MASK)
    values = {"zero": lambda: 0.0, "some": lambda: float(rng.random()), "tiny": lambda: 3e-5}
    for vertex in range(count):
        for group in rng.permutation(len(groups))[: rng.integers(0, 6)]:
            groups[group].add([vertex], values[str(rng.choice(WEIGHTS))](), "REPLACE")
        if rng.random() < 0.8:
            mask.add([vertex], float(rng.choice([0.0, 1.0, rng.random()])), "REPLACE")
    return ob


def add_modifier(ob: bpy.types.Object, rig: bpy.types.Object, **options: object) -> bpy.types.Modifier:
    """Add an Armature modifier; options are attributes of it."""
    modifier = ob.modifiers.new("Armature", "ARMATURE")
    modifier.object = rig
    for name, value in options.items():
        setattr(modifier, name, value)
    return modifier


def scatter(rng: np.random.Generator, *objects: bpy.types.Object) -> None:
    """Move, turn and scale objects."""
    for ob in objects:
        ob.location, ob.rotation_euler = rng.uniform(-2, 2, 3), rng.uniform(-3, 3, 3)
        ob.scale = rng.uniform(0.5, 2, 3)


def evaluated_points(ob: bpy.types.Object) -> np.ndarray:
    """Return the points (V, 3) of the evaluated mesh, float32."""
    bpy.context.view_layer.update()
    evaluated = ob.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    points = np.empty((len(mesh.vertices), 3), np.float32)
    mesh.vertices.foreach_get("co", points.reshape(-1))
    evaluated.to_mesh_clear()
    return points


def live_pose(rig: bpy.types.Object) -> np.ndarray:
    """Return the evaluated pose (B, 4, 4) in armature space, float32."""
    return np.array([bone.matrix for bone in rig.pose.bones], np.float32)
