# SPDX-License-Identifier: GPL-3.0-or-later
"""Plant Selected and Plant All Actions: many at once, with progress, and left without a trace by Esc."""

from __future__ import annotations

import traceback

import bpy

from ..bridge import checks, many, native
from ..core.steps import Progress, Stepper, finished
from ..core.words import counted
from ..properties import PlantSettings
from ..widgets import draw_settings
from . import common

#: seconds of work between two looks at the events of the window
CHUNK = 0.03


class ManyOperator(PlantSettings):
    """What both have in common: the work in one go from scripts and F9, a little at a time from a click."""

    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012
    _stepper: Stepper | None = None

    def __init_subclass__(cls, **options) -> None:
        """Give an operator its docstring as tooltip, which Blender ends with a full stop of its own."""
        super().__init_subclass__(**options)
        cls.bl_description = (cls.__doc__ or "").rstrip(".")

    @classmethod
    def poll(cls, context):
        return not common.refused(cls, native.problem()) and not common.refused(cls, cls.problem(context))

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
            return self.told(context, finished(self.steps(context), tell))
        except Exception as error:
            return self.failed(error)
        finally:
            manager.progress_end()

    def invoke(self, context, event):
        if bpy.app.background:
            return self.execute(context)
        self._stepper = Stepper(self.steps(context))
        manager = context.window_manager
        self._timer = manager.event_timer_add(0.01, window=context.window)
        manager.progress_begin(0, 100)
        manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        progress = self._stepper.progress
        if event.type == "ESC" and event.value == "PRESS" and (progress is None or progress.can_stop):
            self._stepper.close()
            self._end(context)
            self.report({"INFO"}, "Left by Esc: nothing was written")
            return {"CANCELLED"}
        if event.type != "TIMER":
            return {"RUNNING_MODAL"}
        try:
            done = self._stepper.advance(CHUNK)
        except Exception as error:
            self._end(context)
            return self.failed(error)
        if not done:
            self._show(context, self._stepper.progress)
            return {"RUNNING_MODAL"}
        self._end(context)
        return self.told(context, self._stepper.result)

    def cancel(self, context):
        if self._stepper is not None:
            self._stepper.close()
            self._end(context)

    def _show(self, context, progress: Progress | None) -> None:
        if progress is not None:
            context.window_manager.progress_update(100 * progress.done / progress.total)
            esc = "Esc leaves without a trace" if progress.can_stop else "writing"
            context.workspace.status_text_set(
                f"Leg IK: {progress.done * 100 // progress.total} %, {progress.what} ({esc})"
            )

    def _end(self, context) -> None:
        manager = context.window_manager
        manager.event_timer_remove(self._timer)
        manager.progress_end()
        context.workspace.status_text_set(None)

    def failed(self, error: Exception) -> set[str]:
        if not isinstance(error, (checks.Refused, native.NativeError)):
            traceback.print_exc()
        self.report({"ERROR"}, str(error) or type(error).__name__)
        return {"CANCELLED"}

    def told(self, context, outcomes: list[many.Outcome]) -> set[str]:
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
            self.report({"ERROR"}, f"Nothing was planted; {why}")
            return {"CANCELLED"}
        for outcome in left:
            self.report({"INFO"}, f"{outcome.job.action or outcome.job.armature}: {outcome.line}")
        rest = f"; {len(left)} left as they are: see Many at Once" if left else ""
        self.report({"INFO"}, f"Planted {planted} of {counted(len(outcomes), 'action')}{rest}")
        return {"FINISHED"}

    def draw(self, context):
        draw_settings(self.layout, self)


class SKELKIN_OT_plant_selected(ManyOperator, bpy.types.Operator):
    """Switch Leg IK on for all selected armatures, for the action that each plays."""

    bl_idname = "skelkin.plant_selected"
    bl_label = "Plant Selected Armatures"

    jobs_of = staticmethod(many.played)

    @staticmethod
    def problem(context) -> str:
        return "" if context.selected_objects else "Select armatures"

    @staticmethod
    def armatures(context) -> list[str]:
        names = many.armatures_of(context.selected_objects)
        if not names:
            raise checks.Refused("No armature is selected, nor an object that one deforms")
        return names


class SKELKIN_OT_plant_actions(ManyOperator, bpy.types.Operator):
    """Plant all actions that move the legs of the active armature; each waits until it is played and switched on."""

    bl_idname = "skelkin.plant_actions"
    bl_label = "Plant All Actions"

    jobs_of = staticmethod(many.all_actions)

    @staticmethod
    def problem(context) -> str:
        return checks.armature_problem(context)

    @staticmethod
    def armatures(context) -> list[str]:
        return [checks.armature_of(context).name]
