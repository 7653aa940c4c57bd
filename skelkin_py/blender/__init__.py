# SPDX-License-Identifier: MIT
"""What Blender computes from armatures, evaluated from arrays: poses, deformation, its IK constraint, F-curves.

Nothing here imports ``bpy`` before a function that reads live Blender is called.
"""

from .armature import Armature, Envelopes

__all__ = ["Armature", "Envelopes"]
