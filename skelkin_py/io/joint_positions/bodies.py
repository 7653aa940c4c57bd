# SPDX-License-Identifier: MIT
"""Which joints arrays of positions have, where the file does not say and their number says it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...skeleton import Skeleton
from ..amass.body import names_of, parents_of

_SOMA30 = (
    "Hips", "Spine1", "Spine2", "Chest", "Neck1", "Neck2", "Head", "Jaw", "LeftEye", "RightEye", "LeftShoulder",
    "LeftArm", "LeftForeArm", "LeftHand", "LeftHandThumbEnd", "LeftHandMiddleEnd", "RightShoulder", "RightArm",
    "RightForeArm", "RightHand", "RightHandThumbEnd", "RightHandMiddleEnd", "LeftLeg", "LeftShin", "LeftFoot",
    "LeftToeBase", "RightLeg", "RightShin", "RightFoot", "RightToeBase",
)  # fmt: skip
_SOMA30_PARENTS = (
    -1, 0, 1, 2, 3, 4, 5, 6, 6, 6, 3, 10, 11, 12, 13, 13, 3, 16, 17, 18, 19, 19, 0, 22, 23, 24, 0, 26, 27, 28
)  # fmt: skip


class Body(NamedTuple):
    """Joints in the order of an array, where that is known from, and frames per second usual for it."""

    names: tuple[str, ...]
    parents: tuple[int, ...]
    known_from: str
    fps: float | None


def body_of(num_joints: int, skeleton: Skeleton | None) -> Body | None:
    """Return the joints of an array of positions.

    Parameters
    ----------
    num_joints : int
        How many joints it has.
    skeleton : Skeleton, optional
        What somebody says its joints are.

    Returns
    -------
    Body or None
        None where the number says nothing.

    Raises
    ------
    ValueError
        If `skeleton` has another number of joints.

    Examples
    --------
    >>> body_of(22, None).names[:2], body_of(23, None)
    (('pelvis', 'left_hip'), None)
    """
    if skeleton is not None:
        if skeleton.num_joints != num_joints:
            raise ValueError(f"skeleton has {skeleton.num_joints} joints, and the positions are those of {num_joints}")
        parents = tuple(np.asarray(skeleton.parents).tolist())
        return Body(skeleton.names, parents, "joints are those of the skeleton that was given", None)
    if num_joints == len(_SOMA30):
        assumed = f"{num_joints} joints are taken to be those of Kimodo's SOMA skeleton"
        return Body(_SOMA30, _SOMA30_PARENTS, assumed, 30.0)
    if num_joints in (22, 24, 52, 55):
        names = names_of(num_joints)
        model = "SMPL" if num_joints < 52 else "SMPL-H or -X"
        assumed = f"{num_joints} joints are taken to be those of {model}, in its order"
        return Body(names, tuple(parents_of(names)), assumed, 20.0 if num_joints == 22 else None)
    return None
