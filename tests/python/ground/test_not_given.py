# SPDX-License-Identifier: MIT
"""Ground that is not given: one level where contacts agree, else the height of each, and it is said."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from known_motions import stairs
from known_steps import SIDES, build

import skelkin_py as sk


def stepping(heights, **faults):
    """A walk whose footsteps stand on these heights in metres, by turns of the feet; the last one goes on."""
    motion = stairs(beat=0.5)
    steps = {}
    for k, side in enumerate(SIDES):
        number = [2 * n + k for n in range(len(motion.steps[side]))]
        own = [heights[min(n, len(heights) - 1)] for n in number]
        steps[side] = [
            replace(step, place=(step.place[0], y, step.place[2]))
            for step, y in zip(motion.steps[side], own, strict=True)
        ]
    return build(replace(motion, steps=steps, ground=None), fps=60.0, **faults)


def down(riser):
    """Steps that go down by as much each, from the third one on."""
    return [-riser * max(0, n - 3) for n in range(14)]


def moved(planted, clip):
    return np.asarray(planted.clip.positions()) - np.asarray(clip.positions())


@pytest.mark.parametrize(
    "heights",
    [down(0.16), down(-0.16), down(0.09), [0.0] * 4 + [0.2] * 3 + [0.0] * 7, [0.0] * 6 + [-0.2] + [0.0] * 7],
    ids=["down a stair", "up a stair", "down a slope", "over a box", "one foot in a hole"],
)
def test_stances_on_different_heights_stay_where_they_are(heights):
    known = stepping(heights)
    planted = sk.plant_feet(known.clip)
    assert np.abs(moved(planted, known.clip)).max() <= 1e-4 * known.leg
    told = [message for message in planted.report.messages if message.startswith("no ground is given")]
    assert len(told) == 1
    assert "kept at the original height" in told[0]
    assert planted.report.worst("penetration") <= 1e-3 * known.leg >= planted.report.worst("float")
    assert planted.report.deepest() <= 0.01 * known.leg


def test_feet_that_slide_on_a_stair_are_planted_on_their_steps():
    known = stepping(down(0.16), slide=0.05, noise=0.004)
    planted = sk.plant_feet(known.clip)
    assert planted.report.slide("before")[1] > 0.02 * known.leg
    assert planted.report.slide()[1] <= 1e-4 * known.leg
    body = moved(planted, known.clip)[:, 0]
    assert np.abs(body[:, 1]).max() <= 0.02 * known.leg
    again = sk.plant_feet(planted.clip)
    assert np.abs(moved(again, planted.clip)).max() <= 1e-3 * known.leg


@pytest.mark.parametrize(("lift", "bump"), [(0.04, 0.03), (-0.05, 0.05)], ids=["floats", "sinks"])
def test_a_walk_whose_height_drifts_stands_on_one_level(lift, bump):
    known = stepping([0.0], lift=lift, bump=bump)
    report = sk.plant_feet(known.clip).report
    assert {contact.rise for contact in report.contacts} == {0.0}
    assert any(message.endswith("leg lengths: one level is assumed") for message in report.messages)


@pytest.mark.slow
def test_heights_that_change_a_little_change_the_result_a_little():
    """From one level over a low step to a high one, with the contacts that are known."""
    step, corrections = 0.004, []
    for height in np.arange(0.0, 0.2, step):
        known = stepping([0.0] * 5 + [height] + [0.0] * 8, slide=0.03)
        corrections.append(moved(sk.plant_feet(known.clip, contacts=known.spans), known.clip))
    changes = [np.abs(b - a).max() for a, b in pairwise(corrections)]
    assert max(changes) <= 15.0 * step
    assert np.abs(corrections[8] - corrections[0]).max() > 0.025  # a low step is brought to the level
    assert np.abs(corrections[-1] - corrections[0]).max() < 0.01  # a high one stays
