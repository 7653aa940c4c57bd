# SPDX-License-Identifier: MIT
"""What `solve_two_bone` and `apply_two_bone` share with every function: batches, strides, out, bad input, kernels."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
from npz_arrays import read_npz

import skelkin_py as sk

FIELDS = sk.TwoBone._fields


@pytest.fixture
def rng():
    return np.random.default_rng(77)


def same(x, y):
    return all(getattr(x, f).tobytes() == getattr(y, f).tobytes() for f in FIELDS)


def test_a_batch_is_the_loop_over_its_rows_bit_for_bit(rng):
    for dtype in (np.float32, np.float64):
        a, b, c, t, pole = rng.normal(size=(5, 37, 3)).astype(dtype)
        weight = rng.random(37).astype(dtype)
        whole = sk.solve_two_bone(a, b, c, t, pole=pole, weight=weight, soften=dtype(0.1), twist=weight)
        for i in range(37):
            one = sk.solve_two_bone(a[i], b[i], c[i], t[i], pole=pole[i], weight=weight[i : i + 1].reshape(()),
                                    soften=dtype(0.1), twist=weight[i])  # fmt: skip
            for f in FIELDS:
                assert np.array_equal(getattr(one, f), getattr(whole, f)[i]), f


def test_leading_dimensions_broadcast(rng):
    a, b, c = rng.normal(size=(3, 3))
    t, twist = rng.normal(size=(5, 1, 3)), rng.normal(size=4)
    out = sk.solve_two_bone(a, b, c, t, twist=twist)
    assert out.b.shape == (5, 4, 3)
    assert out.upper.shape == (5, 4, 4)
    assert out.status.shape == out.error.shape == out.stretch.shape == (5, 4)
    full = sk.solve_two_bone(
        *(np.broadcast_to(x, (5, 4, 3)).copy() for x in (a, b, c, t)), twist=np.tile(twist, (5, 1))
    )
    assert same(out, full)
    assert sk.solve_two_bone(a, b, c, np.empty((0, 3))).b.shape == (0, 3)


def test_one_limb_gives_arrays_without_dimensions():
    out = sk.solve_two_bone([0, 2, 0], [0, 1, 0.1], [0, 0, 0], [0, 1, 0])
    assert out.status.shape == out.error.shape == ()
    assert out.b.dtype == np.float64
    assert out.status.dtype == np.uint8


def test_precision_follows_the_arrays_of_the_call(rng):
    narrow = rng.normal(size=(4, 3)).astype(np.float32)
    out = sk.solve_two_bone(*narrow, soften=0.1, weight=0.5)
    assert {getattr(out, f).dtype for f in FIELDS} == {np.dtype(np.float32), np.dtype(np.uint8)}
    assert sk.solve_two_bone(*narrow, pole=np.zeros(3)).b.dtype == np.float64
    assert sk.solve_two_bone(narrow[0], *narrow[1:].tolist()).b.dtype == np.float32


def test_any_strides_give_the_same_bits(rng):
    for dtype in (np.float32, np.float64):
        whole = rng.normal(size=(40, 12)).astype(dtype)
        a, b, c, t = (whole[:, k : k + 3] for k in (0, 3, 6, 9))
        plain = sk.solve_two_bone(a.copy(), b.copy(), c.copy(), t.copy())
        assert same(sk.solve_two_bone(a, b, c, t), plain)
        columns = [np.asfortranarray(x) for x in (a, b, c, t)]
        assert same(sk.solve_two_bone(*columns), plain)
        back = sk.solve_two_bone(a[::-1], b[::-1], c[::-1], t[::-1])
        assert np.array_equal(back.b, plain.b[::-1])
        big = [x.astype(x.dtype.newbyteorder()) for x in (a, b, c, t)]
        assert np.array_equal(sk.solve_two_bone(*big).b, plain.b)


def test_out_is_filled_and_returned_and_may_overlap(rng):
    a, b, c, t = rng.normal(size=(4, 30, 3))
    plain = sk.solve_two_bone(a, b, c, t)
    out = sk.TwoBone(*(np.empty_like(x) for x in plain))
    got = sk.solve_two_bone(a, b, c, t, out=out)
    assert all(x is y for x, y in zip(got, out, strict=True))
    assert same(out, plain)
    strided = sk.TwoBone(*(np.empty((*x.shape, 2), x.dtype)[..., 0] for x in plain))
    assert same(sk.TwoBone(*(x.copy() for x in sk.solve_two_bone(a, b, c, t, out=strided))), plain)
    b2, c2 = b.copy(), c.copy()
    over = sk.solve_two_bone(a, b2, c2, t, out=out._replace(b=b2, c=c2))
    assert over.b is b2
    assert same(sk.TwoBone(*over), plain)


@pytest.mark.parametrize(
    ("change", "error", "text"),
    [
        ({"b": np.empty((30, 3), np.float32)}, TypeError, "out.b has dtype float32"),
        ({"c": np.empty((29, 3))}, ValueError, r"out.c has shape \(29, 3\): expected \(30, 3\)"),
        ({"status": np.empty(30)}, TypeError, "out.status"),
        ({"status": np.empty(31, np.uint8)}, ValueError, "out.status"),
        ({"error": [0.0] * 30}, TypeError, "out.error"),
    ],
)
def test_an_out_that_does_not_fit_is_refused_and_nothing_is_written(rng, change, error, text):
    a, b, c, t = rng.normal(size=(4, 30, 3))
    out = sk.solve_two_bone(a, b, c, t)
    marked = sk.TwoBone(*(np.full_like(x, 7) for x in out))
    with pytest.raises(error, match=text):
        sk.solve_two_bone(a, b, c, t, out=marked._replace(**change))
    assert all((x == 7).all() for x in marked)
    frozen = marked.upper.copy()
    frozen.flags.writeable = False
    with pytest.raises(ValueError, match="upper is read-only"):
        sk.solve_two_bone(a, b, c, t, out=marked._replace(upper=frozen))
    with pytest.raises(TypeError, match="tuple of 7"):
        sk.solve_two_bone(a, b, c, t, out=marked.b)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"soften": [0.1, 1.0]}, r"soften\[1\] is 1: it must be at least 0 and less than 1"),
        ({"soften": -0.1}, "soften is -0.1"),
        ({"stretch": [[1.0], [0.5]]}, r"stretch\[1, 0\] is 0.5: it must be at least 1"),
        ({"stretch_start": 0.0}, "stretch_start is 0: it must be above 0"),
        ({"twist": np.inf}, "twist is inf: it must be finite"),
        ({"weight": [0.0, np.nan]}, r"weight\[1\] is nan: it must be between 0 and 1"),
        ({"weight": 1.5}, "weight is 1.5"),
        ({"roll": "hing"}, "roll is 'hing': expected 'hinge' or 'minimal'"),
        ({"pole": [0, 0, 1], "pole_direction": [0, 0, 1]}, "pole and pole_direction"),
        ({"pole": [0, 0]}, r"pole has shape \(2,\): expected \(..., 3\)"),
        ({"twist": np.zeros(5), "weight": np.zeros(4)}, "do not broadcast"),
    ],
)
def test_wrong_options_are_named_with_index_value_and_rule(options, text):
    points = np.zeros((4, 3))
    with pytest.raises(ValueError, match=text):
        sk.solve_two_bone(*points, **options)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("where", ["a", "b", "c", "target", "pole", "pole_direction", "bend"])
def test_what_is_no_number_harms_its_own_row_only(rng, where, value):
    for dtype in (np.float32, np.float64):
        points = dict(zip(["a", "b", "c", "target"], rng.normal(size=(4, 70, 3)).astype(dtype), strict=True))
        if where not in points:
            points[where] = rng.normal(size=(70, 3)).astype(dtype)
        plain = sk.solve_two_bone(**points)
        points[where][40, 1] = value
        out = sk.solve_two_bone(**points)
        assert out.status[40] == sk.IKStatus.BAD_INPUT
        assert np.isnan(out.error[40])
        assert np.array_equal(out.b[40], points["b"][40], equal_nan=True)
        assert np.array_equal(out.c[40], points["c"][40], equal_nan=True)
        assert out.upper[40].tolist() == out.lower[40].tolist() == [1, 0, 0, 0]
        others = np.arange(70) != 40
        for f in FIELDS:
            assert np.array_equal(getattr(out, f)[others], getattr(plain, f)[others]), f


def test_huge_and_tiny_problems_neither_overflow_nor_vanish():
    hip, knee, ankle, target = np.array([[0, 2.0, 0], [0, 1, 0.1], [0, 0, 0], [0, 0.5, 0]])
    for scale in (1e-200, 1e-30, 1e30, 1e200):
        out = sk.solve_two_bone(hip * scale, knee * scale, ankle * scale, target * scale)
        assert out.status == sk.IKStatus.REACHED
        np.testing.assert_allclose(out.b / scale, [0, 1.25, np.sqrt(1.01 - 0.75**2)], rtol=1e-12, atol=1e-12)
    small = [x.astype(np.float32) * np.float32(1e-30) for x in (hip, knee, ankle, target)]
    assert sk.solve_two_bone(*small).status == sk.IKStatus.REACHED


def test_wrong_types_are_refused():
    points = np.zeros((3, 3))
    with pytest.raises(TypeError, match="target is None"):
        sk.solve_two_bone(*points, None)
    with pytest.raises(TypeError, match="dtype complex128"):
        sk.solve_two_bone(*points, np.zeros(3, complex))
    with pytest.raises(ValueError, match=r"a has shape \(4,\): expected \(..., 3\)"):
        sk.solve_two_bone(np.zeros(4), *points)


SWEEP = """
import numpy as np, sys
import skelkin_py as sk
rng = np.random.default_rng(3)
a, b, c, t, pole = rng.normal(size=(5, 999, 3))
twist, weight = rng.normal(size=999), rng.random(999)
bent = sk.solve_two_bone(a, b, c, t, pole=pole, soften=0.1, stretch=1.1, twist=twist, weight=weight)
narrow = sk.solve_two_bone(*(x.astype(np.float32) for x in (a, b, c, t)))
rest = np.tile(np.eye(4), (6, 1, 1))
rest[:, :3, 3] = rng.normal(size=(6, 3))
skeleton = sk.Skeleton([-1, 0, 1, 2, 3, 4], rest)
posed = sk.apply_two_bone(skeleton, rest, (1, 3, 5), t)
np.savez(sys.argv[1], isa=sk.isa(), b=bent.b, c=bent.c, upper=bent.upper, lower=bent.lower, status=bent.status,
         narrow_b=narrow.b, narrow_status=narrow.status, local=posed.local)
"""


@pytest.mark.slow
def test_every_kernel_gives_the_same_answer_within_a_bound(tmp_path):
    results = {}
    for isa in ("scalar", sk.isa()):
        path = tmp_path / f"{isa}.npz"
        env = os.environ | {"SKELKIN_ISA": isa}
        subprocess.run([sys.executable, "-c", SWEEP, str(path)], env=env, check=True, timeout=300)
        results[isa] = read_npz(path)
        assert results[isa].pop("isa") == isa
    plain, best = results["scalar"], results[sk.isa()]
    for name, values in plain.items():
        bound = {"status": 0, "narrow_status": 0, "narrow_b": 5e-6}.get(name, 1e-11)
        boundary = 5e-6 if name in ("b", "upper", "lower", "c", "local") else bound
        off = np.abs(values.astype(float) - best[name])
        assert off.max() <= boundary, name
        assert np.mean(off > bound) < 0.01, name
