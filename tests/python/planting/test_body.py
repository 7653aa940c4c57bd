# SPDX-License-Identifier: MIT
"""The body under planting: smooth within a bound, and freed of jumps that held feet would pass on to the knees."""

from __future__ import annotations

import known_motions
import numpy as np
import pytest

import skelkin_py as sk

JUMPS = (20, 35, 50)


def acceleration(path, fps):
    """Return the size of the second difference per s² of places (F, 3) or heights (F,)."""
    return np.linalg.norm(np.diff(path, 2, axis=0).reshape(len(path) - 2, -1), axis=1) * fps**2


def pelvis_acceleration(clip, leg):
    """Return the acceleration of the pelvis in every frame, in legs per s²."""
    pelvis = clip.find_legs()[0].pelvis or 0
    return acceleration(clip.positions()[:, pelvis], clip.fps) / leg


def added(before, planted):
    leg = planted.report.leg_length
    return (pelvis_acceleration(planted.clip, leg) - pelvis_acceleration(before, leg)).max()


def crouching(jump):
    """Return a figure that stands with bent knees, on legs of length 2; its root jumps in three frames."""
    rest = np.tile(np.eye(4), (9, 1, 1))
    leg = [[0, -1, 0.05], [0, -1, -0.05], [0, -0.04, 0.25]]
    rest[:, :3, 3] = [[0, 2.1, 0], [0.2, -0.05, 0], *leg, [-0.2, -0.05, 0], *leg]
    names = ["hips", *(f"{side}_{part}" for side in ("left", "right") for part in ("thigh", "shin", "foot", "toe"))]
    skeleton = sk.Skeleton([-1, 0, 1, 2, 3, 0, 5, 6, 7], rest, names)
    rotations = np.tile([0.0, 0.0, 0.0, 1.0], (70, 9, 1))
    for part, angle in (("thigh", -0.5), ("shin", 0.9), ("foot", -0.4)):
        for side in ("left", "right"):
            turn = sk.quaternion_from_axis_angle([1.0, 0.0, 0.0], angle)
            rotations[:, skeleton.index(f"{side}_{part}")] = turn
    translations = np.tile(rest[:, :3, 3], (70, 1, 1))
    translations[list(JUMPS), 0] += jump
    return sk.Clip(skeleton, rotations, translations, fps=60.0)


@pytest.mark.parametrize("name", known_motions.cases())
def test_what_planting_adds_to_the_acceleration_keeps_its_bound(name):
    case = known_motions.known(**known_motions.cases()[name])
    planted = sk.plant_feet(case.clip, ground=0.0 if case.ground is None else case.ground)
    assert added(case.clip, planted) <= sk.PlantOptions.pelvis_acceleration
    assert planted.report.added_acceleration <= sk.PlantOptions.pelvis_acceleration * planted.report.leg_length


def test_a_smaller_bound_is_kept_too_and_feet_are_still_reached(make_walk):
    walk = make_walk(slide=0.35)

    def steps(points):
        return 0.1 * np.floor(points[..., 2])

    usual, slow = (sk.plant_feet(walk.clip, ground=steps, pelvis_acceleration=most) for most in (20.0, 1.5))
    most = [acceleration(p.report.body_shift, walk.clip.fps).max() / walk.leg for p in (usual, slow)]
    assert most[1] <= 1.5 < most[0] <= 20.0
    assert max(added(walk.clip, slow), slow.report.added_acceleration / walk.leg) <= 1.5
    assert all(not leg.unreachable for leg in slow.report.legs)
    assert slow.report.slide()[1] <= 1e-4 * walk.leg


@pytest.mark.slow
@pytest.mark.parametrize("jump", [(0.0, 0.009, 0.0), (0.003, 0.008, -0.002)])
def test_a_jump_of_the_captured_body_is_shared_between_body_and_knees_where_feet_are_held(jump):
    clip = crouching(np.array(jump))
    planted, rough = (sk.plant_feet(clip, contacts="always", pelvis_acceleration=most) for most in (20.0, 0.01))
    leg = planted.report.leg_length
    known, now, other = (
        max(np.abs(np.diff(leg.curves(when).knee, 2)).max() for leg in report.legs)
        for report, when in ((rough.report, "before"), (planted.report, "after"), (rough.report, "after"))
    )
    assert known <= 1e-9
    assert now <= 0.85 * other
    # The body itself becomes calmer, and goes no further than is stated.
    assert pelvis_acceleration(planted.clip, leg).max() < pelvis_acceleration(clip, leg).max()
    assert np.linalg.norm(planted.report.body_path, axis=1).max() <= 0.005 * leg + abs(planted.report.body_shift[0])
    assert planted.report.slide()[1] <= 1e-12 * leg


def test_a_body_that_jumps_is_left_alone_where_only_heights_are_corrected():
    clip = crouching(np.array([0.004, 0.008, 0.0]))
    moved = sk.plant_feet(clip, contacts="ground_only").report.body_path
    assert np.abs(moved[:, [0, 2]]).max() == 0.0


def test_a_foot_in_the_air_goes_with_a_body_that_is_lowered(make_walk):
    walk = make_walk(slide=0.35)
    planted = sk.plant_feet(walk.clip, blend=0.02)
    report = planted.report
    for leg, own in zip(walk.clip.find_legs(), report.legs, strict=True):
        stands = np.zeros(walk.clip.num_frames, bool)
        for first, last in own.contacts:
            stands[max(0, first - 6) : last + 7] = True
        moved = planted.clip.positions()[:, leg.ankle] - walk.clip.positions()[:, leg.ankle] - report.body_path
        free = ~stands & (own.before.height + report.body_shift > 0.0)
        assert free.any()
        assert np.linalg.norm(moved[free], axis=1).max() <= 0.02 * walk.leg


@pytest.mark.parametrize(
    ("most", "error"), [(0.0, ValueError), (-1.0, ValueError), (np.nan, ValueError), ("1", TypeError)]
)
def test_a_bound_that_is_none_is_named(make_walk, most, error):
    with pytest.raises(error, match="pelvis_acceleration is"):
        sk.plant_feet(make_walk().clip, pelvis_acceleration=most)
