# SPDX-License-Identifier: GPL-3.0-or-later
"""Write the bones of Rigify's metarigs, and of the rig that the human one generates, for read_legs.py.

blender -b --factory-startup --python tests/corpus/dump_rigify.py -- bones.json
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import addon_utils
import bpy


def bones(armature: bpy.types.Object) -> list[list[object]]:
    """Return name, parent and head of every bone."""
    return [[b.name, b.parent and b.parent.name, [round(x, 3) for x in b.head_local]] for b in armature.data.bones]


addon_utils.enable("rigify", default_set=True)
dumped = {}
for operator in [name for name in dir(bpy.ops.object) if name.endswith("_metarig_add")]:
    getattr(bpy.ops.object, operator)()
    dumped[operator] = bones(bpy.context.object)
    if operator == "armature_human_metarig_add":
        bpy.ops.pose.rigify_generate()
        dumped[f"gen_{operator}"] = bones(bpy.context.object)
Path(sys.argv[sys.argv.index("--") + 1]).write_text(json.dumps(dumped), encoding="utf-8")
