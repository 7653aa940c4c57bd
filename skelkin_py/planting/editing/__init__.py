# SPDX-License-Identifier: MIT
"""Planting by hand: contacts moved, feet dragged, knees turned, undone, on the solver that plants by itself."""

from .editor import PlantEditor as PlantEditor
from .edits import FootTarget as FootTarget

__all__ = ["FootTarget", "PlantEditor"]
