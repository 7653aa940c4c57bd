# SPDX-License-Identifier: GPL-3.0-or-later
"""The ways of feet drawn into the 3-D view: nothing is done while it is off.

Lines are kept in memory for the planted actions of this session; a file that was opened has none until *Update*.
"""

from __future__ import annotations

import bpy

from ..core.foot_paths import FootPath, Lines, lines_of
from . import checks, playback

#: the original thin and grey, planted in Blender's orange, standing in green
_LOOKS = (("before", (0.6, 0.6, 0.6, 0.6), 1.0), ("after", (1.0, 0.55, 0.1, 0.9), 1.5))
_STANDING, _PLACES = ((0.2, 0.9, 0.4, 1.0), 4.0), ((0.2, 0.9, 0.4, 1.0), 7.0)

#: planted actions whose lines are kept: the last ones
_MOST = 100

_lines: dict[str, Lines] = {}
_batches: dict[str, list] = {}
_handle: list = []


def remember(action, plan, ankles: dict) -> None:
    """Keep the lines of a planted action; ``ankles`` are the evaluated matrices of the feet on all frames."""
    feet = []
    for leg, way in enumerate(plan.ways):
        after = ankles.get(way.ankle, plan.ankles[way.ankle])[:, :3, 3]
        feet.append(FootPath(plan.feet_before[way.ankle], after, plan.contact_rows(leg)))
    forget(action.skelkin.pair)
    _lines[action.skelkin.pair] = lines_of(feet)
    while len(_lines) > _MOST:
        forget(next(iter(_lines)))


def forget(pair: str) -> None:
    """Let go of the lines of the planted actions with this mark, where there are some."""
    _lines.pop(pair, None)
    _batches.pop(pair, None)


def lines_for(context) -> Lines | None:
    """Return the lines of what the active armature plays; None where there are none."""
    ob = checks.armature_of(context)
    if ob is None or not playback.is_on(ob):
        return None
    return _lines.get(ob.animation_data.action.skelkin.pair)


def _draw() -> None:
    """Draw the lines; Blender calls it on each redraw of a 3-D view."""
    import gpu  # which there is none of without a window

    lines = lines_for(bpy.context)
    if lines is None or not bpy.context.space_data.overlay.show_overlays:
        return
    name = checks.armature_of(bpy.context).animation_data.action.skelkin.pair
    if name not in _batches:
        _batches[name] = _made(lines)
    gpu.state.blend_set("ALPHA")
    for shader, batch, color, width, points in _batches[name]:
        (gpu.state.point_size_set if points else gpu.state.line_width_set)(width)
        shader.bind()
        shader.uniform_float("color", color)
        batch.draw(shader)
    gpu.state.line_width_set(1.0)
    gpu.state.blend_set("NONE")


def _made(lines: Lines) -> list:
    """Return shader, batch, colour, width and whether it is points, for what there is to draw."""
    import gpu
    from gpu_extras.batch import batch_for_shader

    kind = "3D_UNIFORM_COLOR" if bpy.app.version < (4, 0) else "UNIFORM_COLOR"
    shader = gpu.shader.from_builtin(kind)
    looks = [(getattr(lines, name), color, width, False) for name, color, width in _LOOKS]
    looks += [(lines.standing, *_STANDING, False), (lines.places, *_PLACES, True)]
    found = []
    for points, color, width, are_points in looks:
        if len(points):
            drawn = "POINTS" if are_points else "LINES"
            batch = batch_for_shader(shader, drawn, {"pos": points.reshape(-1, 3)})
            found.append((shader, batch, color, width, are_points))
    return found


def switch(_owner, context) -> None:
    """Draw from now on, or no more: what the property says."""
    stop()
    if context.window_manager.skelkin_foot_paths and not bpy.app.background:
        _handle.append(bpy.types.SpaceView3D.draw_handler_add(_draw, (), "WINDOW", "POST_VIEW"))
    for window in context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                area.tag_redraw()


def stop() -> None:
    """Draw nothing any more."""
    while _handle:
        bpy.types.SpaceView3D.draw_handler_remove(_handle.pop(), "WINDOW")


def register() -> None:
    """Add the property that switches it."""
    bpy.types.WindowManager.skelkin_foot_paths = bpy.props.BoolProperty(
        name="Foot Paths",
        description="Draw the ways of the feet into the 3-D view: grey before, orange planted, green where they stand",
        default=False,
        update=switch,
    )


def unregister() -> None:
    """Draw nothing, keep nothing, and take the property away."""
    stop()
    _lines.clear()
    _batches.clear()
    del bpy.types.WindowManager.skelkin_foot_paths
