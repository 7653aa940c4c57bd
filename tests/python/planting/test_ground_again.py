# SPDX-License-Identifier: MIT
"""What is planted stays as it is on any ground: a second run with the first run's contacts moves no joint."""

from __future__ import annotations

import known_motions
import numpy as np
import pytest
from known_steps import SIDES, spans_of

import skelkin_py as sk

AGAIN = 1e-4  # leg


def slope(degrees):
    return lambda points: np.tan(np.radians(degrees)) * (points[:, 2] - 0.5 * points[:, 0])


def bumps(points):
    return 0.03 * np.sin(2.0 * points[:, 0] + 0.3) * np.cos(1.7 * points[:, 2])


def steps(points):
    return 0.04 * np.floor(points[:, 2] / 0.37)


def silent_rest(clip):
    """The same motion on a skeleton whose rest pose does not stand on the origin's plane: soles are not known."""
    rest = np.array(clip.skeleton.rest_local)
    rest[0, 1, 3] += 3.0
    skeleton = sk.Skeleton(clip.skeleton.parents, rest, list(clip.skeleton.names))
    return sk.Clip(skeleton, clip.rotations, clip.translations, fps=clip.fps)


def moved(clip, ground, **options):
    """How far any joint moves in the second run, in legs."""
    once = sk.plant_feet(clip, ground=ground, **options)
    spans = options.pop("contacts", None) or [leg.contacts for leg in once.report.legs]
    twice = sk.plant_feet(once.clip, ground=ground, contacts=spans, **options)
    apart = np.linalg.norm(twice.clip.positions() - once.clip.positions(), axis=-1)
    assert any(spans)
    return float(apart.max()) / once.report.leg_length


@pytest.mark.slow
@pytest.mark.parametrize("ground", [slope(1.0), slope(-4.0), slope(14.0), bumps, steps], ids=lambda g: g.__name__)
@pytest.mark.parametrize("rest", ["known", "silent"])
@pytest.mark.parametrize("motion", ["walk", "dance"])
def test_a_second_run_moves_nothing_on_ground_that_slopes(motion, rest, ground):
    clip = known_motions.known(motion, fps=30.0, slide=0.05, lift=-0.02, bump=-0.036, noise=0.001).clip
    assert moved(clip if rest == "known" else silent_rest(clip), ground) <= AGAIN


def test_little_slopes_are_taken_on_once():
    clip = known_motions.known("walk", fps=60.0).clip
    planted = sk.plant_feet(clip, ground=slope(2.0))
    leg = clip.find_legs()[0]
    first, last = planted.report.legs[0].contacts[1]
    middle = (first + last) // 2
    before, after = (each.global_matrices()[middle, leg.ankle, :3, :3] for each in (clip, planted.clip))
    cosine = 0.5 * (np.trace(before.T @ after) - 1.0)
    steepest = np.degrees(np.arctan(np.hypot(1.0, 0.5) * np.tan(np.radians(2.0))))
    assert np.degrees(np.arccos(cosine)) == pytest.approx(steepest, abs=0.05)


@pytest.mark.parametrize("fps", [15.0, 30.0])
def test_feet_that_stand_on_their_balls_throughout_are_not_tipped_further(fps):
    case = known_motions.known("crawl", fps=fps)
    given = {side: {"heel": spans_of(case.heel[side]), "ball": spans_of(case.ball[side])} for side in SIDES}
    assert not any(given[side]["heel"] for side in SIDES)
    assert moved(case.clip, 0.0, contacts=given) <= AGAIN
