# SPDX-License-Identifier: MIT
"""Triangles to cast rays at: rays along one axis find them in cells, other rays with Embree."""

from __future__ import annotations

import math
from importlib import import_module
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._core import ray_hits, upright_cells, upright_first
from .._support.array_types import Floats
from .._support.errors import MissingExtraError

_BORDER = 1e-6  # of the distance to the middle of the mesh, by which rays that miss are moved
_BELOW, _ABOVE = 1, 2  # on which side of a window a point is along an axis; two more bits for the other axis
_ROUNDING = 1e-5  # of the mesh's size: more than that move, and more than the rounding of projections


class TriangleScene:
    """Triangles in one space that do not move.

    Parameters
    ----------
    points : (V, 3) float64
        Positions, finite.
    faces : (T, 3) int
        Triangles of these points; those without an area are never hit.

    Notes
    -----
    Rays in one direction, or its opposite, find triangles in float64 among cells made for that direction. For other
    rays, and where many triangles lie above each other, Embree finds the triangle in float32. The point on the triangle
    is always computed in float64.
    """

    def __init__(self, points: Floats, faces: NDArray[np.intp]) -> None:
        self.points, self.faces = np.ascontiguousarray(points), np.ascontiguousarray(faces, dtype=np.int32)
        # Float32 is most accurate around 0, so rays are relative to the middle.
        self._middle = 0.5 * (points.min(axis=0) + points.max(axis=0))
        # Embree expects everyday units; scaling by a power of two changes no digit.
        extent = float(np.abs(points - self._middle).max())
        ordinary = 1e-6 <= extent <= 1e6 or extent == 0.0
        self._unit = 0 if ordinary else -math.frexp(extent)[1]
        self._embree: Any = None
        self._upright: tuple[Floats, Any] | None = None

    @property
    def has_area(self) -> bool:
        """Whether any of the triangles can be hit."""
        first, second, third = (self.points[self.faces[:, k]] for k in range(3))
        return bool((np.cross(second - first, third - first) != 0.0).any())

    def cast(self, origins: Floats, directions: Floats) -> tuple[Floats, Floats, NDArray[np.int32]]:
        """Return where rays meet their first triangle.

        Parameters
        ----------
        origins : (N, 3) float64
            The start of each ray.
        directions : (N, 3) or (1, 3) float64
            Unit vectors.

        Returns
        -------
        distance : (N,) float64
            Along each ray, in the units of the points; infinity where nothing is hit.
        normal : (N, 3) float64
            Of the triangle, of any length and on either side; 0 where nothing is hit.
        face : (N,) int32
            Which triangle; −1 where nothing is hit.

        Raises
        ------
        MissingExtraError
            The extra ``ground`` is not installed.
        """
        origins, directions = np.ascontiguousarray(origins), np.ascontiguousarray(directions)
        found = self._first(origins, directions)
        # Rays exactly along two of the borders miss; moved inside by a tiny amount they hit.
        missed = np.flatnonzero(found < 0)
        if missed.size:
            nudged = origins[missed] + _BORDER * (self._middle - origins[missed])
            found[missed] = self._first(nudged, directions if len(directions) == 1 else directions[missed])
        distance, normal = ray_hits(self.points, self.faces, origins, directions, found)
        return distance, normal, found

    def _first(self, origins: Floats, directions: Floats) -> NDArray[np.int32]:
        """Return the first triangle of each ray, −1 where there is none."""
        if len(directions) == 1:
            direction, known = directions[0], self._upright
            if known is None or not (np.array_equal(direction, known[0]) or np.array_equal(direction, -known[0])):
                known = self._upright = direction.copy(), upright_cells(self.points, self.faces, direction)
            axis, cells = known
            if cells is not None:
                return upright_first(cells, origins, bool(direction @ axis > 0.0))
        if self._embree is None:
            self._embree = self._built()
        start = self._in_float32(origins)
        found: NDArray[np.int32] = self._embree.run(start, directions.astype(np.float32))
        return found

    def _built(self) -> Any:
        """Return the hierarchy."""
        try:
            scenes, meshes = import_module("embreex.rtcore_scene"), import_module("embreex.mesh_construction")
        except ImportError as error:
            raise MissingExtraError("a mesh as ground", "embreex", "ground") from error
        scene = scenes.EmbreeScene()
        meshes.TriangleMesh(scene, self._in_float32(self.points), self.faces)
        return scene

    def _in_float32(self, places: Floats) -> NDArray[np.float32]:
        """Return places as Embree knows them."""
        with np.errstate(over="ignore"):  # points so far away hit nothing
            start: NDArray[np.float32] = np.ldexp(places - self._middle, self._unit).astype(np.float32)
        return start


