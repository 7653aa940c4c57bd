# SPDX-License-Identifier: MIT
"""Random armatures whose bones inherit scale, rotation and location in every way."""

from __future__ import annotations

import bpy
import numpy as np
import random_rigs

INHERIT_SCALE = ("FULL", "FIX_SHEAR", "ALIGNED", "AVERAGE", "NONE", "NONE_LEGACY")


def mixed_rig(seed, count):
    """Return a random rig whose bones inherit in every way; every other seed has mirrored bones."""
    rng = np.random.default_rng(seed)
    rig = random_rigs.random_rig(rng, count, scale=0.4)
    for bone in rig.data.bones:
        bone.inherit_scale = str(rng.choice(INHERIT_SCALE))
        bone.use_inherit_rotation = bool(rng.random() < 0.7)
        bone.use_local_location = bool(rng.random() < 0.7)
    if seed % 2:
        for bone in rig.pose.bones:
            bone.scale = np.array(bone.scale) * rng.choice([1, 1, -1], 3)
    bpy.context.view_layer.update()
    return rig
