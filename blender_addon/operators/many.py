# SPDX-License-Identifier: GPL-3.0-or-later
"""Plant Selected and Plant All Actions: many at once, with progress, and left without a trace by Esc."""

from __future__ import annotations

import bpy

from ..bridge import checks, many, native
from ..core.steps import Progress
from ..core.words import counted
from ..properties import PlantSettings
from ..translations import translate
from ..widgets import draw_settings
from . import common
from .stepwise import Stepwise


class ManyOperator(common.Undone, Stepwise, PlantSettings):
    """What both have in common."""

    at_once = 0.0

    @classmethod
    def poll(cls, context):
        return not common.refused(cls, native.problem() or cls.why_not(context))

    def steps(self, context):
        chosen = common.chosen_settings(self)
        return many.plant_steps(context, self.armatures(context), self.jobs_of, chosen)

    def execute(self, context):
        manager = context.window_manager

        def tell(progress: Progress) -> None:
            if progress.done == 0:
                manager.progress_begin(0, progress.total)
            manager.progress_update(progress.done)

        try:
            return self.run_through(context, tell)
        finally:
            manager.progress_end()

    def invoke(self, context, event):
        return self.begin(context)

    def report_outcome(self, context, outcomes: list[many.Outcome]) -> set[str]:
        """Show the outcomes in the table of results, and say how many were planted."""
        results = context.window_manager.skelkin_results
        results.clear()
        for outcome in outcomes:
            item = results.add()
            item.armature, item.action, item.line = outcome.job.armature, outcome.job.action, outcome.line
            item.planted, item.warnings = outcome.planted, outcome.warnings
        planted = sum(outcome.planted for outcome in outcomes)
        left = [outcome for outcome in outcomes if not outcome.planted]
        if not planted:
            why = f"{left[0].job.action or left[0].job.armature}: {left[0].line}" if left else "there is no action"
            self.report({"ERROR"}, translate(f"Nothing was planted; {why}"))
            return {"CANCELLED"}
        for outcome in left:
            self.report({"INFO"}, f"{outcome.job.action or outcome.job.armature}: {translate(outcome.line)}")
        rest = f"; {len(left)} left as they are: see Many at Once" if left else ""
        self.report({"INFO"}, translate(f"Planted {planted} of {counted(len(outcomes), 'action')}{rest}"))
        return {"FINISHED"}

    def draw(self, context):
        draw_settings(self.layout, self)


class SKELKIN_OT_plant_selected(ManyOperator, bpy.types.Operator):
    """Switch Leg IK on for the selected armatures."""

    bl_idname = "skelkin.plant_selected"
    bl_label = "Plant Selected Armatures"

    jobs_of = staticmethod(many.played)

    @staticmethod
    def why_not(context) -> str:
        return checks.render_problem() or ("" if context.selected_objects else "Select armatures")

    @staticmethod
    def armatures(context) -> list[str]:
        names = many.armatures_of(context.selected_objects)
        if not names:
            raise checks.Refused("Select an armature, or a mesh that one deforms")
        return names


class SKELKIN_OT_plant_actions(ManyOperator, bpy.types.Operator):
    """Plant all actions that move the legs of this armature."""

    bl_idname = "skelkin.plant_actions"
    bl_label = "Plant All Actions"

    jobs_of = staticmethod(many.all_actions)
    why_not = staticmethod(checks.armature_problem)

    @staticmethod
    def armatures(context) -> list[str]:
        return [checks.armature_of(context).name]
