# SPDX-License-Identifier: MIT
"""Inverses and products of 4×4 matrices with the bits that Blender gets, where a result depends on the last ones."""

from __future__ import annotations

import numpy as np

from .._support.array_types import Float32


def inverse(matrices: Float32) -> Float32:
    """Return the inverse of matrices (…, 4, 4), by 2×2 blocks in float32; of singular ones, zeros.

    With rows and columns as Blender stores them (columns one after the other) this is, bit for bit, what
    ``Bone.convert_local_to_pose(..., invert=True)`` makes of a bone's rest matrix.
    """
    m = np.swapaxes(np.asarray(matrices, np.float32), -1, -2)
    a, b, c, d = m[..., :2, :2], m[..., :2, 2:], m[..., 2:, :2], m[..., 2:, 2:]
    size_a, size_b, size_c, size_d = (_determinant(block) for block in (a, b, c, d))
    across, down = _product(_adjugate(a), b), _product(_adjugate(d), c)
    terms = down * np.swapaxes(across, -1, -2)
    trace = (terms[..., 0, 0] + terms[..., 0, 1]) + (terms[..., 1, 0] + terms[..., 1, 1])
    size = (size_a * size_d + size_b * size_c) - trace[..., None, None]
    top = [a * size_d - _product(b, down), c * size_b - _product(d, _adjugate(across))]
    bottom = [b * size_c - _product(a, _adjugate(down)), d * size_a - _product(c, across)]
    found = np.concatenate([np.concatenate([_adjugate(block) for block in row], axis=-1) for row in (top, bottom)], -2)
    reciprocal = np.float32(1) / np.where(size == 0, np.float32(1), size)
    found = np.where(size == 0, np.float32(0), found * reciprocal)
    return np.ascontiguousarray(np.swapaxes(found, -1, -2))


def product(left: Float32, right: Float32) -> Float32:
    """Return ``left @ right`` of matrices (…, 4, 4): in each column the products are summed in pairs."""
    terms = [left[..., :, k : k + 1] * right[..., k : k + 1, :] for k in range(4)]
    return np.asarray((terms[0] + terms[1]) + (terms[2] + terms[3]))


def _adjugate(block: Float32) -> Float32:
    first = np.stack([block[..., 1, 1], -block[..., 0, 1]], axis=-1)
    return np.stack([first, np.stack([-block[..., 1, 0], block[..., 0, 0]], axis=-1)], axis=-2)


def _product(left: Float32, right: Float32) -> Float32:
    return left[..., :, :1] * right[..., :1, :] + left[..., :, 1:] * right[..., 1:, :]


def _determinant(block: Float32) -> Float32:
    found = block[..., 0, 0] * block[..., 1, 1] - block[..., 0, 1] * block[..., 1, 0]
    return np.asarray(found[..., None, None])
