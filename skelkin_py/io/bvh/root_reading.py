# SPDX-License-Identifier: MIT
"""Whether a root's position channels replace its offset, or are added to it: files do not say.

Most programs, Blender among them, let them replace it. Files of others have a root whose channels begin at 0 although
its offset is as high as its hips: read like that, the body is sunk into the ground.
"""

from __future__ import annotations

import numpy as np

from ..._support.array_types import Floats
from ...kinematics.forward import forward_kinematics_trs
from ...skeleton import Skeleton

ROOTS = ("auto", "replace", "add")
ADDED = "the root's offset is added to its positions, as feet stand on the ground only so; root='replace' leaves it out"
_LOOKS = 200  # frames that are looked at, fewer of a skeleton with very many joints
_MATRICES = 200_000
_LOW = 10.0  # percent of frames in which the lowest point may be lower than where feet stand
_NEAR = 0.08  # parts of the body's height within which feet stand on level 0
_FAR = 0.25  # and beyond which they evidently do not


def is_added(skeleton: Skeleton, rotations: Floats, translations: Floats, offset: Floats) -> bool:
    """Return whether feet stand at level 0 if the offset of the root is added, and far from it if not.

    Parameters
    ----------
    skeleton : Skeleton
        The skeleton, whose first joint is the root in question.
    rotations : (F, J, 4) float64
        Unit quaternions ``w x y z``.
    translations : (F, J, 3) float64
        Local translations; those of the root are its position channels.
    offset : (3,) float64
        What would be added to them; 0 along axes without a channel.

    Returns
    -------
    bool
        False wherever there is a doubt.

    Notes
    -----
    The offset can only lift the body onto the ground if it points up, which is then the axis of its largest number.

    Examples
    --------
    >>> skeleton = Skeleton([-1], np.eye(4)[None], ["hips"], end_sites={0: [0.0, -9.0, 0.0]})
    >>> still, places = np.tile([1.0, 0, 0, 0], (2, 1, 1)), np.zeros((2, 1, 3))
    >>> is_added(skeleton, still, places, np.array([0.0, 9.0, 0.0]))
    True
    >>> is_added(skeleton, still, places + [0.0, 9.0, 0.0], np.array([0.0, 9.0, 0.0]))
    False
    """
    up = int(np.argmax(np.abs(offset)))
    lift = abs(float(offset[up]))
    if lift == 0.0:
        return False
    looks = min(_LOOKS, _MATRICES // rotations.shape[1] + 1)
    frames = np.unique(np.linspace(0, len(rotations) - 1, looks).round().astype(np.intp))
    matrices = forward_kinematics_trs(skeleton, rotations[frames], translations[frames])
    heights = np.asarray(matrices[:, :, up, 3])
    if skeleton.end_sites:
        joints = list(skeleton.end_sites)
        ends = np.array([skeleton.end_sites[joint] for joint in joints])
        turned = np.einsum("fji,ji->fj", matrices[:, joints, up, :3], ends)
        heights = np.concatenate([heights, heights[:, joints] + turned], axis=1)
    heights = heights * np.sign(offset[up])
    height = float(np.median(np.ptp(heights, axis=1)))
    stands = float(np.percentile(heights.min(axis=1), _LOW))
    return abs(stands) > _FAR * height and abs(stands + lift) < _NEAR * height
