# SPDX-License-Identifier: MIT
"""Problems of the smoothest paths of a body and its ankles, and what smooth_paths.h says of them, anew."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skelkin_py import _core

Array = NDArray[np.float64]

WEIGHTS = {"body": 20.0, "ankle": 0.2, "flexion": 1000.0, "flexion_jerk": 0.1, "spring": 3000.0, "acceleration": 20.0}


@dataclass(frozen=True)
class Problem:
    """Legs (K, F, ...) as `_core.smooth_paths` takes them."""

    hip: Array
    ankle: Array
    held: Array
    bones: Array
    flexion: Array
    reach: Array
    lowest: Array
    stands: NDArray[np.bool_]
    free: NDArray[np.bool_]
    up: Array = field(default_factory=lambda: np.array([0.0, 1.0, 0.0]))
    length: float = 1.0
    frame_time: float = 1.0 / 30.0
    body_moves: bool = True
    heights_only: bool = False
    weights: dict[str, float] = field(default_factory=lambda: dict(WEIGHTS))
    cyclic: bool = False  # whether the first frame follows on the last, which dense algebra alone knows

    def arguments(self) -> list[Any]:
        """Return them in the order of `_core.smooth_paths`."""
        weights = np.zeros(1, _core.PATH_WEIGHTS)
        for name, value in self.weights.items():
            weights[name] = value
        arrays = [
            self.hip,
            self.ankle,
            self.held,
            self.bones,
            self.flexion,
            self.reach,
            self.lowest,
            self.stands,
            self.free,
        ]
        options = [self.length, self.frame_time, self.body_moves, self.heights_only]
        return [*arrays, self.up, *options, weights]

    def solve(self) -> tuple[Array, Array, float, int]:
        """Return body (F, 3), ankles' offsets (K, F, 3), objective and rounds."""
        return _core.smooth_paths(*self.arguments())

    @cached_property
    def terms(self) -> tuple[Array, Array]:
        """A and c such that the objective is |A x + c|² of x = [body, ankles] (F, 1 + K, D), in lengths."""
        return _terms(self)

    def unrolled(self, margin: int) -> Problem:
        """Return the cyclic problem over and over again, from `margin` frames before its first to as many behind."""
        again = np.arange(-margin, self.hip.shape[1] + margin) % self.hip.shape[1]
        names = ("hip", "ankle", "held", "bones", "flexion", "reach", "lowest", "stands")
        over = {name: np.ascontiguousarray(getattr(self, name)[:, again]) for name in names}
        return replace(self, **over, free=self.free[again], cyclic=False)

    def scaled(self, by: float) -> Problem:
        """Return the same in units of which a leg has `by` times as many."""
        names = ("hip", "ankle", "held", "bones", "reach", "lowest", "length")
        return replace(self, **{name: getattr(self, name) * by for name in names})

    def weighing(self, **weights: float) -> Problem:
        """Return the same with other weights."""
        return replace(self, weights=self.weights | weights)


def problem(frames: int, legs: int = 2, seed: int = 0, stance: int = 6, **options: Any) -> Problem:
    """Return legs that swing along z and stand in turn for `stance` frames, a few percent off their way."""
    rng = np.random.default_rng(seed)
    time = np.arange(frames) / 30.0
    hip, ankle = np.zeros((legs, frames, 3)), np.zeros((legs, frames, 3))
    for k in range(legs):
        hip[k] = np.stack([np.full(frames, 0.2 * k), 0.95 + 0.02 * np.sin(7.0 * time), 1.2 * time], axis=1)
        swing = 0.3 * np.sin(6.0 * time + np.pi * k)
        ankle[k] = hip[k] + np.stack([0.02 * np.cos(5.0 * time), -0.88 - 0.03 * np.cos(6.0 * time + k), swing], axis=1)
    stands = (np.arange(frames) + stance * np.arange(legs)[:, None]) // stance % 2 == 0
    held = (
        0.04 * rng.standard_normal((legs, 1, 3))
        + 0.01 * np.cumsum(rng.standard_normal((legs, frames, 3)), axis=1) / 6.0
    )
    flexion = np.where(np.arange(frames) % 9 == 4, -0.05, 0.6) * np.ones((legs, 1))
    whole, far = np.ones((legs, frames)), np.full((legs, frames), 1e3)
    out = Problem(
        hip, ankle, held, whole, flexion, far, np.full((legs, frames), -np.inf), stands, np.ones(frames, bool)
    )
    return replace(out, **options).weighing(acceleration=1e9)


def _axes(given: Problem) -> Array:
    return given.up[None] if given.heights_only else np.eye(3)


