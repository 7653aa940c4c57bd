# SPDX-License-Identifier: MIT
"""What the player draws, as plain arrays: poses, skin, ground and feet, turned to Y up."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np

_KINDS = {"f4": "<f4", "u4": "<u4", "u2": "<u2", "u1": "<u1", "i1": "<i1"}
MOST_INFLUENCES = 8
_FARTHEST = 1e30  # float32 ends at 3e38, and positions are scaled and added before they are drawn


def pack(values: Any, kind: str) -> dict[str, str]:
    """Return an array as the player reads it: little-endian, base64, with its kind as the key."""
    return {kind: base64.b64encode(np.ascontiguousarray(values, _KINDS[kind]).tobytes()).decode("ascii")}


def to_y_up(up: Any) -> np.ndarray:
    """Return the (3, 3) rotation that takes `up` to +Y by the smallest turn."""
    u = np.asarray(up, float) / np.linalg.norm(up)
    y = np.array([0.0, 1.0, 0.0])
    v, c = np.cross(u, y), float(u @ y)
    if c < -1.0 + 1e-12:
        return np.diag([1.0, -1.0, -1.0])
    k = np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])
    return np.asarray(np.eye(3) + k + k @ k / (1.0 + c))


def all_points(skeleton: Any, global_: np.ndarray) -> np.ndarray:
    """Return the joints' positions followed by the end sites' (F, J + E, 3)."""
    joints = list(skeleton.end_sites)
    if not joints:
        return np.asarray(global_[:, :, :3, 3])
    offsets = np.array([skeleton.end_sites[j] for j in joints], float)
    ends = global_[:, joints]
    tips = np.einsum("fjab,jb->fja", ends[..., :3, :3], offsets) + ends[..., :3, 3]
    return np.concatenate([global_[:, :, :3, 3], tips], axis=1)


def check_points(points: np.ndarray, which: str = "") -> None:
    """Raise a ValueError for the first frame with a point, of (F, N, 3), that the page's float32 cannot hold."""
    for frame in np.flatnonzero(~(np.abs(points) < _FARTHEST).all(axis=(1, 2)))[:1]:
        beyond = "beyond 1e30" if np.isfinite(points[frame]).all() else "that is not finite"
        raise ValueError(f"frame {frame}{which} has a position {beyond}: it cannot be drawn")


def bones(skeleton: Any, drawn: Any) -> list[list[int]]:
    """Return [start, end] of every bone between joints that are drawn, as indices into `all_points`."""
    there, parents = set(drawn), [int(p) for p in skeleton.parents]
    out = [[parents[j], j] for j in drawn if parents[j] in there]
    return out + [[int(j), len(skeleton.names) + k] for k, j in enumerate(skeleton.end_sites) if j in there]


