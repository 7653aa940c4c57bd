# SPDX-License-Identifier: MIT
"""Quaternions, Euler angles and axis-angle against rotation matrices written out by hand."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import skelkin_py as sk

ORDERS = ["XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"]
EPS = {np.float32: 4e-6, np.float64: 2e-14}


def turn(axis: int, angle: float) -> np.ndarray:
    """The matrix of a right-handed turn about X, Y or Z."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array(
        [[[1, 0, 0], [0, c, -s], [0, s, c]], [[c, 0, s], [0, 1, 0], [-s, 0, c]], [[c, -s, 0], [s, c, 0], [0, 0, 1]]]
    )[axis]


def rodrigues(axis: np.ndarray, angle: float) -> np.ndarray:
    x, y, z = axis / np.linalg.norm(axis)
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + math.sin(angle) * k + (1 - math.cos(angle)) * k @ k


def random_quaternions(seed: int, *shape: int, dtype: type = np.float64) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(*shape, 4)).astype(dtype)


angles = st.floats(-math.pi, math.pi, allow_subnormal=False)
directions = st.tuples(*[st.floats(-1, 1, allow_subnormal=False)] * 3).filter(lambda v: np.linalg.norm(v) > 1e-3)


@pytest.mark.slow
@given(directions, angles)
def test_axis_angle_is_the_rotation_of_rodrigues(axis, angle):
    q = sk.quaternion_from_axis_angle(axis, angle)
    np.testing.assert_allclose(sk.quaternion_to_matrix(q), rodrigues(np.array(axis), angle), atol=1e-14)


@pytest.mark.slow
@given(directions, angles)
def test_axis_angle_returns_axis_and_angle_within_half_a_turn(axis, angle):
    found_axis, found_angle = sk.quaternion_to_axis_angle(sk.quaternion_from_axis_angle(axis, angle))
    assert 0 <= found_angle <= math.pi
    np.testing.assert_allclose(rodrigues(found_axis, found_angle), rodrigues(np.array(axis), angle), atol=1e-13)


def test_axis_of_no_rotation_is_x():
    axis, angle = sk.quaternion_to_axis_angle([-2, 0, 0, 0])
    assert axis.tolist() == [1, 0, 0]
    assert angle == 0
    assert angle.shape == ()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_product_turns_by_the_second_factor_first(dtype):
    p, q = random_quaternions(1, 50, dtype=dtype), random_quaternions(2, 50, dtype=dtype)
    product = sk.quaternion_multiply(p, q)
    assert product.dtype == dtype
    expected = sk.quaternion_to_matrix(p) @ sk.quaternion_to_matrix(q)
    np.testing.assert_allclose(sk.quaternion_to_matrix(product), expected, atol=EPS[dtype])


def test_hamilton_units():
    one, i, j, k = np.eye(4)
    for a, b, c in [(i, j, k), (j, k, i), (k, i, j)]:
        np.testing.assert_array_equal(sk.quaternion_multiply(a, b), c)
        np.testing.assert_array_equal(sk.quaternion_multiply(b, a), -c)
        np.testing.assert_array_equal(sk.quaternion_multiply(a, a), -one)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_rotate_is_matrix_times_vector(dtype):
    q, v = random_quaternions(3, 7, 1, dtype=dtype), np.random.default_rng(4).normal(size=(5, 3)).astype(dtype)
    expected = (sk.quaternion_to_matrix(q) @ v[..., None])[..., 0]
    assert expected.shape == (7, 5, 3)
    np.testing.assert_allclose(sk.quaternion_rotate(q, v), expected, atol=EPS[dtype])


def test_rotate_keeps_a_nan_in_its_row():
    v = np.ones((3, 3))
    v[1, 2] = np.nan
    turned = sk.quaternion_rotate([1, 2, 3, 4], v)
    assert np.isfinite(turned[[0, 2]]).all()
    assert np.isnan(turned[1]).any()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("scale", [1e-18, 1e-4, 1e4, 1e18])
def test_quaternions_of_any_length_are_normalised(dtype, scale):
    q = random_quaternions(5, 9, dtype=dtype)
    np.testing.assert_allclose(sk.quaternion_to_matrix(q * dtype(scale)), sk.quaternion_to_matrix(q), atol=EPS[dtype])


