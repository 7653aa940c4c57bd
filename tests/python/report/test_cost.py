# SPDX-License-Identifier: MIT
"""What planting cost: figures beside those of plain numpy, limits, and where the report says what is worse."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from planted_files import assert_same_cost

import skelkin_py as sk
from skelkin_py import _core
from skelkin_py.planting.cost import CostLimits, LegCost, PlantCost
from skelkin_py.planting.remark import FRAME, Remark, numbered

STILL = LegCost("left", ((30.0, 30.0), (30.0, 30.0)), (0, 0), 0, (0, 0), 0.0, 0.0, 0.0, (1e6, 1e6), (0.02, 0.02))


def cost_of(*legs: LegCost, level: bool = True) -> PlantCost:
    return PlantCost(legs, 100, level, 0.0, 0.0, 0, 0.0, 0.0, 0.0)


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


def test_jumps_are_differences_of_the_joints():
    rng = np.random.default_rng(3)
    hip, knee, ankle = rng.normal(size=(3, 40, 3))
    flexion = rng.normal(size=40)
    overturned, of_hip, of_ankle, second, third = _core.leg_jumps(hip, knee, ankle, flexion)
    line = (ankle - hip) / np.linalg.norm(ankle - hip, axis=1)[:, None]
    bend = (knee - hip) - np.sum((knee - hip) * line, axis=1)[:, None] * line
    cosine = np.sum((knee - hip) * (ankle - knee), axis=1) / np.linalg.norm(knee - hip, axis=1)
    bent = np.degrees(np.arccos(cosine / np.linalg.norm(ankle - knee, axis=1))) > 7.0
    assert overturned[0] == 0.0
    np.testing.assert_array_equal(overturned[1:], (np.sum(bend[1:] * bend[:-1], axis=1) < 0.0) & bent[1:] & bent[:-1])
    for found, points in ((of_hip, hip), (of_ankle, ankle)):
        np.testing.assert_allclose(found[1:-1], np.linalg.norm(np.diff(points, 2, axis=0), axis=1))
    np.testing.assert_allclose(second[1:-1], np.abs(np.diff(flexion, 2)))
    np.testing.assert_allclose(third[2:-1], np.abs(np.diff(flexion, 3)))
    assert not any(row[[0, -1]].any() for row in (of_hip, of_ankle, second, third))


def test_a_shift_of_the_body_costs_what_the_formula_says():
    """One straight-legged figure, length 1, moved by 0.1 along x for a second; then swung with 2 units/s²."""
    fps, num = 50.0, 50
    hip, knee, ankle = (np.tile([0.0, height, 0.0], (1, num, 1)) for height in (1.0, 0.5, 0.0))
    still = np.zeros((1, num))
    moved = np.array([0.1, 0.0, 0.0])
    rows = _core.correction_cost(hip, knee, ankle, still, hip + moved, ankle + moved, 1.0, fps)
    assert rows[0].sum() == pytest.approx(3000.0 * (20.0 + 0.2) * 0.01)
    assert np.abs(rows[[1, 3, 4]]).max() < 1e-18
    np.testing.assert_allclose(rows[2], 0.1)
    away = (np.arange(num)[:, None] / fps) ** 2 * [1.0, 0.0, 0.0]
    _, bends, _, body, legs = _core.correction_cost(hip, knee, ankle, still, hip, ankle + away, 1.0, fps)
    np.testing.assert_allclose(legs[1:-1], 4.0)
    assert not body.any()
    # The leg gets no longer along x to first order.
    assert bends.sum() == pytest.approx((num - 2) / fps * 4.0 * 1.2)


def test_what_a_frame_costs_stands_in_its_place_and_the_body_is_the_mean_of_the_hips():
    """Two straight legs of length 1; in frame 4 the hips go aside by 0.1 and 0.3, and the ankles by the body's 0.2."""
    fps, num = 50.0, 9
    hip, knee, ankle = (np.tile([0.0, height, 0.0], (2, num, 1)) for height in (1.0, 0.5, 0.0))
    new_hip, new_ankle = hip.copy(), ankle.copy()
    new_hip[:, 4, 0] += (0.1, 0.3)
    new_ankle[:, 4, 0] += 0.2
    still = np.zeros((2, num))
    places, bends, body, _, legs = _core.correction_cost(hip, knee, ankle, still, new_hip, new_ankle, 1.0, fps)
    peak, bent = np.eye(num)[4], np.array([0, 0, 0, 1, -2, 1, 0, 0, 0]) * 0.2 * fps**2
    np.testing.assert_allclose(body, 0.2 * peak, atol=1e-12)
    np.testing.assert_allclose(places, 3000.0 * (20.0 + 2 * 0.2) * 0.2**2 / fps * peak, atol=1e-9)
    np.testing.assert_allclose(bends, (20.0 + 2 * 0.2) * bent**2 / fps, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(legs, 0.0, atol=1e-9)


def test_knees_are_asked_to_be_straight_where_they_were_bent_backward():
    fps, num = 50.0, 20
    hip, ankle = (np.tile([0.0, height, 0.0], (1, num, 1)) for height in (0.98, 0.0))
    knee = np.tile([0.0, 0.49, np.sqrt(0.25 - 0.49**2)], (1, num, 1))
    bend = 2.0 * np.degrees(np.arccos(0.98))
    good, wrong = (
        _core.correction_cost(hip, knee, ankle, np.full((1, num), sign * bend), hip, ankle, 1.0, fps)[0].sum()
        for sign in (1.0, -1.0)
    )
    gain = 2.0 / np.sqrt(1.0 - 0.98**2)
    assert good == 0.0
    assert wrong == pytest.approx(num / fps * 1000.0 * (gain * 0.02) ** 2)


@pytest.mark.parametrize(
    ("leg", "what"),
    [
        ({"overturned": (1, 2)}, "overturned"), ({"backward": 1}, "backward"), ({"pops": (10, 15)}, "pops"),
        ({"changed": 0.051}, "changed"), ({"jerk": (1e6, 1.21e6)}, "jerk"), ({"jump": (0.02, 0.0341)}, "jump"),
    ],
)  # fmt: skip
def test_what_is_beyond_a_limit_is_worse(leg, what):
    cost = cost_of(replace(STILL, **leg), replace(STILL, name="right"))
    (row,) = cost.worse()
    assert row.what == what
    assert cost.headline == f"Worse than the original: {row.short}"
    assert cost.worse(CostLimits(**{what: 1e9})) == []


@pytest.mark.parametrize(
    "leg",
    [
        {"overturned": (2, 2)}, {"pops": (10, 14)}, {"changed": 0.05}, {"jerk": (1e6, 1.2e6)}, {"jump": (0.02, 0.034)},
    ],
)  # fmt: skip
def test_what_is_on_a_limit_passes(leg):
    assert cost_of(replace(STILL, **leg)).worse() == []
    assert cost_of(replace(STILL, **leg)).headline == ""


def test_flexions_may_change_on_ground_that_is_not_level():
    leg = replace(STILL, changed=0.5)
    assert [row.what for row in cost_of(leg).worse()] == ["changed"]
    assert cost_of(leg, level=False).worse() == []


def test_what_is_no_number_is_worse():
    for still in (1e-9, 0.0):  # a factor of millions would tell nothing
        (row,) = cost_of(replace(STILL, jerk=(still, 1e6))).worse()
        assert row.short.endswith("knee's jerk where the original has next to none")
    assert [row.what for row in cost_of(replace(STILL, jerk=(1.0, np.nan))).worse()] == ["jerk"]


def test_legs_that_got_worse_have_a_line_each_with_the_frame():
    leg = replace(STILL, name="right", backward=7, jerk=(1e6, 2e6), frames={"backward": 12, "jerk": 40})
    assert cost_of(STILL, leg).worse_legs() == [
        "right: knee bent backward in 7 frames; knee's jerk 2.00 × the original's, frame 12"
    ]


def test_a_clip_that_is_not_changed_costs_nothing(walk):
    cost = sk.measure_cost(walk, walk)
    assert (cost.objective, cost.leg_added, cost.body_added, cost.body_worst) == (0.0, 0.0, 0.0, 0.0)
    assert cost.worse() == []
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
    assert cost.headline.startswith(
        "Worse than the original: knees turn over in 2 frames (original 0); knees bent back"
    )
    assert str(cost.worse()[1]).endswith("more than the original's, in 5 frames; 0 are allowed, first in frame 20")


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
    assert "jerk" in [row.what for row in cost.worse()]


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
        (walk.slice(0, 50), "b.bvh has 50 frames and a.bvh 181: they must be as many"),
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
    assert_same_cost(sk.measure_cost(planted.clip, walk), planted.report.cost)


def test_what_is_worse_is_said_first_in_every_form(walk):
    planted = walk.plant_feet()
    leg = replace(planted.report.cost.legs[0], backward=3, frames={"backward": 33})
    cost = replace(planted.report.cost, legs=(leg, *planted.report.cost.legs[1:]))
    report = replace(planted.report, cost=cost)
    assert "knees bent backward in 3 frames" in cost.headline
    assert str(report).splitlines()[0] == cost.headline
    assert report._repr_html_().startswith(f"<p><strong>{cost.headline}")
    assert cost.worse()[0].remark in json.loads(json.dumps(report.to_dict()))["cost"]["worse"]
    page = sk.view.show(planted.clip, report=report).html
    assert page.index("Worse than the original") < page.index("mean slide of")
    assert '<tr data-frame="33"><td>knees are bent backward' in page
    assert cost.headline.split(": ")[1].split(";")[0] in report.plot("knees").get_suptitle()


def test_messages_begin_with_what_is_worse(make_walk):
    report = make_walk().clip.plant_feet().report
    worse = [row.remark for row in report.cost.worse()]
    assert worse
    assert list(report.messages[: len(worse)]) == worse


def test_legs_say_the_signed_flexion_of_their_knees(walk):
    for leg in walk.plant_feet().report.legs:
        for k, curves in enumerate((leg.before, leg.after)):
            np.testing.assert_allclose(np.abs(curves.flexion), 180.0 - curves.knee, atol=1e-6)
            assert leg.cost.flexion[k] == (curves.flexion.min(), curves.flexion.max())


def test_the_objective_is_near_its_least_and_that_is_found_for_loops_too(make_walk):
    report = make_walk(slide=0.02).clip.plant_feet().report
    assert report.cost.objective == pytest.approx(report.objective_least, rel=0.02)
    assert report.to_dict()["cost"]["objective_least"] == report.objective_least


def test_frames_in_sentences_can_be_counted_otherwise():
    said = Remark(f"the {{left}} leg, frames {FRAME}–{FRAME}", 3, 9)
    assert said == "the {left} leg, frames 3–9"
    assert numbered(said, lambda frame: frame + 100) == "the {left} leg, frames 103–109"
    assert numbered(numbered(said, lambda frame: frame + 1), lambda frame: frame + 1) == "the {left} leg, frames 5–11"
    assert numbered("frame 3 of a plain sentence", lambda frame: 0) == "frame 3 of a plain sentence"


def test_the_core_refuses_arrays_of_other_shapes():
    vectors, numbers = np.zeros((4, 3)), np.zeros(4)
    legs = vectors[None]
    for call, name in (
        (lambda: _core.leg_jumps(vectors, vectors[:2], vectors, numbers), "knee"),
        (lambda: _core.leg_jumps(vectors, vectors, vectors, numbers[:2]), "flexion"),
        (lambda: _core.correction_cost(legs, legs, legs, numbers[None], legs, legs[:, :2], 1.0, 30.0), "new_ankle"),
        (lambda: _core.correction_cost(legs, legs, legs, numbers, legs, legs, 1.0, 30.0), "flexion"),
    ):
        with pytest.raises(TypeError, match=f"^{name} is no packed array"):
            call()
