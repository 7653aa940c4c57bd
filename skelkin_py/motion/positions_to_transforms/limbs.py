# SPDX-License-Identifier: MIT
"""How the bones of legs and arms are turned: with the plane in which their knee or elbow bends."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .turns import mean_shape, shortest_turns, smoothstep, turned_back, units

FloatArray = NDArray[np.float64]

_TELLS, _TELLS_ALL = np.sin(np.deg2rad([4.0, 20.0]))  # sine of a bend: from the first on its plane counts
_SURE = 1e6  # what a plane counts at most beside one frame's change of it
_FAINT = 1e-6  # and what the usual plane does
_PAST_STRAIGHT = np.sin(np.deg2rad(30.0))  # a leg that bends less, and the wrong way, is beyond straight
_LEAST_BEND = np.deg2rad(5.0)  # of the rest pose, so that it shows to which side the joint bends
_OFTEN = 0.1  # the quantile of bends that the rest pose has


class Limb(NamedTuple):
    """A leg or an arm: its joints from hip or shoulder to ankle or wrist, and which of them is the knee or elbow."""

    joints: tuple[int, ...]
    middle: int
    is_leg: bool


class LimbTurns(NamedTuple):
    """How the bones of a limb are turned, all but its last joint (F, n, 3, 3), and their offsets (n, 3) at rest."""

    turns: FloatArray
    offsets: FloatArray


def limb_turns(limb: Limb, places: FloatArray, carried: FloatArray, up: FloatArray, left: FloatArray) -> LimbTurns:
    """Return how the bones of a limb are turned in every frame, and where its joints are at rest.

    Parameters
    ----------
    limb : Limb
        Which joints they are, n + 1 of them.
    places : (F, n + 1, 3) float64 array
        Where they are.
    carried : (F, 3, 3) float64 array
        How the joint above is turned.
    up, left : (3,) float64 arrays
        Of the body in its rest pose.

    Returns
    -------
    LimbTurns
        Where the limb is straight its plane is that of the frames around, carried by the joint above.
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


def _axes(along: FloatArray, normal: FloatArray) -> FloatArray:
    """Return matrices (F, 3, 3) whose columns are the direction, what of the normal is square to it, and the third."""
    square = units(normal - np.einsum("fi,fi->f", along, normal)[:, None] * along)
    return np.stack([along, square, np.cross(along, square)], axis=-1)


def _bends(upper: FloatArray, lower: FloatArray) -> FloatArray:
    sine = np.linalg.norm(np.cross(upper, lower), axis=1)
    return np.asarray(np.arctan2(sine, np.einsum("fi,fi->f", upper, lower)))


def _normals(limb: Limb, upper: FloatArray, lower: FloatArray, usual: FloatArray) -> tuple[FloatArray, float]:
    """Return the normals (F, 3) of the planes of bend, square to the upper bone, and how sure they are, 0 to 1.

    The plane's angle to the `usual` one, which only swings with the upper bone, changes as little as can be where the
    limb is straight.
    """
    cross = np.cross(upper, lower)
    sine = np.linalg.norm(cross, axis=1)
    third = np.cross(upper, usual)
    x, y = np.einsum("fi,fi->f", cross, usual), np.einsum("fi,fi->f", cross, third)
    told = smoothstep(sine, float(_TELLS), float(_TELLS_ALL))
    mean = complex(np.sum(told * x), np.sum(told * y))
    total = float(np.sum(told * sine))
    if limb.is_leg and total > 0.0:
        # A leg that bends a little to the other side is beyond straight, and has not turned over.
        over = (x * mean.real + y * mean.imag < 0.0) & (sine < _PAST_STRAIGHT)
        x, y = np.where(over, -x, x), np.where(over, -y, y)
    about = np.angle(mean) if abs(mean) > 1e-9 * max(total, 1e-300) and total > 0.0 else 0.0
    angles = np.angle((x + 1j * y) * np.exp(-1j * about))
    weights = told / (1.0 - told + 1.0 / _SURE)
    angles = about + _least_change(angles, weights)
    normals = np.cos(angles)[:, None] * usual + np.sin(angles)[:, None] * third
    return normals, float(smoothstep(total, 0.0, float(_TELLS_ALL)))


def _least_change(angles: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the angles that change least from frame to frame beside being the given ones, by their weights."""
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


def _mean_twist(normals: FloatArray, usual: FloatArray, upper: FloatArray) -> float:
    """Return by which angle the normals are turned from the usual ones on average."""
    x = np.einsum("fi,fi->f", normals, usual).sum()
    y = np.einsum("fi,fi->f", normals, np.cross(upper, usual)).sum()
    return float(np.arctan2(y, x)) if abs(complex(x, y)) > 1e-9 * len(normals) else 0.0
