# SPDX-License-Identifier: MIT
"""The rotations of legs and arms, by the plane in which the knee or elbow bends."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..._support.array_types import Floats

# The second extent of a shape as a part of its largest: up to the first value the shape is on a line, which does not
# determine the rotation about it; from the second on it does.
_ON_A_LINE, _IN_A_PLANE = 0.02, 0.08
_CARRIED = 0.05  # weight of the inherited rotation against a shape on a line, relative to its extent
_ROUNDS = 3  # of turning shapes to their mean and taking the mean of the turned shapes
_NOWHERE = 0.1  # of a bone: a shorter mean has no direction
_CLEAR, _CERTAIN = np.sin(
    np.deg2rad([4.0, 20.0])
)  # sine of a bend: its plane counts from the first, fully at the second
_SURE = 1e6  # largest weight of a plane against its change between frames
_FAINT = 1e-6  # weight of the usual plane
_PAST_STRAIGHT = np.sin(np.deg2rad(30.0))  # a leg that bends less than this to the wrong side is beyond straight
_LEAST_BEND = np.deg2rad(5.0)  # of the rest pose, so that it shows to which side the joint bends
_OFTEN = 0.1  # quantile of the bends that the rest pose gets


def smoothstep(x: Floats | float, low: float, high: float) -> Floats:
    """Return 0 up to `low`, 1 from `high` on, and a smooth rise between them."""
    t = np.clip((np.asarray(x) - low) / (high - low), 0.0, 1.0)
    return np.asarray(t * t * (3.0 - 2.0 * t))


def units(vectors: Floats) -> Floats:
    """Return vectors (..., 3) with length 1; those of no length as they are."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0.0, lengths, 1.0))


def turned_back(turns: Floats, vectors: Floats) -> Floats:
    """Return vectors (F, ..., 3) in the axes (F, 3, 3)."""
    return np.asarray(np.einsum("fij,f...i->f...j", turns, vectors))


def shortest_turns(start: Floats, end: Floats) -> Floats:
    """Return the least rotations (F, 3, 3) that turn the directions `start` into `end`, (F, 3) each."""
    a, b = units(np.broadcast_to(start, end.shape)), units(end)
    normal, cosine = np.cross(a, b), np.einsum("fi,fi->f", a, b)
    out = np.zeros((len(end), 3, 3))
    out[:, range(3), range(3)] = cosine[:, None]
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        out[:, j, i], out[:, i, j] = normal[:, k], -normal[:, k]
    opposite = cosine < -1.0 + 1e-12
    out += np.einsum("fi,fj->fij", normal, normal) / np.where(opposite, 1.0, 1.0 + cosine)[:, None, None]
    for f in np.flatnonzero(opposite):
        axis = np.cross(a[f], np.eye(3)[int(np.argmin(np.abs(a[f])))])
        axis /= np.linalg.norm(axis)
        out[f] = 2.0 * np.outer(axis, axis) - np.eye(3)
    out[~(np.abs(a).any(axis=1) & np.abs(b).any(axis=1))] = np.eye(3)
    return out


def mean_shape(carried: Floats, now: Floats) -> Floats:
    """Return the mean positions (n, 3) of children (F, n, 3) in their parents' axes, at their median distances."""
    local = turned_back(carried, now)
    lengths = np.median(np.linalg.norm(local, axis=-1), axis=0)
    mean = local.mean(axis=0)
    if (np.linalg.norm(mean, axis=-1) < _NOWHERE * lengths).any():
        mean = local[0]
    return np.asarray(units(mean) * lengths[:, None])


def least_turns(carried: Floats, offset: Floats, now: Floats) -> Floats:
    """Return the parents' rotations (F, 3, 3), with the least turn that takes `offset` (3,) to `now` (F, 3)."""
    before = np.einsum("fij,j->fi", carried, offset)
    return np.asarray(shortest_turns(before, now) @ carried)


