# SPDX-License-Identifier: MIT
"""The judge's skating ratio: by hand, and as the product reports it."""

from __future__ import annotations

from pathlib import Path

import clips
import numpy as np
import pytest
import skating

import skelkin_py as sk


def test_low_and_fast_steps_skate() -> None:
    steps = np.array([[0.02, 0.0, 0.0], [0.0, 0.0, 0.05], [0.05, 0.0, 0.0], [0.05, 0.0, 0.0]])
    foot = (np.array([0.0, 0.0, 0.0, 0.2, 0.2]), steps)
    assert skating.ratio([foot], 20.0) == pytest.approx(0.25)
    still = (np.zeros(5), np.zeros((4, 3)))
    assert skating.ratio([still], 20.0) == 0.0
    assert skating.ratio([still, foot], 20.0) == pytest.approx(0.25)


def test_a_single_frame_does_not_skate() -> None:
    assert skating.ratio([(np.zeros(1), np.zeros((0, 3)))], 30.0) == 0.0


@pytest.mark.parametrize("name", ["makehuman_walk1", "cmu_12_01_walk", "Knight Walking_A", "fair1_zombie"])
def test_the_product_reports_the_same(name: str, data_dir: Path) -> None:
    case = clips.all_cases(data_dir)[name]()
    report = sk.plant_feet(case.clip, **case.options).report
    for when in ("before", "after"):
        curves = [getattr(leg, when) for leg in report.legs]
        unit = report.metres_per_unit
        own = skating.ratio([(unit * each.ball_height, unit * each.ball_steps) for each in curves], report.fps)
        assert own == pytest.approx(report.literature(when).skating_ratio, abs=1e-12), when