def smoothed(path: np.ndarray, frames: int) -> np.ndarray:
    """Return the path (F, 3) averaged twice over about `frames` frames, ends held."""
    half = max(1, frames // 2)
    for _ in range(2):
        padded = np.concatenate([2 * path[:1] - path[half:0:-1], path, 2 * path[-1:] - path[-2 : -half - 2 : -1]])
        if len(padded) < len(path) + 2 * half:  # a clip shorter than the window
            return np.asarray(np.broadcast_to(path.mean(0), path.shape).copy())
        total = np.cumsum(np.concatenate([np.zeros((1, 3)), padded]), axis=0)
        path = np.asarray((total[2 * half + 1 :] - total[: -2 * half - 1]) / (2 * half + 1))
    return path


def heights_of(ground: Any, points: np.ndarray) -> np.ndarray:
    """Return the ground's height (N,) under points (N, 3), in the clip's own space."""
    if callable(ground):
        return np.asarray(ground(points), float).reshape(len(points))
    return np.full(len(points), float(ground))


def foot_height(points: np.ndarray, joints: list[int], rest: np.ndarray, ground: Any, turn: np.ndarray) -> np.ndarray:
    """Return how far (F,) a foot is above the ground: its lowest joint, less that joint's height over the rest pose."""
    at = points[:, joints]
    under = heights_of(ground, at.reshape(-1, 3) @ turn).reshape(len(points), -1)
    return np.asarray((at[..., 1] - under - (rest[joints] - rest[joints].min())).min(1))


def ground_lines(
    ground: Any, turn: np.ndarray, lines: list[np.ndarray], rounds: int, jump: float, least: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return lines along x and z (Y up), and the ground's heights where they cross.

    In each round lines are added between those that are further apart than `least`, where the ground rises or falls by
    more than `jump` times their distance.
    """

    def heights() -> np.ndarray:
        flat = np.stack(np.broadcast_arrays(lines[0][:, None], 0.0, lines[1][None, :]), -1).reshape(-1, 3)
        return heights_of(ground, flat @ turn).reshape(len(lines[0]), len(lines[1]))

    for _ in range(rounds):
        values = heights()
        for axis in (0, 1):
            gap = np.diff(lines[axis])
            split = (np.abs(np.diff(values, axis=axis)).max(1 - axis) > jump * gap) & (gap > least)
            middle = (lines[axis][:-1] + lines[axis][1:])[split] / 2
            lines[axis] = np.sort(np.concatenate([lines[axis], middle]))
    return lines[0], lines[1], heights()


def ground_mesh(ground: Any, low: np.ndarray, high: np.ndarray, turn: np.ndarray, step: float) -> dict[str, Any]:
    """Return the ground over the rectangle low … high (x, z in Y-up space): lines are added where it jumps."""
    count = [2 + int((high[k] - low[k]) / step) if callable(ground) else 2 for k in (0, 1)]
    lines = [np.linspace(low[k], high[k], count[k]) for k in (0, 1)]
    xs, zs, heights = ground_lines(ground, turn, lines, 5, 0.5, step / 20)
    points = np.stack(np.broadcast_arrays(xs[:, None], heights, zs[None, :]), -1)
    corner = (np.arange(len(xs) - 1)[:, None] * len(zs) + np.arange(len(zs) - 1)).reshape(-1)
    faces = np.stack([corner, corner + 1, corner + len(zs), corner + 1, corner + len(zs) + 1, corner + len(zs)], -1)
    points, faces = points.reshape(-1, 3), faces.reshape(-1)
    if callable(ground):  # cut out like a slab, so that its profile shows
        grid = np.arange(len(points)).reshape(len(xs), len(zs))
        rim = np.concatenate([grid[0], grid[1:, -1], grid[-1, -2::-1], grid[-2:0:-1, 0]])
        foot = points[rim] * (1, 0, 1) + (0, heights.min() - 1.5 * step, 0)
        k = np.arange(len(rim))
        top, below = rim, len(points) + k
        wall = np.stack([top, below, np.roll(top, -1), below, np.roll(below, -1), np.roll(top, -1)], -1)
        points, faces = np.concatenate([points, foot]), np.concatenate([faces, wall.reshape(-1)])
    return {
        "points": pack(points, "f4"),
        "faces": pack(faces, "u4"),
        "extent": [float(v) for v in (*((low + high) / 2), *((high - low) / 2))],
        "slab": callable(ground),
        "low": float(heights.min()),
        "lines": [len(xs), len(zs)],
    }


def mesh_data(mesh: Any, feet: list[list[int]]) -> dict[str, Any]:
    """Return the mesh for the player; `feet` lists the joints of each foot, to tint it while it is down.

    Where a vertex has more influences than the page draws, the largest are used, scaled to the sum of all. Points and
    weights have 16 bits, normals 8.
    """
    joints, weights = _influences(mesh.weights)
    share = np.stack([(weights * np.isin(joints, foot)).sum(1) for foot in feet[:3]] or [np.zeros(len(joints))], -1)
    foot = np.where(share.max(1) > 0, 1 + share.argmax(1), 0)
    points = np.asarray(mesh.points, float)
    low, step = points.min(0, initial=np.inf), (np.ptp(points, axis=0) if len(points) else np.zeros(3)) / 65535.0
    normals = np.asarray(mesh.normals if mesh.normals is not None else vertex_normals(points, mesh.faces), float)
    faces = np.asarray(mesh.faces).reshape(-1)
    return {
        "points": pack(np.round((points - low) / np.where(step > 0, step, 1.0)), "u2"),
        "low": low.tolist() if len(points) else [0.0, 0.0, 0.0],
        "step": step.tolist(),
        "normals": pack(np.round(127.0 * np.clip(normals, -1.0, 1.0)), "i1"),
        "faces": pack(faces, "u2" if len(points) <= 65536 else "u4"),
        "influences": joints.shape[1],
        "joints": pack(joints, "u1" if joints.max(initial=0) < 256 else "u2"),
        "weights": pack(np.round(np.clip(weights, 0.0, 1.0) * 65535.0), "u2"),
        "foot": pack(foot, "u1"),
        "footShare": pack(np.round(255.0 * np.clip(share.max(1, initial=0.0), 0.0, 1.0)), "u1"),
        "inverseBind": pack(np.asarray(mesh.skeleton.inverse_bind)[:, :3, :], "f4"),
    }


def _influences(given: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return joints and weights (V, 4 or 8), the largest first, scaled to a sum of 1."""
    indices, weights = np.asarray(given.indices), np.asarray(given.weights, float)
    used = int((weights != 0).sum(1).max(initial=1))
    wide = 4 if used <= 4 else MOST_INFLUENCES
    order = np.argsort(-weights, axis=1, kind="stable")[:, :wide]
    missing = ((0, 0), (0, wide - order.shape[1]))
    joints, part = (np.pad(np.take_along_axis(each, order, 1), missing) for each in (indices, weights))
    total = part.sum(1, keepdims=True)
    return joints, part / np.where(total > 0, total, 1.0)


def vertex_normals(points: Any, faces: Any) -> np.ndarray:
    """Return unit normals (V, 3): the faces' normals summed by area."""
    p, f = np.asarray(points, float), np.asarray(faces)
    face = np.cross(p[f[:, 1]] - p[f[:, 0]], p[f[:, 2]] - p[f[:, 0]])
    out = np.zeros_like(p)
    for k in range(3):
        np.add.at(out, f[:, k], face)
    return np.asarray(out / np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-30))
