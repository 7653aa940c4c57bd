# SPDX-License-Identifier: MIT
"""Which segments of a bendy bone move a point, and how much each."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from ..._support.arguments import number_array
from ..rest.bones import Bones, checked_bendy
from .frames import rest_frames

Floats = npt.NDArray[np.float64]


def segment_weights(
    armature: Bones, points: npt.ArrayLike, bone: int
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float64]]:
    """Return between which boundaries of a bendy bone's segments points are, at rest.

    Parameters
    ----------
    armature : Armature
        Its ``bbones`` say how bones bend.
    points : (N, 3) float array
        Points in armature space, at rest.
    bone : int
        Index of a bone with more than one segment.

    Returns
    -------
    index : (N,) int32 array
        The boundary before each point, 0 to n - 1: row ``first[bone] + index`` of `segment_palette`.
    blend : (N,) float64 array
        How much of the point's weight goes to the next boundary, 0 to 1; the rest goes to `index`.

    Raises
    ------
    TypeError, ValueError
        For points of another kind or shape, and for a bone that does not bend.

    Notes
    -----
    Straight mapping measures along the bone from head to tail. Curved mapping (Blender 4.0 and later, by a bone's
    option) looks for the boundaries on both sides of the point and smooths what lies between.

    Examples
    --------
    >>> import numpy as np
    >>> import skelkin_py as sk
    >>> arm = sk.blender.Armature([-1], np.eye(4)[None], bbones=sk.blender.BBones([4]))
    >>> sk.blender.segment_weights(arm, [[0.0, 0.375, 0.0], [0.0, 2.0, 0.0]], 0)
    (array([1, 3], dtype=int32), array([0.5, 1. ]))
    """
    places = number_array(points, "points", 2, "(N, 3)").astype(float)
    if places.shape[1] != 3:
        raise ValueError(f"points has shape {places.shape}: expected (N, 3)")
    options, bone = checked_bendy(armature, bone)
    segments = int(options.segments[bone])
    rest = armature.rest[bone].astype(float)
    if options.curved[bone]:
        along = _along_curve(rest @ rest_frames(armature, options, bone), places)
    else:
        inverse = np.linalg.inv(rest)
        along = (places @ inverse[1, :3] + inverse[1, 3]) / float(armature.lengths[bone])
    factor = np.clip(along, 0, 1) * segments
    index = np.minimum(factor.astype(np.int32), segments - 1)
    return index, factor - index


def _along_curve(boundaries: Floats, points: Floats) -> Floats:
    """Return where (N,) points are along a curve of `boundaries` (n + 1, 4, 4), from 0 to 1."""
    segments = len(boundaries) - 1
    origins, normals = boundaries[:, :3, 3], boundaries[:, :3, 1]
    normals = normals / np.linalg.norm(normals, axis=1, keepdims=True)
    constants = np.einsum("ki,ki->k", normals, origins)
    arc = float(np.linalg.norm(np.diff(origins, axis=0), axis=1).sum())
    visits, along = _between(normals, constants, points)
    smallest = segments * float(np.linalg.norm(origins[-1] - origins[0])) / arc * 0.222
    depth = math.ceil(math.log2(segments + 2))
    steeper = max(smallest, 1.0) ** (1 / (depth - 1))
    for level in range(len(visits) - 1, -1, -1):
        boundary, distance, seen = visits[level]
        place, away = boundary / segments, distance / arc
        gap = np.abs(along - place) - np.abs(away)
        near = 1 - np.abs(away) * (segments / smallest * steeper**level)
        drawn = seen & (gap > 0) & (near > 0)
        gap, near = np.where(drawn, gap, 1), np.where(drawn, near, 0)
        share = 3 * gap / (3 * gap + np.abs(away)) * (8 * near * near / (7 * near + 1))
        along = along + (place + away - along) * share
    return along


def _between(
    normals: Floats, constants: Floats, points: Floats
) -> tuple[list[tuple[npt.NDArray[np.int64], Floats, npt.NDArray[np.bool_]]], Floats]:
    """Search for the two planes that a point lies between, by halving; return those visited and the place between."""
    segments, count = len(normals) - 1, len(points)
    low, high = np.full(count, -1), np.full(count, segments + 1)
    below, above = np.zeros(count), np.zeros(count)
    bias = np.zeros(count, np.int64)
    visits = []
    while (searching := high - low > 1).any():
        middle = np.where(searching, (low + high + bias) // 2, 0)
        distance = np.einsum("ni,ni->n", normals[middle], points) - constants[middle]
        left, right = searching & (distance < 0), searching & (distance >= 0)
        high, above = np.where(left, middle, high), np.where(left, distance, above)
        low, below = np.where(right, middle, low), np.where(right, distance, below)
        bias = np.where(left, 1, np.where(right, 0, bias))
        visits.append((middle, distance, searching))
    span = np.abs(below) + np.abs(above)
    part = np.abs(below) / np.where(span > 0, span, 1)
    along = (low + part) / segments
    along = np.where(low < 0, 0, np.where(high > segments, 1, along))
    return visits, along
