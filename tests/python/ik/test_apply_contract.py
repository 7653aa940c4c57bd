# SPDX-License-Identifier: MIT
"""What `apply_two_bone` shares with every function: batches, strides, out, names, bad input."""

from __future__ import annotations

import numpy as np
import pytest
from limb_rigs import (
    FIRST,
    LEG,
    PARENTS,
    SECOND,
    leg_skeleton,
    matrices,
    norm,
    points,
    scaled,
)

import skelkin_py as sk


@pytest.fixture
def rng():
    return np.random.default_rng(4242)


def test_what_is_no_number_harms_its_own_frame_and_limb_only(rng):
    skeleton = sk.Skeleton(PARENTS, matrices(rng, len(PARENTS)))
    local, target = matrices(rng, 70, len(PARENTS)), rng.normal(size=(70, 2, 3))
    plain = sk.apply_two_bone(skeleton, local, [FIRST, SECOND], target)
    local[3, 5, 1, 2] = np.nan
    target[40, 1, 0] = np.inf
    out = sk.apply_two_bone(skeleton, local, [FIRST, SECOND], target)
    assert np.argwhere(out.status == sk.IKStatus.BAD_INPUT).tolist() == [[3, 0], [40, 1]]
    assert np.isnan(out.error[[3, 40], [0, 1]]).all()
    assert out.local[3, FIRST, :].tobytes() == local[3, FIRST, :].tobytes()
    assert out.local[40, SECOND, :].tobytes() == local[40, SECOND, :].tobytes()
    assert np.array_equal(out.local[3, SECOND, :], plain.local[3, SECOND, :])
    good = np.delete(np.arange(70), [3, 40])
    assert out.local[good].tobytes() == plain.local[good].tobytes()
    goal = np.tile([1.0, 0, 0, 0], (70, 1))
    goal[7, 2] = np.nan
    assert np.flatnonzero(
        sk.apply_two_bone(skeleton, plain.local, FIRST, target[:, 0], end_rotation=goal).status == 5
    ) == [7]


def test_a_parent_scaled_to_nothing_leaves_the_limb_as_it_is(rng):
    skeleton = sk.Skeleton(PARENTS, matrices(rng, len(PARENTS)))
    local = matrices(rng, len(PARENTS))
    scaled(local, 1, 0, 0, 0)
    out = sk.apply_two_bone(skeleton, local, FIRST, [1, 2, 3])
    assert out.status == sk.IKStatus.DEGENERATE
    assert out.local.tobytes() == local.tobytes()
    assert out.error == pytest.approx(norm(points(local, 6) - [1, 2, 3]))


def test_batches_strides_rows_and_out_give_the_same_bits(rng):
    skeleton = sk.Skeleton(PARENTS, matrices(rng, len(PARENTS)))
    local, target = matrices(rng, 6, 7, len(PARENTS)), rng.normal(size=(7, 3))
    plain = sk.apply_two_bone(skeleton, local, FIRST, target)
    assert plain.local.shape == local.shape
    assert plain.status.shape == (6, 7)
    for i in (0, 5):
        for k in (0, 6):
            one = sk.apply_two_bone(skeleton, local[i, k], FIRST, target[k])
            assert one.local.tobytes() == plain.local[i, k].tobytes()
            assert one.status.shape == ()
    turned = np.ascontiguousarray(local.swapaxes(0, 2)).swapaxes(0, 2)
    assert sk.apply_two_bone(skeleton, turned, FIRST, target).local.tobytes() == plain.local.tobytes()
    assert np.array_equal(sk.apply_two_bone(skeleton, local[..., :3, :], FIRST, target).local, plain.local)
    out = np.empty((6, 7, len(PARENTS), 3, 4))
    assert sk.apply_two_bone(skeleton, local, FIRST, target, out=out).local is out
    assert np.array_equal(out, plain.local[..., :3, :])
    again = local.copy()
    assert sk.apply_two_bone(skeleton, again, FIRST, target, out=again).local is again
    assert again.tobytes() == plain.local.tobytes()
    many = sk.apply_two_bone(skeleton, local[0, 0], FIRST, target)
    assert many.local.shape == (7, len(PARENTS), 4, 4)
    assert sk.apply_two_bone(skeleton, np.empty((0, len(PARENTS), 4, 4)), FIRST, [0, 0, 0]).local.shape[0] == 0


