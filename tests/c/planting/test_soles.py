# SPDX-License-Identifier: MIT
"""Soles and turns of feet over all frames, against the same formulas frame by frame in plain Python."""

from __future__ import annotations

import functools
import itertools
import math

import engine
import numpy as np
import pytest
from guarded import AVAILABLE, guarded

from skelkin_py import _core
from skelkin_py.planting.foot import FootModel

UP = np.array([0.0, 1.0, 0.0])
TILTED = np.array([0.36, 0.48, 0.8])
SOLE = FootModel(
    heel=np.array([0.01, -0.08, 0.0]),
    ball=np.array([0.0, -0.05, 0.13]),
    drop=0.03,
    clearance=0.03,
    source="typical foot",
    back=np.array([0.0, -0.08, -0.05]),
    along=np.array([0.0, 0.0, 0.13]),
)


def packed(function):
    """Return a function of the extension that takes arrays of any layout."""
    return lambda *arrays: function(*map(np.ascontiguousarray, arrays))


rolls_on_heel, rolling_steps = packed(engine.rolls_on_heel), packed(engine.rolling_steps)
turn_matrices, turn_vectors, turn_feet = map(packed, (_core.turn_matrices, engine.turn_vectors, engine.turn_feet))


def exponential(vector):
    """The rotation of a vector by the power series of its cross product matrix."""
    x, y, z = vector
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    term, out = np.eye(3), np.eye(3)
    for n in range(1, 60):
        term = term @ cross / n
        out = out + term
    return out


@functools.cache
def pitches():
    """Angles of a foot about x, negative with the toes up: steps on heel and ball, held, flat, and a little noise."""
    rng = np.random.default_rng(5)
    steps = np.concatenate([0.4 * np.sin(np.linspace(0.0, 25.0, 160)), 0.03 * np.sin(np.linspace(0.0, 20.0, 60))])
    held = np.repeat([-0.3, -0.03, -0.001, 0.0, 0.2], 5)
    return np.concatenate([steps, held, 0.002 * rng.standard_normal(40), [-0.1]])


@functools.cache
def feet():
    yaw = [exponential((0.0, a, 0.0)) for a in np.linspace(0.0, 2.0, len(pitches()))]
    return np.stack([y @ exponential((p, 0.0, 0.0)) for y, p in zip(yaw, pitches(), strict=True)])


def plain_rolls_on_heel(back, ball, up):
    """As the docstring of `rolls_on_heel` says, frame by frame."""
    ways = [(b - a) / max(np.linalg.norm(b - a), 1e-300) for a, b in zip(back, ball, strict=True)]
    rise = [float(way @ up) for way in ways]
    turns = [float(np.abs(b - a).max()) for a, b in itertools.pairwise(ways)]
    num, out = len(ways), [False] * len(ways)
    frame = 0
    while frame < num:
        run = []
        while frame < num and rise[frame] > 0.002:
            still = min(turns[max(frame - 1, 0) : frame + 1], default=math.inf) < 1e-7
            if still and rise[frame] < 0.04:
                break
            run.append(frame)
            frame += 1
        if run and max(rise[k] for k in run) >= 0.04:
            for k in run:
                out[k] = True
        frame += not run or frame < num
    return out


def plain_outline(model, foot, up):
    """Heel, ball and back of each frame; of feet with raised toes the ball is square to the sole."""
    heel, ball, back = ([matrix @ point for matrix in foot] for point in (model.heel, model.ball, model.back))
    ahead = [matrix @ model.along for matrix in foot]
    raised = plain_rolls_on_heel([np.zeros(3)] * len(foot), ahead, up)
    for k, way in enumerate(ahead):
        way = way / np.linalg.norm(way)
        below = up
        if raised[k] and model.drop > 0.0:
            side = np.cross(up, way)
            below = np.cross(way, side / np.linalg.norm(side))
        ball[k] = ball[k] - model.drop * below
    return np.array([heel, ball, back])


@pytest.mark.parametrize("drop", [0.0, 0.03])
def test_outline_is_that_of_each_frame(drop):
    model = FootModel(SOLE.heel, SOLE.ball, drop, 0.03, SOLE.source, SOLE.back, SOLE.along)
    outline = model.outline(feet(), UP)
    np.testing.assert_allclose(outline, plain_outline(model, feet(), UP), atol=1e-14)


