# SPDX-License-Identifier: MIT
"""The bodies of films: a skin, else bones, as triangles at any moment."""

from __future__ import annotations

import numpy as np

from ..._support.array_types import Floats
from ...kinematics.forward import skinning_matrices
from ...skinning.skin import skin_points
from ..stage import Stage

_SIDES = 6
_WIDEST, _THICK = 0.2, 0.13  # of the bone's length: where it is widest, and its radius there
_THIN, _FAT = 0.014, 0.055  # of the figure's size: the smallest and the largest radius


def body_of(stage: Stage) -> _Skin | _Bones:
    """Return the skin where there is one, else the bones.

    Its `faces` (T, 3) are triangles, counter-clockwise seen from outside, its `feet` (T, L) the weight, 0 to 1, of each
    triangle in each foot. ``points(which, frame)`` returns its points (V, 3), of the clip (0) or of the one to compare
    (1), at or between frames.
    """
    return _Bones(stage) if stage.mesh is None else _Skin(stage)


class _Skin:
    def __init__(self, stage: Stage) -> None:
        self._mesh = mesh = stage.mesh
        order = [stage.clips[0].skeleton.index(name) for name in mesh.skeleton.names]
        self._rows = [
            stage.turn @ skinning_matrices(mesh.skeleton, clip.global_matrices()[:, order])[..., :3, :]
            for clip in stage.clips
        ]
        self.faces = np.asarray(mesh.faces, np.intp)
        names = list(mesh.skeleton.names)
        dense = np.zeros((mesh.weights.num_vertices, len(stage.feet)))
        for k, foot in enumerate(stage.feet):
            joints = [names.index(stage.clips[0].names[j]) for j in foot.joints if stage.clips[0].names[j] in names]
            dense[:, k] = (mesh.weights.weights * np.isin(mesh.weights.indices, joints)).sum(1)
        self.feet = np.asarray(dense[self.faces].mean(1))

    def points(self, which: int, frame: float) -> Floats:
        rows = self._rows[which]
        first, second, part = _around(frame, len(rows))
        mesh = self._mesh
        moved = np.asarray(skin_points(mesh.points, mesh.weights, rows[first]), np.float64)
        if part:
            moved = (1.0 - part) * moved + part * skin_points(mesh.points, mesh.weights, rows[second])
        return np.asarray(moved)


class _Bones:
    """Each bone is a double pyramid, thickest near where it begins."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        k = np.arange(_SIDES)
        after = (k + 1) % _SIDES
        one = np.concatenate([np.stack([0 * k, 2 + after, 2 + k], -1), np.stack([0 * k + 1, 2 + k, 2 + after], -1)])
        starts = (2 + _SIDES) * np.arange(len(stage.bones))
        self.faces = (starts[:, None, None] + one).reshape(-1, 3).astype(np.intp)
        begins = stage.bones[:, 0]
        own = np.array([[float(b in foot.joints) for foot in stage.feet] for b in begins]).reshape(len(begins), -1)
        self.feet = np.repeat(own, 2 * _SIDES, axis=0)

    def points(self, which: int, frame: float) -> Floats:
        every = self._stage.points[which]
        first, second, part = _around(frame, len(every))
        joints = (1.0 - part) * every[first] + part * every[second]
        start, end = joints[self._stage.bones[:, 0]], joints[self._stage.bones[:, 1]]
        bone = end - start
        length = np.linalg.norm(bone, axis=1, keepdims=True)
        along = bone / np.maximum(length, 1e-30)
        side = np.cross(along, np.eye(3)[np.abs(along).argmin(1)])
        side /= np.maximum(np.linalg.norm(side, axis=1, keepdims=True), 1e-30)
        other = np.cross(along, side)
        size = self._stage.framing.size
        thick = np.minimum(np.clip(_THICK * length, _THIN * size, _FAT * size), 0.5 * length)
        turn = 2.0 * np.pi * np.arange(_SIDES) / _SIDES
        ring = np.cos(turn)[:, None] * side[:, None] + np.sin(turn)[:, None] * other[:, None]
        ring = (start + _WIDEST * bone)[:, None] + thick[:, None] * ring
        return np.concatenate([start[:, None], end[:, None], ring], axis=1).reshape(-1, 3)


def _around(frame: float, count: int) -> tuple[int, int, float]:
    """Return the frames before and after a moment, and its part of the way between them."""
    first = int(np.clip(np.floor(frame), 0, count - 1))
    return first, min(first + 1, count - 1), float(np.clip(frame - first, 0.0, 1.0))
