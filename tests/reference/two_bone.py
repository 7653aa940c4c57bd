# SPDX-License-Identifier: MIT
"""Two-bone inverse kinematics in closed form, step by step.

The leg is hip `a`, knee `b`, ankle `c`; ``u = b - a`` and ``v = c - b`` are its bones, ``n`` is the direction
from the hip to the target. Without any trigonometry: the law of cosines gives the knee's place along ``n`` and
its distance ``r`` from that line; a bend side ``m`` at right angles to ``n`` says where on the circle it goes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skelkin_py import IKStatus, TwoBone

from ._algebra import (
    Floats,
    any_perpendicular,
    conjugate,
    dot,
    length,
    multiply,
    partial_turn,
    perpendicular,
    perpendicular_unit,
    quaternion_about,
    rotate,
    shortest_arc,
    smoothstep,
    unit,
)

IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])
CONE = np.sin(np.radians(15.0))  # nearer than this to the line to the target, a pole or a knee cannot tell a side
POLE_ZERO = np.sin(np.radians(5.0))  # so far from the pole's line, a pole and the side may cancel out
STRAIGHT = {np.dtype(np.float32): 1e-3, np.dtype(np.float64): 1e-6}  # sine of a knee too straight to tell its side
REACHED = {np.dtype(np.float32): 4e-6, np.dtype(np.float64): 1e-12}  # of the leg


def reach(d: Floats, l1: Floats, l2: Floats, soften: Floats, stretch: Floats, start: Floats) -> tuple[Floats, Floats]:
    """Return how far from the hip the end goes before the bones grow, and the factor by which they grow."""
    full = l1 + l2
    zone = soften * full
    beyond = np.maximum(d - (full - zone), 0.0)
    eased = full - zone - zone * np.expm1(-beyond / np.where(zone > 0, zone, 1.0))
    soft = np.where(zone > 0, np.where(beyond > 0, eased, d), np.minimum(d, full))
    least = np.minimum(soft, start * full)
    grows = (least > 0) & (d > least)
    ratio = np.where(grows, d / np.where(grows, least, 1.0), 1.0)
    factor = np.minimum(ratio, stretch)
    aim = np.where(grows & (ratio <= stretch), least, np.minimum(d / factor, soft))
    return np.maximum(aim, np.abs(l1 - l2)), factor


def triangle(distance: Floats, l1: Floats, l2: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the parts of the upper and of the lower bone along the line to the end, and the knee's distance from it.

    The law of cosines is written for the shorter bone, whose part has errors as short as it is; the knee's distance
    follows Heron's formula in factors, so that a straight or folded limb is exactly that.
    """
    short, long = np.minimum(l1, l2), np.maximum(l1, l2)
    inverse = np.where(distance > 0, 1.0 / np.where(distance > 0, distance, 1.0), 0.0)
    part = np.clip(((short - long) * (short + long) * inverse + distance) / 2, -short, short)
    full, least = short + long, long - short
    product = (full - distance) * (full + distance) * (distance - least) * (distance + least)
    r = np.where(distance > 0, np.sqrt(np.maximum(product, 0.0)) * inverse / 2, short)
    upper = np.where(l1 <= l2, part, distance - part)
    lower = np.where(l1 <= l2, distance - part, part)
    return upper, lower, r


def swing(m: Floats, start: Floats, n: Floats) -> Floats:
    """Carry `m`, at right angles to the unit vector `start`, by the smallest turn from `start` to `n`."""
    along = 1 + dot(start, n)
    share = np.where(along > 1e-15, dot(m, n) / np.where(along > 1e-15, along, 1.0), 0.0)
    return np.asarray(m - share * (start + n))


def present_side(
    u: Floats, v: Floats, line: Floats, bend: Floats | None, straight: float
) -> tuple[Floats, Floats, Floats]:
    """Return the side to which the limb bends now, how far its own knee tells that (0..1), and whether it has one."""
    normal = np.cross(v, u)
    sine = length(normal) / np.where(length(u) * length(v) > 0, length(u) * length(v), 1.0)
    own = perpendicular_unit(np.cross(normal, line), line)
    if bend is None:
        told = np.where(sine > 0.1 * straight, 1.0, 0.0)
        return np.where(told > 0, own, any_perpendicular(line)), told, told > 0
    given = perpendicular(unit(bend), line)
    usable = length(given) > 1e-6
    told = np.where(usable, smoothstep((sine / straight - 0.1) / 0.9), np.where(sine > 0.1 * straight, 1.0, 0.0))
    other = np.where(usable, unit(given), any_perpendicular(line))
    side = unit(told * own + (1 - told) * other, other)
    return perpendicular_unit(side, line), told, usable | (told > 0)


