# SPDX-License-Identifier: MIT
"""Random two-bone problems of which the hard corners are a good part, and what every answer has to fulfil.

Nothing here uses the library's own formulas: what the limb can reach follows from the triangle inequality, and
rotations are applied through the sandwich product.
"""

from __future__ import annotations

import itertools

import numpy as np

import skelkin_py as sk

REACHED = {np.dtype(np.float32): 4e-6, np.dtype(np.float64): 1e-12}  # of the leg: what counts as reached
ACCURATE = {np.dtype(np.float32): 2e-6, np.dtype(np.float64): 1e-13}  # of the leg: what a reached solve may miss by
TURNED = {np.dtype(np.float32): 1e-6, np.dtype(np.float64): 8e-15}  # of a bone: what its quaternion may miss by
STRAIGHT = {np.dtype(np.float32): 1e-3, np.dtype(np.float64): 1e-6}  # sine of a knee that tells its plane


def dot(u, v):
    return np.einsum("ij,ij->i", u, v)


def norm(v):
    return np.sqrt(dot(v, v))


def rotate(q, v):
    """Turn vectors by quaternions of length 1 through the sandwich product."""
    w, x = q[:, :1], q[:, 1:]
    return 2 * dot(x, v)[:, None] * x + (w * w - dot(x, x)[:, None]) * v + 2 * w * cross(x, v)


def cross(u, v):
    """Cross product by rows; numpy's own is several times slower."""
    x = u[:, [1, 2, 0]] * v[:, [2, 0, 1]]
    return x - u[:, [2, 0, 1]] * v[:, [1, 2, 0]]


def across(v, n):
    """The direction of `v` at right angles to the directions `n`."""
    off = v - dot(v, n)[:, None] * n
    return off / np.maximum(norm(off)[:, None], 1e-300)


def multiply(p, q):
    w = p[:, :1] * q[:, :1] - dot(p[:, 1:], q[:, 1:])[:, None]
    return np.concatenate([w, p[:, :1] * q[:, 1:] + q[:, :1] * p[:, 1:] + cross(p[:, 1:], q[:, 1:])], 1)


def directions(rng, count):
    v = rng.standard_normal((count, 3))
    return v / norm(v)[:, None]


def tiny(rng, count, least=-16.0, most=-1.0):
    """Numbers of every order of magnitude from 10^least to 10^most, (count, 1)."""
    return np.exp(rng.uniform(least * np.log(10), most * np.log(10), (count, 1)))


def pick(rng, count, *choices):
    """One of the choices for each row, each about as often."""
    which = rng.integers(0, len(choices), (count, 1))
    return np.select([which == i for i in range(len(choices))], list(choices))


def problems(rng, count, dtype=np.float64):
    """Return a, b, c, target, pole, bend, rounded to `dtype`.

    Bones: of the very same length (to the bit, as one is the other with its coordinates exchanged), of about the
    same, or with ratios up to 1e6 either way. Knees: any, straight, folded, nearly so. Targets: inside the reach,
    at both of its boundaries, on and near the hip, far off; in any direction, along the limb, opposite to it, on the
    ankle. Poles: near and far, on and near the line to the target, on the hip. Scales from 1e-6 to 1e6, and hips on
    the origin or up to a thousand legs away.
    """
    u, n = directions(rng, count), directions(rng, count)
    wild = directions(rng, count)
    near = u + tiny(rng, count) * wild
    v = pick(rng, count, wild, wild, u, -u, near, -near)
    one = np.ones((count, 1))
    ratio = pick(rng, count, one, one, tiny(rng, count, -6, 6), tiny(rng, count, -0.5, 0.5), 1 + tiny(rng, count))
    v *= ratio / norm(v)[:, None]
    same = rng.random((count, 1)) < 0.15
    v = np.where(same, np.roll(u, 1, axis=1) * [1.0, -1.0, 1.0], v)

    ankle = u + v
    leg = (norm(u) + norm(v))[:, None]
    full, least = leg, np.abs(norm(u) - norm(v))[:, None]
    sign = np.where(rng.random((count, 1)) < 0.5, -1.0, 1.0)
    inside = least + (full - least) * rng.random((count, 1))
    little = leg * tiny(rng, count)
    distance = pick(
        rng, count, inside, inside, full + sign * little, least + sign * little, little, 0 * one, full, least,
        leg * tiny(rng, count, 0.0, 2.0), norm(ankle)[:, None],
    )  # fmt: skip
    along = ankle / np.maximum(norm(ankle)[:, None], 1e-30)
    n = pick(rng, count, n, n, u, -u, along, -along, along + tiny(rng, count) * n, -along + tiny(rng, count) * n)
    n /= np.maximum(norm(n)[:, None], 1e-30)
    target = distance * n
    target = np.where(rng.random((count, 1)) < 0.03, ankle, target)
    pole = pick(rng, count, 3 * wild, wild * tiny(rng, count), n, -n, n + tiny(rng, count) * wild, 0 * n, target, u)

    scale = np.exp(rng.uniform(-6 * np.log(10), 6 * np.log(10), (count, 1))) / leg
    away = pick(rng, count, 0 * one, 0 * one, one, tiny(rng, count, -1.0, 3.0)) * leg
    hip = away * directions(rng, count)
    points = [scale * (hip + x) for x in (0.0, u, ankle, target, leg * pole)]
    return [x.astype(dtype) for x in (*points, wild + n)]


