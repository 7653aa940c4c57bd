# SPDX-License-Identifier: MIT
"""Record what Blender's Armature modifiers make of random meshes, for the tests that run without Blender.

Run with each version, from the repository:

    PYTHONPATH=.:tests/blender <python with bpy> tests/golden/record_deform.py
    PYTHONPATH=.:tests/blender blender -b --factory-startup -P tests/golden/record_deform.py
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

sys.path[:0] = os.environ.get("PYTHONPATH", "").split(os.pathsep)

import bpy  # noqa: E402
import numpy as np  # noqa: E402
from bendy_rigs import set_shape  # noqa: E402
from skinned_meshes import add_modifier, bound_rig, evaluated_points, live_pose, loose_points, scatter  # noqa: E402

import skelkin_py as sk  # noqa: E402

FOLDER = Path(__file__).parent
SEEDS = 3


def record(seed: int) -> dict[str, np.ndarray]:
    """Return the inputs of one random rig and mesh, and the points after each of several stacks of modifiers."""
    bpy.ops.wm.read_homefile(use_empty=True)
    rng = np.random.default_rng(seed)
    rig = bound_rig(rng, 8)
    ob = loose_points(rng, rig, 60)
    if seed:
        scatter(rng, rig, ob)
    if seed == 2:
        for bone in rig.pose.bones[:3]:
            bone.bone.bbone_segments = 4
            set_shape(rng, bone)
    modifiers = [add_modifier(ob, rig), add_modifier(ob, rig)]
    bpy.context.view_layer.update()
    given = sk.blender.read_modifiers(ob)
    armature = sk.blender.Armature.from_bpy(rig)
    found = {
        "pose": live_pose(rig),
        "parents": armature.parents,
        "rest": armature.rest,
        "names": np.array(armature.names),
    }
    found |= {
        "heads": armature.heads,
        "tails": armature.tails,
        "lengths": armature.lengths,
        "deform": armature.deforming,
        "connected": armature.connected,
    }
    found |= {f"envelopes_{name}": values for name, values in armature.envelopes._asdict().items()}
    found |= {name: given[name] for name in ("points", "mesh_world", "armature_world")}
    groups = given["groups"]
    found |= {"group_names": np.array(groups.names), "offsets": groups.offsets, "groups": groups.groups}
    found |= {"weights": groups.weights}
    if armature.bbones is not None:
        found |= {f"bbones_{name}": values for name, values in armature.bbones.to_arrays().items()}
        found |= {f"posed_{name}": values for name, values in given["bbones"]._asdict().items()}
    for name, (first, second) in STACKS.items():
        for modifier, options in zip(modifiers, (first, second)):
            modifier.show_viewport = options is not None
            for option, value in (DEFAULTS | (options or {})).items():
                setattr(modifier, option, value)
        found[f"expected_{name}"] = evaluated_points(ob)
    return {f"{seed}_{name}": values for name, values in found.items()}


DEFAULTS = {
    "use_vertex_groups": True,
    "use_bone_envelopes": False,
    "use_deform_preserve_volume": False,
    "vertex_group": "",
    "invert_vertex_group": False,
    "use_multi_modifier": False,
}
MASKED = {"vertex_group": "mask"}
STACKS = {
    "linear": ({}, None),
    "masked": (MASKED, None),
    "envelopes": ({"use_bone_envelopes": True}, None),
    "dual": ({"use_deform_preserve_volume": True}, None),
    "dual_masked": ({"use_deform_preserve_volume": True, **MASKED, "invert_vertex_group": True}, None),
    "multi": ({}, {"use_multi_modifier": True, "use_deform_preserve_volume": True, **MASKED}),
    "row": ({}, {"use_bone_envelopes": True}),
}

if __name__ == "__main__":
    version = ".".join(map(str, bpy.app.version[:2]))
    arrays: dict[str, np.ndarray] = {}
    for seed in range(SEEDS):
        arrays |= record(seed)
    np.savez_compressed(FOLDER / f"deform-{version}.npz", **arrays)
    sys.stdout.flush()
    os._exit(0)
