# SPDX-License-Identifier: MIT
"""Figures of papers, against sums done by hand on tiny tracks."""

from __future__ import annotations

import numpy as np
import pytest

from skelkin_py.planting.metrics import FootCurves, literature_figures


def foot(heights, steps, knee=150.0):
    """Return a foot whose ball is its lowest point and goes these ways along x."""
    heights = np.asarray(heights, float)
    along = np.zeros((len(heights) - 1, 3))
    along[:, 0] = steps
    return FootCurves(
        heights,
        np.zeros(len(heights)),
        np.full(len(heights), knee),
        along,
        heights,
        along,
        np.zeros(len(heights), np.int8),
        np.full(len(heights), 180.0 - knee),
    )


def figures_of(heights, steps, fps=30.0):
    """Return the figures of feet in metres, over all frames."""
    feet = [foot(*each) for each in zip(heights, steps, strict=True)]
    return literature_figures(feet, (0, len(heights[0]) - 1), fps, 1.0)


def skating(heights, steps, fps):
    return figures_of(heights, steps, fps).skating_ratio


def slide(heights, steps):
    return 0.01 * figures_of(heights, steps).weighted_slide_cm


def test_a_foot_skates_where_it_is_low_in_both_frames_and_fast():
    heights = [np.array([0.0, 0.049, 0.051, 0.0, 0.0])]
    # At 4 frames per second the window is a single frame; step 2 and 3 touch the frame at 5.1 cm.
    assert skating(heights, [np.full(4, 0.126)], 4.0) == 0.5
    assert skating(heights, [np.array([0.124, 0.9, 0.9, 0.126])], 4.0) == 0.25


def test_a_foot_skates_only_where_it_is_fast_in_the_mean_around_too():
    low = [np.zeros(8)]
    # 20 frames per second, five frames around: 2.5 cm a frame is 0.5 m/s, and nothing moves beyond the ends.
    alone = [np.array([0, 0, 0, 0.1, 0, 0, 0.0])]
    assert skating(low, alone, 20.0) == 0.0
    jump = [np.array([0, 0, 0, 0.13, 0, 0, 0.0])]
    assert skating(low, jump, 20.0) == pytest.approx(1 / 7)
    steady = [np.full(7, 0.03)]
    # Means 1.8, 2.4, 3, 3, 3, 2.4, 1.8 cm
    assert skating(low, steady, 20.0) == pytest.approx(3 / 7)


def test_skating_is_a_speed_whatever_the_frame_rate():
    low = [np.zeros(101)]
    assert skating(low, [np.full(100, 0.005)], 120.0) >= 0.8
    assert skating(low, [np.full(100, 0.005)], 24.0) == 0.0


def test_a_foot_that_is_lifted_skates_no_longer():
    heights, steps = np.array([0.0, 0.0, 0.0, 0.2, 0.2]), np.array([0.02, 0.05, 0.05, 0.05])
    assert skating([heights], [steps], 20.0) == 0.25


@pytest.mark.parametrize(("fps", "ratio"), [(1e12, 1.0), (np.nan, np.nan), (np.inf, np.nan)])
def test_a_wild_frame_rate_gives_a_figure_too(fps, ratio):
    assert skating([np.zeros(50)], [np.full(49, 0.1)], fps) == pytest.approx(ratio, nan_ok=True)


def test_frames_in_which_both_feet_skate_count_once():
    low, fast, still = np.zeros(5), np.ones(4), np.zeros(4)
    one, other = fast.copy(), still.copy()
    one[3], other[0] = 0.0, 1.0
    assert skating([low, low], [one, other], 3.0) == 0.75


def test_slide_weighs_one_on_the_ground_and_nothing_from_its_height_on():
    step = [np.array([0.01])]
    # 2 - 2^(h / 2.5 cm): 1 at 0, 2 - √2 at 1.25 cm, 0 at 2.5 cm and higher
    for height, weight in ((0.0, 1.0), (0.0125, 2.0 - 2.0**0.5), (0.025, 0.0), (0.4, 0.0), (-0.03, 1.0)):
        assert slide([np.full(2, height)], step) == pytest.approx(0.01 * weight, abs=1e-15)


def test_slide_is_the_mean_over_feet_and_frames():
    low, high = np.zeros(3), np.ones(3)
    assert slide([low, high], [np.array([0.01, 0.03]), np.array([0.5, 0.5])]) == pytest.approx(0.01)


def test_penetration_and_float_are_means_over_frames_of_the_lowest_foot():
    figures = literature_figures([foot([2.0, -1.0, 3.0], [0, 0]), foot([4.0, 5.0, 1.0], [0, 0])], (0, 2), 30.0, 0.01)
    # The lowest: 2, -1 and 1 cm
    assert figures.float_mm == pytest.approx(10.0 * (2 + 1) / 3)
    assert figures.penetration_mm == pytest.approx(10.0 * 1 / 3)


def test_half_a_centimetre_is_neither_penetration_nor_float():
    figures = literature_figures([foot([0.0049, -0.0049, 0.0051, -0.0051], [0, 0, 0])], (0, 3), 30.0, 1.0)
    assert figures.float_mm == pytest.approx(5.1 / 4)
    assert figures.penetration_mm == pytest.approx(5.1 / 4)


def test_slide_in_contact_is_the_mean_of_the_feet_on_the_ground():
    one, other = np.array([0.0, 0.004, 0.004, 0.2]), np.array([0.0, 0.0, 0.2, 0.2])
    steps = [np.array([0.03, 0.02, 0.9]), np.array([0.01, 0.9, 0.9])]
    # Both, one of them, none
    assert figures_of([one, other], steps).contact_slide_mm == pytest.approx(1000.0 * (0.02 + 0.02 + 0.0) / 3)


def test_the_physical_error_is_the_sum_of_penetration_float_and_slide():
    figures = literature_figures([foot([0.0, 0.0, -0.01, 0.08], [0.01, 0.02, 0])], (0, 3), 30.0, 1.0)
    assert figures.contact_slide_mm == pytest.approx((10 + 20 + 0) / 3)
    assert figures.physical_error_mm == pytest.approx(10 / 4 + 80 / 4 + 10)


def test_thresholds_are_metres_whatever_the_unit():
    metres = literature_figures([foot([0.0, 0.01, 0.2], [0.3, 0.3])], (0, 2), 4.0, 1.0)
    inches = literature_figures([foot([0.0, 0.01 / 0.0254, 0.2 / 0.0254], [0.3 / 0.0254] * 2)], (0, 2), 4.0, 0.0254)
    assert metres.skating_ratio == inches.skating_ratio == 0.5
    assert inches.weighted_slide_cm == pytest.approx(metres.weighted_slide_cm)
    assert inches.float_mm == pytest.approx(metres.float_mm) == pytest.approx(70.0)


def test_only_the_given_frames_count():
    track = foot([0.0, 0.0, 0.0, -9.0], [0.1, 0.0, 0.1])
    figures = literature_figures([track], (1, 2), 30.0, 1.0)
    assert (figures.skating_ratio, figures.weighted_slide_cm, figures.penetration_mm) == (0.0, 0.0, 0.0)


def test_a_single_frame_has_no_slide():
    figures = literature_figures([foot([0.02], [])], (0, 0), 30.0, 1.0)
    assert (figures.skating_ratio, figures.weighted_slide_cm, figures.contact_slide_mm) == (0.0, 0.0, 0.0)
    assert figures.float_mm == pytest.approx(20.0)
