# SPDX-License-Identifier: MIT
"""A ground that moves, without a mesh: a plane that goes by rigid transforms."""

import numpy as np


class Plate:
    """The plane y = 0 of a space that goes by rigid transforms; rays and carrying from formulas, no mesh."""

    def __init__(self, motion):
        self.motion = motion

    def cast(self, origins, directions, frames):
        point, normal = self.motion[frames, :3, 3], self.motion[frames, :3, 1]
        distance = np.sum((point - origins) * normal, axis=1) / np.sum(directions * normal, axis=1)
        return distance, normal, distance >= 0.0, np.zeros(len(origins), int)

    def carry(self, points, surface_id, from_frames, to_frames):
        assert (surface_id == 0).all()
        way = self.motion[to_frames] @ np.linalg.inv(self.motion[from_frames])
        return np.einsum("nij,nj->ni", way[:, :3, :3], points) + way[:, :3, 3]
