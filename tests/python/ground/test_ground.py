# SPDX-License-Identifier: MIT
"""The ground: estimated, given as a number, given as a function."""

from __future__ import annotations

import numpy as np
import pytest

import skelkin_py as sk
from skelkin_py.ground import Ground, as_ground


@pytest.mark.parametrize("lift", [-0.4, 0.0, 0.3])
def test_the_ground_is_estimated_under_the_soles(make_walk, lift):
    report = sk.plant_feet(make_walk(lift=lift).clip).report
    assert report.ground_estimated
    assert report.ground == pytest.approx(lift, abs=1e-3)


def test_a_floating_and_a_sinking_phase_do_not_move_the_estimate(make_walk):
    assert sk.plant_feet(make_walk(bump=0.05).clip).report.ground == pytest.approx(0.0, abs=0.02)


def test_a_given_height_moves_the_whole_figure(make_walk):
    walk = make_walk(slide=0.0, sway=0.0)
    planted = sk.plant_feet(walk.clip, ground=1.5)
    assert not planted.report.ground_estimated
    assert planted.report.ground == 1.5
    moved = planted.clip.positions()[:, 0] - walk.clip.positions()[:, 0]
    assert np.abs(moved[:, 1] - 1.5).max() <= 0.02
    assert np.abs(moved[:, [0, 2]]).max() <= 1e-12


def test_a_function_and_a_number_give_the_same_feet(make_walk):
    walk = make_walk()
    one = sk.plant_feet(walk.clip, ground=0.25)
    other = sk.plant_feet(walk.clip, ground=lambda points: np.full(len(points), 0.25))
    assert np.abs(one.clip.positions() - other.clip.positions()).max() <= 1e-12
    assert other.report.ground is None


def test_the_sole_can_be_given(make_walk):
    walk = make_walk(slide=0.0, sway=0.0)
    thin, thick = (sk.plant_feet(walk.clip, ground=0.0, sole=sole).clip.positions() for sole in (0.03, 0.08))
    assert np.abs(thick[:, 0, 1] - thin[:, 0, 1] - 0.05).max() <= 1e-3


def test_a_contact_on_something_high_keeps_its_height(make_walk):
    walk = make_walk(slide=0.0, sway=0.0)
    raised = walk.clip.translations.copy()
    raised[100:, 0, 1] += 0.3  # the rest happens on a table
    planted = sk.plant_feet(walk.clip.replace(translations=raised))
    assert any("kept at the original height" in message for message in planted.report.messages)
    assert {round(c.rise, 1) for c in planted.report.contacts} == {0.0, 0.3}


def test_heights_keep_the_shape_of_the_points():
    ground = Ground(lambda points: points[:, 0])
    points = np.arange(24.0).reshape(2, 4, 3)
    assert ground.heights(points).tolist() == points[..., 0].tolist()
    assert Ground(2.0).heights(points).shape == (2, 4)


def test_what_is_no_ground_is_refused():
    assert as_ground(None) is None
    assert as_ground(np.float32(0.5)).level == 0.5
    for wrong in ([1.0], "0", True, {}):
        with pytest.raises(TypeError, match="is accepted"):
            as_ground(wrong)