def shape_turns(carried: Floats, now: Floats, shape: Floats) -> tuple[Floats, Floats, bool]:
    """Return the rotations (F, 3, 3) of children (F, n, 3), their mean shape (n, 3), and whether it determines these.

    Children on a line do not determine the rotation about it, which then follows the parents, `carried`. The mean has
    the orientation of `shape`.
    """
    turns, determined = _best_turns(shape, now, carried)
    for _ in range(_ROUNDS):
        shape = mean_shape(turns, now)
        turns, determined = _best_turns(shape, now, carried)
    return turns, shape, determined


def _best_turns(shape: Floats, now: Floats, carried: Floats) -> tuple[Floats, bool]:
    extents = np.linalg.svd(shape, compute_uv=False)
    extents_now = np.linalg.svd(now, compute_uv=False)
    if not extents[0] > 0.0:
        return np.array(carried), False
    spread = np.minimum(extents[1] / extents[0], extents_now[:, 1] / np.maximum(extents_now[:, 0], 1e-300))
    doubt = 1.0 - smoothstep(spread, _ON_A_LINE, _IN_A_PLANE)
    line = np.linalg.svd(shape, full_matrices=False)[2][0]
    line *= 1.0 if float((shape @ line).sum()) >= 0.0 else -1.0
    weights = shape @ line
    near = least_turns(carried, line, np.einsum("n,fni->fi", weights, now))
    size = (_CARRIED * extents[0]) ** 2 * doubt
    left, _, right = np.linalg.svd(np.einsum("fni,nj->fij", now, shape) + size[:, None, None] * near)
    left[:, :, 2] *= np.sign(np.linalg.det(left) * np.linalg.det(right))[:, None]
    return left @ right, bool(extents[1] > _IN_A_PLANE * extents[0])


class Limb(NamedTuple):
    """A leg or an arm: its joints from hip or shoulder to ankle or wrist, and the index of the knee or elbow."""

    joints: tuple[int, ...]
    middle: int
    is_leg: bool


class LimbTurns(NamedTuple):
    """The rotations (F, n, 3, 3) of all joints of a limb but the last, and the rest offsets (n, 3) of their bones."""

    turns: Floats
    offsets: Floats


def limb_turns(limb: Limb, places: Floats, carried: Floats, up: Floats, left: Floats) -> LimbTurns:
    """Return the rotations of a limb in every frame, and the offsets of its bones at rest.

    Parameters
    ----------
    limb : Limb
        The limb, n + 1 joints.
    places : (F, n + 1, 3) float64 array
        Positions of its joints.
    carried : (F, 3, 3) float64 array
        Rotations of the joint above.
    up, left : (3,) float64 arrays
        The axes of the body in its rest pose.

    Returns
    -------
    LimbTurns
        Where the limb is straight, its plane is that of the frames around, relative to the joint above.
    """
    first, middle, last = (places[:, k] for k in (0, limb.middle, -1))
    upper, lower = units(middle - first), units(last - middle)
    down = -up if limb.is_leg else units(mean_shape(carried, (middle - first)[:, None])[0])
    across = shortest_turns(-up, down[None])[0] @ left
    swing = shortest_turns(down, turned_back(carried, upper))
    normals, trust = _normals(limb, upper, lower, np.einsum("fij,fjk,k->fi", carried, swing, across))
    twist = _mean_twist(normals, np.einsum("fij,fjk,k->fi", carried, swing, across), upper)
    axis = np.cos(twist) * across + np.sin(twist) * np.cross(down, across)
    bend = float(np.quantile(_bends(upper, lower), _OFTEN))
    bend = trust * max(bend, _LEAST_BEND)
    lengths = np.median(np.linalg.norm(np.diff(places, axis=1), axis=-1), axis=0)
    part = lengths[limb.middle :].sum() / max(lengths.sum(), 1e-300)
    rest = np.empty((2, 3))
    for k, angle in enumerate((-bend * part, bend * (1.0 - part))):
        rest[k] = np.cos(angle) * down + np.sin(angle) * np.cross(axis, down)
    turns, offsets = np.empty((len(places), len(lengths), 3, 3)), np.empty((len(lengths), 3))
    for k, length in enumerate(lengths):
        direction = rest[int(k >= limb.middle)]
        offsets[k] = length * direction
        bone = places[:, k + 1] - places[:, k]
        whole = upper if k < limb.middle else lower
        near = np.where(np.linalg.norm(bone, axis=1, keepdims=True) > 0.1 * length, units(bone), whole)
        near = near if length > 0.02 * lengths.sum() else whole
        turns[:, k] = _axes(near, normals) @ _axes(direction[None], axis[None])[0].T
    return LimbTurns(turns, offsets)


