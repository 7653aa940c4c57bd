# SPDX-License-Identifier: MIT
"""Ground with holes, or that is not there at all: feet over it are in no contact, and never pulled down."""

from __future__ import annotations

from importlib.util import find_spec

import known_motions
import numpy as np
import pytest
from known_steps import SIDES

import skelkin_py as sk


@pytest.fixture
def embree(require):
    require(find_spec("embreex"), "the extra 'ground'")


def case():
    return known_motions.known(motion="walk", fps=60.0, slide=0.03)


# The walk goes along z; from 2 m to 3.2 m there is no ground.
HOLE = (2.0, 3.2)


def level(points):
    inside = (points[:, 2] > HOLE[0]) & (points[:, 2] < HOLE[1])
    return np.where(inside, np.nan, 0.02)


def grid():
    z = np.arange(-2.0, 9.0, 0.1)
    heights = np.tile(np.where((z > HOLE[0] + 1e-9) & (z < HOLE[1] - 1e-9), np.nan, 0.02), (2, 1))
    return sk.HeightGrid(heights, spacing=(10.0, 0.1), origin=(-5.0, -2.0))


def mesh():
    parts = []
    for first, last in ((-3.0, HOLE[0]), (HOLE[1], 9.0)):
        parts.append([[-5, 0.02, first], [-5, 0.02, last], [5, 0.02, first], [5, 0.02, last]])
    faces = np.array([[0, 1, 2], [1, 3, 2]])
    return sk.MeshGround(np.concatenate(parts), np.concatenate([faces, faces + 4]))


@pytest.mark.parametrize("make", [lambda: level, grid, mesh], ids=["function", "grid", "mesh"])
def test_feet_over_a_hole_are_no_contacts_and_keep_their_height(make, request):
    if make is mesh:
        request.getfixturevalue("embree")
    known, ground = case(), make()
    clip = known.clip
    planted = sk.plant_feet(clip, ground=ground, up="Y")
    whole = sk.plant_feet(clip, ground=0.02, up="Y")
    report, at = planted.report, planted.clip.positions()
    assert np.isfinite(at).all()
    assert np.isfinite([report.worst(each) for each in ("slide", "penetration", "float")]).all()
    lost = 0
    for side, leg, full in zip(SIDES, report.legs, whole.report.legs, strict=True):
        toe = clip.skeleton.index(f"{side}_toe")
        heel = at[:, clip.skeleton.index(f"{side}_foot"), 2] - 0.13 / 3.0
        over = (heel > HOLE[0] + 0.05) & (at[:, toe, 2] < HOLE[1] - 0.05)
        stands = np.zeros(clip.num_frames, bool)
        for first, last in leg.contacts:
            stands[first : last + 1] = True
        assert not (stands & over).any()
        lost += sum(last - first + 1 for first, last in full.contacts) - stands.sum()
        # Over the hole the foot is where the body's shift takes it, not lower.
        moved = at[over, toe, 1] - clip.positions()[over, toe, 1] - report.body_shift[over]
        assert moved.min() >= -0.01 * known.leg
        assert np.isfinite(leg.after.height).all()
    assert lost > 30
    assert any("the ground has a hole where feet would stand in" in message for message in report.messages)
    assert report.worst("penetration") <= 1e-3 * known.leg


def test_ground_that_is_nowhere_is_named():
    with pytest.raises(ValueError, match=r"^ground: the left ankle is at \(.*\) in frame 0: no ground is below"):
        sk.plant_feet(case().clip, ground=lambda points: np.full(len(points), np.nan))


@pytest.mark.usefixtures("embree")
def test_a_mesh_elsewhere_is_named():
    far = np.array([[100.0, 0, 100], [100.0, 0, 101], [101.0, 0, 100]])
    with pytest.raises(ValueError, match=r"check that it is in the clip's space, unit and axes$"):
        sk.plant_feet(case().clip, ground=sk.MeshGround(far, [[0, 1, 2]]))
    assert len(sk.plant_feet(case().clip, ground=sk.MeshGround(far, [[0, 1, 2]], outside=0.0)).report.contacts) > 5


def test_ground_only_where_no_foot_stands_changes_nothing():
    clip = case().clip
    spans = [[(0, 9)], []]
    z = clip.positions()[9, :, 2].max() + 0.3
    planted = sk.plant_feet(clip, ground=lambda p: np.where(p[:, 2] < z, np.nan, 0.0), contacts=spans, up="Y")
    assert planted.clip is clip
    assert any("has a hole" in message for message in planted.report.messages)


def test_nan_heights_of_a_grid_are_a_hole_and_their_border_is_ground():
    heights = grid_with_a_hole = np.arange(25.0).reshape(5, 5)
    grid_with_a_hole[2, 2] = np.nan
    found = sk.HeightGrid(heights)(np.array([[2.0, 0, 2], [1.5, 0, 1.5], [1.0, 0, 2.5], [2.0, 0, 1.0], [0.5, 0, 0.5]]))
    np.testing.assert_array_equal(found, [np.nan, np.nan, 7.5, 11.0, 3.0])


def test_a_grid_of_nothing_is_named():
    with pytest.raises(ValueError, match="heights are all NaN"):
        sk.HeightGrid(np.full((3, 3), np.nan))


@pytest.mark.usefixtures("embree")
def test_faces_without_an_area_are_no_ground():
    points, faces = [[-9, 0, -9], [-9, 0, 9], [9, 0, -9], [9, 0, 9], [0, 0.4, 0]], [[0, 1, 2], [1, 3, 2]]
    slivers = [[0, 0, 3], [4, 4, 4], [0, 1, 1]]
    plain, dirty = sk.MeshGround(points, faces), sk.MeshGround(points, slivers + faces)
    at = np.random.default_rng(1).uniform(-8, 8, (500, 3)) * [1, 0.01, 1]
    at[0] = 0
    up = np.array([0.0, 1.0, 0.0])
    np.testing.assert_array_equal(dirty.heights(at, up, 1.0), plain.heights(at, up, 1.0))
    with pytest.raises(ValueError, match="none of the 3 triangles has an area"):
        sk.MeshGround(points, slivers)


def test_nothing_sinks_into_a_hole():
    """The feet go down a stair that ends in a hole: below the ground around it, but not in it."""
    clip = case().clip
    down = clip.translations.copy()
    down[:, 0, 1] -= 0.3 * np.clip((down[:, 0, 2] - HOLE[0]) / 0.5, 0.0, 1.0)
    sinking = clip.replace(translations=down).slice(0, int(np.searchsorted(down[:, 0, 2], HOLE[1] - 0.6)))
    report = sk.plant_feet(sinking, ground=level, up="Y").report
    assert sk.plant_feet(sinking, ground=0.02, up="Y").report.deepest("before") > 0.1
    assert report.deepest() <= 8.1e-3 * report.leg_length  # a sole that swings may graze the ground, if it did
    assert [v for v in report.violations(max_penetration=0.01) if v.contact is None] == []
