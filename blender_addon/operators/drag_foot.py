# SPDX-License-Identifier: GPL-3.0-or-later
"""A foot dragged or held in Pose Mode: thigh and shin follow, whatever rig the armature has."""

from __future__ import annotations

import math

import bpy
import numpy as np
from bpy.props import BoolProperty, FloatProperty, FloatVectorProperty, IntProperty
from bpy_extras import view3d_utils

from ..bridge import checks
from ..bridge.contacts import foot_edits
from ..bridge.dragging import finish, locking
from ..bridge.dragging.drag import Drag
from ..bridge.playback import playing
from ..core.foot_drag import FREE, GROUND, HEIGHT, KNEE, TURN, Typed
from ..core.verbs import Result
from ..translations import translate
from . import common

_MODES = {"G": GROUND, "Z": HEIGHT, "R": TURN, "K": KNEE}
_KEYS = (
    "Click: leave it there    |    Esc, right button: cancel    |    G: along the ground    |    Z: height    |    "
    "R: turn    |    K: knee    |    Ctrl: on the ground"
)
_NAMES = {FREE: "free", GROUND: "along the ground", HEIGHT: "height", TURN: "turn", KNEE: "knee"}
#: characters of numbers, whatever keys they are on
_TYPED = tuple("0123456789.,-")
#: radians by which the knee turns for a pixel that the mouse moves sideways
_SWIVEL = 0.01
#: events that go on to the view while a foot is dragged
_PASSED = ("MIDDLEMOUSE", "WHEELUPMOUSE", "WHEELDOWNMOUSE", "TRACKPADPAN", "TRACKPADZOOM")


class FootOperator(common.ArmatureOperator):
    """What the operators share that work on the foot of the active bone."""

    @staticmethod
    def why_not(context):
        has_bone = context.mode == "POSE" and context.active_pose_bone is not None
        return common.cannot_compute(context) or ("" if has_bone else "Choose the bone of a foot in Pose Mode first")


class SKELKIN_OT_lock_foot(FootOperator, bpy.types.Operator):
    """Hold the foot in the preview range or the selected keys."""

    bl_idname = "skelkin.lock_foot"
    bl_label = "Lock Foot"

    first: IntProperty(name="First", description="First frame in which the foot is held", options={"SKIP_SAVE"})
    last: IntProperty(name="Last", description="Last frame in which the foot is held", options={"SKIP_SAVE"})

    def work(self, context, ob):
        if not (self.properties.is_property_set("first") and self.properties.is_property_set("last")):
            self.first, self.last = locking.selected_range(context, ob)
        return locking.lock(context, ob, context.active_pose_bone.name, self.first, self.last)


class SKELKIN_OT_foot_edit_remove(common.ArmatureOperator, bpy.types.Operator):
    """Remove the active edit, and let the foot go as planted."""

    bl_idname = "skelkin.foot_edit_remove"
    bl_label = "Remove Edit"

    @staticmethod
    def why_not(context):
        problem = common.not_planted(context)
        if problem:
            return problem
        mark = playing(checks.armature_of(context)).action.skelkin
        return "" if 0 <= mark.foot_edit < len(mark.foot_edits) else "Choose an edit in the list first"

    def work(self, context, ob):
        gone = foot_edits.remove_active(playing(ob).action)
        return Result(f"{gone.foot} {gone.frame}: edit removed", [], ("Press Update to plant without it",))


