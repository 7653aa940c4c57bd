# SPDX-License-Identifier: MIT
"""Frames along the cubic curve of a bendy bone, for many frames at once.

Vectors along the bone are in its own space: the head at the origin, the tail at (0, length, 0).
"""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Float32 = npt.NDArray[np.float32]

SAMPLES = 33  # points of the polyline whose length stands for the curve's


_Real = TypeVar("_Real", np.float32, np.float64)


def unit(vectors: npt.NDArray[_Real]) -> npt.NDArray[_Real]:
    """Return `vectors` (…, 3) of length one, in their own precision; those Blender takes for zero are zero."""
    x, y, z = (vectors[..., axis : axis + 1] for axis in range(3))
    square = (x * x + y * y) + z * z
    long_enough = square > 1e-35
    return np.where(long_enough, vectors * (1 / np.sqrt(np.where(long_enough, square, 1))), 0).astype(vectors.dtype)


def inverse_axes(axes: Floats) -> Floats:
    """Return the inverse of matrices (…, 3, 3); of singular ones, zeros."""
    x, y, z = (axes[..., column] for column in range(3))
    rows = np.stack([np.cross(y, z), np.cross(z, x), np.cross(x, y)], axis=-2)
    volume = np.einsum("...i,...i", x, rows[..., 0, :])[..., None, None]
    return np.where(volume != 0, rows / np.where(volume != 0, volume, 1), 0)


def axes_along(directions: Floats, rolls: npt.ArrayLike) -> Floats:
    """Return the axes (…, 3, 3) of bones along unit `directions` (…, 3), turned about them by `rolls` (…)."""
    x, y, z = np.moveaxis(directions, -1, 0)
    square = x * x + z * z
    reach = 1 + y
    bottom = (reach <= 6.1e-3) & (square <= 2.5e-4**2)
    divisor = np.where(reach > 6.1e-3, reach, square / 2 + square * square / 8)
    divisor = np.where(bottom, 1, divisor)
    one, zero = np.ones_like(x), np.zeros_like(x)
    rows = [1 - x * x / divisor, x, -x * z / divisor, -x, y, -z, -x * z / divisor, z, 1 - z * z / divisor]
    axes = np.stack(rows, axis=-1).reshape(*x.shape, 3, 3)
    # Straight down its own axis the shortest turn is any; Blender takes the half turn about Z.
    axes = np.where(bottom[..., None, None], np.diag([-1.0, -1.0, 1.0]), axes)
    sine, cosine = np.sin(rolls)[..., None, None], np.cos(rolls)[..., None, None]
    cross = np.stack([zero, -z, y, z, zero, -x, -y, x, zero], axis=-1).reshape(*x.shape, 3, 3)
    outer = directions[..., :, None] * directions[..., None, :]
    eye = np.broadcast_to(np.eye(3) * one[..., None, None], cross.shape)
    turned: Floats = (cosine * eye + sine * cross + (1 - cosine) * outer) @ axes
    return turned


def rolls_about(axes: Floats, directions: Floats) -> Floats:
    """Return by how much `axes` (…, 3, 3) are rolled about unit `directions` (…, 3), as Blender reads it."""
    turn = inverse_axes(axes_along(directions, np.zeros(directions.shape[:-1]))) @ axes
    columns = np.swapaxes(unit(np.swapaxes(turn, -1, -2)), -1, -2)
    volume = np.einsum("...i,...i", columns[..., 0], np.cross(columns[..., 1], columns[..., 2]))
    columns = np.where(volume[..., None, None] < 0, -columns, columns)
    twist, real = _twist_and_real(columns)
    return 2 * np.arctan2(np.where(real < 0, -twist, twist), np.abs(real))


def _twist_and_real(m: Floats) -> tuple[Floats, Floats]:
    """Return y and w of the quaternions of matrices, up to a common factor; sheared ones, as Day's branches have it."""
    a, b, c = m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]
    branches = [(c < 0) & (a > b), c < 0, a < -b]
    real = [m[..., 2, 1] - m[..., 1, 2], m[..., 0, 2] - m[..., 2, 0], m[..., 1, 0] - m[..., 0, 1]]
    twist = [m[..., 1, 0] + m[..., 0, 1], 1 - a + b - c, m[..., 2, 1] + m[..., 1, 2]]
    return np.select(branches, twist, m[..., 0, 2] - m[..., 2, 0]), np.select(branches, real, 1 + a + b + c)


def control_points(lengths: Any, first: Floats, last: Floats, ease: Floats, offsets: Floats) -> Floats:
    """Return the control points (F, 4, 3) of curves that leave along unit `first` and arrive along unit `last` (F, 3).

    `ease` (F, 2) stretches the tangents of both ends, `offsets` (F, 2, 2) move their ends in X and Z.
    """
    factor = _circle_factor(first.astype(np.float32), last.astype(np.float32))
    handle = (lengths * factor / 0.75)[:, None]
    points = np.zeros((len(first), 4, 3))
    points[:, 3, 1] = lengths
    points[:, 1] = first * ease[:, 0, None] * handle
    points[:, 2] = points[:, 3] - last * ease[:, 1, None] * handle
    points[:, 1, ::2] += offsets[:, 0]
    points[:, 2, ::2] += offsets[:, 1]
    return points


