# SPDX-License-Identifier: MIT
"""Arguments of any shape, dtype, stride and value: a result, a TypeError or a ValueError; no crash, nothing else."""

from __future__ import annotations

import contextlib
import warnings

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from random_rigs import random_skeleton, random_weights

import skelkin_py as sk

SKELETON = random_skeleton(1, 6, 2)
SKIN = sk.SkinWeights(*random_weights(2, 5, 2, 6), 6)
DTYPES = ["f4", "f8", "f2", "i4", "u1", "?", ">f8", ">f4", "c8", "O", "U3", "M8[s]", "i8", "g"]
NUMBERS = [0.0, -0.0, 1.0, -3.5, 1e-320, 1e300, np.inf, -np.inf, np.nan]


@st.composite
def arrays(draw):
    """Return an array that is often nearly right for some verb: cores of 6 joints or 5 vertices, and odd strides."""
    lead = tuple(draw(st.lists(st.sampled_from([0, 1, 1, 2, 3]), max_size=3)))
    core = draw(
        st.sampled_from([(6, 4, 4), (6, 3, 4), (6, 4), (6, 3), (5, 3), (3,), (4,), (4, 4), (), (7, 4, 4), (6, 4, 3)])
    )
    values = np.array(draw(st.lists(st.sampled_from(NUMBERS), min_size=1, max_size=4)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        array = np.resize(values, lead + core).astype(draw(st.sampled_from(DTYPES[:4] * 4 + DTYPES)))
    change = draw(
        st.sampled_from(["none", "none", "reversed", "broadcast", "read-only", "list", "fortran", "transposed"])
    )
    if change == "reversed" and array.ndim:
        array = array[::-1]
    elif change == "broadcast":
        array = np.broadcast_to(array, (2, *array.shape))
    elif change == "read-only":
        array.setflags(write=False)
    elif change == "fortran":
        array = np.asfortranarray(array)
    elif change == "transposed":
        array = array.T
    return array.tolist() if change == "list" else array


@contextlib.contextmanager
def refusals_allowed():
    with np.errstate(all="ignore"), contextlib.suppress(TypeError, ValueError):
        yield


anything = arrays() | st.sampled_from([None, 3, 1.5, "text", b"bytes", {}, SKELETON, SKIN, [], [[]], float])


@pytest.mark.slow
@given(anything, anything, anything, anything | st.none())
@settings(max_examples=60, deadline=None)
def test_kinematics_and_skinning(first, second, third, out):
    for call in (
        lambda: sk.forward_kinematics(SKELETON, first, out=out),
        lambda: sk.forward_kinematics_trs(SKELETON, first, second, third, out=out),
        lambda: sk.skinning_matrices(SKELETON, first, out=out),
        lambda: sk.skin_points(first, SKIN, second, out=out),
        lambda: sk.forward_kinematics(first, second),
        lambda: sk.skin_points(first, second, third),
    ):
        with refusals_allowed():
            call()


@pytest.mark.slow
@given(anything, anything, anything, anything)
@settings(max_examples=40, deadline=None)
def test_two_bones(first, second, third, fourth):
    for call in (
        lambda: sk.solve_two_bone(first, second, third, fourth),
        lambda: sk.solve_two_bone([0, 0, 0], [0, 1, 0.1], first, second, pole=third, weight=fourth),
        lambda: sk.solve_two_bone(first, [0.0, 1, 0], [0, 2.0, 0], second, bend=third, soften=fourth),
        lambda: sk.apply_two_bone(SKELETON, first, (0, 1, 2), second, pole=third),
        lambda: sk.apply_two_bone(SKELETON, first, second, third, twist=fourth),
    ):
        with refusals_allowed():
            call()


@pytest.mark.slow
@given(anything, anything, anything, anything)
@settings(max_examples=60, deadline=None)
def test_transforms(first, second, third, fourth):
    for call in (
        lambda: sk.compose(first, second, third),
        lambda: sk.decompose(first, return_shear=True),
        lambda: sk.invert(first),
        lambda: sk.invert_rigid(first),
        lambda: sk.change_basis(first, second, third),
        lambda: sk.quaternion_slerp(first, second, third),
        lambda: sk.quaternion_between(first, second),
        lambda: sk.quaternion_to_euler(first, "ZXY"),
        lambda: sk.quaternion_from_matrix(fourth),
        lambda: sk.quaternion_to_axis_angle(fourth),
    ):
        with refusals_allowed():
            call()


@pytest.mark.slow
@given(anything, anything, anything, anything)
@settings(max_examples=60, deadline=None)
def test_constructors(first, second, third, fourth):
    for call in (
        lambda: sk.Skeleton(first, second, third, fourth),
        lambda: sk.Skeleton([-1, 0, 1, 1, 0, 4], first, second, third, end_sites=fourth),
        lambda: sk.Skeleton.from_global(first, second),
        lambda: sk.sort_joints(first),
        lambda: sk.SkinWeights(first, second, third),
        lambda: sk.SkinWeights.from_dense(first),
        lambda: sk.SkinWeights.from_csr(first, second, third, 6),
    ):
        with refusals_allowed():
            call()