def _axes(along: Floats, normal: Floats) -> Floats:
    """Return matrices (F, 3, 3) with columns: the direction, the normal made perpendicular to it, and their product."""
    square = units(normal - np.einsum("fi,fi->f", along, normal)[:, None] * along)
    return np.stack([along, square, np.cross(along, square)], axis=-1)


def _bends(upper: Floats, lower: Floats) -> Floats:
    sine = np.linalg.norm(np.cross(upper, lower), axis=1)
    return np.asarray(np.arctan2(sine, np.einsum("fi,fi->f", upper, lower)))


def _normals(limb: Limb, upper: Floats, lower: Floats, usual: Floats) -> tuple[Floats, float]:
    """Return the normals (F, 3) of the planes of bend, perpendicular to the upper bone, and their certainty, 0 to 1.

    Where the limb is straight, the plane's angle to the `usual` one, which only swings with the upper bone, changes as
    little as possible.
    """
    cross = np.cross(upper, lower)
    sine = np.linalg.norm(cross, axis=1)
    third = np.cross(upper, usual)
    x, y = np.einsum("fi,fi->f", cross, usual), np.einsum("fi,fi->f", cross, third)
    clarity = smoothstep(sine, float(_CLEAR), float(_CERTAIN))
    mean = complex(np.sum(clarity * x), np.sum(clarity * y))
    total = float(np.sum(clarity * sine))
    if limb.is_leg and total > 0.0:
        # A leg that bends a little to the other side is beyond straight, and has not turned over.
        over = (x * mean.real + y * mean.imag < 0.0) & (sine < _PAST_STRAIGHT)
        x, y = np.where(over, -x, x), np.where(over, -y, y)
    about = np.angle(mean) if abs(mean) > 1e-9 * max(total, 1e-300) and total > 0.0 else 0.0
    angles = np.angle((x + 1j * y) * np.exp(-1j * about))
    weights = clarity / (1.0 - clarity + 1.0 / _SURE)
    angles = about + _least_change(angles, weights)
    normals = np.cos(angles)[:, None] * usual + np.sin(angles)[:, None] * third
    return normals, float(smoothstep(total, 0.0, float(_CERTAIN)))


def _least_change(angles: Floats, weights: Floats) -> Floats:
    """Return the angles that minimise change between frames plus weighted distance from the given ones."""
    num = len(angles)
    diagonal = weights + _FAINT + 2.0
    diagonal[0] -= 1.0
    diagonal[-1] -= 1.0
    d, r = diagonal.tolist(), (weights * angles).tolist()
    for f in range(1, num):
        part = 1.0 / d[f - 1]
        d[f] -= part
        r[f] += part * r[f - 1]
    r[-1] /= d[-1]
    for f in range(num - 2, -1, -1):
        r[f] = (r[f] + r[f + 1]) / d[f]
    return np.array(r)


def _mean_twist(normals: Floats, usual: Floats, upper: Floats) -> float:
    """Return the mean angle from the usual normals to these."""
    x = np.einsum("fi,fi->f", normals, usual).sum()
    y = np.einsum("fi,fi->f", normals, np.cross(upper, usual)).sum()
    return float(np.arctan2(y, x)) if abs(complex(x, y)) > 1e-9 * len(normals) else 0.0
