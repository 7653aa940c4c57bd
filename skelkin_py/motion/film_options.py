# SPDX-License-Identifier: MIT
"""What films and pictures can be told beside what is drawn, for type checkers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypedDict

Arrange = Literal["side_by_side", "together"]
NamedCamera = Literal["corner", "front", "side", "top", "feet"]


class PictureOptions(TypedDict, total=False):
    """Keyword arguments of `write_picture`."""

    size: tuple[int, int] | None
    arrange: Arrange
    title: str | None
    labels: tuple[str, str] | None
    camera: NamedCamera | tuple[float, float]
    zoom: float


class FilmOptions(PictureOptions, total=False):
    """Keyword arguments of `write_film`."""

    frames: tuple[int, int] | None
    fps: float | None
    speed: float
    progress: Callable[[int, int], None] | None
