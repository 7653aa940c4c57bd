# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether feet are where they were planned, once the keys are written."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from . import curve_poses
from .planting import Plan
from .poses import stepping

#: where the F-curves say all about the legs, so many frames are evaluated by Blender too
_SAMPLES = 9


class Misses(NamedTuple):
    """How far each foot is from where it was planned at the worst, in leg lengths, and on which frame that is.

    ``controls`` are the world matrices (F, 4, 4) of the feet's controls.
    """

    worst: dict[str, tuple[float, int]]
    controls: dict[str, np.ndarray]

    def told(self) -> str:
        """Return the worst of all in words."""
        error, frame = max(self.worst.values())
        where = f"within {100 * error:.2g} % of the leg of where they were planned; the worst is frame {frame}"
        return f"All frames checked: feet are {where}"

    def beyond(self, bound: float) -> set[str]:
        """Return the feet that are off by more."""
        return {ankle for ankle, (error, _) in self.worst.items() if error > bound}


def measure(context, package, ob, plan: Plan) -> Misses:
    """Look at all frames: by stepping the scene, or where that was not needed before either, from the F-curves."""
    places, picks = {}, np.arange(len(plan.frames))
    if not plan.stepped:
        places = _from_curves(package, ob, plan)
        picks = np.unique(np.linspace(0, picks[-1], _SAMPLES).round().astype(int))
    heads = np.empty((len(picks), len(plan.ankles), 3))
    controls = {control.bone: np.empty((len(picks), 4, 4)) for control in plan.controls}
    with stepping(context) as frame_set:
        for row, i in enumerate(picks):
            frame_set(int(plan.frames[i]))
            world = np.array(ob.matrix_world)
            for column, name in enumerate(plan.ankles):
                heads[row, column] = (world @ np.append(np.array(ob.pose.bones[name].head), 1.0))[:3]
            for name, matrices in controls.items():
                matrices[row] = world @ np.array(ob.pose.bones[name].matrix)
    worst = {}
    for column, (name, planned) in enumerate(plan.ankles.items()):
        seen = [(heads[:, column], picks), *([(places[name], np.arange(len(planned)))] if name in places else ())]
        worst[name] = max(_worst(places, planned, rows, plan) for places, rows in seen)
    return Misses(worst, controls)


def _worst(found: np.ndarray, planned: np.ndarray, rows: np.ndarray, plan: Plan) -> tuple[float, int]:
    errors = np.linalg.norm(found - planned[rows], axis=1) / plan.leg_length
    worst = int(errors.argmax())
    return float(errors[worst]), int(plan.frames[rows[worst]])


def _from_curves(package, ob, plan: Plan) -> dict[str, np.ndarray]:
    """Return the places (F, 3) of the ankles that the F-curves now give."""
    names = plan.armature.names
    poses = curve_poses.read_curves(package, ob, plan.armature, plan.frames, (), int(plan.frames[0]))
    heads = (poses.world[:, None] @ poses.pose)[..., :3, 3]
    return {name: heads[:, names.index(name)] for name in plan.ankles if name in names}