def _terms(given: Problem) -> tuple[Array, Array]:
    """See `Problem.terms`."""
    w, h, axes = given.weights, given.frame_time, _axes(given)
    legs, frames = given.hip.shape[:2]
    dims = len(axes)
    apart = (given.hip - given.ankle) / given.length
    d = np.linalg.norm(apart, axis=2)
    bones = given.bones / given.length
    half = np.arccos(np.minimum(d / bones, 1.0))
    g = 2.0 / (bones * np.maximum(np.sin(half), np.sin(np.radians(4.0))))
    wanted = np.where(given.flexion < 0.0, np.maximum(bones - d, 0.0), 0.0)
    number = np.arange(frames * (1 + legs) * dims).reshape(frames, 1 + legs, dims)
    unit = np.eye(number.size)
    body, ankles = unit[number[:, 0]], [unit[number[:, 1 + k]] for k in range(legs)]  # (F, D, N)

    def bend(rows: Array) -> Array:
        if given.cyclic:
            return (np.roll(rows, -1, axis=0) - 2.0 * rows + np.roll(rows, 1, axis=0)) / h**2
        return (rows[2:] - 2.0 * rows[1:-1] + rows[:-2]) / h**2

    parts: list[tuple[float, Array, Array]] = []

    def add(weight: float, rows: Array, beside: Array) -> None:
        parts.append((weight, rows.reshape(-1, number.size), beside.reshape(-1)))

    for weight, rows in [(w["body"], body), *((1.0, o - body) for o in ankles), *((w["ankle"], o) for o in ankles)]:
        add(weight, bend(rows), np.zeros(bend(rows).shape[:2]))
        add(weight * w["spring"], rows, np.zeros(rows.shape[:2]))
    for k in range(legs):
        way = (apart[k] / d[k][:, None]) @ axes.T
        knee = np.einsum("f,fd,fdn->fn", g[k], way, body - ankles[k])
        add(w["flexion"], knee, -g[k] * wanted[k])
        add(w["flexion_jerk"], bend(knee), -bend(g[k] * wanted[k]))
    root = [np.sqrt(h * weight) for weight, _, _ in parts]
    A = np.concatenate([by * rows for by, (_, rows, _) in zip(root, parts, strict=True)])
    c = np.concatenate([by * beside for by, (_, _, beside) in zip(root, parts, strict=True)])
    return A, c


def _known(given: Problem) -> tuple[Array, NDArray[np.bool_]]:
    """Return x with what is held, else 0, and which of it is unknown."""
    axes = _axes(given)
    legs, frames = given.hip.shape[:2]
    x, unknown = np.zeros((frames, 1 + legs, len(axes))), np.zeros((frames, 1 + legs, len(axes)), bool)
    unknown[:, 0] = given.body_moves & given.free[:, None]
    for k in range(legs):
        stands = given.stands[k] & given.free
        x[stands, 1 + k] = (given.held[k] / given.length)[stands] @ axes.T
        unknown[:, 1 + k] = (given.free & ~given.stands[k])[:, None]
    return x.ravel(), unknown.ravel()


def packed(given: Problem, body: Array, offsets: Array) -> Array:
    """Return paths as the numbers x of `objective`."""
    axes = _axes(given)
    return (np.concatenate([body[:, None], offsets.transpose(1, 0, 2)], axis=1) @ axes.T / given.length).ravel()


def objective(given: Problem, x: Array) -> float:
    """Return what the header says is made least, of all frames."""
    A, c = given.terms
    return float(((A @ x + c) ** 2).sum())


def dense_solution(given: Problem) -> tuple[Array, Array]:
    """Return body and offsets where no bound counts, by the normal equations of all numbers at once."""
    A, c = given.terms
    x, unknown = _known(given)
    inner = A[:, unknown]
    x[unknown] = np.linalg.solve(inner.T @ inner, -inner.T @ (c + A @ x))
    axes = _axes(given)
    legs, frames = given.hip.shape[:2]
    paths = x.reshape(frames, 1 + legs, len(axes)) @ axes * given.length
    offsets = paths[:, 1:].transpose(1, 0, 2)
    return paths[:, 0], np.where((given.stands & given.free)[..., None], given.held, offsets)


def broken_by(given: Problem, body: Array, offsets: Array) -> float:
    """Return by how much the worst bound on what can move is broken, in lengths or lengths/s²; negative: by none."""
    apart = np.linalg.norm(given.hip + body - given.ankle - offsets, axis=2) - given.reach
    low = given.lowest - offsets @ given.up
    bend = np.linalg.norm(np.diff(body, 2, axis=0), axis=1) / given.frame_time**2 / given.length
    moves = given.free & (given.body_moves | ~given.stands)
    worst = [
        (apart / given.length)[moves],
        (low / given.length)[given.free & ~given.stands],
        bend - given.weights["acceleration"],
    ]
    return max(float(each.max(initial=-np.inf)) for each in worst)


def way_uphill(given: Problem, x: Array) -> Array:
    """Return the slope of the objective at x, of the numbers that are unknown; else 0."""
    A, c = given.terms
    _, unknown = _known(given)
    return np.where(unknown, 2.0 * A.T @ (A @ x + c), 0.0)
