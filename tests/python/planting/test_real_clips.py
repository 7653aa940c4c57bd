# SPDX-License-Identifier: MIT
"""Planting on motion-capture clips: sensible contacts, less slide, no broken knees."""

from __future__ import annotations

import numpy as np
import pytest
from scripts import load_script

import skelkin_py as sk

CLIPS = {
    "cmu_01_01": "+Y",
    "cmu_12_01_walk": "+Y",
    "fair1_jumping": "+Z",
    "makehuman_walk1": "+Z",
    "optitrack_louise": "+Y",
    "rokoko_jesse_dance": "+Y",
}


@pytest.fixture(scope="module")
def rule():
    """benchmarks/contact_rule.py, which is in no package."""
    return load_script("benchmarks/contact_rule.py")


@pytest.fixture(scope="module", params=list(CLIPS))
def case(request, data_dir):
    clip = sk.load(data_dir / "bvh" / f"{request.param}.bvh")
    return request.param, clip, sk.plant_feet(clip)


@pytest.mark.data
def test_slide_is_gone_and_soles_are_on_the_ground(case):
    name, _, (_, report) = case
    assert report.contacts
    assert report.up_name == CLIPS[name]
    for contact in report.contacts:
        leg = report.legs[contact.leg].length
        assert contact.after.penetration <= 1e-3 * leg
        assert contact.after.float <= 0.02 * leg  # rolling over heel and ball, one of the two is up
        if report.ground_velocity is None:
            assert contact.after.slide <= 1e-3 * leg
            assert contact.after.slide < contact.before.slide
    # A sole that swings may graze the ground, if it did; one that steps down from an assumed level is not lifted.
    assert report.deepest() <= max(8.1e-3 * report.leg_length, 1.05 * report.deepest("before"))


@pytest.mark.data
def test_pieces_of_a_clip_are_left_by_a_second_run(data_dir):
    """Few steps show sole and ground less well than many: in few pieces, runs on a spot, a contact lasts longer."""
    clip = sk.load(data_dir / "bvh" / "optitrack_louise.bvh")
    clip = sk.Clip(clip.skeleton, clip.rotations[::2], clip.translations[::2], fps=clip.fps / 2)
    moved = []
    for first in range(0, clip.num_frames - 110, 97):
        planted, report = sk.plant_feet(clip[first : first + 110])
        again, _ = sk.plant_feet(planted)
        moved.append(np.linalg.norm(again.positions() - planted.positions(), axis=-1).max() / report.leg_length)
    assert np.mean(np.array(moved) <= 1e-3) >= 0.7
    assert max(moved) <= 0.05


@pytest.mark.data
def test_contacts_cover_those_of_a_fixed_rule(case, rule):
    _, clip, (_, report) = case
    at = clip.positions()
    found, wanted = np.zeros((2, 2, clip.num_frames), bool)
    for k, (leg, own) in enumerate(zip(clip.find_legs(), report.legs, strict=True)):
        joints = [at[:, joint] for joint in (leg.ankle, leg.toe) if joint is not None]
        wanted[k] = rule.rule_contacts(joints, report.up, own.length, clip.fps, report.ground_velocity)
        for first, last in own.contacts:
            found[k, first : last + 1] = True
    assert wanted.any()
    assert rule.coverage(found, wanted) >= 0.8


@pytest.mark.data
def test_ankles_rest_while_the_foot_is_held_flat(case):
    _, clip, (planted, report) = case
    positions = planted.positions()
    for leg, found in zip(report.legs, clip.find_legs(), strict=True):
        for first, last in leg.held:
            assert np.ptp(positions[first : last + 1, found.ankle], axis=0).max() <= 1e-4 * leg.length


@pytest.mark.data
def test_knees_stay_knees(case):
    _, clip, (planted, report) = case
    before, after = report.knee_range("before"), report.knee_range("after")
    assert after[0] >= before[0] - 15.0
    assert after[1] <= 180.0
    assert all(not leg.unreachable for leg in report.legs)
    for leg in clip.find_legs():
        for joint in leg.chain:
            speeds = []
            for version in (clip, planted):
                q = version.rotations[3:, joint]  # the first frames jump from a T-pose in some files
                cosine = np.abs(np.einsum("fi,fi->f", q[1:], q[:-1]))
                speeds.append(np.degrees(2.0 * np.arccos(np.minimum(cosine, 1.0))).max() * clip.fps)
            assert speeds[1] <= 1.5 * speeds[0] + 60.0


@pytest.mark.data
def test_the_body_keeps_its_bound_on_acceleration(case):
    _, clip, (planted, report) = case
    (pelvis,) = np.flatnonzero((clip.translations != planted.translations).any(axis=(0, 2)))
    known, now = (np.diff(c.positions()[:, pelvis], 2, axis=0) * clip.fps**2 for c in (clip, planted))
    added = np.linalg.norm(now, axis=1) - np.linalg.norm(known, axis=1)
    assert added.max() <= 20.0 * report.leg_length
    assert added.max() == pytest.approx(report.added_acceleration, abs=1e-6 * report.leg_length)


@pytest.mark.data
def test_held_feet_make_few_knees_pop(case):
    _, _, (_, report) = case
    assert [str(row) for row in report.cost.rows if row.row in ("pops", "jump") and row.grade] == []


