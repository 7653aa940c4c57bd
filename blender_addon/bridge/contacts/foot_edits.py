# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames in which feet of a planted action were dragged by hand: kept with it, and applied by each planting."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from ...core import contacts as core
from ...core.contacts import FRAME, Message, Span
from ...core.packing import packed, unpacked
from ..rig.leg_joints import standing
from . import stored

#: seconds over which an edit fades to either side
FADE = 0.2
#: touch-ups that differ by less are the same
_SAME = 1e-6


class FootEdit(NamedTuple):
    """Where a foot is in some frames of the scene, in world space; rotations are `w x y z`."""

    foot: str
    frame: int
    last: int
    place: tuple[float, ...]
    rotation: tuple[float, ...]
    pole: tuple[float, ...] | None  # the point that the knee looks at
    fade: tuple[int, int]  # frames
    base: str = ""  # the foot's touch-ups in these frames when it was made, packed; empty where it is new


def read(action) -> list[FootEdit]:
    """Return the edits of an action."""
    return [
        FootEdit(
            item.foot,
            item.frame,
            item.last,
            tuple(item.place),
            tuple(item.rotation),
            tuple(item.pole) if item.use_pole else None,
            (item.fade_in, item.fade_out),
            item.base,
        )
        for item in action.skelkin.foot_edits
    ]


def write(action, edits: Iterable[FootEdit]) -> None:
    """Make these the edits of an action, in the order of their frames."""
    items, was_edited = action.skelkin.foot_edits, action.skelkin.contacts_edited
    items.clear()
    for edit in sorted(edits, key=lambda edit: (edit.frame, edit.foot)):
        item = items.add()
        for name in ("foot", "frame", "last", "place", "rotation", "base"):
            setattr(item, name, getattr(edit, name))
        item.use_pole, item.pole = edit.pole is not None, edit.pole or (0.0, 0.0, 0.0)
        item.fade_in, item.fade_out = edit.fade
    action.skelkin.contacts_edited = was_edited


def at(action, foot: str, frame: int) -> FootEdit | None:
    """Return the edit of a foot in a frame, None where there is none."""
    return next((edit for edit in read(action) if (edit.foot, edit.frame) == (foot, frame)), None)


def put(action, new: FootEdit) -> None:
    """Add an edit, instead of the one of the same foot and frame, and make it the active one."""
    others = [edit for edit in read(action) if (edit.foot, edit.frame) != (new.foot, new.frame)]
    write(action, [*others, new])
    mark = action.skelkin
    mark.foot_edit = next(k for k, item in enumerate(mark.foot_edits) if (item.foot, item.frame) == new[:2])


def remove_active(action) -> FootEdit:
    """Remove the active edit."""
    mark, edits = action.skelkin, read(action)
    gone = edits.pop(mark.foot_edit)
    write(action, edits)
    mark.foot_edit, mark.contacts_edited = max(0, mark.foot_edit - 1), True
    return gone


def based(edits: Iterable[FootEdit], touch_ups) -> list[FootEdit]:
    """Return the edits; those that are new know the touch-ups of their foot, on which later ones come."""
    return [edit if edit.base else edit._replace(base=packed(_touched(edit, touch_ups))) for edit in edits]


def _touched(edit: FootEdit, touch_ups) -> np.ndarray:
    """Return the touch-ups (n, 7) of an edit's foot in its frames."""
    return touch_ups.rows([edit.foot], np.arange(edit.frame, edit.last + 1))[:, 0]


def _targets(package, edit: FootEdit, touch_ups, rows: range, motion, fps: float) -> dict:
    """Return the target of the foot in each row: where it was brought, and the touch-ups made since on top."""
    fade, first = (edit.fade[0] / fps, edit.fade[1] / fps), int(motion.poses.frames[0])
    now, base = _touched(edit, touch_ups), unpacked(edit.base, 7).astype(np.float64)
    if len(base) != len(now) or np.abs(now - base).max() < _SAME:
        return dict.fromkeys(rows, package.FootTarget(edit.place, edit.rotation, fade))
    touch_ups, found = package.planting.editing.touch_ups, {}
    for row in rows:
        world, here = motion.poses.world[row], [row + first - edit.frame]
        own = np.linalg.inv(world) @ package.transforms.compose([edit.place], [edit.rotation], [[1.0, 1.0, 1.0]])
        own = touch_ups.placed(own, touch_ups.together(touch_ups.undone(base[here]), now[here]))
        place, rotation, _ = package.decompose(world @ own)
        found[row] = package.FootTarget(tuple(place[0]), tuple(rotation[0]), fade)
    return found


def applied(package, ob, edits: Iterable[FootEdit], touch_ups, rig, motion, planted):
    """Return what was planted (`PlantedLocals`) with the edits in it, and messages about those that cannot be."""
    editing, feet, fps, messages = package.planting.editing, stored.feet_of(ob), motion.fps, []
    start, (first, last) = int(rig.frames[0]), rig.planted
    found: dict[int, tuple[dict, dict]] = {}
    for edit in edits:
        leg = core.leg_of(edit.foot, feet)
        rows = range(max(edit.frame, first) - start, min(edit.last, last) - start + 1)
        if leg is None or not rows:
            why = "no leg has this foot: find the legs" if leg is None else "it is not planted: choose another Range"
            messages.append(
                Message(
                    f"{edit.foot}: the edit of frame {FRAME} has no effect, as {why}, or remove the edit", (edit.frame,)
                )
            )
            continue
        targets, poles = found.setdefault(leg, ({}, {}))
        targets.update(_targets(package, edit, touch_ups, rows, motion, fps))
        if edit.pole is not None:
            poles.update(dict.fromkeys(rows, edit.pole))
    local, moved = planted.local, {*planted.changed}
    for k, (targets, poles) in found.items():
        leg = standing(package, rig.linked, rig.legs[k])
        spans: list[Span] = [(one.first_frame, one.last_frame) for one in planted.report.contacts if one.leg == k]
        own = editing.edits.LegEdits((), targets, poles)
        local = editing.handles.edited_locals(motion.skeleton, local, fps, leg, own, spans, FADE / 2)
        moved |= {*leg.chain}
    return planted._replace(local=local, changed=tuple(sorted(moved))), messages
