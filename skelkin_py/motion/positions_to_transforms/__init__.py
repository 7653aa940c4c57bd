# SPDX-License-Identifier: MIT
"""A skeleton and the rotations of its joints, from the positions of the joints in every frame."""

from .transforms import FromPositions as FromPositions, transforms_from_positions as transforms_from_positions
