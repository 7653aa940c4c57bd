# SPDX-License-Identifier: MIT
"""The ground under the feet, of any kind: its height, its normal and its motion.

Methods take many points at once, each in a frame of its own. Heights are along up, in the clip's units; where there is
no ground they are NaN.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._support.arguments import FARTHEST, array_of, real_number
from .._support.array_types import Floats
from .casting import Cast, Footing, carried, checked_cast, footing_by_rays, nearest_surface
from .height_grid import HeightGrid
from .mesh_ground import MeshGround

Ints = NDArray[np.intp]
GroundFunction = Callable[[Floats], Any]

_NEAR = 1e-3  # leg: the distance over which the slope of a function is measured


class Ground:
    """The ground at points (N, 3) in frames (N,).

    Parameters
    ----------
    source : float, callable or object with `cast`
        The height of a level plane; a function that takes points (N, 3) and returns the heights (N,) of the ground
        there; or an object that casts rays, which needs the up axis from `facing`.

    Examples
    --------
    >>> Ground(2.0).heights(np.zeros((2, 3))).tolist()
    [2.0, 2.0]
    >>> Ground(lambda p: 0.1 * p[:, 0]).heights(np.array([[10.0, 0.0, 0.0]])).tolist()
    [1.0]
    """

    def __init__(self, source: Any) -> None:
        self._caster: Any = None
        self._cast: Cast | None = None
        self._function: GroundFunction | None = None
        self.level: float | None = None
        self._up: Floats = np.array([0.0, 1.0, 0.0])
        self._leg = 1.0
        self._when: Ints | None = None
        if callable(getattr(source, "cast", None)):
            self._caster = source
            # Only our own meshes need no check; a subclass may cast in another way.
            self._cast = source.cast if type(source) is MeshGround else checked_cast(source)
        elif callable(source):
            self._function = source
        else:
            self.level = float(source)

    def __repr__(self) -> str:
        return f"Ground({self.level if self.level is not None else self._caster or self._function!r})"

    @property
    def moves(self) -> bool:
        """Whether it may move, and carries what stands on it."""
        still = isinstance(self._caster, MeshGround) and self._caster.num_frames is None
        return not still and callable(getattr(self._caster, "carry", None))

    @property
    def _outside(self) -> float | None:
        """The height of the ground where rays hit nothing."""
        outside: float | None = getattr(self._caster, "outside", None)
        return outside

    def facing(self, up: Floats, leg: float, num_frames: int | None = None) -> Ground:
        """Return the ground for feet of a body that stands upright along `up`.

        Parameters
        ----------
        up : (3,) float64
            Unit vector.
        leg : float
            Leg length in the clip's units.
        num_frames : int, optional
            Frames of the clip.

        Returns
        -------
        Ground
            The same ground with these.

        Raises
        ------
        ValueError
            A mesh that moves for fewer frames than the clip has, or a grid whose rows or columns go along `up`.
        """
        if num_frames is not None:
            self.check_frames(num_frames)
        function = self._function.facing(up) if isinstance(self._function, HeightGrid) else self._function
        other = Ground(self.level if self.level is not None else self._caster or function)
        other._up, other._leg, other._when = up, leg, self._when
        return other

    def check_frames(self, num_frames: int) -> None:
        """Raise a ValueError if the ground is a mesh that moves for fewer frames than these."""
        known = getattr(self._caster, "num_frames", None)
        if isinstance(known, int) and known < num_frames:
            raise ValueError(f"ground moves for {known} frames: the clip has {num_frames}")

    def at(self, frames: Ints) -> Ground:
        """Return the ground whose frames 0, 1, … are some of this one's, as for a part of a clip.

        Parameters
        ----------
        frames : (N,) int
            The frames of the source.

        Returns
        -------
        Ground
            The same ground at these times.
        """
        other = copy(self)
        other._when = frames
        return other

    def _times(self, frames: Ints | None) -> Ints | None:
        """Return the source's frames."""
        return frames if frames is None or self._when is None else self._when[frames]

    def footing(self, points: Floats, frames: Ints | None = None) -> Footing:
        """Return heights, normals and surfaces at points.

        Parameters
        ----------
        points : (N, 3) float64
            Places of soles.
        frames : (N,) int, optional
            The frame of each; the first if None.

        Returns
        -------
        Footing
            The ground there.

        Raises
        ------
        ValueError, TypeError
            The function or the object returned wrong types, shapes or values.
        """
        if self._cast is not None:
            return footing_by_rays(self._cast, points, self._times(frames), self._up, self._leg, self._outside)
        num, none = len(points), np.full(len(points), -1, dtype=np.intp)
        if self._function is None:
            assert self.level is not None
            return Footing(np.full(num, self.level), np.tile(self._up, (num, 1)), none)
        heights = self._called(points)
        return Footing(heights, self._slopes(points, heights), none)

    def heights(self, points: Floats, frames: Ints | None = None) -> Floats:
        """Return the ground's height along up at each point.

        Parameters
        ----------
        points : (..., 3) float64
            Points; their height does not matter for a level plane, but a function may use it.
        frames : int array that broadcasts to (...), optional
            The frame of each; the first if None.

        Returns
        -------
        (...) float64
            Heights along up, in the clip's units; NaN where there is no ground.

        Raises
        ------
        ValueError
            A function returned another shape than (N,), or an infinite height.
        TypeError
            A function returned something else than real numbers.
        """
        shape = points.shape[:-1]
        if self.level is not None:
            return np.full(shape, self.level, dtype=np.float64)
        flat = np.ascontiguousarray(points.reshape(-1, 3))
        if self._function is not None:
            return self._called(flat).reshape(shape)
        assert self._cast is not None
        when = None if frames is None else np.broadcast_to(frames, shape).reshape(-1)
        found = nearest_surface(self._cast, flat, self._times(when), self._up, self._leg, self._outside)
        return found[0].reshape(shape)

    def carry(self, points: Floats, surface: Ints, from_frames: Ints, to_frames: Ints) -> Floats:
        """Return where points of its surfaces are in other frames; where they were, if it does not move.

        Parameters
        ----------
        points : (N, 3) float64
            Where they are in `from_frames`.
        surface : (N,) int
            Their surfaces, from `footing`.
        from_frames, to_frames : (N,) int
            Frames.

        Returns
        -------
        (N, 3) float64
            Where they are in `to_frames`.
        """
        if not self.moves:
            return points
        before, after = self._times(from_frames), self._times(to_frames)
        assert before is not None
        assert after is not None
        return carried(self._caster, points, surface, before, after)

    def _called(self, points: Floats) -> Floats:
        """Return the heights of the function at points (N, 3), checked."""
        assert self._function is not None
        given = array_of(self._function(points), "what ground returned")
        if given.dtype.kind not in "fiu":
            raise TypeError(f"ground returned {given.dtype} values: real heights are needed, one per point")
        heights = np.asarray(given, dtype=np.float64)
        if heights.shape != (len(points),):
            raise ValueError(
                f"ground returned shape {heights.shape} for points {points.shape}: one height per point is needed, "
                f"({len(points)},)"
            )
        bad = np.flatnonzero(np.abs(heights) >= FARTHEST)
        if bad.size:
            point = ", ".join(f"{x:.6g}" for x in points[bad[0]])
            raise ValueError(
                f"ground returned {heights[bad[0]]} at ({point}): a height must be finite and below {FARTHEST:g}, or "
                f"NaN where there is no ground ({bad.size} of {len(points)} points)"
            )
        return heights

    def _slopes(self, points: Floats, heights: Floats) -> Floats:
        """Return normals of the function's surface."""
        up, step = self._up, _NEAR * self._leg
        normals = np.tile(up, (len(points), 1))
        for axis in _horizontal_axes(up):
            there, back = self._called(points + step * axis) - heights, heights - self._called(points - step * axis)
            # At a step the flatter side counts: a real slope is steep on both sides.
            gentle = np.where(np.abs(there) < np.abs(back), there, back)
            gentle = np.where(np.isfinite(there), np.where(np.isfinite(back), gentle, there), back)
            normals -= np.nan_to_num(gentle / step)[:, None] * axis
        return np.asarray(normals / np.linalg.norm(normals, axis=1, keepdims=True))