def test_names_and_indices_name_the_same_joints(rng):
    skeleton = leg_skeleton(0.1)
    by_name = sk.apply_two_bone(skeleton, skeleton.rest_local, LEG, [0, 0.5, 0])
    for chain in ((1, 2, 3), [1, "shin", 3], np.array([1, 2, 3]), np.array([1, 2, 3], np.uint8)):
        assert (
            sk.apply_two_bone(skeleton, skeleton.rest_local, chain, [0, 0.5, 0]).local.tobytes()
            == by_name.local.tobytes()
        )


@pytest.mark.parametrize(
    ("chain", "error", "text"),
    [
        ("thigh", TypeError, "chain is the string 'thigh'"),
        (sk.Leg(1, 2, 3), TypeError, "expected three joints, which leg.chain has"),
        (np.array(1.0, np.longdouble), TypeError, "expected three joints"),
        (("thigh", "shin"), ValueError, "expected three joints"),
        (("thigh", "foot", "shin"), ValueError, "'foot' is not an ancestor of 'shin'"),
        (("thigh", "thigh", "foot"), ValueError, "'thigh' is not an ancestor of 'thigh'"),
        (("thigh", "shin", "food"), ValueError, "no joint is called 'food'"),
        ((1, 2, 99), ValueError, "99"),
        ((1, 2, -1), ValueError, "-1"),
        ([(1, 2, 3), (1, 2)], ValueError, r"chain\[1\]"),
    ],
)
def test_a_chain_that_is_none_is_refused(chain, error, text):
    skeleton = leg_skeleton(0.1)
    with pytest.raises(error, match=text):
        sk.apply_two_bone(skeleton, skeleton.rest_local, chain, [0, 0.5, 0])


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"end_rotation": "keep"}, ValueError, "end_rotation is 'keep'"),
        ({"end_rotation": [1, 0, 0]}, ValueError, "end_rotation has shape"),
        ({"end_rotation": [0, 0, 0, 0]}, ValueError, r"^end_rotation is \[0, 0, 0, 0\]: a quaternion must not be zero"),
        ({"end_rotation": np.array([[1, 0, 0, 0], [0, 0, 0, 0]])}, ValueError, r"end_rotation\[1\] is \[0, 0, 0, 0\]"),
        ({"end_rotation": None}, TypeError, "end_rotation is None"),
        ({"end_rotation": True}, TypeError, "end_rotation is True"),
        ({"roll": None}, ValueError, "roll is None"),
        ({"roll": ["hinge"]}, ValueError, r"roll is \['hinge'\]"),
        ({"soften": 1.0}, ValueError, "soften is 1"),
        ({"target": [0, 0]}, ValueError, "target has shape"),
        ({"local": np.zeros((4, 4, 4))}, ValueError, "local has shape"),
        ({"pole": [0, 0, 1], "pole_direction": [0, 0, 1]}, ValueError, "pole and pole_direction"),
        ({"target": np.zeros((3, 3)), "local": np.zeros((2, 5, 4, 4))}, ValueError, "broadcast"),
        ({"chain": [LEG, LEG], "target": np.zeros((3, 3))}, ValueError, "2 chains"),
        ({"out": np.zeros((2, 5, 4, 4))}, ValueError, "out has shape"),
    ],
)
def test_wrong_arguments_are_named(options, error, text):
    skeleton = leg_skeleton(0.1)
    given = {"local": skeleton.rest_local, "chain": LEG, "target": [0, 0.5, 0]} | options
    with pytest.raises(error, match=text):
        sk.apply_two_bone(skeleton, given.pop("local"), given.pop("chain"), given.pop("target"), **given)
