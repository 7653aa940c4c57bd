# SPDX-License-Identifier: MIT
"""The figures: what is drawn, without pyplot and with a plain message where matplotlib is missing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import skelkin_py as sk


@pytest.fixture(scope="module")
def planted():
    biped = sk.example("biped")
    return biped, biped.clip.plant_feet(ground=biped.ground)


@pytest.mark.slow
def test_report_draws_height_and_speed_of_both_feet(planted):
    _, result = planted
    figure = result.report.plot()
    assert len(figure.axes) == 4
    leg = result.report.legs[0]
    lines = {line.get_label(): line.get_ydata() for line in figure.axes[0].get_lines()}
    assert lines["after"] == pytest.approx(100 * result.report.metres_per_unit * leg.after.height)
    assert lines["before"] == pytest.approx(100 * result.report.metres_per_unit * leg.before.height)


def test_contacts_are_shaded_where_the_report_has_them(planted):
    _, result = planted
    figure = result.report.plot()
    for axes, leg in zip(figure.axes[:2], result.report.legs):
        spans = [patch.get_extents().transformed(axes.transData.inverted()) for patch in axes.patches]
        assert len(spans) == len(leg.contacts)
        for box, (first, last) in zip(spans, leg.contacts):
            assert box.x0 == pytest.approx((first - 0.5) / result.report.fps, abs=1e-6)
            assert box.x1 == pytest.approx((last + 0.5) / result.report.fps, abs=1e-6)


@pytest.mark.slow
def test_bars_show_where_heel_and_ball_stand(planted):
    _, result = planted
    fps = result.report.fps
    for axes, leg in zip(result.report.plot().axes[:2], result.report.legs):
        bars = {c.get_label(): c for c in axes.collections if c.get_label().endswith("stands")}
        for name, spans in (("heel stands", leg.heel_contacts), ("ball stands", leg.ball_contacts)):
            edges = [(p.vertices[:, 0].min(), p.vertices[:, 0].max()) for p in bars[name].get_paths()]
            np.testing.assert_allclose(edges, [((a - 0.5) / fps, (b + 0.5) / fps) for a, b in spans], atol=1e-12)


@pytest.mark.slow
def test_pyplot_is_not_touched():
    code = (
        "import sys, skelkin_py as sk; b = sk.example(); r = b.clip.plant_feet(ground=b.ground).report; r.plot();"
        "assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=300)


def test_without_matplotlib_the_extra_is_named(planted, monkeypatch):
    _, result = planted
    for name in [n for n in sys.modules if n.split(".")[0] == "matplotlib"] or ["matplotlib"]:
        monkeypatch.setitem(sys.modules, name, None)
    for name in ("matplotlib", "matplotlib.figure", "matplotlib.backends.backend_agg"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(sk.MissingExtraError, match=r'plot\(\) needs matplotlib: pip install "\.\[view\]" in a clone'):
        result.report.plot()


def test_a_figure_that_cannot_be_written_whole_leaves_the_old_file(planted, tmp_path, monkeypatch):
    _, result = planted
    path = tmp_path / "figure.png"
    path.write_bytes(b"old")

    def stops_half_way(self, target, **options):
        if hasattr(target, "write"):
            target.write(b"half")
        else:
            Path(target).write_bytes(b"half")
        raise OSError("the disk is full")

    monkeypatch.setattr("matplotlib.figure.Figure.savefig", stops_half_way)
    with pytest.raises(OSError, match="the disk is full"):
        result.report.plot(path=path)
    assert [each.name for each in tmp_path.iterdir()] == ["figure.png"]
    assert path.read_bytes() == b"old"


@pytest.mark.slow
@pytest.mark.parametrize("name", [r"$\nosuchword$", "a$ and b$", "Foot\x1b[2J"])
def test_a_leg_may_be_called_anything(planted, tmp_path, name):
    """No formula is made of a name, and nothing in it is left out."""
    biped, _ = planted
    joints = [name if joint == "LeftFoot" else joint for joint in biped.clip.names]
    skeleton = sk.Skeleton(biped.clip.skeleton.parents, biped.clip.skeleton.rest_local, joints)
    clip = sk.Clip(skeleton, biped.clip.rotations, biped.clip.translations, fps=biped.clip.fps)
    legs = [sk.Leg(*(joints.index(joint) for joint in ("LeftUpLeg", "LeftLeg", name)))]
    figure = clip.plant_feet(ground=biped.ground, legs=legs).report.plot("knees", path=tmp_path / "knees.svg")
    title = figure.axes[0].get_title(loc="left")
    assert title.replace(r"\$", "$") == f"knee, {name}".replace("\x1b", r"\x1b")
