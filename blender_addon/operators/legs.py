# SPDX-License-Identifier: GPL-3.0-or-later
"""Finding legs."""

from __future__ import annotations

import bpy

from ..bridge import leg_data
from ..bridge.switching import Result
from ..core.words import counted
from . import common


class SKELKIN_OT_find_legs(common.ArmatureOperator, bpy.types.Operator):
    """Find the legs of the active armature by bone names and structure."""

    bl_idname = "skelkin.find_legs"
    bl_label = "Find Legs"

    @classmethod
    def poll(cls, context):
        return common.can_compute(cls, context)

    def work(self, context, ob):
        found = leg_data.find(ob)
        feet = ", ".join(leg.ankle for leg in ob.skelkin_legs)
        return Result(f"Found {counted(found, 'leg')}: {feet}", [])
