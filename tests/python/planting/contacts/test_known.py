# SPDX-License-Identifier: MIT
"""Contact detection against clips whose contacts are known exactly: gaits, stairs, dance, crawl, cycles and loops."""

from __future__ import annotations

import known_motions
import numpy as np
import pytest
import reference
from known_steps import AXES, SIDES, SOLE, TO_BACK, spans_of

import skelkin_py as sk

CASES = known_motions.cases()
# In a single case a frame at each end of each contact is all the room there is at 24 frames per second.
SET_BAR, CASE_BAR = 0.97, 0.96


def flags(leg, num):
    found = np.zeros(num, bool)
    for first, last in leg.contacts:
        found[first : last + 1] = True
    return found


def agreement(case, report):
    """Twice the frames that both say, and the frames that either says."""
    both = either = 0
    for leg in report.legs:
        found, truth = flags(leg, case.clip.num_frames), case.contact[leg.name]
        both += 2 * int((found & truth).sum())
        either += int(found.sum() + truth.sum())
    return both, either


@pytest.mark.parametrize("motion", known_motions.MOTIONS)
@pytest.mark.parametrize(("up", "unit"), [("Y", 1.0), ("Z", 100.0)])
def test_known_stance_rests(motion, up, unit):
    """The set is what it says: in a known contact ball and heel do not move over their ground."""
    case = known_motions.known(motion, fps=30.0, up=up, unit=unit)
    joints = reference.forward_kinematics(case.clip.skeleton, case.clip.local_matrices())
    time = np.arange(case.clip.num_frames) / case.clip.fps
    axes = AXES[up]
    at = (joints[..., :3, 3] - (time[:, None] * case.velocity)[:, None]) @ axes / unit
    for side in SIDES:
        foot, toe = (case.clip.skeleton.index(f"{side}_{part}") for part in ("foot", "toe"))
        back = at[:, foot] + axes.T @ joints[:, foot, :3, :3] @ axes @ TO_BACK
        sole = at[:, toe] - [0.0, SOLE, 0.0]
        for flag, point in ((case.ball[side], sole), (case.heel[side] & ~case.ball[side], back)):
            for first, last in spans_of(flag):
                assert np.ptp(point[first : last + 1], axis=0).max() <= 1e-9
        for flag, point in ((case.ball[side], sole), (case.heel[side], back)):
            ground = 0.0 if case.ground is None else case.ground(point @ axes.T * unit) / unit
            assert np.abs((point[:, 1] - ground)[flag]).max(initial=0.0) <= 1e-9
            assert (point[:, 1] - ground).min() >= -1e-9


@pytest.mark.parametrize(("motion", "way"), [("in-place loop", 0.0), ("side-step loop", 0.0), ("walk loop", 2.2)])
def test_known_loops_are_closed(motion, way):
    case = known_motions.known(motion, fps=30.0)
    assert case.closed
    clip, travel = case.clip, np.zeros((case.clip.skeleton.num_joints, 3))
    travel[0] = 0.0, 0.0, way
    assert np.abs(clip.rotations[0] - clip.rotations[-1]).max() <= 1e-12
    assert np.abs(clip.translations[0] + travel - clip.translations[-1]).max() <= 1e-12


@pytest.mark.slow
def test_contacts_agree_with_the_known_ones_over_the_whole_set():
    both, either, lines = 0, 0, []
    for name, options in CASES.items():
        case = known_motions.known(**options)
        one, all_ = agreement(case, sk.plant_feet(case.clip, ground=case.ground).report)
        both, either = both + one, either + all_
        lines.append((one / all_, f"{one / all_:.4f}  {name} at {options['fps']:g} frames/s"))
    lines.sort()
    print(f"{both / either:.4f} over the set; below the bar:")
    print("\n".join(text for score, text in lines if score < SET_BAR))
    assert both / either >= SET_BAR
    assert lines[0][0] >= CASE_BAR, lines[0][1]


@pytest.mark.slow
def test_contacts_end_where_the_foot_sets_off():
    """A foot that leaves slowly is not taken to stand for longer, nor one that comes to rest slowly for sooner."""
    for name in ("crawl, retarget", "crawl, slide"):
        options = CASES[name]
        case = known_motions.known(**options)
        num, slack = case.clip.num_frames, round(0.025 * options["fps"])
        for leg in sk.plant_feet(case.clip).report.legs:
            truth = spans_of(case.contact[leg.name])
            for found, known in zip(leg.contacts, truth, strict=True):
                inside = [k for k in (0, 1) if known[k] not in (0, num - 1)]
                assert all(abs(found[k] - known[k]) <= slack for k in inside), (name, found, known)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_contacts_agree_with_the_known_ones_in_noise_they_were_not_made_for(seed):
    both = either = 0
    for name, options in CASES.items():
        if options.get("noise"):
            case = known_motions.known(**options, seed=seed)
            one, all_ = agreement(case, sk.plant_feet(case.clip, ground=case.ground).report)
            assert one / all_ >= 0.95, name
            both, either = both + one, either + all_
    assert both / either >= 0.98


@pytest.mark.slow
def test_every_known_footstep_is_one_contact():
    """Each contact meets one footstep, and each footstep that the clip shows for long enough has one."""
    for name, options in CASES.items():
        case = known_motions.known(**options)
        num, fps = case.clip.num_frames, case.clip.fps
        for leg in sk.plant_feet(case.clip, ground=case.ground).report.legs:
            truth = spans_of(case.contact[leg.name])
            met = [[k for k, (c, d) in enumerate(truth) if c <= b and a <= d] for a, b in leg.contacts]
            assert all(len(steps) == 1 for steps in met), (name, leg.name, leg.contacts, truth)
            long = [k for k, (a, b) in enumerate(truth) if b - a + 1 >= 0.12 * fps or 0 < a <= b < num - 1]
            assert set(long) <= {steps[0] for steps in met}, (name, leg.name, leg.contacts, truth)


def test_the_same_clip_gives_the_same_contacts_again():
    case = known_motions.known(**CASES["walk, noise"])
    one, two = (sk.plant_feet(case.clip).report for _ in range(2))
    assert [leg.contacts for leg in one.legs] == [leg.contacts for leg in two.legs]


@pytest.mark.slow
@pytest.mark.parametrize("jitter", [3e-8, 1e-7, 3e-7, 1e-6, 3e-6])
@pytest.mark.parametrize("motion", ["walk", "in place"])
def test_jitter_of_single_precision_cuts_no_contact_into_pieces(motion, jitter):
    """A foot that rests but for rounding, as in clips that were kept in single precision: one contact per footstep."""
    case = known_motions.known(motion, fps=30.0)
    moved = case.clip.translations.copy()
    moved[:, 0] += np.random.default_rng(2).normal(scale=jitter * case.leg, size=(len(moved), 3))
    shaken = case.clip.replace(translations=moved)
    for leg, calm in zip(sk.plant_feet(shaken).report.legs, sk.plant_feet(case.clip).report.legs, strict=True):
        truth = spans_of(case.contact[leg.name])
        met = [[k for k, (c, d) in enumerate(truth) if c <= b and a <= d] for a, b in leg.contacts]
        assert met == [[k] for k in range(len(calm.contacts))], (leg.name, leg.contacts, truth)
        assert np.abs(np.array(leg.contacts) - calm.contacts).max() <= 1
