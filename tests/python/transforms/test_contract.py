# SPDX-License-Identifier: MIT
"""What every transform promises: the reference's numbers for any broadcast, strides, `out`; bits however it is cut."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
import reference
from hypothesis import given, settings, strategies as st
from npz_arrays import read_npz

import skelkin_py as sk

BOUND = {np.dtype(np.float32): 2e-6, np.dtype(np.float64): 1e-12}


def quaternions(rng: np.random.Generator, lead: tuple[int, ...]) -> np.ndarray:
    return rng.normal(size=(*lead, 4)) * rng.choice([1e-3, 1, 1e3], size=(*lead, 1))


def vectors(rng: np.random.Generator, lead: tuple[int, ...]) -> np.ndarray:
    return rng.normal(size=(*lead, 3))


def matrices(rng: np.random.Generator, lead: tuple[int, ...]) -> np.ndarray:
    signs = rng.choice([-1.0, 1.0], size=(*lead, 3))
    return reference.compose(vectors(rng, lead), rng.normal(size=(*lead, 4)), rng.uniform(0.5, 2, (*lead, 3)) * signs)


def rigid(rng: np.random.Generator, lead: tuple[int, ...]) -> np.ndarray:
    return reference.compose(vectors(rng, lead), rng.normal(size=(*lead, 4)))


def numbers(rng: np.random.Generator, lead: tuple[int, ...]) -> np.ndarray:
    return rng.uniform(-1, 2, size=lead)


def turn_about(axis: np.ndarray, angle: np.ndarray) -> np.ndarray:
    axis, angle = np.asarray(axis, np.float64), np.asarray(angle, np.float64)[..., None]
    axis = axis / np.linalg.norm(axis, axis=-1, keepdims=True)
    return np.concatenate([np.cos(angle / 2) + 0 * axis[..., :1], np.sin(angle / 2) * axis], axis=-1)


def turn_by(vector: np.ndarray) -> np.ndarray:
    return turn_about(vector, np.linalg.norm(vector, axis=-1))


def euler_zxy(angles: np.ndarray) -> np.ndarray:
    x, y, z = (turn_about(np.eye(3)[i], np.asarray(angles)[..., i]) for i in range(3))
    return reference.quaternion_multiply(y, reference.quaternion_multiply(x, z))


class Verb(NamedTuple):
    """One function: what makes each of its arguments, the oracle, and the size of the numbers within."""

    call: Callable[..., Any]
    makers: tuple[Callable[..., np.ndarray], ...]
    oracle: Callable[..., Any]
    core: tuple[int, ...]
    size: float = 4.0


CORE_NDIM = {quaternions: 1, vectors: 1, matrices: 2, rigid: 2, numbers: 0}
VERBS = {
    "compose": Verb(sk.compose, (vectors, quaternions, vectors), reference.compose, (4, 4)),
    "invert": Verb(sk.invert, (matrices,), reference.invert, (4, 4), 8),
    "invert_rigid": Verb(sk.invert_rigid, (rigid,), reference.invert, (4, 4), 8),
    "invert_trs": Verb(sk.invert_trs, (rigid,), reference.invert, (4, 4), 8),
    "change_basis": Verb(sk.change_basis, (matrices,) * 3, reference.change_basis, (4, 4), 500),
    "change_basis_points": Verb(
        sk.change_basis_points, (vectors, matrices, matrices), reference.change_basis_points, (3,), 50
    ),
    "multiply": Verb(sk.quaternion_multiply, (quaternions,) * 2, reference.quaternion_multiply, (4,)),
    "rotate": Verb(sk.quaternion_rotate, (quaternions, vectors), reference.quaternion_rotate, (3,)),
    "between": Verb(sk.quaternion_between, (vectors, vectors), reference.quaternion_between, (4,), 8),
    "slerp": Verb(sk.quaternion_slerp, (quaternions, quaternions, numbers), reference.quaternion_slerp, (4,), 8),
    "from_matrix": Verb(sk.quaternion_from_matrix, (rigid,), reference.quaternion_from_matrix, (4,)),
    "from_axis_angle": Verb(sk.quaternion_from_axis_angle, (vectors, numbers), turn_about, (4,)),
    "from_rotation_vector": Verb(sk.quaternion_from_rotation_vector, (vectors,), turn_by, (4,)),
    "from_euler": Verb(lambda v, **kw: sk.quaternion_from_euler(v, "ZXY", **kw), (vectors,), euler_zxy, (4,), 8),
    "to_matrix": Verb(sk.quaternion_to_matrix, (quaternions,), reference.quaternion_to_matrix, (3, 3)),
}
DIRECTIONS = (sk.quaternion_between, sk.quaternion_from_axis_angle)  # a vector that cannot be one is an error
FINITE = {
    (sk.compose, 2): "scales",
    (sk.quaternion_slerp, 2): "t",
    (sk.quaternion_from_rotation_vector, 0): "v",
}  # numbers that have to be finite, by place
every_verb = pytest.mark.parametrize("verb", VERBS.values(), ids=VERBS)


def assert_near(found: np.ndarray, wanted: np.ndarray, size: float, either_sign: bool = False) -> None:
    assert found.shape == wanted.shape
    off = np.abs(found - wanted)
    if either_sign:  # the sign of w = 0, and which of two ways is the shorter one, rounding decides
        off = np.minimum(off.max(-1, initial=0), np.abs(found + wanted).max(-1, initial=0))
    assert off.max(initial=0) <= BOUND[found.dtype] * size


@st.composite
def cases(draw: Any) -> tuple[int, tuple[tuple[int, ...], ...], tuple[str, ...], type]:
    """Draw a seed, leading shapes of three arguments that broadcast, a layout for each, and a dtype."""
    common = draw(st.lists(st.sampled_from([0, 1, 2, 3, 5, 9, 17]), max_size=3))
    shapes = []
    for _ in range(3):
        shape = [n if draw(st.booleans()) else 1 for n in common]
        shapes.append(tuple(shape[draw(st.integers(0, len(shape))) :]))
    layouts = tuple(
        draw(st.sampled_from(["plain", "reversed", "every second", "one for all", "columns"])) for _ in range(3)
    )
    return draw(st.integers(0, 9999)), tuple(shapes), layouts, draw(st.sampled_from([np.float32, np.float64]))


def laid_out(array: np.ndarray, layout: str, core_ndim: int) -> np.ndarray:
    """Return the same numbers (of the first item, for "one for all") with other strides."""
    lead = array.ndim - core_ndim
    if lead == 0 or layout == "plain" or array.size == 0:
        return array
    if layout == "reversed":
        return array[::-1].copy()[::-1]
    if layout == "every second":
        wide = np.full((2 * array.shape[0], *array.shape[1:]), np.nan, array.dtype)
        wide[::2] = array
        return wide[::2]
    if layout == "one for all":
        return np.broadcast_to(array[:1], array.shape)
    return np.asfortranarray(array)


@pytest.mark.slow
@every_verb
@settings(max_examples=15, deadline=None)
@given(case=cases())
def test_it_gives_the_references_numbers_for_any_broadcast_and_strides(verb, case):
    seed, shapes, layouts, dtype = case
    rng = np.random.default_rng(seed)
    arguments = [
        laid_out(make(rng, shape).astype(dtype), layout, CORE_NDIM[make])
        for make, shape, layout in zip(verb.makers, shapes, layouts)
    ]
    wanted = np.asarray(verb.oracle(*arguments))
    found = verb.call(*arguments)
    assert found.dtype == dtype
    assert_near(found, wanted, verb.size, either_sign=verb.core == (4,))
    if found.ndim > len(verb.core):
        view = np.full((found.shape[0], 2, *found.shape[1:]), np.nan, dtype)[::-1, 1]
        assert verb.call(*arguments, out=view) is view
        np.testing.assert_array_equal(view, found)


@every_verb
def test_out_may_be_an_input(verb):
    rng = np.random.default_rng(1)
    arguments = [make(rng, (37,)) for make in verb.makers]
    for i, argument in enumerate(arguments):
        if argument.shape == (37, *verb.core):
            wanted = verb.call(*arguments)
            kept = argument.copy()
            assert verb.call(*arguments, out=argument) is argument
            np.testing.assert_array_equal(argument, wanted)
            arguments[i] = kept
            shifted = np.concatenate([kept[:1], kept])
            overlapping = [*arguments[:i], shifted[1:], *arguments[i + 1 :]]
            verb.call(*overlapping, out=shifted[:-1])
            np.testing.assert_array_equal(shifted[:-1], wanted)


@every_verb
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_bits_do_not_depend_on_how_the_batch_is_cut(verb, dtype):
    rng = np.random.default_rng(2)
    arguments = [make(rng, (41,)).astype(dtype) for make in verb.makers]
    whole = verb.call(*arguments)
    for part in (slice(1, 2), slice(3, 10), slice(7, 41), slice(None, None, 3), slice(None, None, -1)):
        np.testing.assert_array_equal(verb.call(*(a[part] for a in arguments)), whole[part])
    np.testing.assert_array_equal(verb.call(*(a[5] for a in arguments)), whole[5])


@pytest.mark.parametrize("verb", [VERBS[name] for name in ("compose", "multiply", "slerp")])
def test_threads_give_the_bits_of_one_thread_and_the_same_error(verb):
    rng = np.random.default_rng(12)
    arguments = [make(rng, (3, 20_000)).astype(np.float32) for make in verb.makers]
    whole = verb.call(*arguments)
    before = sk.get_num_threads()
    try:
        sk.set_num_threads(3)
        np.testing.assert_array_equal(verb.call(*arguments), whole)
        arguments[verb.makers.index(quaternions)][2, 19_999] = 0
        with pytest.raises(ValueError, match=r"\[2, 19999\] is \[0, 0, 0, 0\]: "):
            verb.call(*arguments)
    finally:
        sk.set_num_threads(before)


@every_verb
def test_out_of_another_shape_or_dtype_is_refused_and_nothing_is_written(verb):
    arguments = [make(np.random.default_rng(3), (5,)) for make in verb.makers]
    right = verb.call(*arguments)
    with pytest.raises(TypeError, match=r"^out has dtype float32: the result is float64$"):
        verb.call(*arguments, out=right.astype(np.float32))
    with pytest.raises(ValueError, match=r"^out has shape \(4, .*\): expected \(5, "):
        verb.call(*arguments, out=right[:4])
    right.setflags(write=False)
    with pytest.raises(ValueError, match=r"^out is read-only$"):
        verb.call(*arguments, out=right)


@every_verb
def test_a_nan_stays_in_its_row(verb):
    for i, make in enumerate(verb.makers):
        if make is quaternions or (make is vectors and verb.call in DIRECTIONS) or (verb.call, i) in FINITE:
            continue  # an error that names its index
        arguments = [m(np.random.default_rng(4), (21,)) for m in verb.makers]
        whole = verb.call(*arguments)
        arguments[i][6] = np.nan
        found = verb.call(*arguments)
        assert np.isnan(found[6]).any()
        np.testing.assert_array_equal(np.delete(found, 6, 0), np.delete(whole, 6, 0))


@every_verb
def test_a_bad_row_is_named_and_nothing_is_written(verb):
    for i, make in enumerate(verb.makers):
        if make is not quaternions and not (make is vectors and verb.call in DIRECTIONS):
            continue
        for bad in (0.0, np.nan, np.inf):
            arguments = [m(np.random.default_rng(5), (3, 7)) for m in verb.makers]
            out = verb.call(*arguments)
            before = out.copy()
            arguments[i][2, 4] = bad
            with pytest.raises(
                ValueError, match=r"^\w+\[2, 4\] is \[.*\]: a (quaternion|direction) must be finite and"
            ):
                verb.call(*arguments, out=out)
            np.testing.assert_array_equal(out, before)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize(("call", "place"), FINITE, ids=FINITE.values())
def test_a_scale_or_part_that_is_not_finite_is_named_and_nothing_is_written(call, place, bad, dtype):
    verb = next(verb for verb in VERBS.values() if verb.call is call)
    for count in (1, 7, 9, 40):
        arguments = [make(np.random.default_rng(5), (3, count)).astype(dtype) for make in verb.makers]
        out = verb.call(*arguments)
        before = out.copy()
        arguments[place][2, count - 1] = bad
        for options in ({"out": out}, {}):
            with pytest.raises(ValueError, match=rf"^{FINITE[call, place]}\[2, {count - 1}\] is .*must be finite$"):
                verb.call(*arguments, **options)
        np.testing.assert_array_equal(out, before)


def test_one_scale_for_all_is_refused_as_three_are():
    for scale in (np.nan, np.float32(np.inf), np.array(np.nan)):
        with pytest.raises(ValueError, match=r"^scales is \["):
            sk.compose([0, 0, 0], [1, 0, 0, 0], scale)
    for scale in (2j, np.str_("2"), np.complex64(2), np.array("2"), np.ma.masked, 10**400):
        with pytest.raises(TypeError, match=r"^scales "):
            sk.compose([0, 0, 0], [1, 0, 0, 0], scale)


def test_decompose_gives_the_references_parts():
    rng = np.random.default_rng(6)
    for dtype in (np.float32, np.float64):
        for count in (1, 7, 8, 9, 40):
            m = matrices(rng, (count,)).astype(dtype)
            for k, (found, wanted) in enumerate(zip(sk.decompose(m[::-1]), reference.decompose(m[::-1]))):
                assert_near(found, wanted, 8, either_sign=k == 1)


@pytest.mark.parametrize("scale", [1e-30, 1e-20, 1e18])
def test_columns_whose_squares_leave_the_range_fall_apart_rightly(scale):
    m = matrices(np.random.default_rng(7), (9,))
    narrow = (m * scale).astype(np.float32)
    wanted = reference.decompose(narrow)
    for k, found in enumerate(sk.decompose(narrow)):
        assert_near(found / np.float32(1 if k == 1 else scale), wanted[k] / (1 if k == 1 else scale), 8, k == 1)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_sines_of_angles_of_every_size_are_exact(dtype):
    rng = np.random.default_rng(10)
    angle = np.concatenate([rng.normal(size=500) * 10.0**power for power in (-30, -3, 0, 1, 3, 6, 9, 30)]).astype(dtype)
    angle = np.concatenate([angle, np.arange(-40, 40, dtype=dtype) * dtype(np.pi / 2)])
    found = sk.quaternion_from_axis_angle(np.array([0, 0, 1], dtype), angle)
    half = angle.astype(np.float64) / 2
    assert_near(found[:, [0, 3]], np.stack([np.cos(half), np.sin(half)], axis=-1), 0.1)
    assert np.isnan(sk.quaternion_from_axis_angle(np.array([0, 0, 1], dtype), [np.inf, np.nan])[:, 0]).all()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("order", ["XYZ", "YZX", "ZXY", "XZY", "YXZ", "ZYX"])
def test_euler_angles_there_and_back_are_the_same_turn(order, dtype):
    q = quaternions(np.random.default_rng(11), (3, 43)).astype(dtype)
    angles = sk.quaternion_to_euler(q, order)
    back = sk.quaternion_from_euler(angles, order)
    wanted = reference.quaternion_multiply(q, [1, 0, 0, 0])
    assert_near(back, wanted, 4, either_sign=True)
    out = np.empty((3, 86, 3), dtype)[:, ::-2]
    assert sk.quaternion_to_euler(q, order, out=out) is out
    np.testing.assert_array_equal(out, angles)


def test_slerp_far_beyond_its_ends_goes_round():
    p, q = quaternions(np.random.default_rng(8), (2,))
    for t in (-7.25, 3.5, 100.0, 1e5):
        assert_near(sk.quaternion_slerp(p, q, t), reference.quaternion_slerp(p, q, t), 10 * max(1, abs(t)), True)
    assert np.linalg.norm(sk.quaternion_slerp(p, q, 1e300)) == pytest.approx(1)


SCRIPT = """
import sys, numpy as np, skelkin_py as sk
given = np.load(sys.argv[1])
found = {"isa": sk.isa()}
for name in given.files:
    verb, dtype, place = name.split("-")
    if place == "0":
        call = getattr(sk, verb if hasattr(sk, verb) else "quaternion_" + verb)
        if verb == "from_euler":
            call = lambda angles: sk.quaternion_from_euler(angles, "ZXY")
        parts = [given[f"{verb}-{dtype}-{i}"] for i in range(3) if f"{verb}-{dtype}-{i}" in given.files]
        found[f"{verb}-{dtype}"] = call(*parts)
np.savez(sys.argv[2], **found)
"""


@pytest.mark.slow
@pytest.mark.parametrize("isa", ["scalar", "sse2", "avx2", "avx512", "neon"])
def test_every_instruction_set_gives_the_references_numbers(isa, tmp_path: Path):
    rng = np.random.default_rng(9)
    given = {
        f"{name}-{dtype}-{i}": make(rng, (43,)).astype(dtype)
        for name, verb in VERBS.items()
        for dtype in ("float32", "float64")
        for i, make in enumerate(verb.makers)
    }
    np.savez(tmp_path / "given.npz", **given)
    command = [sys.executable, "-W", "ignore", "-c", SCRIPT, str(tmp_path / "given.npz"), str(tmp_path / "found.npz")]
    subprocess.run(command, env={**os.environ, "SKELKIN_ISA": isa}, check=True, timeout=300)
    found = read_npz(tmp_path / "found.npz")
    for name, verb in VERBS.items():
        for dtype in ("float32", "float64"):
            parts = [given[f"{name}-{dtype}-{i}"] for i in range(len(verb.makers))]
            assert_near(found[f"{name}-{dtype}"], np.asarray(verb.oracle(*parts)), verb.size, verb.core == (4,))
