# SPDX-License-Identifier: GPL-3.0-or-later
"""What is left of a drag: keys in an ordinary action; in a planted one an edit, with which it is planted again."""

from __future__ import annotations

import json

import numpy as np

from ...core import verbs
from ...core.state import Refused
from ...core.steps import finished
from ...core.verbs import Result
from ...core.words import counted
from .. import plant_settings, switching
from ..contacts import foot_edits, stored
from ..contacts.foot_edits import FootEdit
from ..playback import is_on, playing
from .drag import Drag


def confirm(context, drag: Drag, *, turns_knee: bool) -> Result:
    """Keep a drag.

    Raises
    ------
    Refused
        If the armature takes no keys, or cannot be planted again; all is as it was before the drag.
    """
    ob, scene = drag.object, context.scene
    if not is_on(ob) or drag.leg.place is None:
        drag.key()
        return Result(f"{drag.leg.ankle} dragged and keyed in frame {scene.frame_current_final:g}", [])
    if scene.frame_current_final % 1.0:
        raise Refused("Go to a whole frame first: edits of a planted action are in whole frames")
    new = edit_of(context, drag, turns_knee=turns_knee)
    drag.leave()
    return planted_again(context, ob, new, f"{new.foot}: dragged in frame {new.frame}")


def planted_again(context, ob, new: FootEdit, line: str) -> Result:
    """Plant again with one more edit; where that fails they are as before."""
    action = playing(ob).action
    before, active = foot_edits.read(action), action.skelkin.foot_edit
    try:
        foot_edits.put(action, new)
        result = finished(switching.steps(context, ob, verbs.update, {}))
    except BaseException:
        foot_edits.write(action, before)
        action.skelkin.foot_edit = active
        raise
    count = counted(len(foot_edits.read(playing(ob).action)), "edit")
    return result._replace(line=f"{line}; planted with {count}")


def edit_of(context, drag: Drag, *, turns_knee: bool) -> FootEdit:
    """Return where foot and knee are now."""
    context.view_layer.update()
    ob, leg, frame = drag.object, drag.leg, int(context.scene.frame_current_final)
    _, knee, ankle = (
        np.array(ob.matrix_world @ ob.pose.bones[leg.names[joint]].matrix, np.float64) for joint in leg.limb.chain
    )
    place, rotation, _ = drag.package.transforms.decompose(ankle)
    foot = stored.feet_of(ob)[leg.place].name
    former = foot_edits.at(playing(ob).action, foot, frame)
    has_pole = turns_knee or (former is not None and former.pole is not None)
    pole = tuple(knee[:3, 3]) if has_pole else None
    settings = plant_settings.wanted(ob, json.loads(playing(ob).action.skelkin.settings), {})
    fade = max(1, round(foot_edits.FADE * plant_settings.frame_rate(context, drag.package, settings)))
    return FootEdit(foot, frame, frame, tuple(place), tuple(rotation), pole, former.fade if former else (fade, fade))
