# SPDX-License-Identifier: MIT
"""Contact detection on random clips with known contacts that it was not made with."""

from __future__ import annotations

import known_motions
import numpy as np
import pytest
import random_motions
from known_steps import SIDES

import skelkin_py as sk
from skelkin_py.planting.spans import span_mask

COUNT = 126  # each of nine motions with each of seven faults, twice
BAR, WORST = 0.97, 0.95


def agreement(case):
    """Frame F1 of a clip: twice the frames that both say, over the frames that either says."""
    report = sk.plant_feet(case.clip, ground=0.0 if case.ground is None else case.ground).report
    found = np.stack([span_mask(leg.contacts, report.num_frames) for leg in report.legs])
    truth = np.stack([case.contact[side] for side in SIDES])
    return 2 * (found & truth).sum() / (found.sum() + truth.sum())


@pytest.mark.slow
def test_contacts_of_random_clips_agree_with_the_known_ones():
    """In 19 of 20 clips to the bar of the known ones, and in none far from it."""
    scores = {v.name: agreement(v.clip()) for v in random_motions.variants(random_motions.HELD_OUT, COUNT)}
    below = {name: round(float(score), 4) for name, score in scores.items() if score < BAR}
    print(f"mean {np.mean(list(scores.values())):.4f}; below {BAR}: {below}")
    assert len(below) <= 0.05 * COUNT, below
    assert np.median(list(scores.values())) >= 0.99
    assert min(scores.values()) >= WORST


def test_random_clips_come_in_all_motions_and_are_the_same_again():
    once, again = ([v.options for v in random_motions.variants(random_motions.TUNING, 9)] for _ in range(2))
    assert once == again
    assert once != [v.options for v in random_motions.variants(random_motions.HELD_OUT, 9)]
    names = [v.name.split(": ")[1].split(",")[0] for v in random_motions.variants(random_motions.TUNING, 9)]
    assert names == list(known_motions.MOTIONS)
