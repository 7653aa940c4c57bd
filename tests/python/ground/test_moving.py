# SPDX-License-Identifier: MIT
"""Ground that moves carries standing feet: lifts, shuttles, turntables and tipping ramps, against formulas."""

from __future__ import annotations

from importlib.util import find_spec

import known_motions
import numpy as np
import pytest
from rigid_plate import Plate
from standing_truth import UP, plane, riding, standing, turned

import skelkin_py as sk

FPS = 60.0


@pytest.fixture
def embree(require):
    require(find_spec("embreex"), "the extra 'ground'")


def walk(slide=0.03):
    return known_motions.known(motion="walk", fps=FPS, slide=slide)


def motions():
    time = np.arange(walk().clip.num_frames) / FPS
    still = np.tile(np.eye(4), (len(time), 1, 1))
    lift, shuttle = still.copy(), still.copy()
    lift[:, 1, 3] = 0.3 * np.sin(1.5 * time)
    shuttle[:, 0, 3] = 0.1 * np.sin(2.0 * time)
    return {
        "lift": lift,
        "shuttle": shuttle,
        "turntable": turned(UP, 0.2 * time, np.array([0.3, 0.0, 2.0])),
        "tipping ramp": turned([1.0, 0.0, 0.0], 0.15 * np.sin(1.2 * time), np.array([0.0, 0.0, 2.5])),
        "all at once": lift @ shuttle @ turned(UP, 0.2 * np.sin(time)) @ turned([1.0, 0.0, 0.5], 0.1 * np.sin(time)),
    }


@pytest.mark.parametrize("carried", [False, True], ids=["made in a still world", "made on it"])
@pytest.mark.parametrize("name", motions())
def test_feet_are_carried_with_the_place_they_stand_on(name, carried):
    case, motion = walk(), motions()[name]
    clip = riding(case.clip, motion) if carried else case.clip
    planted = sk.plant_feet(clip, ground=Plate(motion), up="Y")
    figures = standing(case, planted, motion)
    assert figures["slide"] <= 1e-4
    assert figures["penetration"] <= 1e-3
    assert figures["float"] <= 1e-3
    assert planted.report.slide()[1] <= 1e-4 * case.leg
    assert max(planted.report.worst(each) for each in ("penetration", "float")) <= 1e-3 * case.leg
    # Measured over the place that is carried: a foot that keeps still on a shuttle slides.
    if not carried and name == "shuttle":
        assert planted.report.slide("before")[1] >= 0.03 * case.leg


@pytest.mark.slow
@pytest.mark.usefixtures("embree")
@pytest.mark.parametrize("name", motions())
def test_a_mesh_that_moves_as_a_whole_is_the_plate_from_formulas(name):
    motion = motions()[name]
    mesh = sk.MeshGround(*plane(), transforms=motion)
    one, other = (sk.plant_feet(walk().clip, ground=ground, up="Y").clip for ground in (mesh, Plate(motion)))
    assert np.abs(one.positions() - other.positions()).max() <= 1e-9


@pytest.mark.slow
@pytest.mark.usefixtures("embree")
def test_points_per_frame_are_the_same_as_transforms():
    motion = motions()["all at once"]
    points, faces = plane()
    frames = np.einsum("fij,vj->fvi", motion[:, :3, :3], points) + motion[:, None, :3, 3]
    clip = walk().clip
    one, other = (
        sk.plant_feet(clip, ground=ground, up="Y").clip
        for ground in (sk.MeshGround(points, faces, transforms=motion), sk.MeshGround(frames, faces))
    )
    assert np.abs(one.positions() - other.positions()).max() <= 1e-9


