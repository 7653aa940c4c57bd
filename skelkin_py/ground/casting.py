# SPDX-License-Identifier: MIT
"""Heights and normals of a ground that answers rays: which of its surfaces is the one a foot stands on."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Footing", "carried", "footing_by_rays"]

Array = NDArray[np.float64]
Ints = NDArray[np.intp]

_STEP = 0.5  # leg: what is higher above a sole than this is a ceiling or a railing, not the ground of that foot


class Footing(NamedTuple):
    """The ground under points.

    Attributes
    ----------
    heights : (N,) float64
        Along up, in the clip's units; NaN where there is no ground.
    normals : (N, 3) float64
        Unit vectors on the upper side; up itself where there is no ground.
    surface : (N,) int
        What `cast` called the surface; −1 where there is none or it has no name.
    """

    heights: Array
    normals: Array
    surface: Ints


def footing_by_rays(
    ground: Any, points: Array, frames: Ints, up: Array, leg: float, outside: float | None = None
) -> Footing:
    """Find the ground of soles by rays.

    It is the first surface below half a leg length above the sole; where there is none, the foot has sunk deeper,
    and the lowest surface above it counts.

    Parameters
    ----------
    ground : object with `cast`
        Casts rays: origins (N, 3), directions (N, 3), frames (N,) → distance (N,), normal (N, 3), hit (N,) and
        surface_id (N,).
    points : (N, 3) float64
        Places of soles.
    frames : (N,) int
        The frame each is asked for.
    up : (3,) float64
        Unit vector.
    leg : float
        Leg length.
    outside : float, optional
        The height that counts where nothing is hit; where None, there is no ground.

    Returns
    -------
    Footing
        The ground under the points.

    Raises
    ------
    ValueError, TypeError
        `cast` returned something else than it has to.
    """
    start = points + _STEP * leg * up
    distance, normal, hit, surface = _cast(ground, start, np.tile(-up, (len(points), 1)), frames)
    heights = np.where(hit, start @ up - distance, np.nan)
    missed = np.flatnonzero(~hit)
    if missed.size:
        above, turned, found, name = _cast(ground, start[missed], np.tile(up, (missed.size, 1)), frames[missed])
        heights[missed] = np.where(found, start[missed] @ up + above, np.nan)
        normal[missed], surface[missed], hit[missed] = turned, name, found
    size = np.sqrt(np.einsum("ni,ni->n", normal, normal))
    known = hit & (size > 0.0) & np.isfinite(size)
    normal /= np.copysign(np.where(known, size, 1.0), normal @ up)[:, None]
    if not known.all():
        normal[~known] = up
        surface[~hit] = -1
    if outside is not None:
        heights[~hit] = outside
    return Footing(heights, normal, surface)


def _cast(ground: Any, origins: Array, directions: Array, frames: Ints) -> tuple[Array, Array, NDArray[np.bool_], Ints]:
    """Cast rays and check what comes back."""
    given = ground.cast(origins, directions, frames)
    if not isinstance(given, tuple) or len(given) != 4:
        raise TypeError(f"ground.cast returned {type(given).__name__}: (distance, normal, hit, surface_id) is needed")
    num = len(origins)
    arrays = []
    wanted_kinds = (("distance", "fiu"), ("normal", "fiu"), ("hit", "b"), ("surface_id", "iu"))
    for (name, kinds), value in zip(wanted_kinds, given, strict=True):
        shape = (num, 3) if name == "normal" else (num,)
        array = np.asarray(value)
        if array.shape != shape:
            raise ValueError(f"ground.cast returned {name} of shape {array.shape} for {num} rays: {shape} is needed")
        if array.dtype.kind not in kinds:
            wanted = {"fiu": "real numbers", "b": "bool", "iu": "whole numbers"}[kinds]
            raise TypeError(f"ground.cast returned {name} of dtype {array.dtype}: {wanted} are needed")
        arrays.append(array)
    distance, normal, hit, surface = arrays
    bad = np.flatnonzero(hit & ~np.isfinite(distance))
    if bad.size:
        raise ValueError(
            f"ground.cast returned distance[{bad[0]}] {distance[bad[0]]} where hit is true: it must be finite"
        )
    return (
        distance.astype(np.float64), normal.astype(np.float64), np.array(hit, dtype=np.bool_), surface.astype(np.intp)
    )  # fmt: skip


def carried(ground: Any, points: Array, surface: Ints, from_frames: Ints, to_frames: Ints) -> Array:
    """Return where points that belong to surfaces of a moving ground are in other frames.

    Parameters
    ----------
    ground : object with `carry`
        Moves points: points (N, 3), surface_id (N,), from_frames (N,), to_frames (N,) → points (N, 3).
    points : (N, 3) float64
        Where they are in `from_frames`.
    surface : (N,) int
        What they belong to; points of −1 stay where they are.
    from_frames, to_frames : (N,) int
        Frames.

    Returns
    -------
    (N, 3) float64
        Where they are in `to_frames`.

    Raises
    ------
    ValueError, TypeError
        `carry` returned something else than finite points.
    """
    rows = np.flatnonzero(surface >= 0)
    out = np.array(points)
    if not rows.size:
        return out
    given = np.asarray(ground.carry(points[rows], surface[rows], from_frames[rows], to_frames[rows]))
    if given.shape != (rows.size, 3):
        raise ValueError(f"ground.carry returned shape {given.shape} for {rows.size} points: one point each is needed")
    if given.dtype.kind not in "fiu":
        raise TypeError(f"ground.carry returned dtype {given.dtype}: real numbers are needed")
    bad = np.flatnonzero(~np.isfinite(given).all(axis=1))
    if bad.size:
        row = rows[bad[0]]
        raise ValueError(
            f"ground.carry returned {given[bad[0]].tolist()} from frame {from_frames[row]} to {to_frames[row]}: "
            "points must be finite"
        )
    out[rows] = given
    return out