def _circle_factor(first: Float32, last: Float32) -> Floats:
    """Return the length of the tangents of an arc between two directions, to that of its chord.

    Between nearly equal directions hardly a digit of it is right in float32, which Blender takes.
    """
    terms = first * last
    cosine = terms[:, 0] + terms[:, 1] + terms[:, 2]
    half = np.arccos(np.clip(cosine, -1, 1)) / np.float32(2)
    inside = (cosine <= np.float32(1 - 1e-5)) & (cosine >= np.float32(-1 + 1e-5))
    sine = np.where(inside, np.sin(half), np.float32(1))
    circle = (1 - np.cos(half)) / (sine * sine * 2)
    return np.where(inside, circle, np.where(cosine > 0, 0.25, 0.5)).astype(float)


def equal_steps(points: Floats, segments: int, stretch: Floats) -> Floats:
    """Return where (F, segments + 1) curves are cut into segments, in 0 to 1.

    Lengths of segments go by even factors from ``stretch[:, 0]`` at the start to ``stretch[:, 1]`` at the end.
    """
    count = len(points)
    samples = _polyline(points.astype(np.float32))
    walked = np.zeros((count, SAMPLES))
    np.cumsum(np.linalg.norm(np.diff(samples, axis=1), axis=-1), axis=1, out=walked[:, 1:])
    logs = np.log(np.maximum(stretch, 1e-4))
    along = np.arange(segments) / (segments - 1)
    lengths = np.exp(logs[:, :1] + (logs[:, 1:] - logs[:, :1]) * along)
    shares = np.cumsum(lengths, axis=1) / lengths.sum(axis=1, keepdims=True)
    targets = shares[:, :-1] * walked[:, -1:]
    behind = (walked[:, None, 1:-1] < targets[:, :, None]).sum(axis=-1)
    before, after = (np.take_along_axis(walked, behind + step, axis=1) for step in (0, 1))
    span = after - before
    part = np.where(span > 0, (targets - before) / np.where(span > 0, span, 1), 0)
    steps = np.zeros((count, segments + 1))
    steps[:, 1:-1] = (behind + part) / (SAMPLES - 1)
    steps[:, -1] = 1
    return steps


def _polyline(points: Float32) -> Floats:
    """Return evenly spaced points (F, `SAMPLES`, 3) of curves, by forward differences in float32, as in Blender."""
    first, second, third, fourth = (points[:, i] for i in range(4))
    steps = np.float32(SAMPLES - 1)
    slope = 3 * (second - first) / steps
    bend = 3 * (first - 2 * second + third) / (steps * steps)
    twist = (fourth - first + 3 * (second - third)) / (steps * steps * steps)
    place, move, turn, rise = first, slope + bend + twist, 2 * bend + 6 * twist, 6 * twist
    samples = np.empty((len(points), SAMPLES, 3))
    for index in range(SAMPLES):
        samples[:, index] = place
        place, move, turn = place + move, move + turn, turn + rise
    return samples


def _on_curve(points: Floats, steps: Floats) -> tuple[Floats, Floats]:
    """Return positions and tangents (F, N, 3) of cubic curves at `steps` (F, N), by De Casteljau."""
    share = steps[:, :, None]

    def between(a: Floats, b: Floats) -> Floats:
        return a + (b - a) * share

    first, second, third, fourth = (points[:, None, i] for i in range(4))
    middle = between(second, third)
    left, right = between(between(first, second), middle), between(middle, between(third, fourth))
    return between(left, right), right - left


def positions_and_tangents(points: Floats, steps: Floats) -> tuple[Floats, Floats]:
    """Return positions and tangents (F, N, 3) of curves at `steps` (F, N), which go from 0 to 1.

    Where an end's control points nearly coincide, its tangent leans on what the curve does next.
    """
    positions, tangents = _on_curve(points, steps)
    positions[:, 0], positions[:, -1] = points[:, 0], points[:, 3]
    tangents[:, 0] = _leaning(points[:, 1] - points[:, 0], points[:, 2] - 2 * points[:, 1] + points[:, 0])
    tangents[:, -1] = _leaning(points[:, 3] - points[:, 2], 2 * points[:, 2] - points[:, 3] - points[:, 1])
    return positions, tangents


def _leaning(tangents: Floats, bends: Floats) -> Floats:
    square, bend = (np.einsum("fi,fi->f", vectors, vectors) for vectors in (tangents, bends))
    short = square < 0.01 * bend
    ratio = np.sqrt(np.where(short, square / np.where(short, bend, 1), 0))
    return np.where(short[:, None], tangents + bends * (0.1 - ratio)[:, None], tangents)
