# SPDX-License-Identifier: MIT
"""What planting computes of legs over all frames in C, against the same in plain numpy; solves in blocks."""

from __future__ import annotations

import numpy as np
import pytest

from skelkin_py import _core

FRAMES = 40


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(7)


def random_frames(rng, count: int = FRAMES) -> np.ndarray:
    """(count, 3, 3) Rotations with scale."""
    turns = np.linalg.qr(rng.normal(size=(count, 3, 3)))[0]
    return np.ascontiguousarray(turns * rng.uniform(0.5, 2.0, size=(count, 1, 1)))


def random_poses(rng, count: int, joints: int) -> np.ndarray:
    poses = np.tile(np.eye(4), (count, joints, 1, 1))
    poses[..., :3, :3] = random_frames(rng, count * joints).reshape(count, joints, 3, 3)
    poses[..., :3, 3] = rng.normal(size=(count, joints, 3))
    return poses


def test_changed_frames_are_those_in_which_any_number_differs(rng):
    before = random_poses(rng, FRAMES, 2)
    after = before.copy()
    after[3, 1, 2, 3] = np.nextafter(after[3, 1, 2, 3], 9.0)
    after[5, 0, 0, 0] += 1.0
    after[8, 1, 0, 1] += 1.0
    assert np.flatnonzero(_core.changed_frames(before, after, 1)).tolist() == [3, 8]


def test_contacts_are_measured_frame_by_frame(rng):
    steps, heights = rng.normal(size=(FRAMES - 1, 3)), rng.normal(size=FRAMES)
    spans, rises = [(0, 0), (2, 9), (12, FRAMES - 1)], np.array([0.5, 0.0, -0.2])
    found = _core.measure_contacts(steps, heights, spans, rises)
    for (first, last), rise, row in zip(spans, rises, found, strict=True):
        places = [np.zeros(3)]
        for step in steps[first:last]:
            places.append(places[-1] + step)
        away = [np.linalg.norm(place) for place in places]
        travel = sum(np.linalg.norm(step) for step in steps[first:last])
        own = heights[first : last + 1] - rise
        wanted = {"slide": max(away), "slide_mean": np.mean(away), "travel": travel}
        wanted |= {"penetration": max(0.0, -own.min()), "float": max(0.0, own.max())}
        assert row == pytest.approx(wanted, rel=1e-12)


def test_feet_without_contacts_have_no_measures():
    assert _core.measure_contacts(np.zeros((0, 3)), np.zeros(1), [], np.zeros(0)) == []


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: _core.measure_contacts(np.zeros((2, 3)), np.zeros(3), [(1, 3)], np.zeros(1)), ValueError, "spans"),
        (lambda: _core.measure_contacts(np.zeros((3, 3)), np.zeros(3), [], np.zeros(0)), TypeError, "steps"),
        (lambda: _core.measure_contacts(np.zeros((2, 3)), np.zeros(3), [(1, 2)], np.zeros(2)), TypeError, "rises"),
        (lambda: _core.changed_frames(*[np.zeros((2, 3, 4, 4))] * 2, 3), ValueError, "joint is 3: there are 3 joints"),
        (lambda: _core.changed_frames(np.zeros((2, 3, 4, 4)), np.zeros((2, 2, 4, 4)), 0), TypeError, "after"),
    ],
)  # fmt: skip
def test_wrong_arrays_are_named(call, error, words):
    with pytest.raises(error, match=words):
        call()
