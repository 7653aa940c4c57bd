# SPDX-License-Identifier: MIT
"""Record what a Blender makes of bendy bones, as ``bbones-VERSION.npz`` beside this file.

Run with the package on the path, in a Blender that is a Python module, ``PYTHONPATH=. python
tests/golden/make_bbones.py``, or in the program, ``blender -b --factory-startup --python tests/golden/make_bbones.py``.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1]), str(HERE.parent / "blender")]

import bpy  # noqa: E402
import numpy as np  # noqa: E402
from bendy_rigs import bendy_rig, live_frames  # noqa: E402
from random_rigs import live_pose  # noqa: E402
from test_parity_fk_skin import evaluated_points, skinned_mesh  # noqa: E402

from skelkin_py import blender  # noqa: E402

OPTIONS = ("", "handles sizes", "shape easing", "handles shape easing endroll sizes", "handles shape easing curved")


def recorded(seed: int, options: str) -> dict[str, Any]:
    """Return one rig, its pose, and what Blender says about its segments and about points, each moved by one bone."""
    rng = np.random.default_rng(seed)
    rig = bendy_rig(rng, options, 6)
    arm = blender.Armature.from_bpy(rig)
    assert arm.bbones is not None
    target, points, skin = skinned_mesh(rig, rng, 60, 1)
    fields = ("parents", "rest", "heads", "tails", "lengths", "axes", "offsets", "connected")
    fields += ("inherit_rotation", "local_location", "inherit_scale")
    found = {f"armature_{name}": getattr(arm, name) for name in fields}
    found |= {f"bbones_{name}": value for name, value in arm.bbones.to_arrays().items()}
    found |= {f"channels_{name}": value for name, value in blender.read_bbone_channels(rig)._asdict().items()}
    frames = [live_frames(rig, bone, at_rest) for at_rest in (True, False) for bone in arm.bbones.bendy]
    return found | {
        "pose": live_pose(rig).astype(np.float32),
        "frames": np.concatenate(frames).astype(np.float32),
        "points": points,
        "bones": skin.indices[:, 0].astype(np.uint8),
        "moved": evaluated_points(target).astype(np.float32),
    }


if __name__ == "__main__":
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    cases = {
        f"{seed}_{name}": value
        for seed, options in enumerate(OPTIONS)
        for name, value in recorded(seed, options).items()
    }
    major, minor, _ = bpy.app.version
    np.savez_compressed(HERE / f"bbones-{major}.{minor}.npz", **cases)
