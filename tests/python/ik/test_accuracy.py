# SPDX-License-Identifier: MIT
"""`solve_two_bone` over random problems with all hard corners: a part of what `make sweep` goes through."""

from __future__ import annotations

import limb_problems
import numpy as np
import pytest
from limb_problems import norm

import skelkin_py as sk

DTYPES = (np.float32, np.float64)


@pytest.mark.slow
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_answer_is_as_near_as_the_limb_can_get(dtype):
    complaint, _ = limb_problems.sweep(5, 200_000, dtype)
    assert complaint == ""


def test_the_problems_have_all_hard_corners():
    a, b, c, t, pole, _ = limb_problems.problems(np.random.default_rng(5), 20_000)
    l1, l2, d = norm(b - a), norm(c - b), norm(t - a)
    leg, ratio, far = l1 + l2, l1 / l2, norm(a)
    sine = norm(np.cross(b - a, c - b)) / (l1 * l2)
    off_line = norm(np.cross(t - a, pole - a)) / np.maximum(norm(t - a) * norm(pole - a), 1e-300)
    corners = {
        "the knee's bone far shorter": ratio < 1e-5,
        "the ankle's bone far shorter": ratio > 1e5,
        "bones of one length": l1 == l2,
        "bones of one length, target on the hip": (np.abs(ratio - 1) < 1e-14) & (d <= 1e-15 * leg),
        "bones of one length, target near the hip": (np.abs(ratio - 1) < 1e-14) & (d > 0) & (d < 1e-6 * leg),
        "just inside the reach": (d < leg) & (d > (1 - 1e-6) * leg),
        "just beyond the reach": (d > leg) & (d < (1 + 1e-6) * leg),
        "just too close": (d < np.abs(l1 - l2)) & (d > np.abs(l1 - l2) - 1e-6 * leg),
        "just not too close": (d > np.abs(l1 - l2)) & (d < np.abs(l1 - l2) + 1e-6 * leg),
        "far beyond the reach": d > 10 * leg,
        "straight or folded": sine < 1e-15,
        "nearly so": (sine > 1e-15) & (sine < 1e-6),
        "pole on the line": (off_line < 1e-12) & (d > 0),
        "pole near the line": (off_line > 1e-12) & (off_line < 1e-3),
        "tiny": leg < 1e-5,
        "huge": leg > 1e5,
        "far from the origin": far > 100 * leg,
    }
    assert {what: int(rows.sum()) for what, rows in corners.items() if rows.sum() < 50} == {}


def worsened(change):
    """The solver with a fault."""
    honest = sk.solve_two_bone

    def solve(*arguments, **options):
        result = honest(*arguments, **options)
        return result._replace(**change(result, *arguments))

    return solve


FAULTS = {
    "misses by 3e-13 of the leg": (
        lambda r, a, b, c, t: {"c": r.c + 3e-13 * (norm(b - a) + norm(c - b))[:, None] * [0.6, 0, 0.8]},
        "misses by more than the limb has to",
    ),
    "calls everything reached": (lambda r, *_: {"status": 0 * r.status}, "reached, and misses"),
    "measures no error": (lambda r, *_: {"error": 0 * r.error}, "error is not what is measured"),
    "turns the upper bone about itself": (
        lambda r, a, b, c, t: {"upper": limb_problems.multiply(about(r.b - a), r.upper)},
        "the knee turns about more than the plane's normal",
    ),
    "leaves the lower bone": (lambda r, *_: {"lower": r.upper}, "lower does not take the bone along"),
    "lengthens the upper bone": (
        lambda r, a, b, c, t: {"b": r.b + 1e-9 * (r.b - a)},
        "the upper bone changes its length",
    ),
}


def about(axis):
    """A turn of a hundredth about each axis."""
    size = np.maximum(norm(axis), 1e-300)
    return np.concatenate([np.full((len(axis), 1), np.cos(0.005)), np.sin(0.005) * axis / size[:, None]], 1)


@pytest.mark.parametrize("fault", FAULTS)
def test_the_sweep_notices_a_solver_that(monkeypatch, fault):
    change, words = FAULTS[fault]
    problem = limb_problems.problems(np.random.default_rng(5), 4000)
    assert limb_problems.complaints(problem, {})[0] == {}
    monkeypatch.setattr(sk, "solve_two_bone", worsened(change))
    assert words in limb_problems.complaints(problem, {})[0]
