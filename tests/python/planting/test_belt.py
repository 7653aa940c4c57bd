# SPDX-License-Identifier: MIT
"""Cycles in place, planted on the ground that moves below them: `ground_velocity`."""

from __future__ import annotations

import json

import known_motions
import numpy as np
import pytest
from known_steps import SIDES

import skelkin_py as sk
from skelkin_py.cli import main
from skelkin_py.planting import plant_locals

IN_PLACE = [{"fps": 30.0, "up": "Y"}, {"fps": 120.0, "up": "Z", "unit": 100.0}]


def cycle(**options):
    return known_motions.known("in place", **{"fps": 30.0, "slide": 0.08, "sway": 0.02, **options})


def ball_slide(case, clip, contacts, velocity):
    """Greatest level way of a ball over a ground of that velocity, in the frames of contacts in which it is down."""
    at, up, worst = clip.positions(), np.eye(3)[case.up], 0.0
    for side, spans in zip(SIDES, contacts, strict=True):
        over = at[:, clip.skeleton.index(f"{side}_toe")] - np.arange(len(at))[:, None] / clip.fps * velocity
        over -= (over @ up)[:, None] * up
        for first, last in spans:
            down = [frame for frame in range(first, last + 1) if case.ball[side][frame]] or [first]  # its heel alone
            worst = max(worst, np.linalg.norm(over[down] - over[down[0]], axis=1).max())
    return worst / case.leg


@pytest.mark.slow
@pytest.mark.parametrize("form", IN_PLACE)
def test_feet_go_with_a_given_ground(form):
    case = cycle(**form)
    planted = sk.plant_feet(case.clip, ground_velocity=case.velocity)
    report = planted.report
    spans = [leg.contacts for leg in report.legs]
    assert ball_slide(case, case.clip, spans, case.velocity) > 1e-2
    assert ball_slide(case, planted.clip, spans, case.velocity) <= 1e-9
    assert report.pinned
    assert report.ground_velocity.tolist() == case.velocity.tolist()
    assert report.worst("slide") <= 1e-9 * case.leg < report.worst("slide", "before")


@pytest.mark.parametrize("form", IN_PLACE)
def test_auto_measures_the_velocity_of_the_standing_feet(form):
    case = cycle(**form)
    planted = sk.plant_feet(case.clip, ground_velocity="auto")
    found = planted.report.ground_velocity
    assert np.linalg.norm(found - case.velocity) <= 0.02 * np.linalg.norm(case.velocity)
    assert ball_slide(case, planted.clip, [leg.contacts for leg in planted.report.legs], found) <= 1e-9
    assert any("planted on a ground that moves at" in message for message in planted.report.messages)
    again = sk.plant_feet(planted.clip, ground_velocity="auto")
    assert np.abs(again.clip.positions() - planted.clip.positions()).max() <= 1e-4 * case.leg


def test_auto_is_exact_where_no_foot_slips():
    case = known_motions.known("in place", fps=60.0)
    found = sk.plant_feet(case.clip, ground_velocity="auto").report.ground_velocity
    assert np.abs(found - case.velocity).max() <= 1e-3


def test_without_it_only_heights_change_and_the_report_says_so():
    case = cycle()
    planted = sk.plant_feet(case.clip)
    assert not planted.report.pinned
    assert any("only their heights are corrected" in message for message in planted.report.messages)
    toes = [case.clip.skeleton.index(f"{side}_toe") for side in SIDES]
    moved = (planted.clip.positions() - case.clip.positions())[:, toes]
    for k, leg in enumerate(planted.report.legs):
        for first, last in leg.contacts:
            assert np.abs(moved[first : last + 1, k][:, [0, 2]]).max() <= 0.02 * case.leg


@pytest.mark.parametrize("part", [-1.0, 0.0, 100.0])
def test_feet_that_do_not_go_with_the_given_ground_are_told(part):
    case = cycle()
    planted = sk.plant_feet(case.clip, ground_velocity=part * case.velocity)
    assert not any(leg.contacts for leg in planted.report.legs)
    assert np.array_equal(planted.clip.rotations, case.clip.rotations)
    assert any("no foot ever moves with a ground at (" in m and "sign" in m for m in planted.report.messages)


def test_a_ground_at_rest_can_be_asked_for():
    case = cycle()
    planted = sk.plant_feet(case.clip, ground_velocity=(0, 0, 0), contacts={"left": [(10, 16)]})
    ball = planted.clip.positions()[10:17, case.clip.skeleton.index("left_toe")]
    assert np.ptp(ball[:, [0, 2]], axis=0).max() <= 1e-9
    assert planted.report.ground_velocity.tolist() == [0.0, 0.0, 0.0]


def test_auto_leaves_the_ground_of_any_other_clip_at_rest(make_walk):
    walk = make_walk()
    planted, plain = sk.plant_feet(walk.clip, ground_velocity="auto"), sk.plant_feet(walk.clip)
    assert planted.report.ground_velocity is None
    assert any("the ground is taken to be still" in message for message in planted.report.messages)
    np.testing.assert_array_equal(planted.clip.rotations, plain.clip.rotations)


def test_matrices_are_planted_the_same_way():
    case = cycle()
    planted = plant_locals(
        case.clip.skeleton, case.clip.local_matrices(), fps=case.clip.fps, legs=case.clip.find_legs(),
        ground_velocity=case.velocity,
    )  # fmt: skip
    assert planted.report.worst("slide") <= 1e-9 * case.leg


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ("fast", ValueError, "ground_velocity is 'fast': expected 'auto' or \\(x, y, z\\)"),
        ((0.0, 1.0), ValueError, "ground_velocity has shape \\(2,\\): \\(3,\\) is needed"),
        ((0.0, np.nan, 1.0), ValueError, "ground_velocity is \\[0.0, nan, 1.0\\]: it must be finite"),
        ((0.0, 0.1, 1.0), ValueError, "and up \\+Y: the ground's velocity must be horizontal"),
        (("a", "b", "c"), TypeError, "ground_velocity is \\('a', 'b', 'c'\\)"),
    ],
)
def test_other_velocities_are_refused(given, error, words):
    with pytest.raises(error, match=words):
        sk.plant_feet(cycle().clip, ground_velocity=given)


@pytest.mark.slow
def test_the_command_line_takes_it(tmp_path, capsys):
    case = cycle()
    source, target = tmp_path / "in.bvh", tmp_path / "out.bvh"
    case.clip.save(source)
    arguments = ["plant", str(source), "-o", str(target), "--json"]
    for text, expected in (("auto", [0.0, 0.0, -1.0]), ("0,0,-1", [0.0, 0.0, -1.0]), ("-0.5,0,0", [-0.5, 0.0, 0.0])):
        assert main([*arguments, f"--ground-velocity={text}"]) == 0
        told = json.loads(capsys.readouterr().out)
        assert np.abs(np.array(told["ground_velocity"]) - expected).max() <= 0.02
        assert told["pinned"] is True
    for text in ("fast", "0,1", "0,nan,1"):
        with pytest.raises(SystemExit, match="2"):
            main([*arguments, f"--ground-velocity={text}"])
        assert "--ground-velocity" in capsys.readouterr().err
