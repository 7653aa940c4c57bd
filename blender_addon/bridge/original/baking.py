# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys for what the NLA makes of channels: a planted action replaces what strips do to those that it animates."""

from __future__ import annotations

import numpy as np

from ...core.keys import linear_keys
from ...core.steps import Progress, Steps, finished
from .. import actions, compat, values
from ..playback import Played, playing
from ..poses import stepping
from ..write_keys import Around, write_steps
from . import nla

_OBJECT_GROUP = "Object Transforms"


def bake_steps(context, ob, copy: Played, plan) -> Steps:
    """Write into a copy of what plays what planted channels are outside of the planned range; return the plan for it.

    Where the action is not laid plainly over the strips, all that it animates is written for all frames: played plainly
    the copy looks the same then.
    """
    if not nla.blends(ob):
        return plan
    low, high = plan.around.seen
    whole = Around((low, high), (low, high))
    planted = {actions.bone_path(bone, channel): bone or _OBJECT_GROUP for bone, channel, _ in plan.channels}
    if nla.use_of(ob) == nla.OVER or playing(ob).action is None:
        first, last = int(plan.frames[0]), int(plan.frames[-1])
        if (first, last) != (low, high):
            frames = np.array([*range(low, first + 1), *range(last, high + 1)])
            yield from _bake(context, ob, copy, planted, frames)
        return plan._replace(around=whole)
    yield from _bake(context, ob, copy, {**_animated(ob), **planted}, np.arange(low, high + 1))
    return plan._replace(around=whole)


def _animated(ob) -> dict[str, str]:
    """Return each property that the object's action animates, and its group of curves."""
    return {
        curve.data_path: curve.group.name if curve.group is not None else ""
        for curve in compat.fcurves(*playing(ob))
        if actions.animates(curve) and values.get_value(ob, curve.data_path, 0) is not None
    }


def evaluated(context, ob, paths: list[str], frames: np.ndarray) -> Steps:
    """Return the values (F, N) of each property as they are evaluated on these frames."""
    found: dict[str, list] = {path: [] for path in paths}
    with stepping(context) as frame_set:
        for i, frame in enumerate(frames):
            frame_set(int(frame))
            for path in paths:
                found[path].append(values.all_values(ob, path))
            yield Progress(i, len(frames), f"reading frame {frame}", True)
    for path, rows in found.items():
        if any(row is None for row in rows):
            raise ValueError(
                f"{path} of {ob.name} is animated, and is not a number: set its action's blending to Replace, and the "
                "influence to 1"
            )
    return {path: np.array(rows, dtype=np.float64) for path, rows in found.items()}


def _bake(context, ob, copy: Played, groups: dict[str, str], frames: np.ndarray) -> Steps:
    found = yield from evaluated(context, ob, list(groups), frames)
    for path, rows in found.items():
        write(copy, path, rows, frames, groups[path])
        yield


def write(copy: Played, path: str, rows: np.ndarray, frames: np.ndarray, group: str = "") -> None:
    """Give a property these values (F, N) on these frames, and no other keys; new curves go into the group."""
    around = Around((int(frames[0]), int(frames[-1])), (int(frames[0]), int(frames[-1])))
    keys = [linear_keys(frames.astype(np.float64), column) for column in rows.T]
    finished(write_steps(*copy, path, keys, group, rows[0], around))
