# SPDX-License-Identifier: MIT
"""What planting says to input it cannot use, and what it answers where there is little to do."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import skelkin_py as sk
from skelkin_py.planting import plant_locals
from skelkin_py.view import panel


def plant(walk, **options):
    return sk.plant_feet(walk.clip, **options)


def test_a_skeleton_without_legs_is_refused():
    rest = np.tile(np.eye(4), (3, 1, 1))
    rest[1:, 1, 3] = 1.0
    clip = sk.Clip(sk.Skeleton([-1, 0, 1], rest, ["a", "b", "c"]), np.tile([1.0, 0, 0, 0], (9, 3, 1)), fps=30)
    with pytest.raises(ValueError, match="no leg was found"):
        sk.plant_feet(clip)


@pytest.mark.parametrize(("part", "above"), [("shin", "thigh"), ("foot", "shin")])
def test_a_leg_of_length_zero_is_named(make_walk, part, above):
    walk = make_walk()
    flat = walk.clip.translations.copy()
    flat[:, walk.clip.skeleton.index(f"left_{part}")] = 0.0
    words = (
        rf"legs\[0\] \(left\) has a bone of length zero: left_{above} and left_{part} lie at one place in (\d+) of \1"
    )
    with pytest.raises(ValueError, match=words):
        sk.plant_feet(walk.clip.replace(translations=flat))


@pytest.mark.parametrize(("part", "bone"), [("shin", "thigh"), ("foot", "shin")])
def test_a_bone_without_length_in_some_frames_is_said_and_the_rest_is_planted(make_walk, part, bone):
    walk = make_walk()
    flat = walk.clip.translations.copy()
    flat[20:30, walk.clip.skeleton.index(f"left_{part}")] = 0.0
    planted = sk.plant_feet(walk.clip.replace(translations=flat))
    start = f"the left {bone} has no length in 10 frames, first in 20–29"
    assert any(message.startswith(start) for message in planted.report.messages)
    assert np.isfinite(planted.clip.rotations).all()
    assert planted.report.slide()[1] <= 1e-4 * walk.leg


@pytest.mark.parametrize("value", [1e300, -1e120])
def test_coordinates_beyond_all_measure_are_named(make_walk, value):
    walk = make_walk()
    wild = walk.clip.translations.copy()
    wild[17:20, walk.clip.skeleton.index("left_shin"), 1] = value
    with pytest.raises(ValueError, match=r"left_shin of the left leg is at \[.*\] in frame 17: .* below 1e\+100"):
        sk.plant_feet(walk.clip.replace(translations=wild))


def test_legs_that_do_not_fit_are_named(make_walk):
    walk = make_walk()
    left, right = walk.clip.find_legs()
    wrong = dataclasses.replace(right, chain=(left.hip, right.knee, right.ankle))
    with pytest.raises(ValueError, match=r"legs\[1\]: joint \d+ \(lower\) does not hang from joint \d+"):
        plant(walk, legs=[left, wrong])
    with pytest.raises(ValueError, match=r"legs\[1\] is the same leg as one before it"):
        plant(walk, legs=[left, left])
    with pytest.raises(TypeError, match="legs is a Leg: a sequence of Leg is needed"):
        plant(walk, legs=left)
    with pytest.raises(ValueError, match=r"legs\[0\] end joint is 99"):
        plant(walk, legs=[dataclasses.replace(left, chain=(left.hip, left.knee, 99))])


def test_frames_that_are_not_finite_are_named(make_walk):
    walk = make_walk()
    local = walk.clip.local_matrices()
    local[17:20, walk.clip.skeleton.index("left_shin"), 0, 3] = np.nan
    with pytest.raises(ValueError, match=r"local\[17, \d+\] \(left_shin\) is not finite: frames 17–19"):
        plant_locals(walk.clip.skeleton, local, fps=30.0)


def test_a_nan_in_a_joint_that_takes_no_part_stays_where_it_is(make_walk):
    walk = make_walk()
    local = walk.clip.local_matrices()
    arm = walk.clip.skeleton.index("left_arm")
    local[3, arm] = np.nan
    planted = plant_locals(walk.clip.skeleton, local, fps=30.0)
    assert np.isnan(planted.local[3, arm]).all()
    assert np.isfinite(np.delete(planted.local, arm, axis=1)).all()


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        (
            {"ground": "flat"},
            TypeError,
            "ground is str: None .* a number .* a function .* a MeshGround or an object with cast",
        ),
        ({"ground": float("nan")}, ValueError, "ground is nan"),
        ({"ground": lambda p: p}, ValueError, r"ground returned shape \(\d+, 3\)"),
        ({"ground": lambda p: np.full(len(p), np.inf)}, ValueError, r"ground returned inf at \("),
        ({"ground": lambda p: None}, TypeError, "ground returned object values: real heights are needed"),
        ({"ground": lambda p: "low"}, TypeError, "ground returned <U3 values"),
        ({"ground": lambda p: np.zeros(len(p), complex)}, TypeError, "ground returned complex128 values"),
        ({"contacts": "often"}, ValueError, "contacts is 'often': one of auto, always, never, ground_only"),
        ({"contacts": 3}, TypeError, "contacts is int"),
        (
            {"contacts": {"middle": [(0, 3)]}},
            ValueError,
            r"contacts\['middle'\]: no leg is called so; there are left, right",
        ),
        ({"contacts": [[(0, 3)]]}, ValueError, "contacts has 1 lists of spans: one per leg is needed"),
        ({"contacts": {"left": [(5, 2)]}}, ValueError, r"contacts\['left'\]\[0\] is \(5, 2\)"),
        ({"contacts": [[], [(5, 2)]]}, ValueError, r"contacts\[1\]\[0\] is \(5, 2\)"),
        ({"contacts": {"left": [(0.5, 2)]}}, ValueError, "two whole frames"),
        ({"contacts": {"right": [(0, 9999)]}}, ValueError, r"contacts\['right'\]\[0\] is \(0, 9999\)"),
        ({"contacts": {"left": None}}, TypeError, r"contacts\['left'\] is None: a list of spans"),
        ({"contacts": {"right": "always"}}, TypeError, r"contacts\['right'\] is 'always': a list of spans"),
        ({"reach": "grow"}, ValueError, "reach is 'grow'"),
        ({"stretch": 0.5}, ValueError, "stretch is 0.5"),
        ({"blend": -1.0}, ValueError, "blend is -1.0"),
        ({"blend": "short"}, TypeError, "blend is 'short': a number is needed"),
        ({"stretch": None}, TypeError, "stretch is None: a number is needed"),
        ({"metres_per_unit": "cm"}, TypeError, "metres_per_unit is 'cm': a number is needed"),
        ({"sole": -0.1}, ValueError, "sole is -0.1: it must be finite and at least 0"),
        ({"frames": 5}, TypeError, "frames is 5: .first, last. is needed, two whole frames"),
        ({"frames": (0.5, 9)}, TypeError, r"frames is \(0.5, 9\)"),
        ({"frames": (9, 3)}, ValueError, r"frames is \(9, 3\)"),
        ({"up": "W"}, ValueError, "up is 'W'"),
        ({"up": (0, 0, 0)}, ValueError, "up is"),
        ({"metres_per_unit": 0.0}, ValueError, "metres_per_unit is 0.0"),
        ({"legs": "left"}, TypeError, r"legs\[0\] is 'l': a Leg is needed"),
        ({"legs": 3}, TypeError, "legs is a int: a sequence of Leg is needed"),
        ({"pelvis": "hips"}, TypeError, "pelvis is 'hips': the index of a joint is needed"),
        ({"pelvis": 2}, ValueError, "pelvis is 2: all legs must hang from it"),
    ],
    ids=str,
)
def test_a_wrong_option_is_named_with_its_value(make_walk, options, error, words):
    with pytest.raises(error, match=words):
        plant(make_walk(), **options)


def test_locals_without_their_last_row_are_planted_alike(make_walk):
    clip = make_walk().clip
    whole = clip.local_matrices()
    assert np.array_equal(
        plant_locals(clip.skeleton, whole[..., :3, :], fps=30).local, plant_locals(clip.skeleton, whole, fps=30).local
    )


def test_what_is_no_clip_is_named(make_walk):
    clip = make_walk().clip
    with pytest.raises(TypeError, match="clip is a ndarray: a Clip is needed; for matrices there is plant_locals"):
        sk.plant_feet(clip.rotations)
    with pytest.raises(TypeError, match="skeleton is a Clip: a Skeleton is needed"):
        plant_locals(clip, clip.local_matrices(), fps=30)
    with pytest.raises(TypeError, match="compare is a int: a Clip is needed"):
        clip.show(compare=5)
    with pytest.raises(TypeError, match="fps is '30': must be a number"):
        sk.Clip(clip.skeleton, clip.rotations, fps="30")


def test_a_figure_the_report_does_not_have_is_named(make_walk):
    report = sk.plant_feet(make_walk().clip).report
    with pytest.raises(ValueError, match=r"what is 'speed': one of .*penetration"):
        report.worst("speed")
    for ask in (report.slide, report.deepest, report.knee_range):
        with pytest.raises(ValueError, match="when is 'now': 'before' or 'after'"):
            ask("now")


def test_wrong_shapes_of_locals_are_named(make_walk):
    skeleton = make_walk().clip.skeleton
    with pytest.raises(ValueError, match=r"local has shape \(3, 2, 4, 4\)"):
        plant_locals(skeleton, np.zeros((3, 2, 4, 4)), fps=30.0)
    with pytest.raises(TypeError, match="fps is '30': a number is needed"):
        plant_locals(skeleton, make_walk().clip.local_matrices(), fps="30")
    with pytest.raises(ValueError, match="fps is 0"):
        plant_locals(skeleton, make_walk().clip.local_matrices(), fps=0.0)
    with pytest.raises(TypeError, match="dtype"):
        plant_locals(skeleton, np.full((1, skeleton.num_joints, 4, 4), "x"), fps=30.0)


@pytest.mark.parametrize("frames", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("contacts", ["auto", "always", "never", "ground_only"])
def test_clips_of_few_frames_get_an_answer_in_every_mode(make_walk, frames, contacts):
    planted = sk.plant_feet(make_walk().clip.slice(8, 8 + frames), contacts=contacts)
    assert planted.clip.num_frames == frames
    assert np.isfinite(planted.clip.rotations).all()
    assert planted.report.deepest() <= 1e-9
    assert contacts != "always" or len(planted.report.contacts) == 2
    assert contacts != "never" or planted.clip == make_walk().clip.slice(8, 8 + frames)
    planted.report.to_dict()
    str(planted.report)


@pytest.mark.parametrize("frames", [1, 2])
def test_a_clip_shorter_than_a_contact_is_returned_as_it_is(make_walk, frames):
    clip = make_walk().clip.slice(0, frames)
    planted = sk.plant_feet(clip)
    assert planted.clip == clip
    assert any("shorter than a contact" in message for message in planted.report.messages)


@pytest.mark.parametrize("contacts", ["always", {"left": [(0, 0)], "right": [(0, 0)]}])
def test_one_frame_that_always_stands_is_put_on_the_ground(make_walk, contacts):
    walk = make_walk(slide=0.0, sway=0.0, lift=0.1)
    planted = sk.plant_feet(walk.clip.slice(4, 5), contacts=contacts, ground=0.0)
    assert [(c.first_frame, c.last_frame) for c in planted.report.contacts] == [(0, 0), (0, 0)]
    assert planted.report.worst("float", "before") > 0.05
    assert planted.report.worst("float") <= 1e-9
    assert planted.report.worst("penetration") <= 1e-9


def test_a_clip_that_never_touches_the_ground_is_returned_with_a_message(make_walk):
    walk = make_walk()
    flight = walk.clip.translations.copy()
    flight[:, 0, 2] += 30.0 * np.arange(len(flight)) / walk.clip.fps  # carried through the air
    flight[:, 0, 1] += 5.0 * np.sin(np.arange(len(flight)))
    clip = walk.clip.replace(translations=flight)
    planted = sk.plant_feet(clip)
    assert planted.clip == clip
    assert any("no foot ever stands" in message for message in planted.report.messages)
    # With no ground known, none is invented to be below of.
    assert planted.report.ground is None
    assert planted.report.deepest("before") == planted.report.deepest() == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("ground", [-50.0, 50.0, lambda p: np.full(len(p), -50.0)])
def test_a_ground_far_from_the_feet_is_said(make_walk, ground):
    planted = sk.plant_feet(make_walk().clip, ground=ground)
    assert any("the feet never come near the ground" in message for message in planted.report.messages)
    near = sk.plant_feet(make_walk().clip, ground=-0.2)
    assert not any("never come near" in message for message in near.report.messages)


def test_a_range_without_room_for_a_contact_is_said(make_walk):
    clip = make_walk().clip
    planted = sk.plant_feet(clip, frames=(10, 11))
    assert planted.clip == clip
    assert any(message.startswith("no contact lies inside frames (10, 11)") for message in planted.report.messages)


def test_a_character_scaled_to_nothing_is_named(make_walk):
    walk = make_walk()
    local = walk.clip.local_matrices()
    local[7, 0, :3, :3] *= (1.0, 0.0, 1.0)
    with pytest.raises(ValueError, match="the left foot is scaled to nothing at frame 7"):
        plant_locals(walk.clip.skeleton, local, fps=30.0)


def test_a_wild_frame_rate_costs_no_memory(make_walk):
    clip = make_walk().clip
    planted = plant_locals(clip.skeleton, clip.local_matrices(), fps=1e12)
    assert planted.changed == ()
    assert any("shorter than a contact" in message for message in planted.report.messages)


def three_pairs_of_legs() -> sk.Clip:
    names, parents, offsets = ["body"], [-1], [(0.0, 1.0, 0.0)]
    for pair, z in enumerate((0.6, 0.0, -0.6)):
        for side, x in (("left", 0.3), ("right", -0.3)):
            first = len(names)
            names += [f"{side}_{part}_{pair}" for part in ("thigh", "shin", "foot", "toe")]
            parents += [0, first, first + 1, first + 2]
            offsets += [(x, -0.02, z), (0.1 * np.sign(x), -0.45, 0.02), (0, -0.45, -0.02), (0, -0.05, 0.12)]
    rest = np.tile(np.eye(4), (len(names), 1, 1))
    rest[:, :3, 3] = offsets
    translations = np.tile(rest[:, :3, 3], (40, 1, 1))
    translations[:, 0, 2] += 0.005 * np.arange(40)
    rotations = np.tile([1.0, 0, 0, 0], (40, len(names), 1))
    return sk.Clip(sk.Skeleton(parents, rest, names), rotations, translations, fps=29.97)


def test_three_pairs_of_legs_are_planted_and_told_apart():
    clip = three_pairs_of_legs()
    planted = sk.plant_feet(clip, contacts="always")
    feet = [f"{side}_foot_{pair}" for pair in range(3) for side in ("left", "right")]
    assert [leg.name for leg in planted.report.legs] == feet
    joints = [clip.skeleton.index(name) for name in feet]
    assert np.ptp(planted.clip.positions()[:, joints], axis=0).max() <= 1e-4
    shown = panel.feet_of(planted.clip, planted.report, planted.clip.find_legs())
    assert [foot["joints"][0] for foot in shown] == joints


def test_legs_that_share_a_side_are_given_contacts_by_their_feet():
    clip = three_pairs_of_legs()
    spans = [(4, 20)]
    planted = sk.plant_feet(clip, contacts={"left_foot_1": spans})
    assert [leg.name for leg in planted.report.legs if leg.contacts] == ["left_foot_1"]
    with pytest.raises(
        ValueError, match=r"contacts\['left'\]: no leg is called so; there are left_foot_0, right_foot_0"
    ):
        sk.plant_feet(clip, contacts={"left": spans})


def test_a_place_no_leg_can_reach_is_said_and_nothing_breaks(make_walk):
    walk = make_walk(slide=0.0, sway=0.0)
    planted = sk.plant_feet(walk.clip, contacts="always")
    assert np.isfinite(planted.clip.rotations).all()
    assert any("cannot reach" in message for message in planted.report.messages)
    assert any(leg.unreachable for leg in planted.report.legs)


@pytest.mark.parametrize("contacts", [{}, {"left": []}, [[], []]], ids=str)
def test_spans_that_name_no_frame_change_nothing_and_are_said(make_walk, contacts):
    walk = make_walk()
    planted = sk.plant_feet(walk.clip, contacts=contacts)
    assert planted.clip == walk.clip
    assert planted.report.messages[0] == "contacts has no span for any leg: nothing changed"


def resting(clip: sk.Clip, turn) -> sk.Clip:
    """Return the same motion on a skeleton whose rest pose has the joints' local matrices changed by `turn`."""
    rest = np.array(clip.skeleton.rest_local)
    turn(rest, clip.skeleton.index)
    return sk.Clip(
        sk.Skeleton(clip.skeleton.parents, rest, clip.names), clip.rotations, clip.translations, fps=clip.fps
    )


