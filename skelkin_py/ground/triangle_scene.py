# SPDX-License-Identifier: MIT
"""Triangles that rays are cast at: lines along one axis find them in cells, others by Embree; float64 says where."""

from __future__ import annotations

import math
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._core import ray_hits, upright_cells, upright_first
from .._support.errors import MissingExtraError

Array = NDArray[np.float64]

_BORDER = 1e-6  # of the way to the middle of the mesh


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
