# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators that do what a verb plans; how one is made of a verb."""

from __future__ import annotations

import json
from collections.abc import Callable

import bpy

from ..bridge import checks, plant_settings, playback, switching
from ..properties import PlantSettings
from ..widgets import draw_settings
from . import common
from .stepwise import Stepwise


class PlannedOperator(Stepwise, common.ArmatureOperator):
    """What the operators share that do what a ``verb`` plans for the armature."""

    verb: Callable
    for_whom = staticmethod(checks.armature_of)

    def steps(self, context):
        return switching.steps(context, self.for_whom(context), self.verb, *self.given())

    def given(self) -> tuple:
        """Return what the verb gets besides the state and the armature."""
        return ()


class PlantingOperator(PlannedOperator, PlantSettings):
    """What those share that plant; the verb is given the settings that were chosen."""

    def invoke(self, context, event):
        self.load(context)
        return self.begin(context)

    def load(self, context) -> None:
        """Take the settings that it would work with, so that the redo panel shows them."""
        ob = checks.armature_of(context)
        planted = playback.playing(ob).action if playback.is_on(ob) else playback.waiting(ob)
        stored = json.loads(planted.skelkin.settings or "{}") if planted is not None else {}
        plant_settings.give(self, plant_settings.wanted(ob, stored, {}))

    def given(self) -> tuple:
        return (common.chosen_settings(self),)

    def draw(self, context):
        draw_settings(self.layout, self)


def operator(verb: Callable, label: str, why_not: Callable[..., str], base: type = PlannedOperator, **more) -> type:
    """Return the operator of a verb, whose docstring is the tooltip."""
    names = {"bl_idname": f"skelkin.{verb.__name__}", "bl_label": label, "__doc__": verb.__doc__}
    names |= {"verb": staticmethod(verb), "why_not": staticmethod(why_not), **more}
    return type(f"SKELKIN_OT_{verb.__name__}", (base, bpy.types.Operator), names)
