# SPDX-License-Identifier: MIT
"""The smoothest paths of body and ankles (csrc/planting/paths/smooth_paths.h), against dense algebra and convexity."""

from __future__ import annotations

from dataclasses import replace

import engine
import numpy as np
import pytest
from path_problems import broken_by, dense_solution, objective, packed, problem, way_uphill


def bounded(kind, **options):
    """Return a problem whose paths without bounds would break this one, or all of them."""
    given = problem(40, **options)
    body, offsets = dense_solution(given)
    if kind in ("reach", "all"):
        far = np.linalg.norm(given.hip + body - given.ankle - offsets, axis=2)
        given = replace(given, reach=np.maximum(0.9 + 0.0 * far, np.minimum(far - 0.003, 0.93)))
    if kind in ("floor", "all"):
        given = replace(given, lowest=offsets @ given.up + np.where(given.stands, -1.0, 0.004))
    if kind in ("body", "all"):
        most = np.linalg.norm(np.diff(body, 2, axis=0), axis=1).max() / given.frame_time**2
        given = given.weighing(acceleration=0.6 * most)
    assert broken_by(given, body, offsets) > 1e-3
    return given


@pytest.mark.parametrize("legs", [1, 2, 4])
@pytest.mark.parametrize("heights_only", [False, True])
@pytest.mark.parametrize("body_moves", [False, True])
def test_without_bounds_paths_solve_the_normal_equations(legs, heights_only, body_moves):
    given = problem(21, legs, heights_only=heights_only, body_moves=body_moves)
    body, offsets, least, _ = given.solve()
    for own, known in zip((body, offsets), dense_solution(given), strict=True):
        np.testing.assert_allclose(own, known, rtol=0.0, atol=1e-9)
    assert least == pytest.approx(objective(given, packed(given, body, offsets)), rel=1e-10)


@pytest.mark.parametrize("period", [12, 24, 60])
def test_a_loop_that_is_unrolled_for_its_margin_solves_the_cyclic_equations(period):
    """The 4.5 seconds that a loop is unrolled for are enough to be the problem whose band is closed to a ring."""
    ring = replace(problem(period), cyclic=True)
    margin = round(4.5 / ring.frame_time)
    body, offsets = ring.unrolled(margin).solve()[:2]
    loop = slice(margin, margin + period)
    for own, known in zip((body[loop], offsets[:, loop]), dense_solution(ring), strict=True):
        np.testing.assert_allclose(own, known, rtol=0.0, atol=1e-10)


@pytest.mark.parametrize("up", [[0.0, 0.0, 1.0], [0.6, 0.0, 0.8]])
def test_any_way_may_be_up(up):
    given = replace(problem(25, heights_only=True), up=np.array(up))
    body, offsets = given.solve()[:2]
    np.testing.assert_allclose(body, dense_solution(given)[0], rtol=0.0, atol=1e-9)
    np.testing.assert_allclose(offsets, dense_solution(given)[1], rtol=0.0, atol=1e-9)


@pytest.mark.parametrize("name", ["body", "ankle", "flexion", "flexion_jerk", "split", "spring"])
def test_every_weight_counts_as_said(name):
    given = problem(24).weighing(**{name: 7.0}).weighing(**({} if name == "split" else {"split": 1e4}))
    np.testing.assert_allclose(given.solve()[0], dense_solution(given)[0], rtol=0.0, atol=1e-9)
    np.testing.assert_allclose(given.solve()[1], dense_solution(given)[1], rtol=0.0, atol=1e-9)


@pytest.mark.parametrize("kind", ["reach", "floor", "body", "all"])
@pytest.mark.parametrize("seed", range(3))
def test_bounds_are_kept(kind, seed):
    given = bounded(kind, seed=seed)
    assert broken_by(given, *given.solve()[:2]) <= 1e-8


