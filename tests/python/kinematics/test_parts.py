# SPDX-License-Identifier: MIT
"""Forward kinematics of some joints, and from a joint on; the bits are those of the whole pose."""

from __future__ import annotations

import numpy as np
import pytest

import skelkin_py as sk

JOINTS = 23
PARENTS = np.array([-1, 0, 1, 2, 2, 4, 0, 6, 7, -1, 9, 10, 10, 12, 8, 14, 15, 15, 17, 3, 19, 20, 12])


@pytest.fixture
def skeleton() -> sk.Skeleton:
    rest = np.tile(np.eye(4), (JOINTS, 1, 1))
    rest[:, :3, 3] = np.random.default_rng(1).normal(size=(JOINTS, 3))
    return sk.Skeleton(PARENTS, rest, [f"bone.{j}" for j in range(JOINTS)])


def pose(seed: int, shape: tuple[int, ...], dtype: type) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    widths = (4, 3, 3)
    q, t, s = (rng.normal(size=(*shape, JOINTS, width)).astype(dtype) for width in widths)
    return q, t, s


def below(start: int) -> np.ndarray:
    """Return which joints are `start` or below it."""
    result = np.zeros(JOINTS, bool)
    result[start] = True
    for joint in range(start + 1, JOINTS):
        result[joint] = PARENTS[joint] >= 0 and result[PARENTS[joint]]
    return result


def same_bits(a: np.ndarray, b: np.ndarray) -> bool:
    return a.shape == b.shape and a.dtype == b.dtype and a.tobytes() == b.tobytes()


SHAPES = [(), (1,), (2,), (3,), (8,), (11,), (16,), (33,), (2, 9)]
WANTED = [[], [0], [22], [5, 5, 9, 0], list(range(JOINTS)), list(range(JOINTS))[::-1]]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("wanted", WANTED, ids=lambda wanted: f"{len(wanted)}")
def test_some_joints_have_the_bits_of_the_whole_pose(skeleton, dtype, shape, wanted):
    trs = pose(2, shape, dtype)
    local = sk.compose(trs[1], trs[0], trs[2])
    whole = sk.forward_kinematics_trs(skeleton, *trs)[..., wanted, :, :]
    assert same_bits(sk.forward_kinematics_trs(skeleton, *trs, joints=wanted), whole)
    assert same_bits(sk.forward_kinematics(skeleton, local, joints=np.array(wanted, np.int32)), whole)
    rows = np.full((*shape, len(wanted), 3, 4), 7, dtype)
    assert sk.forward_kinematics(skeleton, local, joints=[f"bone.{j}" for j in wanted], out=rows) is rows
    assert same_bits(rows, np.ascontiguousarray(whole[..., :3, :]))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("start", [0, 4, 9, 12, 22])
def test_from_a_joint_on_only_what_is_below_changes(skeleton, dtype, shape, start):
    trs = pose(3, shape, dtype)
    whole = sk.forward_kinematics_trs(skeleton, *trs)
    moves = below(start)
    before = pose(4, (*shape, 4), dtype)[0].swapaxes(-3, -2).reshape(*shape, JOINTS, 4, 4)
    if PARENTS[start] >= 0:
        before[..., PARENTS[start], :, :] = whole[..., PARENTS[start], :, :]
    wanted = np.where(moves[:, None, None], whole, before)
    for out in (before.copy(), np.asfortranarray(before)):
        assert sk.forward_kinematics_trs(skeleton, *trs, start=f"bone.{start}", out=out) is out
        assert same_bits(np.ascontiguousarray(out), wanted)


def test_from_a_joint_on_the_output_may_lie_over_the_input(skeleton):
    q, t, s = pose(5, (9,), np.float32)
    memory = np.zeros((10, JOINTS, 4, 4), np.float32)
    memory[:9] = sk.compose(t, q, s)
    memory[9, :, 0, 0] = 3
    wanted = memory[1:].copy()
    sk.forward_kinematics(skeleton, memory[:9].copy(), start=4, out=wanted)
    sk.forward_kinematics(skeleton, memory[:9], start=4, out=memory[1:])
    assert same_bits(memory[1:].copy(), wanted)


def test_a_quaternion_that_is_not_evaluated_may_be_zero(skeleton):
    q, _, _ = pose(6, (9,), np.float64)
    q[4, 11] = 0
    assert np.isfinite(sk.forward_kinematics_trs(skeleton, q, joints=[22, 10])).all()
    out = sk.forward_kinematics_trs(skeleton, np.ones((9, JOINTS, 4)))
    before = out.copy()
    sk.forward_kinematics_trs(skeleton, q, start=12, out=out)
    with pytest.raises(ValueError, match=r"^rotations\[4, 11\] is \[0, 0, 0, 0\]"):
        sk.forward_kinematics_trs(skeleton, q, joints=[0, 11])
    with pytest.raises(ValueError, match=r"^rotations\[4, 11\] is"):
        sk.forward_kinematics_trs(skeleton, q, start=10, out=before)
    assert same_bits(before, sk.forward_kinematics_trs(skeleton, np.ones((9, JOINTS, 4))))


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"joints": [0, 99]}, ValueError, r"^joints\[1\] is 99: there is no joint of this number"),
        ({"joints": np.array([3, -1])}, ValueError, r"^joints\[1\] is -1: there is no joint of this number"),
        ({"joints": [2**80]}, ValueError, r"^joints\[0\] is \d+: there is no joint of this number"),
        ({"joints": ["bone.1", "bonne.2"]}, ValueError, r"^joints\[1\]: no joint is called 'bonne.2'"),
        ({"joints": [1.5]}, TypeError, r"^joints\[0\] is 1.5: a joint is given by its number or name"),
        ({"joints": np.zeros((2, 2), int)}, ValueError, r"^joints has shape \(2, 2\)"),
        ({"joints": "bone.1"}, TypeError, r"^joints is 'bone.1'"),
        ({"joints": 3}, TypeError, r"^joints is 3"),
        ({"joints": [0], "start": 0}, ValueError, r"^joints and start exclude each other"),
        ({"start": 4}, ValueError, r"^start needs out"),
        ({"start": 23, "out": np.zeros((JOINTS, 4, 4))}, ValueError, r"^start is 23: there is no joint"),
        ({"start": "tail", "out": np.zeros((JOINTS, 4, 4))}, ValueError, r"^start: no joint is called 'tail'"),
        ({"start": None, "joints": [1], "out": np.zeros((2, 4, 4))}, ValueError, r"^out has shape"),
    ],
)
def test_a_joint_that_is_not_there_is_named(skeleton, given, error, words):
    with pytest.raises(error, match=words):
        sk.forward_kinematics(skeleton, np.tile(np.eye(4), (JOINTS, 1, 1)), **given)
    with pytest.raises(error, match=words):
        sk.forward_kinematics_trs(skeleton, np.ones((JOINTS, 4)), **given)
