# SPDX-License-Identifier: MIT
"""Forward kinematics: from matrices relative to the parent to matrices in the space of the model."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ._algebra import Floats, to_matrix, unit


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
