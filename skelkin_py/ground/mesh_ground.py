# SPDX-License-Identifier: MIT
"""A triangle mesh as ground, still or moving, found by rays (some of them with Embree, the extra ``ground``)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._support.arguments import FARTHEST, array_of, float_array, index_array, numbers_of, positive_number, real_number
from .._support.array_types import Flags, Floats
from .._support.values import FixedValue, read_only
from .casting import nearest_surface
from .height_grid import vectors
from .triangle_scene import NearTrianglesOfFrames, TriangleScene

Ints = NDArray[np.intp]

_RIGID = 1e-6  # tolerance for perpendicular unit axes of a transform
_KEPT = 4_000_000  # triangles of the hierarchies that are kept for a mesh with moving points


class MeshGround(FixedValue):
    """Ground that is a triangle mesh, with steps, bridges and several storeys, still or moving. Immutable.

    The ground of a foot is the first surface below half a leg length above its sole. Where there is none, the foot has
    sunk deeper, and its ground is the lowest surface above it. Without that too, as over a hole or beyond the mesh, the
    foot has no ground, and no contact.

    Parameters
    ----------
    points : (V, 3) or (F, V, 3) array_like
        Positions in the clip's space and units; per frame where the mesh changes its shape.
    faces : (T, 3) array_like of int
        Triangles; their orientation does not matter. Triangles without an area are ignored.
    outside : float, optional
        The height of the ground along up where there is no surface above or below a point.
    transforms : (F, 4, 4) or (F, 3, 4) array_like, optional
        A rigid transform of the points in each frame of the clip, as of a lift or a turntable. A standing foot moves
        with the surface.

    Attributes
    ----------
    points, transforms : float64 arrays
        Copies of what was given, `transforms` may be None; read-only.
    faces : (T, 3) int
        A copy; read-only.
    outside : float or None
        As given.

    Raises
    ------
    ValueError
        A shape is wrong, no triangle has an area, a point is not finite or beyond 1e75, a face names a point that does
        not exist, a transform is not rigid, or both points and transforms are per frame.
    TypeError
        Faces are not whole numbers.
    MissingExtraError
        The extra ``ground`` is not installed, which is needed to cast rays in different directions, as at a mesh with
        `transforms`, or at a mesh with many triangles above each other.

    Notes
    -----
    Surfaces straight above or below are found in float64. For rays in different directions Embree finds the triangle
    in float32, and the point on it is then computed in float64. For a mesh with moving points only the triangles above
    and below the requested points are sorted in each frame.

    Examples
    --------
    >>> ramp = MeshGround([[0, 0, 0], [0, 0, 4], [4, 1, 0]], [[0, 1, 2]])
    >>> ramp
    MeshGround(1 triangles)
    >>> rising = np.tile(np.eye(4), (3, 1, 1))
    >>> rising[:, 1, 3] = [0.0, 0.1, 0.3]
    >>> lift = MeshGround([[0, 0, 0], [0, 0, 4], [4, 0, 0]], [[0, 1, 2]], transforms=rising)
    >>> lift.carry(np.array([[1.0, 0.0, 1.0]]), [0], [0], [2]).tolist()
    [[1.0, 0.3, 1.0]]
    """

    def __init__(
        self, points: ArrayLike, faces: ArrayLike, *, outside: float | None = None, transforms: ArrayLike | None = None
    ) -> None:
        self.points: Floats = read_only(np.array(numbers_of(points, "points"), dtype=np.float64))
        if self.points.ndim not in (2, 3) or self.points.shape[-1] != 3 or not len(self.points):
            raise ValueError(f"points has shape {self.points.shape}: (V, 3) or, per frame, (F, V, 3) is needed")
        bad = np.argwhere(~(np.abs(self.points) < FARTHEST))
        if bad.size:
            place = tuple(bad[0].tolist())
            where, value = ", ".join(map(str, place)), self.points[place]
            raise ValueError(f"points[{where}] is {value:g}: it must be finite and below {FARTHEST:g}")
        self.faces: Ints = read_only(_checked_faces(faces, self.points.shape[-2]))
        self.outside = None if outside is None else real_number("outside", outside)
        if self.outside is not None and not np.isfinite(self.outside):
            raise ValueError(f"outside is {self.outside}: a finite height is needed, or None")
        self.transforms: Floats | None = None if transforms is None else read_only(_checked_transforms(transforms))
        if self.transforms is not None and self.points.ndim == 3:
            raise ValueError("points are per frame and transforms are given: give one of the two")
        self._scenes: dict[int, TriangleScene] = {}
        self._near = NearTrianglesOfFrames(self.points, self.faces, _KEPT)
        first = self.points if self.points.ndim == 2 else self.points[0]
        if not TriangleScene(first, self.faces).has_area:
            raise ValueError(f"faces: none of the {len(self.faces)} triangles has an area")

    def _arguments(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("points", "faces", "outside", "transforms")}

    def __repr__(self) -> str:
        frames = self.num_frames
        return f"MeshGround({len(self.faces)} triangles{'' if frames is None else f', {frames} frames'})"

    @property
    def num_frames(self) -> int | None:
        """Number of frames for which the mesh is given; None where it does not move."""
        if self.transforms is not None:
            return len(self.transforms)
        return len(self.points) if self.points.ndim == 3 else None

    def heights(self, points: Floats, up: Floats, leg: float, frames: Ints | None = None) -> Floats:
        """Return the ground's height along up at each point.

        Parameters
        ----------
        points : (N, 3) float64
            Places of soles.
        up : (3,) float64
            Unit vector.
        leg : float
            Leg length.
        frames : (N,) int, optional
            The frame of each; the first if None.

        Returns
        -------
        (N,) float64
            Heights along up, in the clip's units; `outside`, else NaN, where no surface is above or below a point.

        Raises
        ------
        MissingExtraError
            The extra ``ground`` is not installed.
        """
        where, upward = vectors(points, "points"), float_array(up, "up", 1, "(3,)")
        if upward.shape != (3,) or not abs(float(upward @ upward) - 1.0) < _RIGID:
            raise ValueError(f"up is {upward.tolist()}: it must be a unit vector")
        return nearest_surface(self.cast, where, frames, upward, positive_number("leg", leg), self.outside)[0]

    def cast(
        self, origins: Floats, directions: Floats, frames: Ints | None = None
    ) -> tuple[Floats, Floats, Flags, Ints]:
        """Cast rays and return what they hit first.

        Parameters
        ----------
        origins : (N, 3) float64
            The start of each ray.
        directions : (N, 3) or (1, 3) float64
            Unit vectors.
        frames : (N,) int, optional
            The frame of each ray; the first if None.

        Returns
        -------
        distance : (N,) float64
            Along the ray; infinity where nothing is hit.
        normal : (N, 3) float64
            Of the triangle, of any length and on either side; 0 where nothing is hit.
        hit : (N,) bool
            Whether something is hit.
        surface_id : (N,) int
            The triangle; −1 where nothing is hit.

        Raises
        ------
        MissingExtraError
            The extra ``ground`` is not installed.
        """
        origins, directions = vectors(origins, "origins"), vectors(directions, "directions")
        if len(directions) not in (1, len(origins)):
            raise ValueError(f"directions has shape {directions.shape}: expected {origins.shape}, or (1, 3)")
        when = self._frames(np.zeros(len(origins), np.intp) if frames is None else frames, "frames", len(origins))
        if self.num_frames is None:
            distance, normal, face = self._scene(0).cast(origins, directions)
        elif self.transforms is not None:
            turn, shift = self.transforms[when, :3, :3], self.transforms[when, :3, 3]
            start = np.einsum("nji,nj->ni", turn, origins - shift)
            local = np.einsum("nji,nj->ni", turn, np.broadcast_to(directions, origins.shape))
            distance, normal, face = self._scene(0).cast(start, local)
            normal = np.einsum("nij,nj->ni", turn, normal)
        else:
            distance, normal = np.empty(len(origins)), np.empty((len(origins), 3))
            face = np.empty(len(origins), dtype=np.int32)
            order = np.argsort(when, kind="stable")
            known, begin = np.unique(when[order], return_index=True)
            for frame, rows in zip(known.tolist(), np.split(order, begin[1:]), strict=True):
                if len(directions) == 1:
                    distance[rows], normal[rows], face[rows] = self._near.cast(frame, origins[rows], directions)
                else:
                    distance[rows], normal[rows], face[rows] = self._scene(frame).cast(origins[rows], directions[rows])
        return distance, normal, face >= 0, face.astype(np.intp)

    def carry(self, points: Floats, surface_id: ArrayLike, from_frames: ArrayLike, to_frames: ArrayLike) -> Floats:
        """Return where points that move with the mesh are in other frames.

        Parameters
        ----------
        points : (N, 3) float64
            Where they are in `from_frames`.
        surface_id : (N,) int
            Their triangles.
        from_frames, to_frames : (N,) int
            Frames.

        Returns
        -------
        (N, 3) float64
            Where they are in `to_frames`.
        """
        points = vectors(points, "points")
        first = self._frames(from_frames, "from_frames", len(points))
        then = self._frames(to_frames, "to_frames", len(points))
        faces = _rows(surface_id, "surface_id", len(points), len(self.faces), "triangles")
        if self.transforms is not None:
            old, new = self.transforms[first], self.transforms[then]
            own = np.einsum("nji,nj->ni", old[:, :3, :3], points - old[:, :3, 3])
            return np.asarray(np.einsum("nij,nj->ni", new[:, :3, :3], own) + new[:, :3, 3])
        if self.points.ndim == 2:
            return np.array(points)
        corners = self.faces[faces]
        (axes, corner), (moved, there) = (_triangle_axes(self.points[when[:, None], corners]) for when in (first, then))
        own = np.linalg.solve(axes, (points - corner)[..., None])
        return np.asarray((moved @ own)[..., 0] + there)

    def _frames(self, frames: ArrayLike, name: str, count: int) -> Ints:
        """Return the frame of each of `count` points; any frame is allowed where the mesh does not move."""
        return _rows(frames, name, count, self.num_frames, "frames")

    def _scene(self, frame: int) -> TriangleScene:
        """Return the triangles of a frame; the mesh's own where it moves as a whole."""
        if frame not in self._scenes:
            while self._scenes and (len(self._scenes) + 1) * len(self.faces) > _KEPT:
                del self._scenes[next(iter(self._scenes))]
            points = self.points if self.points.ndim == 2 else self.points[frame]
            self._scenes[frame] = TriangleScene(points, self.faces)
        return self._scenes[frame]