def turned(axis, degrees: float) -> np.ndarray:
    return sk.compose([0.0, 0.0, 0.0], sk.quaternion_from_axis_angle(axis, np.radians(degrees)))


def sits(rest, index) -> None:
    for side in ("left", "right"):
        rest[index(f"{side}_thigh")] = rest[index(f"{side}_thigh")] @ turned([1.0, 0.0, 0.0], -90.0)
        rest[index(f"{side}_shin")] = rest[index(f"{side}_shin")] @ turned([1.0, 0.0, 0.0], 90.0)


def stands_on_its_head(rest, index) -> None:
    rest[0] = turned([1.0, 0.0, 0.0], 180.0) @ rest[0]


def hangs_high(rest, index) -> None:
    rest[0, 1, 3] += 100.0


def is_tangled(rest, index) -> None:
    random = np.random.default_rng(3)
    for joint in range(len(rest)):
        rest[joint] = rest[joint] @ turned(random.normal(size=3), random.uniform(0.0, 180.0))


@pytest.mark.parametrize("rest", [sits, stands_on_its_head, hangs_high, is_tangled])
def test_a_rest_pose_that_is_no_stand_gives_the_feet_of_one_that_is(make_walk, rest):
    walk = make_walk()
    want, got = sk.plant_feet(walk.clip), sk.plant_feet(resting(walk.clip, rest))
    assert [leg.contacts for leg in got.report.legs] == [leg.contacts for leg in want.report.legs]
    assert got.report.slide()[1] <= 1e-4 * walk.leg
    # The sole's thickness cannot be read from such a pose: a typical foot's is taken.
    assert np.abs(got.clip.positions() - want.clip.positions()).max() <= 0.01 * walk.leg