def test_outline_goes_with_up():
    turn = exponential((0.5, -0.8, 0.3))
    outline = SOLE.outline(turn @ feet(), turn @ UP)
    np.testing.assert_allclose(outline, SOLE.outline(feet(), UP) @ turn.T, atol=1e-14)


@pytest.mark.parametrize("up", [UP, TILTED], ids=["Y", "tilted"])
def test_rolling_on_the_heel_is_that_of_each_frame(up):
    heights = np.stack([-np.sin(pitches()), np.cos(pitches())], axis=1)
    side = np.cross(up, (1.0, 0.0, 0.0))
    ball = heights[:, :1] * up + heights[:, 1:] * side / np.linalg.norm(side)
    back = np.random.default_rng(2).uniform(-9.0, 9.0, ball.shape) * (np.arange(len(ball)) > 250)[:, None]
    found = rolls_on_heel(back, back + ball, up)
    assert found.dtype == np.bool_
    assert found.tolist() == plain_rolls_on_heel(back, back + ball, up)
    assert 0.1 < found.mean() < 0.9


def test_a_foot_without_length_rolls_on_nothing():
    assert rolls_on_heel(np.ones((4, 3)), np.ones((4, 3)), UP).tolist() == [False] * 4


def test_steps_are_those_of_the_heel_around_frames_on_it_and_else_of_the_ball():
    _, ball, back = SOLE.outline(feet(), TILTED)
    on_heel = plain_rolls_on_heel(back, ball, TILTED)
    steps = rolling_steps(back, ball, TILTED)
    for k, step in enumerate(steps):
        pivot = back if on_heel[k] or on_heel[k + 1] else ball
        whole = pivot[k + 1] - pivot[k]
        np.testing.assert_allclose(step, whole - (whole @ TILTED) * TILTED, atol=1e-15)
    assert len(steps) == len(ball) - 1


@functools.cache
def vectors():
    rng = np.random.default_rng(8)
    out = rng.standard_normal((30, 3))
    out *= (np.geomspace(1e-9, 3.1, 30) / np.linalg.norm(out, axis=1))[:, None]
    return np.concatenate([out, np.zeros((2, 3)), np.eye(3)])


def test_rotations_of_vectors_are_exponentials():
    expected = [exponential(v) for v in vectors()]
    np.testing.assert_allclose(turn_matrices(vectors()), expected, atol=1e-14)


def test_vectors_of_rotations_are_those_that_made_them():
    found = turn_vectors(np.stack([exponential(v) for v in vectors()]))
    np.testing.assert_allclose(found, vectors(), rtol=1e-7, atol=1e-14)  # near half a turn the sine is small


def test_a_turned_foot_keeps_its_numbers_where_nothing_turns():
    foot = np.random.default_rng(3).standard_normal((len(vectors()), 3, 3))
    turned = turn_feet(vectors(), foot)
    expected = [exponential(v) @ m for v, m in zip(vectors(), foot, strict=True)]
    np.testing.assert_allclose(turned, expected, atol=1e-13)
    still = ~vectors().any(axis=1)
    assert still.any()
    assert np.array_equal(turned[still], foot[still])
    assert not np.shares_memory(turned, foot)


def shaken_feet():
    """Feet with scale, shear and noise, some mirrored."""
    matrices = np.random.default_rng(4).uniform(-0.3, 0.3, (len(feet()), 3, 3)) + feet()
    return matrices * np.where(np.arange(len(matrices)) % 5, 2.5, -0.01)[:, None, None]


def test_rotations_are_the_nearest_ones():
    u, _, v = np.linalg.svd(shaken_feet())
    np.testing.assert_allclose(engine.rotations_of(shaken_feet()), u @ v, atol=1e-12)


def test_speeds_are_those_of_turns_about_one_axis():
    angles = np.cumsum([0.0, 0.01, 0.01, 0.03, 0.0, 0.0])
    rotations = np.stack([exponential((0.0, 0.6 * a, 0.8 * a)) for a in angles])
    expected = [0.01, 0.01, 0.02, 0.015, 0.0, 0.0]
    np.testing.assert_allclose(engine.turn_speeds(rotations), expected, rtol=1e-4, atol=1e-15)
    assert engine.turn_speeds(rotations[:1]).tolist() == [0.0]


def test_feet_rest_beside_a_frame_that_is_the_same():
    angles = [0.0, 0.1, 0.1, 0.1 + 1e-9, 0.2, 0.3, 0.3]
    rotations = np.stack([exponential((0.0, a, 0.0)) for a in angles])
    assert engine.resting_turns(rotations, 1e-7).tolist() == [False, True, True, True, False, True, True]
    assert engine.resting_turns(rotations[:1], 1e-7).tolist() == [False]


