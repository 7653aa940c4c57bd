# SPDX-License-Identifier: MIT
"""Skin weights: three ways in, what `check` finds, and every rule they enforce."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from random_rigs import random_weights

import skelkin_py as sk


def dense_of(skin: sk.SkinWeights) -> np.ndarray:
    dense = np.zeros((skin.num_vertices, skin.num_joints))
    for v in range(skin.num_vertices):
        np.add.at(dense[v], np.asarray(skin.indices)[v], np.asarray(skin.weights)[v])
    return dense


def test_attributes():
    skin = sk.SkinWeights(*random_weights(1, 9, 3, 5), 5)
    assert (skin.num_vertices, skin.num_joints, skin.max_influences) == (9, 5, 3)
    assert skin.indices.shape == skin.weights.shape == (9, 3)


def test_arrays_cannot_be_written_and_the_callers_are_copied():
    indices, weights = random_weights(2, 9, 3, 5)
    skin = sk.SkinWeights(indices, weights, 5)
    kept = skin.weights.copy()
    weights[:] = 7
    indices[:] = 0
    np.testing.assert_array_equal(skin.weights, kept)
    for array in (skin.indices, skin.weights):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


def test_from_dense_holds_the_same_weights():
    rng = np.random.default_rng(3)
    dense = rng.uniform(size=(20, 6)) * (rng.uniform(size=(20, 6)) < 0.4)
    dense[4] = 0
    np.testing.assert_array_equal(dense_of(sk.SkinWeights.from_dense(dense)), dense)


def test_from_csr_holds_the_same_weights():
    indptr, indices, data = [0, 2, 2, 5], [1, 3, 0, 3, 2], [0.25, 0.75, 0.5, 0.25, 0.25]
    skin = sk.SkinWeights.from_csr(indptr, indices, data, 4)
    assert dense_of(skin).tolist() == [[0, 0.25, 0, 0.75], [0, 0, 0, 0], [0.5, 0, 0.25, 0.25]]


def test_rows_are_used_as_given():
    skin = sk.SkinWeights([[0, 0]], [[1.5, 1.5]], 1)
    moved = sk.skin_points([[1.0, 2, 3]], skin, np.eye(4)[None])
    np.testing.assert_array_equal(moved, [[3, 6, 9]])


def test_normalized_rows_sum_to_one():
    indices, weights = random_weights(4, 30, 4, 6)
    skin = sk.SkinWeights(indices, weights * 3, 6).normalized()
    np.testing.assert_allclose(np.asarray(skin.weights).sum(1), 1, atol=1e-12)
    np.testing.assert_allclose(dense_of(skin), dense_of(sk.SkinWeights(indices, weights, 6)), atol=1e-12)


def test_normalized_leaves_a_row_of_zeros():
    skin = sk.SkinWeights([[0, 1], [0, 1]], [[0.0, 0], [2, 2]], 2).normalized()
    assert dense_of(skin).tolist() == [[0, 0], [0.5, 0.5]]


def test_pruned_keeps_the_largest():
    skin = sk.SkinWeights([[0, 1, 2, 3, 4]], [[0.1, 0.3, 0.05, 0.35, 0.2]], 5).pruned(2)
    assert skin.max_influences == 2
    assert np.flatnonzero(dense_of(skin)[0]).tolist() == [1, 3]


def test_check_finds_nothing_in_good_weights():
    weights = random_weights(5, 30, 4, 6)[1]
    report = sk.SkinWeights(np.tile([3, 1, 5, 0], (30, 1)), weights, 6).check()
    assert report.ok
    assert str(report) == "weights: no findings"


@pytest.mark.parametrize(
    ("row", "finding"),
    [
        ([-0.5, 1.5], "negative"),
        ([0.5, 0.4999], "not_normalized"),
        ([0.5, 0.50002], "not_normalized"),
        ([0.0, 0.0], "empty"),
    ],
)
def test_check_finds(row, finding):
    report = sk.SkinWeights([[0, 1], [0, 1]], [[0.5, 0.5], row], 2).check()
    assert not report.ok
    for name in ("negative", "not_normalized", "empty", "repeated"):
        assert getattr(report, name).tolist() == ([1] if name == finding else [])


def test_check_forgives_rounding():
    assert sk.SkinWeights([[0, 1]], [[0.5, 0.500005]], 2).check().ok


def test_pickle_keeps_everything():
    skin = sk.SkinWeights(*random_weights(6, 9, 3, 5), 5)
    again = pickle.loads(pickle.dumps(skin))
    np.testing.assert_array_equal(again.indices, skin.indices)
    np.testing.assert_array_equal(again.weights, skin.weights)
    assert again.num_joints == 5


def test_repr_says_the_sizes():
    text = repr(sk.SkinWeights(*random_weights(7, 90, 3, 50), 50))
    assert "90" in text
    assert "50" in text


@pytest.mark.parametrize("bad", [-1, 2, 99, 2_000_000_000, -(2**40), 2**40])
def test_a_joint_that_is_not_there_is_named(bad):
    with pytest.raises(ValueError, match=rf"indices\[1, 1\] is {bad}: "):
        sk.SkinWeights([[0, 1], [1, bad]], [[0.5, 0.5], [0.5, 0.5]], 2)


@pytest.mark.parametrize(("bad", "text"), [(np.nan, "nan"), (np.inf, "inf"), (-np.inf, "-inf")])
def test_a_weight_that_is_not_finite_is_named(bad, text):
    with pytest.raises(ValueError, match=rf"weights\[0, 1\] is -?{text.lstrip('-')}: "):
        sk.SkinWeights([[0, 1]], [[0.5, bad]], 2)


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        (([[0, 1]], [[0.5]], 2), ValueError, "weights"),
        (([0, 1], [0.5, 0.5], 2), ValueError, "indices"),
        (([[0.5, 1.0]], [[0.5, 0.5]], 2), (TypeError, ValueError), "indices"),
        (([["a"]], [[0.5]], 2), (TypeError, ValueError), "indices"),
        (([[0]], [["a"]], 2), (TypeError, ValueError), "weights"),
        (([[0]], [[1j]], 2), (TypeError, ValueError), "weights"),
        (([[0]], [[1.0]], 0), ValueError, "num_joints"),
        (([[0]], [[1.0]], -3), ValueError, "num_joints"),
        (([[0]], [[1.0]], 1.5), (TypeError, ValueError), "num_joints"),
    ],
)
def test_bad_arguments_are_named(arguments, error, words):
    with pytest.raises(error, match=words):
        sk.SkinWeights(*arguments)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (([0, 1], [5], [1.0], 2), r"indices\[0\] is 5: "),
        (([1, 1], [0], [1.0], 2), r"indptr\[0\] is 1: "),
        (([0, 2, 1, 2], [0, 1], [1.0, 1.0], 2), r"indptr\[2\] is 1: "),
        (([0, 3], [0, 1], [1.0, 1.0], 2), "indptr|indices"),
        (([0, 1], [0, 1], [1.0, 1.0], 2), "indptr|indices"),
        (([0, 2], [0, 1], [1.0], 2), "data|indices"),
        (([0, 2], [0, 1], [1.0, np.nan], 2), r"data\[1\] is -?nan: "),
        (([], [], [], 2), "indptr"),
    ],
)
def test_a_bad_csr_is_named(arguments, words):
    with pytest.raises(ValueError, match=words):
        sk.SkinWeights.from_csr(*arguments)


def test_a_bad_dense_matrix_is_named():
    with pytest.raises(ValueError, match=r"^dense\[0, 1\] is nan: a weight must be finite$"):
        sk.SkinWeights.from_dense([[0.5, np.nan]])
    with pytest.raises(ValueError, match=r"^dense has shape \(2,\): expected \(V, J\)$"):
        sk.SkinWeights.from_dense([0.5, 0.5])


def test_a_joint_named_twice_is_reported_and_allowed() -> None:
    report = sk.SkinWeights([[0, 0]], [[0.5, 0.5]], 1).check()
    assert report.ok
    assert report.repeated.tolist() == [0]


@pytest.mark.parametrize("dtype", ["u1", "u2", "u4", "u8", "i1", "i8", ">u4"])
def test_joint_ids_of_every_integer_dtype_are_taken(dtype: str) -> None:
    skin = sk.SkinWeights(np.array([[1, 0]], dtype), [[0.5, 0.5]], 2)
    assert skin.indices.tolist() == [[1, 0]]