def new_side(u: Floats, n: Floats, line: Floats, side: Floats, told: Floats, pole: Floats | None) -> Floats:
    """Return the unit vector at right angles to `n` on whose side the knee goes.

    The knee goes to the point of its circle nearest to where it is, as long as that lies clearly on the side to
    which it bends now, carried along as the limb swings; else that side itself. A pole overrides both, except
    near its own line.
    """
    m = perpendicular_unit(swing(side, line, n), n)
    nearest = perpendicular(unit(u), n)
    weight = told * smoothstep(dot(nearest, m) / CONE)
    m = perpendicular_unit(weight * unit(nearest) + (1 - weight) * m, n)
    if pole is None:
        return m
    pull = perpendicular(unit(pole), n)
    weight = smoothstep(2 * length(pull) / CONE - 1)
    blend = pull + (1 - weight) * POLE_ZERO * m
    return np.where(length(blend) > 1e-9, perpendicular_unit(blend, n), m)


def rotations(
    u: Floats, v: Floats, u2: Floats, v2: Floats, old_normal: Floats, new_normal: Floats, hinge: Floats
) -> tuple[Floats, Floats]:
    """Return the total turn of the upper bone and the knee's turn `D`, from unit vectors.

    Minimal: the shortest arcs. Hinge: the upper bone's arc is followed by a turn about the bone itself that
    brings the bend plane's normal into place; the knee's turn then is about that normal by itself.
    """
    upper = shortest_arc(u, u2, old_normal)
    carried = perpendicular_unit(rotate(upper, old_normal), u2)
    about = quaternion_about(u2, dot(carried, new_normal), dot(u2, np.cross(carried, new_normal)))
    upper = np.where(hinge, multiply(about, upper), upper)
    upper = unit(upper)
    return upper, unit(shortest_arc(unit(rotate(upper, v)), v2, new_normal))