def test_lengths_whose_square_leaves_the_range_are_normalised():
    for scale in (1e-300, 5e-324, 1e300):
        np.testing.assert_array_equal(sk.quaternion_multiply([scale, 0, 0, 0], [1, 0, 0, 0]), [1, 0, 0, 0])
    mixed = np.array([[1e-300, 0, 1e-300, 0], [1, 0, 1, 0], [1e300, 0, 1e300, 0]])
    expected = [[0.5**0.5, 0, 0.5**0.5, 0]] * 3
    np.testing.assert_allclose(sk.quaternion_multiply(mixed, [1, 0, 0, 0]), expected, rtol=1e-15)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_from_matrix_inverts_to_matrix_in_every_branch(dtype):
    q = random_quaternions(6, 400, dtype=dtype)
    q = np.concatenate([q, np.eye(4, dtype=dtype), q * dtype([0.01, 1, 1, 1]), q * dtype([1, 1, 0.01, 0.01])])
    q /= np.linalg.norm(q, axis=-1, keepdims=True)
    q *= np.where(q[:, :1] < 0, -1, 1).astype(dtype)
    found = sk.quaternion_from_matrix(sk.quaternion_to_matrix(q))
    assert (found[:, 0] >= 0).all()
    assert np.abs((found * q).sum(-1)).min() > 1 - EPS[dtype]
    np.testing.assert_allclose(np.abs((found * q).sum(-1))[:, None] * np.abs(found), np.abs(q), atol=EPS[dtype])


def test_from_matrix_takes_out_scale_and_mirror_image():
    q = random_quaternions(7, 20)
    m = sk.quaternion_to_matrix(q)
    scaled = m * np.array([2.0, 3.0, 4.0])
    for matrix in (scaled, -scaled):
        np.testing.assert_allclose(sk.quaternion_to_matrix(sk.quaternion_from_matrix(matrix)), m, atol=1e-14)


def test_from_matrix_reads_4x4_and_3x4_and_passes_nan_on():
    m = sk.compose(np.zeros((3, 3)), random_quaternions(8, 3))
    expected = sk.quaternion_from_matrix(m[:, :3, :3])
    np.testing.assert_array_equal(sk.quaternion_from_matrix(m), expected)
    np.testing.assert_array_equal(sk.quaternion_from_matrix(m[:, :3]), expected)
    m[1, 0, 0] = np.nan
    found = sk.quaternion_from_matrix(m)
    np.testing.assert_array_equal(found[[0, 2]], expected[[0, 2]])
    assert np.isnan(found[1]).all()


@pytest.mark.slow
@pytest.mark.parametrize("order", ORDERS)
@given(a=angles, b=angles, c=angles)
@settings(max_examples=40)
def test_euler_order_is_the_order_of_application(order, a, b, c):
    values = (a, b, c)
    first, second, third = (turn("XYZ".index(letter), values["XYZ".index(letter)]) for letter in order)
    np.testing.assert_allclose(
        sk.quaternion_to_matrix(sk.quaternion_from_euler(values, order)), third @ second @ first, atol=1e-14
    )


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_to_euler_gives_the_same_rotation(order, dtype):
    q = random_quaternions(9, 500, dtype=dtype)
    found = sk.quaternion_to_euler(q, order)
    assert found.dtype == dtype
    back = sk.quaternion_from_euler(found, order)
    np.testing.assert_allclose(sk.quaternion_to_matrix(back), sk.quaternion_to_matrix(q), atol=EPS[dtype])


@pytest.mark.parametrize("order", ORDERS)
def test_to_euler_takes_the_solution_with_the_smaller_sum(order):
    found = sk.quaternion_to_euler(random_quaternions(10, 500), order)
    middle = "XYZ".index(order[1])
    other = np.where(np.arange(3) == middle, np.copysign(np.pi, found) - found, found - np.copysign(np.pi, found))
    same = sk.quaternion_to_matrix(sk.quaternion_from_euler(other, order))
    np.testing.assert_allclose(same, sk.quaternion_to_matrix(sk.quaternion_from_euler(found, order)), atol=1e-13)
    assert (np.abs(found).sum(-1) <= np.abs(other).sum(-1) + 1e-12).all()
    assert (np.abs(found) <= np.pi + 1e-12).all()


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("sign", [-1, 1])
def test_gimbal_lock_leaves_the_last_applied_angle_zero(order, sign):
    values = np.zeros(3)
    values[["XYZ".index(letter) for letter in order]] = 0.4, sign * np.pi / 2, 0.9
    q = sk.quaternion_from_euler(values, order)
    found = sk.quaternion_to_euler(q, order)
    assert found["XYZ".index(order[2])] == 0
    assert found["XYZ".index(order[1])] == pytest.approx(sign * np.pi / 2, abs=1e-12)
    np.testing.assert_allclose(
        sk.quaternion_to_matrix(sk.quaternion_from_euler(found, order)), sk.quaternion_to_matrix(q), atol=1e-14
    )


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("distance", [1e-3, 1e-6, 1e-9, 1e-12, 1e-15])
def test_no_digits_are_lost_beside_gimbal_lock(order, distance):
    values = np.zeros(3)
    values[["XYZ".index(letter) for letter in order]] = 0.3, np.pi / 2 - distance, -1.2
    q = sk.quaternion_from_euler(values, order)
    back = sk.quaternion_from_euler(sk.quaternion_to_euler(q, order), order)
    np.testing.assert_allclose(sk.quaternion_to_matrix(back), sk.quaternion_to_matrix(q), atol=5e-15)


