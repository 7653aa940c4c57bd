# SPDX-License-Identifier: MIT
"""What holds for every two-bone solve: symmetries, precisions, kernels, weights, and all options together."""

from __future__ import annotations

import os
import subprocess
import sys

import limb_problems
import numpy as np
import pytest
import reference
from hypothesis import given, settings, strategies as st
from limb_problems import (
    COMBINATIONS,
    calm,
    combined,
    cross,
    directions,
    multiply,
    norm,
    off,
    problems,
    rotate,
    straight,
)
from npz_arrays import read_npz

import skelkin_py as sk

SEEDS = st.integers(0, 2**32 - 1)


@pytest.fixture
def rng():
    return np.random.default_rng(90210)


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(SEEDS, st.sampled_from(COMBINATIONS), st.floats(-5, 5))
def test_turned_moved_and_scaled_problems_have_turned_moved_and_scaled_answers(seed, values, decades):
    rng = np.random.default_rng(seed)
    a, b, c, t = calm(rng, 50)
    options = combined(values, rng, 50)
    q = directions(rng, 1) * np.sin(0.7)
    q = np.repeat(np.concatenate([[[np.cos(0.7)]], q], 1), 50, 0)
    scale, shift = 10.0**decades, rng.normal(size=3)

    def point(x):
        return scale * (rotate(q, x) + shift)

    moved = dict(options)
    for name in ("bend", "pole_direction"):
        if name in options:
            moved[name] = rotate(q, options[name])
    if "pole" in options:
        moved["pole"] = point(options["pole"])
    plain = sk.solve_two_bone(a, b, c, t, **options)
    out = sk.solve_two_bone(*(point(x) for x in (a, b, c, t)), **moved)
    whole = sk.solve_two_bone(a, b, c, t, **options | {"weight": 1.0})
    bound = np.where(straight(whole, (a, b, c, t)), 1e-6, 1e-9)
    assert (norm(out.b - point(plain.b)) < 4 * scale * bound).all()
    assert (norm(out.c - point(plain.c)) < 4 * scale * bound).all()
    for got, before in ((out.upper, plain.upper), (out.lower, plain.lower)):
        assert (off(got, multiply(multiply(q, before), q * [1, -1, -1, -1])) < bound).all()
    assert (np.abs(out.error - scale * plain.error) < 4 * scale * bound).all()
    assert np.array_equal(out.status, plain.status)


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(SEEDS, st.sampled_from(COMBINATIONS), st.integers(0, 2))
def test_mirrored_problems_have_mirrored_answers(seed, values, axis):
    rng = np.random.default_rng(seed)
    a, b, c, t = calm(rng, 50)
    options = combined(values, rng, 50)
    flip = np.ones(3)
    flip[axis] = -1
    mirrored = {k: v * flip if getattr(v, "ndim", 0) == 2 else v for k, v in options.items()}
    mirrored["twist"] = -options["twist"]
    plain, out = (
        sk.solve_two_bone(a, b, c, t, **options),
        sk.solve_two_bone(*(x * flip for x in (a, b, c, t)), **mirrored),
    )
    np.testing.assert_allclose(out.b, plain.b * flip, atol=1e-10)
    np.testing.assert_allclose(out.c, plain.c * flip, atol=1e-10)
    sense = np.concatenate([[1.0], -flip])
    for got, before in ((out.upper, plain.upper), (out.lower, plain.lower)):
        assert off(got, before * sense).max() < 1e-10
    assert np.array_equal(out.status, plain.status)


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(SEEDS, st.sampled_from(COMBINATIONS), st.sampled_from([np.float32, np.float64]))
def test_a_batch_is_the_loop_over_its_rows_to_the_bit(seed, values, dtype):
    rng = np.random.default_rng(seed)
    count = int(rng.integers(1, 70))
    points = problems(rng, count, dtype)[:4]
    easy = np.arange(count) < rng.integers(0, count + 1)  # beside the hard ones: lanes must not look at each other
    points = [np.where(easy[:, None], x, y).astype(dtype) for x, y in zip(calm(rng, count), points, strict=True)]
    options = combined(values, rng, count, dtype)
    whole = sk.solve_two_bone(*points, **options)
    for i in rng.integers(0, count, 12):
        rows = {k: v[i] if getattr(v, "ndim", 0) == 2 else v for k, v in options.items()}
        one = sk.solve_two_bone(*(x[i] for x in points), **rows)
        for got, wanted in zip(one, whole, strict=True):
            assert got.tobytes() == wanted[i].tobytes()


