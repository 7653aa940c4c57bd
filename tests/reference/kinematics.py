# SPDX-License-Identifier: MIT
"""Forward kinematics: from matrices relative to the parent to matrices in the space of the model."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ._algebra import Floats, multiply, rotate, to_matrix, unit


def forward_kinematics(skeleton: Any, local: ArrayLike) -> Floats:
    """Return ``global[j] = global[parent of j] @ local[j]``, roots as they are.

    Parameters
    ----------
    skeleton : Skeleton
        Only `parents` is read.
    local : array_like (..., J, 4, 4)
        Relative to the parent.

    Returns
    -------
    ndarray (..., J, 4, 4)
        In the space of the model.
    """
    local = np.asarray(local, dtype=np.float64)
    result = np.empty_like(local)
    for joint, parent in enumerate(skeleton.parents):
        own = local[..., joint, :, :]
        result[..., joint, :, :] = own if parent < 0 else result[..., parent, :, :] @ own
    return result


def forward_kinematics_trs(
    skeleton: Any, rotations: ArrayLike, translations: ArrayLike | None = None, scales: ArrayLike | None = None
) -> Floats:
    """Forward kinematics of local translations, rotations and scales.

    Parameters
    ----------
    skeleton : Skeleton
        `parents` and, without `translations`, `rest_local` are read.
    rotations : array_like (..., J, 4)
        Quaternions w x y z, normalised here.
    translations, scales : array_like (..., J, 3), optional
        The rest offsets and 1 where None.

    Returns
    -------
    ndarray (..., J, 4, 4)
        In the space of the model.
    """
    q = unit(np.asarray(rotations, dtype=np.float64))
    t = np.asarray(skeleton.rest_local[:, :3, 3] if translations is None else translations, dtype=np.float64)
    s = np.asarray(np.ones(3) if scales is None else scales, dtype=np.float64)
    linear = to_matrix(q) * s[..., None, :]
    shape = np.broadcast_shapes(linear.shape[:-2], t.shape[:-1])
    local = np.zeros((*shape, 4, 4))
    local[..., :3, :3] = linear
    local[..., :3, 3] = t
    local[..., 3, 3] = 1
    return forward_kinematics(skeleton, local)


def local_from_global(skeleton: Any, global_: ArrayLike) -> Floats:
    """Return ``local[j] = inverse(global[parent of j]) @ global[j]``, roots as they are.

    Parameters
    ----------
    skeleton : Skeleton
        Only `parents` is read.
    global_ : array_like (..., J, 4, 4)
        In the space of the model.

    Returns
    -------
    ndarray (..., J, 4, 4)
        Relative to the parent.
    """
    result = np.array(global_, dtype=np.float64)
    for joint, parent in reversed(list(enumerate(skeleton.parents))):
        if parent >= 0:
            result[..., joint, :, :] = np.linalg.solve(result[..., parent, :, :], result[..., joint, :, :])
    return result


def rest_relative(skeleton: Any, rotations: ArrayLike, *, axes: str = "posed") -> tuple[Floats, Floats]:
    """Forward kinematics as motions of the rest pose: joint i takes a rest point p to ``Q_i p + t_i``.

    Every joint turns about its own rest position x_i, wherever its parent p has taken it, which gives
    ``t_i = -Q_i x_i + Q_p x_i + t_p``. Roots have ``Q_p = 1`` and ``t_p = 0``.

    Parameters
    ----------
    skeleton : Skeleton
        `parents` and the translations of `rest_global` are read.
    rotations : array_like (..., J, 4)
        What each joint turns by, quaternions w x y z, normalised here.
    axes : {"posed", "rest"}
        Along which axes the rotations of a joint are written: those of the space in which the pose is seen
        (``Q_i = q_i Q_p``), or those of the rest pose, which the parents carry along (``Q_i = Q_p q_i``).

    Returns
    -------
    Q : ndarray (..., J, 4)
        Rotations.
    t : ndarray (..., J, 3)
        Translations.
    """
    q = unit(np.asarray(rotations, dtype=np.float64))
    rest = np.asarray(skeleton.rest_global, dtype=np.float64)[:, :3, 3]
    total, shift = np.empty_like(q), np.empty((*q.shape[:-1], 3))
    for joint, parent in enumerate(skeleton.parents):
        above = total[..., parent, :] if parent >= 0 else np.broadcast_to([1.0, 0.0, 0.0, 0.0], (*q.shape[:-2], 4))
        moved = shift[..., parent, :] if parent >= 0 else np.zeros(3)
        own = q[..., joint, :]
        total[..., joint, :] = unit(multiply(own, above) if axes == "posed" else multiply(above, own))
        x = np.broadcast_to(rest[joint], (*q.shape[:-2], 3))
        shift[..., joint, :] = -rotate(total[..., joint, :], x) + rotate(above, x) + moved
    return total, shift


def relative_transform(skeleton: Any, local: ArrayLike, from_joint: int | str, to_joint: int | str) -> Floats:
    """Return the matrix that takes coordinates in the frame of one joint to coordinates in the frame of another.

    Parameters
    ----------
    skeleton : Skeleton
        `parents` and `names` are read.
    local : array_like (..., J, 4, 4)
        Relative to the parent.
    from_joint, to_joint : int or str
        Joints by index or name.

    Returns
    -------
    ndarray (..., 4, 4)
        ``inverse(global[to_joint]) @ global[from_joint]``.
    """
    start, end = (list(skeleton.names).index(j) if isinstance(j, str) else j for j in (from_joint, to_joint))
    global_ = forward_kinematics(skeleton, local)
    return np.asarray(np.linalg.inv(global_[..., end, :, :]) @ global_[..., start, :, :])
