# SPDX-License-Identifier: MIT
"""What calls of C read of objects may be computed whenever it is read: they keep it as long as they use it."""

from __future__ import annotations

from dataclasses import replace

import fleeting
import known_motions
import numpy as np
import pytest
from known_steps import build

import skelkin_py as sk
from skelkin_py import _core

# The calls that take objects of the package, and motion of which planting makes them.
CALLS = {
    "walk": {"foot_curves", "learn"},
    "walk on hills": {"learn"},
    "nothing stands": {"lowest_sole", "read_tracks"},
    "loop": {"closing_pose"},
}
OPTIONS = {
    "walk on hills": {"ground": lambda points: 0.1 * np.sin(points[:, 2])},
    "nothing stands": {"contacts": "never"},
}


@pytest.fixture(autouse=True)
def memory():
    yield
    fleeting.forget()


def plant(motion):
    """Plant a clip, and measure."""
    walk = known_motions.walk(4.4)
    clip = build(replace(walk, closed=4.4) if motion == "loop" else walk, fps=30.0, slide=0.05, sway=0.01).clip
    clip.plant_feet(**OPTIONS.get(motion, {}))
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
def test_calls_of_planting_keep_what_they_read(monkeypatch, motion):
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
    plant(motion)
    assert CALLS[motion] <= called
