# SPDX-License-Identifier: MIT
"""Planting, judged against walks whose contacts are known by construction."""

from __future__ import annotations

import numpy as np
import pytest
import reference

import skelkin_py as sk

SOLE = 0.03

CASES = [
    {},
    {"fps": 120.0},
    {"up": "Z", "unit": 100.0},
    {"slide": 0.2, "sway": 0.04, "fps": 60.0},
    {"bump": 0.06, "lift": 0.05, "fps": 24.0},
    {"bump": 0.05, "lift": -0.1, "noise": 0.005, "fps": 120.0, "slide": 0.15},
]


def positions(clip):
    """Global joint positions from the plain numpy oracle."""
    return reference.forward_kinematics(clip.skeleton, sk.compose(clip.translations, clip.rotations))[..., :3, 3]


def level(walk):
    return [axis for axis in range(3) if axis != walk.up]


def found_mask(leg, num):
    flags = np.zeros(num, bool)
    for first, last in leg.contacts:
        flags[first : last + 1] = True
    return flags


@pytest.mark.parametrize("faults", CASES, ids=str)
def test_contacts_agree_with_the_known_ones(make_walk, faults):
    walk = make_walk(**faults)
    report = sk.plant_feet(walk.clip).report
    both = total = 0
    for leg in report.legs:
        truth, found = walk.contact[leg.name], found_mask(leg, walk.clip.num_frames)
        both += 2 * (truth & found).sum()
        total += truth.sum() + found.sum()
    assert both / total >= 0.95


@pytest.mark.parametrize("faults", CASES, ids=str)
def test_ankle_and_ball_rest_in_known_stance(make_walk, faults):
    walk = make_walk(**faults)
    planted = sk.plant_feet(walk.clip)
    at = positions(planted.clip)
    # Noise may hide the very first moment of a contact.
    edge = max(1, round(walk.clip.fps / 60.0)) if faults.get("noise") else 1
    for side in ("left", "right"):
        ankle, toe = (walk.clip.skeleton.index(f"{side}_{part}") for part in ("foot", "toe"))
        for first, last in walk.flat[side]:
            assert np.ptp(at[first + edge : last + 1 - edge, ankle], axis=0).max() <= 1e-4 * walk.leg
        for first, last in walk.spans[side]:
            still = at[first + edge : last + 1 - edge, toe][:, level(walk)]
            assert np.ptp(still, axis=0).max() <= 1e-4 * walk.leg


@pytest.mark.parametrize("faults", CASES, ids=str)
def test_soles_stand_on_a_given_ground(make_walk, faults):
    walk = make_walk(**faults)
    height = 0.2 * walk.unit
    planted = sk.plant_feet(walk.clip, ground=height)
    at = positions(planted.clip)
    for leg in planted.report.legs:
        toe = walk.clip.skeleton.index(f"{leg.name}_toe")
        stance = walk.contact[leg.name] & found_mask(leg, walk.clip.num_frames)
        # Noise pitches a flat foot by a fraction of a degree: either end of its sole may be the one that touches.
        slack = (1e-3 if not faults.get("noise") else 0.01) * walk.leg
        assert np.abs(at[stance, toe, walk.up] - height - SOLE * walk.unit).max() <= slack
    assert planted.report.worst("penetration") <= 1e-3 * walk.leg
    assert planted.report.worst("float") <= 1e-3 * walk.leg
    grazes = 8.1e-3 if faults.get("noise") else 1e-3  # a sole that swings may graze the ground, if it did before
    assert planted.report.deepest() <= grazes * walk.leg


@pytest.mark.parametrize("faults", CASES[:4], ids=str)
def test_no_joint_pops(make_walk, faults):
    walk = make_walk(**faults)
    after = sk.plant_feet(walk.clip).clip

    def fastest(clip, joint):
        q = clip.rotations[:, joint]
        cosine = np.abs(np.einsum("fi,fi->f", q[1:], q[:-1]))
        return np.degrees(2.0 * np.arccos(np.minimum(cosine, 1.0))).max() * clip.fps

    for side in ("left", "right"):
        for part in ("thigh", "shin", "foot"):
            joint = walk.clip.skeleton.index(f"{side}_{part}")
            assert fastest(after, joint) <= 1.5 * fastest(walk.clip, joint) + 60.0, (side, part)


