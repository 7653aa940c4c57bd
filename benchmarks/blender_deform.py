# SPDX-License-Identifier: GPL-3.0-or-later
"""Inside a Blender: its Armature modifier on a large mesh against evaluating the same from arrays."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import bpy
import numpy as np

sys.path[:0] = [str(Path(__file__).resolve().parent.parent / "tests" / "blender")]
from random_rigs import random_rig  # noqa: E402
from skinned_meshes import add_modifier, live_pose  # noqa: E402

import skelkin_py as sk  # noqa: E402


def time_deform(vertices: int = 500_000, bones: int = 60, repeats: int = 5, scale: float = 0.0) -> dict[str, float]:
    """Return wall seconds of one evaluation, linear and with volume preserved: Blender's, fast and exact.

    ``worst…`` are the largest differences of the fast points from Blender's. Each vertex has four groups. Blender's
    seconds are those of an update of the view layer after a bone was moved, the pose of the bones included.
    """
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    rng = np.random.default_rng(500)
    rig = random_rig(rng, bones, scale=scale)
    mesh = bpy.data.meshes.new("Points")
    mesh.vertices.add(vertices)
    mesh.vertices.foreach_set("co", rng.uniform(-1, 1, 3 * vertices).astype(np.float32))
    ob = bpy.data.objects.new("Points", mesh)
    bpy.context.scene.collection.objects.link(ob)
    groups = [ob.vertex_groups.new(name=bone.name) for bone in rig.pose.bones]
    first = rng.integers(0, bones, vertices)
    for bone, group in enumerate(groups):  # whole sets of vertices at once: adding one by one takes minutes
        for step, weight in enumerate((0.4, 0.3, 0.2, 0.1)):
            group.add(np.flatnonzero((first + 7 * step) % bones == bone).tolist(), weight, "REPLACE")
    modifier = add_modifier(ob, rig)
    bpy.context.view_layer.update()
    armature = sk.blender.Armature.from_bpy(rig)
    found: dict[str, float] = {}
    for name, modifier.use_deform_preserve_volume in (("linear", False), ("volume", True)):
        given = sk.blender.read_modifiers(ob)
        found |= {f"{name} {way}": np.inf for way in ("blender", "fast", "exact")}
        for _ in range(repeats):
            rig.pose.bones[0].location.x += 0.01
            _keep_least(found, f"{name} blender", bpy.context.view_layer.update)
            pose = live_pose(rig)
            _keep_least(found, f"{name} fast", partial(armature.deform, pose, **given))
            _keep_least(found, f"{name} exact", partial(armature.deform, pose, **given, exact=True))
        evaluated = ob.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
        points = np.empty((vertices, 3), np.float32)
        evaluated.vertices.foreach_get("co", points.reshape(-1))
        found[f"worst {name}"] = float(np.abs(armature.deform(pose, **given) - points).max())
    return found


def _keep_least(found: dict[str, float], name: str, function: Callable[[], object]) -> None:
    start = time.perf_counter()
    function()
    found[name] = min(found[name], time.perf_counter() - start)


if __name__ == "__main__":
    print(time_deform())