def spacing_of(points, dtype):
    """2 ulp of the largest coordinate of each row."""
    largest = np.abs(points[0]).max(axis=1)
    for x in points[1:]:
        np.maximum(largest, np.abs(x).max(axis=1), out=largest)
    return 2 * np.spacing(largest.astype(dtype)).astype(np.float64)


def complaints(problem, options):
    """Solve and return {what is wrong: the rows}, empty when everything holds; and the worst figures."""
    given, dtype = problem[:4], problem[0].dtype
    out = sk.solve_two_bone(*given, **options)
    a, b, c, t, b2, c2, upper, lower = (np.float64(x) for x in (*given, out.b, out.c, out.upper, out.lower))
    ulps = spacing_of(given, dtype)
    u, v, u2, v2, d = b - a, c - b, b2 - a, c2 - b2, norm(t - a)
    l1, l2 = norm(u), norm(v)
    leg = l1 + l2
    beyond = np.maximum(d - leg, 0) + np.maximum(np.abs(l1 - l2) - d, 0)  # what no limb can do anything about
    measured = norm(c2 - t)
    reached = out.status == sk.IKStatus.REACHED
    limit = REACHED[dtype] * leg + ulps
    accurate = ACCURATE[dtype] * leg + ulps
    turned = TURNED[dtype]
    both = 2 * spacing_of((*given, out.b, out.c), dtype)  # a bone lies between two points, each of which was rounded
    upper_miss = norm(rotate(upper, u) - u2) - both
    lower_miss = norm(rotate(lower, v) - v2) - both
    degenerate = (l1 == 0) | (l2 == 0)
    knee = multiply(lower, upper * [1, -1, -1, -1])
    told = norm(cross(u, v)) > 1.01 * STRAIGHT[dtype] * l1 * l2
    leaning = np.abs(dot(knee[:, 1:], rotate(upper, u))) / np.maximum(l1, 1e-300)
    leaning = np.where(told & ~degenerate, leaning, 0)
    far = d > leg
    wrong = {
        "misses by more than the limb has to": np.abs(measured - beyond) > accurate,
        "reached, and misses": reached & (measured > limit),
        "hits, and is not called reached": ~reached & (measured <= limit),
        "in reach, and not reached": ~reached & (beyond == 0) & ~degenerate,
        "status of the wrong side": ~reached & ~degenerate & (out.status != np.where(far, 1, 2)),
        "error is not what is measured": np.abs(out.error - measured) > 1e-5 * measured + 1e-300,
        "upper does not take the bone along": upper_miss > turned * l1,
        "lower does not take the bone along": lower_miss > turned * l2,
        "the upper bone changes its length": np.abs(norm(u2) - l1) > turned * l1 + both,
        "the lower bone changes its length": np.abs(norm(v2) - l2) > turned * l2 + both,
        "quaternions are not of length 1": np.abs(norm(upper) - 1) + np.abs(norm(lower) - 1) > turned,
        "something is not a number": ~np.isfinite(measured + norm(upper) + norm(lower) + norm(b2)),
    }
    if options.get("roll") == "minimal":
        leaning *= 0
    wrong["the knee turns about more than the plane's normal"] = leaning > 4 * turned
    worst = {
        "miss": float(((np.abs(measured - beyond) - ulps) / leg).max()),
        "turn": float(max((upper_miss / np.maximum(l1, 1e-300)).max(), (lower_miss / np.maximum(l2, 1e-300)).max())),
        "lean": float(leaning.max()),
    }
    return {what: np.flatnonzero(rows) for what, rows in wrong.items() if rows.any()}, worst