class NearTriangles:
    """Triangles for rays along one axis at a time, above and below a few points.

    Parameters
    ----------
    points : (V, 3) float64
        Positions, finite.
    faces : (T, 3) int
        Triangles of these points.

    Notes
    -----
    A ray can only meet triangles whose projection along the axis is near it. All others are left out before anything is
    sorted, so that a large mesh costs one pass over its points. Results are those of `TriangleScene`.

    Examples
    --------
    >>> near = NearTriangles(np.array([[0.0, 0, 0], [4, 0, 0], [0, 4, 1]]), np.array([[0, 1, 2]]))
    >>> near.cast(np.array([[1.0, 1.0, 5.0]]), np.array([[0.0, 0.0, -1.0]]))[0].tolist()
    [4.75]
    """

    def __init__(self, points: Floats, faces: NDArray[np.intp]) -> None:
        self._points, self._faces = points, faces
        self._axis: Floats | None = None
        self._window: tuple[Floats, Floats] | None = None

    @property
    def num_kept(self) -> int:
        """Number of sorted triangles."""
        return 0 if self._window is None else len(self._rows)

    def cast(self, origins: Floats, directions: Floats) -> tuple[Floats, Floats, NDArray[np.int32]]:
        """Return where rays meet their first triangle.

        Parameters
        ----------
        origins : (N, 3) float64
            The start of each ray.
        directions : (1, 3) float64
            The unit vector of all rays.

        Returns
        -------
        distance : (N,) float64
            Along each ray; infinity where nothing is hit.
        normal : (N, 3) float64
            Of the triangle, of any length and on either side; 0 where nothing is hit.
        face : (N,) int32
            Which triangle; −1 where nothing is hit.

        Raises
        ------
        MissingExtraError
            The extra ``ground`` is not installed.
        """
        axis = directions[0]
        if self._axis is None or not (np.array_equal(axis, self._axis) or np.array_equal(axis, -self._axis)):
            self._project_along(axis)
        places = origins @ self._plane
        low, high = places.min(axis=0, initial=np.inf), places.max(axis=0, initial=-np.inf)
        if self._window is None or (low < self._window[0]).any() or (high > self._window[1]).any():
            self._open(low, high)
        if not len(self._rows):
            count = len(origins)
            return np.full(count, np.inf), np.zeros((count, 3)), np.full(count, -1, dtype=np.int32)
        distance, normal, found = self._scene.cast(origins, directions)
        return distance, normal, np.where(found >= 0, self._rows[found], -1).astype(np.int32)

    def _project_along(self, axis: Floats) -> None:
        """Choose two axes perpendicular to an axis; coordinate axes where it is one."""
        first = np.eye(3)[np.argsort(np.abs(axis), kind="stable")[0]]
        second = np.cross(axis, first)
        second /= np.linalg.norm(second)
        self._axis, self._plane = axis.copy(), np.stack([np.cross(second, axis), second], axis=1)
        self._room = _ROUNDING * float(np.ptp(self._points, axis=0).max())
        self._window = None

    def _open(self, low: Floats, high: Floats) -> None:
        """Sort the triangles in a window around these places, with a margin of half their extent."""
        if self._window is not None:
            low, high = np.minimum(low, self._window[0]), np.maximum(high, self._window[1])
        margin = 0.5 * float(np.max(high - low, initial=0.0))
        self._window = low - margin, high + margin
        sides = np.zeros(len(self._points), dtype=np.uint8)
        for column in range(2):
            at = self._points @ self._plane[:, column]
            sides |= np.where(at < self._window[0][column] - self._room, _BELOW << 2 * column, 0).astype(np.uint8)
            sides |= np.where(at > self._window[1][column] + self._room, _ABOVE << 2 * column, 0).astype(np.uint8)
        first, second, third = (sides[self._faces[:, corner]] for corner in range(3))
        self._rows = np.flatnonzero((first & second & third) == 0).astype(np.int32)
        if len(self._rows):
            used, corners = np.unique(self._faces[self._rows], return_inverse=True)
            self._scene = TriangleScene(self._points[used], corners.reshape(-1, 3))


class NearTrianglesOfFrames:
    """The near triangles of a mesh with moving points, for the frames that were requested last.

    Parameters
    ----------
    points : (F, V, 3) float64
        Positions in each frame, finite.
    faces : (T, 3) int
        Triangles of these points.
    most : int
        Number of sorted triangles to keep for all frames together; those of the last frame always stay.

    Examples
    --------
    >>> points = np.array([[[0.0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0.0, 0, 1], [4, 0, 1], [0, 4, 1]]])
    >>> near = NearTrianglesOfFrames(points, np.array([[0, 1, 2]]), 1000)
    >>> near.cast(1, np.array([[1.0, 1.0, 5.0]]), np.array([[0.0, 0.0, -1.0]]))[0].tolist()
    [4.0]
    """

    def __init__(self, points: Floats, faces: NDArray[np.intp], most: int) -> None:
        self._points, self._faces, self._most = points, faces, most
        self._frames: dict[int, NearTriangles] = {}
        self._kept = 0
        self._lock = Lock()

    @property
    def num_kept(self) -> int:
        """Number of sorted triangles of all frames."""
        return self._kept

    def cast(self, frame: int, origins: Floats, directions: Floats) -> tuple[Floats, Floats, NDArray[np.int32]]:
        """Return where rays of one frame meet their first triangle, as `NearTriangles.cast` does."""
        with self._lock:  # taken out while in use: threads with the same frame have one each
            near = self._frames.pop(frame, None)
            self._kept -= near.num_kept if near else 0
        near = near or NearTriangles(self._points[frame], self._faces)
        found = near.cast(origins, directions)
        with self._lock:
            other = self._frames.pop(frame, None)
            self._frames[frame] = near
            self._kept += near.num_kept - (other.num_kept if other else 0)
            while self._kept > self._most and len(self._frames) > 1:
                self._kept -= self._frames.pop(next(iter(self._frames))).num_kept
        return found
