# SPDX-License-Identifier: MIT
"""Meshes whose points move: what is found near is what is found in the whole mesh, and what is kept has a bound."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from skelkin_py.ground.triangle_scene import NearTriangles, NearTrianglesOfFrames, TriangleScene

DOWN = np.array([[0.0, 0.0, -1.0]])


def waves(frames: int = 12, cells: int = 20) -> tuple[np.ndarray, np.ndarray]:
    """Return a sheet of triangles with a wave that runs over it, (F, V, 3), and its faces."""
    x, y = (each.ravel() for each in np.meshgrid(np.arange(cells + 1.0), np.arange(cells + 1.0)))
    heights = np.sin(0.5 * x + 0.3 * y + np.arange(frames)[:, None])
    points = np.stack(np.broadcast_arrays(x, y, heights), axis=-1)
    corner = (np.arange(cells)[:, None] * (cells + 1) + np.arange(cells)).ravel()
    first = np.stack([corner, corner + 1, corner + cells + 2], axis=1)
    second = np.stack([corner, corner + cells + 2, corner + cells + 1], axis=1)
    return points, np.concatenate([first, second])


def rays(seed: int, count: int = 40, extent: float = 22.0) -> np.ndarray:
    return np.random.default_rng(seed).uniform((-1, -1, 3), (extent, extent, 9), (count, 3))


def assert_as_whole(found, points, faces, origins) -> None:
    expected = TriangleScene(points, faces).cast(origins, DOWN)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12)


def test_near_triangles_are_hit_as_the_whole_mesh_is():
    points, faces = waves()
    near = NearTriangles(points[3], faces)
    for seed, extent in enumerate((1.0, 4.0, 9.0, 22.0)):
        origins = rays(seed, extent=extent)
        assert_as_whole(near.cast(origins, DOWN), points[3], faces, origins)
    few = NearTriangles(points[3], faces)
    few.cast(rays(0, extent=1.0), DOWN)
    assert 0 < few.num_kept < len(faces) / 10


def test_frames_asked_again_after_they_were_let_go_of_give_the_same():
    points, faces = waves()
    kept = NearTrianglesOfFrames(points, faces, most=2 * len(faces))
    for frame in [*range(len(points)), 0, 5, 5, 0, *range(len(points))]:
        origins = rays(frame)
        assert_as_whole(kept.cast(frame, origins, DOWN), points[frame], faces, origins)
        assert kept.num_kept <= 2 * len(faces)
    assert kept.num_kept > 0


def test_the_frame_asked_for_last_is_kept_however_large_it_is():
    points, faces = waves()
    kept = NearTrianglesOfFrames(points, faces, most=1)
    for frame in (0, 1):
        kept.cast(frame, rays(1), DOWN)
    alone = NearTriangles(points[1], faces)
    alone.cast(rays(1), DOWN)
    assert kept.num_kept == alone.num_kept


def test_threads_that_ask_for_the_same_frames_find_the_same():
    points, faces = waves()
    kept = NearTrianglesOfFrames(points, faces, most=3 * len(faces))

    def asked(number: int) -> list[np.ndarray]:
        frames = (np.arange(60) * (number + 1)) % len(points)
        return [kept.cast(int(frame), rays(int(frame)), DOWN)[0] for frame in frames]

    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(asked, range(4)))
    for number, distances in enumerate(results):
        for frame, found in zip((np.arange(60) * (number + 1)) % len(points), distances, strict=True):
            expected = TriangleScene(points[frame], faces).cast(rays(int(frame)), DOWN)[0]
            np.testing.assert_allclose(found, expected, rtol=1e-12)
    origins = rays(0)
    for frame in range(len(points)):  # the count of what is kept has not drifted
        kept.cast(frame, origins, DOWN)
        assert kept.num_kept <= 3 * len(faces)
