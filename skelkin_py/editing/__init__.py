# SPDX-License-Identifier: MIT
"""Planting by hand: contacts moved, feet dragged, knees turned, undone, on the solver that plants by itself."""

from .editor import PlantEditor as PlantEditor

__all__ = ["PlantEditor"]
