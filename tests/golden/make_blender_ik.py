# SPDX-License-Identifier: MIT
"""Record what a Blender's IK constraint makes of a few poses, as ``blender_ik_VERSION.npz`` beside this file.

Run with the package on the path, in a Blender that is a Python module, ``PYTHONPATH=. python
tests/golden/make_blender_ik.py``, or in the program, ``blender -b --factory-startup --python
tests/golden/make_blender_ik.py``.

Keys are <case>/<array>: the bones, the pose before, the rows of the goals, what joints may do, and the pose after.
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1]), str(HERE.parent / "blender")]

import bpy  # noqa: E402
import ik_rigs  # noqa: E402
import numpy as np  # noqa: E402
from random_rigs import live_pose  # noqa: E402

from skelkin_py.blender import Armature, read_ik  # noqa: E402

GOAL = ("bone", "chain_count", "pole_angle", "iterations", "influence", "weight", "use_tail", "use_stretch")


def make(case, seed):
    rng = np.random.default_rng(seed)
    if case == "goals":
        rig = ik_rigs.spider(rng)
        for bone in ("l1", "r1"):
            goal = np.array(rig.pose.bones[bone].tail) + 0.5 * rng.normal(size=3)
            ik_rigs.constrain(rig, bone, goal, chain_count=4, iterations=12, weight=float(rng.uniform(0.1, 1)))
        return rig
    rig = ik_rigs.chain(rng, 3, scale=0.3 if case == "scale" else 0)
    options = {"pole": 3 * rng.normal(size=3), "pole_angle": 0.7} if case == "pole" else {}
    if case == "influence":
        options["influence"] = 0.6
    steps = 3 if case == "limits" else 12
    ik_rigs.constrain(rig, "b2", ik_rigs.goal_for(rig, rng, 3), chain_count=3, iterations=steps, **options)
    if case in ("locks", "limits"):
        for bone, (lock, limit) in zip(("b0", "b1", "b2"), (("xy", "z"), ("", "xyz"), ("x", "yz")), strict=True):
            ik_rigs.restrict(rig.pose.bones[bone], rng, lock=lock, limit=limit if case == "limits" else "")
    if case == "stretch":
        for bone in ("b0", "b1"):
            rig.pose.bones[bone].ik_stretch = 0.3
    return rig


def record():
    """Return all arrays, by their key."""
    arrays = {"version": np.array(bpy.app.version_string)}
    for seed, case in enumerate(("plain", "pole", "scale", "influence", "stretch", "locks", "limits", "goals")):
        rig = make(case, seed)
        bpy.context.view_layer.update()
        arm, ik = Armature.from_bpy(rig), read_ik(rig)
        arrays[f"{case}/after"] = live_pose(rig).astype(np.float32)
        for bone in rig.pose.bones:
            for constraint in bone.constraints:
                constraint.mute = True
        bpy.context.view_layer.update()
        arrays[f"{case}/before"] = live_pose(rig).astype(np.float32)
        for name in ("parents", "rest", "lengths", "axes"):
            arrays[f"{case}/{name}"] = getattr(arm, name)
        arrays[f"{case}/goals"] = np.array([[getattr(goal, name) for name in GOAL] for goal in ik["goals"]], float)
        arrays[f"{case}/targets"] = np.array([goal.target for goal in ik["goals"]])
        if ik["goals"][0].pole is not None:
            arrays[f"{case}/pole"] = ik["goals"][0].pole
        for name, rows in ik["joints"]._asdict().items():
            arrays[f"{case}/joints/{name}"] = rows
    return arrays


if __name__ == "__main__":
    major, minor, _ = bpy.app.version
    np.savez_compressed(HERE / f"blender_ik_{major}.{minor}.npz", **record())
