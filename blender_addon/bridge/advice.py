# SPDX-License-Identifier: GPL-3.0-or-later
"""What to do about motion that cannot be planted as it is: bodies that lie on their side, feet that never stand."""

from __future__ import annotations

from .poses import Poses


def about_up(package, poses: Poses, skeleton, legs: list, fps: float) -> list[str]:
    """Say so where the body stands along another axis than Z; ``legs`` count their joints in ``skeleton``."""
    ends = {joint: [getattr(leg, joint) for leg in legs] for joint in ("hip", "ankle")}
    tops, feet = ((poses.world[:, None] @ poses.pose[:, joints])[..., :3, 3].mean(axis=1) for joints in ends.values())
    rest = [skeleton.rest_global[joints, :3, 3].mean(axis=0) for joints in ends.values()]
    axis = package.planting.up_axis
    try:
        up, _ = axis.find_up(tops, feet, rest[0] - rest[1], fps)
    except ValueError:  # hips and feet are at one place: nothing tells
        return []
    if up[2] > 0.5:
        return []
    return [
        f"The body stands along {axis.axis_name(up)} of the world, while +Z is up: rotate the armature object "
        "until it stands on its feet, then plant again"
    ]


#: why travel can only be kept, by what is wanted
NO_TRAVEL = {
    "IN_PLACE": "the body ends where it began",
    "TRAVELLING": "the feet do not move back at one speed: set Ground Motion to Velocity, and give theirs",
}
