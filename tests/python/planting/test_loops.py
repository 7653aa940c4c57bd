# SPDX-License-Identifier: MIT
"""Loops stay closed: contacts go on across the seam, the last pose is the first, and the speed does not jump."""

from __future__ import annotations

import json

import known_motions
import numpy as np
import pytest
import reference
from known_steps import SIDES

import skelkin_py as sk
from skelkin_py.cli import main

LOOPS = ["in-place loop", "side-step loop", "walk loop"]
FAULT = {"slide": 0.05, "sway": 0.01, "lift": 0.02, "bump": 0.03, "legs": 0.96}


def places(clip):
    return np.asarray(reference.forward_kinematics(clip.skeleton, clip.local_matrices()), float)


def carried(before):
    """The displacement and turn from the first pose of a loop to its last, from its root alone."""
    root = places(before)[:, 0]
    return root[-1] @ np.linalg.inv(root[0])


def seam(clip, travel, length):
    """The gap, the change of step at the seam, and the greatest such change inside; in legs."""
    at = places(clip)[..., :3, 3]
    on = at[:2] @ travel[:3, :3].T + travel[:3, 3]
    gap = np.linalg.norm(on[0] - at[-1], axis=-1).max()
    bump = np.linalg.norm(on[1] - 2.0 * at[-1] + at[-2], axis=-1).max()
    inside = np.linalg.norm(np.diff(at, 2, axis=0), axis=-1).max()
    return gap / length, bump / length, inside / length


def turning(clip, angle):
    """The same motion, its character turned about up through the origin by so much in the end."""
    share = np.linspace(0.0, angle, clip.num_frames)
    turn = sk.quaternion_from_axis_angle([0.0, 1.0, 0.0], share)
    rotations, translations = clip.rotations.copy(), clip.translations.copy()
    rotations[:, 0] = sk.quaternion_multiply(turn, rotations[:, 0])
    translations[:, 0] = sk.quaternion_rotate(turn, translations[:, 0])
    return clip.replace(rotations=rotations, translations=translations)


@pytest.mark.parametrize("noise", [0.0, 0.004])
@pytest.mark.parametrize("form", [{"fps": 30.0, "up": "Y"}, {"fps": 24.0, "up": "Z", "unit": 100.0}])
@pytest.mark.parametrize("motion", LOOPS)
def test_the_planted_loop_is_closed_with_a_steady_speed(motion, form, noise):
    case = known_motions.known(motion, **form, **FAULT, noise=noise)
    planted = sk.plant_feet(case.clip, ground=0.0)
    assert planted.report.loop
    gap, bump, inside = seam(planted.clip, carried(case.clip), case.leg)
    assert gap <= 1e-6
    assert bump <= 1.2 * inside
    assert planted.report.worst("slide") <= 1e-4 * case.leg or not planted.report.pinned


def test_a_loop_that_turns_is_closed():
    case = known_motions.known("side-step loop", fps=30.0, **FAULT)
    clip = turning(case.clip, 0.4)
    planted = sk.plant_feet(clip, ground=0.0)
    assert planted.report.loop
    assert any("turned by 22.9°" in message for message in planted.report.messages)
    gap, bump, inside = seam(planted.clip, carried(clip), case.leg)
    assert gap <= 1e-6
    assert bump <= 1.2 * inside
    # Without, the feet at both ends end up apart.
    assert seam(sk.plant_feet(clip, ground=0.0, loop=False).clip, carried(clip), case.leg)[0] > 1e-3


def test_contacts_go_on_across_the_seam():
    case = known_motions.known("walk loop", fps=60.0)
    report = sk.plant_feet(case.clip, ground=0.0).report
    last = case.clip.num_frames - 1
    for leg in report.legs:
        stands = np.zeros(last + 1, bool)
        for a, b in leg.contacts:
            stands[a : b + 1] = True
        assert stands[0] == stands[-1]
        truth = case.contact[leg.name]
        assert (stands == truth)[:6].all()
        assert (stands == truth)[-6:].all()


