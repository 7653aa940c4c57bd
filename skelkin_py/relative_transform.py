# SPDX-License-Identifier: MIT
"""From the frame of one joint to that of another, without the detour by the root."""

from __future__ import annotations

import operator
from typing import Any

import numpy.typing as npt

from . import _core
from .skeleton import Skeleton


def relative_transform(
    skeleton: Skeleton,
    local: npt.ArrayLike,
    from_joint: int | str,
    to_joint: int | str,
    *,
    out: npt.NDArray[Any] | None = None,
) -> npt.NDArray[Any]:
    """Return the matrices that take coordinates in the frame of one joint to those in the frame of another.

    Parameters
    ----------
    skeleton : Skeleton
        The hierarchy.
    local : array_like, (..., J, 4, 4) or (..., J, 3, 4)
        Matrix of each joint relative to its parent.
    from_joint, to_joint : int or str
        Joints by index or name.
    out : ndarray, (..., 4, 4) or (..., 3, 4), optional
        Where to write; right shape and dtype. The same array is returned.

    Returns
    -------
    ndarray, (..., 4, 4)
        ``inverse(global[to_joint]) @ global[from_joint]``: a point fixed to `from_joint`, seen from `to_joint`.

    Raises
    ------
    ValueError, TypeError
        There is no such joint; a joint between `to_joint` and the common ancestor has no inverse (its index is named);
        shapes or dtypes do not fit. Nothing is written then.

    Notes
    -----
    Only the joints below the lowest common ancestor of the two are multiplied. What both share cancels, so that a
    character far from the origin loses no digits, and nothing above that ancestor is read. Joints of different trees
    meet in model space.

    Examples
    --------
    >>> rest = np.tile(np.eye(4), (3, 1, 1))
    >>> rest[:, 0, 3] = [1e8, 1, 2]
    >>> skeleton = sk.Skeleton([-1, 0, 0], rest, ["pelvis", "left", "right"])
    >>> sk.relative_transform(skeleton, rest, "right", "left")[:3, 3]
    array([1., 0., 0.])
    """
    first = _joint_index(skeleton, from_joint, "from_joint")
    return _core.relative_transform(skeleton, local, first, _joint_index(skeleton, to_joint, "to_joint"), out)


def _joint_index(skeleton: Skeleton, joint: int | str, argument: str) -> int:
    """Return the index of a joint; errors name the argument. The core checks its range."""
    if isinstance(joint, str):
        try:
            return skeleton.index(joint)
        except ValueError as error:
            raise ValueError(f"{argument}: {error}") from None
    try:
        return operator.index(joint)
    except TypeError:
        raise TypeError(f"{argument} is {joint!r}: a joint is an index or a name") from None
