# SPDX-License-Identifier: MIT
"""The side to which knees bend, from the motion where the rest pose does not show it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from .._support.array_types import Floats
from ..kinematics.joint_transforms import JointTransforms
from ..skeleton import Skeleton
from .detached_feet import legs_with_detached_feet, loose_legs
from .finder import STRUCTURE_CEILING, find_legs
from .geometry import BENT_REASON, bend_from_motion
from .leg import Leg, LegList

_SAMPLED_FRAMES = 64


def find_moving_legs(skeleton: Skeleton, motion: JointTransforms, names: Sequence[str] | None = None) -> LegList:
    """Return the legs in the rest pose; where a leg is straight there, some frames show how its knee bends.

    `names`: by which to find legs, where they are not the joints' own.
    """
    rest = np.asarray(skeleton.rest_global, np.float64)
    legs = find_legs(skeleton.names if names is None else names, skeleton.parents, rest[:, :3, 3])
    named = LegList([leg for leg in legs if leg.confidence > STRUCTURE_CEILING], legs.names)
    parents = [int(parent) for parent in skeleton.parents]
    loose = loose_legs(legs.names, parents, named)
    if named and not loose and all(BENT_REASON in leg.reasons for leg in legs):
        return legs
    count = len(motion.rotations)
    frames = np.linspace(0, count - 1, min(count, _SAMPLED_FRAMES)).astype(int)
    poses = motion.at_frames(frames).global_matrices(skeleton)
    if loose and (found := legs_with_detached_feet(loose, named, parents, rest, poses)):
        legs = LegList([*named, *found], legs.names)
    bent = (leg if BENT_REASON in leg.reasons else _bent_by_motion(leg, rest, poses) for leg in legs)
    return LegList(bent, legs.names)


def _bent_by_motion(leg: Leg, rest: Floats, poses: Floats) -> Leg:
    """Return the leg with the bend of some global poses (F, J, 4, 4); unchanged where they do not show it either."""
    bend = bend_from_motion(rest, poses, *leg.chain)
    if bend is None:
        return leg
    kept = tuple(reason for reason in leg.reasons if not reason.startswith("bend: "))
    return replace(leg, bend=bend, reasons=(*kept, "bend: from the motion, the leg is straight in the rest pose"))
