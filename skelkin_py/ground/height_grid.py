# SPDX-License-Identifier: MIT
"""A grid of heights, as terrain is often stored."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._support.arguments import float_array, numbers_of
from .._support.array_types import Floats
from .._support.values import FixedValue, read_only

_AXES = "XYZ"
_POINTS_UP = 0.9  # part of up that lies along an axis


class HeightGrid(FixedValue):
    """Ground whose height is known on a regular grid, and bilinear between; call it with points. Immutable.

    Parameters
    ----------
    heights : (M, N) array_like
        Heights along up in the clip's units, at least 2 × 2. NaN marks a hole: there is no ground in the tiles around
        it.
    spacing : float or (float, float), default 1.0
        Distance between rows, and between columns, in the clip's units.
    origin : (float, float), default (0, 0)
        Position of the first row and of the first column.
    axes : str, default "XZ"
        The axes along which rows and columns are counted: "XZ" where Y is up, "XY" where Z is up. "auto": the two
        horizontal axes in this order, once planting knows the up axis.

    Attributes
    ----------
    heights : (M, N) float64
        A copy; read-only.
    spacing, origin : (2,) float64
        Of rows and columns; read-only.
    axes : str
        As given.

    Raises
    ------
    ValueError
        The shape is wrong, a height is infinite, all heights are NaN, a spacing is not above 0, or axes are unknown.

    Notes
    -----
    Beyond its edges the ground is flat, at the height of the nearest point of the edge.

    Examples
    --------
    >>> grid = HeightGrid([[0.0, 0.0], [1.0, 2.0]], spacing=(2.0, 1.0))
    >>> grid(np.array([[1.0, 5.0, 0.0], [2.0, 5.0, 0.5], [9.0, 5.0, 9.0]])).tolist()
    [0.5, 1.5, 2.0]
    """

    def __init__(
        self, heights: ArrayLike, *, spacing: Any = 1.0, origin: ArrayLike = (0.0, 0.0), axes: str = "XZ"
    ) -> None:
        with np.errstate(invalid="ignore", over="ignore"):  # signalling NaN, long doubles: both are checked below
            self.heights: Floats = read_only(np.array(numbers_of(heights, "heights"), dtype=np.float64))
        if self.heights.ndim != 2 or min(self.heights.shape) < 2:
            raise ValueError(f"heights has shape {self.heights.shape}: (M, N) with M, N ≥ 2 is needed")
        bad = np.argwhere(np.isinf(self.heights))
        if bad.size:
            row, column = bad[0].tolist()
            raise ValueError(
                f"heights[{row}, {column}] is {self.heights[row, column]}: a height must be finite, or NaN for a hole"
            )
        if np.isnan(self.heights).all():
            raise ValueError("heights are all NaN: there is no ground anywhere")
        steps = numbers_of(spacing, "spacing")
        if steps.shape not in ((), (1,), (2,)):
            raise ValueError(f"spacing has shape {steps.shape}: one or two lengths above 0 are needed")
        self.spacing = read_only(np.array(np.broadcast_to(steps, 2), dtype=np.float64))
        if not (np.isfinite(self.spacing).all() and (self.spacing > 0.0).all()):
            raise ValueError(f"spacing is {spacing!r}: one or two lengths above 0 are needed")
        self.origin = read_only(np.array(numbers_of(origin, "origin"), dtype=np.float64))
        if self.origin.shape != (2,) or not np.isfinite(self.origin).all():
            raise ValueError(f"origin is {origin!r}: two finite numbers are needed")
        if not isinstance(axes, str):
            raise TypeError(f"axes is {axes!r}: a word such as 'XZ' is needed")
        if axes != "auto" and (len(axes) != 2 or set(axes) - set(_AXES) or axes[0] == axes[1]):
            raise ValueError(f"axes is {axes!r}: two different ones of X, Y, Z are needed, such as 'XZ'")
        self.axes = axes

    def _arguments(self) -> dict[str, Any]:
        return {"heights": self.heights, "spacing": self.spacing, "origin": self.origin, "axes": self.axes}

    def __repr__(self) -> str:
        rows, columns = self.heights.shape
        return f"HeightGrid({rows} × {columns}, axes={self.axes!r})"

    def facing(self, up: Floats) -> HeightGrid:
        """Return the grid with the horizontal axes for the direction `up` (3,), if they were left open.

        ValueError if they were given and one of them points up: that grid is of a clip with other axes.
        """
        up = float_array(up, "up", 1, "(3,)")
        if up.shape != (3,) or not (np.isfinite(up).all() and up.any()):
            raise ValueError(f"up is {up.tolist()}: it must be three finite numbers, not all zero")
        upright = int(np.argmax(np.abs(up)))
        name = _AXES[upright]
        level = _AXES.replace(name, "")
        if self.axes != "auto":
            if name in self.axes and abs(float(up[upright])) > _POINTS_UP:
                raise ValueError(
                    f"ground: the rows and columns of the HeightGrid follow {self.axes!r}, but {name} is the clip's "
                    f"vertical axis: axes={level!r}, or 'auto', is needed"
                )
            return self
        return HeightGrid(self.heights, spacing=self.spacing, origin=self.origin, axes=level)

    def __call__(self, points: Floats) -> Floats:
        """Return the heights (N,) under points (N, 3); NaN over a hole."""
        if self.axes == "auto":
            raise ValueError("axes is 'auto': it is not known yet which way is up; `facing` says it")
        given = vectors(points, "points")
        place = given[:, [*map(_AXES.index, self.axes)]]
        steps = np.clip((place - self.origin) / self.spacing, 0.0, np.array(self.heights.shape) - 1.0)
        first = np.minimum(np.nan_to_num(steps).astype(np.intp), np.array(self.heights.shape) - 2)
        along, across = (steps - first).T
        i, j = first.T
        near = _between(self.heights[i, j], self.heights[i, j + 1], across)
        far = _between(self.heights[i + 1, j], self.heights[i + 1, j + 1], across)
        return _between(near, far, along)


def vectors(values: ArrayLike, name: str) -> Floats:
    """Return (N, 3) numbers."""
    array = float_array(values, name, 2, "(N, 3)")
    if array.shape[1] != 3:
        raise ValueError(f"{name} has shape {array.shape}: expected (N, 3)")
    return array


def _between(first: Floats, last: Floats, part: Floats) -> Floats:
    """Interpolate linearly; at either end the other value does not matter, even where it is a hole."""
    mixed = (1.0 - part) * first + part * last
    return np.asarray(np.where(part <= 0.0, first, np.where(part >= 1.0, last, mixed)))
