# SPDX-License-Identifier: MIT
"""Triangles that rays are cast at: a bounding volume hierarchy finds them (Embree), float64 says where they are hit."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import MissingExtraError

__all__ = ["TriangleScene"]

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
    Embree finds the triangle in float32; where the surface is on it is then computed in float64.
    """

    def __init__(self, points: Array, faces: NDArray[np.intp]) -> None:
        self.points, self.faces = points, faces
        # Rays are in float32: about the middle their numbers are smallest.
        self._middle = 0.5 * (points.min(axis=0) + points.max(axis=0))
        self._corner = points[faces[:, 0]]
        self.normals: Array = np.cross(points[faces[:, 1]] - self._corner, points[faces[:, 2]] - self._corner)
        self._embree: Any = None

    def cast(self, origins: Array, directions: Array) -> tuple[Array, NDArray[np.intp]]:
        """Return the distance along each ray, and the triangle hit; −1 and infinity where there is none.

        Parameters
        ----------
        origins, directions : (N, 3) float64
            Rays; directions of length 1.

        Returns
        -------
        distance : (N,) float64
            In the units of the points.
        face : (N,) int
            Which triangle.

        Raises
        ------
        MissingExtraError
            The extra ``ground`` is not installed.
        """
        found = self._first(origins, directions)
        # Rays along two of the borders miss: a hair's breadth inside they do not.
        missed = np.flatnonzero(found < 0)
        if missed.size:
            nudged = origins[missed] + _BORDER * (self._middle - origins[missed])
            found[missed] = self._first(nudged, directions[missed])
        normal = self.normals[found]
        with np.errstate(divide="ignore", invalid="ignore"):
            rise = np.einsum("ni,ni->n", self._corner[found] - origins, normal)
            distance = np.asarray(rise / np.einsum("ni,ni->n", directions, normal))
        # A triangle that the ray lies in is met along its edge only: there its own points are what is known.
        along = np.flatnonzero((found >= 0) & ~np.isfinite(distance))
        if along.size:
            corners = self.points[self.faces[found[along]]] - origins[along, None]
            distance[along] = np.einsum("nki,ni->nk", corners, directions[along]).min(axis=1)
        distance[found < 0] = np.inf
        return distance, found

    def _first(self, origins: Array, directions: Array) -> NDArray[np.intp]:
        """Return the first triangle of each ray, −1 where there is none."""
        if self._embree is None:
            self._embree = self._built()
        start = np.ascontiguousarray(origins - self._middle, dtype=np.float32)
        return np.asarray(self._embree.run(start, np.ascontiguousarray(directions, dtype=np.float32)), dtype=np.intp)

    def _built(self) -> Any:
        """Return the hierarchy."""
        try:
            scenes, meshes = import_module("embreex.rtcore_scene"), import_module("embreex.mesh_construction")
        except ImportError as error:
            raise MissingExtraError("a mesh as ground", "embreex", "ground") from error
        scene = scenes.EmbreeScene()
        meshes.TriangleMesh(scene, (self.points - self._middle).astype(np.float32), self.faces.astype(np.int32))
        return scene