@pytest.mark.parametrize("kind", ["reach", "floor", "body", "all"])
def test_no_way_that_keeps_the_bounds_lowers_the_objective(kind):
    given = bounded(kind)
    body, offsets, least, _ = given.solve()
    slope = way_uphill(given, packed(given, body, offsets)).reshape(-1, 3, 3)
    rng = np.random.default_rng(5)
    lower = 0
    for count, size in enumerate(np.repeat([1e-1, 1e-2, 1e-3, 1e-4], 8)):
        # Downhill, softened over some frames and shaken: what a paths' neighbour that is better would be like.
        step = -slope * np.exp(rng.standard_normal(slope.shape) if count % 2 else 0.0)
        step += 0.1 * np.abs(step).max() * rng.standard_normal(slope.shape) * (slope != 0.0)
        step *= size * rng.random() / np.abs(step).max()
        # As much of it as bounds allow, by halving.
        for part in 0.5 ** np.arange(12):
            new = body + part * step[:, 0], offsets + part * step[:, 1:].transpose(1, 0, 2)
            if broken_by(given, *new) <= 1e-9:
                lower += objective(given, packed(given, *new)) < least * (1.0 - 1e-9)
                break
    assert least > 1.001 * objective(given, packed(given, *dense_solution(given)))  # the bounds cost something
    assert lower == 0


@pytest.mark.parametrize("alone", [False, True])
def test_bounds_push_only_where_they_are_met(alone):
    """The slope of the objective is 0 where no bound is met, and along a floor's normal where that alone is."""
    given = bounded("floor")
    if alone:  # one bound of one ankle
        leg, frame = np.argwhere(~given.stands)[3]
        lowest = np.full_like(given.lowest, -1.0)
        lowest[leg, frame] = given.lowest[leg, frame]
        given = replace(given, lowest=lowest)
    body, offsets, least, _ = given.solve()
    slope = way_uphill(given, packed(given, body, offsets)).reshape(40, 3, 3)
    met = (offsets @ given.up - given.lowest < 1e-7) & ~given.stands
    assert met.any()
    assert np.abs(slope[:, 0]).max() <= 1e-5 * least
    ankles = slope[:, 1:].transpose(1, 0, 2)
    assert np.abs(ankles[~met]).max() <= 1e-5 * least
    assert np.abs(ankles[met][:, [0, 2]]).max() <= 1e-5 * least
    assert ankles[met][:, 1].min() >= -1e-5 * least  # the floor pushes up only
    assert ankles[met][:, 1].max() > 1e-3 * least


@pytest.mark.parametrize("kind", ["reach", "floor", "body", "all"])
def test_little_change_of_what_is_given_changes_paths_little(kind):
    given = bounded(kind)
    rng = np.random.default_rng(3)
    near = {
        name: getattr(given, name) + 1e-6 * rng.uniform(-1.0, 1.0, getattr(given, name).shape)
        for name in ("hip", "held")
    }
    body, offsets = given.solve()[:2]
    moved, brought = replace(given, **near).solve()[:2]
    assert 0.0 < np.abs(moved - body).max() <= 2e-4
    assert np.abs(brought - offsets).max() <= 2e-4


def test_held_ankles_are_exactly_where_they_are_held():
    given = bounded("all")
    offsets = given.solve()[1]
    assert np.array_equal(offsets[given.stands], given.held[given.stands])


def test_frames_that_are_not_free_stay_exactly():
    given = problem(40)
    given.free[:9] = given.free[-7:] = False
    body, offsets = given.solve()[:2]
    assert not body[~given.free].any()
    assert not offsets[:, ~given.free].any()
    assert np.abs(body[given.free]).max() > 1e-3
    for own, known in zip((body, offsets), dense_solution(given), strict=True):
        np.testing.assert_allclose(own, known, rtol=0.0, atol=1e-9)


