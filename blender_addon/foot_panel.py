# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel of feet that are dragged by hand."""

from __future__ import annotations

import bpy

from .panels import FoldedPanel


class SKELKIN_PT_feet(FoldedPanel, bpy.types.Panel):
    bl_idname = "SKELKIN_PT_feet"
    bl_label = "Feet by Hand"

    @classmethod
    def poll(cls, context):
        return super().poll(context) and context.mode == "POSE"

    def draw(self, context):
        row = self.layout.row(align=True)
        row.operator("skelkin.drag_foot", icon="CON_KINEMATIC")
        row.operator("skelkin.lock_foot", icon="LOCKED")


CLASSES = (SKELKIN_PT_feet,)