def test_everything_but_pelvis_and_legs_keeps_its_bits(make_walk):
    walk = make_walk(bump=0.05)
    after = sk.plant_feet(walk.clip).clip
    names = walk.clip.names
    moving = {f"{side}_{part}" for side in ("left", "right") for part in ("thigh", "shin", "foot")}
    for joint, name in enumerate(names):
        if name not in moving:
            assert np.array_equal(after.rotations[:, joint], walk.clip.rotations[:, joint]), name
        if name != "hips":
            assert np.array_equal(after.translations[:, joint], walk.clip.translations[:, joint]), name
    assert after.fps == walk.clip.fps
    assert after.skeleton == walk.clip.skeleton


def test_frames_outside_the_range_keep_their_bits(make_walk):
    walk = make_walk(bump=0.05)
    first, last = 40, 120
    planted = sk.plant_feet(walk.clip, frames=(first, last), ground=0.0)
    outside = np.r_[0 : first + 1, last : walk.clip.num_frames]
    assert np.array_equal(planted.clip.rotations[outside], walk.clip.rotations[outside])
    assert np.array_equal(planted.clip.translations[outside], walk.clip.translations[outside])
    assert not np.array_equal(planted.clip.rotations, walk.clip.rotations)
    steps = np.abs(np.diff(positions(planted.clip), axis=0)).max(axis=(1, 2))
    assert steps[[first - 1, first, last - 1, last]].max() <= 1.5 * steps.max()


@pytest.mark.parametrize("scale", [1e-4, 1e4])
def test_the_same_clip_at_another_scale_gives_the_same_feet(make_walk, scale):
    walk = make_walk(bump=0.05)
    skeleton = walk.clip.skeleton
    rest = np.array(skeleton.rest_local)
    rest[:, :3, 3] *= scale
    small = sk.Skeleton(skeleton.parents, rest, walk.clip.names)
    clip = sk.Clip(small, walk.clip.rotations, walk.clip.translations * scale, fps=walk.clip.fps)
    one, other = sk.plant_feet(walk.clip), sk.plant_feet(clip)
    assert [leg.contacts for leg in one.report.legs] == [leg.contacts for leg in other.report.legs]
    assert np.abs(positions(one.clip) * scale - positions(other.clip)).max() <= 1e-9 * walk.leg * scale


def test_a_second_run_with_the_same_contacts_changes_next_to_nothing(make_walk):
    walk = make_walk(bump=0.05)
    once = sk.plant_feet(walk.clip)
    spans = [leg.contacts for leg in once.report.legs]
    twice = sk.plant_feet(once.clip, contacts=spans)
    assert np.abs(positions(once.clip) - positions(twice.clip)).max() <= 1e-4 * walk.leg


def test_a_second_run_that_looks_anew_changes_little(make_walk):
    walk = make_walk(bump=0.05)
    once = sk.plant_feet(walk.clip)
    twice = sk.plant_feet(once.clip)
    assert np.abs(positions(once.clip) - positions(twice.clip)).max() <= 1e-2 * walk.leg


def test_a_clean_walk_is_left_nearly_as_it_is(make_walk):
    walk = make_walk(slide=0.0, sway=0.0)
    after = sk.plant_feet(walk.clip, ground=0.0).clip
    assert np.abs(positions(after) - positions(walk.clip)).max() <= 0.03 * walk.leg


def test_feet_follow_a_ground_function(make_walk):
    walk = make_walk()

    def hill(points):
        return 0.06 * np.sin(points[:, 2])

    planted = sk.plant_feet(walk.clip, ground=hill)
    at = positions(planted.clip)
    for side in ("left", "right"):
        toe = walk.clip.skeleton.index(f"{side}_toe")
        for first, last in walk.spans[side]:
            above = at[first + 1 : last, toe, 1] - hill(at[first + 1 : last, toe])
            assert np.ptp(at[first + 1 : last, toe][:, [0, 2]], axis=0).max() <= 1e-4 * walk.leg
            assert np.abs(above - SOLE).max() <= 1e-3 * walk.leg
    assert planted.report.worst("penetration") <= 1e-3 * walk.leg
    assert planted.report.worst("float") <= 1e-3 * walk.leg


def test_a_step_in_the_ground_lifts_the_swinging_foot_over_its_edge(make_walk):
    walk = make_walk()
    planted = sk.plant_feet(walk.clip, ground=lambda p: np.where(p[:, 2] > 2.6, 0.12, 0.0))
    assert planted.report.deepest() <= 8.1e-3 * walk.leg  # a sole that swings may graze the ground, if it did before


