# SPDX-License-Identifier: GPL-3.0-or-later
"""A foot held over a range of frames where it is now."""

from __future__ import annotations

from ...core.state import TRANSFORM_CHANNELS, Refused
from ...core.verbs import Result
from .. import actions
from ..checks import check_order
from ..playback import is_on, playing, scene_range
from ..poses import stepping
from . import finish
from .drag import Drag


def selected_range(context, ob) -> tuple[int, int]:
    """Return the preview range where it is used, else the frames from the first to the last selected key.

    Raises
    ------
    Refused
        If there is neither.
    """
    scene = context.scene
    if scene.use_preview_range:
        return scene_range(scene, preview=True)
    frames = actions.selected_range(*playing(ob))
    if frames is None or frames[0] == frames[1]:
        raise Refused("Select keys from the first to the last frame in which to hold the foot, or set a preview range")
    return frames


def lock(context, ob, active: str, first: int, last: int) -> Result:
    """Hold the foot of a bone over a range where it is now.

    Raises
    ------
    Refused
        If the range is empty, or the foot cannot be dragged; all is as before.
    """
    check_order(first, last)
    drag = Drag(context, ob, active)
    drag.leave()
    if is_on(ob) and drag.leg.place is not None:
        new = finish.edit_of(context, drag, turns_knee=False)._replace(frame=first, last=last)
        return finish.planted_again(context, ob, new, f"{new.foot}: held in frames {first}–{last}")
    before = [(bone, name, tuple(getattr(bone, name))) for bone in ob.pose.bones for name, _ in TRANSFORM_CHANNELS]
    keyed, poses = set(), {}
    try:
        with stepping(context) as frame_set:
            for frame in range(first, last + 1):
                frame_set(frame)
                step = Drag(context, ob, active)
                step.to(drag.ankle, step.turn_to(drag.rotation), 0.0)
                poses[frame] = step.written
                step.leave()
            step.key(poses)
            keyed = set(step.written)
    finally:
        for bone, name, value in before:
            if (bone.name, name) not in keyed:
                setattr(bone, name, value)
    return Result(f"{drag.leg.ankle} held and keyed in frames {first}–{last}", [])
