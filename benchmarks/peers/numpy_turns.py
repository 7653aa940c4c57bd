# SPDX-License-Identifier: MIT
"""A joint that points at something, in plain vectorised numpy: rigid poses, nothing checked."""

from __future__ import annotations

import numpy as np


def points_at(parents, local, joint, target, tip):
    """Turn the joint of all poses so that the joint `tip` below it points at the targets; Rodrigues' formula."""
    above, chain = parents[joint], []
    while above >= 0:
        chain.insert(0, above)
        above = parents[above]
    parent = local[:, chain[0]]
    for j in chain[1:]:
        parent = parent @ local[:, j]
    own = local[:, joint]
    place = (parent[:, :3, :3] @ own[:, :3, 3:])[..., 0] + parent[:, :3, 3]
    aim = np.einsum("nji,nj->ni", parent[:, :3, :3], target - place)
    line = np.einsum("nij,nj->ni", own[:, :3, :3], local[:, tip, :3, 3])
    u, v = (x / np.linalg.norm(x, axis=1, keepdims=True) for x in (line, aim))
    x, y, z = np.cross(u, v).T
    skew = np.zeros((len(local), 3, 3), local.dtype)
    skew[:, 0, 1], skew[:, 0, 2], skew[:, 1, 2] = -z, y, -x
    skew -= np.swapaxes(skew, 1, 2)
    turn = np.eye(3, dtype=local.dtype) + skew + skew @ skew / (1 + np.sum(u * v, axis=1))[:, None, None]
    result = local.copy()
    result[:, joint, :3, :3] = turn @ own[:, :3, :3]
    return result