def test_given_contacts_are_joined_across_the_seam():
    case = known_motions.known("walk loop", fps=30.0, slide=0.05)
    first = sk.plant_feet(case.clip, ground=0.0)
    again = sk.plant_feet(first.clip, ground=0.0, contacts=[leg.contacts for leg in first.report.legs])
    assert [leg.contacts for leg in again.report.legs] == [leg.contacts for leg in first.report.legs]
    assert np.abs(again.clip.positions() - first.clip.positions()).max() <= 1e-9
    side = next(k for k, leg in enumerate(first.report.legs) if leg.contacts[-1][0] < leg.contacts[-1][1] == 66)
    ball = places(first.clip)[:, case.clip.skeleton.index(f"{SIDES[side]}_toe"), :3, 3]
    a, b = first.report.legs[side].contacts[-1][0] + 3, 2
    assert case.ball[SIDES[side]][[a, b]].all()
    way = carried(case.clip)[:3, 3]
    assert np.abs(ball[a] - (ball[b] + way))[[0, 2]].max() <= 1e-9


def test_given_contacts_that_end_before_the_seam_are_not_joined():
    case = known_motions.known("walk loop", fps=30.0)
    given = [leg.contacts for leg in sk.plant_feet(case.clip, ground=0.0).report.legs]
    assert (given[1][0][0], given[1][-1]) == (0, (50, 66))
    given[1] = [*given[1][:-1], (50, 63)]
    found = [leg.contacts for leg in sk.plant_feet(case.clip, ground=0.0, contacts=given).report.legs]
    assert found == [given[0], [*given[1], (66, 66)]]  # the last pose is the first once more


def test_feet_that_never_lift_creep_as_evenly_as_the_loop_travels():
    case = known_motions.known("side-step loop", fps=30.0)
    rotations = np.repeat(case.clip.rotations[20:21], 61, axis=0)
    translations = np.repeat(case.clip.translations[20:21], 61, axis=0)
    translations[:, 0, 2] += 0.2 * np.linspace(0.0, 1.0, 61) ** 2
    clip = sk.Clip(case.clip.skeleton, rotations, translations, fps=30.0)
    planted = sk.plant_feet(clip, ground=0.0, contacts="always", loop=True)
    feet = planted.clip.positions()[:, [clip.skeleton.index(f"{side}_foot") for side in SIDES]]
    np.testing.assert_allclose(np.diff(feet, axis=0), np.full((60, 2, 3), [0.0, 0.0, 0.2 / 60.0]), atol=1e-6)


def test_a_standing_loop_stays_where_it_is():
    """A figure that shifts its weight from foot to foot and never lifts one: every contact is the whole clip."""
    case = known_motions.known("side-step loop", fps=30.0)
    clip = case.clip
    pose, time = 20, np.arange(61) / 60.0
    rotations = np.repeat(clip.rotations[pose : pose + 1], 61, axis=0)
    translations = np.repeat(clip.translations[pose : pose + 1], 61, axis=0)
    translations[:, 0, 0] += 0.02 * np.sin(2.0 * np.pi * time)
    swaying = sk.Clip(clip.skeleton, rotations, translations, fps=30.0)
    planted = sk.plant_feet(swaying, ground=0.0, contacts="always")
    assert planted.report.loop
    assert seam(planted.clip, np.eye(4), case.leg)[0] <= 1e-6
    feet = [clip.skeleton.index(f"{side}_foot") for side in SIDES]
    assert np.ptp(planted.clip.positions()[:, feet], axis=0).max() <= 1e-6


def test_a_standing_figure_that_slides_away_is_no_loop():
    case = known_motions.known("side-step loop", fps=30.0)
    rotations = np.repeat(case.clip.rotations[20:21], 61, axis=0)
    translations = np.repeat(case.clip.translations[20:21], 61, axis=0)
    translations[:, 0, 2] += np.linspace(0.0, 0.2, 61)
    report = sk.plant_feet(sk.Clip(case.clip.skeleton, rotations, translations, fps=30.0)).report
    assert not report.loop
    assert report.worst("slide") <= 1e-9


@pytest.mark.parametrize("motion", ["walk", "run", "stairs", "dance", "in place"])
def test_other_clips_are_no_loops(motion):
    case = known_motions.known(motion, fps=30.0)
    report = sk.plant_feet(case.clip, ground=case.ground).report
    assert not report.loop
    assert not any("loop" in message for message in report.messages)


