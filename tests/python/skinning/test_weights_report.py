# SPDX-License-Identifier: MIT
"""What `check` and `inspect` say of weights; subsets, pruning and normalising of rows of any length."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import skelkin_py as sk


def ragged(seed: int, vertices: int, joints: int, longest: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Random compressed rows: some empty, some with a joint more than once, a few weights 0 or negative."""
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, longest + 1, vertices)
    indptr = np.concatenate([[0], np.cumsum(counts)])
    data = rng.normal(0.4, 0.5, indptr[-1]) * (rng.uniform(size=indptr[-1]) < 0.8)
    return indptr, rng.integers(0, joints, indptr[-1]), data


def dense_of(skin: sk.SkinWeights) -> np.ndarray:
    dense = np.zeros((skin.num_vertices, skin.num_joints))
    np.add.at(dense, (np.arange(skin.num_vertices)[:, None], skin.indices), skin.weights)
    return dense


shapes = st.tuples(st.integers(0, 2**32 - 1), st.integers(0, 40), st.integers(1, 9), st.integers(0, 7))


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(shapes)
def test_rows_of_their_own_lengths_say_and_become_what_padded_rows_do(shape):
    csr = sk.SkinWeights.from_csr(*ragged(*shape), shape[2])
    padded = sk.SkinWeights(csr.indices, csr.weights, csr.num_joints)
    assert csr == padded
    assert csr.max_influences == padded.max_influences
    for found, wanted in zip(csr.check(2), padded.check(2)):
        np.testing.assert_allclose(found, wanted, rtol=1e-12)
    np.testing.assert_array_equal(csr.pruned(2).weights, padded.pruned(2).weights)
    rows = np.random.default_rng(shape[0]).integers(0, max(shape[1], 1), 2 * shape[1])
    np.testing.assert_array_equal(csr.subset(rows).check().repeated, padded.subset(rows).check().repeated)
    np.testing.assert_array_equal(dense_of(csr.subset(rows)), dense_of(padded)[rows])


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(shapes, st.integers(1, 4))
def test_pruning_drops_what_check_says_and_keeps_the_sum(shape, count):
    skin = sk.SkinWeights.from_csr(*ragged(*shape), shape[2])
    before, after = dense_of(skin), dense_of(skin.pruned(count))
    assert ((after != 0).sum(1) <= count).all()
    lost = np.sort(np.abs(before), axis=1)[:, : max(shape[2] - count, 0)].sum(1)
    report = skin.check(max_influences=count)
    assert report.dropped.tolist() == np.flatnonzero(lost > 1e-15).tolist()
    assert report.worst_dropped == pytest.approx(lost.max(initial=0))
    usable = np.abs(np.where(after != 0, before, 0).sum(1)) > 1e-6
    np.testing.assert_allclose(after.sum(1)[usable], before.sum(1)[usable], atol=1e-9)


def test_pruning_counts_a_joint_named_twice_once():
    skin = sk.SkinWeights([[0, 1, 0]], [[0.3, 0.4, 0.3]], 2)
    assert dense_of(skin.pruned(1)).tolist() == [[1, 0]]
    assert skin.check(max_influences=2).dropped.tolist() == []
    assert skin.check(max_influences=1).worst_dropped == pytest.approx(0.4)


def test_dropped_is_empty_where_it_was_not_asked_for():
    report = sk.SkinWeights([[0, 1]], [[0.5, 0.5]], 2).check()
    assert report.dropped.tolist() == []
    assert report.worst_dropped == 0


def test_inspect_lists_every_bad_entry_with_row_and_column():
    indices = [[0, -1], [2**40, 1], [1, 0], [65536, 0]]
    weights = [[1, 0], [np.nan, 1], [-np.inf, np.inf], [0.5, 0.5]]
    report = sk.SkinWeights.inspect(indices, weights, 2)
    assert not report.ok
    assert report.bad_indices.tolist() == [[0, 1], [1, 0], [3, 0]]
    assert report.not_finite.tolist() == [[1, 0], [2, 0], [2, 1]]
    assert report.not_normalized.tolist() == report.empty.tolist() == []


@pytest.mark.slow
@given(
    st.lists(
        st.tuples(st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=True, allow_infinity=True)),
        min_size=6,
        max_size=6,
    )
)
@settings(max_examples=40, deadline=None)
def test_inspect_never_raises_on_values_and_is_right_about_what_can_be_used(entries):
    indices = np.array([joint for joint, _ in entries]).reshape(2, 3)
    weights = np.array([weight for _, weight in entries]).reshape(2, 3)
    report = sk.SkinWeights.inspect(indices, weights, 4)
    usable = not len(report.bad_indices) and not len(report.not_finite)
    if usable:
        assert report.ok == sk.SkinWeights(indices, weights, 4).check().ok
    else:
        with pytest.raises(ValueError, match=r"^(indices|weights)\[\d, \d\] is "):
            sk.SkinWeights(indices, weights, 4)
    assert str(report)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (([0, 1], [[1.0]], 2), "indices has shape"),
        (([[0]], [[1.0, 2]], 2), r"indices has shape \(1, 1\) and weights \(1, 2\)"),
        (([[0.5]], [[1.0]], 2), "indices has dtype"),
        (([[0]], [[1.0]], 0), "num_joints is 0"),
    ],
)
def test_inspect_raises_on_what_is_no_table_of_weights(arguments, words):
    with pytest.raises((TypeError, ValueError), match=words):
        sk.SkinWeights.inspect(*arguments)