SIZES = [0, 5e-324, 1e-320, 1e-200, 1e-30, 1e-15, 1e-9, 1e-5, 0.1, 1, 2, 3, 3.14159265, 4, 7, 1e5, 1e30, 1e200]


@pytest.mark.parametrize("size", SIZES)
def test_rotation_vectors_are_axes_times_angles_of_every_size(size):
    axes = np.random.default_rng(3).normal(size=(50, 3))
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    v = axes * size
    q = sk.quaternion_from_rotation_vector(v)
    length = np.array([math.hypot(*each) for each in v])
    wanted = np.column_stack([np.cos(length / 2), axes * np.sin(length / 2)[:, None]])
    if size < 1e6:
        np.testing.assert_allclose(q, wanted, rtol=0, atol=4e-16 * max(1, size))
    np.testing.assert_allclose(np.linalg.norm(q, axis=1), 1, atol=4e-16)
    if 0 < size < 1e-9:  # half of the vector, to the last digit that it has
        np.testing.assert_allclose(q[:, 1:], v / 2, rtol=4e-16, atol=5e-324)


@pytest.mark.parametrize("size", [size for size in SIZES if size < np.pi])
def test_rotation_vectors_come_back(size):
    v = np.random.default_rng(4).normal(size=(50, 3))
    v *= size / np.linalg.norm(v, axis=1, keepdims=True)
    q = sk.quaternion_from_rotation_vector(v)
    for each in (q, -q, 3 * q):
        np.testing.assert_allclose(sk.quaternion_to_rotation_vector(each), v, rtol=0, atol=2e-15 * size + 1e-323)
    if size > 3:  # rounded, it may be more than half a turn
        return
    single = sk.quaternion_to_rotation_vector(sk.quaternion_from_rotation_vector(v.astype(np.float32)))
    np.testing.assert_allclose(single, v.astype(np.float32), rtol=0, atol=1e-6 * size + 1e-44)


def test_no_rotation_is_three_zeros():
    assert (sk.quaternion_from_rotation_vector([0, 0, 0]) == [1, 0, 0, 0]).all()
    assert (sk.quaternion_to_rotation_vector([[2, 0, 0, 0], [-2, 0, 0, 0]]) == 0).all()
    with pytest.raises(ValueError, match=r"v\[1\] is \[0, inf, 0\]: all three must be finite"):
        sk.quaternion_from_rotation_vector([[0, 0, 0], [0, np.inf, 0]])


@pytest.mark.slow
@given(directions, directions)
def test_between_turns_one_direction_onto_the_other_by_the_smallest_angle(u, v):
    q = sk.quaternion_between(u, v)
    a, b = (np.array(d) / np.linalg.norm(d) for d in (u, v))
    np.testing.assert_allclose(sk.quaternion_rotate(q, a), b, atol=2e-15 * 10)
    angle = 2 * math.atan2(np.linalg.norm(a - b), np.linalg.norm(a + b))
    assert sk.quaternion_to_axis_angle(q)[1] == pytest.approx(angle, abs=1e-13)
    assert q[0] >= 0


@pytest.mark.parametrize("angle", [0, 1e-15, 1e-9, 1e-5, np.pi / 2, np.pi - 1e-5, np.pi - 1e-9, np.pi - 1e-14, np.pi])
def test_between_is_exact_beside_zero_and_beside_half_a_turn(angle):
    axes = np.random.default_rng(11).normal(size=(50, 3))
    u = np.cross(axes, [0.3, -0.5, 0.7])
    u /= np.linalg.norm(u, axis=-1, keepdims=True)
    v = sk.quaternion_rotate(sk.quaternion_from_axis_angle(axes, angle), u)
    np.testing.assert_allclose(sk.quaternion_rotate(sk.quaternion_between(u, v), u), v, atol=4e-15)


def test_between_opposite_directions_is_half_a_turn_across():
    u = np.concatenate([np.eye(3), -np.eye(3), np.random.default_rng(12).normal(size=(30, 3))])
    q = sk.quaternion_between(u, -2 * u)
    np.testing.assert_allclose(q[:, 0], 0, atol=1e-15)
    np.testing.assert_allclose(sk.quaternion_rotate(q, u), -u, atol=1e-14)


