# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether feet are where they were planned, once the keys are written."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..core.steps import Steps
from . import curve_poses
from .planting import Plan
from .poses import stepping

#: frames that Blender evaluates too, where the F-curves alone move the legs
_SAMPLES = 5


class Misses(NamedTuple):
    """How far head or tail of each foot is from where it was planned at the worst, in leg lengths, and on which frame.

    ``found`` are the matrices (F, 4, 4) of the feet and of the plan's targets in world space; ``ankles`` those of the
    feet on all frames.
    """

    worst: dict[str, tuple[float, int]]
    found: dict[str, np.ndarray]
    ankles: dict[str, np.ndarray]

    def summary(self, centimetres: float) -> str:
        """Return the worst of all in words; the leg is so many centimetres long."""
        error, frame = max(self.worst.values())
        off = f"{max(100 * error, 0.001):.2g} % of the leg ({error * centimetres:.2g} cm)"
        return f"All frames checked: feet are within {off} of where they were planned, worst in frame {frame}"

    def beyond(self, bound: float) -> set[str]:
        """Return the feet that are off by more."""
        return {ankle for ankle, (error, _) in self.worst.items() if error > bound}


def measure(context, package, ob, plan: Plan) -> Steps:
    """Look at all frames: by stepping the scene, or where that was not needed before either, from the F-curves.

    The result is `Misses`.
    """
    picks, read = np.arange(len(plan.frames)), {}
    if not plan.stepped:
        read = yield from _from_curves(package, ob, plan)
        yield
        picks = np.unique(np.linspace(0, picks[-1], _SAMPLES).round().astype(int))
    names = [*plan.ankles, *(target.bone for target in plan.targets), *(end.shin for end in plan.ends)]
    context.view_layer.update()  # playing another action takes time, and so does the first frame
    yield
    found = {name: np.empty((len(picks), 4, 4)) for name in names}
    with stepping(context) as frame_set:
        for row, i in enumerate(picks):
            frame_set(int(plan.frames[i]))
            world = np.array(ob.matrix_world)
            for name, matrices in found.items():
                matrices[row] = world @ np.array(ob.pose.bones[name].matrix)
            yield
    worst = {}
    for name, planned in plan.ankles.items():
        tail = ob.data.bones[name].length
        seen = [(found[name], picks), *([(read[name], np.arange(len(planned)))] if name in read else ())]
        worst[name] = max(_worst(matrices, planned, rows, tail, plan) for matrices, rows in seen)
    for end in plan.ends:
        apart = (found[end.shin] @ end.point - plan.ankles[end.foot][picks, :, 3])[:, :3]
        more = (np.linalg.norm(apart, axis=1) - end.gaps[picks]) / plan.leg_length
        worst[end.foot] = max(worst[end.foot], (float(more.max()), int(plan.frames[picks[more.argmax()]])))
    seen_feet = {name: found[name] for name in plan.ankles} if plan.stepped else read
    return Misses(worst, found, seen_feet)


def _worst(found: np.ndarray, planned: np.ndarray, rows: np.ndarray, tail: float, plan: Plan) -> tuple[float, int]:
    apart = found - planned[rows]
    ends = np.stack([apart[:, :3, 3], apart[:, :3, 3] + tail * apart[:, :3, 1]])
    errors = np.linalg.norm(ends, axis=2).max(axis=0) / plan.leg_length
    worst = int(errors.argmax())
    return float(errors[worst]), int(plan.frames[rows[worst]])


def _from_curves(package, ob, plan: Plan) -> Steps:
    """Return the matrices (F, 4, 4) of the ankles in world space that the F-curves now give."""
    names = plan.armature.names
    poses = yield from curve_poses.curve_steps(package, ob, plan.armature, plan.frames, (), int(plan.frames[0]))
    world = poses.world[:, None] @ poses.pose
    return {name: world[:, names.index(name)] for name in plan.ankles if name in names}
