# SPDX-License-Identifier: GPL-3.0-or-later
"""Where bones with new keys have to be, and other keys for those that are seen elsewhere.

What a bone follows may move otherwise than its parents say: constraints follow the pelvis, or a switch, in part. The
pose that is evaluated with the first keys tells by how much.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..poses import Poses
from .leg_methods import CONTROL, KEYS, LegMethod
from .written_channels import Channel, rotation_channel

#: a bone is in place where its head is no further off than this, in leg lengths, and its axes than this, in radians
_IN_PLACE, _TURNED = 1e-5, 1e-4
#: a foot that is nearer to its place than this, of the leg, follows its control; places this near are one
_REACHED, _ONE_PLACE = 2e-4, 1e-3


class Target(NamedTuple):
    """A bone's wanted matrices in world space and the basis that is keyed for it; both (F, 4, 4)."""

    bone: str
    leads: str  # the ankle that goes where this bone goes, as long as the leg reaches; empty for none
    offsets: list[np.ndarray]  # where that is (4, 4) as seen from the bone, on some frames
    above: str  # the next one above it that has new keys too; empty for none
    is_placed: bool  # whether its location is keyed; else it is where its parent puts it
    wanted: np.ndarray
    basis: np.ndarray
    scale: np.ndarray  # (F, 3), its channels
    first_rotation: np.ndarray

    def is_astray(self, found: np.ndarray, leg: float) -> bool:
        """Return whether the bone, found at these matrices, is not where it belongs."""
        heads = np.linalg.norm((found - self.wanted)[:, :3, 3], axis=1)
        axes = [each[:, :3, :3] / np.linalg.norm(each[:, :3, :3], axis=1)[:, None] for each in (found, self.wanted)]
        return bool(heads.max() > _IN_PLACE * leg or np.abs(axes[0] - axes[1]).max() > _TURNED)


def targets_of(armature, poses: Poses, world: np.ndarray, pose: np.ndarray, methods: list[LegMethod]) -> list[Target]:
    """Return a target for each bone with keys whose place depends on others, those above before those below.

    ``world`` and ``pose`` (F, J, 4, 4) are the planned matrices in world and in armature space.
    """
    kinds = {name: method.kind for method in methods if method.kind != KEYS for name in method.written}
    leads = {method.written[0]: method for method in methods if method.kind == CONTROL}
    if not kinds:
        return []
    bases = armature.local_from_pose(pose)
    found = []
    for j, name in enumerate(armature.names):  # parents first
        if name in kinds:
            above, parent = "", int(armature.parents[j])
            while parent >= 0 and not above:
                above = armature.names[parent] if armature.names[parent] in kinds else ""
                parent = int(armature.parents[parent])
            more = world[:, j], bases[:, j], poses.scale[:, j], poses.first_rotation[name]
            led = (leads[name].ankle, leads[name].offsets) if name in leads else ("", [])
            found.append(Target(name, *led, above, name in leads, *more))
    return found


def corrected(
    package, ob, targets: list[Target], found: dict[str, np.ndarray], feet: dict[str, np.ndarray], leg: float
) -> tuple[list[Target], list[Channel]] | None:
    """Return new targets and channels; None where all bones are in place.

    ``found`` are the matrices (F, 4, 4) in world space that the keys gave, of targets and of the ``feet``, which name
    where these were planned; ``leg`` is the length of one.
    """
    targets = [_within_reach(target, found, feet, leg) if target.leads else target for target in targets]
    if not any(target.is_astray(found[target.bone], leg) for target in targets):
        return None
    wanted = {target.bone: target.wanted for target in targets}
    better, channels = [], []
    for target in targets:
        goal = target.wanted
        if target.above:  # what is above will be in place then: the goal as seen from where that is now
            goal = found[target.above] @ np.linalg.inv(wanted[target.above]) @ goal
        basis = target.basis @ np.linalg.inv(found[target.bone]) @ goal
        bone = ob.pose.bones[target.bone]
        better.append(target._replace(basis=basis))
        channels.append(rotation_channel(package, bone, basis, target.scale, target.first_rotation))
        if target.is_placed:
            channels.append(Channel(target.bone, "location", basis[:, :3, 3]))
    return better, channels


def _within_reach(target: Target, found: dict[str, np.ndarray], feet: dict[str, np.ndarray], leg: float) -> Target:
    """Return the target with its bone brought to the foot on frames on which that does not reach it.

    An animator may have left the control beyond the leg's reach: to move it as far as the foot does not help there. It
    goes where it is on other frames as seen from the foot, if that is one place.
    """
    control, planned = found[target.bone], feet[target.leads]
    off = np.linalg.norm((found[target.leads] - planned)[:, :3, 3], axis=1) > _REACHED * leg
    offset = np.mean(target.offsets, axis=0)
    apart = control[0] @ (np.array(target.offsets) - offset)
    if not off.any() or np.linalg.norm(apart[:, :3, 3], axis=1).max() > _ONE_PLACE * leg:
        return target
    wanted = target.wanted.copy()
    wanted[off] = planned[off] @ np.linalg.inv(offset)
    return target._replace(wanted=wanted)
