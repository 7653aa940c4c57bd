# SPDX-License-Identifier: GPL-3.0-or-later
"""What all operators share: reasons in ``poll``, errors that cancel, settings."""

from __future__ import annotations

import traceback

from ..bridge import checks, native, plant_settings, playback
from ..translations import translate


def refused(cls, reason: str) -> bool:
    """Say why an operator cannot run; True if there is a reason."""
    if reason:
        cls.poll_message_set(translate(reason))
    return bool(reason)


def cannot_compute(context) -> str:
    """Why nothing can be computed for the armature that is meant; empty if something can."""
    return checks.armature_problem(context) or native.problem()


def can_compute(cls, context) -> bool:
    """Whether there is no `cannot_compute`; else an operator says so."""
    return not refused(cls, cannot_compute(context))


def not_planted(context) -> str:
    """Why the armature that is meant plays no planted action; empty if it does."""
    problem = checks.armature_problem(context)
    return problem or ("" if playback.is_on(checks.armature_of(context)) else "Switch Leg IK on first")


def cannot_update(context) -> str:
    """Why its feet cannot be planted again; empty if they can."""
    return cannot_compute(context) or not_planted(context)


def run(operator, work) -> set[str]:
    """Do the work and report its result; whatever goes wrong is reported and cancels.

    ``work`` has to leave the scene as it was when it raises.
    """
    try:
        result = work()
    except Exception as error:
        return report_error(operator, error)
    return report_result(operator, result)


def report_error(operator, error: Exception) -> set[str]:
    """Report what went wrong; what nobody expected with its place in the source."""
    if isinstance(error, (checks.Refused, native.NativeError, ValueError)):
        operator.report({"ERROR"}, translate(str(error)))
    else:
        traceback.print_exception(error)
        operator.report({"ERROR"}, f"{type(error).__name__}: {error}")
    return {"CANCELLED"}


def report_result(operator, result) -> set[str]:
    """Report a result, and all messages about it."""
    for message in result.messages:
        operator.report({"WARNING"}, translate(message))
    for note in result.notes:
        operator.report({"INFO"}, translate(note))
    operator.report({"INFO"}, translate(result.line))
    return {"FINISHED"}


class Undone:
    """What operators share that change something: one step of undo, and their docstring as tooltip."""

    bl_options = {"REGISTER", "UNDO"}

    def __init_subclass__(cls, **options) -> None:
        """Give an operator its tooltip, which Blender ends with a full stop of its own."""
        super().__init_subclass__(**options)
        if "bl_description" not in vars(cls):
            cls.bl_description = (cls.__doc__ or "").rstrip(".")


class ArmatureOperator(Undone):
    """What the operators share that do one ``work(context, armature)``; its result is reported.

    ``why_not(context)`` says why it cannot be done, and nothing if it can.
    """

    why_not = staticmethod(checks.armature_problem)

    @classmethod
    def poll(cls, context):
        return not refused(cls, cls.why_not(context))

    def execute(self, context):
        return run(self, lambda: self.work(context, checks.armature_of(context)))


def chosen_settings(operator) -> dict:
    """Return those settings that were given, by the caller or in the redo panel."""
    values = plant_settings.values_of(operator)
    return {name: value for name, value in values.items() if operator.properties.is_property_set(name)}
