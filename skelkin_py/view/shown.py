# SPDX-License-Identifier: MIT
"""What is shown of a clip: its own mesh, the joints that are drawn as bones, and what the camera has to show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._support.array_types import Floats
from ..io.gltf.mesh import mesh_of
from ..io.gltf.source import GltfSource
from ..kinematics.forward import skinning_matrices
from ..skinning.skin import skin_points
from . import scene_data as sd

_FOLLOWS = 1e-3  # the least weight with which a mesh follows a joint
_NO_BONE = 0.25  # of the figure's height: two joints whose distance changes by more have no bone between them
_MOMENTS, _POINTS = 24, 3000  # frames and points of the skin that are measured
_DIRECTIONS = 16  # horizontal directions in which the width of a figure is measured
_ROOM = 1.1  # times its height: the room that every picture leaves around a figure
_LEAPS = 1.5  # times the median extent: pictures do not show more, even where a figure briefly reaches further


class Framing(NamedTuple):
    """What the camera has to show.

    Attributes
    ----------
    body : (F, 3) float64 array
        Position of the body: the middle of its hips, else of everything that is drawn.
    path : (F, 3) float64 array
        The smoothed point in the middle of the picture.
    size : float
        The height that a picture of the figure needs.
    wide : (W,) float64 array
        Its width in horizontal directions, at angles of 0, 180° / W and so on from +X towards +Z.
    lows : (M,) float64 array
        Height of its lowest point in some frames.
    """

    body: Floats
    path: Floats
    size: float
    wide: Floats
    lows: Floats

    def width(self, direction: Floats) -> float:
        """Return the approximate width of the figure in a horizontal direction (x, z)."""
        place = np.arctan2(direction[1], direction[0]) / np.pi % 1.0 * len(self.wide)
        first = int(place) % len(self.wide)
        return float(max(self.wide[first], self.wide[(first + 1) % len(self.wide)]))


def own_meshes(clips: Sequence[Any]) -> list[Any]:
    """Return the mesh of each clip's file, the same object for clips of one file; None where there is none."""
    keys = [id(clip._source.container.text) if isinstance(clip._source, GltfSource) else None for clip in clips]
    known: dict[int | None, Any] = {None: None}
    for key, clip in zip(keys, clips, strict=True):
        if key not in known:
            known[key] = mesh_of(clip._source)
    return [known[key] for key in keys]


def drawn_joints(clip: Any, mesh: Any, legs: Sequence[Any], points: Floats) -> list[int]:
    """Return the joints that are drawn: those that a mesh follows, those of legs, and the joints between them.

    Without a mesh all joints are drawn except those above bones without a fixed length, such as the origin of a scene.
    `points`: as `all_points` returns them.
    """
    parents = [int(parent) for parent in clip.skeleton.parents]
    needed = {j for leg in legs for j in (*leg.segments, leg.toe, leg.heel) if j is not None}
    names = list(clip.names)
    followed = set()
    if mesh is not None:
        used = np.unique(np.asarray(mesh.weights.indices)[np.asarray(mesh.weights.weights) > _FOLLOWS])
        followed = {names.index(mesh.skeleton.names[joint]) for joint in used}
    if not followed:
        needed = set(range(len(parents))) - _no_bodies(parents, points)
        return sorted(needed) or list(range(len(parents)))
    needed |= followed
    below = list(map(needed.__contains__, range(len(parents))))
    above = list(below)
    for joint in range(len(parents) - 1, -1, -1):
        if below[joint] and parents[joint] >= 0:
            below[parents[joint]] = True
    for joint, parent in enumerate(parents):
        above[joint] = above[joint] or (parent >= 0 and above[parent])
    return [joint for joint in range(len(parents)) if above[joint] and below[joint]]


def _no_bodies(parents: list[int], points: Floats) -> set[int]:
    """Return the roots, and the joints below them down to where bones keep their lengths."""
    size = float(np.median(np.ptp(points[..., 1], axis=1)))
    out: set[int] = set()
    for joint, parent in enumerate(parents):
        own = [child for child, above in enumerate(parents) if above == joint]
        if not (parent < 0 or parent in out) or not own:
            continue
        lengths = np.linalg.norm(points[:, own] - points[:, joint, None], axis=-1)
        if (np.ptp(lengths, axis=0) > _NO_BONE * size).all():
            out.add(joint)
    return out


def framing_of(
    clip: Any, mesh: Any, legs: Sequence[Any], drawn: Sequence[int], points: Floats, turn: Floats
) -> Framing:
    """Return what the camera has to show of points (F, N, 3), turned to Y up by `turn`, and of the skin."""
    ends = [clip.skeleton.num_joints + k for k, joint in enumerate(clip.skeleton.end_sites) if joint in set(drawn)]
    shown = points[:, [*drawn, *ends]]
    hips = [leg.hip for leg in legs]
    body = points[:, hips].mean(axis=1) if hips else (shown.min(axis=1) + shown.max(axis=1)) / 2.0
    moments = np.unique(np.linspace(0, len(points) - 1, _MOMENTS).round().astype(int))
    skins = _skin_at(clip, mesh, moments, turn)
    every = shown[moments] if skins is None else np.concatenate([shown[moments], skins], axis=1)
    lows, highs = every.min(axis=1), every.max(axis=1)
    middles = (lows + highs) / 2.0 - body[moments]
    middles[:, 1] = np.median(middles[:, 1])
    offsets = [np.interp(np.arange(len(points)), moments, middles[:, k]) for k in range(3)]
    path = sd.smoothed(body + np.stack(offsets, axis=1), max(1, round(clip.fps)))
    reach = np.maximum(highs - path[moments], path[moments] - lows)
    usual = float(np.median(highs[:, 1] - lows[:, 1]))
    tall = max(usual, min(2.0 * float(reach[:, 1].max()) / _ROOM, _LEAPS * usual))
    around = every - path[moments, None]
    turns = np.arange(_DIRECTIONS) * np.pi / _DIRECTIONS
    seen = np.abs(around[..., [0, 2]] @ np.stack([np.cos(turns), np.sin(turns)])).max(axis=1)
    wide = 2.0 * np.minimum(seen.max(axis=0), _LEAPS * np.median(seen, axis=0))
    size = tall or float(np.ptp(points.reshape(-1, 3), axis=0).max()) or 1.0
    return Framing(body, path, size, wide, lows[:, 1])


def _skin_at(clip: Any, mesh: Any, moments: NDArray[np.intp], turn: Floats) -> Floats | None:
    """Return some points of the skin (M, N, 3) in some frames, turned to Y up."""
    if mesh is None or not len(mesh.points):
        return None
    order = [clip.skeleton.index(name) for name in mesh.skeleton.names]
    global_ = np.asarray(clip.global_matrices())[np.ix_(moments, order)]
    rows = turn @ skinning_matrices(mesh.skeleton, global_)[..., :3, :]
    held = np.asarray(mesh.weights.weights).sum(axis=1) > 0.0
    moved = np.asarray(skin_points(mesh.points, mesh.weights, rows), np.float64)[:, held]
    return moved[:, :: max(1, moved.shape[1] // _POINTS)]
