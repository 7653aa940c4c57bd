# SPDX-License-Identifier: GPL-3.0-or-later
"""Poses of bones released from constraints: turned as what they replace, at the lengths that they have at rest."""

from __future__ import annotations

import numpy as np

from ...core.channels import rotation_of_basis


def released(
    package, armature, skeleton, local: np.ndarray, pairs: list[tuple[int, int]], chain, location, scale
) -> np.ndarray:
    """Return local matrices (F, J, 4, 4) in which bones take over the rotations of others, and the ankle its place.

    Parameters
    ----------
    local : (F, J, 4, 4) ndarray
        As it is evaluated, constraints included.
    pairs : list of (int, int)
        Released joint, and the one whose rotation it takes over, from hip to toes. That may be the same; else it
        copies the released joint from now on.
    chain : three int
        Hip, knee and ankle of the released joints; the last is brought to where its pair is.
    location, scale : (F, J, 3) ndarray
        The channels of the bones.
    """
    evaluated = package.forward_kinematics(skeleton, local)
    rest = np.asarray(skeleton.rest_global)
    within = np.asarray(skeleton.rest_local)
    modes = package.blender.rest.bones.INHERIT_SCALE
    found = local.copy()
    for joint, other in pairs:
        parent = package.forward_kinematics(skeleton, found)[:, int(skeleton.parents[joint])]
        above = parent @ within[joint]
        if modes[armature.inherit_scale[joint]].startswith("NONE"):  # then only its place goes with its parent's scale
            sizes = np.linalg.norm(above[:, :3, :3], axis=1)[:, None]
            above[:, :3, :3] *= np.linalg.norm(rest[joint][:3, :3], axis=0) / sizes
        wanted = evaluated[:, other, :3, :3] @ (np.linalg.inv(rest[other]) @ rest[joint])[:3, :3]
        basis = np.zeros((len(local), 4, 4))
        basis[:, :3, :3] = np.linalg.inv(above[:, :3, :3]) @ wanted
        lengths = np.linalg.norm(basis[:, :3, :3], axis=1)  # what scales others says nothing of this bone's scale
        turn = rotation_of_basis(basis, lengths, package.transforms.nearest_rotation)
        basis[:, :3, :3] = turn * scale[:, joint, None, :]
        basis[:, :3, 3] = location[:, joint]
        basis[:, 3, 3] = 1.0
        found[:, joint] = package.invert(parent) @ above @ basis
    goal = evaluated[:, dict(pairs)[chain[2]], :3, 3]
    found = package.apply_two_bone(skeleton, found, chain, goal).local
    leading = package.forward_kinematics(skeleton, found)
    for joint, other in pairs:
        if other != joint:
            above = package.forward_kinematics(skeleton, found)[:, int(skeleton.parents[other])]
            found[:, other] = np.linalg.inv(above) @ leading[:, joint] @ np.linalg.inv(rest[joint]) @ rest[other]
    return found