def test_slerp_ends_and_middle():
    p, q = random_quaternions(13, 40), random_quaternions(14, 40)
    p, q = p / np.linalg.norm(p, axis=-1, keepdims=True), q / np.linalg.norm(q, axis=-1, keepdims=True)
    np.testing.assert_allclose(sk.quaternion_slerp(p, q, 0), p, atol=1e-15)
    near = q * np.sign((p * q).sum(-1, keepdims=True))
    np.testing.assert_allclose(sk.quaternion_slerp(p, q, 1.0), near, atol=1e-15)
    half = (p + near) / np.linalg.norm(p + near, axis=-1, keepdims=True)
    np.testing.assert_allclose(sk.quaternion_slerp(p, q, 0.5), half, atol=1e-14)


@pytest.mark.slow
@given(directions, st.floats(0, 3.1, allow_subnormal=False), st.floats(-0.5, 1.5))
def test_slerp_turns_at_constant_speed(axis, angle, t):
    q = sk.quaternion_slerp([1, 0, 0, 0], sk.quaternion_from_axis_angle(axis, angle), t)
    np.testing.assert_allclose(q, sk.quaternion_from_axis_angle(axis, angle * t), atol=1e-13)


def test_slerp_broadcasts_times_over_pairs():
    p, q = random_quaternions(15, 3), random_quaternions(16, 3)
    result = sk.quaternion_slerp(p, q, np.linspace(0, 1, 5)[:, None])
    assert result.shape == (5, 3, 4)
    np.testing.assert_array_equal(result[2, 1], sk.quaternion_slerp(p[1], q[1], 0.5))


BAD = [
    (lambda q: sk.quaternion_multiply([1, 0, 0, 0], q), "q"),
    (lambda q: sk.quaternion_multiply(q, [1, 0, 0, 0]), "p"),
    (lambda q: sk.quaternion_rotate(q, [1, 0, 0]), "q"),
    (lambda q: sk.quaternion_slerp(q, [1, 0, 0, 0], 0.5), "p"),
    (lambda q: sk.quaternion_to_matrix(q), "q"),
    (lambda q: sk.quaternion_to_euler(q, "XYZ"), "q"),
    (lambda q: sk.quaternion_to_axis_angle(q), "q"),
    (lambda q: sk.quaternion_to_rotation_vector(q), "q"),
    (lambda q: sk.compose([0, 0, 0], q), "rotations"),
]


@pytest.mark.parametrize(("call", "name"), BAD)
@pytest.mark.parametrize("bad", [[0, 0, 0, 0], [1, np.nan, 0, 0], [1, 0, np.inf, 0]])
def test_a_bad_quaternion_is_named_with_its_index(call, name, bad):
    q = random_quaternions(17, 2, 3)
    q[1, 2] = bad
    with pytest.raises(ValueError, match=rf"^{name}\[1, 2\] is \[.*\]: a quaternion must be finite and not zero$"):
        call(q)


def test_a_bad_quaternion_beyond_the_first_block_is_found():
    q = random_quaternions(18, 20000)
    q[19999] = 0
    with pytest.raises(ValueError, match=r"^q\[19999\] is "):
        sk.quaternion_to_matrix(q)


@pytest.mark.parametrize("function", [sk.quaternion_between, lambda u, v: sk.quaternion_between(v, u)])
def test_a_zero_direction_is_named(function):
    with pytest.raises(ValueError, match=r"^[uv]\[1\] is \[0, 0, 0\]: a direction must be finite and not zero$"):
        function([[1, 0, 0], [0.0, 0, 0]], [0, 0, 1])


def test_a_list_that_vanishes_in_the_precision_of_an_array_is_named():
    with pytest.raises(ValueError, match=r"^q is \[.*\]: a quaternion must be finite and not zero$"):
        sk.quaternion_multiply(np.array([1, 0, 0, 0], np.float32), [1e-320, 0, 0, 0])


def test_a_zero_axis_is_named():
    with pytest.raises(ValueError, match=r"^axis is \[0, 0, 0\]: a direction must be finite and not zero$"):
        sk.quaternion_from_axis_angle([0, 0, 0], 1.0)


@pytest.mark.parametrize("order", ["xyz", "XYX", "XY", "", None, 3])
def test_an_unknown_order_lists_the_orders(order):
    with pytest.raises(ValueError, match=r"^order is .*: expected 'XYZ', 'YZX', 'ZXY', 'XZY', 'YXZ' or 'ZYX'"):
        sk.quaternion_from_euler([0, 0, 0], order)