def test_where_nothing_is_to_do_nothing_moves_but_by_rounding_near_a_bound():
    given = problem(40)
    given.held[:], given.flexion[:] = 0.0, 0.6
    body, offsets, least, _ = given.solve()
    assert not body.any()
    assert not offsets.any()
    assert least == 0.0
    near = replace(given, reach=np.full((2, 40), 0.956))  # 0.0014 beyond the longest leg
    assert max(np.abs(path).max() for path in near.solve()[:2]) <= 1e-12


def test_what_is_beyond_a_cut_counts_as_little_as_another_clip():
    given = problem(40)
    given.cuts[17] = True
    body, offsets, least, _ = given.solve()
    parts = [replace(given, **{name: np.ascontiguousarray(getattr(given, name)[:, part]) for name in NAMES[:9]},
                     free=given.free[part], cuts=np.zeros_like(given.cuts[part]))
             for part in (slice(17), slice(17, 40))]  # fmt: skip
    own = [part.solve() for part in parts]
    np.testing.assert_allclose(body, np.concatenate([each[0] for each in own]), rtol=0.0, atol=1e-10)
    np.testing.assert_allclose(offsets, np.concatenate([each[1] for each in own], axis=1), rtol=0.0, atol=1e-10)
    assert least == pytest.approx(own[0][2] + own[1][2], rel=1e-9)
    np.testing.assert_allclose(body, dense_solution(given)[0], rtol=0.0, atol=1e-9)


def test_noise_along_the_leg_moves_next_to_nothing():
    """What shakes a flexion from frame to frame at 120 fps is no work for the body, as it is without the split."""
    given = replace(problem(240), frame_time=1.0 / 120.0)
    calm = given.hip - given.ankle
    given = replace(given, line=calm, stands=np.ones((2, 240), bool), flexion=np.full((2, 240), 0.6))
    along = calm / np.linalg.norm(calm, axis=2)[..., None]
    noise = 0.002 * (-1.0) ** np.arange(240)[:, None] * along
    given = replace(given, held=np.ascontiguousarray(noise))
    size = [np.abs(each.solve()[0]).max() for each in (given, given.weighing(split=1e12))]
    assert size[0] < 0.25 * size[1]


def nearly_straight(off):
    """Return a problem of knees bent by 2 degrees, at 120 fps, whose ankles shake; legs are off their calm line."""
    given = replace(problem(60), frame_time=1.0 / 120.0)
    calm = given.hip - given.ankle
    bones = np.linalg.norm(calm, axis=2) / np.cos(np.radians(1.0))
    held = 0.002 * (-1.0) ** np.arange(60)[:, None] * [0.0, 1.0, 0.0] * np.ones((2, 1, 1))
    return replace(given, line=calm + np.array([off, 0.0, 0.0]), bones=bones, held=held, stands=np.ones((2, 60), bool))


@pytest.mark.parametrize("off", [0.0, 0.002, 0.05])
def test_nearly_straight_knees_solve_the_normal_equations(off):
    given = nearly_straight(off)
    np.testing.assert_allclose(given.solve()[0], dense_solution(given)[0], rtol=0.0, atol=1e-9)


def test_noise_in_a_nearly_straight_knee_counts_most_where_the_leg_is_calm():
    shakes = [np.abs(np.diff(nearly_straight(off).solve()[0][:, 1])).mean() for off in (0.0, 0.002, 0.01)]
    assert shakes[0] > 1.1 * shakes[1] > 1.2 * shakes[2]


def test_a_knee_bent_backward_is_led_to_the_straight_leg():
    given = problem(61, 1)
    given.stands[:], given.held[:] = False, 0.0
    given.flexion[:] = -0.1
    body, offsets = given.solve()[:2]
    new, old = (np.linalg.norm(hip - ankle, axis=1) for hip, ankle in
                ((given.hip[0] + body, given.ankle[0] + offsets[0]), (given.hip[0], given.ankle[0])))  # fmt: skip
    assert (np.abs(1.0 - new) < 0.5 * np.abs(1.0 - old)).all()


