# SPDX-License-Identifier: MIT
"""Planting keeps its bars on clips whose stance is known: every motion, with a body that slides; noisy heel strikes."""

from __future__ import annotations

import importlib
import math
import sys
from importlib.util import find_spec
from pathlib import Path

import known_motions
import pytest

BENCHMARKS = Path(__file__).resolve().parents[3] / "benchmarks"


@pytest.fixture(scope="module")
def figures():
    """benchmarks/planting_figures.py, which is in no package."""
    sys.path.insert(0, str(BENCHMARKS))
    try:
        return importlib.import_module("planting_figures")
    finally:
        sys.path.pop(0)


@pytest.mark.slow
@pytest.mark.parametrize("motion", known_motions.MOTIONS)
def test_figures_keep_their_bars(figures, motion):
    keeps_its_bars(figures, f"{motion}, slide")


@pytest.mark.parametrize("motion", ["in place", "in-place loop"])
def test_figures_keep_their_bars_on_a_belt(figures, motion):
    name = f"{motion}, slide{figures.ON_BELT}"
    assert name in figures.known_names()
    assert "slide" in keeps_its_bars(figures, name)


def keeps_its_bars(figures, name):
    """Check every figure but the agreement of contacts, and return the names of those that apply."""
    measured = {key: value for key, value in figures.measure_known(name).figures.items() if not math.isnan(value)}
    for key, value in measured.items():
        if key != "agreement":
            assert value <= figures.BARS[key], key
    return measured


@pytest.mark.slow
@pytest.mark.parametrize("name", ["walk, noise", "walk, all", "run, noise", "run, all"])
def test_feet_that_come_down_on_noisy_heels_do_not_slide(figures, name):
    measured = figures.measure_known(name)
    assert measured.figures["slide"] <= figures.BARS["slide"]
    assert measured.planted.report.worst("slide") <= 1e-12 * measured.planted.report.leg_length


@pytest.mark.slow
@pytest.mark.parametrize("name", ["walk on an uneven mesh, slide", "walk on moving ground, slide"])
def test_figures_keep_their_bars_on_other_grounds_than_a_floor(figures, name, require):
    require(find_spec("embreex"), "the extra 'ground'")
    measured = figures.measure_ground(name).figures
    for key, value in measured.items():
        if key == "agreement":
            assert value >= figures.BARS[key]
        elif not math.isnan(value):  # what is never far from a contact has no path in the air
            assert value <= figures.BARS[key], key
