# SPDX-License-Identifier: GPL-3.0-or-later
"""The Leg IK switch."""

import bpy
from bpy.props import EnumProperty

from ..bridge import checks, leg_data, native, playback, switching
from ..core import verbs
from ..core.steps import InThread
from ..core.words import counted
from ..translations import translate
from . import common
from .planned import PlantingOperator


class SKELKIN_OT_leg_ik(PlantingOperator, bpy.types.Operator):
    """Plant the feet in a copy of the action; keep the original."""

    bl_idname = "skelkin.leg_ik"
    bl_label = "Leg IK"

    state: EnumProperty(
        name="State",
        description="What the switch does",
        items=(
            ("TOGGLE", "Toggle", "Switch on if it is off, and off if it is on"),
            ("ON", "On", "Plant the feet in a copy, or play the copy that is there"),
            ("OFF", "Off", "Play the original action again"),
        ),
        default="TOGGLE",
        options={"SKIP_SAVE", "HIDDEN"},
    )

    @staticmethod
    def why_not(context):
        problem, ob = checks.armature_problem(context), checks.armature_of(context)
        if problem or playback.is_on(ob):
            return problem
        return native.problem() or checks.action_problem(ob)

    def invoke(self, context, event):
        ob = checks.armature_of(context)
        self.load(context)
        return self._already(ob) or self.begin(context)

    def execute(self, context):
        return self._already(checks.armature_of(context)) or self.run_through(context)

    def _already(self, ob) -> set[str]:
        """Say that there is nothing to switch, if so."""
        is_on = playback.is_on(ob)
        if {"TOGGLE": not is_on, "ON": True, "OFF": False}[self.state] != is_on:
            return set()
        self.report({"INFO"}, translate(f"Leg IK is {'on' if is_on else 'off'} already"))
        return {"CANCELLED"}

    def steps(self, context):
        ob = checks.armature_of(context)
        if playback.is_on(ob):
            return (yield from switching.steps(context, ob, verbs.off))
        yield InThread(native.load)
        found = 0 if ob.skelkin_legs else leg_data.find(ob)
        try:
            result = yield from switching.steps(context, ob, verbs.on, common.chosen_settings(self))
        except BaseException:
            if found:
                ob.property_unset("skelkin_legs")
            raise
        if found:
            self.report({"INFO"}, translate(f"Found {counted(found, 'leg')}"))
        return result

    def draw(self, context):
        if playback.is_on(checks.armature_of(context)):
            super().draw(context)