def test_a_motion_that_arrives_with_another_speed_than_it_leaves_with_is_no_loop():
    clip = known_motions.known("side-step loop", fps=30.0).clip
    for times, closed in ((2.0, True), (1.0, False)):
        translations = np.repeat(clip.translations[20:21], 61, axis=0)
        translations[:, 0, 0] += 0.3 * np.sin(times * np.pi * np.arange(61) / 60.0)
        rotations = np.repeat(clip.rotations[20:21], 61, axis=0)
        report = sk.plant_feet(sk.Clip(clip.skeleton, rotations, translations, fps=30.0)).report
        assert report.loop is closed


def test_the_report_says_that_it_is_a_loop_and_how_far_it_goes():
    report = sk.plant_feet(known_motions.known("walk loop", fps=30.0).clip).report
    assert report.to_dict()["loop"] is True
    assert any("the last pose is the first, 2.2 units on" in message for message in report.messages)


def test_loops_can_be_left_open():
    case = known_motions.known("side-step loop", fps=30.0, slide=0.05)
    report = sk.plant_feet(case.clip, loop=False).report
    assert not report.loop


def test_a_part_of_a_loop_is_planted_as_any_clip():
    case = known_motions.known("side-step loop", fps=30.0, slide=0.05)
    planted = sk.plant_feet(case.clip, frames=(20, 100))
    assert not planted.report.loop
    np.testing.assert_array_equal(planted.clip.rotations[-1], case.clip.rotations[-1])


def test_a_loop_that_is_not_closed_to_the_last_bit_may_be_called_one():
    case = known_motions.known("in-place loop", fps=30.0)
    rotations = case.clip.rotations.copy()
    thigh = case.clip.skeleton.index("left_thigh")
    nudge = sk.quaternion_from_axis_angle([1.0, 0.0, 0.0], 0.01)
    rotations[-1, thigh] = sk.quaternion_multiply(rotations[-1, thigh], nudge)
    clip = case.clip.replace(rotations=rotations)
    assert not sk.plant_feet(clip).report.loop
    planted = sk.plant_feet(clip, loop=True)
    assert planted.report.loop
    assert seam(planted.clip, np.eye(4), case.leg)[0] <= 1e-6


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"motion": "walk", "loop": True}, "the legs of its last pose are .* leg lengths off"),
        ({"motion": "walk loop", "loop": True, "frames": (0, 30)}, "only the whole clip is closed"),
        (
            {"motion": "walk loop", "loop": True, "ground": lambda points: 0.1 * points[:, 2] ** 2},
            "the ground under its last pose differs from that under its first",
        ),
        ({"motion": "walk", "loop": "yes"}, "loop is 'yes': expected True, False or 'auto'"),
    ],
)
def test_what_cannot_be_a_loop_is_refused(options, words):
    clip = known_motions.known(options.pop("motion"), fps=30.0).clip
    with pytest.raises(ValueError, match=words):
        sk.plant_feet(clip, **options)


def test_other_joints_keep_their_bits_and_the_clip_its_length():
    case = known_motions.known("walk loop", fps=30.0, **FAULT, noise=0.004)
    planted = sk.plant_feet(case.clip, ground=0.0).clip
    legs = {joint for leg in case.clip.find_legs() for joint in leg.chain}
    others = [j for j in range(1, case.clip.skeleton.num_joints) if j not in legs]
    np.testing.assert_array_equal(planted.rotations[:, others], case.clip.rotations[:, others])
    assert planted.num_frames == case.clip.num_frames


def test_the_command_line_takes_it(tmp_path, capsys):
    source, target = tmp_path / "in.bvh", tmp_path / "out.bvh"
    known_motions.known("walk loop", fps=30.0).clip.save(source)
    arguments = ["plant", str(source), "-o", str(target), "--json"]
    for words, expected in (([], True), (["--loop", "yes"], True), (["--loop", "no"], False)):
        assert main([*arguments, *words]) == 0
        assert json.loads(capsys.readouterr().out)["loop"] is expected
    with pytest.raises(SystemExit, match="2"):
        main([*arguments, "--loop", "perhaps"])
