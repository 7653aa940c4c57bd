# SPDX-License-Identifier: MIT
"""No unit is assumed: a clip in another one is planted alike, or refused where its lengths are no numbers any more."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import skelkin_py as sk

BIPED = sk.example("biped")
RIGHT = [1e-49, 1e-30, 1e-10, 1e-4, 0.3, 1e4, 1e10, 1e30, 1e50]
WRONG = [1e-300, 1e-150, 1e-100, 1e-51, 1e51, 1e99, 1e100, 1e150, 1e300]
BOUNDS = r"has a length of \S+: it must lie within 1e-50 to 1e50 of the clip's units: scale the clip$"


def scaled(clip: sk.Clip, scale: float) -> sk.Clip:
    """Return the clip in a unit in which it is so many times as large."""
    own = clip.skeleton
    rest = own.rest_local.copy()
    rest[:, :3, 3] *= scale
    sites = {joint: offset * scale for joint, offset in own.end_sites.items()}
    skeleton = sk.Skeleton(own.parents, rest, own.names, end_sites=sites)
    return sk.Clip(skeleton, clip.rotations, clip.translations * scale, fps=clip.fps)


def slope(scale: float) -> sk.MeshGround:
    corners = np.array([[-9, 0, -9], [9, 0, -9], [9, 0.3, 9], [-9, 0.3, 9.0]])
    return sk.MeshGround(corners * scale, [[0, 1, 2], [0, 2, 3]])


def grid(scale: float) -> sk.HeightGrid:
    return sk.HeightGrid(np.array([[0, 0], [0.1, 0.1]]) * scale, spacing=4 * scale, origin=(-2 * scale, -2 * scale))


OPTIONS: dict[str, Callable[[float], dict[str, Any]]] = {
    "nothing given": lambda scale: {},
    "a level": lambda scale: {"ground": 0.02 * scale},
    "a function": lambda scale: {"ground": lambda points: BIPED.ground(points / scale) * scale},
    "a grid": lambda scale: {"ground": grid(scale)},
    "a mesh": lambda scale: {"ground": slope(scale)},
    "stretch": lambda scale: {"reach": "stretch", "toe_bend": 30.0, "sole": 0.05 * scale},
}


@functools.cache
def planted(options: str, scale: float) -> sk.Planted:
    return sk.plant_feet(scaled(BIPED.clip, scale), **OPTIONS[options](scale))


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("scale", RIGHT)
def test_the_same_motion_in_another_unit_is_planted_alike(options, scale):
    expected, found = planted(options, 1.0), planted(options, scale)
    moved = np.abs(expected.clip.positions() - BIPED.clip.positions()).max()
    assert np.abs(found.clip.positions() / scale - expected.clip.positions()).max() < 1e-11 * moved
    contacts = [[leg.contacts for leg in each.report.legs] for each in (found, expected)]
    assert contacts[0] == contacts[1]
    assert found.report.leg_length == pytest.approx(expected.report.leg_length * scale, rel=1e-12)
    assert found.report.as_rows() == expected.report.as_rows()  # in centimetres of a leg of 0.9 m


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("power", [-150, -30, 30, 150])
def test_a_power_of_two_changes_no_bit(options, power):
    found = planted(options, 2.0**power).clip
    np.testing.assert_array_equal(np.ldexp(found.positions(), -power), planted(options, 1.0).clip.positions())


@pytest.mark.parametrize("scale", WRONG)
def test_beyond_the_bounds_it_is_refused_by_the_length_of_the_leg(scale):
    clip = scaled(BIPED.clip, scale)
    with pytest.raises(ValueError, match=r"^legs\[0\] (\(left\)|at rest) " + BOUNDS):
        sk.plant_feet(clip)
    with pytest.raises(ValueError, match=r"^legs\[0\] (\(left\)|at rest) " + BOUNDS):
        sk.plant_locals(clip.skeleton, clip.local_matrices(), fps=30)


@pytest.mark.parametrize("scale", [1e-30, 1e-3, 1e30])
def test_a_root_that_scales_the_character_is_a_unit_too(scale):
    clip = BIPED.clip
    local, expected = clip.local_matrices(), sk.plant_locals(clip.skeleton, clip.local_matrices(), fps=30)
    local[:, 0, :3] *= scale
    found = sk.plant_locals(clip.skeleton, local, fps=30)
    places, wanted = (sk.forward_kinematics(clip.skeleton, each.local)[..., :3, 3] for each in (found, expected))
    assert np.abs(places / scale - wanted).max() < 1e-12
    local[:, 0, :3] *= 1e-100
    with pytest.raises(ValueError, match=BOUNDS):
        sk.plant_locals(clip.skeleton, local, fps=30)


def test_single_precision_keeps_its_digits_in_small_units():
    clip = scaled(BIPED.clip, 1e-20)
    found = sk.plant_locals(clip.skeleton, clip.local_matrices().astype(np.float32), fps=30)
    assert found.local.dtype == np.float32
    places = sk.forward_kinematics(clip.skeleton, found.local.astype(np.float64))[..., :3, 3]
    wanted = sk.plant_locals(BIPED.clip.skeleton, BIPED.clip.local_matrices().astype(np.float32), fps=30).local
    assert np.abs(places * 1e20 - sk.forward_kinematics(BIPED.clip.skeleton, wanted)[..., :3, 3]).max() < 1e-5


@pytest.mark.parametrize("scale", [1e-300, 1e-200, 1e-100, 1e-4, 1e4, 1e100, 1e200, 1e300])
def test_legs_are_found_in_every_unit(scale):
    expected, found = BIPED.clip.find_legs(), scaled(BIPED.clip, scale).find_legs()
    assert [(leg.chain, leg.toe, leg.side, leg.confidence) for leg in found] == [
        (leg.chain, leg.toe, leg.side, leg.confidence) for leg in expected
    ]
    np.testing.assert_allclose([leg.bend for leg in found], [leg.bend for leg in expected], atol=1e-12)


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_straight_legs_bend_as_the_motion_says_in_every_unit(scale):
    rest = np.tile(np.eye(4), (4, 1, 1))
    rest[:, :3, 3] = [[0, 2, 0], [0.1, 0, 0], [0, -1, 0], [0, -1, 0]]
    names = ["Hips", "LeftUpLeg", "LeftLeg", "LeftFoot"]
    turns = np.tile([1.0, 0, 0, 0], (9, 4, 1))
    turns[:, 2] = [np.cos(0.5), np.sin(0.5), 0, 0]
    clip = sk.Clip(sk.Skeleton([-1, 0, 1, 2], rest, names), turns, fps=30)
    expected, found = clip.find_legs(), scaled(clip, scale).find_legs()
    assert any(expected[0].bend)
    np.testing.assert_allclose(found[0].bend, expected[0].bend, atol=1e-12)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"ground": 1e99}, r"^ground is 1e\+99: a height must be below 1e\+75$"),
        (
            {"ground": lambda points: np.full(len(points), -1e99)},
            r"^ground returned -1e\+99 at .*finite and below 1e\+75",
        ),
        ({"sole": 1e99}, r"^sole is 1e\+99: it must lie within 0 … 1e\+75$"),
        ({"ground_velocity": (0, 0, 1e99)}, r"^ground_velocity is \[0.0, 0.0, 1e\+99\]: it must be below 1e\+75$"),
        ({"stretch": 1e308}, r"^stretch is 1e\+308: it must lie within 1 … 1e\+06$"),
        ({"metres_per_unit": 5e-324}, r"^metres_per_unit is 5e-324: it must lie within 1e-60 … 1e\+60$"),
    ],
    ids=lambda value: "" if isinstance(value, str) else next(iter(value)),
)
def test_lengths_of_options_are_numbers_with_which_one_can_compute(options, words):
    with pytest.raises(ValueError, match=words):
        sk.plant_feet(BIPED.clip, **options)


def test_a_mesh_beyond_all_measure_is_refused():
    with pytest.raises(ValueError, match=r"^points\[0, 0\] is -9e\+75: it must be finite and below 1e\+75$"):
        slope(1e75)


@pytest.mark.parametrize("scale", [1e-60, 1e-30, 1e-3, 1e30, 1e60])
def test_rays_meet_a_mesh_of_every_size(scale):
    origins = np.array([[1.0, 5, 1], [-8.5, 2, 8], [50, 5, 0]]) * scale
    distance, _, hit, face = slope(scale).cast(origins, np.array([[0.0, -1, 0]]))
    wanted = slope(1.0).cast(origins / scale, np.array([[0.0, -1, 0]]))
    assert (
        (hit.tolist(), face.tolist()) == (wanted[2].tolist(), wanted[3].tolist()) == ([True, True, False], [0, 1, -1])
    )
    np.testing.assert_allclose(distance / scale, wanted[0], rtol=1e-12)


def test_a_foot_without_an_inverse_at_rest_is_named():
    clip = BIPED.clip
    flat = clip.skeleton.rest_local.copy()
    foot = clip.skeleton.index("LeftFoot")
    flat[foot, :3, :3] = 0
    bind = np.tile(np.eye(4), (len(flat), 1, 1))
    skeleton = sk.Skeleton(clip.skeleton.parents, flat, clip.skeleton.names, bind)
    with pytest.raises(ValueError, match=rf"^skeleton.rest_global\[{foot}\] \(LeftFoot\) has no inverse: "):
        sk.plant_feet(sk.Clip(skeleton, clip.rotations, clip.translations, fps=30), legs=clip.find_legs())
