# SPDX-License-Identifier: MIT
"""From where joints are to how they are turned, for whole clips."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._support.arguments import array_of, listed
from .limits import JointLimits, checked_limits
from .skeleton import Skeleton, joint_number

Chain = Sequence[int | str] | NDArray[np.integer[Any]]


def chain_numbers(skeleton: Skeleton, chain: Chain) -> list[int]:
    """Return a chain's joints by number: at least two, each an ancestor of the next."""
    given = array_of(chain, "chain").tolist() if isinstance(chain, np.ndarray) else chain
    rows = listed("chain", given, "expected joints, from root to tip")
    joints = [joint_number(skeleton, joint, f"chain[{i}]") for i, joint in enumerate(rows)]
    if len(joints) < 2:
        raise ValueError(f"chain has {len(joints)} joints: expected at least two")
    for above, below in pairwise(joints):
        joint = below
        while joint > above:
            joint = int(skeleton.parents[joint])
        if joint != above or above == below:
            raise ValueError(f"chain: {skeleton.names[above]!r} is no ancestor of {skeleton.names[below]!r}")
    return joints


def rotations_from_positions(
    skeleton: Skeleton,
    local: ArrayLike,
    chain: Chain,
    positions: ArrayLike,
    *,
    frame: Literal["object", "world"] = "object",
    limits: JointLimits | None = None,
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """Turn the joints of a chain so that its bones point as positions say.

    Each joint, from the first on, makes the smallest turn that brings the next one into the direction from its own
    position to that of the next. Only directions count: bones keep the lengths that the pose has, the first joint
    stays where it is, and positions of another person or of markers do. Where lengths agree and the first joint is in
    place, the chain comes to lie on the positions.

    Parameters
    ----------
    skeleton : Skeleton
        The hierarchy of J joints.
    local : array_like, (..., J, 4, 4) or (..., J, 3, 4)
        The poses to begin with: the turn of a bone about itself, which positions cannot tell, is taken from there.
    chain : sequence of int or str
        Joints from root to tip, each an ancestor of the next; joints between two of them are carried along rigidly.
        The last one keeps its local rotation.
    positions : array_like, (..., len(chain), 3)
        Where the joints are, in model space.
    frame : {"object", "world"}
        Where the smallest turns are found: in the coordinates of the joint's parent, or in model space about the
        joint's place. Both give the same pose unless parents are sheared or scaled differently along their axes.
    limits : JointLimits, optional
        Every joint is brought to the nearest rotation inside of its limits before the next one is turned.
    out : ndarray, (..., J, 4, 4) or (..., J, 3, 4), optional
        Where the poses go; may be `local` itself, of which then only the chain is written. What overlaps otherwise goes
        through a copy.

    Returns
    -------
    ndarray, (..., J, 4, 4), or with 3 rows as `local`
        The poses; other joints have the bits of the input. Leading dimensions are broadcast; float32 if all arrays
        given are, else float64; computed in float64. `out` itself where given.

    Raises
    ------
    ValueError, TypeError
        A chain that does not go down the hierarchy, an unknown `frame`, shapes that do not broadcast; a matrix above a
        joint that turns without inverse (named with its index); an `out` that does not fit. Nothing is written then.

    Notes
    -----
    Opposite directions take half a turn about an axis across. Where two positions are the same, or one is not finite
    (a marker out of sight), the joint keeps its local rotation, in that row only.

    Examples
    --------
    Shoulder, elbow and wrist of a pose estimation, in metres of another arm, turn the joints of this one.

    >>> rest = np.tile(np.eye(4), (3, 1, 1))
    >>> rest[1:, :3, 3] = [[0, -3, 0], [0, -2.5, 0]]
    >>> skeleton = sk.Skeleton([-1, 0, 1], rest, ["shoulder", "elbow", "wrist"])
    >>> bent, straight = [[0.2, 1.4, 0], [0.5, 1.4, 0], [0.5, 1.66, 0]], [[0.2, 1.4, 0], [0.2, 1.1, 0], [0.2, 0.8, 0]]
    >>> poses = sk.rotations_from_positions(skeleton, rest, skeleton.names, [bent, straight])
    >>> sk.forward_kinematics(skeleton, poses)[:, 2, :3, 3].round(6)
    array([[ 3. ,  2.5,  0. ],
           [ 0. , -5.5,  0. ]])
    """
    joints = chain_numbers(skeleton, chain)
    if not isinstance(frame, str) or frame not in ("object", "world"):
        raise ValueError(f"frame is {frame!r}: expected 'object' or 'world'")
    inside = None if limits is None else checked_limits(limits).resolved(skeleton)
    return _core.rotations_from_positions(
        skeleton, local, np.array(joints, np.int32), positions, frame == "world", inside, out
    )
