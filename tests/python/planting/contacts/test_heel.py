# SPDX-License-Identifier: MIT
"""The heel lies behind the ankle: it stays above the ground, and what is measured counts it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import skelkin_py as sk

ANKLE, HEEL = np.array([0.085, -0.022]), np.array([0.0, -0.062])  # height and depth in the example's rest pose
PITCH = np.radians(20.0)


def skin_heights(biped, clip, ground):
    """Return the lowest skin vertex of every foot above the ground, (F, 2), left and right."""
    mesh = biped.mesh
    poses = sk.skinning_matrices(clip.skeleton, clip.global_matrices())
    skin = np.asarray(sk.skin_points(mesh.points, mesh.weights, poses), float)
    above = skin[..., 1] - (ground(skin.reshape(-1, 3)).reshape(skin.shape[:2]) if callable(ground) else ground)
    rest = np.asarray(mesh.points)
    feet = [(rest[:, 1] < 0.15) & (rest[:, 0] * side > 0.0) for side in (1.0, -1.0)]
    return np.stack([above[:, foot].min(axis=1) for foot in feet], axis=1)


def toes_up(skeleton):
    """Return a clip that stands for 40 frames and then lifts the left toes for 10, the ankle staying where it is."""
    local = np.repeat(np.asarray(skeleton.rest_local)[None], 50, axis=0)
    sine, cosine = np.sin(-PITCH), np.cos(PITCH)
    local[40:, skeleton.index("LeftFoot"), :3, :3] = [[1, 0, 0], [0, cosine, -sine], [0, sine, cosine]]
    translations, rotations, _ = sk.decompose(local)
    return sk.Clip(skeleton, rotations, translations, fps=30.0)


def dip(point):
    """Return how far below the ground a point (height, depth) of the left foot is once the toes are up."""
    height, behind = ANKLE[0] - point[0], ANKLE[1] - point[1]
    return height * np.cos(PITCH) + behind * np.sin(PITCH) - ANKLE[0]


@pytest.mark.parametrize("uneven", [False, True])
def test_no_skin_of_a_planted_foot_is_in_the_ground(uneven):
    biped = sk.example("biped")
    planted = sk.plant_feet(biped.clip, ground=biped.ground if uneven else None)
    heights = skin_heights(biped, planted.clip, biped.ground if uneven else planted.report.ground)
    # The skin reaches below the plane the rest pose stands on; the rest is the fault of planting.
    own = np.minimum(0.0, np.asarray(biped.mesh.points)[:, 1].min())
    assert own > -0.002
    stands = np.zeros((biped.clip.num_frames, 2), bool)
    for contact in planted.report.contacts:
        stands[contact.first_frame : contact.last_frame + 1, contact.leg] = True
    assert heights[stands].min() >= own - 0.005
    assert heights.min() >= -0.01
    assert heights[stands].max() <= 0.005
    assert planted.report.slide()[1] <= 1e-6


def test_a_raised_heel_strike_keeps_the_walk_smooth():
    biped = sk.example("biped")
    planted = sk.plant_feet(biped.clip)
    for leg in biped.clip.find_legs():
        steps = [np.abs(np.diff(clip.positions()[:, leg.ankle, 1], n=2)).max() for clip in (biped.clip, planted.clip)]
        assert steps[1] <= 1.1 * steps[0]
    clean = sk.plant_feet(biped.clean, contacts="never").report
    for leg, truth in zip(planted.report.legs, clean.legs, strict=True):
        assert np.abs(np.diff(leg.after.knee)).max() <= 1.35 * np.abs(np.diff(truth.before.knee)).max()


def test_a_heel_in_the_ground_is_measured():
    clip = toes_up(sk.example("biped").clip.skeleton)
    report = sk.plant_feet(clip, contacts="never", ground=0.0).report
    assert dip(HEEL) > 0.008
    assert abs(report.deepest("before") - dip(HEEL)) <= 0.002
    left, right = (leg.before.height for leg in report.legs)
    assert np.abs(left[:40]).max() <= 1e-9
    assert np.abs(right).max() <= 1e-9


@pytest.mark.parametrize("level", ["sole", "ankle"])
def test_a_heel_marker_says_where_the_heel_is(level):
    plain = sk.example("biped").clip.skeleton
    foot = plain.index("LeftFoot")
    marker = np.eye(4)
    # Set off to the side and at any height: only how far back it lies counts.
    marker[:3, 3] = (0.02, -ANKLE[0] if level == "sole" else 0.0, -0.07)
    skeleton = sk.Skeleton(
        [*plain.parents, foot], np.concatenate([plain.rest_local, marker[None]]), [*plain.names, "LeftMark"]
    )
    clip = toes_up(skeleton)
    left, right = clip.find_legs()
    legs = [replace(left, heel=skeleton.index("LeftMark")), right]
    report = sk.plant_feet(clip, legs=legs, contacts="never", ground=0.0).report
    assert abs(report.deepest("before") - dip(np.array([0.0, ANKLE[1] - 0.07]))) <= 0.001


def test_a_heel_that_is_no_joint_is_named():
    clip = sk.example("biped").clip
    left, right = clip.find_legs()
    with pytest.raises(ValueError, match=r"legs\[0\] heel joint is 99"):
        sk.plant_feet(clip, legs=[replace(left, heel=99), right])
