# SPDX-License-Identifier: MIT
"""What functions with several results return."""

from __future__ import annotations

from typing import NamedTuple

from .array_types import Array
from .values import tuple_of_arrays


@tuple_of_arrays
class TwoBone(NamedTuple):
    """What `solve_two_bone` returns, and what it takes as `out`.

    Attributes
    ----------
    b, c : ndarray (..., 3)
        The knee and the end after the solve.
    upper, lower : ndarray (..., 4)
        Total rotations of the two bones, quaternions w x y z in the space of the positions:
        ``upper·(b−a) = b′−a`` and ``lower·(c−b) = c′−b′`` (times `stretch`).
    status : ndarray (...) of uint8
        An `IKStatus` for each row, for the solve at weight 1.
    error : ndarray (...)
        Distance between `c` and the target.
    stretch : ndarray (...)
        The factor by which both bones were lengthened; 1 without stretching.
    """

    b: Array
    c: Array
    upper: Array
    lower: Array
    status: Array
    error: Array
    stretch: Array


@tuple_of_arrays
class AppliedTwoBone(NamedTuple):
    """What `apply_two_bone` returns.

    Attributes
    ----------
    local : ndarray (..., J, 4, 4)
        The pose; only upper, lower and end joints of the chains differ from the input.
    status : ndarray (...) or (..., C) of uint8
        An `IKStatus` for each chain, for the solve at weight 1.
    error : ndarray (...) or (..., C)
        Distance between the end joint and its target in the space of the model.
    """

    local: Array
    status: Array
    error: Array


@tuple_of_arrays
class Fabrik(NamedTuple):
    """What `solve_fabrik` returns.

    Attributes
    ----------
    positions : ndarray (..., N, 3)
        The joints after the solve.
    status : ndarray (...) of uint8
        An `IKStatus` for each chain or tree.
    error : ndarray (...)
        Distance between the end and its target; of a tree the largest one.
    iterations : ndarray (...) of int32
        How many passes inwards and outwards were made.
    """

    positions: Array
    status: Array
    error: Array
    iterations: Array


@tuple_of_arrays
class AppliedFabrik(NamedTuple):
    """What `apply_fabrik` returns.

    Attributes
    ----------
    local : ndarray (..., J, 4, 4)
        The pose; only joints of the chain differ from the input.
    status : ndarray (...) of uint8
        An `IKStatus` for each pose, for the solve at weight 1.
    error : ndarray (...)
        Distance between the last joint and its target in the space of the model.
    """

    local: Array
    status: Array
    error: Array


@tuple_of_arrays
class RestRelative(NamedTuple):
    """What `rest_relative` returns, and what it takes as `out`.

    Attributes
    ----------
    rotations : ndarray (..., J, 4)
        Q of each joint, unit quaternions w x y z.
    translations : ndarray (..., J, 3)
        t of each joint: a point p of the rest pose goes to ``Q p + t``.
    """

    rotations: Array
    translations: Array


@tuple_of_arrays
class SkinnedMesh(NamedTuple):
    """What `skin_mesh` returns, and what it takes as `out`.

    Attributes
    ----------
    points : ndarray (..., V, 3)
        Skinned points.
    normals : ndarray (..., V or C, 3), or None
        Of length 1, one per vertex or corner; None where none were given.
    tangents : ndarray (..., V or C, 3 or 4), or None
        Of length 1, apart from the handedness in the fourth number; None where none were given.
    """

    points: Array
    normals: Array | None
    tangents: Array | None