def solve_two_bone(
    a: ArrayLike,
    b: ArrayLike,
    c: ArrayLike,
    target: ArrayLike,
    *,
    pole: ArrayLike | None = None,
    pole_direction: ArrayLike | None = None,
    bend: ArrayLike | None = None,
    roll: str = "hinge",
    soften: ArrayLike = 0.0,
    stretch: ArrayLike = 1.0,
    stretch_start: ArrayLike = 1.0,
    twist: ArrayLike = 0.0,
    weight: ArrayLike = 1.0,
    dtype: Any = np.float64,
) -> TwoBone:
    """Bring the end of two bones to a target.

    Parameters
    ----------
    a, b, c, target : array_like (..., 3)
        Hip, knee, ankle and where the ankle should go, in one space.
    pole, pole_direction, bend : array_like (..., 3), optional
        A point or a direction towards which the knee goes; the side for a straight limb.
    roll : {"hinge", "minimal"}
        Whether the upper bone carries the bend plane or turns as little as it can.
    soften, stretch, stretch_start, twist, weight : array_like (...)
        As in `skelkin_py.solve_two_bone`.
    dtype : dtype
        The precision whose thresholds are used and to which results are rounded; float64 inside in any case.

    Returns
    -------
    TwoBone
        Arrays with the broadcast leading dimensions.
    """
    dtype = np.dtype(dtype)
    guide = pole if pole is not None else pole_direction
    vectors = [np.asarray(x, dtype=np.float64) for x in (a, b, c, target)]
    guides = [None if x is None else np.asarray(x, dtype=np.float64) for x in (guide, bend)]
    numbers = [np.asarray(x, dtype=np.float64) for x in (soften, stretch, stretch_start, twist, weight)]
    present = [x for x in guides if x is not None]
    shape = np.broadcast_shapes(*(x.shape[:-1] for x in [*vectors, *present]), *(x.shape for x in numbers))
    vectors = [np.broadcast_to(x, (*shape, 3)) for x in vectors]
    guides = [None if x is None else np.broadcast_to(x, (*shape, 3)) for x in guides]
    columns = [np.broadcast_to(x, shape)[..., None] for x in numbers]

    bad = ~np.all([np.isfinite(x).all(axis=-1) for x in [*vectors, *(g for g in guides if g is not None)]], axis=0)
    bad = bad[..., None]
    given = vectors
    vectors = [np.where(bad, 0.0, x) for x in vectors]
    guides = [None if x is None else np.where(bad, 0.0, x) for x in guides]
    a_, b_, c_, t_ = vectors
    u, v, d = b_ - a_, c_ - b_, t_ - a_
    size = np.max(np.abs(np.concatenate([u, v, d], axis=-1)), axis=-1, keepdims=True)
    size = np.where(size > 1e-300, size, 1.0)  # everything inside is about 1, so that no square over- or underflows
    poles = guides[0]
    if poles is not None and pole is not None:
        poles = poles - a_
    turn, knee, factor, distance = _solve(u / size, v / size, d / size, poles, guides[1], roll, columns, dtype)

    status, goal = np.zeros(shape, np.uint8)[..., None], t_
    whole = a_ + factor * rotate(turn, u) + factor * rotate(multiply(knee, turn), v)
    leg = length(u / size) * size + length(v / size) * size
    largest = np.max(np.abs(np.concatenate(vectors, axis=-1)), axis=-1, keepdims=True)
    allowed = REACHED[dtype] * leg + 2 * np.spacing(largest.astype(dtype)).astype(np.float64)
    residual = length((whole.astype(dtype) - goal) / size) * size
    far = length(d / size) > distance
    status = np.where(far, IKStatus.TOO_FAR, IKStatus.TOO_CLOSE)
    status = np.where((length(u) == 0) | (length(v) == 0), IKStatus.DEGENERATE, status)
    status = np.where(residual <= allowed, IKStatus.REACHED, status)
    status = np.where(bad, IKStatus.BAD_INPUT, status)

    part = columns[4]
    turn = np.where(part == 1, turn, np.where(part == 0, IDENTITY, partial_turn(turn, part)))
    knee = np.where(part == 1, knee, np.where(part == 0, IDENTITY, partial_turn(knee, part)))
    factor = np.where(bad, 1.0, 1 + (factor - 1) * part)
    lower = np.where(bad, IDENTITY, multiply(knee, turn))
    turn = np.where(bad, IDENTITY, turn)
    still = bad | (part == 0)
    new_b = np.where(still, given[1], a_ + factor * rotate(turn, u)).astype(dtype)
    new_c = a_ + factor * rotate(turn, u) + factor * rotate(lower, v)
    new_c = np.where(still, given[2], new_c).astype(dtype)
    error = np.where(bad, np.nan, length((np.where(bad, 0.0, new_c) - goal) / size) * size)
    turn, lower = (np.where(q[..., :1] < 0, -q, q) for q in (turn, lower))
    return TwoBone(
        new_b, new_c, turn.astype(dtype), lower.astype(dtype), status[..., 0].astype(np.uint8),
        error[..., 0].astype(dtype), factor[..., 0].astype(dtype),
    )  # fmt: skip


def _solve(
    u: Floats, v: Floats, d: Floats, pole: Floats | None, bend: Floats | None, roll: str, columns: Any, dtype: Any
) -> tuple[Floats, Floats, Floats, Floats]:  # fmt: skip
    """Return the turn of the upper bone, the turn of the knee, the factor of the lengths and the distance aimed at."""
    soften, stretch, start, twist, _ = columns
    l1, l2 = length(u), length(v)
    anything = np.broadcast_to(np.array([1.0, 0.0, 0.0]), u.shape)
    along = unit(u, unit(v, unit(d, anything)))
    line = np.where(length(u + v) > 1e-12 * (l1 + l2), unit(u + v), along)  # folded up: rounding has no direction
    n = np.where(length(d) > 1e-14 * (l1 + l2), unit(d), line)
    distance, factor = reach(length(d), l1, l2, soften, stretch, start)
    x, y, r = triangle(distance, l1, l2)

    side, told, plane = present_side(u, v, line, bend, STRAIGHT[dtype])
    m = new_side(along, n, line, side, told, pole)
    u2, v2 = unit(x * n + r * m), unit(y * n - r * m)
    u1, v1 = along, unit(v, along)
    u2 = np.where(l1 > 0, u2, np.where(l2 > 0, v2, n))  # a bone of length 0 goes with the other
    v2 = np.where(l2 > 0, v2, u2)
    old_normal = perpendicular_unit(np.cross(line, side), u1)
    new_normal = perpendicular_unit(np.cross(n, m), u2)
    hinge = plane & (roll == "hinge")
    upper, knee = rotations(u1, v1, u2, v2, old_normal, new_normal, hinge)
    about = np.concatenate([np.cos(twist / 2), np.sin(twist / 2) * n], axis=-1)
    return multiply(about, upper), multiply(multiply(about, knee), conjugate(about)), factor, distance * factor
