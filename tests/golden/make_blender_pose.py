# SPDX-License-Identifier: MIT
"""Record how a Blender poses random armatures, as ``blender_pose_VERSION.npz`` beside this file.

Run with the package on the path, in a Blender that is a Python module, ``PYTHONPATH=. python
tests/golden/make_blender_pose.py``, or in the program, ``blender -b --factory-startup --python
tests/golden/make_blender_pose.py``.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1]), str(HERE.parent / "blender")]

import bpy  # noqa: E402
import numpy as np  # noqa: E402
from mixed_rigs import mixed_rig  # noqa: E402
from random_rigs import live_pose  # noqa: E402

from skelkin_py import blender  # noqa: E402
from skelkin_py.blender.live.armature import read_bones  # noqa: E402

RIGS, BONES = 20, 15
LEFT_OUT = ("names", "heads", "tails", "deform", "envelopes", "bbones")

if __name__ == "__main__":
    arrays = {"count": np.array(RIGS)}
    for seed in range(RIGS):
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        rig = mixed_rig(1000 + seed, BONES)
        fields = {name: value for name, value in read_bones(rig).items() if name not in LEFT_OUT}
        fields |= blender.read_channels(rig) | {"pose": live_pose(rig).astype(np.float32)}
        arrays |= {f"rig{seed}.{name}": np.asarray(value) for name, value in fields.items()}
    major, minor, _ = bpy.app.version
    np.savez_compressed(HERE / f"blender_pose_{major}.{minor}.npz", **arrays)