def test_the_body_s_added_acceleration_is_bounded_along_up_too():
    given = problem(40, heights_only=True)
    free = dense_solution(given)
    most = np.linalg.norm(np.diff(free[0], 2, axis=0), axis=1).max() / given.frame_time**2
    given = given.weighing(acceleration=0.6 * most)
    assert broken_by(given, *free) > 1e-3
    assert broken_by(given, *given.solve()[:2]) <= 1e-8


def test_heights_alone_move_along_up_alone():
    given = replace(bounded("reach"), heights_only=True)
    body, offsets = given.solve()[:2]
    level = offsets[~given.stands][:, [0, 2]]
    assert not body[:, [0, 2]].any()
    assert not level.any()
    assert np.abs(body[:, 1]).max() > 1e-3


def out_of_reach(aside):
    """Return a problem whose feet stand this many lengths to either side in turn, of legs of reach 0.95."""
    given = replace(problem(40), reach=np.full((2, 40), 0.95)).weighing(acceleration=20.0)
    given.held[:, :, 0] += aside * np.array([[-1.0], [1.0]])
    return given


@pytest.mark.parametrize("body_moves", [False, True])
@pytest.mark.parametrize("aside", [1.0, 3.0, 1e3])
def test_what_is_out_of_reach_is_held_and_all_else_stays_finite(aside, body_moves):
    given = replace(out_of_reach(aside), body_moves=body_moves)
    body, offsets, least, _ = given.solve()
    assert np.isfinite(body).all()
    assert np.isfinite(offsets).all()
    assert np.isfinite(least)
    assert np.array_equal(offsets[given.stands], given.held[given.stands])


def test_reach_gives_way_before_the_body_does():
    given = out_of_reach(1.0)
    body, offsets = given.solve()[:2]
    far = np.linalg.norm(given.hip + body - given.ankle - offsets, axis=2)
    bend = np.linalg.norm(np.diff(body, 2, axis=0), axis=1) / given.frame_time**2
    assert far[given.stands].max() > 1.0
    assert 20.0 - 1e-6 <= bend.max() <= 20.0 + 1e-6


@pytest.mark.parametrize("spring", [3000.0, 300.0])
def test_what_is_given_in_one_frame_fades_as_said(spring):
    given = problem(601, 1).weighing(spring=spring, flexion=0.0, flexion_jerk=0.0, split=0.01)
    given.stands[:] = False
    given.stands[0, 300] = True
    given.held[0, 300] = [0.03, 0.05, -0.02]
    body, offsets = given.solve()[:2]
    rate = spring**0.25 / np.sqrt(2.0)  # 1 / 0.19 s as planting has it
    assert spring != 3000.0 or 1.0 / rate == pytest.approx(0.19, abs=2e-3)
    away = np.abs(np.arange(601) - 300) / 30.0
    for path in (body, offsets[0]):
        size = np.linalg.norm(path, axis=1)
        assert (size <= 1.5 * size[300] * np.exp(-rate * away) + 1e-13).all()
        # No faster either, from crest to crest.
        wave = round(30.0 * np.pi / rate)
        crests = [size[300 + wave * i : 300 + wave * (i + 1)].max() for i in range(1, 7)]
        assert np.log(crests[0] / crests[-1]) * 30.0 / (5 * wave) == pytest.approx(rate, rel=0.05)


def test_a_body_that_does_not_move_stays_where_it_is():
    given = replace(bounded("floor"), body_moves=False)
    body, offsets = given.solve()[:2]
    assert not body.any()
    assert broken_by(given, body, offsets) <= 1e-8


@pytest.mark.parametrize("frames", range(1, 6))
def test_few_frames_are_enough(frames):
    given = problem(frames, stance=2)
    body, offsets = given.solve()[:2]
    for own, known in zip((body, offsets), dense_solution(given), strict=True):
        np.testing.assert_allclose(own, known, rtol=0.0, atol=1e-9)