def _horizontal_axes(up: Floats) -> Floats:
    """Return two horizontal unit vectors (2, 3), perpendicular to each other."""
    first = np.cross(up, np.eye(3)[int(np.argmin(np.abs(up)))])
    first /= np.linalg.norm(first)
    return np.stack([first, np.cross(up, first)])


def as_ground(ground: Any) -> Ground | None:
    """Return what the caller gave as a Ground; None, for ground to be estimated, stays None.

    Parameters
    ----------
    ground : None, float, callable, MeshGround, mesh, object with `cast`, or Ground
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
    if callable(getattr(ground, "cast", None)) or callable(ground):
        return Ground(ground)
    points = getattr(ground, "points", getattr(ground, "vertices", None))
    if points is not None and hasattr(ground, "faces"):
        return Ground(MeshGround(points, ground.faces))
    if isinstance(ground, (int, float, np.integer, np.floating)) and not isinstance(ground, bool):
        level = real_number("ground", ground)
        if not np.isfinite(level):
            raise ValueError(f"ground is {ground}: a height must be finite")
        if not abs(level) < FARTHEST:
            raise ValueError(f"ground is {level:g}: a height must be below {FARTHEST:g}")
        return Ground(level)
    given = repr(ground) if isinstance(ground, str) else type(ground).__name__
    raise TypeError(
        f"ground is {given}: None (estimated), a number (height along up), a function "
        "from points (N, 3) to heights (N,), a HeightGrid, a MeshGround or an object with cast is accepted"
    )
