# SPDX-License-Identifier: MIT
"""Matrices as the motions and scales that "preserve volume" blends."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..._support.array_types import Array, Flags
from ...transforms import quaternion_to_matrix

# What is that near to a motion without scale is taken for one.
_ORTHONORMAL = 1e-5
_SQUARED_SCALE = 1e-8
# Products of the axes of a motion: each with itself, then two of them.
_OF_MOTIONS = np.array([1.0, 1, 1, 0, 0, 0])
# Vectors up to this length have no direction.
_LEAST_LENGTH = 1e-35**0.5


class DualPalette(NamedTuple):
    """Motions (F, M, 8): rotation, dual part; scales (F, M, 3, 4), or None where nothing is scaled."""

    motions: Array
    scales: Array | None


def dual_palette(base: Array, matrices: Array, posed: Array, blend_scales: bool) -> DualPalette:
    """Split skinning matrices.

    Parameters
    ----------
    base : (M, 4, 4) float64 array
        Rest matrices, in armature space: scale is measured along their axes.
    matrices : (F, M, 4, 4) float64 array
        Skinning matrices.
    posed : (F, M, 4, 4) float64 array
        ``matrices @ base`` as Blender rounds it: where an axis has no length, what is left of it is its direction.
    blend_scales : bool
        How scale is applied. True (3.4): scales are blended like matrices and go before the blended motion; they are
        given as rows, minus the identity. False (4.2): each bone's own scale goes before its own motion; given are
        columns, the part of the dual quaternion that grows with x, y and z.
    """
    scaled = _has_scale(matrices, posed)
    motion = matrices.copy()
    if scaled.any():
        motion[scaled] = _without_scale(base, posed)[scaled]
    rotation = _quaternion(_unit_columns(motion[..., :3, :3]))
    dual = _product(_pure(motion[..., :3, 3]), rotation) / 2
    if not scaled.any():
        return DualPalette(np.concatenate([rotation, dual], axis=-1), None)
    extra = np.zeros_like(matrices)
    extra[scaled] = (_inverse(motion) @ matrices - np.eye(4))[scaled]
    if blend_scales:
        return DualPalette(np.concatenate([rotation, dual], axis=-1), extra[..., :3, :])
    # What a shift before the motion adds to the dual part, for each column: half the rotation times the shift.
    *columns, shift = (_product(rotation, _pure(extra[..., :3, k])) / 2 for k in range(4))
    return DualPalette(np.concatenate([rotation, dual + shift], axis=-1), np.stack(columns, axis=-2))


def _has_scale(matrices: Array, posed: Array) -> Flags:
    x, y, z = (matrices[..., :3, k] for k in range(3))
    grams = [x * x, y * y, z * z, x * y, y * z, z * x]
    apart = np.abs(np.stack(grams).sum(axis=-1) - _OF_MOTIONS.reshape(-1, *[1] * (x.ndim - 1)))
    lengths = np.sqrt((posed[..., :3, :3] ** 2).sum(axis=-2))
    found: Flags = (
        (apart.max(axis=0) > _ORTHONORMAL)
        | (np.linalg.det(matrices[..., :3, :3]) < 0)
        | (((lengths - 1) ** 2).sum(axis=-1) > _SQUARED_SCALE)
    )
    return found


def _without_scale(base: Array, posed: Array) -> Array:
    """Return the motions whose axes are, at rest, those of the base: Y is kept, then the plane of X, else of Z.

    X and Z are compared as long as they are: with much scale and shear, neither may do, and any axis across Y is taken.
    Axes of length 0 stay so; the quaternion decides.
    """
    x, y, z = (posed[..., :3, k] for k in range(3))
    unit_y = _unit(y)
    z_from_x = _unit(np.cross(x, unit_y))
    x_from_z = _unit(np.cross(unit_y, z))
    by_x = (np.sum(x * unit_y, axis=-1) < 1)[..., None]
    by_z = (np.sum(x * z, axis=-1) < 1)[..., None]
    across = _unit(np.cross(unit_y, unit_y[..., [1, 2, 0]]))
    new_x = np.where(by_x, np.cross(unit_y, z_from_x), np.where(by_z, x_from_z, across))
    new_z = np.where(by_x, z_from_x, np.cross(new_x, unit_y))
    axes = np.stack([new_x, unit_y, new_z], axis=-1)
    axes *= np.where(np.linalg.det(axes) < 0, -1.0, 1.0)[..., None, None]
    rigid = posed.copy()
    rigid[..., :3, :3] = quaternion_to_matrix(_quaternion(_unit_columns(axes)))
    return np.asarray(rigid @ _inverse(base))


def _unit(vectors: Array) -> Array:
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > _LEAST_LENGTH))


def _unit_columns(linear: Array) -> Array:
    return np.swapaxes(_unit(np.swapaxes(linear, -1, -2)), -1, -2)


def _inverse(matrices: Array) -> Array:
    """Return inverses; of what has none, of something near, as Blender does."""
    try:
        found: Array = np.linalg.inv(matrices)
    except np.linalg.LinAlgError:
        found = np.linalg.pinv(matrices)
    return found


def _quaternion(axes: Array) -> Array:
    """Return unit quaternions of matrices, by M. Day, "Converting a Rotation Matrix to a Quaternion"; any numbers do.

    Which of four formulas is taken matters where the axes are no rotation.
    """
    m = np.moveaxis(axes, (-2, -1), (0, 1))
    x, y, z = m[0, 0], m[1, 1], m[2, 2]
    across = [m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]]
    both = [m[2, 1] + m[1, 2], m[0, 2] + m[2, 0], m[1, 0] + m[0, 1]]
    formulas = np.empty((4, 4, *x.shape))  # by the number that is the largest: x, y, z, w; then w, x, y, z
    formulas[0] = across[0], 1 + x - y - z, both[2], both[1]
    formulas[1] = across[1], both[2], 1 - x + y - z, both[0]
    formulas[2] = across[2], both[1], both[0], 1 - x - y + z
    formulas[3] = 1 + x + y + z, *across
    choice = np.where(z < 0, np.where(x > y, 0, 1), np.where(x < -y, 2, 3))
    found = np.take_along_axis(formulas, choice[None, None], axis=0)[0]
    found /= np.sqrt((found * found).sum(axis=0))
    return np.ascontiguousarray(np.moveaxis(found, 0, -1))


def _pure(vectors: Array) -> Array:
    """Return vectors as quaternions."""
    return np.concatenate([np.zeros_like(vectors[..., :1]), vectors], axis=-1)


def _product(p: Array, q: Array) -> Array:
    """Return the Hamilton product as it is, without normalising."""
    (w, x, y, z), (s, a, b, c) = np.moveaxis(p, -1, 0), np.moveaxis(q, -1, 0)
    found = [
        w * s - (x * a + y * b + z * c),
        w * a + s * x + (y * c - z * b),
        w * b + s * y + (z * a - x * c),
        w * c + s * z + (x * b - y * a),
    ]
    return np.stack(found, axis=-1)