@pytest.mark.slow
def test_every_combination_of_options_is_what_the_reference_says(rng):
    for values in COMBINATIONS:
        for dtype, bound in ((np.float64, 1e-11), (np.float32, 3e-6)):
            points = [x.astype(dtype) for x in calm(rng, 60)]
            options = combined(values, rng, 60, dtype)
            got = sk.solve_two_bone(*points, **options)
            wanted = reference.solve_two_bone(*points, dtype=dtype, **options)
            clear = np.ones(60, bool)
            if "pole" in options or "pole_direction" in options:  # near its line the side turns quickly
                pull = options.get("pole_direction", options.get("pole", points[0]) - points[0])
                n = points[3] - points[0]
                clear = norm(cross(pull, n)) > 0.3 * norm(pull) * norm(n)
            bounds = np.where(straight(sk.solve_two_bone(*points, **options | {"weight": 1.0}), points), 1e-6, bound)
            for field, distance in (
                ("b", norm),
                ("c", norm),
                ("upper", off),
                ("lower", off),
                ("error", np.abs),
                ("stretch", np.abs),
            ):
                x, y = (np.float64(getattr(r, field)) for r in (got, wanted))
                far = off(x, y) if distance is off else distance(x - y)
                assert (far < 4 * bounds)[clear].all(), (values, field)
            assert np.array_equal(got.status, wanted.status), values


@pytest.mark.slow
def test_both_precisions_agree(rng):
    for values in COMBINATIONS:
        points = [x.astype(np.float32) for x in calm(rng, 100)]
        options = combined(values, rng, 100, np.float32)
        narrow = sk.solve_two_bone(*points, **options)
        wide = sk.solve_two_bone(
            *(np.float64(x) for x in points),
            **{k: v if isinstance(v, str) else np.float64(v) for k, v in options.items()},
        )
        assert narrow.b.dtype == np.float32
        for field in ("b", "c", "stretch", "error"):
            np.testing.assert_allclose(getattr(narrow, field), getattr(wide, field), atol=8e-6)
        for field in ("upper", "lower"):
            assert off(np.float64(getattr(narrow, field)), getattr(wide, field)).max() < 4e-6
        sure = (wide.error < 1e-12) | (wide.error > 1e-4) | (values[-1] < 1)
        assert (narrow.status == wide.status)[sure].mean() > (0.9 if values[-1] < 1 else 0.9999)


def angles(result):
    upper, lower = np.float64(result.upper), np.float64(result.lower)
    knee = multiply(lower, upper * [1, -1, -1, -1])
    return [2 * np.arctan2(norm(q[:, 1:]), np.abs(q[:, 0])) for q in (upper, knee)]


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(SEEDS, st.sampled_from(COMBINATIONS), st.lists(st.floats(0, 1), min_size=2, max_size=5))
def test_angles_grow_in_proportion_to_the_weight(seed, values, weights):
    rng = np.random.default_rng(seed)
    points, options = calm(rng, 60), combined(values, rng, 60)
    whole = sk.solve_two_bone(*points, **options | {"weight": 1.0})
    for weight in weights:
        part = sk.solve_two_bone(*points, **options | {"weight": weight})
        for got, full in zip(angles(part), angles(whole), strict=True):
            np.testing.assert_allclose(got, weight * full, atol=1e-7)
        np.testing.assert_allclose(part.stretch, 1 + weight * (whole.stretch - 1), rtol=1e-12)
        a, b, c, _ = points
        stretch = part.stretch[:, None]
        np.testing.assert_allclose(part.b - a, stretch * rotate(part.upper, b - a), atol=1e-12)
        np.testing.assert_allclose(part.c - part.b, stretch * rotate(part.lower, c - b), atol=1e-12)
        assert np.array_equal(part.status, whole.status)


@pytest.mark.slow
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_weight_nothing_gives_the_bits_of_the_input_in_every_combination(rng, dtype):
    for values in COMBINATIONS:
        *points, _, _ = problems(rng, 40, dtype)
        options = combined(values, rng, 40, dtype) | {"weight": dtype(0)}
        out = sk.solve_two_bone(*points, **options)
        assert out.b.tobytes() == points[1].tobytes()
        assert out.c.tobytes() == points[2].tobytes()
        assert (out.upper == [1, 0, 0, 0]).all()
        assert (out.lower == [1, 0, 0, 0]).all()
        assert (out.stretch == 1).all()
        whole = sk.solve_two_bone(*points, **options | {"weight": dtype(1)})
        assert np.array_equal(out.status, whole.status)


