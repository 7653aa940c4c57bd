# SPDX-License-Identifier: MIT
"""From ground that slopes to where it is level and back: against planes, and products written out."""

from __future__ import annotations

import numpy as np
import pytest
from engine import level_places, turn_points, world_places

NUM = 60


def unit(vectors):
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


@pytest.fixture
def slopes():
    """Places, turns from level ground to slopes of up to 40° about any level axis, rises, and which way is up."""
    random = np.random.default_rng(8)
    up = unit(random.normal(size=3))
    axis = unit(np.cross(random.normal(size=(NUM, 3)), up))
    angle = random.uniform(0.0, 0.7, NUM)
    turns = []
    for (x, y, z), by in zip(axis, angle, strict=True):
        cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
        turns.append(np.eye(3) + np.sin(by) * cross + (1.0 - np.cos(by)) * cross @ cross)
    return random.normal(size=(NUM, 3)), np.array(turns), random.uniform(0.0, 0.1, NUM), up


def on_the_slope(slopes, points):
    """Put points, along up, `rises` above the planes through the places."""
    places, turns, rises, up = slopes
    normals = turns @ up
    short = rises - ((points - places) * normals).sum(axis=1)
    return points + (short / (normals @ up))[:, None] * up


def test_level_places_are_those_of_points_put_on_the_slope(slopes):
    places, turns, rises, up = slopes
    points = np.random.default_rng(9).normal(size=(NUM, 3))
    own = np.array([turn.T @ each for turn, each in zip(turns, on_the_slope(slopes, points) - places, strict=True)])
    found = level_places(places, turns, points, rises, up)
    assert np.abs(found @ up).max() <= 1e-14
    assert np.abs(found - (own - (own @ up)[:, None] * up)).max() <= 1e-13
    assert np.abs(own @ up - rises).max() <= 1e-13  # what is on the slope is so high above it in its own space


def test_world_places_undo_level_places(slopes):
    places, turns, rises, up = slopes
    points = np.random.default_rng(10).normal(size=(NUM, 3))
    back = world_places(places, turns, level_places(places, turns, points, rises, up), rises, up)
    assert np.abs(back - (points - (points @ up)[:, None] * up)).max() <= 1e-13


def test_points_turn_with_their_frames(slopes):
    turns = slopes[1]
    points = np.random.default_rng(11).normal(size=(4, NUM, 3))
    there, back = turn_points(turns, points, False), turn_points(turns, points, True)
    for p in range(4):
        for f in range(NUM):
            np.testing.assert_allclose(there[p, f], turns[f] @ points[p, f], atol=1e-15)
            np.testing.assert_allclose(back[p, f], turns[f].T @ points[p, f], atol=1e-15)
