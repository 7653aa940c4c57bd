# SPDX-License-Identifier: MIT
"""Contacts of people whose steps come from other formulas than all others, and contacts in strong noise."""

from __future__ import annotations

import foreign_gaits
import known_motions
import numpy as np
import pytest
from known_steps import SIDES

import skelkin_py as sk
from skelkin_py.planting.spans import span_mask

COUNT = 60
CLEAN = [options for name, options in known_motions.cases().items() if name.endswith("clean")]


def agreement(report, contact):
    """Frame F1: twice the frames that both say, over the frames that either says."""
    found = {leg.name[0].lower(): span_mask(leg.contacts, report.num_frames) for leg in report.legs}
    both = sum(2 * (found[side[0]] & flags).sum() for side, flags in contact.items())
    return both / sum(found[side[0]].sum() + flags.sum() for side, flags in contact.items())


@pytest.mark.slow
def test_contacts_agree_with_those_of_foreign_gaits():
    scores = {}
    for number in range(COUNT):
        case = foreign_gaits.clip(number)
        scores[case.name] = agreement(sk.plant_feet(case.clip).report, case.contact)
    values = np.array(list(scores.values()))
    print(f"mean {values.mean():.4f}; {100 * (values >= 0.95).mean():.0f} % at 0.95")
    print("\n".join(f"{score:.3f}  {name}" for name, score in sorted(scores.items(), key=lambda pair: pair[1])[:8]))
    assert values.mean() >= 0.96
    assert (values >= 0.95).mean() >= 0.9
    assert values.min() >= 0.88


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_contacts_agree_in_noise_of_a_degree_and_a_centimetre(seed):
    scores = []
    for options in CLEAN:
        case = known_motions.known(**options)
        clip = foreign_gaits.noisy(case.clip, np.radians(1.0), 0.01 * case.unit, seed)
        report = sk.plant_feet(clip, ground=0.0 if case.ground is None else case.ground).report
        scores.append(agreement(report, {side: case.contact[side] for side in SIDES}))
    assert np.mean(scores) >= 0.95, scores


@pytest.mark.slow
def test_a_foot_that_stands_at_the_last_frame_for_a_moment_is_found():
    """A known footstep of three frames that the end of the clip cuts."""
    case = known_motions.known(**known_motions.cases()["run, retarget"])
    ends = {leg.name: leg.contacts[-1][1] for leg in sk.plant_feet(case.clip, ground=0.0).report.legs}
    assert ends["right"] == case.clip.num_frames - 1
    assert ends["left"] < case.clip.num_frames - 1


def test_foreign_gaits_come_in_all_kinds_and_are_the_same_again():
    once, again = foreign_gaits.clip(3), foreign_gaits.clip(3)
    # numpy's own last digit hangs on where an array lies
    np.testing.assert_allclose(once.clip.rotations, again.clip.rotations, rtol=0, atol=1e-14)
    names = [foreign_gaits.clip(number).name.split(": ")[1].split(",")[0] for number in range(len(foreign_gaits.GAITS))]
    assert names == list(foreign_gaits.GAITS)
