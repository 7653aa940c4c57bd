# SPDX-License-Identifier: MIT
"""The player with two ways (the extra ``jupyter``): what is dragged in it is planted in Python and drawn at once."""

from __future__ import annotations

from typing import Any

from .edit import edit as edit

__all__ = ["PlantWidget", "edit"]


def __getattr__(name: str) -> Any:
    """Import the widget when it is named for the first time: it needs anywidget."""
    if name != "PlantWidget":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .widget import PlantWidget

    return PlantWidget
