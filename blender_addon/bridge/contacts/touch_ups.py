# SPDX-License-Identifier: GPL-3.0-or-later
"""What was touched up by hand in keys of legs and pelvis: kept with a planted action, made again by each planting."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...core.packing import packed, unpacked
from ...core.state import Refused
from ..rig.leg_joints import standing
from . import stored

#: in place of a foot: the bone that carries the body
PELVIS = "pelvis"
#: what is left of changes that were taken back, as a part of these
_ROUNDED = 1e-4


class TouchUps(NamedTuple):
    """Changes (n, feet, 7) in some frames of the scene, in the armature's space, as `skelkin_py` finds them."""

    feet: Sequence[str]
    frames: np.ndarray
    changes: np.ndarray

    def rows(self, feet: Sequence[str], frames: np.ndarray) -> np.ndarray:
        """Return the changes (F, feet, 7) of these feet in these frames, which rise."""
        out = np.zeros((len(frames), len(feet), 7))
        there = np.isin(self.frames, frames)
        at = np.searchsorted(frames, self.frames[there])
        for column, foot in enumerate(feet):
            if foot in self.feet:
                out[at, column] = self.changes[there, self.feet.index(foot)]
        return out

    def with_more(self, package, more: TouchUps) -> TouchUps:
        """Return these and others that were made after them."""
        frames, feet = np.union1d(self.frames, more.frames), list(dict.fromkeys((*self.feet, *more.feet)))
        parts = [each.rows(feet, frames) for each in (self, more)]
        total = package.planting.editing.touch_ups.together(*parts)
        total[np.abs(total) < _ROUNDED * np.minimum(*np.abs(parts))] = 0.0
        there = total.any(axis=(1, 2))
        return TouchUps(feet, frames[there], total[there])

    def __str__(self) -> str:
        parts = []
        for k, foot in enumerate(self.feet):
            frames = self.frames[self.changes[:, k].any(axis=1)]
            spans = np.split(frames, np.flatnonzero(np.diff(frames) > 1) + 1) if len(frames) else ()
            parts += [f"{foot} {span[0]}–{span[-1]}" if len(span) > 1 else f"{foot} {span[0]}" for span in spans]
        return ", ".join(parts)


NONE = TouchUps([PELVIS], np.empty(0, int), np.empty((0, 1, 7)))


def read(action) -> TouchUps:
    """Return the touch-ups of an action.

    Raises
    ------
    Refused
        If what is kept is no text of ours.
    """
    text = action.skelkin.touch_ups
    if not text:
        return NONE
    try:
        feet, frames, changes = json.loads(text)
        return TouchUps(feet, np.array(frames), unpacked(changes, len(feet), 7).astype(np.float64))
    except (ValueError, TypeError, zlib.error) as error:
        raise Refused(f"The touch-ups of {action.name} cannot be read: press Discard Touch-Ups") from error


def keep(action, touch_ups: TouchUps) -> None:
    """Make these the touch-ups of an action."""
    feet, frames, changes = touch_ups
    text = json.dumps([list(feet), frames.tolist(), packed(changes)]) if len(frames) else ""
    action.skelkin.touch_ups, action.skelkin.touched = text, str(touch_ups)


def applied(package, ob, touch_ups: TouchUps, rig, motion, planted):
    """Return what was planted (`PlantedLocals`) with the touch-ups made to it."""
    change = touch_ups.rows([PELVIS, *(foot.name for foot in stored.feet_of(ob))], rig.frames)
    touched = change.any(axis=(1, 2))
    if not touched.any():
        return planted
    chains = [standing(package, rig.linked, leg).chain for leg in rig.legs]
    carrier, roots = rig.armature.names.index(rig.carrier), motion.skeleton.parents < 0
    local, world = planted.local.copy(), motion.poses.world[touched, None]
    own = local[touched]
    own[:, roots] = np.linalg.inv(world) @ own[:, roots]
    own = package.planting.editing.touch_ups.with_changes(motion.skeleton, own, change[touched], carrier, chains)
    own[:, roots] = world @ own[:, roots]
    local[touched] = own
    moved = {*planted.changed, carrier, *(joint for chain in chains for joint in chain)}
    return planted._replace(local=local, changed=tuple(sorted(moved)))
