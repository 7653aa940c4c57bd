# SPDX-License-Identifier: MIT
"""What planting says to input it cannot use."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from readable_ids import readable_id

import skelkin_py as sk
from skelkin_py.planting import plant_locals


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
    with pytest.raises(ValueError, match=r"legs\[1\]: joint \d+ 'right_shin' \(lower\) is not below joint \d+ '"):
        plant(walk, legs=[left, wrong])
    with pytest.raises(ValueError, match=r"legs\[1\] is the same leg as an earlier one"):
        plant(walk, legs=[left, left])
    with pytest.raises(TypeError, match="legs is <Leg>: a sequence of Leg is needed"):
        plant(walk, legs=left)
    with pytest.raises(ValueError, match=r"legs\[0\] end joint is 99"):
        plant(walk, legs=[dataclasses.replace(left, chain=(left.hip, left.knee, 99))])


def test_frames_that_are_not_finite_are_named(make_walk):
    walk = make_walk()
    local = walk.clip.local_matrices()
    local[17:20, walk.clip.skeleton.index("left_shin"), 0, 3] = np.nan
    with pytest.raises(ValueError, match=r"local\[17, \d+\] \(left_shin\) is not finite: frames 17–19"):
        plant_locals(walk.clip.skeleton, local, fps=30.0)


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        (
            {"ground": "flat"},
            TypeError,
            "ground is 'flat': None .* a number .* a function .* a MeshGround or an object with cast",
        ),
        ({"ground": float("nan")}, ValueError, "ground is nan"),
        ({"ground": lambda p: p}, ValueError, r"ground returned shape \(\d+, 3\)"),
        ({"ground": lambda p: np.full(len(p), np.inf)}, ValueError, r"ground returned inf at \("),
        ({"ground": lambda p: None}, TypeError, "ground returned object values: real heights are needed"),
        ({"ground": lambda p: "low"}, TypeError, "ground returned <U3 values"),
        ({"ground": lambda p: np.zeros(len(p), complex)}, TypeError, "ground returned complex128 values"),
        ({"contacts": "often"}, ValueError, "contacts is 'often': expected 'auto', 'always', 'never', 'ground_only'"),
        ({"contacts": 3}, TypeError, "contacts is a int"),
        (
            {"contacts": {"middle": [(0, 3)]}},
            ValueError,
            r"contacts\['middle'\]: there is no such leg, only left, right",
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
        ({"sole": -0.1}, ValueError, r"sole is -0.1: it must lie within 0 … 1e\+75"),
        ({"frames": 5}, TypeError, "frames is 5: .first, last. is needed, two whole frames"),
        ({"frames": (0.5, 9)}, TypeError, r"frames is \(0.5, 9\)"),
        ({"frames": (9, 3)}, ValueError, r"frames is \(9, 3\)"),
        ({"up": "W"}, ValueError, "up is 'W'"),
        ({"up": (0, 0, 0)}, ValueError, "up is"),
        ({"metres_per_unit": 0.0}, ValueError, "metres_per_unit is 0.0"),
        ({"legs": "left"}, TypeError, r"legs is 'left': a sequence of Leg is needed"),
        ({"legs": 3}, TypeError, "legs is 3: a sequence of Leg is needed"),
        ({"pelvis": "hips"}, TypeError, "pelvis is 'hips': the index of a joint is needed"),
        ({"pelvis": 2}, ValueError, "pelvis is 2: it must be above all legs"),
    ],
    ids=readable_id,
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
    with pytest.raises(TypeError, match="fps is '30': a number is needed"):
        sk.Clip(clip.skeleton, clip.rotations, fps="30")


def test_a_figure_the_report_does_not_have_is_named(make_walk):
    report = sk.plant_feet(make_walk().clip).report
    with pytest.raises(ValueError, match=r"what is 'speed': expected .*'penetration'"):
        report.worst("speed")
    for ask in (report.slide, report.deepest, report.knee_range):
        with pytest.raises(ValueError, match="when is 'now': expected 'before' or 'after'"):
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


def scaled(clip: sk.Clip, joint: str, frames: slice, by: float) -> sk.Clip:
    """Return a clip with a joint, and all below it, scaled in some frames."""
    scales = np.ones(clip.translations.shape)
    scales[frames, clip.names.index(joint)] = by
    return sk.Clip(clip.skeleton, clip.rotations, clip.translations, scales, fps=clip.fps)


HIDDEN = {
    "pops in": ("Hips", slice(0, 10)),
    "pops out": ("Hips", slice(170, 180)),
    "one frame": ("Hips", slice(50, 51)),
    "a hidden leg": ("LeftUpLeg", slice(0, 30)),
    "a hidden shin": ("RightLeg", slice(60, 100)),
    "most frames": ("LeftFoot", slice(0, 100)),
}


@pytest.mark.parametrize("by", [0.0, 1e-12, 1e-4])
@pytest.mark.parametrize("kind", HIDDEN)
def test_frames_scaled_to_nothing_stand_nowhere_and_the_others_are_planted(kind, by):
    joint, frames = HIDDEN[kind]
    clip = scaled(sk.example("biped").clip, joint, frames, by)
    planted = clip.plant_feet()
    hidden = np.zeros(180, bool)
    hidden[frames] = True
    assert np.array_equal(planted.clip.rotations[hidden], clip.rotations[hidden])
    assert np.array_equal(planted.clip.translations[hidden], clip.translations[hidden])
    plain = sk.example("biped").clip.plant_feet().report
    far = [each for each in plain.contacts if not hidden[max(each.first_frame - 12, 0) : each.last_frame + 12].any()]
    found = {(each.name, each.first_frame, each.last_frame) for each in planted.report.contacts}
    assert {(each.name, each.first_frame, each.last_frame) for each in far} <= found
    assert len(far) > 2
    assert max(each.after.slide for each in planted.report.contacts) < 1e-3
    assert any("scaled to nothing" in told for told in planted.report.messages)
    cost = sk.measure_cost(planted.clip, clip)
    # Of a pose that stands in for those that are hidden, and of steps 5 cm into the ground that are left there.
    assert {row.row for row in cost.minded()} <= {"lift", "float"}


def test_a_character_scaled_to_nothing_all_along_is_named():
    clip = sk.example("biped").clip
    for joint in ("Hips", "LeftUpLeg"):
        with pytest.raises(ValueError, match=r"has a bone of length zero: .* in 180 of 180 frames"):
            scaled(clip, joint, slice(None), 0.0).plant_feet()
    with pytest.raises(ValueError, match="the left foot is scaled to nothing at frame 0"):
        scaled(clip, "LeftFoot", slice(None), 0.0).plant_feet()
