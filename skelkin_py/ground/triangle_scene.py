# SPDX-License-Identifier: MIT
"""Triangles that rays are cast at: lines along one axis find them in cells, others by Embree; float64 says where."""

from __future__ import annotations

import math
from importlib import import_module
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._core import ray_hits, upright_cells, upright_first
from .._support.errors import MissingExtraError

Array = NDArray[np.float64]
_BORDER = 1e-6  # of the way to the middle of the mesh
_BELOW, _ABOVE = 1, 2  # on which side of a window a point is along an axis; two more bits for the other axis
_ROUNDING = 1e-5  # of the mesh's size: more than rays are nudged, and than what rounding makes of a projection


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
    Rays that share their direction, or go back along it, are looked up in float64 among triangles sorted for that;
    other rays, and triangles of which many lie above each other, are Embree's, which finds them in float32. Where the
    surface is on a triangle is computed in float64.
    """

    def __init__(self, points: Array, faces: NDArray[np.intp]) -> None:
        self.points, self.faces = np.ascontiguousarray(points), np.ascontiguousarray(faces, dtype=np.int32)
        # Rays are in float32: about the middle their numbers are smallest.
        self._middle = 0.5 * (points.min(axis=0) + points.max(axis=0))
        # Embree's own bounds are those of everyday units; a power of two changes no digit.
        extent = float(np.abs(points - self._middle).max())
        ordinary = 1e-6 <= extent <= 1e6 or extent == 0.0
        self._unit = 0 if ordinary else -math.frexp(extent)[1]
        self._embree: Any = None
        self._upright: tuple[Array, Any] | None = None

    @property
    def has_area(self) -> bool:
        """Whether any of the triangles can be hit."""
        first, second, third = (self.points[self.faces[:, k]] for k in range(3))
        return bool((np.cross(second - first, third - first) != 0.0).any())

    def cast(self, origins: Array, directions: Array) -> tuple[Array, Array, NDArray[np.int32]]:
        """Return where rays meet their first triangle.

        Parameters
        ----------
        origins : (N, 3) float64
            Where they begin.
        directions : (N, 3) or (1, 3) float64
            Which way they go; of length 1.

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
        # Rays along two of the borders miss: a hair's breadth inside they do not.
        missed = np.flatnonzero(found < 0)
        if missed.size:
            nudged = origins[missed] + _BORDER * (self._middle - origins[missed])
            found[missed] = self._first(nudged, directions if len(directions) == 1 else directions[missed])
        distance, normal = ray_hits(self.points, self.faces, origins, directions, found)
        return distance, normal, found

    def _first(self, origins: Array, directions: Array) -> NDArray[np.int32]:
        """Return the first triangle of each ray, −1 where there is none."""
        if len(directions) == 1:
            way, known = directions[0], self._upright
            if known is None or not (np.array_equal(way, known[0]) or np.array_equal(way, -known[0])):
                known = self._upright = way.copy(), upright_cells(self.points, self.faces, way)
            axis, cells = known
            if cells is not None:
                return upright_first(cells, origins, bool(way @ axis > 0.0))
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

    def _in_float32(self, places: Array) -> NDArray[np.float32]:
        """Return places as Embree knows them."""
        start = np.empty(places.shape, dtype=np.float32)
        with np.errstate(over="ignore"):  # what is so far away meets nothing
            if self._unit:
                start[...] = np.ldexp(places - self._middle, self._unit)
            else:
                np.subtract(places, self._middle, out=start, casting="same_kind")
        return start


class NearTriangles:
    """Triangles that are asked along one line at a time, below and above a few places.

    Parameters
    ----------
    points : (V, 3) float64
        Positions, finite.
    faces : (T, 3) int
        Triangles of these points.

    Notes
    -----
    A line can only meet triangles whose shadow along it covers where it goes: all others are left out before
    anything is sorted, so that a large mesh costs one look at its points. What is found is what `TriangleScene` finds.

    Examples
    --------
    >>> near = NearTriangles(np.array([[0.0, 0, 0], [4, 0, 0], [0, 4, 1]]), np.array([[0, 1, 2]]))
    >>> near.cast(np.array([[1.0, 1.0, 5.0]]), np.array([[0.0, 0.0, -1.0]]))[0].tolist()
    [4.75]
    """

    def __init__(self, points: Array, faces: NDArray[np.intp]) -> None:
        self._points, self._faces = points, faces
        self._axis: Array | None = None
        self._window: tuple[Array, Array] | None = None

    @property
    def num_kept(self) -> int:
        """How many triangles are in order."""
        return 0 if self._window is None else len(self._rows)

    def cast(self, origins: Array, directions: Array) -> tuple[Array, Array, NDArray[np.int32]]:
        """Return where rays meet their first triangle.

        Parameters
        ----------
        origins : (N, 3) float64
            Where they begin.
        directions : (1, 3) float64
            Which way they all go; of length 1.

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
        way = directions[0]
        if self._axis is None or not (np.array_equal(way, self._axis) or np.array_equal(way, -self._axis)):
            self._look_along(way)
        places = origins @ self._plane
        low, high = places.min(axis=0, initial=np.inf), places.max(axis=0, initial=-np.inf)
        if self._window is None or (low < self._window[0]).any() or (high > self._window[1]).any():
            self._open(low, high)
        if not len(self._rows):
            count = len(origins)
            return np.full(count, np.inf), np.zeros((count, 3)), np.full(count, -1, dtype=np.int32)
        distance, normal, found = self._scene.cast(origins, directions)
        return distance, normal, np.where(found >= 0, self._rows[found], -1).astype(np.int32)

    def _look_along(self, way: Array) -> None:
        """Measure along two axes square to a direction; the mesh's own where it goes along the third."""
        first = np.eye(3)[np.argsort(np.abs(way), kind="stable")[0]]
        second = np.cross(way, first)
        second /= np.linalg.norm(second)
        self._axis, self._plane = way.copy(), np.stack([np.cross(second, way), second], axis=1)
        self._room = _ROUNDING * float(np.ptp(self._points, axis=0).max())
        self._window = None

    def _open(self, low: Array, high: Array) -> None:
        """Put in order what lies in a window with as much room about these places as they take themselves."""
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
    """The near triangles of a mesh whose points move, of the frames that were requested last.

    Parameters
    ----------
    points : (F, V, 3) float64
        Positions in each frame, finite.
    faces : (T, 3) int
        Triangles of these points.
    most : int
        How many triangles of all frames together stay in order; those of the last frame do, however many.

    Examples
    --------
    >>> points = np.array([[[0.0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0.0, 0, 1], [4, 0, 1], [0, 4, 1]]])
    >>> near = NearTrianglesOfFrames(points, np.array([[0, 1, 2]]), 1000)
    >>> near.cast(1, np.array([[1.0, 1.0, 5.0]]), np.array([[0.0, 0.0, -1.0]]))[0].tolist()
    [4.0]
    """

    def __init__(self, points: Array, faces: NDArray[np.intp], most: int) -> None:
        self._points, self._faces, self._most = points, faces, most
        self._frames: dict[int, NearTriangles] = {}
        self._kept = 0
        self._lock = Lock()

    @property
    def num_kept(self) -> int:
        """How many triangles of all frames are in order."""
        return self._kept

    def cast(self, frame: int, origins: Array, directions: Array) -> tuple[Array, Array, NDArray[np.int32]]:
        """Return where rays of one frame meet their first triangle, as `NearTriangles.cast` does."""
        with self._lock:  # taken out while it is asked: threads that ask for the same frame have one each
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
