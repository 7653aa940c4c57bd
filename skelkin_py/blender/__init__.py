# SPDX-License-Identifier: MIT
"""What Blender computes from armatures, evaluated from arrays: poses, deformation, its IK constraint, F-curves.

Nothing here imports ``bpy`` before a function that reads live Blender is called.
"""

from .armature import Armature
from .envelopes import Envelopes
from .live_armature import read_channels

__all__ = ["Armature", "Envelopes", "read_channels"]