def test_the_text_shows_a_few_rows_of_each_finding():
    weights = np.full((300, 2), 0.25)
    weights[7] = -0.5, 1.5
    lines = str(sk.SkinWeights(np.tile([0, 1], (300, 1)), weights, 2).check(max_influences=1)).splitlines()
    assert lines[0] == "sum is off 1, at worst 0.5: 299 vertices (0, 1, 2, 3, 4, ...)"
    assert lines[1] == "negative weight: 1 vertices (7)"
    assert len(lines) == 3


@pytest.mark.parametrize("make", [np.asarray, list, tuple])
def test_a_subset_keeps_order_and_repeats(make):
    skin = sk.SkinWeights([[0], [1], [2]], [[1.0], [0.5], [0.25]], 3)
    assert skin.subset(make([2, 0, 2])).weights.tolist() == [[0.25], [1], [0.25]]
    assert skin.subset(make([])).num_vertices == 0


def test_a_subset_by_mask():
    skin = sk.SkinWeights([[0], [1], [2]], [[1.0], [0.5], [0.25]], 3)
    assert skin.subset([True, False, True]).indices.tolist() == [[0], [2]]
    with pytest.raises(ValueError, match=r"^vertices has shape \(2,\): a mask must be \(3,\)$"):
        skin.subset([True, False])


@pytest.mark.parametrize(("bad", "place"), [([0, 3], 1), ([-1], 0), ([0, 0, 2**40], 2)])
def test_a_vertex_that_is_not_there_is_named(bad, place):
    skin = sk.SkinWeights([[0], [1], [2]], [[1.0], [0.5], [0.25]], 3)
    with pytest.raises(ValueError, match=rf"^vertices\[{place}\] is {bad[place]}: there are 3 vertices$"):
        skin.subset(bad)
    with pytest.raises(TypeError, match="vertices has dtype"):
        skin.subset([0.5])


def test_skinning_a_subset_gives_the_bits_of_skinning_all():
    rng = np.random.default_rng(3)
    skin = sk.SkinWeights.from_csr(*ragged(4, 700, 9, 6), 9)
    points, matrices = rng.normal(size=(700, 3)).astype(np.float32), rng.normal(size=(9, 4, 4)).astype(np.float32)
    rows = rng.permutation(700)[:333]
    whole = sk.skin_points(points, skin, matrices)
    np.testing.assert_array_equal(sk.skin_points(points[rows], skin.subset(rows), matrices), whole[rows])


def test_one_long_row_does_not_make_all_rows_long():
    indptr = np.concatenate([[0], np.full(50_000, 60_000)])
    skin = sk.SkinWeights.from_csr(indptr, np.arange(60_000), np.full(60_000, 1 / 60_000), 60_000)
    report = skin.check(max_influences=8)  # padded, this were 3e9 entries
    assert report.dropped.tolist() == [0]
    assert len(report.empty) == 49_999
    assert skin.normalized().check().worst_sum == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("scale", [5e-324, 1e-200, 1.0, 1e200, 1.7e308])
def test_rows_of_any_size_are_normalised(scale):
    row = np.array([[1, 1], [0, 0], [0.25, 0.75]]) * scale
    sums = sk.SkinWeights(np.tile([0, 1], (3, 1)), row, 2).normalized().weights.sum(1)
    np.testing.assert_allclose(sums, [1, 0, 1], rtol=1e-15)


def test_weights_that_cancel_cannot_be_normalised():
    with pytest.raises(ValueError, match=r"^weights\[1\] is \[1.0, -1.0\]: a sum of 0 cannot be normalised$"):
        sk.SkinWeights([[0, 1], [0, 1]], [[0.5, 0.5], [1, -1]], 2).normalized()


def test_pickle_keeps_rows_of_their_own_lengths():
    skin = sk.SkinWeights.from_csr(*ragged(5, 30, 6, 5), 6)
    again = pickle.loads(pickle.dumps(skin))
    assert again == skin
    assert hash(again) == hash(skin)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.int8, bool])
def test_a_dense_matrix_of_any_dtype_is_taken(dtype):
    dense = np.array([[1, 0, 0], [0, 0, 1]], dtype)
    assert sk.SkinWeights.from_dense(dense).indices.tolist() == [[0], [2]]


@pytest.mark.parametrize("count", [0, -1])
def test_a_count_of_influences_below_one_is_refused(count):
    skin = sk.SkinWeights([[0]], [[1.0]], 1)
    for call in (skin.pruned, skin.check):
        with pytest.raises(ValueError, match=rf"^max_influences is {count}: it must be at least 1$"):
            call(count)
