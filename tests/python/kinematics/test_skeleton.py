# SPDX-License-Identifier: MIT
"""Skeletons: what they hold, what they compute once, and every rule they enforce."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from random_rigs import random_parents, random_skeleton, random_transforms

import skelkin_py as sk


def rest(joints: int) -> np.ndarray:
    return np.broadcast_to(np.eye(4), (joints, 4, 4)).copy()


def test_arrays_are_float64_and_parents_int32():
    skeleton = sk.Skeleton(np.array([-1, 0, 1], np.int64), rest(3).astype(np.float32))
    assert skeleton.parents.dtype == np.int32
    assert skeleton.num_joints == 3
    for name in ("rest_local", "rest_global", "inverse_bind"):
        array = getattr(skeleton, name)
        assert array.dtype == np.float64
        assert array.shape == (3, 4, 4)


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32, np.int64])
def test_parents_may_be_integers_of_any_size(dtype):
    assert sk.Skeleton(np.array([-1, 0], dtype), rest(2)).parents.tolist() == [-1, 0]


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32, np.uint64])
def test_unsigned_parents_name_the_first_joint_whose_parent_is_no_parent(dtype):
    with pytest.raises(ValueError, match=r"parents\[0\] is 0"):
        sk.Skeleton(np.array([0, 0], dtype), rest(2))


@pytest.mark.parametrize("name", ["parents", "rest_local", "rest_global", "inverse_bind"])
def test_arrays_cannot_be_written(name):
    array = getattr(random_skeleton(1), name)
    assert not array.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        array[...] = 0
    with pytest.raises(ValueError, match="WRITEABLE"):
        array.setflags(write=True)


def test_arrays_outlive_the_skeleton():
    skeleton = random_skeleton(2)
    kept, copy = skeleton.rest_global, skeleton.rest_global.copy()
    del skeleton
    for seed in range(20):
        random_skeleton(seed)
    np.testing.assert_array_equal(kept, copy)


def test_the_callers_arrays_are_copied():
    local, parents = random_transforms(3, 4), np.array([-1, 0, 1, 2], np.int32)
    skeleton = sk.Skeleton(parents, local)
    before = skeleton.rest_local.copy()
    local[:] = 0
    parents[:] = 0
    np.testing.assert_array_equal(skeleton.rest_local, before)
    assert skeleton.parents.tolist() == [-1, 0, 1, 2]


@pytest.mark.parametrize("roots", [1, 3])
def test_rest_global_is_the_product_down_the_chain(roots):
    skeleton = random_skeleton(4, 25, roots, scaled=True)
    for joint in range(25):
        expected, at = np.eye(4), joint
        while at >= 0:
            expected = skeleton.rest_local[at] @ expected
            at = skeleton.parents[at]
        np.testing.assert_allclose(skeleton.rest_global[joint], expected, atol=1e-12)


def test_inverse_bind_undoes_the_rest_pose():
    skeleton = random_skeleton(5, 25, scaled=True)
    product = skeleton.rest_global @ skeleton.inverse_bind
    np.testing.assert_allclose(product, np.broadcast_to(np.eye(4), (25, 4, 4)), atol=1e-12)


def test_a_given_inverse_bind_is_kept():
    given = random_transforms(6, 4)
    skeleton = sk.Skeleton([-1, 0, 1, 2], rest(4), inverse_bind=given)
    np.testing.assert_array_equal(skeleton.inverse_bind, given)


def test_from_global_finds_the_local_matrices():
    skeleton = random_skeleton(7, 25, 3, scaled=True)
    again = sk.Skeleton.from_global(skeleton.parents, skeleton.rest_global)
    np.testing.assert_allclose(again.rest_local, skeleton.rest_local, atol=1e-11)
    np.testing.assert_allclose(again.rest_global, skeleton.rest_global, atol=1e-11)


def test_names_are_kept_and_found():
    skeleton = sk.Skeleton([-1, 0, 0], rest(3), ["Hüfte", "左足", "foot.R"])
    assert skeleton.names == ("Hüfte", "左足", "foot.R")
    assert [skeleton.index(name) for name in skeleton.names] == [0, 1, 2]


def test_an_unknown_name_is_an_error_that_says_it():
    with pytest.raises(ValueError, match="tail"):
        sk.Skeleton([-1], rest(1), ["hip"]).index("tail")


def test_of_equal_names_the_first_is_found():
    skeleton = sk.Skeleton([-1, 0, 0], rest(3), ["hip", "toe", "toe"])
    assert skeleton.names == ("hip", "toe", "toe")
    assert skeleton.index("toe") == 1


def test_without_names_every_joint_has_one():
    skeleton = sk.Skeleton([-1, 0], rest(2))
    assert len(set(skeleton.names)) == 2


def test_chain_goes_from_root_to_tip():
    skeleton = sk.Skeleton([-1, 0, 1, 1, 3, 4], rest(6), list("abcdef"))
    assert list(skeleton.chain(1, 5)) == [1, 3, 4, 5]
    assert list(skeleton.chain("b", "f")) == [1, 3, 4, 5]
    assert list(skeleton.chain(2, 2)) == [2]


def test_chain_between_branches_is_an_error():
    with pytest.raises(ValueError, match="2"):
        sk.Skeleton([-1, 0, 1, 1, 3], rest(5)).chain(2, 4)


def test_end_sites_are_kept():
    skeleton = sk.Skeleton([-1, 0], rest(2), end_sites={1: [0, 5, 0]})
    assert list(skeleton.end_sites) == [1]
    assert np.asarray(skeleton.end_sites[1]).tolist() == [0, 5, 0]


def test_equal_by_value():
    a, b = random_skeleton(8), random_skeleton(8)
    assert a == b
    assert a != random_skeleton(9)
    assert a != sk.Skeleton(a.parents, a.rest_local, [f"x{j}" for j in range(20)])
    assert a != "skeleton"


def test_pickle_keeps_everything():
    skeleton = sk.Skeleton(
        [-1, 0], random_transforms(10, 2), ["hip", "knee"], random_transforms(11, 2), end_sites={1: (0, 1, 0)}
    )
    again = pickle.loads(pickle.dumps(skeleton))
    assert again == skeleton
    assert again.names == ("hip", "knee")
    assert list(again.end_sites) == [1]
    np.testing.assert_array_equal(again.inverse_bind, skeleton.inverse_bind)


def test_repr_says_how_many_joints():
    assert "20" in repr(random_skeleton(12, 20))


@pytest.mark.parametrize(
    ("parents", "words"),
    [
        ([-1, 5, 1], r"parents\[1\] is 5: "),
        ([-1, 2, 1], r"parents\[1\] is 2: a parent must come before its child"),
        ([-1, 1], r"parents\[1\] is 1: "),
        ([-2, 0], r"parents\[0\] is -2: "),
        ([-1, 2**40], r"parents\[1\] is 1099511627776: "),
        ([-1, -(2**40)], r"parents\[1\] is -1099511627776: "),
    ],
)
def test_a_bad_parent_is_named(parents, words):
    with pytest.raises(ValueError, match=words):
        sk.Skeleton(parents, rest(len(parents)))


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        (([], rest(0)), ValueError, "parents"),
        (([[-1, 0]], rest(2)), ValueError, "parents"),
        (([-1.5, 0.0], rest(2)), (TypeError, ValueError), "parents"),
        ((["a", "b"], rest(2)), (TypeError, ValueError), "parents"),
        ((None, rest(2)), (TypeError, ValueError), "parents"),
        (([-1, 0], rest(3)), ValueError, "rest_local"),
        (([-1, 0], np.zeros((2, 3, 3))), ValueError, "rest_local"),
        (([-1, 0], None), (TypeError, ValueError), "rest_local"),
        (([-1, 0], rest(2), ["one"]), ValueError, "names"),
        (([-1, 0], rest(2), ["one", 2]), (TypeError, ValueError), "names"),
        (([-1, 0], rest(2), None, rest(3)), ValueError, "inverse_bind"),
    ],
)
def test_bad_arguments_are_named(arguments, error, words):
    with pytest.raises(error, match=words):
        sk.Skeleton(*arguments)


@pytest.mark.parametrize("name", ["rest_local", "inverse_bind"])
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_matrix_that_is_not_finite_is_named(name, bad):
    arrays = {"rest_local": rest(3), "inverse_bind": rest(3)}
    arrays[name][2, 0, 1] = bad
    with pytest.raises(ValueError, match=rf"{name}\[2"):
        sk.Skeleton([-1, 0, 1], **arrays)


def test_a_last_row_that_is_not_0001_is_named():
    local = rest(3)
    local[1, 3] = [0, 0, 0.5, 1]
    with pytest.raises(ValueError, match=r"rest_local\[1"):
        sk.Skeleton([-1, 0, 1], local)


def test_a_rest_pose_without_inverse_is_named():
    local = rest(3)
    local[1, 0, 0] = 0
    with pytest.raises(ValueError, match=r"rest_(local|global)\[1"):
        sk.Skeleton([-1, 0, 1], local)
    assert sk.Skeleton([-1, 0, 1], local, inverse_bind=rest(3)).num_joints == 3


@pytest.mark.parametrize("end_sites", [{5: (0, 1, 0)}, {-1: (0, 1, 0)}, {1: (0, 1)}, {1: (0, np.nan, 0)}])
def test_a_bad_end_site_is_named(end_sites):
    with pytest.raises(ValueError, match="end_sites"):
        sk.Skeleton([-1, 0], rest(2), end_sites=end_sites)


def test_end_sites_that_are_no_mapping_are_refused():
    with pytest.raises(TypeError, match="end_sites is a int: expected a mapping"):
        sk.Skeleton([-1, 0], rest(2), end_sites=3)


@pytest.mark.parametrize("seed", range(5))
def test_sort_joints_puts_parents_first(seed):
    parents = np.array(random_parents(seed, 30, 3))
    shuffle = np.random.default_rng(seed).permutation(30)
    place = np.argsort(shuffle)
    mixed = np.array([-1 if parents[j] < 0 else place[parents[j]] for j in shuffle])
    order = sk.sort_joints(mixed)
    assert sorted(order) == list(range(30))
    position = np.argsort(order)
    for joint, parent in enumerate(mixed):
        assert parent < 0 or position[parent] < position[joint]


def test_sort_joints_leaves_a_right_order_alone():
    assert list(sk.sort_joints(random_parents(6, 30, 3))) == list(range(30))


@pytest.mark.parametrize(
    ("parents", "words"), [([1, 0], "parents"), ([0], "parents"), ([-1, 7], r"parents\[1\] is 7"), ([-2], "parents")]
)
def test_sort_joints_names_cycles_and_strangers(parents, words):
    with pytest.raises(ValueError, match=words):
        sk.sort_joints(parents)


def test_names_in_brackets_are_joints() -> None:
    skeleton = sk.Skeleton([-1, 0], np.tile(np.eye(4), (2, 1, 1)), ["Hips", "Knee"])
    assert skeleton["Knee"] == skeleton.index("Knee") == 1
    assert "Knee" in skeleton
    assert "Ankle" not in skeleton
    with pytest.raises(KeyError, match=r"no joint is called 'Hip': did you mean 'Hips'\?"):
        skeleton["Hip"]
    with pytest.raises(TypeError, match="name is 0: a name must be a string"):
        skeleton[0]


def test_names_of_codes_that_are_no_letters_are_refused() -> None:
    beyond = np.array(["Hips", "Knee"])
    beyond.view(np.uint32).reshape(2, -1)[1, 2] = 0x110000
    for names, shown in ((beyond, r"'Kn\\U00110000e'"), (["Hips", "Kne\ud83d"], r"'Kne\\ud83d'")):
        with pytest.raises(ValueError, match=rf"names\[1\] is {shown}: a name must be of letters of Unicode"):
            sk.Skeleton([-1, 0], np.tile(np.eye(4), (2, 1, 1)), names)
    assert sk.Skeleton([-1], np.eye(4)[None], ["夜\U0010ffff"]).names == ("夜\U0010ffff",)