def test_turns_to_the_mean_end_at_the_rotation_nearest_to_it():
    rotations = feet()[40:70]
    u, _, v = np.linalg.svd(rotations.mean(axis=0))
    for vector, rotation in zip(engine.turns_to_mean(rotations), rotations, strict=True):
        np.testing.assert_allclose(exponential(vector) @ rotation, u @ v, atol=1e-12)


@pytest.mark.parametrize("num", [0, 1, 2, 5])
def test_any_number_of_frames(num):
    paths, matrices = np.ones((num, 3)), np.tile(np.eye(3), (num, 1, 1))
    assert rolls_on_heel(paths, paths, UP).shape == (num,)
    assert rolling_steps(paths, paths, UP).shape == (max(num - 1, 0), 3)
    assert SOLE.outline(matrices, UP).shape == (3, num, 3)
    assert turn_matrices(paths).shape == (num, 3, 3)
    assert turn_vectors(matrices).shape == (num, 3)
    assert engine.rotations_of(matrices).shape == (num, 3, 3)
    assert engine.turn_speeds(matrices).shape == engine.resting_turns(matrices, 1e-7).shape == (num,)
    assert engine.turns_to_mean(matrices).shape == (num, 3)


@functools.cache
def calls():
    """Functions of the extension, each with arguments of its own."""
    _, ball, back = SOLE.outline(feet(), UP)
    turn = np.resize(vectors(), (len(ball), 3))
    return {
        "sole_outline": (_core.sole_outline, (SOLE, feet(), UP)),
        "rolls_on_heel": (engine.rolls_on_heel, (back, ball, UP)),
        "rolling_steps": (engine.rolling_steps, (back, ball, UP)),
        "turn_matrices": (_core.turn_matrices, (turn,)),
        "turn_vectors": (engine.turn_vectors, (feet(),)),
        "turn_feet": (engine.turn_feet, (turn, feet())),
        "rotations_of": (engine.rotations_of, (feet(),)),
        "turn_speeds": (engine.turn_speeds, (feet(),)),
        "resting_turns": (engine.resting_turns, (feet(), 1e-7)),
        "turns_to_mean": (engine.turns_to_mean, (feet(),)),
    }


NAMES = ["sole_outline", "rolls_on_heel", "rolling_steps", "turn_matrices", "turn_vectors", "turn_feet"]
NAMES += ["rotations_of", "turn_speeds", "resting_turns", "turns_to_mean"]
every_call = pytest.mark.parametrize("name", NAMES)


@pytest.mark.slow
def test_strided_arrays_are_read_as_they_lie():
    _, ball, back = SOLE.outline(feet(), UP)
    pair = np.stack([back, ball], axis=-1)
    assert np.array_equal(rolls_on_heel(pair[..., 0], pair[..., 1], UP), rolls_on_heel(back, ball, UP))
    assert np.array_equal(rolling_steps(pair[..., 0], pair[..., 1], UP), rolling_steps(back, ball, UP))
    turned = np.swapaxes(feet(), 1, 2)
    assert np.array_equal(SOLE.outline(turned, UP), SOLE.outline(turned.copy(), UP))
    assert np.array_equal(turn_vectors(turned), turn_vectors(turned.copy()))
    assert np.array_equal(turn_matrices(pair[..., 0]), turn_matrices(back))


@pytest.mark.posix
@every_call
@pytest.mark.parametrize("side", ["end", "start"])
def test_nothing_outside_of_the_arrays_is_read(name, side, require):
    require(AVAILABLE, "pages without access, by Linux calls")
    function, given = calls()[name]
    assert np.array_equal(function(*(guarded(a, side) if np.ndim(a) else a for a in given)), function(*given))


@pytest.mark.parametrize("name", ["sole_outline", "turn_matrices"])
def test_arguments_of_another_shape_are_named(name):
    function, given = calls()[name]
    for k, array in enumerate(given):
        if np.ndim(array):
            for wrong in (array[..., :2].copy(), array[None], array.astype(np.float32), array.tolist()):
                with pytest.raises(TypeError, match=r"^\w+ is not an? (packed array of float64|array of rows)"):
                    function(*given[:k], wrong, *given[k + 1 :])
    with pytest.raises(TypeError, match=rf"^{name} takes {len(given)} arguments, not {len(given) + 1}"):
        function(*given, None)