@pytest.mark.parametrize(("a", "b"), itertools.product([np.float32, np.float64, np.int32], repeat=2))
def test_dtype_is_the_promotion_of_the_arrays(a, b):
    expected = np.float32 if a is b is np.float32 else np.float64
    result = sk.quaternion_multiply(np.array([1, 0, 0, 0], a), np.array([0, 1, 0, 0], b))
    assert result.dtype == expected


def test_lists_and_scalars_take_no_part_in_the_dtype():
    q = np.array([1, 0, 0, 0], np.float32)
    assert sk.quaternion_multiply(q, [0, 1, 0, 0]).dtype == np.float32
    assert sk.quaternion_slerp(q, q, np.float64(0.5)).dtype == np.float32
    assert sk.quaternion_multiply([1, 0, 0, 0], [0, 1, 0, 0]).dtype == np.float64


@pytest.mark.parametrize("dtype", [np.complex128, np.longdouble, object])
def test_other_dtypes_are_refused(dtype):
    with pytest.raises(TypeError, match=r"^q has dtype .*: float32, float64 or an integer type is needed$"):
        sk.quaternion_to_matrix(np.array([1, 0, 0, 0], dtype))


def test_results_do_not_depend_on_how_the_batch_is_cut():
    q, v = random_quaternions(19, 9000, dtype=np.float32), np.random.default_rng(20).normal(size=(9000, 3))
    v = v.astype(np.float32)
    whole = sk.quaternion_rotate(q, v)
    np.testing.assert_array_equal(whole[4000:4100], sk.quaternion_rotate(q[4000:4100], v[4000:4100]))
    np.testing.assert_array_equal(whole[::7], sk.quaternion_rotate(q[::7], v[::7]))
    np.testing.assert_array_equal(whole[8999], sk.quaternion_rotate(q[8999], v[8999]))
    euler = sk.quaternion_to_euler(q, "ZXY")
    np.testing.assert_array_equal(euler[4095:4098], sk.quaternion_to_euler(q[4095:4098], "ZXY"))


def test_empty_batches_give_empty_results():
    empty = np.empty((0, 5, 4), np.float32)
    assert sk.quaternion_to_matrix(empty).shape == (0, 5, 3, 3)
    assert sk.quaternion_to_euler(empty, "XYZ").shape == (0, 5, 3)
    assert sk.quaternion_slerp(empty, [1, 0, 0, 0], 0.5).dtype == np.float32
    axis, angle = sk.quaternion_to_axis_angle(empty)
    assert axis.shape == (0, 5, 3)
    assert angle.shape == (0, 5)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_swing_after_twist_is_the_rotation(dtype):
    q, axis = random_quaternions(70, 200, dtype=dtype), np.random.default_rng(71).normal(size=(200, 3)).astype(dtype)
    swing, twist = sk.quaternion_swing_twist(q, axis)
    assert swing.dtype == twist.dtype == dtype
    assert (swing[:, 0] >= 0).all()
    assert (twist[:, 0] >= 0).all()
    product = sk.quaternion_multiply(swing, twist)
    np.testing.assert_allclose(sk.quaternion_to_matrix(product), sk.quaternion_to_matrix(q), atol=EPS[dtype])
    np.testing.assert_allclose(np.cross(twist[:, 1:], axis), 0, atol=EPS[dtype])
    np.testing.assert_allclose(np.sum(swing[:, 1:] * axis, axis=-1), 0, atol=2 * EPS[dtype])
    arc = sk.quaternion_between(axis, sk.quaternion_rotate(q, axis))  # the smallest turn of the axis
    np.testing.assert_allclose(sk.quaternion_to_matrix(swing), sk.quaternion_to_matrix(arc), atol=8 * EPS[dtype])


def test_swing_twist_at_its_ends():
    swing, twist = sk.quaternion_swing_twist([[0, 1, 0, 0], [0, 0, 0, -3], [-1, 0, 0, 0]], [0, 0, 2])
    np.testing.assert_array_equal(swing, [[0, 1, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0]])
    np.testing.assert_array_equal(np.abs(twist), [[1, 0, 0, 0], [0, 0, 0, 1], [1, 0, 0, 0]])
    with pytest.raises(ValueError, match=r"^axis\[1\] is \[0, 0, 0\]"):
        sk.quaternion_swing_twist([1, 0, 0, 0], [[0, 0, 1], [0, 0, 0]])
    with pytest.raises(ValueError, match=r"^q is \[0, 0, 0, 0\]"):
        sk.quaternion_swing_twist([0, 0, 0, 0], [0, 0, 1])