def _rows(values: ArrayLike, name: str, count: int, most: int | None, what: str) -> Ints:
    """Return (N,) numbers of rows, of which there are `most`."""
    array = index_array(values, name, 1, "(N,)")
    if array.shape != (count,):
        raise ValueError(f"{name} has shape {array.shape}: expected ({count},), one for each point or ray")
    wrong = () if most is None else np.flatnonzero((array < 0) | (array >= most))
    for row in wrong:
        raise ValueError(f"{name}[{row}] is {array[row]}: the mesh has {most} {what}")
    return array.astype(np.intp, copy=False)


def _checked_faces(faces: ArrayLike, num: int) -> Ints:
    """Return triangles of `num` points."""
    given = array_of(faces, "faces")
    if given.dtype.kind not in "iu":
        raise TypeError(f"faces has dtype {given.dtype}: whole numbers are needed")
    if given.ndim != 2 or given.shape[1] != 3 or not len(given):
        raise ValueError(f"faces has shape {given.shape}: (T, 3) with T ≥ 1 is needed")
    wrong = np.argwhere((given < 0) | (given >= num))
    if wrong.size:
        row, column = wrong[0].tolist()
        raise ValueError(f"faces[{row}, {column}] is {given[row, column]}: there are {num} points")
    return given.astype(np.intp)


