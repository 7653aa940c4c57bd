# SPDX-License-Identifier: GPL-3.0-or-later
"""The control that a foot follows: where it is moved, the ankle goes along, and pelvis and other leg stay."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from . import trials
from .rig_map import RigMap

#: how far a control is moved to see what follows, and how far the ankle may be from where it has to be, of the leg
_STEP, _ASTRAY = 0.03, 1e-3
#: by how many radians it is turned, and by how many the ankle may be off: 0.1 degree
_TURN, _TWISTED = 0.05, 1.75e-3
#: what moves by less than this part of the leg stays
_STAYS = 1e-4
#: a leg that is this straight may not reach its goal: it is drawn in by this part of the leg, at most this many times
_STRAIGHT, _DRAWN, _DRAWS = 0.99, 0.2, 5
#: constraints with which a control leads its foot as far as they let it
_LIMITS = ("LIMIT_LOCATION", "FLOOR")
_AXIS = np.array([0.6, 0.64, 0.48])


def candidates(package, ob, rig: RigMap, ankle: str, others: Iterable[str]) -> list[str]:
    """Return the bones that may be the control of a foot, the topmost first.

    The ankle depends on each, what is named by ``others`` (hips, other ankles, what carries the body) on none. No
    constraint or driver moves them, they can take a location, of which no axis is locked, and their names are not those
    of a rig's mechanism.
    """
    read_name = package.legs.words.read_name
    kept_out = rig.upstream(others)
    found = [
        name
        for name in rig.upstream([ankle]) - kept_out - {ankle}
        if can_lead(ob, rig, name) and not read_name(name).mechanism
    ]
    above = {name: len(rig.upstream([name])) for name in found}
    return sorted(found, key=lambda name: (above[name], name))


def can_lead(ob, rig: RigMap, name: str) -> bool:
    """Whether nothing but its keys and its parents moves a bone, and these may move it anywhere within its limits."""
    bone = ob.pose.bones[name]
    held = any(owner != bone or constraint not in limits(bone) for owner, constraint in rig.turning.get(name, ()))
    return not (held or rig.driven.get(name) or bone.bone.use_connect or any(bone.lock_location))


def limits(bone) -> list:
    """Return the constraints of a pose bone that keep its place within limits."""
    return [constraint for constraint in bone.constraints if constraint.type in _LIMITS]


def follows(
    tried: trials.Trial, control, leg: list[str], still: list[str], *, is_detached: bool = False
) -> np.ndarray | None:
    """Return where the ankle is (4, 4) as seen from the control that leads it, on the frame at hand; None if none does.

    It is led if it goes exactly where the control is put while ``still`` stays. ``control`` is the name of a bone, or
    an object; ``leg`` names hip, knee and ankle. Where the ankle ``is_detached``, the shin has to end at it.
    """
    try:
        hip, ankle, length, is_straight = _limb(tried, leg)
        for _ in range(_DRAWS):
            if not is_straight:
                break
            drawn = np.eye(4)  # it may not reach its goal: that is drawn in
            drawn[:3, 3] = _towards(hip, ankle, _DRAWN * length)
            tried.move(control, drawn @ tried.matrix(control))
            hip, ankle, length, is_straight = _limb(tried, leg)
        if is_straight:
            return None
        before, end = tried.matrices([leg[2], *still]), _end(tried, leg)
        motion = _motion(ankle, _towards(hip, ankle, _STEP * length))
        tried.move(control, motion @ tried.matrix(control))
        after = tried.matrices([leg[2], *still])
        offset = np.linalg.inv(tried.matrix(control)) @ after[0]
        left = float(np.linalg.norm(tried.matrices(leg)[1] @ end - after[0, :, 3])) if is_detached else 0.0
    finally:
        tried.back()
    wanted = motion @ before[0]
    is_led = (
        float(np.linalg.norm(after[0, :3, 3] - wanted[:3, 3])) <= _ASTRAY * length
        and apart(after[0], wanted) <= _TWISTED
        and left <= _ASTRAY * length
        and float(np.abs(after[1:, :3, 3] - before[1:, :3, 3]).max(initial=0.0)) <= _STAYS * length
    )
    return offset if is_led else None


def _end(tried: trials.Trial, leg: list[str]) -> np.ndarray:
    """Return the place (4,) of the ankle as seen from the shin."""
    _, shin, ankle = tried.matrices(leg)
    return np.linalg.inv(shin) @ ankle[:, 3]


def _limb(tried: trials.Trial, leg: list[str]) -> tuple[np.ndarray, np.ndarray, float, bool]:
    """Return hip, ankle, length of the leg, and whether it is nearly straight."""
    hip, knee, ankle = (matrix[:3, 3] for matrix in tried.matrices(leg))
    length = float(np.linalg.norm(hip - knee) + np.linalg.norm(knee - ankle))
    return hip, ankle, length, float(np.linalg.norm(hip - ankle)) > _STRAIGHT * length


def _towards(hip: np.ndarray, ankle: np.ndarray, distance: float) -> np.ndarray:
    """Return a step of this length from the ankle towards the hip; any direction where these are at one place."""
    line = hip - ankle
    span = float(np.linalg.norm(line))
    return line * (distance / span) if span > distance else np.array([0.0, 0.0, distance])


def _motion(around: np.ndarray, shift: np.ndarray) -> np.ndarray:
    """Return a small turn around a point, and a shift."""
    x, y, z = _AXIS
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    turn = np.eye(3) + np.sin(_TURN) * cross + (1 - np.cos(_TURN)) * (cross @ cross)
    motion = np.eye(4)
    motion[:3, :3], motion[:3, 3] = turn, around + shift - turn @ around
    return motion


def apart(one: np.ndarray, other: np.ndarray) -> float:
    """Return by about how many radians the axes of two matrices differ."""
    axes = [matrix[:3, :3] / np.linalg.norm(matrix[:3, :3], axis=0) for matrix in (one, other)]
    return float(np.linalg.norm(axes[0] - axes[1], axis=0).max())
