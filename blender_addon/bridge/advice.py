# SPDX-License-Identifier: GPL-3.0-or-later
"""What to do about motion that cannot be planted as it is: bodies along another axis, cycles without a speed."""

from __future__ import annotations

import numpy as np

from .poses import Poses

#: of a body that stands or sits: the part of its own up axis that points along +Z
_UPRIGHT = 0.5


def about_up(package, poses: Poses, skeleton, legs: list, fps: float) -> list[str]:
    """Say so where the body stands along another axis than Z; ``legs`` count their joints in ``skeleton``."""
    ends = {joint: [getattr(leg, joint) for leg in legs] for joint in ("hip", "ankle")}
    tops, feet = ((poses.world[:, None] @ poses.pose[:, joints])[..., :3, 3].mean(axis=1) for joints in ends.values())
    rest = [skeleton.rest_global[joints, :3, 3].mean(axis=0) for joints in ends.values()]
    if _stays_upright(poses, skeleton, legs[0], rest[0] - rest[1]):  # sitting, too: the feet are in front
        return []
    axis = package.planting.up_axis
    try:
        up, _ = axis.find_up(tops, feet, rest[0] - rest[1], fps)
    except ValueError:  # hips and feet are at one place
        return []
    if up[2] > 0.5:
        return []
    return [
        f"The body stands along {axis.axis_name(up)} of the world, while +Z is up: rotate the armature object "
        "until it stands on its feet, then plant again"
    ]


def _stays_upright(poses: Poses, skeleton, leg, up) -> bool:
    """Whether the bone above the hips turns the direction up of the rest pose to +Z, on average."""
    joint = int(skeleton.parents[leg.hip])
    if joint < 0:
        return False
    turns = (poses.world @ poses.pose[:, joint])[:, :3, :3] @ np.linalg.inv(skeleton.rest_global[joint, :3, :3])
    found = (turns @ up).mean(axis=0)
    return float(found[2]) > _UPRIGHT * float(np.linalg.norm(up))


#: why travel can only be kept, by what is wanted
NO_TRAVEL = {
    "IN_PLACE": "the body ends where it began: set Travel to Keep",
    "TRAVELLING": "the feet do not move back at one speed: set Ground Motion to Velocity, and give theirs",
}
