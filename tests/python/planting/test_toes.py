# SPDX-License-Identifier: MIT
"""Toes that bend where the heel rises: ball and tip lie on the ground, up to a limit, and everything else stays."""

from __future__ import annotations

import functools

import known_motions
import numpy as np
import pytest
import reference
from known_steps import SIDES, SOLE

import skelkin_py as sk

FPS = 60.0
TIP = np.array([0.0, -0.01, 0.07])  # from the toe joint, 2 cm above the sole of a flat foot


@functools.cache
def straight_toes(slide=0.03):
    """The known walk with toes that never bend, and end sites at their tips."""
    case = known_motions.known(motion="walk", fps=FPS, slide=slide)
    clip, old = case.clip, case.clip.skeleton
    toes = [old.index(f"{side}_toe") for side in SIDES]
    skeleton = sk.Skeleton(old.parents, old.rest_local, list(old.names), end_sites=dict.fromkeys(toes, TIP))
    rotations = np.array(clip.rotations)
    rotations[:, toes] = [1.0, 0.0, 0.0, 0.0]
    return case, sk.Clip(skeleton, rotations, clip.translations, fps=FPS), toes


def tips(clip, toes):
    """(F, 2) Height of the tips' sole: what is 2 cm below the end sites."""
    at = reference.forward_kinematics(clip.skeleton, clip.local_matrices())[:, toes]
    return (at[..., :3, 3] + at[..., :3, :3] @ TIP)[..., 1] - 0.02


def angles(clip, toes):
    return 2.0 * np.arccos(np.clip(np.abs(clip.rotations[:, toes, 0]), 0.0, 1.0))


def standing(case, planted):
    out = np.zeros((planted.clip.num_frames, 2), bool)
    for k, (side, leg) in enumerate(zip(SIDES, planted.report.legs, strict=True)):
        for first, last in leg.contacts:
            out[first : last + 1, k] = case.contact[side][first : last + 1]
    return out


def test_tips_lie_on_the_ground_with_the_ball():
    case, clip, toes = straight_toes()
    plain, bent = (sk.plant_feet(clip, ground=0.0, toe_bend=most, up="Y") for most in (0.0, 60.0))
    stands = standing(case, bent)
    assert tips(plain.clip, toes)[stands].min() <= -0.02
    assert tips(bent.clip, toes)[stands].min() >= -1e-3 * case.leg
    ball = reference.forward_kinematics(clip.skeleton, bent.clip.local_matrices())[:, toes, 1, 3]
    rolls = stands & (angles(bent.clip, toes) > 0.05)
    assert rolls.sum() > 20
    assert np.abs(tips(bent.clip, toes)[rolls]).max() <= 1e-3 * case.leg
    assert np.abs(ball[rolls] - SOLE).max() <= 1e-3 * case.leg


def test_only_toes_bend():
    _, clip, toes = straight_toes()
    plain, bent = (sk.plant_feet(clip, ground=0.0, toe_bend=most, up="Y").clip for most in (0.0, 60.0))
    others = [j for j in range(clip.skeleton.num_joints) if j not in toes]
    np.testing.assert_array_equal(bent.rotations[:, others], plain.rotations[:, others])
    np.testing.assert_array_equal(plain.rotations[:, toes], clip.rotations[:, toes])
    np.testing.assert_array_equal(bent.translations, plain.translations)


@pytest.mark.parametrize("most", [5.0, 15.0])
def test_the_limit_holds(most):
    _, clip, toes = straight_toes()
    bent = angles(sk.plant_feet(clip, ground=0.0, toe_bend=most, up="Y").clip, toes)
    assert np.degrees(bent.max()) == pytest.approx(most, abs=1e-6)


def test_toes_do_not_jerk():
    _, clip, toes = straight_toes()
    bent = angles(sk.plant_feet(clip, ground=0.0, toe_bend=60.0, up="Y").clip, toes)
    foot = clip.rotations[:, [toe - 1 for toe in toes]]
    turn = 2.0 * np.arccos(np.clip(np.abs(np.sum(foot[1:] * foot[:-1], axis=-1)), 0.0, 1.0))
    assert np.abs(np.diff(bent, axis=0)).max() <= 2.0 * turn.max()


def test_planted_once_more_nothing_moves():
    case, clip, _ = straight_toes()
    planted = sk.plant_feet(clip, ground=0.0, toe_bend=60.0, up="Y")
    spans = [leg.contacts for leg in planted.report.legs]
    again = sk.plant_feet(planted.clip, ground=0.0, toe_bend=60.0, contacts=spans, up="Y")
    assert np.abs(again.clip.positions() - planted.clip.positions()).max() <= 1e-4 * case.leg
    turned = np.abs(np.sum(again.clip.rotations * planted.clip.rotations, axis=-1))
    assert np.degrees(2.0 * np.arccos(np.clip(turned, 0.0, 1.0)).max()) <= 0.2


def test_frames_outside_the_range_keep_their_bits():
    _, clip, _ = straight_toes()
    planted = sk.plant_feet(clip, ground=0.0, toe_bend=60.0, up="Y", frames=(60, 200)).clip
    for part in (slice(0, 60), slice(201, None)):
        np.testing.assert_array_equal(planted.rotations[part], clip.rotations[part])


def test_toes_bend_on_a_ramp_too():
    case, clip, toes = straight_toes()
    slope = np.tan(np.radians(10.0))
    planted = sk.plant_feet(clip, ground=lambda p: slope * p[:, 2], toe_bend=60.0, up="Y")
    at = reference.forward_kinematics(clip.skeleton, planted.clip.local_matrices())[:, toes]
    tip = at[..., :3, 3] + at[..., :3, :3] @ TIP
    above = (tip[..., 1] - slope * tip[..., 2]) * np.cos(np.radians(10.0)) - 0.02
    assert above[standing(case, planted)].min() >= -1e-3 * case.leg
    with pytest.raises(ValueError, match="toe_bend is 100: it must lie within 0 … 90"):
        sk.plant_feet(clip, toe_bend=100)
