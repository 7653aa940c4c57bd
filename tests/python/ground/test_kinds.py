# SPDX-License-Identifier: MIT
"""Grids of heights and meshes as ground: against formulas, and under feet."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from types import SimpleNamespace

import numpy as np
import pytest

import skelkin_py as sk

UP = np.array([0.0, 1.0, 0.0])


@pytest.fixture
def embree(require):
    require(find_spec("embreex"), "the extra 'ground'")


def waves(x, z):
    return 0.05 * np.sin(1.3 * x) * np.cos(0.9 * z)


def tiled(heights, spacing=1.0):
    """A mesh of the grid's points, two triangles for each tile."""
    rows, columns = heights.shape
    x, z = np.meshgrid(np.arange(rows) * spacing, np.arange(columns) * spacing, indexing="ij")
    corner = np.arange((rows - 1) * columns).reshape(rows - 1, columns)[:, :-1].ravel()
    faces = [np.stack([corner, corner + 1, corner + columns], -1)]
    faces.append(np.stack([corner + 1, corner + columns + 1, corner + columns], -1))
    return np.stack([x, heights, z], -1).reshape(-1, 3), np.concatenate(faces)


def below(mesh, points, up=UP, leg=1.0):
    return mesh.heights(np.asarray(points, float), up, leg)


def test_a_grid_has_its_own_heights_and_is_bilinear_between():
    heights = np.random.default_rng(1).normal(size=(4, 5))
    grid = sk.HeightGrid(heights, spacing=(0.5, 2.0), origin=(-1.0, 3.0))
    i, j = np.meshgrid(np.arange(4), np.arange(5), indexing="ij")
    at = np.stack([-1.0 + 0.5 * i, 0 * i + 7.0, 3.0 + 2.0 * j], -1).reshape(-1, 3)
    assert np.array_equal(grid(at), heights.ravel())
    middle = grid(np.array([[-1.0 + 0.5 * 1.5, 0.0, 3.0 + 2.0 * 2.5]]))[0]
    assert middle == pytest.approx(heights[1:3, 2:4].mean(), rel=1e-14)


def test_a_grid_goes_on_level_beyond_its_edges():
    grid = sk.HeightGrid([[1.0, 2.0], [3.0, 4.0]], axes="XY")
    far = np.array([[-9.0, -9.0, 0.0], [-9.0, 9.0, 0.0], [9.0, -9.0, 0.0], [9.0, 0.5, 0.0]])
    assert grid(far).tolist() == [1.0, 2.0, 3.0, 3.5]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"heights": [[1.0, 2.0]]}, r"heights has shape \(1, 2\)"),
        ({"heights": [[1.0, np.inf], [0.0, 0.0]]}, r"heights\[0, 1\] is inf"),
        ({"heights": np.zeros((2, 2)), "spacing": 0.0}, "spacing is 0.0"),
        ({"heights": np.zeros((2, 2)), "origin": (0.0, np.inf)}, "origin is"),
        ({"heights": np.zeros((2, 2)), "axes": "XX"}, "axes is 'XX'"),
    ],
)
def test_a_wrong_grid_is_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        sk.HeightGrid(**arguments)


@pytest.mark.slow
def test_a_grid_along_the_vertical_axis_is_refused(make_walk):
    heights = np.zeros((3, 3))
    for up, wrong, right in (("Z", "XZ", "XY"), ("Y", "XY", "XZ")):
        clip = make_walk(up=up).clip
        with pytest.raises(ValueError, match=rf"'{wrong}', but {up} is the clip's vertical axis: axes='{right}'"):
            sk.plant_feet(clip, ground=sk.HeightGrid(heights, axes=wrong))
        level = [sk.plant_feet(clip, ground=sk.HeightGrid(heights, axes=axes)).clip for axes in (right, "auto")]
        assert np.array_equal(level[0].positions(), level[1].positions())


@pytest.mark.usefixtures("embree")
def test_a_mesh_is_met_where_its_planes_are():
    random = np.random.default_rng(2)
    tilt = random.normal(size=2) * 0.3
    points, faces = tiled(np.zeros((30, 20)), 0.25)
    points[:, 1] = points[:, [0, 2]] @ tilt + 40.0
    at = np.stack([random.uniform(0, 7.25, 500), random.uniform(39, 43, 500), random.uniform(0, 4.75, 500)], -1)
    assert np.abs(below(sk.MeshGround(points, faces), at, leg=9.0) - (at[:, [0, 2]] @ tilt + 40.0)).max() <= 1e-12


@pytest.mark.usefixtures("embree")
def test_edges_and_corners_of_a_mesh_have_no_gaps():
    heights = np.random.default_rng(3).normal(size=(30, 20)) * 0.1
    points, faces = tiled(heights)
    at = points + 0.3 * UP
    assert np.abs(below(sk.MeshGround(points, faces), at) - points[:, 1]).max() <= 1e-6


@pytest.mark.usefixtures("embree")
def test_any_axis_can_be_up_and_faces_may_be_turned_over():
    points, faces = tiled(np.full((3, 3), 0.5))
    turned = points[:, [2, 0, 1]]  # Z is up now
    for order in (faces, faces[:, ::-1]):
        found = below(sk.MeshGround(turned, order), [[1.2, 0.7, 0.9]], up=np.array([0.0, 0.0, 1.0]))
        assert found == pytest.approx([0.5], abs=1e-12)