def test_a_mesh_that_changes_its_shape_carries_what_lies_on_a_triangle():
    flat = np.array([[0.0, 0, 0], [2.0, 0, 0], [0.0, 0, 2]])
    tall = np.array([[1.0, 1, 0], [1.0, 3, 0], [1.0, 1, 4]])
    mesh = sk.MeshGround([flat, tall], [[0, 1, 2]])
    there = mesh.carry(np.array([[0.5, 0.0, 0.5], [0.5, -0.1, 0.5]]), [0, 0], [0, 0], [1, 1])
    # A quarter of the way along both edges; what is a tenth off the triangle stays a tenth off it.
    np.testing.assert_allclose(there[0], [1.0, 1.5, 1.0], atol=1e-14)
    assert abs(there[1, 0] - 1.0) == pytest.approx(0.1)


def test_a_treadmill_of_its_own_keeps_the_feet_of_a_cycle_made_in_place():
    case = known_motions.known(motion="in place", fps=FPS)
    belt = np.tile(np.eye(4), (case.clip.num_frames, 1, 1))
    belt[:, :3, 3] = np.arange(case.clip.num_frames)[:, None] / FPS * case.velocity
    planted = sk.plant_feet(case.clip, ground=Plate(belt), up="Y")
    assert planted.report.ground_velocity is None
    figures = standing(case, planted, belt)
    assert figures["slide"] <= 1e-4
    assert max(figures["penetration"], figures["float"]) <= 1e-3


@pytest.mark.slow
def test_planted_once_more_on_moving_ground_nothing_moves():
    case, motion = walk(), motions()["all at once"]
    planted = sk.plant_feet(riding(case.clip, motion), ground=Plate(motion), up="Y")
    spans = [leg.contacts for leg in planted.report.legs]
    again = sk.plant_feet(planted.clip, ground=Plate(motion), contacts=spans, up="Y")
    assert np.abs(again.clip.positions() - planted.clip.positions()).max() <= 1e-4 * case.leg


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"transforms": np.eye(4)}, r"transforms has shape \(4, 4\): \(F, 4, 4\)"),
        ({"transforms": [np.eye(4), 2.0 * np.eye(4)]}, r"transforms\[1\] is not rigid"),
        ({"transforms": [np.eye(4) * np.nan]}, r"transforms\[0\] is not finite"),
    ],
)
def test_transforms_that_are_none_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        sk.MeshGround(*plane(), **arguments)
    with pytest.raises(ValueError, match="one of the two"):
        sk.MeshGround([plane()[0]], plane()[1], transforms=[np.eye(4)])


def test_a_mesh_that_moves_for_too_few_frames_is_named():
    mesh = sk.MeshGround(*plane(), transforms=np.tile(np.eye(4), (9, 1, 1)))
    with pytest.raises(ValueError, match="ground moves for 9 frames: the clip has 301"):
        sk.plant_feet(walk().clip, ground=mesh)


@pytest.mark.parametrize(
    ("method", "answer", "error", "message"),
    [
        ("cast", lambda o, d, f: None, TypeError, "ground.cast returned NoneType"),
        ("cast", lambda o, d, f: (o, o, o, o), ValueError, r"returned distance of shape \(\d+, 3\) for \d+ rays"),
        (
            "cast",
            lambda o, d, f: (o[:, 0], d, np.ones(len(o)), np.zeros(len(o), int)),
            TypeError,
            "hit of dtype float64: bool",
        ),
        (
            "cast",
            lambda o, d, f: (o[:, 0] * np.nan, d, np.ones(len(o), bool), np.zeros(len(o), int)),
            ValueError,
            r"distance\[0\] nan where hit is true",
        ),
        ("carry", lambda p, s, a, b: p[:1], ValueError, r"ground.carry returned shape \(1, 3\) for"),
        ("carry", lambda p, s, a, b: p * np.nan, ValueError, r"ground.carry returned \[nan, nan, nan\] from frame"),
    ],
)
def test_what_a_ground_of_ones_own_answers_is_checked(method, answer, error, message):
    ground = Plate(motions()["lift"])
    setattr(ground, method, answer)
    with pytest.raises(error, match=message):
        sk.plant_feet(walk().clip, ground=ground)
