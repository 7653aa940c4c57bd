# SPDX-License-Identifier: MIT
"""Generate a Rigify rig and save it, for a process of its own: the generator leaves things behind that end badly.

usage: blender -b --factory-startup --python generate_rigify.py -- METARIG FILE
       python generate_rigify.py METARIG FILE
"""

import os
import sys

import bpy

metarig, target = sys.argv[-2:]
bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
bpy.ops.preferences.addon_enable(module="rigify")
getattr(bpy.ops.object, f"armature_{metarig}_add")()
bpy.ops.pose.rigify_generate()
partial = f"{target}.{os.getpid()}"
bpy.ops.wm.save_as_mainfile(filepath=partial, copy=True)
os.replace(partial, target)  # another process may read it
sys.stdout.flush()
os._exit(0)
