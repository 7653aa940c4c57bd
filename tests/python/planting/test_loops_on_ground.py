# SPDX-License-Identifier: MIT
"""Loops that come back to another place, on ground that keeps still: closed where it is the same there."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec

import numpy as np
import pytest
from loop_cases import (
    DEGREES,
    FAULT,
    RISER,
    assert_closed,
    assert_open,
    endless_stair,
    ramp,
    stair_loop,
    walk_loop,
    way,
)
from standing_truth import riding, standing

import skelkin_py as sk


@pytest.fixture
def embree(require):
    require(find_spec("embreex"), "the extra 'ground'")


@pytest.mark.slow
@pytest.mark.parametrize("made_on_it", [True, False], ids=["made on the ramp", "made on a floor"])
@pytest.mark.parametrize("fault", [{}, FAULT], ids=["clean", "damaged"])
def test_a_walk_up_a_ramp_is_closed(made_on_it, fault):
    case = walk_loop(**fault)
    motion, ground = ramp(case.clip.num_frames)
    clip = riding(case.clip, motion) if made_on_it else case.clip
    planted = sk.plant_feet(clip, ground=ground, up="Y")
    level = way(clip)[2, 3]
    rise = 0.0 if made_on_it else np.tan(np.radians(DEGREES)) * level
    assert_closed(case, planted, way(clip, rise))
    figures = standing(case, planted, motion)
    assert figures["slide"] <= 1e-4
    assert max(figures["penetration"], figures["float"]) <= 1e-3
    told = f"the last pose is the first, {level:.4g} units on, {np.tan(np.radians(DEGREES)) * level:.4g} units up"
    assert any(told in message for message in planted.report.messages)


def test_contacts_on_a_ramp_go_on_across_the_seam():
    case = walk_loop(slide=0.05)
    motion, ground = ramp(case.clip.num_frames)
    report = sk.plant_feet(riding(case.clip, motion), ground=ground, up="Y").report
    for leg in report.legs:
        stands = np.zeros(case.clip.num_frames, bool)
        for a, b in leg.contacts:
            stands[a : b + 1] = True
        truth = case.contact[leg.name]
        assert (stands == truth)[:10].all()
        assert (stands == truth)[-10:].all()


@pytest.mark.parametrize("fault", [{}, {"slide": 0.01, "lift": 0.03, "noise": 0.004}], ids=["clean", "damaged"])
def test_steps_up_an_endless_stair_are_closed(fault):
    case = stair_loop(**fault)
    planted = sk.plant_feet(case.clip, ground=case.ground, up="Y")
    assert_closed(case, planted, way(case.clip, 4 * RISER - way(case.clip)[1, 3]))
    assert planted.report.worst("slide") <= 1e-4 * case.leg
    assert max(planted.report.worst(what) for what in ("penetration", "float")) <= 1e-3 * case.leg


def without_toes(clip):
    kept = [j for j, name in enumerate(clip.names) if not name.endswith("toe")]
    parents, rest = np.array(clip.skeleton.parents)[kept], np.array(clip.skeleton.rest_local)[kept]
    skeleton = sk.Skeleton(
        [kept.index(p) if p >= 0 else -1 for p in parents], rest, names=[clip.names[j] for j in kept]
    )
    return sk.Clip(skeleton, clip.rotations[:, kept], clip.translations[:, kept], fps=clip.fps)


def test_feet_without_toes_climb_it_too():
    case = stair_loop()
    clip = without_toes(case.clip)
    planted = sk.plant_feet(clip, ground=case.ground, up="Y")
    assert_closed(case, planted, way(clip, 4 * RISER - way(clip)[1, 3]))
    assert planted.report.worst("slide") <= 1e-4 * case.leg


def test_ground_beside_a_foot_without_toes_counts():
    """A step that lies around the last ankle, as wide as a foot, and around no other."""
    clip = without_toes(walk_loop().clip)
    ankle = clip.positions()[-1, clip.find_legs()[0].ankle]

    def ground(points):
        return np.where(np.hypot(*(points - ankle)[:, [0, 2]].T) < 0.08, 0.1, 0.0)

    assert_open(sk.plant_feet(clip, ground=ground, up="Y"), "the ground under its last pose differs")
    assert sk.plant_feet(clip, ground=lambda points: 0.0 * points[:, 0], up="Y").report.loop


def test_a_stair_that_ends_under_the_last_pose_is_left_open():
    case = stair_loop()
    planted = sk.plant_feet(case.clip, ground=lambda points: np.minimum(endless_stair(points), RISER), up="Y")
    assert_open(planted, "the ground under its last pose differs from that under its first")


def waves(period, height=0.04):
    """A mesh that goes up and down along z."""
    z, x = np.arange(-4.0, 8.0, 0.01), np.array([-2.0, 2.0])
    points = np.stack([np.tile(x, len(z)), np.zeros(2 * len(z)), np.repeat(z, 2)], axis=1)
    points[:, 1] = height * np.sin(2.0 * np.pi * points[:, 2] / period)
    corner = 2 * np.arange(len(z) - 1)
    halves = [np.stack([corner + k for k in half], axis=1) for half in ((0, 2, 1), (1, 2, 3))]
    return sk.MeshGround(points, np.concatenate(halves))


@pytest.mark.usefixtures("embree")
@pytest.mark.parametrize("parts", [1, 2, 4])
def test_a_mesh_whose_period_is_a_part_of_the_way_is_walked_on_for_ever(parts):
    case = walk_loop(**FAULT)
    case = replace(case, clip=_way_of(case.clip, 2.2))
    planted = sk.plant_feet(case.clip, ground=waves(2.2 / parts), up="Y")
    assert_closed(case, planted, way(case.clip))
    assert planted.report.worst("slide") <= 1e-4 * case.leg
    assert max(planted.report.worst(what) for what in ("penetration", "float")) <= 1e-3 * case.leg


def _way_of(clip, length):
    """The clip, its way along z made so long."""
    translations = clip.translations.copy()
    own = translations[-1, 0, 2] - translations[0, 0, 2]
    translations[:, 0, 2] += (length - own) * np.linspace(0.0, 1.0, clip.num_frames)
    return clip.replace(translations=translations)


@pytest.mark.usefixtures("embree")
@pytest.mark.parametrize("period", [1.7, 0.9])
def test_a_mesh_of_another_period_leaves_it_open(period):
    planted = sk.plant_feet(walk_loop().clip, ground=waves(period), up="Y")
    assert_open(planted, "the last pose is the first, 2.2 units on, but the ground under its last pose differs")


def test_ground_that_ends_under_the_last_pose_leaves_it_open():
    clip = walk_loop().clip
    planted = sk.plant_feet(clip, ground=lambda points: np.where(points[:, 2] > 2.1, np.nan, 0.0), up="Y")
    assert_open(planted, "the ground under its last pose differs from that under its first")


def test_of_ground_between_its_ends_nothing_is_asked():
    """Over a hill from one flat place to another: beyond both ends there is no ground at all."""
    case = walk_loop(slide=0.05)

    def hill(points):
        z = points[:, 2]
        high = 0.08 * np.where((z > 0.2) & (z < 1.3), np.sin(np.pi * (z - 0.2) / 1.1) ** 2, 0.0)
        return np.where((z < -0.9) | (z > 2.5), np.nan, high)

    planted = sk.plant_feet(case.clip, ground=hill, up="Y")
    assert_closed(case, planted, way(case.clip))
    assert planted.report.worst("slide") <= 1e-4 * case.leg


@pytest.mark.usefixtures("embree")
def test_a_floor_that_is_a_mesh_is_a_floor():
    case = walk_loop(**FAULT)
    mesh, height = (sk.plant_feet(case.clip, ground=ground, up="Y") for ground in (waves(1.0, 0.0), 0.0))
    assert mesh.report.loop
    assert np.abs(mesh.clip.positions() - height.clip.positions()).max() <= 1e-6 * case.leg


def test_a_climb_on_a_floor_is_no_loop():
    case = walk_loop()
    motion, _ = ramp(case.clip.num_frames)
    for ground in (None, 0.0):
        report = sk.plant_feet(riding(case.clip, motion), ground=ground, up="Y").report
        assert not report.loop
        assert not any("last pose" in message for message in report.messages)