@pytest.mark.data
def test_untouched_joints_keep_their_bits(case):
    _, clip, (planted, report) = case
    legs = {joint for leg in clip.find_legs() for joint in leg.chain}
    others = [joint for joint in range(clip.skeleton.num_joints) if joint not in legs]
    assert np.array_equal(clip.rotations[:, others], planted.rotations[:, others])
    moved = np.flatnonzero((clip.translations != planted.translations).any(axis=(0, 2)))
    assert len(moved) <= 1
    assert np.abs(report.body_shift).max() <= 0.25 * report.leg_length


@pytest.mark.data
def test_a_walk_has_one_contact_per_step(data_dir):
    report = sk.plant_feet(sk.load(data_dir / "bvh" / "cmu_12_01_walk.bvh")).report
    assert [len(leg.contacts) for leg in report.legs] == [4, 4]


@pytest.mark.data
def test_the_makehuman_cycle_is_recognised_as_in_place(data_dir):
    report = sk.plant_feet(sk.load(data_dir / "bvh" / "makehuman_walk1.bvh")).report
    assert report.ground_velocity is not None
    assert report.ground_velocity[1] > 0.0  # the figure faces −y
    assert any("cycle in place" in message for message in report.messages)


@pytest.mark.data
def test_what_is_planted_is_left_by_a_second_run(case):
    name, _, (planted, report) = case
    again = sk.plant_feet(planted).clip
    moved = np.abs(again.positions() - planted.positions()).max()
    assert moved <= 1e-3 * report.leg_length, name


@pytest.mark.data
@pytest.mark.parametrize("name", ["bvh_hard/fair1_zombie.bvh", "npz/kimodo_soma30_keyframes_walk.npz"])
def test_a_foot_held_for_a_part_of_its_flat_frames_is_held_no_longer_the_second_time(data_dir, name):
    planted, report = sk.plant_feet(sk.load(data_dir / name))
    again, other = sk.plant_feet(planted)
    assert [leg.held for leg in other.legs] == [leg.held for leg in report.legs]
    assert np.abs(again.positions() - planted.positions()).max() <= 1e-3 * report.leg_length


@pytest.mark.data
def test_a_rider_is_not_pulled_off_the_pedals(data_dir):
    clip = sk.load(data_dir / "bvh" / "optitrack_louise.bvh")
    planted = sk.plant_feet(clip)
    riding = slice(1150, 2200)
    moved = np.abs(planted.clip.positions()[riding] - clip.positions()[riding]).max()
    assert moved <= 0.06 * planted.report.leg_length


@pytest.mark.data
def test_contacts_agree_with_another_librarys_labels(data_dir):
    with np.load(data_dir / "npz" / "pybvh_contacts_cmu_12_01_walk.npz", allow_pickle=False) as labels:
        keys = [key for key in labels.files if labels[key].shape == (524, 2)]
        assert keys
        theirs = {key: labels[key].astype(bool) for key in keys}
    report = sk.plant_feet(sk.load(data_dir / "bvh" / "cmu_12_01_walk.bvh")).report
    ours = np.zeros((524, 2), bool)
    for k, leg in enumerate(report.legs):
        for first, last in leg.contacts:
            ours[first : last + 1, k] = True
    best = max(2.0 * (ours & t).sum() / (ours.sum() + t.sum()) for t in theirs.values())
    assert best >= 0.85


@pytest.mark.data
def test_feet_with_unlike_soles_are_not_taken_for_a_fault(data_dir):
    clip = sk.load(data_dir / "bvh" / "optitrack_louise.bvh")
    report = sk.plant_feet(clip).report
    for leg in report.legs:  # she stands still for the first four seconds, one end site lower than the other
        assert np.abs(leg.after.knee[:400] - leg.before.knee[:400]).max() <= 12.0


@pytest.mark.data
@pytest.mark.parametrize("name", ["bvh/optitrack_louise", "bvh_hard/adelaide_milad", "bvh_hard/fair1_zombie"])
def test_knees_captured_past_straight_never_bend_backward_nor_turn_over(data_dir, name):
    clip = sk.load(data_dir / f"{name}.bvh")[:700]
    planted = clip.plant_feet().clip
    for leg in clip.find_legs():
        (before, normals, _), (after, planted_normals, sides) = (knee_of(c, leg) for c in (clip, planted))
        axis = np.linalg.svd(normals, full_matrices=False)[2][0]
        axis = axis * np.sign(normals[np.argmax(before)] @ axis)  # these legs bend furthest to their own side
        before, after = before * np.sign(normals @ axis), after * np.sign(planted_normals @ axis)
        assert before.min() < -5.0 or leg.side == "right"
        assert (after >= np.minimum(before, 0.0) - 1.0).all()
        bent = np.abs(after) > 7.0
        turned = np.einsum("fi,fi->f", sides[1:], sides[:-1]) < 0.0
        assert not (turned & bent[1:] & bent[:-1]).any()


def knee_of(clip, leg):
    """Flexion in degrees, normals of the bend plane in the thigh's axes, and unit vectors from line to knee."""
    matrices = clip.global_matrices()
    hip, knee, ankle = (matrices[:, j, :3, 3] for j in leg.chain)
    thigh, shin = knee - hip, ankle - knee
    normal = np.einsum("fji,fj->fi", matrices[:, leg.chain[0], :3, :3], np.cross(thigh, shin))
    flexion = np.degrees(np.arctan2(np.linalg.norm(normal, axis=1), np.einsum("fi,fi->f", thigh, shin)))
    line = (ankle - hip) / np.linalg.norm(ankle - hip, axis=1, keepdims=True)
    side = thigh - np.einsum("fi,fi->f", thigh, line)[:, None] * line
    return flexion, normal, side / np.linalg.norm(side, axis=1, keepdims=True)
