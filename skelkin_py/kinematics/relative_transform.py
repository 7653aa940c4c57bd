# SPDX-License-Identifier: MIT
"""From the frame of one joint to that of another, without the detour by the root."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from .. import _core
from ..skeleton import Skeleton, joint_number


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
        Matrix of each joint relative to its parent. float32 or float64; integers count as float64.
    from_joint, to_joint : int or str
        Joints by number or name.
    out : ndarray, (..., 4, 4) or (..., 3, 4), optional
        Where the result goes; may overlap with `local` (then through a copy).

    Returns
    -------
    ndarray, (..., 4, 4)
        ``inverse(global[to_joint]) @ global[from_joint]``: a point fixed to `from_joint`, seen from `to_joint`. In the
        dtype of `local`; `out` itself where given.

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
    first, last = joint_number(skeleton, from_joint, "from_joint"), joint_number(skeleton, to_joint, "to_joint")
    return _core.relative_transform(skeleton, local, first, last, out)