def test_a_bind_pose_that_is_not_the_rest_pose_takes_no_part(make_walk):
    clip = make_walk().clip
    bind = np.tile(turned([0.0, 0.0, 1.0], 40.0), (clip.skeleton.num_joints, 1, 1))
    skeleton = sk.Skeleton(clip.skeleton.parents, clip.skeleton.rest_local, clip.names, inverse_bind=bind)
    planted = sk.plant_feet(sk.Clip(skeleton, clip.rotations, clip.translations, fps=clip.fps)).clip
    want = sk.plant_feet(clip).clip
    assert np.array_equal(planted.rotations, want.rotations)
    assert np.array_equal(planted.translations, want.translations)


@pytest.mark.parametrize("rest_scaled", [True, False])
def test_scale_a_hundredth_on_the_root_gives_the_same_feet(make_walk, rest_scaled):
    """An importer's armature: centimetres below a root of scale 0.01, which the rest pose may not know."""
    clip = make_walk().clip
    old, num = clip.skeleton, clip.num_frames
    rest = np.concatenate([np.diag([0.01, 0.01, 0.01, 1.0] if rest_scaled else np.ones(4))[None], old.rest_local])
    rest[1:, :3, 3] *= 100.0
    skeleton = sk.Skeleton([-1, *(int(p) + 1 for p in old.parents)], rest, ["Armature", *clip.names])
    still = np.tile([1.0, 0.0, 0.0, 0.0], (num, 1, 1))
    scales = np.ones((num, len(rest), 3))
    scales[:, 0] = 0.01
    rotations = np.concatenate([still, clip.rotations], axis=1)
    translations = np.concatenate([np.zeros((num, 1, 3)), 100.0 * clip.translations], axis=1)
    got = sk.plant_feet(sk.Clip(skeleton, rotations, translations, scales, fps=clip.fps))
    want = sk.plant_feet(clip)
    assert np.abs(got.clip.positions()[:, 1:] - want.clip.positions()).max() <= 1e-9
    assert got.report.leg_length == pytest.approx(want.report.leg_length)


