# SPDX-License-Identifier: MIT
"""Heights and normals of a ground that casts rays, and the surface that a foot stands on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._support.arguments import array_of
from .._support.array_types import Flags, Floats

Ints = NDArray[np.intp]
Cast = Callable[[Floats, Floats, Ints | None], tuple[Floats, Floats, Flags, Ints]]

_STEP = 0.5  # leg: a surface higher above a sole than this is a ceiling or a railing, not the ground of that foot


class Footing(NamedTuple):
    """The ground under points.

    Attributes
    ----------
    heights : (N,) float64
        Along up, in the clip's units; NaN where there is no ground.
    normals : (N, 3) float64
        Unit vectors on the upper side; up itself where there is no ground.
    surface : (N,) int
        The surface's number from `cast`; −1 where there is none or it has no number.
    """

    heights: Floats
    normals: Floats
    surface: Ints


def footing_by_rays(
    cast: Cast, points: Floats, frames: Ints | None, up: Floats, leg: float, outside: float | None = None
) -> Footing:
    """Find the ground of soles by rays.

    It is the first surface below half a leg length above the sole; where there is none, the foot has sunk deeper,
    and the lowest surface above it counts.

    Parameters
    ----------
    cast : callable
        Casts rays along one direction, such as `checked_cast` returns.
    points : (N, 3) float64
        Places of soles.
    frames : (N,) int, optional
        The frame of each; the first if None.
    up : (3,) float64
        Unit vector.
    leg : float
        Leg length.
    outside : float, optional
        The height of the ground where nothing is hit; where None, there is no ground.

    Returns
    -------
    Footing
        The ground under the points.

    Raises
    ------
    ValueError, TypeError
        `cast` returned wrong types, shapes or values.
    """
    heights, normal, hit, surface = nearest_surface(cast, points, frames, up, leg, outside)
    size = np.sqrt(np.einsum("ni,ni->n", normal, normal))
    known = hit & (size > 0.0) & np.isfinite(size)
    normal /= np.copysign(np.where(known, size, 1.0), normal @ up)[:, None]
    if not known.all():
        normal[~known] = up
        surface[~hit] = -1
    return Footing(heights, normal, surface)


def nearest_surface(
    cast: Cast, points: Floats, frames: Ints | None, up: Floats, leg: float, outside: float | None
) -> tuple[Floats, Floats, Flags, Ints]:
    """Return heights, normals of any length on either side, whether there is ground, and the surfaces.

    Arguments are those of `footing_by_rays`; heights are those of `Footing`.
    """
    start = points + _STEP * leg * up
    distance, normal, hit, surface = cast(start, -up[None], frames)
    heights = start @ up
    if hit.all():
        heights -= distance
        return heights, normal, hit, surface
    missed = np.flatnonzero(~hit)
    above, turned, found, name = cast(start[missed], up[None], None if frames is None else frames[missed])
    highest = heights[missed] + above
    heights -= distance
    heights[missed] = np.where(found, highest, np.nan if outside is None else outside)
    normal[missed], surface[missed], hit[missed] = turned, name, found
    return heights, normal, hit, surface


def checked_cast(ground: Any) -> Cast:
    """Return a function that casts rays by an object of the caller, and checks what it returns.

    Parameters
    ----------
    ground : object with `cast`
        Casts rays: origins (N, 3), directions (N, 3), frames (N,) → distance (N,), normal (N, 3), hit (N,) and
        surface_id (N,).

    Returns
    -------
    callable
        Origins (N, 3), one direction (1, 3), frames (N,) or None for the first → the same, in arrays of their own.
        It raises ValueError or TypeError where the object returns something else.
    """

    def cast(origins: Floats, direction: Floats, frames: Ints | None) -> tuple[Floats, Floats, Flags, Ints]:
        when = np.zeros(len(origins), dtype=np.intp) if frames is None else frames
        return _checked(ground.cast(origins, np.tile(direction, (len(origins), 1)), when), len(origins))

    return cast


def _checked(given: Any, num: int) -> tuple[Floats, Floats, Flags, Ints]:
    """Check and return what an object's `cast` returned for `num` rays."""
    if not isinstance(given, tuple) or len(given) != 4:
        raise TypeError(f"ground.cast returned {type(given).__name__}: (distance, normal, hit, surface_id) is needed")
    arrays = []
    wanted_kinds = (("distance", "fiu"), ("normal", "fiu"), ("hit", "b"), ("surface_id", "iu"))
    for (name, kinds), value in zip(wanted_kinds, given, strict=True):
        shape = (num, 3) if name == "normal" else (num,)
        array = array_of(value, f"ground.cast returned {name} that")
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


def carried(ground: Any, points: Floats, surface: Ints, from_frames: Ints, to_frames: Ints) -> Floats:
    """Return where points that belong to surfaces of a moving ground are in other frames.

    Parameters
    ----------
    ground : object with `carry`
        Moves points: points (N, 3), surface_id (N,), from_frames (N,), to_frames (N,) → points (N, 3).
    points : (N, 3) float64
        Where they are in `from_frames`.
    surface : (N,) int
        Their surfaces; points of −1 stay where they are.
    from_frames, to_frames : (N,) int
        Frames.

    Returns
    -------
    (N, 3) float64
        Where they are in `to_frames`.

    Raises
    ------
    ValueError, TypeError
        `carry` did not return finite points.
    """
    rows = np.flatnonzero(surface >= 0)
    out = np.array(points)
    if not rows.size:
        return out
    given = array_of(
        ground.carry(points[rows], surface[rows], from_frames[rows], to_frames[rows]), "what ground.carry returned"
    )
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
