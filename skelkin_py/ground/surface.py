# SPDX-License-Identifier: MIT
"""The ground under the feet: one question, whatever it is made of.

A ground answers one question for many points at once: how high, along up, is the ground below or above
each of them. Heights are in the clip's units.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .mesh_ground import MeshGround

__all__ = ["Ground", "GroundFunction", "as_ground"]

GroundFunction = Callable[[NDArray[np.float64]], Any]


class Ground:
    """Heights along up, for points (N, 3) → (N,).

    Parameters
    ----------
    height : float, callable or MeshGround
        The height of a level plane, a function that takes points (N, 3) and returns their ground
        heights (N,), or a mesh, which has to be told by `facing` which way is up.

    Examples
    --------
    >>> Ground(2.0).heights(np.zeros((2, 3))).tolist()
    [2.0, 2.0]
    >>> Ground(lambda p: 0.1 * p[:, 0]).heights(np.array([[10.0, 0.0, 0.0]])).tolist()
    [1.0]
    """

    def __init__(self, height: float | GroundFunction | MeshGround) -> None:
        self.mesh: MeshGround | None = None
        self._function: GroundFunction | None = None
        self.level: float | None = None
        if isinstance(height, MeshGround):
            self.mesh = height
        elif callable(height):
            self._function = height
        else:
            self.level = float(height)

    def __repr__(self) -> str:
        return f"Ground({self.level if self.level is not None else self.mesh or self._function!r})"

    def facing(self, up: NDArray[np.float64], leg: float) -> Ground:
        """Return the ground for feet of a body that stands upright along `up`.

        Parameters
        ----------
        up : (3,) float64
            Unit vector.
        leg : float
            Leg length in the clip's units.

        Returns
        -------
        Ground
            Heights of a mesh along `up`; any other ground as it is.
        """
        mesh = self.mesh
        return self if mesh is None else Ground(lambda points: mesh.heights(points, up, leg))

    def heights(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the ground's height along up at each point.

        Parameters
        ----------
        points : (..., 3) float64
            Places; their own height does not matter to a level plane, a function may use it.

        Returns
        -------
        (...) float64
            Heights along up, in the clip's units.

        Raises
        ------
        ValueError
            The function returned another shape than (N,), or a height that is not finite.
        TypeError
            The function returned something else than real numbers.
        """
        shape = points.shape[:-1]
        if self._function is None:
            return np.full(shape, self.level, dtype=np.float64)
        flat = np.ascontiguousarray(points.reshape(-1, 3))
        given = np.asarray(self._function(flat))
        if given.dtype.kind not in "fiu":
            raise TypeError(f"ground returned {given.dtype} values: real heights are needed, one per point")
        heights = np.asarray(given, dtype=np.float64)
        if heights.shape != (len(flat),):
            raise ValueError(
                f"ground returned shape {heights.shape} for points {flat.shape}: one height per point is needed, "
                f"({len(flat)},)"
            )
        bad = np.flatnonzero(~np.isfinite(heights))
        if bad.size:
            point = ", ".join(f"{x:.6g}" for x in flat[bad[0]])
            raise ValueError(
                f"ground returned {heights[bad[0]]} at ({point}): a height must be finite ({bad.size} of {len(flat)} "
                "points)"
            )
        return heights.reshape(shape)

    def above(self, points: NDArray[np.float64], up: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return how far above the ground points are; below it the numbers are negative.

        Parameters
        ----------
        points : (..., 3) float64
            Places.
        up : (3,) float64
            Unit vector.

        Returns
        -------
        (...) float64
            Distances along up, in the clip's units.

        Examples
        --------
        >>> Ground(2.0).above(np.array([[0.0, 3.5, 0.0]]), np.array([0.0, 1.0, 0.0])).tolist()
        [1.5]
        """
        ground = self.heights(points) if self.level is None else self.level
        return np.asarray(points @ up - ground)


def as_ground(ground: Any) -> Ground | None:
    """Turn what the caller gave into a Ground; None stays None, to be estimated.

    Parameters
    ----------
    ground : None, float, callable, MeshGround, mesh or Ground
        See `Ground`; a mesh is anything with `points` or `vertices`, and `faces`.

    Returns
    -------
    Ground or None
        The ground.

    Raises
    ------
    TypeError
        Anything else.
    ValueError
        A number that is not finite.

    Examples
    --------
    >>> as_ground(0.5).level
    0.5
    """
    if ground is None or isinstance(ground, Ground):
        return ground
    if isinstance(ground, MeshGround) or callable(ground):
        return Ground(ground)
    points = getattr(ground, "points", getattr(ground, "vertices", None))
    if points is not None and hasattr(ground, "faces"):
        return Ground(MeshGround(points, ground.faces))
    if isinstance(ground, (int, float, np.integer, np.floating)) and not isinstance(ground, bool):
        if not np.isfinite(ground):
            raise ValueError(f"ground is {ground}: a height must be finite")
        return Ground(float(ground))
    raise TypeError(
        f"ground is {type(ground).__name__}: None (estimated), a number (height along up), a function "
        "from points (N, 3) to heights (N,), a HeightGrid or a MeshGround is accepted"
    )
