# SPDX-License-Identifier: MIT
"""What planting cost: figures beside those of plain numpy, and those of two clips."""

from __future__ import annotations

import numpy as np
import pytest
from loop_cases import walk_loop
from same_cost import assert_same_cost

import skelkin_py as sk
from skelkin_py.planting.remark import FRAME, Remark, renumbered


@pytest.fixture(scope="module")
def walk(make_walk):
    return make_walk().clip


def turned(clip: sk.Clip, name: str, degrees: np.ndarray) -> sk.Clip:
    """A clip whose joint bends by so much more in each frame, about its own x axis."""
    joint, half = clip.names.index(name), 0.5 * np.radians(degrees)
    more = np.stack([np.cos(half), np.sin(half), 0.0 * half, 0.0 * half], axis=1)
    rotations = clip.rotations.copy()
    rotations[:, joint] = sk.quaternion_multiply(rotations[:, joint], more)
    return clip.replace(rotations=rotations)


def test_a_jerk_across_the_seam_of_a_loop_is_told_behind_it():
    """The shin goes back and forth in the loop's first two poses: the third difference is largest around them."""
    clip = walk_loop().clip
    planted = sk.plant_feet(clip)
    by = np.zeros(clip.num_frames)
    by[[0, -1]], by[1] = 4.0, -4.0
    leg = sk.measure_cost(turned(planted.clip, "left_shin", by), clip, report=planted.report).legs[0]
    assert leg.name == "left"
    assert leg.jerk[1] == pytest.approx(6.0 * 4.0 * clip.fps**3, rel=0.1)  # the hinge is nearly the axis
    assert leg.frames["jerk"] == 1


def test_accelerations_that_are_added_are_those_of_the_shift(walk):
    """The body swings aside and the feet with it: nothing is added to the legs beside it."""
    time = np.arange(walk.num_frames) / walk.fps
    shift = 0.02 * np.sin(3.0 * time)
    translations = walk.translations.copy()
    translations[:, 0, 0] += shift
    cost = sk.measure_cost(walk.replace(translations=translations), walk)
    leg = walk.plant_feet(contacts="never").report.leg_length
    added = np.diff(shift, 2) * walk.fps**2
    assert leg * cost.body_added == pytest.approx(np.sqrt(np.mean(added**2)))
    assert cost.leg_added == pytest.approx(0.0, abs=1e-9)
    assert leg * cost.body_worst == pytest.approx(np.abs(shift).max())
    assert leg * cost.body_typical == pytest.approx(np.sqrt(np.mean(shift**2)))


def test_a_clip_that_is_not_changed_costs_nothing(walk):
    cost = sk.measure_cost(walk, walk)
    assert (cost.leg_added, cost.body_added, cost.body_worst) == (0.0, 0.0, 0.0)
    assert [row.value for row in cost.rows] == [0.0] * 12
    assert (cost.minded(), str(cost)) == ([], "Nothing that a viewer would mind.")
    for leg in cost.legs:
        assert leg.flexion[0] == leg.flexion[1]
        assert (leg.backward, leg.changed, leg.change_worst) == (0, 0.0, 0.0)
        assert leg.jerk[0] == leg.jerk[1] > 0.0


def test_a_knee_that_bends_backward_is_counted_and_named(walk):
    was = sk.measure_cost(walk, walk).legs[0]
    flexion = walk.plant_feet(contacts="never").report.legs[0].before.flexion
    back = np.where((np.arange(walk.num_frames) >= 20) & (np.arange(walk.num_frames) < 25), -2.0 * flexion, 0.0)
    cost = sk.measure_cost(turned(walk, "left_shin", back), walk)
    left, right = cost.legs
    assert (left.name, left.backward, left.frames["backward"]) == ("left", 5, 20)
    assert left.overturned == (was.overturned[0], was.overturned[0] + 2)
    assert left.frames["overturned"] == 20
    assert (right.backward, right.overturned) == (0, (0, 0))
    assert left.flexion[1][0] == pytest.approx(-flexion[20:25].max())


