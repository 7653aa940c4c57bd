# SPDX-License-Identifier: GPL-3.0-or-later
"""How a pose bone hangs on its parent, forwards and backwards, for many frames at once.

A pose matrix is ``rotscale @ basis`` with its columns multiplied by ``post``; its translation is ``locmat`` applied
to the basis' translation. Matrices are column-vector, float64, in armature space; F is the number of frames.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

INHERIT_SCALE = ("FULL", "FIX_SHEAR", "ALIGNED", "AVERAGE", "NONE", "NONE_LEGACY")


class BoneRest(NamedTuple):
    """What a bone's rest pose and options say about its parenting.

    ``matrix`` is the rest matrix in armature space, ``parent_matrix`` that of the parent or None for a root.
    """

    matrix: np.ndarray
    parent_matrix: np.ndarray | None
    inherit_scale: str = "FULL"
    inherit_rotation: bool = True
    local_location: bool = True


class ParentFactors(NamedTuple):
    """``rotscale`` (F, 4, 4), ``locmat`` (F, 4, 4) and ``post`` (F, 3) of one bone."""

    rotscale: np.ndarray
    locmat: np.ndarray
    post: np.ndarray


def parent_factors(rest: BoneRest, parent_pose: np.ndarray | None, num_frames: int) -> ParentFactors:
    """Return the factors of one bone over F frames; ``parent_pose`` is (F, 4, 4), None for a root bone."""
    post = np.ones((num_frames, 3))
    if rest.parent_matrix is None or parent_pose is None:
        rotscale = np.broadcast_to(rest.matrix, (num_frames, 4, 4)).copy()
        locmat = rotscale.copy()
        if not rest.local_location:
            locmat[:, :3, :3] = np.eye(3)
        return ParentFactors(rotscale, locmat, post)
    offset = np.linalg.solve(rest.parent_matrix, rest.matrix)
    full = parent_pose @ offset
    axes, rest_axes = parent_pose[:, :3, :3], np.broadcast_to(rest.parent_matrix[:3, :3], (num_frames, 3, 3))
    mode, inherits = rest.inherit_scale, rest.inherit_rotation
    if mode == "FULL":
        factor = axes if inherits else rest_axes * _lengths(axes)[:, None, :]
    elif mode == "FIX_SHEAR":
        factor = axes if inherits else rest_axes * _fixed_lengths(axes)[:, None, :]
    elif mode == "ALIGNED":
        if inherits:
            straight = orthogonalised(axes, unit=False)
            post = _lengths(straight)
            factor = _divided(straight, post)
        else:
            factor, post = rest_axes, _fixed_lengths(axes)
    elif mode == "AVERAGE":
        size = np.cbrt(np.abs(np.linalg.det(axes)))[:, None, None]
        factor = (orthogonalised(axes, unit=True) if inherits else rest_axes) * size
    elif mode == "NONE":
        factor = orthogonalised(axes, unit=True) if inherits else rest_axes
    elif mode == "NONE_LEGACY":
        factor = _divided(axes, _lengths(axes)) if inherits else rest_axes
    else:
        raise ValueError(f"inherit_scale is {mode!r}: must be one of {', '.join(INHERIT_SCALE)}")
    rotscale = full.copy()
    rotscale[:, :3, :3] = factor @ offset[:3, :3]
    if mode == "FIX_SHEAR":
        rotscale[:, :3, :3] = orthogonalised(rotscale[:, :3, :3], unit=False)
    locmat = full.copy()
    if not rest.local_location:
        locmat[:, :3, :3] = axes
    return ParentFactors(rotscale, locmat, post)


def pose_from_basis(factors: ParentFactors, basis: np.ndarray) -> np.ndarray:
    """Pose matrices (F, 4, 4) of a bone from its basis matrices (F, 4, 4)."""
    pose = factors.rotscale @ basis
    pose[:, :3, :3] *= factors.post[:, None, :]
    pose[:, :3, 3] = np.einsum("fij,fj->fi", factors.locmat[:, :3, :3], basis[:, :3, 3]) + factors.locmat[:, :3, 3]
    return pose


def basis_from_pose(factors: ParentFactors, pose: np.ndarray) -> np.ndarray:
    """Basis matrices (F, 4, 4) that give the pose matrices (F, 4, 4): the exact inverse of `pose_from_basis`."""
    basis = np.zeros_like(pose)
    basis[:, 3, 3] = 1.0
    basis[:, :3, :3] = np.linalg.solve(factors.rotscale[:, :3, :3], pose[:, :3, :3] / factors.post[:, None, :])
    offset = pose[:, :3, 3] - factors.locmat[:, :3, 3]
    basis[:, :3, 3] = np.linalg.solve(factors.locmat[:, :3, :3], offset[:, :, None])[:, :, 0]
    return basis


def orthogonalised(axes: np.ndarray, *, unit: bool) -> np.ndarray:
    """Axes (F, 3, 3) made orthogonal around Y; the rest of the shear between X and Z is shared by both."""
    x, y, z = (axes[:, :, k].copy() for k in range(3))
    square = _dot(y, y)
    safe = np.where(square > 0, square, 1.0)
    on = (square > 0)[:, None]
    x = np.where(on, x - y * (_dot(x, y) / safe)[:, None], x)
    z = np.where(on, z - y * (_dot(z, y) / safe)[:, None], z)
    if unit:
        y = np.where(on, y / np.sqrt(safe)[:, None], y)
    a, length_x = _unit(x)
    b, length_z = _unit(z)
    cosine = _dot(a, b)
    sheared = (np.abs(cosine) > 1e-4) & (np.abs(cosine) < 1 - 1.1920929e-7)
    angle = np.arccos(np.clip(cosine, -1, 1))
    half = angle + (np.pi / 2 - angle) / 2
    corrected = _unit(a - b * cosine[:, None])[0] * np.sin(half)[:, None] + b * np.cos(half)[:, None]
    a = np.where(sheared[:, None], corrected, a)
    b = np.where(sheared[:, None], _unit(np.cross(np.cross(a, b), a))[0], b)
    if unit:
        x, z = a, b
    else:
        size = np.sqrt(np.sin(angle))
        x = np.where(sheared[:, None], a * (length_x * size)[:, None], x)
        z = np.where(sheared[:, None], b * (length_z * size)[:, None], z)
    return np.stack([x, y, z], axis=-1)


def _dot(u: np.ndarray, v: np.ndarray) -> np.ndarray:
    return np.einsum("fi,fi->f", u, v)


def _unit(v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    length = np.sqrt(_dot(v, v))
    return np.where((length > 0)[:, None], v / np.where(length > 0, length, 1.0)[:, None], 0.0), length


def _lengths(axes: np.ndarray) -> np.ndarray:
    return np.sqrt(np.einsum("fij,fij->fj", axes, axes))


def _fixed_lengths(axes: np.ndarray) -> np.ndarray:
    lengths = _lengths(axes)
    product = lengths.prod(axis=1)
    volume = np.abs(np.linalg.det(axes)) / np.where(product > 0, product, 1.0)
    return lengths * np.where(product > 0, np.cbrt(volume), 1.0)[:, None]


def _divided(axes: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    return axes / np.where(lengths > 0, lengths, 1.0)[:, None, :]
