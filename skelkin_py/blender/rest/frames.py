# SPDX-License-Identifier: MIT
"""Bones at rest from heads, tails and rolls, as Blender makes them on leaving Edit Mode, and rolls back out of axes."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..._support.arguments import numbers_of
from ..._support.array_types import Array, Int32
from .bones import take_float32

# Where 1 + y of a direction says little about x and z, and where those say nothing any more.
_NEAR_BACK, _AT_BACK = 6.1e-3, 2.5e-4


def frame_from_roll(direction: npt.ArrayLike, roll: npt.ArrayLike = 0.0) -> Array:
    """Return the axes of bones at rest that point along directions, as ``Bone.MatrixFromAxisRoll`` does.

    Parameters
    ----------
    direction : (..., 3) array
        From head to tail; of any length but 0.
    roll : (...) array
        About the direction, in radians.

    Returns
    -------
    (..., 3, 3) array
        Columns X, Y, Z; Y is the direction. Without roll it is the shortest turn of (0, 1, 0) there; straight back,
        half a turn about Z. float32 for float32 arrays, else float64.

    Raises
    ------
    ValueError
        A direction has length 0, a number is not finite, or the shapes do not fit.

    Examples
    --------
    >>> import skelkin_py.blender as blender
    >>> blender.frame_from_roll([0, 0, 1]).round(6).tolist()
    [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]

    Notes
    -----
    Method: docs/blender-parity.md; the formula of the shortest turn between two vectors after Möller and Hughes,
    "Efficiently Building a Matrix to Rotate One Vector to Another", 1999, with the series at its pole.
    """
    vectors, angles = numbers_of(direction, "direction"), _finite(numbers_of(roll, "roll"), "roll")
    dtype = _precision(vectors)
    unit = _unit(vectors.astype(dtype), "direction")
    try:
        return _frame(*np.broadcast_arrays(unit, angles.astype(dtype)[..., None]))
    except ValueError:
        raise ValueError(f"roll has shape {angles.shape}: it does not broadcast to {vectors.shape[:-1]}") from None


def roll_from_frame(axes: npt.ArrayLike, direction: npt.ArrayLike | None = None) -> Array:
    """Return the rolls of bones with these axes, as ``Bone.AxisRollFromMatrix`` does.

    Parameters
    ----------
    axes : (..., 3, 3) array
        Of any scale, also mirrored.
    direction : (..., 3) array, optional
        Where the bones point; the Y axes without it.

    Returns
    -------
    (...) array
        Radians between -π and π; float32 for a float32 array, else float64.

    Raises
    ------
    ValueError
        A direction has length 0, a number is not finite, or the shapes do not fit.

    Examples
    --------
    >>> import numpy as np
    >>> import skelkin_py.blender as blender
    >>> float(blender.roll_from_frame(blender.frame_from_roll([1.0, 2.0, 3.0], 0.5)).round(6))
    0.5

    Notes
    -----
    Method: docs/blender-parity.md; the turn left over from the frame without roll, as a quaternion, and of that its
    twist about Y.
    """
    matrices = _finite(numbers_of(axes, "axes"), "axes")
    if matrices.shape[-2:] != (3, 3):
        raise ValueError(f"axes has shape {matrices.shape}: expected (..., 3, 3)")
    dtype = _precision(matrices)
    matrices = matrices.astype(dtype)
    along = matrices[..., 1] if direction is None else numbers_of(direction, "direction").astype(dtype)
    unit = _unit(along, "direction" if direction is not None else "axes[..., 1]")
    try:
        left = np.linalg.solve(_frame(unit, np.zeros_like(unit)), matrices)
    except ValueError:
        shapes = f"direction {along.shape} and axes {matrices.shape}"
        raise ValueError(f"{shapes} do not broadcast: their leading dimensions differ") from None
    sizes = np.linalg.norm(left, axis=-2, keepdims=True)
    turns = left / np.where(sizes > 0, sizes, 1)
    turns = np.where(np.linalg.det(turns)[..., None, None] < 0, -turns, turns)
    y, w = twist_about_y(turns)
    result: Array = (2 * np.arctan2(y, w)).astype(dtype)
    return np.where(result > np.pi, result - dtype.type(2 * np.pi), result)[()]


def rest_from_rolls(
    parents: Int32, heads: npt.ArrayLike, tails: npt.ArrayLike, rolls: npt.ArrayLike
) -> dict[str, Array]:
    """Return ``rest``, ``axes``, ``offsets`` and ``lengths`` of bones of Edit Mode, for `Armature`.

    What a child has at rest is a product of its parents' float32 numbers and not its ideal frame, as in Blender.
    """
    count = len(parents)
    start = take_float32(heads, "heads", (count, 3))
    end = take_float32(tails, "tails", (count, 3))
    roll = take_float32(rolls, "rolls", (count,))
    rest = np.zeros((count, 4, 4), np.float32)
    axes, offsets = np.zeros((count, 3, 3), np.float32), np.zeros((count, 3), np.float32)
    lengths = np.zeros(count, np.float32)
    for bone, parent in enumerate(parents.tolist()):
        if not np.linalg.norm(end[bone] - start[bone]) > 1e-6:
            raise ValueError(
                f"tails[{bone}] is at heads[{bone}], {start[bone].tolist()}: a bone must be longer than 1e-6"
            )
        above = np.eye(4, dtype=np.float32)
        at, to, turn = start[bone], end[bone], roll[bone]
        if parent >= 0:
            above = rest[parent].copy()
            above[:3, 3] += above[:3, 1] * lengths[parent]
            into = np.linalg.inv(rest[parent, :3, :3].astype(float))
            at, to = (np.float32(into @ (each - end[parent]).astype(float)) for each in (at, to))
        along = to - at
        lengths[bone] = np.sqrt(along @ along)
        unit = along / lengths[bone]
        if parent >= 0:
            placed = _product(above, _padded(_frame(unit, np.zeros(3, np.float32)), at))[:3, :3]
            straight = (end[bone] - start[bone]) / np.linalg.norm(end[bone] - start[bone])
            left = np.linalg.solve(_frame(straight, np.repeat(turn, 3)).astype(float), placed.astype(float))
            turn = np.float32(-np.arctan2(left[0, 2], left[2, 2]))
        axes[bone], offsets[bone] = _frame(unit, np.repeat(turn, 3)), at
        rest[bone] = _product(above, _padded(axes[bone], at)) if parent >= 0 else _padded(axes[bone], at)
    return {"rest": rest, "axes": axes, "offsets": offsets, "lengths": lengths}


def _padded(axes: Array, place: Array) -> Array:
    matrix = np.eye(4, dtype=np.float32)
    matrix[:3, :3], matrix[:3, 3] = axes, place
    return matrix


def _frame(unit: Array, roll: Array) -> Array:
    """Return the axes (..., 3, 3) along unit vectors; `roll` has their shape, its last dimension is one number."""
    return _product(_turn(unit, roll[..., 0]), shortest_turn(unit))


def shortest_turn(unit: Array) -> Array:
    """Return the axes (..., 3, 3) along unit vectors, without roll; along 0, X and Z are as they were."""
    x, y, z = (unit[..., k] for k in range(3))
    aside = x * x + z * z
    one = unit.dtype.type(1)
    size = np.where(one + y > _NEAR_BACK, one + y, aside / 2 + aside * aside / 8)
    at_back = (one + y <= _NEAR_BACK) & (aside <= _AT_BACK**2)
    size = np.where(at_back, one, size).astype(unit.dtype)
    rows = [[one - x * x / size, x, -x * z / size], [-x, y, -z], [-x * z / size, z, one - z * z / size]]
    frame = np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)
    frame[at_back] = np.diag([-1, -1, 1])
    return frame


def _turn(unit: Array, angle: Array) -> Array:
    """Return the turns (..., 3, 3) about unit vectors, sums in Blender's order."""
    x, y, z = (unit[..., k] for k in range(3))
    s, c = (f(angle.astype(float)).astype(unit.dtype) for f in (np.sin, np.cos))
    rest = unit.dtype.type(1) - c
    xy, xz, yz = (x * y) * rest, (x * z) * rest, (y * z) * rest
    rows = [
        [(x * x) * rest + c, xy - z * s, xz + y * s],
        [xy + z * s, (y * y) * rest + c, yz - x * s],
        [xz - y * s, yz + x * s, (z * z) * rest + c],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def _product(a: Array, b: Array) -> Array:
    """Return a b, sums in Blender's order."""
    terms = a[..., :, :, None] * b[..., None, :, :]
    result: Array = (terms[..., 0, :] + terms[..., 1, :]) + terms[..., 2, :]
    if a.shape[-1] == 4:
        result = (terms[..., 0, :] + terms[..., 1, :]) + (terms[..., 2, :] + terms[..., 3, :])
    return result


def twist_about_y(e: Array) -> tuple[Array, Array]:
    """Return y and w, w ≥ 0, of the quaternions of matrices, sheared ones included, by the branch of Day's method."""
    a, b, c = e[..., 0, 0], e[..., 1, 1], e[..., 2, 2]
    y_plus, w_plus = 1 - a + b - c, 1 + a + b + c
    sum_xy, sum_yz = e[..., 1, 0] + e[..., 0, 1], e[..., 2, 1] + e[..., 1, 2]
    turn_x, turn_y = e[..., 2, 1] - e[..., 1, 2], e[..., 0, 2] - e[..., 2, 0]
    turn_z = e[..., 1, 0] - e[..., 0, 1]
    down = c < 0
    cases = [down & (a > b), down, a < -b]
    y = np.select(cases, [sum_xy, y_plus, sum_yz], turn_y)
    w = np.select(cases, [turn_x, turn_y, turn_z], w_plus)
    sign = np.where(w < 0, -1, 1)
    return y * sign, w * sign


def _finite(array: Array, name: str) -> Array:
    if not np.isfinite(array).all():
        where = np.argwhere(~np.isfinite(array))[0]
        raise ValueError(f"{name}{_place(where)} is {array[tuple(where)]}: it must be finite")
    return array


def _place(where: Array) -> str:
    return f"[{', '.join(map(str, where))}]" if len(where) else ""


def _precision(array: Array) -> np.dtype[Any]:
    return np.dtype(np.float32 if array.dtype == np.float32 else np.float64)


def _unit(vectors: Array, name: str) -> Array:
    if vectors.ndim < 1 or vectors.shape[-1] != 3:
        raise ValueError(f"{name} has shape {vectors.shape}: expected (..., 3)")
    _finite(vectors, name)
    with np.errstate(over="ignore"):
        squares = vectors * vectors
        lengths = np.sqrt((squares[..., :1] + squares[..., 1:2]) + squares[..., 2:])
    usable = (lengths[..., 0] > 0) & np.isfinite(lengths[..., 0])
    if not usable.all():
        where = np.argwhere(~usable)[0]
        value = vectors[tuple(where)].tolist()
        raise ValueError(f"{name}{_place(where)} is {value}: the square of its length must be finite and above 0")
    return np.asarray(vectors * (vectors.dtype.type(1) / lengths))
