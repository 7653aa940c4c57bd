# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators whose work takes its time: in one go from scripts and F9, a little at a time from a click."""

from __future__ import annotations

import bpy

from ..core.steps import Progress, Stepper, Steps, finished
from ..translations import translate
from . import common

#: seconds of work between two looks at the events of the window
CHUNK = 0.03


class Stepwise:
    """What such operators share: ``steps(context)`` does the work, ``report_outcome(context, result)`` follows it.

    While the window stays alive all input is taken and nothing but Esc is heard, which leaves without a trace.
    """

    _stepper: Stepper | None = None
    #: seconds that a click works at once: most is done by then
    at_once = 0.2

    def execute(self, context) -> set[str]:
        return self.run_through(context)

    def report_outcome(self, context, result) -> set[str]:
        """Report the result, as of what is done in one go."""
        return common.report_result(self, result)

    def run_through(self, context, tell=None) -> set[str]:
        """Do all of it now."""
        try:
            return self.report_outcome(context, finished(self.steps(context), tell))
        except Exception as error:
            return common.report_error(self, error)

    def begin(self, context) -> set[str]:
        """Do it a little at a time, where there is a window."""
        if bpy.app.background or context.window is None:
            return self.run_through(context)
        try:
            stepper = Stepper(self.steps(context))
            if self.at_once and stepper.advance(self.at_once):
                return self.report_outcome(context, stepper.result)
        except Exception as error:
            return common.report_error(self, error)
        self._stepper = stepper
        manager = context.window_manager
        self._timer = manager.event_timer_add(0.01, window=context.window)
        manager.progress_begin(0, 100)
        manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        progress = self._stepper.progress
        if event.type == "ESC" and event.value == "PRESS" and (progress is None or progress.can_stop):
            self.cancel(context)
            self.report({"INFO"}, translate("Cancelled: nothing was changed"))
            return {"CANCELLED"}
        if event.type != "TIMER":
            return {"RUNNING_MODAL"}
        try:
            done = self._stepper.advance(CHUNK)
        except Exception as error:
            self._end(context)
            return common.report_error(self, error)
        if not done:
            self._show(context, self._stepper.progress)
            return {"RUNNING_MODAL"}
        self._end(context)
        return self.report_outcome(context, self._stepper.result)

    def cancel(self, context):
        if self._stepper is not None:
            self._stepper.close()
            self._end(context)

    def _show(self, context, progress: Progress | None) -> None:
        if progress is not None:
            part = progress.done / max(progress.total, 1)
            context.window_manager.progress_update(100 * part)
            esc = "Esc cancels" if progress.can_stop else "writing"
            context.workspace.status_text_set(translate(f"Leg IK: {100 * part:.0f} %, {progress.what} ({esc})"))

    def _end(self, context) -> None:
        manager = context.window_manager
        manager.event_timer_remove(self._timer)
        manager.progress_end()
        context.workspace.status_text_set(None)

    def steps(self, context) -> Steps:
        """Return the work."""
        raise NotImplementedError