def test_in_place_cycle_has_only_its_heights_fixed_and_says_so(make_walk):
    walk = make_walk(in_place=True, lift=0.04, sway=0.0)
    planted = sk.plant_feet(walk.clip, ground=0.0)
    assert any("cycle in place" in message for message in planted.report.messages)
    velocity = planted.report.ground_velocity
    assert velocity is not None
    assert velocity[2] == pytest.approx(-1.0, rel=0.1)
    before, after = positions(walk.clip), positions(planted.clip)
    for side in ("left", "right"):
        ankle, toe = (walk.clip.skeleton.index(f"{side}_{part}") for part in ("foot", "toe"))
        assert np.abs(after[:, ankle][:, [0, 2]] - before[:, ankle][:, [0, 2]]).max() <= 0.01 * walk.leg
        for first, last in walk.spans[side]:
            assert np.abs(after[first + 1 : last, toe, 1] - SOLE).max() <= 1e-3 * walk.leg


def test_ground_only_leaves_the_feet_where_they_are_in_the_level_plane(make_walk):
    walk = make_walk(lift=0.03)
    planted = sk.plant_feet(walk.clip, contacts="ground_only", ground=0.0)
    before, after = positions(walk.clip), positions(planted.clip)
    ankle = walk.clip.skeleton.index("left_foot")
    assert np.abs(after[:, ankle][:, [0, 2]] - before[:, ankle][:, [0, 2]]).max() <= 0.01 * walk.leg
    assert planted.report.worst("float", "before") > 0.02 * walk.leg
    assert planted.report.worst("float") <= 1e-9 * walk.leg


def test_given_spans_are_used_as_they_are(make_walk):
    walk = make_walk()
    planted = sk.plant_feet(walk.clip, contacts=walk.spans)
    assert {leg.name: leg.contacts for leg in planted.report.legs} == walk.spans
    at = positions(planted.clip)
    for side, spans in walk.spans.items():
        toe = walk.clip.skeleton.index(f"{side}_toe")
        assert max(np.ptp(at[a : b + 1, toe][:, [0, 2]], axis=0).max() for a, b in spans) <= 1e-4 * walk.leg


def test_never_changes_nothing(make_walk):
    walk = make_walk()
    planted = sk.plant_feet(walk.clip, contacts="never")
    assert planted.clip == walk.clip
    assert any("nothing changed" in message for message in planted.report.messages)


def test_always_holds_a_standing_figure_on_its_spot(make_walk):
    walk = make_walk(slide=0.0, sway=0.0)
    rotations = np.repeat(walk.clip.rotations[2:3], 40, axis=0)
    translations = np.repeat(walk.clip.translations[2:3], 40, axis=0)
    translations[:, 0, 0] += 0.05 * np.arange(40) / 40
    still = sk.Clip(walk.clip.skeleton, rotations, translations, fps=30.0)
    planted = sk.plant_feet(still, contacts="always")
    at = positions(planted.clip)
    for side in ("left", "right"):
        ankle = still.skeleton.index(f"{side}_foot")
        assert np.ptp(at[:, ankle], axis=0).max() <= 1e-4 * walk.leg


@pytest.mark.parametrize("reach", ["soften", "lower_pelvis"])
def test_the_body_comes_down_where_a_leg_is_too_short(make_walk, reach):
    walk = make_walk(slide=0.35)
    planted = sk.plant_feet(walk.clip, reach=reach)
    assert planted.report.body_shift.min() < -0.005 * walk.leg
    assert all(not leg.unreachable for leg in planted.report.legs)
    assert planted.report.slide()[1] <= 1e-4 * walk.leg
    jerk = np.abs(np.diff(planted.report.body_shift, n=2)).max() * walk.clip.fps**2
    assert jerk <= 30.0 * walk.leg  # leg lengths per second squared: three times the fall of a body


def test_stretched_bones_keep_the_body_higher(make_walk):
    walk = make_walk(slide=0.35)
    low = sk.plant_feet(walk.clip).report.body_shift.min()
    planted = sk.plant_feet(walk.clip, reach="stretch", stretch=1.08)
    assert planted.report.body_shift.min() > low
    assert planted.report.slide()[1] <= 1e-4 * walk.leg
    assert any("change their length" in message for message in planted.report.messages)


