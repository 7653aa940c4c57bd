# SPDX-License-Identifier: MIT
"""One order of operations per element: the same bits however a batch is cut, stored or shared among threads."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given as draw, settings, strategies as st
from random_rigs import calm_transforms, random_weights
from verbs import Verb, make_verbs

import skelkin_py as sk

every_verb = pytest.mark.parametrize("verb", make_verbs(), ids=lambda verb: verb.name)
big_verbs = pytest.mark.parametrize("verb", make_verbs(40, 700, 5, 3), ids=lambda verb: verb.name)
METHODS = ["linear", "dual_quaternion"] if any("dual" in verb.name for verb in make_verbs()) else ["linear"]
both_dtypes = pytest.mark.parametrize("dtype", [np.float32, np.float64])


def assert_same(found, expected):
    for a, b in zip(found, expected, strict=True):
        assert a.shape == b.shape
        np.testing.assert_array_equal(a.view(f"u{a.itemsize}"), b.view(f"u{b.itemsize}"))  # 0.0 is not -0.0


def part(given, key):
    return {name: value[key] for name, value in given.items()}


def parts(results, key):
    return tuple(np.ascontiguousarray(each[key]) for each in results)


@every_verb
@both_dtypes
def test_a_batch_is_the_loop(verb, dtype):
    given = verb.inputs((37,), dtype)
    whole = verb.run(given)
    for frame in range(37):
        assert_same(verb.run(part(given, frame)), parts(whole, frame))


@every_verb
@both_dtypes
def test_a_batch_may_be_cut_anywhere(verb, dtype):
    given = verb.inputs((70,), dtype)
    whole = verb.run(given)
    for cut in (slice(0, 1), slice(0, 8), slice(3, 20), slice(5, 70), slice(31, 64), slice(None, None, 7)):
        assert_same(verb.run(part(given, cut)), parts(whole, cut))
    folded = {name: value.reshape(7, 10, *value.shape[1:]) for name, value in given.items()}
    found = verb.run(folded)
    assert_same(tuple(each.reshape(70, *each.shape[2:]) for each in found), whole)


@every_verb
@both_dtypes
@draw(seed=st.integers(0, 10**6))
@settings(max_examples=6, deadline=None)
def test_a_batch_may_lie_in_memory_in_any_order(verb, dtype, seed):
    """Leading strides of any sign and order, and steps: equal to a copy, input and output."""
    rng = np.random.default_rng(seed)
    lead = tuple(rng.integers(1, 7, 3))
    given = verb.inputs(lead, dtype)
    expected = verb.run(given)
    shuffled = {name: scattered(value, rng) for name, value in given.items()}
    out = tuple(scattered(each, rng) for each in verb.empty(lead, dtype))
    verb.run(shuffled, out)
    assert_same(tuple(np.ascontiguousarray(each) for each in out), expected)


def scattered(value, rng):
    """Return the same array with its three leading dimensions in another order in memory, with gaps, or backwards."""
    order, steps = rng.permutation(3), rng.choice([-2, -1, 1, 2], 3)
    big = np.zeros([abs(step) * size for step, size in zip(steps, value.shape)] + list(value.shape[3:]), value.dtype)
    memory = np.ascontiguousarray(big.transpose(*order, *range(3, value.ndim)))
    view = memory.transpose(*np.argsort(order), *range(3, value.ndim))
    view = view[tuple(slice(None, None, int(step)) for step in steps)]
    view[...] = value
    return view


@big_verbs
@both_dtypes
def test_threads_give_the_bits_of_one_thread(verb, dtype):
    if not hasattr(sk, "set_num_threads"):
        return
    given = verb.inputs((33,), dtype)
    expected, single = verb.run(given), verb.run(part(given, 5))
    before = sk.get_num_threads()
    try:
        for threads in (2, 3, 7):
            sk.set_num_threads(threads)
            assert_same(verb.run(given), expected)
            assert_same(verb.run(part(given, 5)), single)
    finally:
        sk.set_num_threads(before)


@pytest.mark.parametrize("method", METHODS)
@both_dtypes
def test_a_mesh_may_be_cut_anywhere(method, dtype):
    """Blocks of vertices, and the sorting inside of them, do not show: neither with one pose nor with many."""
    indices, weights = random_weights(1, 700, 9, 12)
    weights[np.random.default_rng(2).uniform(size=weights.shape) < 0.5] = 0
    points, matrices = (
        np.random.default_rng(3).normal(size=(700, 3)).astype(dtype),
        calm_transforms(4, 11, 12).astype(dtype),
    )

    def skinned(rows, poses):
        skin = sk.SkinWeights(indices[rows], weights[rows], 12)
        return sk.skin_points(points[rows], skin, matrices[poses], method=method)

    whole = skinned(slice(None), slice(None))
    for rows in (slice(0, 1), slice(0, 255), slice(255, 513), slice(3, 700), slice(699, 700), slice(None, None, 3)):
        np.testing.assert_array_equal(skinned(rows, slice(None)), whole[:, rows])
        np.testing.assert_array_equal(skinned(rows, 6), whole[6, rows])
        some = sk.SkinWeights(indices, weights, 12).subset(np.arange(700)[rows])
        np.testing.assert_array_equal(sk.skin_points(points[rows], some, matrices, method=method), whole[:, rows])


@both_dtypes
def test_weights_in_every_form_give_the_same_bits(dtype):
    """Padding, dense and compressed rows: what has weight 0 takes no part in any of them."""
    rng = np.random.default_rng(5)
    dense = rng.uniform(size=(300, 9)) * (rng.uniform(size=(300, 9)) < 0.4)
    rows, columns = np.nonzero(dense)
    indptr = np.r_[0, np.cumsum((dense != 0).sum(1))]
    points, matrices = rng.normal(size=(300, 3)).astype(dtype), calm_transforms(6, 3, 9).astype(dtype)
    expected = sk.skin_points(points, sk.SkinWeights.from_dense(dense), matrices)
    for skin in (
        sk.SkinWeights.from_csr(indptr, columns, dense[rows, columns], 9),
        sk.SkinWeights(np.tile(np.arange(9), (300, 1)), dense, 9),
    ):
        np.testing.assert_array_equal(sk.skin_points(points, skin, matrices), expected)


def test_scattering_keeps_the_numbers():
    value = np.arange(4 * 3 * 5 * 2, dtype=float).reshape(4, 3, 5, 2)
    for seed in range(20):
        np.testing.assert_array_equal(scattered(value, np.random.default_rng(seed)), value)


def test_every_verb_of_the_package_is_in_the_table():
    names = {verb.function for verb in make_verbs()}
    assert names <= set(dir(sk))
    assert isinstance(make_verbs()[0], Verb)
