# SPDX-License-Identifier: MIT
"""Curves over frames: smoothed, enveloped, fading around spans, and rolled without slip, against plain Python."""

from __future__ import annotations

import math

import engine
import numpy as np
import pytest
from guarded import AVAILABLE, guarded

from skelkin_py.planting import spans as frame_spans

SIZES = [1, 2, 3, 7, 40, 120]


def curve(frames, *columns):
    return np.random.default_rng(frames).normal(size=(frames, *columns))


def spans_in(frames, seed):
    """Rising spans that are apart by at least one frame, neighbours and single frames among them."""
    borders = np.random.default_rng(seed).choice(frames, size=2 * (frames // 7), replace=False)
    return [(int(a), int(b)) for a, b in np.sort(borders).reshape(-1, 2)]


@pytest.mark.slow
@pytest.mark.parametrize("frames", SIZES)
@pytest.mark.parametrize("columns", [1, 3, 9])
@pytest.mark.parametrize("sigma", [0.3, 1.7, 12.0, 1e4])
def test_low_pass_is_the_mean_under_a_bell(frames, columns, sigma):
    values = curve(frames, columns)
    half = max(1, min(math.ceil(3 * sigma), frames))
    want, last = np.zeros_like(values), frames - 1

    def row(t):
        """Beyond an end: on from the row there, along the line that is nearest to as many rows as the bell is wide."""
        end = min(max(t, 0), last)
        if t == end or frames < 2:
            return values[end]
        rows = values[: half + 1] if t < 0 else values[-half - 1 :]
        return values[end] + (t - end) * np.polyfit(np.arange(len(rows)), rows, 1)[0]

    for t in range(frames):
        weights = [math.exp(-0.5 * (k / sigma) ** 2) for k in range(-half, half + 1)]
        rows = [row(t + k) for k in range(-half, half + 1)]
        want[t] = sum(w * row for w, row in zip(weights, rows, strict=True)) / sum(weights)
    assert np.abs(engine.low_pass(values, sigma) - want).max() < 1e-12 * max(1.0, half)


def test_an_even_motion_is_even_to_its_ends():
    values = np.arange(20.0)[:, None] * (1.0, -2.0) + 3.0
    assert np.abs(engine.low_pass(values, 3.0) - values).max() < 1e-12


def test_a_narrow_bell_changes_nothing():
    values = curve(50, 4)
    assert np.array_equal(engine.low_pass(values, 0.19), values)


@pytest.mark.parametrize("frames", SIZES)
@pytest.mark.parametrize("half", [0, 1, 2, 5, 100, 10**12])
def test_the_running_minimum_is_that_of_the_window(frames, half):
    values = curve(frames)
    windows = [values[max(t - half, 0) : t + half + 1] for t in range(frames)]
    assert engine.running_min(values, half).tolist() == [min(window) for window in windows]


def test_the_running_minimum_knows_infinity():
    values = -np.array([0.0, -np.inf, np.inf, 1.0, -np.inf, -np.inf, -np.inf])
    assert engine.running_min(values, 1).tolist() == [0.0, -np.inf, -np.inf, -np.inf, -1.0, np.inf, np.inf]


@pytest.mark.parametrize("frames", SIZES)
@pytest.mark.parametrize("share", [0.0, 0.03, 0.5, 1.0])
def test_frames_to_nearest_are_distances(frames, share):
    marks = np.random.default_rng(frames).random(frames) < share
    at = np.flatnonzero(marks)
    want = [min((abs(t - mark) for mark in at), default=1e9) for t in range(frames)]
    assert engine.frames_to_nearest(marks).tolist() == want


def goes_on(values, spans):
    """The values beside the borders of spans, as the slope over three frames inside has them."""
    out = values.copy()
    for first, last in spans:
        for border, step in ((first, 1), (last, -1)):
            if wide := min(3, last - first):
                out[border + step] = values[border] + (values[border + step * wide] - values[border]) / wide
    return out


def smoothest(values, spans, window):
    """The least squares of all second differences and, by the spring, of what is free, in dense algebra."""
    frames = len(values)
    free = ~frame_spans.span_mask(spans, frames)
    known = np.where(free[:, None], 0.0, values)
    bends = np.diff(np.eye(frames), n=2, axis=0) if frames > 2 else np.zeros((0, frames))
    wanted = -bends @ known
    for first, last in spans:
        for border, beyond in ((first, -1), (last, 1)):
            if last > first and 0 <= border + beyond < frames:
                inner = border - beyond
                wanted[border - 1] += values[inner] - goes_on(values, [(first, last)])[inner]
    spring = math.sqrt(19.2) / max(window, 1) ** 2 * np.eye(free.sum())
    rows = np.concatenate((bends[:, free], spring))
    beside = np.concatenate((wanted, np.zeros((len(spring), values.shape[1]))))
    known[free] = np.linalg.lstsq(rows, beside, rcond=None)[0]
    return known


@pytest.mark.parametrize("frames", [1, 3, 8, 40, 120])
@pytest.mark.parametrize("window", [0, 1, 2, 6, 40])
def test_between_spans_values_are_the_smoothest(frames, window):
    values, spans = curve(frames, 3), spans_in(frames, window)
    filled = engine.smooth_between(values, spans, window)
    assert np.abs(filled - smoothest(values, spans, window)).max() < 2e-9
    inside = frame_spans.span_mask(spans, frames)
    assert np.array_equal(filled[inside], values[inside])


@pytest.mark.parametrize("window", [10**4, 10**9])
def test_windows_that_rounding_forbids_count_as_the_longest(window):
    values, spans = curve(300, 3), [(100, 109), (200, 200)]
    assert np.array_equal(engine.smooth_between(values, spans, window), engine.smooth_between(values, spans, 1000))


def test_nothing_that_is_known_leaves_nothing():
    assert not engine.smooth_between(curve(40, 3), [], 6).any()


def test_what_is_outside_of_spans_is_not_read():
    values = np.full((30, 2), np.nan)
    values[4:9], values[20:22] = 1.0, 2.0
    assert np.isfinite(engine.smooth_between(values, [(4, 8), (20, 21)], 5)).all()


def test_corrections_leave_and_enter_spans_without_a_jump_in_value_or_speed():
    values = np.zeros((400, 1))
    values[20:31, 0] = 1.0 + 0.01 * np.arange(11)
    values[60:80, 0] = -0.5
    filled = engine.smooth_between(values, [(20, 30), (60, 79)], 15)[:, 0]
    assert np.abs(np.diff(filled, n=2)).max() <= 0.04
    far = np.arange(320) / 15
    assert (np.abs(filled[80:]) <= np.exp(-1.48 * far) + 1e-9).all()
    assert not filled[330:].any()


def test_an_offset_on_both_sides_of_a_short_gap_is_nearly_kept_in_it():
    filled = engine.smooth_between(np.ones((30, 2)), [(0, 10), (18, 29)], 15)
    assert np.abs(filled[11:18] - 1.0).max() <= 0.01


@pytest.mark.parametrize("frames", [1, 2, 40, 120])
def test_rolled_path_goes_against_the_slip_around_the_mean_place(frames):
    ankle, steps, spans = curve(frames, 3), 0.1 * curve(frames, 3)[1:], spans_in(frames, 5)
    path = engine.rolled_path(ankle, steps, spans)
    outside = ~frame_spans.span_mask(spans, frames)
    assert np.array_equal(path[outside], ankle[outside])
    for first, last in spans:
        part = slice(first, last + 1)
        assert np.abs(np.diff(path[part], axis=0) + steps[first:last]).max(initial=0.0) < 1e-14
        bell = np.hanning(last - first + 3)[1:-1]
        assert np.abs(bell @ (path[part] - ankle[part])).max() < 1e-13 * len(bell)


@pytest.mark.posix
@pytest.mark.parametrize("side", ["start", "end"])
def test_nothing_is_read_beyond_the_clip(side, require):
    require(AVAILABLE, "pages without access, by Linux calls")
    for frames in (1, 2, 5, 40):
        values, flags = guarded(curve(frames, 3), side), guarded(curve(frames) > 0.0, side)
        height, steps = guarded(curve(frames), side), guarded(curve(frames, 3)[1:], side)
        ends = [(0, 0), (2, frames - 1)] if frames > 3 else [(0, frames - 1)]
        for half in (0, 1, frames, 3 * frames):
            assert engine.low_pass(values, half / 3).shape == (frames, 3)
            assert engine.running_min(height, half).shape == (frames,)
            assert engine.smooth_between(values, ends, half).shape == (frames, 3)
        assert engine.frames_to_nearest(flags).shape == (frames,)
        assert engine.rolled_path(values, steps, ends).shape == (frames, 3)


def test_medians_of_spans_are_numpys():
    values = np.random.default_rng(4).normal(size=90)
    spans = [(0, 0), (0, 89), (3, 6), (3, 7), (80, 89)]
    assert engine.span_medians(values, spans).tolist() == [np.median(values[a : b + 1]) for a, b in spans]