def test_one_leg_alone_is_planted(make_walk):
    walk = make_walk()
    left = walk.clip.find_legs()[0]
    planted = sk.plant_feet(walk.clip, legs=[left])
    assert planted.report.slide("before")[1] > 0.05 * walk.leg
    assert planted.report.slide()[1] <= 1e-4 * walk.leg
    assert len(planted.report.legs) == 1


def test_a_leg_made_by_hand_of_three_joints_is_planted(make_walk):
    walk = make_walk()
    found = walk.clip.find_legs()
    mine = [sk.Leg(hip=leg.hip, knee=leg.knee, ankle=leg.ankle, toe=leg.toe, side=leg.side) for leg in found]
    assert [leg.chain for leg in mine] == [leg.segments for leg in mine] == [leg.chain for leg in found]
    assert sk.plant_feet(walk.clip, legs=mine).clip == sk.plant_feet(walk.clip).clip


def test_straight_legs_without_any_bend_are_planted():
    rest = np.tile(np.eye(4), (8, 1, 1))
    for joint, at in enumerate([(0, 1, 0), (0, 0.5, 0), (0.1, 0, 0), (0, -0.5, 0), (0, -0.5, 0)]):
        rest[joint, :3, 3] = at
    rest[5:, :3, 3] = (-0.1, 0, 0), (0, -0.5, 0), (0, -0.5, 0)
    names = ["hips", "head", "LeftUpLeg", "LeftLeg", "LeftFoot", "RightUpLeg", "RightLeg", "RightFoot"]
    skeleton = sk.Skeleton([-1, 0, 0, 2, 3, 0, 5, 6], rest, names)
    translations = np.tile(rest[:, :3, 3], (60, 1, 1))
    translations[:, 0, 0] += 0.1 * np.arange(60) / 60
    clip = sk.Clip(skeleton, np.tile([1.0, 0, 0, 0], (60, 8, 1)), translations, fps=30)
    planted = sk.plant_feet(clip, contacts="always")
    assert np.isfinite(planted.clip.rotations).all()
    assert np.ptp(planted.clip.positions()[:, [4, 7]], axis=0).max() <= 1e-4
