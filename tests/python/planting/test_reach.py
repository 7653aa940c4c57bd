# SPDX-License-Identifier: MIT
"""What happens to legs that are too short: three choices, and knees that keep their side in each of them."""

from __future__ import annotations

import numpy as np
import pytest

import skelkin_py as sk

CHOICES = ("soften", "lower_pelvis", "stretch")


def knee_sides(clip, leg):
    """Return unit vectors from the line hip to ankle towards the knee, and how far the knee is off it, in legs."""
    hip, knee, ankle = (clip.positions()[:, j] for j in leg.chain)
    line = (ankle - hip) / np.linalg.norm(ankle - hip, axis=1, keepdims=True)
    side = knee - hip - np.einsum("fi,fi->f", knee - hip, line)[:, None] * line
    off = np.linalg.norm(side, axis=1)
    length = np.linalg.norm(knee - hip, axis=1) + np.linalg.norm(ankle - knee, axis=1)
    return side / np.maximum(off, 1e-12)[:, None], off / length


@pytest.mark.parametrize("reach", CHOICES)
@pytest.mark.parametrize("faults", [{"slide": 0.35}, {"slide": 0.2, "noise": 0.004}])
def test_a_knee_keeps_its_side_also_where_the_leg_is_nearly_straight(make_walk, reach, faults):
    walk = make_walk(**faults)
    planted = sk.plant_feet(walk.clip, reach=reach).clip
    for leg in walk.clip.find_legs():
        (old, _), (new, off) = knee_sides(walk.clip, leg), knee_sides(planted, leg)
        seen = off > 1e-3
        assert np.einsum("fi,fi->f", old, new)[seen].min() >= np.cos(np.radians(25.0))
        assert new[seen, 2].min() > 0.5  # ahead: the walk goes along z


def test_a_leg_in_the_air_stays_bent_unless_it_may_open(make_walk):
    walk = make_walk(slide=0.35)
    clips = [sk.plant_feet(walk.clip, reach=reach).clip for reach in ("soften", "lower_pelvis")]
    own, soft, hard = (max(extension(clip, leg).max() for leg in walk.clip.find_legs()) for clip in (walk.clip, *clips))
    assert own < 0.99
    assert soft <= 0.995 + 1e-9  # 11.5° of flexion
    assert 0.999 < hard <= 0.9995 + 1e-9


def extension(clip, leg):
    hip, knee, ankle = (clip.positions()[:, j] for j in leg.chain)
    bones = (np.linalg.norm(b - a, axis=1) for a, b in ((hip, knee), (knee, ankle)))
    return np.linalg.norm(ankle - hip, axis=1) / sum(bones)


def test_stretching_lengthens_bones_no_further_than_allowed_and_only_where_it_has_to(make_walk):
    walk = make_walk(slide=0.35)
    planted = sk.plant_feet(walk.clip, ground=lambda p: -0.12 * np.floor(p[..., 2]), reach="stretch", stretch=1.08)
    for leg in walk.clip.find_legs():
        at = planted.clip.positions()
        bones = [np.linalg.norm(at[:, b] - at[:, a], axis=1) for a, b in zip(leg.chain, leg.chain[1:], strict=False)]
        whole = sum(bones) / walk.leg
        assert 1.001 < whole.max() <= 1.08 + 1e-9
        assert np.abs(whole - 1.0)[walk.clip.num_frames // 2 :].min() <= 1e-9


def test_a_foot_that_reaches_forward_to_its_place_does_not_snap_the_knee_open():
    biped = sk.example("biped")  # walks 3 cm too far per step: feet are held further ahead than they came down
    planted = biped.clip.plant_feet(ground=biped.ground)
    for leg in biped.clip.find_legs():
        before, after = (knee_degrees(clip, leg) for clip in (biped.clip, planted.clip))
        assert after.max() <= before.max() + 2.0
        # The knee turns about no more suddenly than the original's own sharpest moment, and an eighth.
        sharpest = [np.abs(np.diff(angle, 2)).max() * biped.clip.fps for angle in (before, after)]
        assert sharpest[1] <= 1.125 * sharpest[0]
    assert len(planted.report.knee_pops()) <= len(planted.report.knee_pops("before"))


def knee_degrees(clip, leg):
    hip, knee, ankle = (clip.positions()[:, j] for j in leg.chain)
    thigh, shin = ((p - knee) / np.linalg.norm(p - knee, axis=1, keepdims=True) for p in (hip, ankle))
    return np.degrees(np.arccos(np.clip(np.einsum("fi,fi->f", thigh, shin), -1.0, 1.0)))
