# SPDX-License-Identifier: MIT
"""What Blender computes from armatures, evaluated from arrays: poses, deformation, its IK constraint, F-curves.

Nothing here imports ``bpy`` before a function that reads live Blender is called.
"""

from .._support.exports import exports as _exports

__all__, __getattr__, __dir__ = _exports(__name__)
