# SPDX-License-Identifier: GPL-3.0-or-later
"""The paths of feet drawn into the 3-D view: nothing is done while it is off.

Lines are kept in memory for each planting of this session, by a name in its action: undo brings the former name back,
and so the former lines. A file that was opened has none until *Update*.
"""

from __future__ import annotations

from uuid import uuid4

import bpy
import numpy as np

from ..core.foot_paths import FootPath, Lines, lines_of, nearest
from . import checks, compat, playback

#: the original grey, red where it slid, planted in Blender's orange, standing in green, rings on the ground in blue
_THIN = (("before", (0.6, 0.6, 0.6, 0.6)), ("after", (1.0, 0.55, 0.1, 0.9)), ("hits", (0.3, 0.75, 1.0, 0.9)))
_THICK = (("slid", (0.95, 0.25, 0.25, 1.0)), ("standing", (0.2, 0.9, 0.4, 1.0)))
#: what is drawn in one go, and the width of its lines
_LOOKS = ((1.5, _THIN), (3.5, _THICK))

#: what the colours mean, with icons of about the same colours
LEGEND = (
    ("Before", "COLORSET_10_VEC"),
    ("Slid", "COLORSET_01_VEC"),
    ("Planted", "COLORSET_02_VEC"),
    ("Stands", "COLORSET_03_VEC"),
    ("Ground", "COLORSET_04_VEC"),
)

#: at most so many contacts have their slide written beside them, none nearer to another than this in unscaled pixels
_LABELS, _APART = 6, (90.0, 16.0)

#: plantings whose lines are kept: the last ones
_MOST = 100

_lines: dict[str, Lines] = {}
_starts: dict[str, int] = {}  # the frame of the scene that is row 0
_batches: dict[str, list] = {}
_handle: list = []


def remember(action, plan, ankles: dict) -> None:
    """Keep the lines of a planted action; ``ankles`` are the evaluated matrices of the feet on all frames."""
    feet = []
    for leg, method in enumerate(plan.methods):
        after = ankles.get(method.ankle, plan.ankles[method.ankle])[:, :3, 3]
        feet.append(FootPath(plan.feet_before[method.ankle], after, plan.stands(leg)))
    lines = lines_of(feet, plan.leg_length, 100.0 * plan.report.metres_per_unit)
    planting = action.skelkin.planting = uuid4().hex
    _lines[planting] = lines
    _starts[planting] = int(plan.frames[0])
    while len(_lines) > _MOST:
        forget(next(iter(_lines)))


def forget(planting: str) -> None:
    """Let go of the lines of a planting, where there are some."""
    _lines.pop(planting, None)
    _starts.pop(planting, None)
    _batches.pop(planting, None)


def lines_for(context) -> Lines | None:
    """Return the lines of what the active armature plays; None where there are none."""
    return _lines.get(_planting_of(context))


def shown(context) -> Lines | None:
    """Return what is to be drawn into the view of the context; None for nothing.

    A new file switches the property off without calling us.
    """
    is_on = context.window_manager.skelkin_foot_paths and context.space_data.overlay.show_overlays
    return lines_for(context) if is_on else None


def _planting_of(context) -> str:
    """Return the name of the planting that the active armature plays, empty where it plays none."""
    ob = checks.armature_of(context)
    action = playback.playing(ob).action if ob is not None else None
    return action.skelkin.planting if action is not None and action.skelkin.is_planted else ""


def _draw() -> None:
    """Draw the lines; Blender calls it on each redraw of a 3-D view."""
    import gpu  # there is none without a window

    context = bpy.context
    lines, planting = shown(context), _planting_of(context)
    if lines is None:
        return
    shader = compat.polyline_shader(gpu)
    if planting not in _batches:
        _batches[planting] = _made(lines, shader)
    gpu.state.blend_set("ALPHA")
    for width, batch in _batches[planting]:
        shader.uniform_float("lineWidth", width)
        batch.draw(shader)
    gpu.state.blend_set("NONE")


def _write() -> None:
    """Write how far feet slid beside the contacts that are nearest in time; Blender calls it on each redraw."""
    import blf
    from bpy_extras.view3d_utils import location_3d_to_region_2d

    context = bpy.context
    lines = shown(context)
    if lines is None or not lines.labels:
        return
    scale = context.preferences.system.ui_scale
    row = round(context.scene.frame_current_final) - _starts[_planting_of(context)]
    compat.set_text_size(blf, 11.0 * scale)
    blf.color(0, 0.95, 0.95, 0.95, 1.0)
    taken: list = []
    for label in nearest(lines.labels, row, _LABELS):
        at = location_3d_to_region_2d(context.region, context.region_data, label.place)
        if at is None or any(_are_near(at, other, scale) for other in taken):
            continue
        taken.append(at)
        blf.position(0, at[0] + 6 * scale, at[1] + 8 * scale, 0.0)
        blf.draw(0, label.text)


def _are_near(one, other, scale: float) -> bool:
    return all(abs(one[k] - other[k]) < apart * scale for k, apart in enumerate(_APART))


def _made(lines: Lines, shader) -> list:
    """Return width and batch of what there is to draw."""
    from gpu_extras.batch import batch_for_shader

    found = []
    for width, looks in _LOOKS:
        corners, colours = [], []
        for name, colour in looks:
            points = getattr(lines, name).reshape(-1, 3)
            corners.append(points)
            colours.append(np.tile(np.float32(colour), (len(points), 1)))
        if sum(map(len, corners)):
            content = {"pos": np.concatenate(corners), "color": np.concatenate(colours)}
            found.append((width, batch_for_shader(shader, "LINES", content)))
    return found


def switch(_owner, context) -> None:
    """Draw from now on, or stop, as the property says."""
    stop()
    if context.window_manager.skelkin_foot_paths and not bpy.app.background:
        _handle.append(bpy.types.SpaceView3D.draw_handler_add(_draw, (), "WINDOW", "POST_VIEW"))
        _handle.append(bpy.types.SpaceView3D.draw_handler_add(_write, (), "WINDOW", "POST_PIXEL"))
    playback.redraw("VIEW_3D")


def stop() -> None:
    """Draw nothing any more."""
    while _handle:
        bpy.types.SpaceView3D.draw_handler_remove(_handle.pop(), "WINDOW")


def register() -> None:
    """Add the property that switches it."""
    bpy.types.WindowManager.skelkin_foot_paths = bpy.props.BoolProperty(
        name="Foot Paths",
        description="Draw the paths of the feet in the 3D view: grey before, red where they slid, orange planted, "
        "green where they stand, blue rings on the ground, and how far each contact slid before and after",
        default=False,
        update=switch,
    )


def unregister() -> None:
    """Draw nothing, keep nothing, and take the property away."""
    stop()
    _lines.clear()
    _starts.clear()
    _batches.clear()
    del bpy.types.WindowManager.skelkin_foot_paths
