# SPDX-License-Identifier: MIT
"""Problems of the smoothest paths of a body and its ankles, and what smooth_paths.h says of them, anew."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import engine
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

WEIGHTS = {
    "body": 20.0,
    "ankle": 0.2,
    "flexion": 1000.0,
    "flexion_jerk": 0.1,
    "split": 1e7,
    "spring": 3000.0,
    "acceleration": 20.0,
}


@dataclass(frozen=True)
class Problem:
    """Legs (K, F, ...) as `engine.smooth_paths` takes them."""

    hip: Array
    ankle: Array
    line: Array
    held: Array
    bones: Array
    flexion: Array
    reach: Array
    lowest: Array
    stands: NDArray[np.bool_]
    free: NDArray[np.bool_]
    cuts: NDArray[np.bool_]
    up: Array = field(default_factory=lambda: np.array([0.0, 1.0, 0.0]))
    length: float = 1.0
    frame_time: float = 1.0 / 30.0
    body_moves: bool = True
    heights_only: bool = False
    weights: dict[str, float] = field(default_factory=lambda: dict(WEIGHTS))
    cyclic: bool = False  # whether the first frame follows on the last, which dense algebra alone knows

    def arguments(self) -> list[Any]:
        """Return them in the order of `engine.smooth_paths`."""
        weights = np.zeros(1, engine.PATH_WEIGHTS)
        for name, value in self.weights.items():
            weights[name] = value
        arrays = [
            self.hip,
            self.ankle,
            self.line,
            self.held,
            self.bones,
            self.flexion,
            self.reach,
            self.lowest,
            self.stands,
            self.free,
            self.cuts,
        ]
        options = [self.length, self.frame_time, self.body_moves, self.heights_only]
        return [*arrays, self.up, *options, weights]

    def solve(self) -> tuple[Array, Array, float, int]:
        """Return body (F, 3), ankles' offsets (K, F, 3), objective and rounds."""
        return engine.smooth_paths(*self.arguments())

    @cached_property
    def terms(self) -> tuple[Array, Array]:
        """A, c such that the objective is |A x + c|² of x = [body, ankles] (F, 1 + K, D), in lengths, calm (K, F)."""
        return _terms(self)

    def unrolled(self, margin: int) -> Problem:
        """Return the cyclic problem over and over again, from `margin` frames before its first to as many behind."""
        again = np.arange(-margin, self.hip.shape[1] + margin) % self.hip.shape[1]
        names = ("hip", "ankle", "line", "held", "bones", "flexion", "reach", "lowest", "stands")
        over = {name: np.ascontiguousarray(getattr(self, name)[:, again]) for name in names}
        return replace(self, **over, free=self.free[again], cuts=self.cuts[again], cyclic=False)

    def scaled(self, by: float) -> Problem:
        """Return the same in units of which a leg has `by` times as many."""
        names = ("hip", "ankle", "line", "held", "bones", "reach", "lowest", "length")
        return replace(self, **{name: getattr(self, name) * by for name in names})

    def weighing(self, **weights: float) -> Problem:
        """Return the same with other weights."""
        return replace(self, weights=self.weights | weights)


def problem(frames: int, legs: int = 2, seed: int = 0, stance: int = 6, **options: Any) -> Problem:
    """Return legs that swing along z and stand in turn for `stance` frames, a few percent off their way.

    The line without noise is a little off that from ankle to hip.
    """
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
    line = hip - ankle + 0.03 * rng.standard_normal((legs, frames, 3))
    low, every = np.full((legs, frames), -np.inf), np.ones(frames, bool)
    out = Problem(hip, ankle, line, held, whole, flexion, far, low, stands, every, ~every)
    return replace(out, **options).weighing(acceleration=1e9)


def _axes(given: Problem) -> Array:
    return given.up[None] if given.heights_only else np.eye(3)


def _knees(given: Problem) -> tuple[Array, Array]:
    """Return how fast flexions (K, F) grow as hips and ankles come apart, and what they are to be."""
    d = np.linalg.norm(given.hip - given.ankle, axis=2) / given.length
    bones, calm = given.bones / given.length, np.linalg.norm(given.line, axis=2) / given.length
    half = np.arccos(np.minimum(calm / bones, 1.0))
    g = 2.0 / (bones * np.maximum(np.sin(half), np.sin(np.radians(4.0))))
    return g, g * np.where(given.flexion < 0.0, np.maximum(bones - d, 0.0), 0.0)


def _shaking(given: Problem) -> Array:
    """Return the root of how many times noise in a knee's change (K, F) costs `split`."""
    d = np.linalg.norm(given.line, axis=2) / given.bones
    half = np.degrees(np.arccos(np.minimum(d, 1.0)))
    steeper = np.sin(np.radians(np.maximum(half, 4.0))) / np.sin(np.radians(np.maximum(half, 2.0)))
    off = np.linalg.norm(given.hip - given.ankle - given.line, axis=2) / given.length
    return np.sqrt(1.0 + (steeper**2 - 1.0) / (1.0 + (off / 0.002) ** 2))


