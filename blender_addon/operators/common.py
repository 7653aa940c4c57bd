# SPDX-License-Identifier: GPL-3.0-or-later
"""What all operators share: reasons in ``poll``, errors that cancel, settings."""

from __future__ import annotations

import json
import traceback

from ..bridge import checks, native, switching
from ..properties import SETTING_NAMES


def refused(cls, reason: str) -> bool:
    """Say why an operator cannot run; True if there is a reason."""
    if reason:
        cls.poll_message_set(reason)
    return bool(reason)


def can_touch(cls, context) -> bool:
    """Whether there is an armature, active or of the active mesh, in a state that can be worked on."""
    return not refused(cls, checks.armature_problem(context))


def can_compute(cls, context) -> bool:
    """`can_touch`, and the native package is there."""
    return can_touch(cls, context) and not refused(cls, native.problem())


def needs_planted(cls, context) -> bool:
    """Whether the armature plays a planted action."""
    return not refused(cls, "" if switching.is_on(checks.armature_of(context)) else "Switch Leg IK on first")


def run(operator, work) -> set[str]:
    """Do the work and report its result; whatever goes wrong is reported and cancels.

    ``work`` has to leave the scene as it was when it raises.
    """
    try:
        result = work()
    except (checks.Refused, native.NativeError, ValueError) as error:
        operator.report({"ERROR"}, str(error))
        return {"CANCELLED"}
    except Exception as error:
        traceback.print_exc()
        operator.report({"ERROR"}, f"{type(error).__name__}: {error}")
        return {"CANCELLED"}
    for message in result.messages:
        operator.report({"WARNING"}, message)
    for note in result.notes:
        operator.report({"INFO"}, note)
    operator.report({"INFO"}, result.line)
    return {"FINISHED"}


class ArmatureOperator:
    """What the operators share that do one ``work(context, armature)``; its result is reported."""

    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012

    def __init_subclass__(cls, **options) -> None:
        """Give an operator its docstring as tooltip, which Blender ends with a full stop of its own."""
        super().__init_subclass__(**options)
        cls.bl_description = (cls.__doc__ or "").rstrip(".")

    @classmethod
    def poll(cls, context):
        return can_touch(cls, context)

    def execute(self, context):
        return run(self, lambda: self.work(context, checks.armature_of(context)))


def settings_of(operator) -> dict:
    """Return the settings of planting as plain values, as JSON keeps them."""
    values = {name: getattr(operator, name) for name in SETTING_NAMES}
    return {**values, "ground_velocity": list(values["ground_velocity"])}


def load_settings(operator, planted) -> None:
    """Give the operator the settings that an action was planted with."""
    for name, value in json.loads(planted.skelkin.settings or "{}").items():
        setattr(operator, name, value)


def chosen_settings(operator) -> dict:
    """Return those settings that were given, by the caller or in the redo panel."""
    return {name: value for name, value in settings_of(operator).items() if operator.properties.is_property_set(name)}


def kept_settings(operator, planted) -> dict:
    """Return the settings that an action was planted with, but those that were given now."""
    stored = json.loads(planted.skelkin.settings or "{}")
    return {**settings_of(operator), **stored, **chosen_settings(operator)}


def draw_settings(operator) -> None:
    """Return the redo panel of operators that plant."""
    layout = operator.layout
    layout.use_property_split = True
    layout.prop(operator, "ground")
    if operator.ground == "HEIGHT":
        layout.prop(operator, "ground_height")
    layout.prop(operator, "ground_motion")
    if operator.ground_motion == "GIVEN":
        layout.prop(operator, "ground_velocity")
    for name in ("contacts", "reach", "frames"):
        layout.prop(operator, name)
