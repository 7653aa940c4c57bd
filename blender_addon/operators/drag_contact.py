# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts dragged with the mouse on the rows in which they are drawn."""

from __future__ import annotations

import math

import bpy

from ..bridge import checks, playback
from ..bridge.contacts import drawn, edits, stored
from ..core.contact_grips import BOTH, dragged, room_of
from ..translations import translate
from . import common

_CANCELS = ("ESC", "RIGHTMOUSE")
_KEYS = "Release: leave it there    |    Esc, right button: cancel"
_CURSORS = {False: "MOVE_X", True: "SCROLL_X"}


class SKELKIN_OT_drag_contact(common.Undone, bpy.types.Operator):
    """Drag an end of a contact, or all of it, to other frames; a click makes it the active one.

    Nothing is written before the button is let go of.
    """

    bl_idname = "skelkin.drag_contact"
    bl_label = "Drag Contact"
    bl_description = "Drag an end of a contact, or all of it, to other frames"
    bl_options = {"UNDO", "BLOCKING", "INTERNAL"}

    @classmethod
    def poll(cls, context):
        return drawn.is_shown() and context.area is not None and context.region is not None

    def invoke(self, context, event):
        grip = drawn.grip_below(context, event.mouse_region_x, event.mouse_region_y)
        if grip is None:
            return {"PASS_THROUGH"}
        ob = drawn.planted_of(context)
        action = playback.playing(ob).action
        low, high = action.frame_range
        frames = math.floor(low), math.ceil(high)
        self._grip, self._strip, self._bar = grip, drawn.strip_of(context), grip.bar
        self._room = room_of(grip.bar, drawn.bars_of(action), stored.feet_of(ob), frames)
        self._start = self._strip.frame(event.mouse_region_x)
        context.window.cursor_modal_set(_CURSORS[grip.part == BOTH])
        context.workspace.status_text_set(translate(_KEYS))
        self._show(context)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        if event.type in _CANCELS and event.value == "PRESS":
            self.cancel(context)
            return {"CANCELLED"}
        if event.type == "LEFTMOUSE" and event.value == "RELEASE":
            self.cancel(context)
            return self._write(context)
        if event.type == "MOUSEMOVE":
            bar = self._grip.bar
            by = round(self._strip.frame(event.mouse_region_x) - self._start)
            first, last = dragged((bar.first, bar.last), self._grip.part, by, self._room)
            self._bar = bar._replace(first=first, last=last)
            self._show(context)
        return {"RUNNING_MODAL"}

    def cancel(self, context):
        """Let go of the bar: it is drawn where the markers are."""
        drawn.hold(None)
        if context.area is not None:
            context.area.header_text_set(None)
        if context.window is not None:
            context.window.cursor_modal_restore()
        if context.workspace is not None:
            context.workspace.status_text_set(None)

    def _show(self, context) -> None:
        bar, was = self._bar, self._grip.bar
        moved = f" (was {was.first}–{was.last})" if bar != was else ""
        context.area.header_text_set(translate(f"{bar.foot}: stands in frames {bar.first}–{bar.last}{moved}"))
        drawn.hold(bar)

    def _write(self, context) -> set[str]:
        ob, bar = drawn.planted_of(context), self._bar
        if ob is None:
            return {"CANCELLED"}
        if bar == self._grip.bar:
            return {"FINISHED"} if edits.choose(ob, bar.key) else {"CANCELLED"}
        try:
            edits.move(ob, bar.key, bar.first, bar.last)
        except checks.Refused as error:
            return common.report_error(self, error)
        return {"FINISHED"}
