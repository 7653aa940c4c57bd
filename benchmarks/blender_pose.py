# SPDX-License-Identifier: GPL-3.0-or-later
"""Inside a Blender: stepping through the frames of a keyed armature against evaluating the same poses from arrays."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import bpy
import numpy as np

sys.path[:0] = [str(Path(__file__).resolve().parent.parent / "tests" / "blender")]
import keys  # noqa: E402
from random_rigs import live_pose, random_rig  # noqa: E402

from skelkin_py import blender  # noqa: E402

CHANNELS = (("location", 3), ("rotation_quaternion", 4), ("scale", 3))


def time_poses(bones: int = 60, frames: int = 1000, repeats: int = 5) -> dict[str, float]:
    """Return wall seconds of ``frame_set`` over all frames, and of the same poses from arrays, fast and exact.

    ``worst`` is the largest difference of the fast poses from those that Blender stepped through.
    """
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    rng = np.random.default_rng(60)
    rig = random_rig(rng, bones)
    keys.new_action(rig, "Moves")
    at = np.arange(1, frames + 1)
    values = {}
    for channel, width in CHANNELS:
        middle = 1.0 if channel == "scale" else 0.0
        values[channel] = (middle + 0.3 * rng.uniform(-1, 1, (frames, bones, width))).astype(np.float32)
        for index, bone in enumerate(rig.pose.bones):
            bone.rotation_mode = "QUATERNION"
            keys.write(rig, keys.bone_path(bone.name, channel), at, values[channel][:, index])
    scene = bpy.context.scene
    armature = blender.Armature.from_bpy(rig)
    given = {"location": values["location"], "rotation": values["rotation_quaternion"], "scale": values["scale"]}
    wide = {name: array.astype(float) for name, array in given.items()}
    seconds = {"frame_set": np.inf, "fast": np.inf, "exact": np.inf}
    for _ in range(repeats):
        start = time.perf_counter()
        for frame in at.tolist():
            scene.frame_set(frame)
        seconds["frame_set"] = min(seconds["frame_set"], time.perf_counter() - start)
        start = time.perf_counter()
        pose = armature.pose(**wide)
        seconds["fast"] = min(seconds["fast"], time.perf_counter() - start)
        start = time.perf_counter()
        armature.pose(**given, exact=True)
        seconds["exact"] = min(seconds["exact"], time.perf_counter() - start)
    return seconds | {"worst": float(np.abs(pose[-1] - live_pose(rig)).max())}


if __name__ == "__main__":
    print(time_poses())
