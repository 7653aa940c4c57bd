# SPDX-License-Identifier: MIT
"""The report tells what was measured."""

from __future__ import annotations

import json

import numpy as np
import pytest
import reference

import skelkin_py as sk


@pytest.fixture(scope="module")
def planted(make_walk):
    return sk.plant_feet(make_walk().clip, metres_per_unit=1.0)


def positions(clip):
    return reference.forward_kinematics(clip.skeleton, clip.local_matrices())[..., :3, 3]


def test_the_slide_is_that_of_the_ball_measured_by_hand(make_walk, planted):
    walk = make_walk()
    for clip, when in ((walk.clip, "before"), (planted.clip, "after")):
        at = positions(clip)
        for contact in planted.report.contacts:
            toe = walk.clip.skeleton.index(f"{contact.name}_toe")
            path = at[contact.first_frame : contact.last_frame + 1, toe][:, [0, 2]]
            slide = np.linalg.norm(path - path[0], axis=1).max()
            assert getattr(contact, when).slide == pytest.approx(slide, abs=1e-9)


def test_the_known_slide_of_the_faulty_walk_is_reported(make_walk, planted):
    walk = make_walk()
    # 8 % more way at 1 m/s for the time of a stance
    mean = planted.report.slide("before")[0]
    times = [(c.last_frame - c.first_frame) / walk.clip.fps for c in planted.report.contacts]
    assert mean == pytest.approx(0.08 * np.mean(times), rel=0.35)


def test_before_figures_do_not_change_with_what_is_done(make_walk):
    walk = make_walk()
    one = sk.plant_feet(walk.clip, contacts=walk.spans)
    other = sk.plant_feet(walk.clip, contacts=walk.spans, reach="lower_pelvis")
    assert one.report.slide("before") == other.report.slide("before")


def test_five_lines_come_first_and_all_figures_are_for_whoever_asks(planted):
    report = planted.report
    lines = str(report).splitlines()
    assert lines[:5] == report.in_five_lines()
    assert [line[:14].rstrip() for line in lines[:5]] == ["feet stand", "slide", "ground", "knees", "body"]
    assert lines[5] == "Nothing that a viewer would mind."
    told = report.as_text(verbose=True)
    for word in ("contacts, left", "slide, worst (cm)", "knee flexion", "skating ratio", "acceleration added"):
        assert word in told
        assert word not in str(report)
    assert f"planted {report.frames_per_second:,.0f} frames per second" in told
    assert all(len(line) <= 80 for line in told.splitlines())


def test_figures_of_papers_that_rise_are_named(planted):
    told = planted.report.as_text(verbose=True)
    before, after = (planted.report.literature(when) for when in ("before", "after"))
    risen = after.float_mm > 1.01 * before.float_mm
    assert ("float (PhysDiff)" in told.split("higher than before:")[-1].splitlines()[0]) is risen


def test_a_notebook_shows_the_same_table(planted):
    page = planted.report._repr_html_()
    for what, old, new in planted.report.as_rows():
        assert all(f">{text}<" in page for text in (what, old, new))
    assert page.count("<tr>") == len(planted.report.as_rows()) + 1


def test_the_dictionary_is_ready_for_json(planted):
    told = json.loads(json.dumps(planted.report.to_dict(), allow_nan=False))
    assert told["up"] == "+Y"
    assert told["unit_known"] is True
    assert told["slide_before_cm"] == pytest.approx(100.0 * planted.report.slide("before")[0])
    assert told["slide_after_cm"] <= 1e-4
    assert len(told["contacts"]) == len(planted.report.contacts) == sum(len(leg["contacts"]) for leg in told["legs"])
    assert told["contacts"][0]["before"]["slide"] > 0.0


def test_an_unknown_unit_makes_a_leg_of_ninety_centimetres_and_is_said(make_walk):
    report = sk.plant_feet(make_walk(unit=37.0, up="Z").clip).report
    assert report.centimetres(report.leg_length) == pytest.approx(90.0)
    assert not report.unit_known
    assert any("0.9 m" in message for message in report.messages)


def test_a_known_unit_is_used(planted):
    assert planted.report.centimetres(1.0) == 100.0
    assert not any("0.9 m" in message for message in planted.report.messages)


def test_knee_angles_are_those_of_the_joints(make_walk, planted):
    at = positions(planted.clip)
    angles = []
    for side in ("left", "right"):
        hip, knee, ankle = (at[:, make_walk().clip.skeleton.index(f"{side}_{p}")] for p in ("thigh", "shin", "foot"))
        u, v = hip - knee, ankle - knee
        cosine = np.einsum("fi,fi->f", u, v) / np.linalg.norm(u, axis=1) / np.linalg.norm(v, axis=1)
        angles.append(np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0))))
    assert planted.report.knee_range() == pytest.approx((np.min(angles), np.max(angles)), abs=1e-5)


def test_a_wrong_word_is_refused(planted):
    with pytest.raises(ValueError, match="when is 'later'"):
        planted.report.slide("later")


def test_representations_are_one_line_without_arrays(planted, make_walk):
    walk = make_walk().clip
    array = sk.plant_locals(walk.skeleton, walk.local_matrices(), fps=walk.fps)
    for one in (planted, array):
        assert "12 contacts" in repr(one)
        assert repr(one).count("\n") == 0
        assert len(repr(one)) < 200
    example = sk.example("biped")
    assert repr(example.mesh) in repr(example)
    assert len(repr(example)) < 400


@pytest.mark.parametrize(("fps", "doubted"), [(1.0, True), (4.9, True), (5.0, False)])
def test_a_rate_at_which_no_step_is_seen_is_named(fps, doubted):
    walk = sk.example("biped").clip
    clip = sk.Clip(walk.skeleton, walk.rotations, walk.translations, fps=fps)
    report = clip.plant_feet().report
    found = {leg.name: leg.contacts for leg in report.legs}
    doubt = (
        f"{fps:g} fps is too slow to show when feet stand: if the motion was recorded at a higher rate, "
        "load it at that rate"
    )
    assert (doubt in report.messages) is doubted
    assert doubt not in clip.plant_feet(contacts=found).report.messages
