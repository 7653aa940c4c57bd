# SPDX-License-Identifier: MIT
"""Motion that is torn: a cut between takes, lost tracking."""

from __future__ import annotations

import numpy as np
import pytest

import skelkin_py as sk

AT = 90  # a frame within a contact of the right foot


def torn(first: int, last: int, joint: int = 0, legs: float = 3.0) -> sk.Clip:
    """Return the walk with a joint elsewhere from the first to the last frame."""
    clip = sk.example("biped").clip
    translations = np.array(clip.translations)
    translations[first : last + 1, joint] += legs * sk.plant_feet(clip).report.leg_length * np.array([0.8, 0.0, 0.6])
    return clip.replace(translations=translations)


@pytest.mark.parametrize("contacts", ["auto", "always"])
def test_no_contact_bridges_a_cut(contacts: str) -> None:
    planted = sk.plant_feet(torn(AT, 179), contacts=contacts)
    spans = [(each.leg, each.first_frame, each.last_frame) for each in planted.report.contacts]
    assert not [span for span in spans if span[1] < AT <= span[2]]
    if contacts == "auto":  # each side is planted as without the cut
        whole = sk.plant_feet(sk.example("biped").clip).report
        assert [span for span in spans if span[0] == 1][2:4] == [(1, 84, AT - 1), (1, AT, 106)]
        assert len(spans) == len(whole.contacts) + 1
        assert np.abs(planted.report.body_path - whole.body_path).max() < 0.01 * whole.leg_length
        assert planted.report.slide()[1] < 1e-6 * whole.leg_length


def test_no_contact_goes_on_behind_lost_tracking() -> None:
    foot = sk.example("biped").clip.find_legs()[1].chain[2]
    for clip in (torn(AT, AT + 2, foot), torn(AT, AT + 19)):
        report = sk.plant_feet(clip).report
        away = np.flatnonzero(np.linalg.norm(np.diff(clip.positions()[:, foot], axis=0), axis=1) > report.leg_length)
        assert len(away) == 2
        for contact in report.contacts:
            assert not any(contact.first_frame <= frame < contact.last_frame for frame in away.tolist())
        assert np.linalg.norm(report.body_path, axis=1).max() < 0.06 * report.leg_length


def test_feet_that_never_stand_still_stand_in_their_lowest_and_slowest_phases_where_that_is_asked_for() -> None:
    walk = sk.example("biped").clip
    steps = sk.plant_feet(walk).report
    seconds, length = np.arange(walk.num_frames) / walk.fps, steps.leg_length
    translations = np.array(walk.translations)
    translations[:, 0, 0] += 0.5 * length * seconds + 0.08 * length * np.sin(5.0 * seconds)
    skates = walk.replace(translations=translations)
    report = sk.plant_feet(skates, contacts="cycle").report
    assert "contacts='cycle': each foot is assumed to stand where it is lowest and slowest (6 left, 5 right)" in (
        report.messages
    )
    assert len(report.contacts) == len(steps.contacts)
    for own, step in zip(report.contacts, steps.contacts, strict=True):
        assert own.leg == step.leg
        assert abs(own.first_frame - step.first_frame) + abs(own.last_frame - step.last_frame) <= 8
    assert report.slide()[1] < 0.02 * length


def test_where_no_foot_stands_cycle_is_offered_and_takes_nothing_that_does_not_take_turns() -> None:
    walk = sk.example("biped").clip
    lies = sk.Clip(walk.skeleton, walk.rotations[[30] * 60], walk.translations[[30] * 60], fps=walk.fps)
    flying = np.array(lies.translations)
    flying[:, 0, 0] += np.arange(60) * 0.2
    lies = lies.replace(translations=flying)
    said = sk.plant_feet(lies).report.messages
    assert any("no foot ever stands" in text and "contacts='cycle'" in text for text in said)
    planted = sk.plant_feet(lies, contacts="cycle")
    assert not planted.report.contacts
    assert np.array_equal(planted.clip.rotations, lies.rotations)