def test_status_is_the_first_that_fits():
    """BAD_INPUT before DEGENERATE before REACHED before TOO_FAR and TOO_CLOSE."""
    nan, status = float("nan"), sk.IKStatus
    hip, knee, ankle = [0.0, 0, 0], [0.0, 1, 0], [0.0, 2, 0.5]
    cases = [
        ((hip, hip, hip, [nan, 0, 0]), {}, status.BAD_INPUT),  # degenerate as well
        ((hip, hip, [0, nan, 0], [5, 0, 0]), {}, status.BAD_INPUT),
        ((hip, knee, ankle, ankle), {"pole": [nan, 0, 0]}, status.BAD_INPUT),  # reached without it
        ((hip, hip, knee, [0, 3, 0]), {}, status.DEGENERATE),  # too far as well
        ((hip, hip, knee, [0, 0.5, 0]), {}, status.DEGENERATE),  # too close as well
        ((hip, knee, knee, [0, 3, 0]), {}, status.DEGENERATE),
        ((hip, hip, hip, [0, 3, 0]), {}, status.DEGENERATE),
        ((hip, hip, knee, [1, 0, 0]), {}, status.REACHED),  # one bone is enough for that
        ((hip, hip, hip, hip), {}, status.REACHED),
        ((hip, knee, [0, 2, 0], [0, 1, 0]), {}, status.REACHED),  # never merely a straight limb
        ((hip, knee, [0, 2, 0], [0, 1, 0]), {"pole_direction": [0, 1, 0]}, status.REACHED),  # or a pole on the line
        ((hip, knee, hip, hip), {}, status.REACHED),  # or a target on the hip
        ((hip, knee, ankle, [0, 9, 0]), {}, status.TOO_FAR),
        ((hip, knee, ankle, [0, 2.05, 0]), {"soften": 0.2}, status.TOO_FAR),  # held back by softening alone
        ((hip, knee, ankle, [0, 2.4, 0]), {"stretch": 1.2}, status.REACHED),
        ((hip, knee, [0, 3, 0], [0, 0.5, 0]), {}, status.TOO_CLOSE),
        ((hip, knee, [0, 3, 0], hip), {}, status.TOO_CLOSE),
    ]
    for points, options, expected in cases:
        for weight in (1.0, 0.3):  # of the solve at weight 1, in any case
            out = sk.solve_two_bone(*points, weight=weight, **options)
            assert out.status == expected, (points, options)
            assert np.isnan(out.error) == (expected == status.BAD_INPUT)


KERNEL = """
import sys
import numpy as np
sys.path.insert(0, sys.argv[2])
import skelkin_py as sk
from limb_problems import COMBINATIONS, calm, combined, straight
rng, found = np.random.default_rng(12), {}
for dtype in (np.float32, np.float64):
    answers = []
    for values in COMBINATIONS:
        points = [x.astype(dtype) for x in calm(rng, 40)]
        options = combined(values, rng, 40, dtype)
        whole = sk.solve_two_bone(*points, **options | {"weight": dtype(1)})
        answers.append([straight(whole, points), *sk.solve_two_bone(*points, **options)])
    for name, *arrays in zip(("straight", *sk.TwoBone._fields), *answers):
        found[f"{name} {np.dtype(dtype)}"] = np.concatenate(arrays)
np.savez(sys.argv[1], isa=sk.isa(), **found)
"""


@pytest.mark.slow
def test_all_instruction_sets_agree(tmp_path):
    """With plain C: within 5e-6 in float32 and 1e-12 in float64 (stretched out: 1e-7), of limbs about 2 long."""
    found = {}
    for isa in sk.build_info().isas:
        path = tmp_path / f"{isa}.npz"
        command = [sys.executable, "-W", "ignore", "-c", KERNEL, str(path), os.path.dirname(limb_problems.__file__)]
        subprocess.run(command, env=os.environ | {"SKELKIN_ISA": isa}, check=True, timeout=300)
        answers = read_npz(path)
        if answers.pop("isa") == isa:  # else it is above this CPU
            found[isa] = answers
    plain = found.pop("scalar")
    for isa, answers in found.items():
        for name, array in answers.items():
            field, dtype = name.split()
            bound = 5e-6 if dtype == "float32" else np.where(plain[f"straight {dtype}"], 1e-7, 1e-12)
            difference = np.abs(np.float64(array) - np.float64(plain[name])).reshape(len(array), -1).max(axis=1)
            assert (difference <= (0 if field in ("status", "straight") else bound)).all(), (
                isa,
                name,
                difference.max(),
            )
