# SPDX-License-Identifier: MIT
"""A triangle mesh as ground, found by rays in a bounding volume hierarchy (Embree; extra ``ground``)."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import MissingExtraError

__all__ = ["MeshGround"]

Array = NDArray[np.float64]

_STEP = 0.5  # leg: what is higher above a sole than this is a ceiling or a railing, not the ground of that foot
_BORDER = 1e-6  # of the way to the middle of the mesh


class MeshGround:
    """Ground that is a triangle mesh; steps, bridges and several storeys are welcome.

    The ground of a foot is the first surface below half a leg length above its sole; where there is none, the
    foot has sunk deeper, and the lowest surface above it counts.

    Parameters
    ----------
    points : (V, 3) array_like
        Positions in the clip's space and units.
    faces : (T, 3) array_like of int
        Triangles; which way round they are does not matter.
    outside : float, optional
        The height along up that counts where there is no surface above or below a point; where None, that is
        an error that names the point.

    Raises
    ------
    ValueError
        A wrong shape, no triangle, a point that is not finite, or a face of points that do not exist.
    TypeError
        Faces that are no whole numbers.
    MissingExtraError
        When it is first used without Embree: the extra ``ground`` is not installed.

    Notes
    -----
    Embree finds the triangle in float32; where the surface is on it is then computed in float64.

    Examples
    --------
    >>> ramp = MeshGround([[0, 0, 0], [0, 0, 4], [4, 1, 0]], [[0, 1, 2]])
    >>> ramp
    MeshGround(1 triangles)
    """

    def __init__(self, points: ArrayLike, faces: ArrayLike, *, outside: float | None = None) -> None:
        self.points: Array = np.array(points, dtype=np.float64)
        if self.points.ndim != 2 or self.points.shape[1] != 3:
            raise ValueError(f"points has shape {self.points.shape}: (V, 3) is needed")
        bad = np.argwhere(~np.isfinite(self.points))
        if bad.size:
            row, column = bad[0].tolist()
            raise ValueError(f"points[{row}, {column}] is {self.points[row, column]}: it must be finite")
        given = np.asarray(faces)
        if given.dtype.kind not in "iu":
            raise TypeError(f"faces has dtype {given.dtype}: whole numbers are needed")
        if given.ndim != 2 or given.shape[1] != 3 or not len(given):
            raise ValueError(f"faces has shape {given.shape}: (T, 3) with T ≥ 1 is needed")
        wrong = np.argwhere((given < 0) | (given >= len(self.points)))
        if wrong.size:
            row, column = wrong[0].tolist()
            raise ValueError(f"faces[{row}, {column}] is {given[row, column]}: there are {len(self.points)} points")
        self.faces: NDArray[np.intp] = given.astype(np.intp)
        if outside is not None and not np.isfinite(outside):
            raise ValueError(f"outside is {outside}: a finite height is needed, or None")
        self.outside = outside
        # Rays are in float32: about the middle their numbers are smallest.
        self._middle = 0.5 * (self.points.min(axis=0) + self.points.max(axis=0))
        self._corner = self.points[self.faces[:, 0]]
        self._normal = np.cross(
            self.points[self.faces[:, 1]] - self._corner, self.points[self.faces[:, 2]] - self._corner
        )
        self._scene: Any = None

    def __repr__(self) -> str:
        return f"MeshGround({len(self.faces)} triangles)"

    def heights(self, points: Array, up: Array, leg: float) -> Array:
        """Return the ground's height along up at each point.

        Parameters
        ----------
        points : (N, 3) float64
            Places of soles.
        up : (3,) float64
            Unit vector.
        leg : float
            Leg length.

        Returns
        -------
        (N,) float64
            Heights along up, in the clip's units.

        Raises
        ------
        ValueError
            There is no surface above or below a point, and no height that counts there.
        MissingExtraError
            The extra ``ground`` is not installed.
        """
        start = points + _STEP * leg * up
        found = self._first_hits(start, -up)
        # Rays along two of the borders miss: a hair's breadth inside they do not.
        inside = start + _BORDER * (self._middle - start)
        for origins, direction in ((start, up), (inside, -up), (inside, up)):
            missed = np.flatnonzero(found < 0)
            if missed.size:
                found[missed] = self._first_hits(origins[missed], direction)
        hit = found >= 0
        normal = self._normal[found]
        with np.errstate(divide="ignore", invalid="ignore"):
            rise = np.einsum("ni,ni->n", self._corner[found] - points, normal) / (normal @ up)
        heights = points @ up + rise
        # A triangle that stands upright is met along its edge only: there its own points are what is known.
        upright = hit & ~np.isfinite(heights)
        heights[upright] = (self.points[self.faces[found[upright]]] @ up).max(axis=1)
        if not hit.all():
            if self.outside is None:
                place = ", ".join(f"{x:.6g}" for x in points[np.flatnonzero(~hit)[0]])
                raise ValueError(
                    f"ground: the mesh has no surface above or below ({place}) ({int((~hit).sum())} of {len(points)} "
                    "points): extend it, or say which height counts there by MeshGround(…, outside=)"
                )
            heights[~hit] = self.outside
        return np.asarray(heights)

    def _first_hits(self, start: Array, direction: Array) -> NDArray[np.intp]:
        """Return the first triangle of each ray, −1 where there is none."""
        if self._scene is None:
            self._scene = self._built()
        origins = np.ascontiguousarray(start - self._middle, dtype=np.float32)
        directions = np.tile(direction.astype(np.float32), (len(origins), 1))
        return np.asarray(self._scene.run(origins, directions), dtype=np.intp)

    def _built(self) -> Any:
        """Return the scene of rays."""
        try:
            scenes, meshes = import_module("embreex.rtcore_scene"), import_module("embreex.mesh_construction")
        except ImportError as error:
            raise MissingExtraError("a mesh as ground", "embreex", "ground") from error
        scene = scenes.EmbreeScene()
        meshes.TriangleMesh(scene, (self.points - self._middle).astype(np.float32), self.faces.astype(np.int32))
        return scene
