# SPDX-License-Identifier: MIT
"""From where all joints of a body are, frame by frame, to a skeleton and how its joints are turned."""

from .transforms import FromPositions as FromPositions, transforms_from_positions as transforms_from_positions
