# SPDX-License-Identifier: MIT
"""Axes of bones along directions, and how far they are rolled about them; degenerate ones included, as in Blender."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
import numpy.typing as npt

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


def axes_along(directions: Floats) -> Floats:
    """Return the axes (…, 3, 3) of bones without roll along unit `directions` (…, 3)."""
    x, y, z = np.moveaxis(directions, -1, 0)
    square = x * x + z * z
    near_back = 1 + y <= 6.1e-3
    at_back = near_back & (square <= 2.5e-4**2)
    divisor = np.where(at_back, 1, np.where(near_back, square / 2 + square * square / 8, 1 + y))
    rows = [1 - x * x / divisor, x, -x * z / divisor, -x, y, -z, -x * z / divisor, z, 1 - z * z / divisor]
    axes = np.stack(rows, axis=-1).reshape(*x.shape, 3, 3)
    # Straight back the shortest turn is any; Blender takes the half turn about Z.
    return np.where(at_back[..., None, None], np.diag([-1.0, -1.0, 1.0]), axes)


def _cross(left: Floats, right: Floats) -> Floats:
    """Return the cross product of vectors (…, 3), several times faster than numpy's."""
    (a, b, c), (x, y, z) = np.moveaxis(left, -1, 0), np.moveaxis(right, -1, 0)
    return np.stack([b * z - c * y, c * x - a * z, a * y - b * x], axis=-1)


def rolls_about(axes: Floats, directions: Floats) -> Floats:
    """Return by how much `axes` (…, 3, 3) are rolled about unit `directions` (…, 3), as Blender reads it."""
    turn = inverse_axes(axes_along(directions)) @ axes
    columns = np.swapaxes(unit(np.swapaxes(turn, -1, -2)), -1, -2)
    volume = np.einsum("...i,...i", columns[..., 0], _cross(columns[..., 1], columns[..., 2]))
    columns = np.where(volume[..., None, None] < 0, -columns, columns)
    twist, real = _twist_and_real(columns)
    return 2 * np.arctan2(np.where(real < 0, -twist, twist), np.abs(real))


def _twist_and_real(m: Floats) -> tuple[Floats, Floats]:
    """Return y and w of the quaternions of matrices, up to a common factor; sheared ones, as Day's branches have it."""
    a, b, c = m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]
    branches = [(c < 0) & (a > b), c < 0, a < -b]
    real = [m[..., 2, 1] - m[..., 1, 2], m[..., 0, 2] - m[..., 2, 0], m[..., 1, 0] - m[..., 0, 1]]
    twist = [m[..., 1, 0] + m[..., 0, 1], 1 - a + b - c, m[..., 2, 1] + m[..., 1, 2]]
    return np.select(branches, twist, m[..., 0, 2] - m[..., 2, 0]), np.select(branches, real, 1 + a + b + c)
