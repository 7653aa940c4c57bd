# SPDX-License-Identifier: MIT
"""`out=`: the same object comes back, whatever its strides, and as if it did not overlap with any input."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
from verbs import Verb, make_verbs

import skelkin_py as sk

JOINTS, VERTICES = 12, 21
VERBS = make_verbs(JOINTS, VERTICES)
every_verb = pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.name)
both_dtypes = pytest.mark.parametrize("dtype", [np.float32, np.float64])


def assert_same(found, expected):
    assert len(found) == len(expected)
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_array_equal(a, b)


def overlapping_pairs(verb: Verb, given):
    """Return (argument, position of the result) for each result that has the shape of an argument."""
    return [(name, k) for name, value in given.items() for k, core in enumerate(verb.outs) if value.shape == (5, *core)]


@every_verb
def test_it_is_keyword_only(verb):
    assert inspect.signature(getattr(sk, verb.function)).parameters["out"].kind is inspect.Parameter.KEYWORD_ONLY


@every_verb
@both_dtypes
def test_it_is_returned_and_holds_what_no_out_gives(verb, dtype):
    given = verb.inputs(dtype=dtype)
    out = verb.empty((5,), dtype)
    found = verb.run(given, out)
    assert all(a is b for a, b in zip(found, out, strict=True))
    assert_same(out, verb.run(given))


@every_verb
@both_dtypes
def test_it_may_have_any_strides(verb, dtype):
    given = verb.inputs(dtype=dtype)
    expected = verb.run(given)
    variants = {
        "reversed": [np.zeros((10, *core), dtype)[::-2] for core in verb.outs],
        "fortran": [np.zeros((5, *core), dtype, order="F") for core in verb.outs],
        "every second number": [
            np.zeros((5, *(2 * n for n in core)), dtype)[(slice(None), *[slice(None, None, 2)] * len(core))]
            for core in verb.outs
        ],
        "joints backwards": [np.zeros((5, *core), dtype)[:, ::-1] for core in verb.outs],
        "unaligned": [
            np.zeros(5 * int(np.prod(core)) * dtype().itemsize + 1, np.uint8)[1:].view(dtype).reshape(5, *core)
            for core in verb.outs
        ],
    }
    for out in variants.values():
        assert all(a is b for a, b in zip(verb.run(given, tuple(out)), out, strict=True))
        assert_same(out, expected)


@every_verb
def test_what_lies_between_its_strides_is_untouched(verb):
    whole = verb.empty((10,), np.float64, 7.0)
    verb.run(verb.inputs(), tuple(each[::2] for each in whole))
    assert all((each[1::2] == 7).all() for each in whole)


@every_verb
@both_dtypes
def test_matrices_without_their_last_row_take_only_three(verb, dtype):
    given = verb.inputs(dtype=dtype)
    expected = verb.run(given)
    out = verb.empty((5,), dtype, 7.0)
    verb.run(given, tuple(o[..., :3, :] if len(core) == 3 else o for o, core in zip(out, verb.outs, strict=True)))
    for each, wanted, core in zip(out, expected, verb.outs, strict=True):
        rows = 3 if len(core) == 3 else None
        np.testing.assert_array_equal(each[..., :rows, :], wanted[..., :rows, :])
        assert len(core) == 2 or (each[..., 3, :] == 7).all()


@every_verb
@both_dtypes
def test_it_may_be_an_input(verb, dtype):
    for name, k in overlapping_pairs(verb, verb.inputs(dtype=dtype)):
        given = verb.inputs(dtype=dtype)
        expected = verb.run(given)
        out = list(verb.empty((5,), dtype))
        out[k] = given[name]
        assert verb.run(given, tuple(out))[k] is given[name]
        assert_same(out, expected)


@every_verb
@both_dtypes
@pytest.mark.parametrize("shift", [-1, 1])
def test_it_may_overlap_an_input(verb, dtype, shift):
    for name, k in overlapping_pairs(verb, verb.inputs(dtype=dtype)):
        given = verb.inputs(dtype=dtype)
        expected = verb.run(given)
        memory = np.zeros((7, *verb.outs[k]), dtype)
        memory[1:6] = given[name]
        given[name] = memory[1:6]
        out = list(verb.empty((5,), dtype))
        out[k] = memory[1 + shift : 6 + shift]
        verb.run(given, tuple(out))
        assert_same(out, expected)


@every_verb
@both_dtypes
def test_it_may_overlap_an_input_of_another_shape(verb, dtype):
    """One block of memory, of which each input is the beginning, and each result a part that starts inside it."""
    for name in verb.arguments:
        for k, core in enumerate(verb.outs):
            given = verb.inputs(dtype=dtype)
            expected = verb.run(given)
            value, size = given[name], 5 * int(np.prod(core))
            memory = np.zeros(value.size + size, dtype)
            given[name] = memory[: value.size].reshape(value.shape)
            given[name][...] = value
            out = list(verb.empty((5,), dtype))
            out[k] = memory[value.size // 2 : value.size // 2 + size].reshape(5, *core)
            verb.run(given, tuple(out))
            assert_same(out, expected)


@every_verb
def test_results_of_a_batch_may_not_share_an_out_of_one(verb):
    with pytest.raises(ValueError, match=r"^out"):
        verb.run(verb.inputs(), verb.empty((), np.float64))


@every_verb
def test_a_bad_one_is_named(verb):
    given = verb.inputs()
    cases = [
        (verb.empty((4,), np.float64), ValueError, r"^out\S* has shape "),
        (verb.empty((1, 5), np.float64), ValueError, r"^out\S* has shape "),
        (tuple(each[..., 0] for each in verb.empty((5,), np.float64)), ValueError, r"^out\S* has shape "),
        (verb.empty((5,), np.float32), (TypeError, ValueError), r"^out\S* has dtype float32"),
        (verb.empty((5,), np.int64, 0), (TypeError, ValueError), r"^out\S* has dtype int64"),
        (tuple(each.tolist() for each in verb.empty((5,), np.float64)), TypeError, r"^out"),
    ]
    for out, error, words in cases:
        with pytest.raises(error, match=words):
            verb.run(given, out)


@every_verb
def test_a_read_only_one_is_named_and_nothing_is_written(verb):
    for k in range(len(verb.outs)):
        out = verb.empty((5,), np.float64, 7.0)
        out[k].setflags(write=False)
        with pytest.raises(ValueError, match=r"^out\S* is read-only"):
            verb.run(verb.inputs(), out)
        assert all((each == 7).all() for each in out)


@every_verb
def test_it_may_be_mapped_from_a_file(verb, tmp_path):
    given = verb.inputs((40,), np.float32)
    out = tuple(
        np.memmap(tmp_path / f"out{k}", np.float32, "w+", shape=(40, *core)) for k, core in enumerate(verb.outs)
    )
    assert all(a is b for a, b in zip(verb.run(given, out), out, strict=True))
    expected = verb.run(given)
    for k, each in enumerate(out):
        each.flush()
        np.testing.assert_array_equal(np.fromfile(tmp_path / f"out{k}", np.float32).reshape(each.shape), expected[k])


@pytest.mark.slow
def test_ten_million_poses():
    skin = sk.SkinWeights([[0]], [[1.0]], 1)
    move = sk.compose([1, 2, 3], [1, 0, 0, 0])[None].astype(np.float32)
    found = sk.skin_points(np.zeros((1, 3), np.float32), skin, np.broadcast_to(move, (10_000_000, 1, 4, 4)))
    assert found.shape == (10_000_000, 1, 3)
    np.testing.assert_array_equal(found[::999], np.broadcast_to([1, 2, 3], (10_011, 1, 3)))
    assert found[-1].tolist() == [[1, 2, 3]]


@every_verb
def test_poses_may_lie_gigabytes_apart(verb):
    """Memory that is never touched costs nothing; an index or offset of 32 bits would miss the second pose."""
    given = verb.inputs((2,), np.float32)
    apart = 3 << 29  # numbers: 6 GiB
    out = []
    for core in verb.outs:
        numbers = np.zeros(apart + int(np.prod(core)), np.float32)
        strides = (4 * apart, *np.zeros((1, *core), np.float32).strides[1:])
        out.append(np.lib.stride_tricks.as_strided(numbers, (2, *core), strides))
    verb.run(given, tuple(out))
    assert_same(out, verb.run(given))