def _checked_transforms(transforms: ArrayLike) -> Floats:
    """Return rigid transforms."""
    given = np.array(numbers_of(transforms, "transforms"), dtype=np.float64)
    if given.ndim != 3 or given.shape[1:] not in ((4, 4), (3, 4)) or not len(given):
        raise ValueError(f"transforms has shape {given.shape}: (F, 4, 4) with F ≥ 1 is needed")
    bad = np.argwhere(~(np.abs(given) < FARTHEST))
    if bad.size:
        raise ValueError(f"transforms[{bad[0][0]}] is not finite and below {FARTHEST:g}")
    turn = given[:, :3, :3]
    off = np.abs(np.swapaxes(turn, 1, 2) @ turn - np.eye(3)).max(axis=(1, 2))
    wrong = np.flatnonzero(off > _RIGID)
    if wrong.size:
        raise ValueError(
            f"transforms[{wrong[0]}] is not rigid: it scales or shears (scale the points, or give points per frame)"
        )
    return given


def _triangle_axes(corners: Floats) -> tuple[Floats, Floats]:
    """Return edges and unit normal as columns (N, 3, 3), and the first corner (N, 3)."""
    first = corners[:, 0]
    u, v = corners[:, 1] - first, corners[:, 2] - first
    normal = np.cross(u, v)
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-300)
    return np.stack([u, v, normal], axis=-1), first
