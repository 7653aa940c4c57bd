# SPDX-License-Identifier: MIT
"""How far the axes of handles are rolled about a direction; degenerate ones included, as in Blender."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
import numpy.typing as npt

from .rest_frames import shortest_turn, twist_about_y

Floats = npt.NDArray[np.float64]
Float32 = npt.NDArray[np.float32]

_Real = TypeVar("_Real", np.float32, np.float64)


def unit(vectors: npt.NDArray[_Real]) -> npt.NDArray[_Real]:
    """Return `vectors` (…, 3) of length one, in their own precision; those Blender takes for zero are zero."""
    x, y, z = (vectors[..., axis : axis + 1] for axis in range(3))
    square = (x * x + y * y) + z * z
    long_enough = square > 1e-35
    return np.where(long_enough, vectors * (1 / np.sqrt(np.where(long_enough, square, 1))), 0).astype(vectors.dtype)


def inverse_axes(axes: Floats) -> Floats:
    """Return the inverse of matrices (…, 3, 3); of singular ones, zeros."""
    x, y, z = (axes[..., column] for column in range(3))
    rows = np.stack([_cross(y, z), _cross(z, x), _cross(x, y)], axis=-2)
    volume = np.einsum("...i,...i", x, rows[..., 0, :])[..., None, None]
    return np.where(volume != 0, rows / np.where(volume != 0, volume, 1), 0)


def _cross(left: Floats, right: Floats) -> Floats:
    """Return the cross product of vectors (…, 3), several times faster than numpy's."""
    (a, b, c), (x, y, z) = np.moveaxis(left, -1, 0), np.moveaxis(right, -1, 0)
    return np.stack([b * z - c * y, c * x - a * z, a * y - b * x], axis=-1)


def rolls_about(axes: Floats, directions: Floats) -> Floats:
    """Return by how much `axes` (…, 3, 3) are rolled about unit `directions` (…, 3), as Blender reads it."""
    turn = inverse_axes(shortest_turn(directions)) @ axes
    columns = np.swapaxes(unit(np.swapaxes(turn, -1, -2)), -1, -2)
    volume = np.einsum("...i,...i", columns[..., 0], _cross(columns[..., 1], columns[..., 2]))
    columns = np.where(volume[..., None, None] < 0, -columns, columns)
    rolls: Floats = 2 * np.arctan2(*twist_about_y(columns))
    return rolls