@pytest.mark.parametrize(("frames", "legs"), [(0, 2), (5, 0), (0, 0)])
def test_no_frames_and_no_legs_are_no_error(frames, legs):
    body, offsets, least, _ = problem(frames, legs).solve()
    assert body.shape == (frames, 3)
    assert offsets.shape == (legs, frames, 3)
    assert not body.any()
    assert least == 0.0


@pytest.mark.parametrize("unit", [1e-30, 1e30])
@pytest.mark.parametrize("kind", ["reach", "all"])
def test_units_of_length_do_not_matter(unit, kind):
    given = bounded(kind)
    body, offsets, least, _ = given.solve()
    own = given.scaled(unit).solve()
    np.testing.assert_allclose(own[0] / unit, body, rtol=0.0, atol=1e-9)
    np.testing.assert_allclose(own[1] / unit, offsets, rtol=0.0, atol=1e-9)
    assert own[2] == pytest.approx(least, rel=1e-9)


NAMES = ("hip", "ankle", "line", "held", "bones", "flexion", "reach", "lowest", "stands", "free", "cuts")


def begun(given):
    """Return what a job keeps for the next one, nothing at first."""
    legs, frames = given.hip.shape[:2]
    return np.zeros((frames, 8 * legs + 4))


@pytest.mark.parametrize("kind", ["reach", "floor", "body", "all"])
@pytest.mark.parametrize("heights_only", [False, True])
def test_what_was_found_before_is_where_the_next_job_begins_not_where_it_ends(kind, heights_only):
    given = replace(bounded(kind), heights_only=heights_only)
    before = begun(given)
    found = engine.smooth_paths(*given.arguments(), before)
    other = replace(given, lowest=given.lowest + 1e-5, reach=given.reach + 1e-5)
    again, anew = engine.smooth_paths(*other.arguments(), before), other.solve()
    for first, own, known in zip(found[:2], again[:2], anew[:2], strict=True):
        np.testing.assert_allclose(own, known, rtol=0.0, atol=1e-10)
        assert kind == "body" or np.abs(first - known).max() > 1e-7  # something is to be found anew
    assert again[3] < anew[3]


@pytest.mark.parametrize("kind", ["floor", "all"])
def test_a_far_beginning_leads_to_the_same_paths(kind):
    given = bounded(kind)
    before = begun(given)
    for other in (replace(given, held=-2.0 * given.held), replace(given, stands=~given.stands), given):
        found = engine.smooth_paths(*other.arguments(), before)
        for own, known in zip(found[:2], other.solve()[:2], strict=True):
            np.testing.assert_allclose(own, known, rtol=0.0, atol=1e-9)


def test_a_beginning_without_bounds_leads_to_the_same_paths():
    given = problem(40)
    before = begun(given)
    engine.smooth_paths(*given.arguments(), before)
    other = replace(given, held=given.held + 0.01)
    body, offsets = engine.smooth_paths(*other.arguments(), before)[:2]
    np.testing.assert_allclose(body, dense_solution(other)[0], rtol=0.0, atol=1e-9)
    np.testing.assert_allclose(offsets, dense_solution(other)[1], rtol=0.0, atol=1e-9)


@pytest.mark.parametrize("rate", [24.0, 240.0])
def test_few_rounds_are_enough_at_any_frame_rate(rate):
    given = replace(bounded("all"), frame_time=1.0 / rate)
    assert given.solve()[3] < 40


def test_where_next_to_nothing_holds_paths_back_they_stay_near():
    given = replace(bounded("all"), frame_time=100.0, body_moves=False).weighing(spring=5e-24, acceleration=20.0)
    body, offsets = given.solve()[:2]
    assert np.isfinite(offsets).all()
    assert np.abs(offsets).max() < 1e2
    assert not body.any()


def test_a_centipede_has_as_many_legs_as_it_likes():
    body, offsets, _, _ = problem(6, 70).solve()
    assert offsets.shape == (70, 6, 3)
    assert np.isfinite(body).all()
    assert np.isfinite(offsets).all()
