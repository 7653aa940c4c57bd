# SPDX-License-Identifier: MIT
"""What feet stand on: a plane, a function, a grid of heights, a mesh, or any object that casts rays, and may move."""

from .casting import Footing as Footing
from .files import GROUND_ENDINGS as GROUND_ENDINGS, load_ground as load_ground
from .height_grid import HeightGrid as HeightGrid
from .mesh_ground import MeshGround as MeshGround
from .surface import Ground as Ground, GroundFunction as GroundFunction, as_ground as as_ground
