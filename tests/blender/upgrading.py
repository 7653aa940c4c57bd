# SPDX-License-Identifier: MIT
"""Run inside Blender: install zips one after the other, plant in between, and write what came of each planting.

usage: blender -b --factory-startup --python upgrading.py -- FILE STEP [STEP ...]

A STEP is the path of a zip, which is installed and enabled; one with a ``+`` in front, which is only installed; or
``plant``, which plants an armature and updates it.
"""

import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import bpy
import installing
import rigs


def native(module: str):
    return sys.modules[f"{module}.bridge.native"]


def plant() -> str:
    """Return the version that has planted, or what was said instead."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    rigs.mixamo_walk()
    try:
        done = [bpy.ops.skelkin.leg_ik(), bpy.ops.skelkin.update()]
    except RuntimeError as error:
        return str(error).strip()
    assert done == [{"FINISHED"}] * 2, done
    module = next(addon.module for addon in bpy.context.preferences.addons if addon.module.endswith("skelkin"))
    package = native(module).load()
    core = sys.modules[f"{package.__name__}._core"]
    versions = {native(module).VERSION, package.__version__, core.VERSION}
    return " and ".join(sorted(versions))


target, *steps = sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else sys.argv[1:]
told = []
for step in steps:
    if step == "plant":
        told.append(plant())
    else:
        installing.install_addon(Path(step.removeprefix("+")), enable=step[0] != "+")
Path(target).write_text(json.dumps(told))
sys.stdout.flush()
os._exit(0)