def test_highest_figures_leave_out_a_tenth_of_a_second_around_a_glitch_of_the_capture(walk):
    """A jump that both have would hide what planting does: the planted clip jerks elsewhere."""
    jump, jerk = np.zeros((2, walk.num_frames))
    jump[60:] = 40.0
    jerk[100] = 6.0
    shaken = turned(walk, "left_shin", jump)
    cost = sk.measure_cost(turned(walk, "left_shin", jump + jerk), shaken)
    assert cost.glitch_frames == 2 + 2 * round(0.1 * walk.fps)
    assert cost.legs[0].frames["jerk"] in range(98, 104)
    assert cost.legs[0].jerk[1] > 3.0 * cost.legs[0].jerk[0]


def test_a_range_is_measured_alone(walk):
    bent = np.zeros(walk.num_frames)
    bent[50:90] = 15.0
    bowed = turned(walk, "left_shin", bent)
    inside, outside = (sk.measure_cost(bowed, walk, frames=frames) for frames in ((60, 79), (0, 39)))
    assert (inside.num_frames, inside.legs[0].changed, outside.legs[0].changed) == (20, 1.0, 0.0)
    assert inside.legs[0].change_worst == pytest.approx(15.0, abs=1e-6)
    assert inside.legs[0].change_typical == pytest.approx(15.0, abs=1e-6)


def test_clips_that_do_not_belong_together_are_refused_by_what_differs(walk):
    names = list(walk.names)
    skeleton = walk.skeleton
    other = sk.Skeleton(skeleton.parents, skeleton.rest_local, [*names[:3], "elbow", *names[4:]])
    longer = np.array(skeleton.rest_local)
    longer[5, :3, 3] *= 1.2
    stretched = sk.Skeleton(skeleton.parents, longer, names)

    def on(own):
        return sk.Clip(own, walk.rotations, walk.translations, fps=walk.fps)

    faster = sk.Clip(skeleton, walk.rotations, walk.translations, fps=60.0)
    names_of = ("b.bvh", "a.bvh")
    for clip, words in (
        (walk.slice(0, 50), "b.bvh has 50 frames and a.bvh 181: the numbers must be equal"),
        (faster, "b.bvh has 60 frames per second and a.bvh 30: the rates must be the same"),
        (on(other), rf"b.bvh: joint 3 is 'elbow', in a.bvh it is '{names[3]}': the skeletons must be the same"),
        (on(stretched), rf"b.bvh: at rest joint 5 \({names[5]}\) is .* from where a.bvh has it"),
    ):
        with pytest.raises(ValueError, match=words):
            sk.measure_cost(clip, walk, names=names_of)
    with pytest.raises(ValueError, match=r"frames is \(0, 181\): 0 ≤ first ≤ last < 181"):
        sk.measure_cost(walk, walk, frames=(0, 181))
    with pytest.raises(TypeError, match="original is a int: a Clip is needed"):
        sk.measure_cost(walk, 3)


def test_the_report_measures_what_two_clips_do(walk):
    planted = walk.plant_feet()
    assert_same_cost(sk.measure_cost(planted.clip, walk, report=planted.report), planted.report.cost)


def test_legs_say_the_signed_flexion_of_their_knees(walk):
    for leg in walk.plant_feet().report.legs:
        for k, curves in enumerate((leg.before, leg.after)):
            np.testing.assert_allclose(np.abs(curves.flexion), 180.0 - curves.knee, atol=1e-6)
            assert leg.cost.flexion[k] == (curves.flexion.min(), curves.flexion.max())


def test_frames_in_sentences_can_be_counted_otherwise():
    said = Remark(f"the {{left}} leg, frames {FRAME}–{FRAME}", 3, 9)
    assert said == "the {left} leg, frames 3–9"
    assert renumbered(said, lambda frame: frame + 100) == "the {left} leg, frames 103–109"
    assert (
        renumbered(renumbered(said, lambda frame: frame + 1), lambda frame: frame + 1) == "the {left} leg, frames 5–11"
    )
    assert renumbered("frame 3 of a plain sentence", lambda frame: 0) == "frame 3 of a plain sentence"
