# SPDX-License-Identifier: MIT
"""The interactive player (the extra ``jupyter``): edits in it are planted in Python and drawn at once."""

from __future__ import annotations

from typing import Any

from .edit import edit as edit

__all__ = ["PlantWidget", "edit"]


def __getattr__(name: str) -> Any:
    """Import the widget on first use, since it needs anywidget."""
    if name != "PlantWidget":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .widget import PlantWidget

    return PlantWidget
