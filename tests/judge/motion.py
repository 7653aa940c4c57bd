# SPDX-License-Identifier: MIT
"""Positions and rotations of the legs of a clip, by a forward kinematics of the judge's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class LegMotion:
    """One leg in every frame: joints (F, 3), rotations (F, 3, 3), and what the rest pose says about its knee.

    `rest_bend` and `toes_bend` are axes (3,) in the thigh's frame about which the shin would bend with the knee where
    the rest pose, and where the toes, have it; zeros where they say nothing.
    """

    hip: Array
    knee: Array
    ankle: Array
    toe: Array | None
    thigh: Array
    foot: Array
    rest_bend: Array
    toes_bend: Array

    @property
    def lengths(self) -> Array:
        """(2, F) Of thigh and shin."""
        return np.stack([norm(self.knee - self.hip), norm(self.ankle - self.knee)])

    @property
    def flexion(self) -> Array:
        """(F,) Unsigned angle between thigh and shin, radians."""
        return angle_between(self.knee - self.hip, self.ankle - self.knee)

    def moved(self, hip: Array, knee: Array, ankle: Array) -> LegMotion:
        """The leg with its joints elsewhere, the thigh turned by the smallest rotation that takes it along."""
        turn = smallest_turn(self.knee - self.hip, knee - hip)
        return replace(self, hip=hip, knee=knee, ankle=ankle, thigh=turn @ self.thigh)


def norm(vectors: Array) -> Array:
    return np.asarray(np.linalg.norm(vectors, axis=-1))


def unit(vectors: Array) -> Array:
    return np.asarray(vectors / np.maximum(norm(vectors), 1e-300)[..., None])


def dot(a: Array, b: Array) -> Array:
    return np.asarray(np.einsum("...i,...i->...", a, b))


def angle_between(a: Array, b: Array) -> Array:
    """Radians, exact near 0 and 180 degrees."""
    return np.asarray(np.arctan2(norm(np.cross(a, b)), dot(a, b)))


def smallest_turn(a: Array, b: Array) -> Array:
    """(…, 3, 3) The smallest rotations that take the directions of a to those of b."""
    a, b = unit(a), unit(b)
    v, c = np.cross(a, b), dot(a, b)[..., None, None]
    k = np.zeros((*v.shape[:-1], 3, 3))
    k[..., 2, 1], k[..., 0, 2], k[..., 1, 0] = v[..., 0], v[..., 1], v[..., 2]
    k -= np.swapaxes(k, -1, -2)
    return np.asarray(np.eye(3) + k + k @ k / np.maximum(1.0 + c, 1e-9))


def rotation_of(quaternions: Array) -> Array:
    """(…, 3, 3) From quaternions w, x, y, z of any length."""
    w, x, y, z = np.moveaxis(np.asarray(quaternions, float) / norm(quaternions)[..., None], -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))


def nearest_rotation(matrices: Array) -> Array:
    """(…, 3, 3) What is left of linear parts without their scale."""
    u, _, vt = np.linalg.svd(matrices)
    u[..., -1] *= np.sign(np.linalg.det(u @ vt))[..., None]
    return np.asarray(u @ vt)


def compose(parents: Sequence[int], linear: Array, at: Array) -> tuple[Array, Array]:
    """Global linear parts (F, J, 3, 3) and places (F, J, 3) from local ones; parents stand before their children."""
    linear, at = np.array(linear, float), np.array(at, float)
    for joint, parent in enumerate(parents):
        if parent >= 0:
            at[:, joint] = at[:, parent] + np.einsum("fij,fj->fi", linear[:, parent], at[:, joint])
            linear[:, joint] = linear[:, parent] @ linear[:, joint]
    return linear, at


def pose_matrices(clip: Any) -> tuple[Array, Array]:
    """Global linear parts and places of all joints of a clip."""
    linear = rotation_of(clip.rotations)
    if clip.scales is not None:
        linear = linear * np.asarray(clip.scales)[..., None, :]
    return compose(clip.skeleton.parents, linear, clip.translations)


def legs_of(clip: Any, legs: Sequence[Any]) -> list[LegMotion]:
    """The legs of a clip, in its own units; which joints they are is the only thing that is taken from others.

    A leg whose foot is a third segment counts from hip to toes, as it is planted.
    """
    from skelkin_py.legs.standing_leg import standing_leg

    whole = np.asarray(clip.skeleton.rest_global, float)
    legs = [standing_leg([int(p) for p in clip.skeleton.parents], whole, leg) for leg in legs]
    linear, at = pose_matrices(clip)
    rest = np.asarray(clip.skeleton.rest_local, float)[None]
    rest_linear, rest_at = compose(clip.skeleton.parents, rest[..., :3, :3], rest[..., :3, 3])
    found = []
    for leg in legs:
        thigh, foot = (nearest_rotation(linear[:, joint]) for joint in (leg.hip, leg.ankle))
        hip, knee, ankle = (rest_at[0, joint] for joint in (leg.hip, leg.knee, leg.ankle))
        bend = np.cross(unit(knee - hip), unit(ankle - knee)) @ nearest_rotation(rest_linear[0, leg.hip])
        joints = (at[:, leg.hip], at[:, leg.knee], at[:, leg.ankle], None if leg.toe is None else at[:, leg.toe])
        toes = np.zeros(3)
        if leg.toe is not None:
            ahead = np.cross(unit(at[:, leg.toe] - at[:, leg.ankle]), unit(at[:, leg.knee] - at[:, leg.hip]))
            toes = np.einsum("fji,fj->fi", thigh, ahead).mean(axis=0)
        found.append(LegMotion(*joints, thigh, foot, bend, toes))
    return found


def scaled(leg: LegMotion, by: float) -> LegMotion:
    """The leg with lengths multiplied."""
    toe = None if leg.toe is None else leg.toe * by
    return replace(leg, hip=leg.hip * by, knee=leg.knee * by, ankle=leg.ankle * by, toe=toe)
