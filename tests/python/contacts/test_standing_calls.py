# SPDX-License-Identifier: MIT
"""What the calls of C about standing feet say to one another, and what they refuse."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from skelkin_py import _core
from skelkin_py.planting.foot import FootModel, Hold, LegTrack

UP, FPS = np.array([0.0, 1.0, 0.0]), 60.0


def fit_foot(track, up, still, clearance):
    return FootModel(*_core.fit_foot(track, up, still, clearance, 0.0, None))


def hold_flat(*told):
    return Hold(*_core.hold_flat(*told))


def track_of(num=120, start=0.0):
    """A foot that stands for a second, in a step of two seconds."""
    when = (np.arange(num) / FPS + start) % 2.0
    swing = np.clip(when - 1.0, 0.0, 1.0)
    ankle = np.stack([swing * 0, 0.1 + 0.2 * np.sin(np.pi * swing), 0.5 * (1 - np.cos(np.pi * swing))], axis=1)
    hip, knee = ankle + 0.8 * UP, ankle + np.array([0.0, 0.4, 0.1])
    feet = np.tile(np.eye(3), (num, 1, 1))
    return LegTrack(hip, knee, ankle, feet, np.array([0.0, -0.07, 0.15]), True, 0.9, flexion=np.zeros(num))


def search(tracks):
    return _core.find_standing(tracks, [None] * len(tracks), UP, FPS, None, True)


def test_contacts_are_found_again_by_what_was_learned():
    tracks = [track_of(300), track_of(300, 1.0)]
    still, fields, velocity, limits, contacts = search(tracks)
    assert velocity is None
    assert all(spans for spans in contacts)
    assert [each.dtype for each in still] == [np.dtype(bool)] * 2
    models = [FootModel(*each) for each in fields]
    assert _core.find_again(tracks, models, *limits, None, UP, FPS) == contacts


@pytest.mark.parametrize("num", [1, 2, 3, 4, 7, 8, 9])
def test_few_frames_are_enough(num):
    tracks = [track_of(num)]
    still, fields, _, limits, contacts = search(tracks)
    assert still[0].any()
    assert len(limits[1]) == len(limits[2]) == len(contacts) == 1
    whole = [[(0, num - 1)]]
    found = _core.hold_and_refit(
        tracks, [FootModel(*fields[0])], still, [None], whole, whole, np.ones(num, bool), UP, FPS, 3, True
    )
    assert found[2][0][0].shape == (num, 3)


def test_without_a_search_there_are_no_contacts():
    *_, limits, contacts = _core.find_standing([track_of()], [0.03], UP, FPS, None, False)
    assert limits is contacts is None


def test_a_known_sole_is_taken_and_the_heel_is_under_the_ankle():
    model = fit_foot(track_of(), UP, np.ones(120, bool), 0.03)
    assert (model.clearance, model.source) == (0.03, "rest pose")
    np.testing.assert_allclose(model.heel, [0.0, -0.07 - 0.03 * 0.9, 0.0], atol=1e-12)
    np.testing.assert_allclose(model.back, model.heel - [0.0, 0.0, 0.05], atol=1e-12)


def test_standing_feet_go_with_the_ground():
    track = track_of()
    moved = replace(track, ankle=track.ankle * [0, 1, 0] + np.arange(120)[:, None] * [0.009, 0.0, 0.0])
    model = fit_foot(track, UP, np.ones(120, bool), None)
    velocity = _core.stance_velocity([moved], [model], [[(0, 50)]], UP, FPS)
    np.testing.assert_allclose(velocity, [0.01 * FPS, 0.0, 0.0], atol=1e-9)
    assert _core.stance_velocity([moved], [model], [[]], UP, FPS) is None


def test_a_noisy_flat_foot_is_held_at_its_mean():
    track = track_of()
    angles = np.random.default_rng(5).normal(size=120) * 1e-3
    feet = _core.turn_matrices(angles[:, None] * UP)
    model = fit_foot(track, UP, np.ones(120, bool), None)
    hold = hold_flat(replace(track, foot=feet), model, [(10, 49)], UP, FPS, 4)
    assert hold.spans == [(10, 49)]
    held = _core.turn_feet(hold.turn, feet)[10:50]
    assert np.abs(held - held[0]).max() < 1e-12
    assert hold_flat(track, model, [(10, 49)], UP, FPS, 4).turn.tolist() == np.zeros((120, 3)).tolist()
    assert hold_flat(track, model, [], UP, FPS, 4).spans == []


def test_what_does_not_fit_is_refused():
    track, flags = track_of(), np.ones(120, bool)
    model = fit_foot(track, UP, flags, None)
    with pytest.raises(ValueError, match="a sole is fitted to one frame at least"):
        fit_foot(track, UP, ~flags, None)
    with pytest.raises(TypeError, match="still is no packed array of flags"):
        fit_foot(track, UP, flags[1:], None)
    with pytest.raises(ValueError, match="one leg and one frame are needed at least"):
        search([])
    with pytest.raises(ValueError, match="clearances: 1 are needed, one per leg, not 2"):
        _core.find_standing([track], [None, None], UP, FPS, None, True)
    with pytest.raises(ValueError, match="window: one frame is needed at least"):
        hold_flat(track, model, [(0, 5)], UP, FPS, 0)
    with pytest.raises(ValueError, match="0 <= first <= last < 120 is needed"):
        hold_flat(track, model, [(0, 120)], UP, FPS, 4)
    with pytest.raises(ValueError, match="another number of frames"):
        search([track, track_of(50)])
