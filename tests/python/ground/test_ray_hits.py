# SPDX-License-Identifier: MIT
"""Where rays meet the triangles that were found for them: against points that were put there, and Heron's formula."""

from __future__ import annotations

import numpy as np
import pytest

from skelkin_py._core import ray_hits


@pytest.fixture
def mesh():
    """Forty triangles of thirty points."""
    random = np.random.default_rng(5)
    faces = np.stack([random.permutation(30)[:3] for _ in range(40)]).astype(np.int32)
    return random.normal(size=(30, 3)), faces


def rays_into(mesh, num, one_direction):
    """Rays that begin a known way before a point of a known triangle."""
    points, faces = mesh
    random = np.random.default_rng(6)
    found = random.integers(0, len(faces), num).astype(np.int32)
    inside = np.einsum("nk,nki->ni", random.dirichlet(np.ones(3), num), points[faces[found]])
    directions = random.normal(size=(1 if one_direction else num, 3))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    away = random.uniform(0.1, 3.0, num)
    return inside - away[:, None] * directions, directions, found, away


@pytest.mark.parametrize("one_direction", [False, True])
def test_a_ray_meets_its_triangle_where_it_was_aimed_at(mesh, one_direction):
    origins, directions, found, away = rays_into(mesh, 500, one_direction)
    distance, _ = ray_hits(*mesh, origins, directions, found)
    assert np.abs(distance - away).max() <= 1e-9


def test_the_normal_is_square_to_both_edges_and_twice_the_area_long(mesh):
    points, faces = mesh
    origins, directions, found, _ = rays_into(mesh, 500, True)
    _, normal = ray_hits(points, faces, origins, directions, found)
    corners = points[faces[found]]
    for k in range(3):
        edge = corners[:, k] - corners[:, k - 1]
        assert np.abs((normal * edge).sum(axis=1)).max() <= 1e-12
    a, b, c = (np.linalg.norm(corners[:, k] - corners[:, k - 1], axis=1) for k in range(3))
    half = 0.5 * (a + b + c)
    area = np.sqrt(half * (half - a) * (half - b) * (half - c))
    assert np.abs(np.linalg.norm(normal, axis=1) - 2.0 * area).max() <= 1e-12


def test_a_ray_that_found_nothing_goes_on_for_ever(mesh):
    origins, directions, found, away = rays_into(mesh, 9, False)
    found[4] = -1
    distance, normal = ray_hits(*mesh, origins, directions, found)
    assert distance[4] == np.inf
    assert normal[4].tolist() == [0.0, 0.0, 0.0]
    assert np.abs(np.delete(distance - away, 4)).max() <= 1e-9


def test_a_ray_in_the_plane_of_its_triangle_meets_the_nearest_corner():
    points = np.array([[0.0, 2.0, 0.0], [0.0, 1.0, 1.0], [0.0, 3.0, 2.0]])
    down = np.array([[0.0, -1.0, 0.0]])
    distance, _ = ray_hits(
        points, np.array([[0, 1, 2]], np.int32), np.array([[0.0, 5.0, 1.0]]), down, np.zeros(1, np.int32)
    )
    assert distance.tolist() == [2.0]


@pytest.mark.parametrize("triangle", [40, -2])
def test_a_triangle_that_does_not_exist_is_named(mesh, triangle):
    origins, directions, found, _ = rays_into(mesh, 5, False)
    found[3] = triangle
    with pytest.raises(ValueError, match=rf"found\[3\] is {triangle}"):
        ray_hits(*mesh, origins, directions, found)


@pytest.mark.parametrize("corner", [30, -1])
def test_a_corner_that_does_not_exist_is_named(mesh, corner):
    points, faces = mesh
    origins, directions, found, _ = rays_into(mesh, 5, False)
    faces[found[2], 1] = corner
    with pytest.raises(ValueError, match=r"found\[\d\] is .*points that exist"):
        ray_hits(points, faces, origins, directions, found)


@pytest.mark.parametrize(
    ("position", "wrong", "name"),
    [
        (0, np.zeros((30, 3), np.float32), "points"),
        (1, np.zeros((40, 3), np.int64), "faces"),
        (2, np.zeros((5, 2)), "origins"),
        (3, np.zeros((4, 3)), "directions"),
        (4, np.zeros(6, np.int32), "found"),
        (2, None, "origins"),
        (0, 1.0, "points"),
    ],
)
def test_other_arrays_are_refused(mesh, position, wrong, name):
    arguments = [*mesh, *rays_into(mesh, 5, False)[:3]]
    arguments[position] = wrong
    with pytest.raises(TypeError, match=name):
        ray_hits(*arguments)
