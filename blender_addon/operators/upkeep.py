# SPDX-License-Identifier: GPL-3.0-or-later
"""Update, Find Contacts Again, Discard Touch-Ups, Apply, Remove and Clean Up."""

import bpy
from bpy.props import StringProperty

from ..bridge import checks, playback
from ..core import verbs
from . import common
from .planned import PlannedOperator, PlantingOperator, operator


class SKELKIN_OT_rate_from_bvh(PlannedOperator, bpy.types.Operator):
    """Plant again at the frame rate of the motion's BVH file."""

    bl_idname = "skelkin.rate_from_bvh"
    bl_label = "From BVH File"

    filepath: StringProperty(name="BVH File", description="File with the frame rate of the motion", subtype="FILE_PATH")
    filter_glob: StringProperty(default="*.bvh", options={"HIDDEN"})
    verb = staticmethod(verbs.update)
    why_not = staticmethod(common.cannot_update)

    def invoke(self, context, event):
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def given(self) -> tuple:
        return ({"rate": "BVH", "rate_file": self.filepath},)


def nothing_to_remove(context) -> str:
    """Why there is nothing to remove; empty if there is something."""
    ob = checks.armature_of(context)
    problem = checks.armature_problem(context)
    if problem or ob.skelkin_planted is not None or len(ob.skelkin_legs) or playback.is_on(ob):
        return problem
    return "There is nothing to remove"


def _confirmed(self, context, event):
    return context.window_manager.invoke_confirm(self, event)


#: a line for each verb that needs no more than that: its plan, label, and why it cannot run
VERBS = (
    operator(verbs.update, "Update", common.cannot_update, PlantingOperator),
    operator(verbs.find_contacts_again, "Find Contacts Again", common.cannot_update, invoke=_confirmed),
    operator(verbs.discard_touch_ups, "Discard Touch-Ups", common.cannot_update),
    operator(verbs.apply, "Apply", common.not_planted),
    operator(verbs.remove, "Remove", nothing_to_remove),
    operator(verbs.clean_up, "Clean Up", lambda _: checks.render_problem(), for_whom=staticmethod(lambda _: None)),
)