def _terms(given: Problem) -> tuple[Array, Array]:
    """See `Problem.terms`."""
    w, h, axes = given.weights, given.frame_time, _axes(given)
    legs, frames = given.hip.shape[:2]
    dims = len(axes)
    g, wanted = _knees(given)
    number = np.arange(frames * (1 + legs) * dims).reshape(frames, 1 + legs, dims)
    calm = number.size + np.arange(legs * frames).reshape(legs, frames)
    unit = np.eye(number.size + calm.size)
    body, ankles = unit[number[:, 0]], [unit[number[:, 1 + k]] for k in range(legs)]  # (F, D, N)
    apart = (given.cuts[1:-1] | given.cuts[2:]) if frames > 2 else np.zeros(0, bool)

    def bend(rows: Array) -> Array:
        if given.cyclic:
            return (np.roll(rows, -1, axis=0) - 2.0 * rows + np.roll(rows, 1, axis=0)) / h**2
        return (rows[2:] - 2.0 * rows[1:-1] + rows[:-2])[~apart] / h**2

    parts: list[tuple[float, Array, Array]] = []

    def add(weight: float, rows: Array, beside: Array) -> None:
        parts.append((weight, rows.reshape(-1, len(unit)), beside.reshape(-1)))

    for weight, rows in [(w["body"], body), *((1.0, o - body) for o in ankles), *((w["ankle"], o) for o in ankles)]:
        add(weight, bend(rows), np.zeros(bend(rows).shape[:2]))
        add(weight * w["spring"], rows, np.zeros(rows.shape[:2]))
    for k in range(legs):
        way = (given.line[k] / np.linalg.norm(given.line[k], axis=1)[:, None]) @ axes.T
        knee, own = np.einsum("f,fd,fdn->fn", g[k], way, body - ankles[k]), unit[calm[k]]
        add(w["flexion"], knee, -wanted[k])
        add(w["flexion_jerk"], bend(own), 0.0 * bend(wanted[k]))
        shaking = _shaking(given)[k]
        add(w["split"], shaking[:, None] * (knee - own), -shaking * wanted[k])
    root = [np.sqrt(h * weight) for weight, _, _ in parts]
    A = np.concatenate([by * rows for by, (_, rows, _) in zip(root, parts, strict=True)])
    c = np.concatenate([by * beside for by, (_, _, beside) in zip(root, parts, strict=True)])
    return A, c


def _known(given: Problem) -> tuple[Array, NDArray[np.bool_]]:
    """Return x with what is held, else 0, and which of it is unknown; calm parts are where all may move."""
    axes = _axes(given)
    legs, frames = given.hip.shape[:2]
    x, unknown = np.zeros((frames, 1 + legs, len(axes))), np.zeros((frames, 1 + legs, len(axes)), bool)
    unknown[:, 0] = given.body_moves & given.free[:, None]
    for k in range(legs):
        stands = given.stands[k] & given.free
        x[stands, 1 + k] = (given.held[k] / given.length)[stands] @ axes.T
        unknown[:, 1 + k] = (given.free & ~given.stands[k])[:, None]
    still = np.broadcast_to(~given.free, (legs, frames))
    calm = np.where(still, -_knees(given)[1], 0.0)
    return np.concatenate([x.ravel(), calm.ravel()]), np.concatenate([unknown.ravel(), ~still.ravel()])


def packed(given: Problem, body: Array, offsets: Array) -> Array:
    """Return paths as the numbers x of `objective`."""
    axes = _axes(given)
    x = (np.concatenate([body[:, None], offsets.transpose(1, 0, 2)], axis=1) @ axes.T / given.length).ravel()
    return np.concatenate([x, _calmest(given, x)])


def _calmest(given: Problem, x: Array) -> Array:
    """Return the calm parts that make the least of [body, ankles]."""
    A, c = given.terms
    known, unknown = _known(given)
    known[: len(x)], unknown[: len(x)] = x, False
    inner = A[:, unknown]
    known[unknown] = np.linalg.solve(inner.T @ inner, -inner.T @ (c + A @ known))
    return known[len(x) :]


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
    paths = x[: -legs * frames].reshape(frames, 1 + legs, len(axes)) @ axes * given.length
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
    """Return the slope of the objective at x of [body, ankles], of the numbers that are unknown; else 0."""
    A, c = given.terms
    _, unknown = _known(given)
    size = len(x) - given.stands.size
    return np.where(unknown, 2.0 * A.T @ (A @ x + c), 0.0)[:size]
