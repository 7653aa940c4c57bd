# SPDX-License-Identifier: GPL-3.0-or-later
"""A foot dragged by hand: where the limb goes, which channels may be written, and numbers that are typed."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from .channels import ROTATION_CHANNELS

#: parts of the leg's length between which the ankle slows down as the leg straightens
_SLOWS, _STRAIGHT = 0.975, 0.995

FREE, GROUND, HEIGHT, TURN, KNEE = "FREE", "GROUND", "HEIGHT", "TURN", "KNEE"
#: how many numbers can be typed in each mode: lengths along world axes, or degrees
FIELDS = {FREE: 3, GROUND: 2, HEIGHT: 1, TURN: 1, KNEE: 1}


class Limb(NamedTuple):
    """The N bones from hip to foot, and one of the toes if there is any, as they are when a drag begins.

    ``chain`` counts hip, knee and foot among them; ``pose`` (N, 4, 4) is in armature space.
    """

    skeleton: Any
    chain: tuple[int, int, int]
    pose: np.ndarray
    local: np.ndarray
    foot_rotation: np.ndarray  # (4,) w x y z

    @property
    def ankle(self) -> np.ndarray:
        """Where the ankle is (3,)."""
        return np.array(self.pose[self.chain[2], :3, 3])


def limb(package, rest: np.ndarray, pose: np.ndarray, chain: tuple[int, int, int], names) -> Limb:
    """Return the limb of bones that follow one another, at ``rest`` and in a ``pose`` (N, 4, 4)."""
    skeleton = package.Skeleton.from_global(np.arange(-1, len(rest) - 1), rest, names)
    local = package.local_from_global(skeleton, pose)
    return Limb(skeleton, chain, pose, local, package.transforms.decompose(pose[chain[2]])[1])


def solved(package, of: Limb, ankle: np.ndarray, turn: np.ndarray, swivel: float) -> np.ndarray:
    """Return the bones' matrices (N, 4, 4) with the ankle at a place or as near as the leg softly reaches.

    Parameters
    ----------
    ankle : (3,) ndarray
        In armature space.
    turn : (4,) ndarray
        By which the foot is turned in armature space, from how it was; `w x y z`.
    swivel : float
        Radians by which the knee is turned about the line from hip to ankle.
    """
    rotation = package.transforms.quaternion_multiply(turn, of.foot_rotation)
    target = within_reach(of, ankle)
    found = package.apply_two_bone(of.skeleton, of.local, of.chain, target, twist=swivel, end_rotation=rotation)
    return package.forward_kinematics(of.skeleton, found.local)


def within_reach(of: Limb, ankle: np.ndarray) -> np.ndarray:
    """Return the place on the line from hip to ankle to which the leg reaches; further out the ankle slows down.

    Where the leg is straighter when the drag begins, it stays as straight.
    """
    hip, knee, now = (of.pose[joint, :3, 3] for joint in of.chain)
    length = np.linalg.norm(knee - hip) + np.linalg.norm(now - knee)
    near = max(_SLOWS * length, float(np.linalg.norm(now - hip)))
    room = max(_STRAIGHT * length - near, 0.0)
    distance = float(np.linalg.norm(ankle - hip))
    if distance <= near:
        return ankle
    reached = near - room * math.expm1((near - distance) / room) if room else near
    return hip + (ankle - hip) * (reached / distance)


class Locks(NamedTuple):
    """Which channels of a bone are locked: its rotation about axes, about w, and whether these are quaternions'."""

    rotation: tuple[bool, bool, bool]
    w: bool
    by_component: bool  # else locks of quaternions mean axes of an Euler rotation

    def open_channels(self, mode: str) -> list[int]:
        """Return the channels of a rotation that may be keyed."""
        size = ROTATION_CHANNELS[mode][1]
        if size == 4 and not self.by_component:
            return [] if all(self.rotation) else [0, 1, 2, 3]
        closed = (self.w, *self.rotation) if size == 4 else self.rotation
        return [index for index in range(size) if not closed[index]]


def unlocked(package, mode: str, before: np.ndarray, after: np.ndarray, locks: Locks) -> np.ndarray:
    """Return the channels of a rotation as far as they are not locked; the locked ones are as ``before``."""
    if not any((*locks.rotation, locks.w and locks.by_component)):
        return after
    open_channels = locks.open_channels(mode)
    if len(after) == 3 or locks.by_component or not open_channels:
        kept = np.array(before)
        kept[open_channels] = after[open_channels]
        return kept
    turns = package.transforms
    pair = np.stack([before, after])
    if mode == "AXIS_ANGLE":
        axes = pair[:, 1:] / np.maximum(np.linalg.norm(pair[:, 1:], axis=1, keepdims=True), 1e-30)
        pair = turns.quaternion_from_rotation_vector(axes * pair[:, :1])
    angles = turns.quaternion_to_euler(pair, "XYZ")
    kept = turns.quaternion_from_euler(np.where(locks.rotation, angles[0], angles[1]), "XYZ")
    if mode == "QUATERNION":
        return kept if kept @ before >= 0.0 else -kept
    vector = turns.quaternion_to_rotation_vector(kept)
    angle = float(np.linalg.norm(vector))
    return np.array([angle, *(vector / angle if angle > 1e-9 else before[1:])])


class Typed(NamedTuple):
    """Numbers that are being typed, one for each field, and which of these is typed now."""

    fields: tuple[str, ...] = ()
    at: int = 0

    def after(self, key: str, mode: str) -> Typed | None:
        """Return what is typed after a key, by its character or Blender's name of it; None where it says nothing."""
        fields = [*(self.fields or ("",) * FIELDS[mode])]
        now = fields[self.at]
        if key == "TAB":
            return self._replace(at=(self.at + 1) % len(fields)) if self.fields else None
        if key == "BACK_SPACE":
            if not self.fields:
                return None
            fields[self.at] = now[:-1]
            return Typed(tuple(fields), self.at) if any(fields) else Typed()
        if key == "-":
            fields[self.at] = now[1:] if now.startswith("-") else f"-{now}"
        elif key in tuple("0123456789") or (key == "." and "." not in now):
            fields[self.at] = now + key
        else:
            return None
        return Typed(tuple(fields), self.at)

    @property
    def values(self) -> list[float]:
        """The numbers; what says none yet is 0."""
        return [float(text) if any(map(str.isdigit, text)) else 0.0 for text in self.fields]


def height_of_sole(foot: np.ndarray, sole: np.ndarray) -> float:
    """Return by how much the ankle of a foot's matrix (4, 4) is above the lowest point of its ``sole`` (P, 3)."""
    return float(-min(0.0, (sole @ foot[2, :3]).min(initial=0.0)))
