# SPDX-License-Identifier: MIT
"""local_from_global is the way back from forward_kinematics."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

import skelkin_py as sk

PARENTS = [-1, 0, 1, 1, -1, 4, 3]


def poses(*shape: int) -> npt.NDArray[np.float64]:
    """Return affine local matrices with scale and shear."""
    rng = np.random.default_rng(5)
    matrices = np.zeros((*shape, len(PARENTS), 4, 4))
    matrices[..., :3, :] = rng.normal(size=(*shape, len(PARENTS), 3, 4)) * 0.3
    matrices += np.eye(4)
    matrices[..., 3, 3] = 1
    return matrices


@pytest.fixture
def skeleton() -> sk.Skeleton:
    """A tree with two roots."""
    return sk.Skeleton(PARENTS, poses())


@pytest.mark.parametrize(("dtype", "tolerance"), [(np.float64, 1e-13), (np.float32, 1e-5)])
def test_it_undoes_forward_kinematics(skeleton: sk.Skeleton, dtype: type, tolerance: float) -> None:
    local = poses(3, 2).astype(dtype)
    back = sk.local_from_global(skeleton, sk.forward_kinematics(skeleton, local))
    assert back.dtype == dtype
    np.testing.assert_allclose(back, local, rtol=0, atol=tolerance)


def test_it_is_the_solution_of_a_linear_system(skeleton: sk.Skeleton) -> None:
    global_ = poses(4)
    local = sk.local_from_global(skeleton, global_)
    for joint, parent in enumerate(PARENTS):
        wanted = global_[:, joint] if parent < 0 else np.linalg.solve(global_[:, parent], global_[:, joint])
        np.testing.assert_allclose(local[:, joint], wanted, rtol=0, atol=1e-12)


def test_out_may_be_the_input(skeleton: sk.Skeleton) -> None:
    global_ = poses(4)
    wanted = sk.local_from_global(skeleton, global_)
    assert sk.local_from_global(skeleton, global_, out=global_) is global_
    np.testing.assert_array_equal(global_, wanted)


def test_a_parent_of_scale_zero_is_named_and_nothing_is_written(skeleton: sk.Skeleton) -> None:
    global_ = poses(3, 2)
    global_[2, 1, 3, :3, 0] = 0
    out = np.full_like(global_, 7)
    with pytest.raises(ValueError, match=r"global_\[2, 1, 3\]: a parent's matrix must have an inverse"):
        sk.local_from_global(skeleton, global_, out=out)
    assert (out == 7).all()


def test_a_leaf_of_scale_zero_is_no_error(skeleton: sk.Skeleton) -> None:
    global_ = poses()
    global_[6, :3, :3] = 0
    assert not sk.local_from_global(skeleton, global_)[6, :3, :3].any()


def test_a_nan_spreads_to_the_joint_and_its_children_only(skeleton: sk.Skeleton) -> None:
    global_ = poses(2)
    global_[1, 1, 0, 0] = np.nan
    broken = np.isnan(sk.local_from_global(skeleton, global_)).any(axis=(-2, -1))
    assert np.argwhere(broken).tolist() == [[1, 1], [1, 2], [1, 3]]


def test_tiny_and_huge_scales_give_the_scaled_answer(skeleton: sk.Skeleton) -> None:
    for scale in (1e-12, 1e12):
        global_ = poses().astype(np.float32)
        wanted = sk.local_from_global(skeleton, global_)
        global_[:, :3] *= np.float32(scale)
        got = sk.local_from_global(skeleton, global_)
        has_parent = np.array(PARENTS) >= 0
        np.testing.assert_allclose(got[has_parent], wanted[has_parent], rtol=0, atol=1e-5)
