# SPDX-License-Identifier: MIT
"""What calls of C read of objects may be computed whenever it is read: they keep it as long as they use it."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module

import fleeting
import known_motions
import numpy as np
import pytest
from known_steps import build
from planted_files import plant_both

import skelkin_py as sk
from skelkin_py import _core
from skelkin_py.planting.foot import FootModel
from skelkin_py.planting.leg_tracks import read_tracks, subset_of

# The calls that take objects of the package, and motion of which planting makes them.
CALLS = {
    "walk": {"contacts_in_part", "find_loop", "foot_curves", "hold_part", "learn", "lone_frames", "solve_part"},
    "walk on hills": {"stances", "whole_rise"},
    "nothing stands": {"lowest_sole", "read_tracks"},
    "loop": {"closing_pose", "loop_carry_on", "loop_seam"},
}
OPTIONS = {
    "walk on hills": {"ground": lambda points: 0.1 * np.sin(points[:, 2])},
    "nothing stands": {"contacts": "never"},
}


@pytest.fixture(autouse=True)
def memory():
    yield
    fleeting.forget()


def plant(motion, folder):
    """Plant a clip in memory and from file to file, as if it had more frames than are read at once, and measure."""
    walk = known_motions.walk(4.4)
    clip = build(replace(walk, closed=4.4) if motion == "loop" else walk, fps=30.0, slide=0.05, sway=0.01).clip
    plant_both(folder, clip, 40, **OPTIONS.get(motion, {}))
    sk.measure_cost(clip, clip)


def numbers_in(told):
    """All that can be compared, in order."""
    if isinstance(told, (list, tuple)):
        return [number for each in told for number in numbers_in(each)]
    if isinstance(told, np.ndarray):
        return told.astype(float).ravel().tolist()
    return [float(told)] if isinstance(told, (bool, int, float)) else []


def assert_the_same_again(name, function, args):
    told = function(*args)
    again = [fleeting.fleeting(each) if fleeting.holds_objects(each) else each for each in args]
    # Copies lie elsewhere, by which numpy's own functions may round in another way.
    np.testing.assert_allclose(numbers_in(function(*again)), numbers_in(told), rtol=1e-9, atol=1e-12, err_msg=name)
    return told


@pytest.mark.parametrize("motion", CALLS)
def test_calls_of_planting_keep_what_they_read(monkeypatch, tmp_path, motion):
    called = set()

    def checked(name, function):
        def call(*args):
            if not any(map(fleeting.holds_objects, args)):
                return function(*args)
            called.add(name)
            return assert_the_same_again(name, function, args)

        return call

    for name, function in list(vars(_core).items()):
        if callable(function) and not isinstance(function, type):
            monkeypatch.setattr(_core, name, checked(name, function))
    monkeypatch.setattr(import_module("skelkin_py.blocks.file_motion"), "SAMPLE", 100)
    plant(motion, tmp_path)
    assert CALLS[motion] <= called


def test_calls_about_standing_feet_keep_what_they_read():
    clip = build(known_motions.walk(4.4), fps=30.0, slide=0.05).clip
    subset = subset_of(clip.skeleton, clip.find_legs(), None)
    tracks, up = read_tracks(subset, np.ascontiguousarray(clip.local_matrices()[:, subset.joints])), np.eye(3)[1]
    still, models, _, limits, contacts = assert_the_same_again(
        "find_standing", _core.find_standing, (tracks, [None] * 2, up, 30.0, None, True)
    )
    soles, all_frames = [FootModel(*model) for model in models], np.ones(len(still[0]), bool)
    for name, args in {
        "find_again": (tracks, soles, *limits, None, up, 30.0),
        "stance_velocity": (tracks, soles, contacts, up, 30.0),
        "fit_foot": (tracks[0], up, all_frames, None, 0.0, None),
        "hold_flat": (tracks[0], soles[0], contacts[0], up, 30.0, 6),
        "hold_and_refit": (tracks, soles, still, [None] * 2, contacts, contacts, all_frames, up, 30.0, 6, True),
    }.items():
        assert_the_same_again(name, getattr(_core, name), args)
