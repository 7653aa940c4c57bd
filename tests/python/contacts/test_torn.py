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
        assert [(1, 84, AT - 1), (1, AT, 106)] == [span for span in spans if span[0] == 1][2:4]
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
