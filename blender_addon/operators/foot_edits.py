# SPDX-License-Identifier: GPL-3.0-or-later
"""Edits of feet that were dragged on a planted action."""

from __future__ import annotations

import bpy

from ..bridge import checks
from ..bridge.contacts import foot_edits
from ..bridge.playback import playing
from ..bridge.switching import Result
from . import common


class SKELKIN_OT_foot_edit_remove(common.ArmatureOperator, bpy.types.Operator):
    """Remove the active edit: the foot goes its own way again in this frame."""

    bl_idname = "skelkin.foot_edit_remove"
    bl_label = "Remove Edit"

    @classmethod
    def poll(cls, context):
        if not (super().poll(context) and common.needs_planted(cls, context)):
            return False
        mark = playing(checks.armature_of(context)).action.skelkin
        has_one = 0 <= mark.foot_edit < len(mark.foot_edits)
        return not common.refused(cls, "" if has_one else "Choose an edit in the list first")

    def work(self, context, ob):
        gone = foot_edits.remove_active(playing(ob).action)
        return Result(f"{gone.foot} {gone.frame}: edit removed", [], ("Press Update to plant without it",))


CLASSES = (SKELKIN_OT_foot_edit_remove,)