@pytest.mark.parametrize("seed", range(3))
def test_a_moved_and_turned_clip_gives_the_moved_and_turned_feet(make_walk, seed):
    walk = make_walk()
    random = np.random.default_rng(seed)
    angle = random.uniform(0.0, 2.0 * np.pi)
    world = sk.compose([*random.normal(size=3)], [np.cos(angle / 2), 0.0, np.sin(angle / 2), 0.0])
    local = walk.clip.local_matrices()
    moved = local.copy()
    moved[:, 0] = world @ local[:, 0]
    one = sk.planting.plant_locals(walk.clip.skeleton, local, fps=walk.clip.fps, up="Y")
    other = sk.planting.plant_locals(walk.clip.skeleton, moved, fps=walk.clip.fps, up="Y")
    want = world @ reference.forward_kinematics(walk.clip.skeleton, one.local)
    assert np.abs(want - reference.forward_kinematics(walk.clip.skeleton, other.local)).max() <= 1e-6


@pytest.mark.parametrize("world", ["scaled", "mirrored"])
def test_the_root_may_carry_a_scaled_or_mirrored_world(make_walk, world):
    walk = make_walk()
    matrix = np.diag([0.01, 0.01, 0.01, 1.0]) if world == "scaled" else np.diag([-1.0, 1.0, 1.0, 1.0])
    local = walk.clip.local_matrices()
    moved = local.copy()
    moved[:, 0] = matrix @ local[:, 0]
    one = sk.planting.plant_locals(walk.clip.skeleton, local, fps=walk.clip.fps, up="Y", ground=0.0, sole=SOLE)
    sole = SOLE * abs(matrix[1, 1])
    other = sk.planting.plant_locals(walk.clip.skeleton, moved, fps=walk.clip.fps, up="Y", ground=0.0, sole=sole)
    want = matrix @ reference.forward_kinematics(walk.clip.skeleton, one.local)
    got = reference.forward_kinematics(walk.clip.skeleton, other.local)
    assert np.abs(want[..., :3, 3] - got[..., :3, 3]).max() <= 1e-6 * abs(matrix[1, 1])


def test_locals_keep_their_dtype_and_tell_what_changed(make_walk):
    walk = make_walk()
    local = walk.clip.local_matrices().astype(np.float32)
    planted = sk.planting.plant_locals(walk.clip.skeleton, local, fps=walk.clip.fps)
    assert planted.local.dtype == np.float32
    differs = np.flatnonzero((planted.local != local).any(axis=(0, 2, 3)))
    assert tuple(differs) == planted.changed
    names = {walk.clip.names[j] for j in planted.changed}
    assert names == {"hips"} | {f"{s}_{p}" for s in ("left", "right") for p in ("thigh", "shin", "foot")}


def test_a_thigh_in_two_pieces_gives_the_same_feet(make_walk):
    walk = make_walk(bump=0.05)
    skeleton, local = walk.clip.skeleton, walk.clip.local_matrices()
    names, parents, rest, pose, place = [], [], [], [], {}
    for joint, name in enumerate(skeleton.names):
        above = int(skeleton.parents[joint])
        parents.append(place.get(above, -1))
        own_rest, own = skeleton.rest_local[joint].copy(), local[:, joint].copy()
        if name.endswith("_shin"):  # a joint half-way down the thigh
            own_rest[:3, 3] /= 2.0
            own[:, :3, 3] /= 2.0
            for matrices, half in ((rest, own_rest), (pose, own)):
                still = np.broadcast_to(np.eye(4), half.shape).copy()
                still[..., :3, 3] = half[..., :3, 3]
                matrices.append(still)
            names.append(name.replace("shin", "thigh02"))
            parents.append(len(names) - 1)
        rest.append(own_rest)
        pose.append(own)
        place[joint] = len(names)
        names.append(name)
    split = sk.Skeleton(parents, np.stack(rest), names)
    one = sk.planting.plant_locals(skeleton, local, fps=walk.clip.fps)
    other = sk.planting.plant_locals(split, np.stack(pose, axis=1), fps=walk.clip.fps)
    want = reference.forward_kinematics(skeleton, one.local)
    got = reference.forward_kinematics(split, other.local)[:, list(place.values())]
    assert np.abs(want - got).max() <= 1e-9
    assert not any("thigh02" in names[joint] for joint in other.changed)


def test_clip_and_locals_give_the_same_pose(make_walk):
    walk = make_walk()
    clip = sk.plant_feet(walk.clip).clip
    local = sk.planting.plant_locals(walk.clip.skeleton, walk.clip.local_matrices(), fps=walk.clip.fps).local
    assert np.abs(clip.local_matrices() - local).max() <= 1e-9
