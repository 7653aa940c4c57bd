# SPDX-License-Identifier: MIT
"""A foot that stands on its toes for long: its sole is that of its fellow, its heel stands nowhere, its knee stays."""

from __future__ import annotations

import numpy as np
import pytest
from known_steps import Motion, Step, build

import skelkin_py as sk

ON_TOES = 280  # frames


def on_toes(clip, side, up, angle, count=ON_TOES, ease=12):
    """The clip with a foot turned about its ball, heel up, for its first frames; legs solved for it."""
    leg = next(leg for leg in clip.find_legs() if leg.side == side)
    matrices = np.asarray(clip.global_matrices(), float)
    ankle, foot = matrices[:, leg.ankle, :3, 3], matrices[:, leg.ankle, :3, :3]
    ball = ankle + foot @ clip.skeleton.end_sites[leg.ankle] if leg.toe is None else matrices[:, leg.toe, :3, 3]
    axis = np.cross(up, ball - ankle)
    axis /= np.linalg.norm(axis, axis=1)[:, None]
    part = np.clip((count + ease - np.arange(clip.num_frames)) / ease, 0.0, 1.0)
    turn = sk.quaternion_from_axis_angle(axis, angle * part * part * (3.0 - 2.0 * part))
    target = ball + sk.quaternion_rotate(turn, ankle - ball)
    turned = sk.quaternion_multiply(turn, sk.quaternion_from_matrix(foot))
    solved = sk.apply_two_bone(clip.skeleton, clip.local_matrices(), leg.chain, target, end_rotation=turned)
    translations, rotations, _ = sk.decompose(solved.local)
    return clip.replace(rotations=rotations, translations=translations)


def changed_knees(report):
    """Per leg, in which part of the frames the knee is off by more than 10 degrees."""
    return [float(np.mean(np.abs(leg.after.knee - leg.before.knee) > 10.0)) for leg in report.legs]


@pytest.mark.data
@pytest.mark.slow
@pytest.mark.parametrize("angle", [0.3, 0.7])
@pytest.mark.parametrize(("folder", "name"), [("bvh", "fair1_jumping"), ("bvh_hard", "adelaide_milad")])
def test_a_captured_foot_on_its_toes_keeps_its_sole_and_its_knee(data_dir, folder, name, angle):
    clip = sk.load(data_dir / folder / f"{name}.bvh")
    plain = sk.plant_feet(clip).report
    report = sk.plant_feet(on_toes(clip, "right", plain.up, angle)).report
    for leg, own in zip(report.legs, plain.legs, strict=True):
        assert abs(leg.sole - own.sole) <= 0.005 * leg.length
    assert max(changed_knees(report)) <= 0.01
    heels = report.legs[1].heel_contacts
    assert not any(first <= ON_TOES // 2 <= last for first, last in heels)  # nowhere flat there
    assert report.legs[1].ball_contacts[0] == report.legs[1].contacts[0]


def shifting(tip):
    """A figure that stands on the toes of its right foot for three seconds, then steps to flat feet, by formulas."""
    left = [Step((0.1, 0.0, 0.0), -1.0, -1.0, 8.0, 8.2)]
    right = [
        Step((-0.1, 0.0, 0.0), -1.0, -1.0, 3.0, 3.0, tip=tip),
        Step((-0.1, 0.0, 0.05), 3.5, 3.5, 8.0, 8.2),
    ]
    return build(Motion({"left": left, "right": right}, seconds=6.0), fps=60.0)


@pytest.mark.parametrize("tip", [0.35, 0.7])
def test_a_foot_known_to_stand_on_its_toes_stays_as_it_is(tip):
    known = shifting(tip)
    planted = sk.plant_feet(known.clip)
    apart = np.asarray(planted.clip.positions()) - np.asarray(known.clip.positions())
    assert np.abs(apart).max() <= 1e-3 * known.leg
    assert [round(leg.sole / known.unit, 3) for leg in planted.report.legs] == [0.03, 0.03]
    right = planted.report.legs[1]
    first = [np.flatnonzero(known.ball["right"])[0], np.flatnonzero(~known.ball["right"])[0] - 1]
    assert np.abs(np.subtract(right.ball_contacts[0], first)).max() <= 1
    assert right.heel_contacts[0][0] > first[1]
