# SPDX-License-Identifier: GPL-3.0-or-later
"""Open Report."""

from __future__ import annotations

import bpy
from bpy.props import BoolProperty, StringProperty

from ..bridge import report_page
from ..core.verbs import Result
from . import common


class SKELKIN_OT_open_report(common.ArmatureOperator, bpy.types.Operator):
    """Open the report as a page that plays both motions."""

    bl_idname = "skelkin.open_report"
    bl_label = "Open Report"
    bl_options = {"REGISTER"}

    filepath: StringProperty(
        name="File",
        description="File to write; if empty, one in your Blender folder",
        options={"SKIP_SAVE"},
    )
    show: BoolProperty(name="Show", description="Open the page in the browser", default=True, options={"SKIP_SAVE"})

    why_not = staticmethod(common.cannot_update)

    def work(self, context, ob):
        page, messages = report_page.write(context, ob, self.filepath)
        if self.show:
            bpy.ops.wm.url_open(url=page.resolve().as_uri())
        return Result(f"Report written to {page}", messages)
