# SPDX-License-Identifier: MIT
"""Triangles straight above and below points, against every triangle asked one by one."""

from __future__ import annotations

import numpy as np
import pytest

from skelkin_py._core import upright_cells, upright_first

UPS = [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.48, 0.6, 0.64]]


def soup(num, size, seed):
    """Return so many triangles of about this size in a box, each with corners of its own."""
    random = np.random.default_rng(seed)
    corners = random.uniform(-5.0, 5.0, (num, 1, 3)) + random.normal(size=(num, 3, 3)) * size
    return corners.reshape(-1, 3), np.arange(3 * num, dtype=np.int32).reshape(-1, 3)


def one_by_one(points, faces, up, origins, upward):
    """Return the first triangle of each line, by barycentric coordinates in the level plane."""
    first, second, third = (points[faces[:, k]] for k in range(3))
    found = []
    for origin in origins:
        way = np.linalg.solve(
            np.stack([second - first, third - first, np.broadcast_to(-up, first.shape)], axis=-1),
            (origin - first)[..., None],
        )[..., 0]
        inside = (way[:, 0] >= 0.0) & (way[:, 1] >= 0.0) & (way[:, 0] + way[:, 1] <= 1.0)
        along = way[:, 2] if upward else -way[:, 2]
        along = np.where(inside & (along >= 0.0), along, np.inf)
        found.append(int(along.argmin()) if np.isfinite(along.min()) else -1)
    return found


@pytest.mark.parametrize("up", UPS)
@pytest.mark.parametrize("size", [0.05, 0.5, 2.0])
@pytest.mark.parametrize("upward", [False, True])
def test_the_nearest_of_all_triangles_is_found(up, size, upward):
    points, faces = soup(120, size, 7)
    origins = np.random.default_rng(8).uniform(-7.0, 7.0, (300, 3))
    cells = upright_cells(points, faces, np.array(up))
    assert upright_first(cells, origins, upward).tolist() == one_by_one(points, faces, np.array(up), origins, upward)


@pytest.mark.parametrize("up", UPS)
def test_between_triangles_that_share_edges_there_is_no_gap(up):
    random = np.random.default_rng(9)
    across, along = np.meshgrid(np.linspace(0.0, 3.0, 14), np.linspace(0.0, 5.0, 11), indexing="ij")
    level = np.linalg.svd(np.array([up]))[2][1:]
    flat = np.stack([across, along], axis=-1).reshape(-1, 2) + random.uniform(-0.05, 0.05, (154, 2))
    points = flat @ level + random.normal(size=(154, 1)) * 0.1 * np.array(up)
    corner = (np.arange(13)[:, None] * 11 + np.arange(10)).ravel()
    faces = np.concatenate(
        [np.stack([corner, corner + 11, corner + 1], axis=1), np.stack([corner + 1, corner + 11, corner + 12], axis=1)]
    ).astype(np.int32)
    cells = upright_cells(points, faces, np.array(up))
    shared = np.concatenate([faces[:130, 1:], faces[130:, :2]])
    part = random.uniform(0.01, 0.99, (40, 1, 1))
    edges = (part * points[shared[:, 0]] + (1.0 - part) * points[shared[:, 1]]).reshape(-1, 3)
    inner = points.reshape(14, 11, 3)[1:-1, 1:-1].reshape(-1, 3)
    for places in (edges, inner):
        assert (upright_first(cells, places + 2.0 * np.array(up), False) >= 0).all()
        assert (upright_first(cells, places - 2.0 * np.array(up), True) >= 0).all()


def test_walls_and_triangles_without_an_area_are_not_met():
    points = np.array([[0, 0, 0], [2, 0, 0], [0, 0, 2], [0, 3, 0], [2, 3, 0], [1, 1, 1]], float)
    faces = np.array([[0, 1, 2], [0, 1, 3], [1, 4, 3], [5, 5, 5], [0, 1, 1]], np.int32)
    cells = upright_cells(points, faces, np.array([0.0, 1.0, 0.0]))
    origins = np.array([[1.0, 5.0, 0.0], [1.0, 5.0, 1.0], [0.5, 0.0, 0.5], [0.5, -1.0, 0.5], [np.nan, 5.0, 0.0]])
    assert upright_first(cells, origins, False).tolist() == [0, 0, 0, -1, -1]
    assert upright_cells(points, faces[1:], np.array([0.0, 1.0, 0.0])) is None


def test_a_crowd_is_left_to_others():
    points, faces = soup(500, 20.0, 3)
    assert upright_cells(points, faces, np.array([0.0, 1.0, 0.0])) is None


def test_corners_that_do_not_exist_are_named():
    points, faces = soup(3, 1.0, 1)
    for wrong in (9, -1):
        faces[1, 2] = wrong
        with pytest.raises(ValueError, match=r"faces\[1\]"):
            upright_cells(points, faces, np.array([0.0, 1.0, 0.0]))


def test_other_things_are_refused():
    points, faces = soup(9, 1.0, 1)
    up = np.array([0.0, 1.0, 0.0])
    for arguments in ((points[:, :2], faces, up), (points, faces.astype(np.int64), up), (points, faces, 1.0)):
        with pytest.raises((TypeError, ValueError)):
            upright_cells(*arguments)
    cells = upright_cells(points, faces, up)
    for wrong in ((None, points, False), (cells, points[:, :2], False), (cells, None, False)):
        with pytest.raises((TypeError, ValueError)):
            upright_first(*wrong)
