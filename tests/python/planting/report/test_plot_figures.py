# SPDX-License-Identifier: MIT
"""The figures of slide, knees and papers: each draws what the report says."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import skelkin_py as sk


@pytest.fixture(scope="module")
def report():
    return sk.example("biped").clip.plant_feet().report


def lines(axes) -> dict[str, np.ndarray]:
    return {line.get_label(): np.asarray(line.get_ydata(), float) for line in axes.get_lines()}


def test_slide_is_drawn_in_contacts_before_and_after(report):
    figure = report.plot("slide")
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["left foot", "right foot"]
    for axes, leg in zip(figure.axes, report.legs, strict=True):
        assert len(axes.patches) == len(leg.contacts)
        drawn = lines(axes)
        for when in ("before", "after"):
            for first, last in leg.contacts:
                away = leg.curves(when).distances((first, last))
                assert drawn[when][first : last + 1] == pytest.approx(report.centimetres(1.0) * away)
        assert np.isnan(drawn["before"]).sum() == report.num_frames - sum(b - a + 1 for a, b in leg.contacts)


def test_knees_are_drawn_with_the_frames_in_which_they_pop(report):
    leg = report.legs[0]
    flexion = leg.before.flexion.copy()
    flexion[20] += 40.0
    popping = replace(report, legs=(replace(leg, before=replace(leg.before, flexion=flexion)), *report.legs[1:]))
    pops = popping.legs[0].knee_pops(report.fps, report.frames, "before")
    assert 20 in pops
    drawn = lines(popping.plot("knees").axes[0])
    assert drawn["before"] == pytest.approx(flexion)
    assert drawn["after"] == pytest.approx(leg.after.flexion)
    assert drawn["pop, before"] == pytest.approx(flexion[pops])


@pytest.mark.slow
def test_papers_are_drawn_as_bars_of_their_figures(report):
    figure = report.plot("literature")
    heights = [[bar.get_height() for bar in axes.patches] for axes in figure.axes]
    told = [report.literature(when) for when in ("before", "after")]
    names = ("skating_ratio", "weighted_slide_cm", "penetration_mm", "float_mm", "contact_slide_mm")
    assert heights == [[getattr(each, name) for each in told] for name in names]


@pytest.mark.slow
@pytest.mark.parametrize("what", ["feet", "slide", "knees", "literature"])
def test_a_notebook_shows_each_figure_and_it_can_be_saved(report, what, tmp_path):
    figure = report.plot(what, path=tmp_path / "new" / "figure.png")
    assert figure._repr_png_().startswith(b"\x89PNG")
    assert (tmp_path / "new" / "figure.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
@pytest.mark.parametrize("what", ["feet", "slide", "knees", "literature"])
@pytest.mark.parametrize("frames", [1, 3])
def test_clips_without_contacts_and_of_few_frames_are_drawn(what, frames):
    report = sk.example("biped").clip.slice(0, frames).plant_feet(contacts="never").report
    assert report.plot(what)._repr_png_()


def test_a_figure_that_there_is_not_is_named(report):
    with pytest.raises(ValueError, match="what is 'shoes': expected 'feet', 'slide', 'knees' or 'literature'"):
        report.plot("shoes")


@pytest.mark.slow
@pytest.mark.parametrize("what", ["feet", "slide", "knees"])
def test_one_legend_is_right_for_every_foot(report, what):
    figure = report.plot(what)
    (legend,) = figure.legends
    told = {text.get_text(): handle for text, handle in zip(legend.get_texts(), legend.legend_handles, strict=True)}
    assert len({told[when].get_color() for when in ("before", "after")}) == 2
    for axes in figure.axes:
        drawn = {line.get_label(): line.get_color() for line in axes.get_lines()}
        assert all(drawn[when] == told[when].get_color() for when in ("before", "after"))
        shades = {patch.get_facecolor() for patch in axes.patches}
        assert shades == {told["contact"].get_facecolor()}
