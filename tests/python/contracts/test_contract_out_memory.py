# SPDX-License-Identifier: MIT
"""`out=`: every number of every result has memory of its own, however interleaved; what has not is refused by name."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided
from verbs import Verb, make_verbs

import skelkin_py as sk

VERBS = make_verbs(12, 21)
every_verb = pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.name)
several_results = pytest.mark.parametrize("verb", [v for v in VERBS if len(v.outs) > 1], ids=lambda verb: verb.name)


def solve(out=None):
    a, b, c, target = np.random.default_rng(1).normal(size=(4, 6, 3))
    return sk.solve_two_bone(a, b, c, target, out=out)


def bend(out=None, lead=(6,)):
    rng = np.random.default_rng(2)
    return sk.solve_fabrik(rng.normal(size=(*lead, 5, 3)), rng.normal(size=(*lead, 3)), out=out)


SOLVERS = {"solve_two_bone": solve, "solve_fabrik": bend}
SOLVER_PAIRS = [(name, *pair) for name, run in SOLVERS.items() for pair in itertools.combinations(range(len(run())), 2)]


def blank(results):
    return [np.full_like(each, 7) for each in results]


def untouched(*memory):
    return all((each == 7).all() for each in memory)


def packed(memory, like, first):
    """Return an array like another one on these bytes, from one of them on."""
    return np.ndarray(like.shape, like.dtype, memory, first)


@several_results
def test_results_on_the_same_memory_are_refused_and_nothing_is_written(verb: Verb):
    given = verb.inputs()
    for first, second in itertools.combinations(range(len(verb.outs)), 2):
        for shift in (0, 8, 400):
            out = list(verb.empty((5,), np.float64, 7.0))
            memory = np.full(out[first].size + out[second].size + 50, 7.0)
            out[first], out[second] = packed(memory, out[first], 0), packed(memory, out[second], shift)
            with pytest.raises(ValueError, match=r"^out\.\w+ shares memory with out\.\w+: every result needs"):
                verb.run(given, tuple(out))
            assert untouched(memory, *out)


@pytest.mark.parametrize(("name", "first", "second"), SOLVER_PAIRS)
def test_solvers_refuse_results_on_the_same_memory(name, first, second):
    results = SOLVERS[name]()
    out = blank(results)
    memory = np.full(100, 7.0)
    memory.view(np.uint8)[...] = 7
    out[first], out[second] = packed(memory, results[first], 0), packed(memory, results[second], 0)
    before = memory.tobytes()
    fields = type(results)._fields
    with pytest.raises(ValueError, match=rf"^out\.{fields[second]} shares memory with out\.{fields[first]}: "):
        SOLVERS[name](out=type(results)(*out))
    assert memory.tobytes() == before
    assert untouched(*(each for k, each in enumerate(out) if k not in (first, second)))


@every_verb
def test_elements_on_the_same_memory_are_refused_and_nothing_is_written(verb: Verb):
    given = verb.inputs()
    for k in range(len(verb.outs)):
        step = np.zeros(verb.outs[k]).strides
        for strides in ((0, *step), (8, *step), (step[0], *step), (3 * step[0], *step)):
            out = list(verb.empty((5,), np.float64, 7.0))
            memory = np.full(20 * out[k].size, 7.0)
            out[k] = as_strided(memory, out[k].shape, strides)
            with pytest.raises(ValueError, match=r"^out\S* has strides \(.*\), which put several elements on the same"):
                verb.run(given, tuple(out))
            assert untouched(memory, *out)


@pytest.mark.parametrize("name", SOLVERS)
def test_solvers_refuse_elements_on_the_same_memory(name):
    results = SOLVERS[name]()
    for k, field in enumerate(type(results)._fields):
        out = blank(results)
        out[k] = as_strided(out[k], out[k].shape, (0, *out[k].strides[1:]))
        with pytest.raises(ValueError, match=rf"^out\.{field} has strides \(0"):
            SOLVERS[name](out=type(results)(*out))
        assert untouched(*out)


def test_a_dimension_of_one_may_have_any_stride():
    pose = np.zeros((1, 2, 4, 4))
    skeleton = sk.Skeleton([-1, 0], np.tile(np.eye(4), (2, 1, 1)))
    out = as_strided(pose, pose.shape, (0, *pose.strides[1:]))
    assert sk.forward_kinematics(skeleton, np.tile(np.eye(4), (1, 2, 1, 1)), out=out) is out
    np.testing.assert_array_equal(pose, np.tile(np.eye(4), (1, 2, 1, 1)))


@several_results
def test_results_may_be_columns_of_one_buffer(verb: Verb):
    """As in points, normals and tangents side by side: no byte belongs to two of them, though the ranges meet."""
    given = verb.inputs()
    widths = [core[-1] for core in verb.outs]
    ends = np.cumsum(widths)
    buffer = np.full((5, verb.outs[0][0], ends[-1] + 1), 7.0)
    out = tuple(buffer[..., end - width : end] for end, width in zip(ends, widths, strict=True))
    for found, expected in zip(verb.run(given, out), verb.run(given), strict=True):
        np.testing.assert_array_equal(found, expected)
    assert untouched(buffer[..., -1])


@several_results
def test_results_may_take_turns_in_one_buffer(verb: Verb):
    given = verb.inputs()
    count, widest = len(verb.outs), max(core[-1] for core in verb.outs)
    every_other_frame = np.full((5 * count, verb.outs[0][0], widest), 7.0)
    backwards = np.full((5, verb.outs[0][0] * count, widest), 7.0)
    for views in (
        [every_other_frame[k::count, :, : core[-1]] for k, core in enumerate(verb.outs)],
        [backwards[:, ::-1][:, k::count, : core[-1]] for k, core in enumerate(verb.outs)],
    ):
        for found, expected in zip(verb.run(given, tuple(views)), verb.run(given), strict=True):
            np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("name", SOLVERS)
def test_solvers_may_write_the_fields_of_records(name):
    results = SOLVERS[name]()
    fields = type(results)._fields
    records = np.zeros(6, [(f, each.dtype, each.shape[1:]) for f, each in zip(fields, results, strict=True)])
    SOLVERS[name](out=type(results)(*(records[f] for f in fields)))
    for field, expected in zip(fields, results, strict=True):
        np.testing.assert_array_equal(records[field], expected)


def bytes_of(array):
    """Return the addresses of all bytes of an array, element by element."""
    starts = np.full(array.shape, array.__array_interface__["data"][0])
    for axis, stride in enumerate(array.strides):
        starts = starts + np.expand_dims(
            np.arange(array.shape[axis]) * stride, tuple(d for d in range(array.ndim) if d != axis)
        )
    return (starts[..., None] + np.arange(array.itemsize)).ravel()


@pytest.mark.slow
def test_any_strides_are_judged_as_counting_bytes_does():
    """Two results of one number per chain, anywhere in one block of memory: the errors and the iterations."""
    rng = np.random.default_rng(5)
    refused = 0
    for _ in range(600):
        lead = tuple(int(n) for n in rng.integers(1, 5, 3))
        memory = np.zeros(4000, np.uint8)
        results = bend(lead=lead)
        out, counted = list(results), []
        for k in (2, 3):
            steps = rng.choice([8, 16, 24, 32, 40, 56, 72, 96, 160, 4, 12, 9], 3) * rng.choice([-1, 1], 3)
            out[k] = np.ndarray(lead, results[k].dtype, memory, 2000 + 4 * int(rng.integers(60)), steps)
            counted.append(bytes_of(out[k]))
        alone = all(len(set(each.tolist())) == each.size for each in counted)
        apart = not set(counted[0].tolist()) & set(counted[1].tolist())
        if alone and apart:
            found = bend(out=sk.Fabrik(*out), lead=lead)
            np.testing.assert_array_equal(found.error, results.error)
            np.testing.assert_array_equal(found.iterations, results.iterations)
        else:
            refused += 1
            words = "shares memory with" if alone else "has strides"
            with pytest.raises(ValueError, match=rf"^out\.\w+ {words}"):
                bend(out=sk.Fabrik(*out), lead=lead)
            assert not memory.any()
    assert 100 < refused < 500


def test_strides_without_any_order_are_judged_in_no_time():
    """Whether sums of twenty strides meet is a subset-sum problem: 3e9 differences, of which some are 0."""
    lead = (2,) * 20
    strides = [int(n) for n in 128 * np.random.default_rng(1).integers(1 << 20, 1 << 21, 20)]
    memory = np.zeros(sum(strides) // 8 + 16)  # gigabytes, none of which is touched
    skeleton = sk.Skeleton([-1], np.eye(4)[None])
    out = as_strided(memory, (*lead, 1, 4, 4), (*strides, 128, 32, 8))
    with pytest.raises(ValueError, match=r"^out has strides \("):
        sk.forward_kinematics(skeleton, np.broadcast_to(np.eye(4), out.shape), out=out)


def test_inputs_may_still_lie_where_results_go():
    a, b, c, target = np.random.default_rng(1).normal(size=(4, 6, 3))
    expected = sk.solve_two_bone(a, b, c, target)
    out = blank(expected)
    out[0], out[1] = b, c
    found = sk.solve_two_bone(a, b, c, target, out=sk.TwoBone(*out))
    assert found.b is b
    for x, y in zip(found, expected, strict=True):
        np.testing.assert_array_equal(x, y)
