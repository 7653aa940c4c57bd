# SPDX-License-Identifier: GPL-3.0-or-later
"""What an object plays: an action and its slot, planted or not.

Whether planting is on is not stored: it is on when the assigned action carries the mark of a planted one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import bpy

from ..core.state import Played
from . import compat


def playing(ob) -> Played:
    """Return what the object plays."""
    data = ob.animation_data
    return Played(*compat.assigned(data)) if data is not None else Played(None, None)


def scene_range(scene, *, preview: bool = False) -> tuple[int, int]:
    """Return the first and last frame of the scene, or of its ``preview`` range where it is used, as keys count frames.

    Keys count them before Time Stretching.
    """
    first, last = scene.frame_start, scene.frame_end
    if preview and scene.use_preview_range:
        first, last = scene.frame_preview_start, scene.frame_preview_end
    old, new = scene.render.frame_map_old, scene.render.frame_map_new
    return math.floor(first * old / new), math.ceil(last * old / new)


def redraw(*kinds: str) -> None:
    """Let all areas of these kinds be drawn again."""
    for area in (area for window in bpy.context.window_manager.windows for area in window.screen.areas):
        if area.type in kinds:
            area.tag_redraw()


def is_on(ob) -> bool:
    """Whether the object plays a planted action."""
    action, _ = playing(ob)
    return action is not None and action.skelkin.is_planted


def source_of(ob):
    """Return the original of the planted action that plays, None where it is gone. Cheap enough for drawing."""
    return playing(ob).action.skelkin.source


def original_is_gone(ob) -> bool:
    """Whether the original of the planted action that plays is no longer there. Cheap enough for drawing."""
    return source_of(ob) is None and not playing(ob).action.skelkin.over_strips


def planted_of(ob) -> list:
    """Return the planted actions that the object points to, None where one was removed."""
    return [ob.skelkin_planted, *(item.action for item in ob.skelkin_held)]


def waiting(ob):
    """Return the planted action that belongs to the action played now, None if there is none."""
    return next(all_waiting(ob), None)


def all_waiting(ob) -> Iterator:
    """Yield the planted actions that belong to the action played now, the last one that played first."""
    action, slot = playing(ob)
    for planted in planted_of(ob):
        if planted is None or planted == action or not planted.skelkin.is_planted:
            continue
        mark = planted.skelkin
        is_original = mark.source == action and mark.over_strips == (action is None)
        if is_original and compat.find_slot(action, mark.source_slot) == slot:
            yield planted