CHOICES = {
    "roll": ("hinge", "minimal"),
    "guide": (None, "bend", "pole", "pole_direction"),
    "soften": (0.0, 0.15),
    "stretch": (1.0, 1.25),
    "twist": (0.0, 0.8),
    "weight": (1.0, 0.6),
}
COMBINATIONS = list(itertools.product(*CHOICES.values()))


def combined(values, rng, count, dtype=np.float64):
    """The options of one combination, with random guides."""
    options = dict(zip(CHOICES, values, strict=True))
    guide = options.pop("guide")
    typed = {k: v if isinstance(v, str) else dtype(v) for k, v in options.items()}
    return typed | ({guide: rng.normal(size=(count, 3)).astype(dtype)} if guide else {})


def calm(rng, count, far=1.2):
    """Limbs bent by 20 degrees and more with targets that keep off the exact opposite of the ankle: no answer hangs
    on the last digits."""
    u = directions(rng, count)
    angle = np.radians(rng.uniform(20, 160, count))[:, None]
    v = (np.cos(angle) * u + np.sin(angle) * across(directions(rng, count), u)) * rng.uniform(0.4, 2.5, (count, 1))
    line = (u + v) / norm(u + v)[:, None]
    n = directions(rng, count)
    n = np.where((dot(n, line) < -0.9)[:, None], -n, n)
    l2 = norm(v)
    d = np.abs(1 - l2) + (far * (1 + l2) - np.abs(1 - l2)) * rng.uniform(0.1, 1.0, count)
    d = np.where(np.abs(d / (1 + l2) - 1) < 0.02, 0.9 * d, d)  # a square root lies at the reach
    a = rng.normal(size=(count, 3))
    return a, a + u, a + u + v, a + d[:, None] * n


def straight(result, points):
    """Where a limb is stretched out: the knee then is off the line by the root of what was rounded away."""
    a, b, c, _ = (np.float64(x) for x in points)
    return norm(result.c - a) > 0.999 * result.stretch * (norm(b - a) + norm(c - b))


def off(x, y):
    """How far quaternions of either sign are from each other."""
    return np.minimum(norm(x - y), norm(x + y))


def bent_limbs(rng, count, ratio):
    """Hips on the origin, knees bent by 10 degrees and more; the lower bone `ratio` times as long as the upper one."""
    u = directions(rng, count)
    angle = np.radians(rng.uniform(10, 170, count))[:, None]
    v = np.cos(angle) * u + np.sin(angle) * across(directions(rng, count), u)
    v *= np.reshape(ratio, (-1, 1))
    return 0 * u, u, u + v, norm(u) + norm(v)


WAYS = ((), ("roll",), ("bend",), ("pole",), ("pole", "roll"), ("pole_direction", "bend"))


def options_of(way, problem):
    values = {"roll": "minimal", "pole": problem[4], "pole_direction": problem[4], "bend": problem[5]}
    return {name: values[name] for name in way}


def sweep(seed, count, dtype, piece=8192):
    """Go through `count` problems in every way in turn; return the first complaint in words, and the worst figures."""
    worst = {}
    for number, start in enumerate(range(0, count, piece)):
        rng = np.random.default_rng([seed, number])
        problem = problems(rng, min(piece, count - start), dtype)
        way = WAYS[number % len(WAYS)]
        options = options_of(way, problem)
        found, figures = complaints(problem, options)
        for what, value in figures.items():
            worst[what] = max(value, worst.get(what, 0.0))
        for what, rows in found.items():
            i = rows[0]
            numbers = ", ".join(f"{name}={x[i].tolist()}" for name, x in zip("abct", problem[:4], strict=False))
            extra = ", ".join(f"{k}={v if isinstance(v, str) else v[i].tolist()}" for k, v in options.items())
            return (
                f"{what}: {len(rows)} of {len(problem[0])}, first {np.dtype(dtype).name} {numbers}, {extra} "
                f"(isa {sk.isa()}, seed {seed}, piece {number}, row {i})"
            ), worst
    return "", worst