@pytest.mark.usefixtures("embree")
def test_a_foot_stands_on_the_storey_it_is_in():
    points, faces = tiled(np.zeros((3, 3)))
    storeys = np.concatenate([points, points + 2.5 * UP])
    house = sk.MeshGround(storeys, np.concatenate([faces, faces + len(points)]))
    at = [[1.0, 0.1, 1.0], [1.0, 2.6, 1.0], [1.0, 2.2, 1.0], [1.0, -3.0, 1.0]]
    assert below(house, at).tolist() == [0.0, 2.5, 2.5, 0.0]


@pytest.mark.usefixtures("embree")
def test_where_a_mesh_has_nothing_there_is_no_height_or_the_given_one():
    points, faces = tiled(np.zeros((3, 3)))
    found = below(sk.MeshGround(points, faces), [[1.0, 0.0, 1.0], [5.0, 0.0, 1.0]])
    np.testing.assert_array_equal(found, [0.0, np.nan])
    assert below(sk.MeshGround(points, faces, outside=-1.5), [[5.0, 0.0, 1.0]]).tolist() == [-1.5]


@pytest.mark.usefixtures("embree")
def test_what_a_class_of_the_callers_casts_is_checked_though_it_is_a_mesh(make_walk):
    class Deep(sk.MeshGround):
        def cast(self, origins, directions, frames=None):
            distance, *rest = super().cast(origins, directions, frames)
            return (distance[:-1], *rest)

    points, faces = tiled(np.zeros((30, 30)))
    with pytest.raises(ValueError, match=r"ground\.cast returned distance of shape"):
        sk.plant_feet(make_walk().clip, ground=Deep(points - [15.0, 0.0, 15.0], faces))


@pytest.mark.usefixtures("embree")
def test_one_direction_serves_all_rays():
    points, faces = tiled(np.random.default_rng(4).normal(size=(9, 9)) * 0.1)
    mesh, down = sk.MeshGround(points, faces), np.array([[0.0, -1.0, 0.0]])
    origins = points[faces].mean(axis=1) + 5.0 * UP
    for one, each in zip(mesh.cast(origins, down), mesh.cast(origins, np.tile(down, (len(faces), 1))), strict=True):
        np.testing.assert_array_equal(one, each)


@pytest.mark.parametrize(
    ("points", "faces", "error", "message"),
    [
        (np.zeros((3, 2)), [[0, 1, 2]], ValueError, r"points has shape \(3, 2\)"),
        ([[0, 0, np.inf], [0, 0, 0], [1, 0, 0]], [[0, 1, 2]], ValueError, r"points\[0, 2\] is inf"),
        (np.zeros((3, 3)), [[0, 1, 3]], ValueError, r"faces\[0, 2\] is 3: there are 3 points"),
        (np.zeros((3, 3)), np.zeros((0, 3), int), ValueError, "T ≥ 1 is needed"),
        (np.zeros((3, 3)), [[0.0, 1.0, 2.0]], TypeError, "whole numbers"),
    ],
)
def test_a_wrong_mesh_is_named(points, faces, error, message):
    with pytest.raises(error, match=message):
        sk.MeshGround(points, faces)


@pytest.mark.slow
@pytest.mark.usefixtures("embree")
def test_feet_stand_on_a_mesh_as_on_the_function_it_was_made_from(make_walk):
    walk = make_walk()
    spacing = 0.05
    x, z = np.meshgrid(np.arange(80) * spacing, np.arange(240) * spacing, indexing="ij")
    points, faces = tiled(waves(x - 2.0, z - 2.0), spacing)
    points -= [2.0, 0.0, 2.0]
    exact = sk.plant_feet(walk.clip, ground=lambda p: waves(p[:, 0], p[:, 2]))
    for ground in (sk.MeshGround(points, faces), SimpleNamespace(vertices=points, faces=faces)):
        planted = sk.plant_feet(walk.clip, ground=ground)
        assert np.abs(planted.clip.positions() - exact.clip.positions()).max() <= 2e-3
        assert planted.report.worst("penetration") <= 1e-3 * walk.leg


def test_feet_stand_on_a_grid_as_on_the_function_it_was_made_from(make_walk):
    walk = make_walk()
    x, z = np.meshgrid(np.arange(80) * 0.05 - 2.0, np.arange(240) * 0.05 - 2.0, indexing="ij")
    grid = sk.HeightGrid(waves(x, z), spacing=0.05, origin=(-2.0, -2.0))
    exact = sk.plant_feet(walk.clip, ground=lambda p: waves(p[:, 0], p[:, 2]))
    assert np.abs(sk.plant_feet(walk.clip, ground=grid).clip.positions() - exact.clip.positions()).max() <= 2e-3


def test_a_moving_mesh_without_the_extra_says_how_to_get_it(make_walk, monkeypatch):
    monkeypatch.setitem(sys.modules, "embreex", None)
    monkeypatch.setitem(sys.modules, "embreex.rtcore_scene", None)
    mesh = sk.MeshGround(np.eye(3), [[0, 1, 2]], transforms=np.tile(np.eye(4), (1000, 1, 1)))
    with pytest.raises(sk.MissingExtraError, match=r'pip install "\.\[ground\]" in a clone'):
        sk.plant_feet(make_walk().clip, ground=mesh)