class SKELKIN_OT_drag_foot(FootOperator, bpy.types.Operator):
    """Drag the foot of the active bone; thigh and shin follow."""

    bl_idname = "skelkin.drag_foot"
    bl_label = "Drag Foot"
    bl_options = {"REGISTER", "UNDO", "BLOCKING"}

    move: FloatVectorProperty(
        name="Move", description="Motion of the ankle in world space", subtype="TRANSLATION", options={"SKIP_SAVE"}
    )
    turn: FloatVectorProperty(
        name="Turn", description="Rotation of the foot in world space: axis times angle", options={"SKIP_SAVE"}
    )
    swivel: FloatProperty(
        name="Knee",
        description="Turn of the knee around the line from hip to ankle",
        subtype="ANGLE",
        options={"SKIP_SAVE"},
    )
    snap: BoolProperty(name="On Ground", description="Set the sole on the ground", options={"SKIP_SAVE"})

    def execute(self, context):
        drag = None
        try:
            drag = self._begun(context)
            self._put(context, drag)
            return common.report_result(self, finish.confirm(context, drag, turns_knee=bool(self.swivel)))
        except Exception as error:
            if drag is not None:
                drag.leave()
            return common.report_error(self, error)

    def _begun(self, context) -> Drag:
        bone = context.active_pose_bone
        return Drag(context, bone.id_data, bone.name)

    def _put(self, context, drag: Drag) -> None:
        ankle, turn = drag.ankle + np.array(self.move), np.array(self.turn)
        if self.snap:
            ankle = drag.snapped(context, ankle, turn)
        drag.to(ankle, turn, self.swivel)

    def invoke(self, context, event):
        if context.area is None or context.area.type != "VIEW_3D":
            return self.execute(context)
        try:
            self._drag = self._begun(context)
        except Exception as error:
            return common.report_error(self, error)
        self._typed = Typed()
        self._enter(FREE, context, event)
        context.workspace.status_text_set(translate(_KEYS))
        self._show(context)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        if not self._drag.is_undisturbed:
            self.cancel(context)
            self.report({"INFO"}, translate("Cancelled: something else moved the leg or the frame"))
            return {"CANCELLED"}
        if event.type in _PASSED:
            return {"PASS_THROUGH"}
        pressed = event.value == "PRESS"
        if pressed and event.type in ("ESC", "RIGHTMOUSE"):
            self.cancel(context)
            return {"CANCELLED"}
        if pressed and event.type in ("LEFTMOUSE", "RET", "NUMPAD_ENTER"):
            return self._confirm(context)
        if pressed and event.type in _MODES:
            mode = _MODES[event.type]
            self._enter(FREE if mode == self._mode else mode, context, event)
        elif event.type == "MOUSEMOVE" or event.type.endswith("_CTRL"):
            self._mouse = _mouse(context, event)
            self.snap = event.ctrl
        elif pressed:
            key = event.ascii if event.ascii in _TYPED else event.type
            self._typed = self._typed.after(key.replace(",", "."), self._mode) or self._typed
        try:
            self._follow(context)
            self._put(context, self._drag)
        except Exception as error:
            self.cancel(context)
            return common.report_error(self, error)
        self._show(context)
        return {"RUNNING_MODAL"}

    def _enter(self, mode: str, context, event) -> None:
        """Begin a way of dragging where the foot is now."""
        self._mode, self._typed = mode, Typed()
        self._mouse = self._from = _mouse(context, event)
        self._before = np.array(self.move), np.array(self.turn), self.swivel

    def _follow(self, context) -> None:
        """Give the properties what mouse or typed numbers say."""
        move, turn, swivel = self._before
        typed = np.radians(self._typed.values) if self._mode in (TURN, KNEE) else np.array(self._typed.values)
        if self._mode == KNEE:
            self.swivel = swivel + (typed[0] if len(typed) else _SWIVEL * (self._mouse[0] - self._from[0]))
        elif self._mode == TURN:
            angle = typed[0] if len(typed) else self._angle(context)
            axis = _view(context)[1].view_rotation.to_matrix().col[2]
            self.turn = self._drag.turned_on(turn, angle * np.array(axis))
        elif len(typed):
            self.move = move + {FREE: typed, GROUND: [*typed, 0.0][:3], HEIGHT: [0.0, 0.0, typed[0]]}[self._mode]
        else:
            self.move = move + self._mouse_motion(context)

    def _mouse_motion(self, context) -> np.ndarray:
        """Return how far the mouse has gone, in the world at the ankle's depth or along the ground."""
        ankle = self._drag.ankle + self._before[0]
        places = [self._place(context, at, ankle) for at in (self._from, self._mouse)]
        motion = places[1] - places[0]
        return motion * [0.0, 0.0, 1.0] if self._mode == HEIGHT else motion

    def _place(self, context, at: tuple[int, int], ankle: np.ndarray) -> np.ndarray:
        view = _view(context)
        place = np.array(view3d_utils.region_2d_to_location_3d(*view, at, ankle.tolist()))
        if self._mode != GROUND:
            return place
        ray = np.array(view3d_utils.region_2d_to_vector_3d(*view, at))
        if abs(ray[2]) < 0.02:  # along the ground, which the mouse then never meets
            return np.array([place[0], place[1], ankle[2]])
        return place + ray * ((ankle[2] - place[2]) / ray[2])

    def _angle(self, context) -> float:
        """Return by how much the mouse has gone round the ankle."""
        ankle = self._drag.ankle + self._before[0]
        middle = view3d_utils.location_3d_to_region_2d(*_view(context), ankle.tolist())
        if middle is None:
            return 0.0
        first, now = (math.atan2(y - middle[1], x - middle[0]) for x, y in (self._from, self._mouse))
        return math.remainder(now - first, 2 * math.pi)

    def _show(self, context) -> None:
        moved = ", ".join(f"{value:.4g}" for value in self.move)
        typed = "".join(f"  [{text}]" for text in self._typed.fields)
        text = f"{self._drag.leg.ankle}, {translate(_NAMES[self._mode])}: {moved}; {math.degrees(self.swivel):.1f}°"
        context.area.header_text_set(text + typed)

    def _confirm(self, context) -> set[str]:
        drag = self._drag
        self._end(context)
        try:
            return common.report_result(self, finish.confirm(context, drag, turns_knee=bool(self.swivel)))
        except Exception as error:
            drag.leave()
            return common.report_error(self, error)

    def cancel(self, context):
        """Give the pose back."""
        self._drag.leave()
        self._end(context)

    def _end(self, context) -> None:
        if context.area is not None:
            context.area.header_text_set(None)
        if context.workspace is not None:
            context.workspace.status_text_set(None)


def _view(context) -> tuple:
    """Return the main region of the 3-D view and how it looks at the scene; a button may be in another region."""
    region = next(region for region in context.area.regions if region.type == "WINDOW")
    return region, context.area.spaces.active.region_3d


def _mouse(context, event) -> tuple[int, int]:
    """Return where the mouse is in the main region."""
    region, _ = _view(context)
    return event.mouse_x - region.x, event.mouse_y - region.y


CLASSES = (SKELKIN_OT_drag_foot, SKELKIN_OT_lock_foot, SKELKIN_OT_foot_edit_remove)
