# SPDX-License-Identifier: MIT
"""Keyword arguments of pages, films and pictures, which methods of clips pass to `skelkin_py.view`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, Literal, TypedDict, TypeVar

Arrange = Literal["side_by_side", "together"]
NamedCamera = Literal["corner", "front", "side", "top", "feet"]
_Function = TypeVar("_Function", bound=Callable[..., Any])
# All others are None.
_DEFAULTS = {"arrange": "side_by_side", "camera": "corner", "zoom": 1.0, "speed": 1.0, "first_frame": 0}


class _Beside(TypedDict, total=False):
    compare: Any
    mesh: Any
    report: Any
    ground: Any
    title: str | None
    arrange: Arrange


class ShowOptions(_Beside, total=False):
    """Keyword arguments of `show`."""

    labels: Any
    colors: Any
    color: Any
    color_range: Any
    color_label: str | None
    first_frame: int


class PictureOptions(_Beside, total=False):
    """Keyword arguments of `write_picture`."""

    size: tuple[int, int] | None
    labels: tuple[str, str] | None
    camera: NamedCamera | tuple[float, float]
    zoom: float


class FilmOptions(PictureOptions, total=False):
    """Keyword arguments of `write_film`."""

    frames: tuple[int, int] | None
    fps: float | None
    speed: float
    progress: Callable[[int, int], None] | None


def takes(options: type) -> Callable[[_Function], _Function]:
    """Show these keywords in the signature of a function that passes them on."""
    shown = {
        name: (getattr(kind, "__forward_arg__", kind), _DEFAULTS.get(name))
        for name, kind in options.__annotations__.items()
    }
    return lambda function: show_keywords(function, shown)


def show_keywords(function: _Function, shown: Mapping[str, tuple[Any, Any]]) -> _Function:
    """Replace ``**keywords`` in the signature of a function by keywords with their types and defaults."""
    own, keyword = inspect.signature(function), inspect.Parameter.KEYWORD_ONLY
    kept = [each for each in own.parameters.values() if each.kind is not inspect.Parameter.VAR_KEYWORD]
    more = [inspect.Parameter(name, keyword, default=d, annotation=kind) for name, (kind, d) in shown.items()]
    function.__signature__ = own.replace(parameters=[*kept, *more])  # type: ignore[attr-defined]
    return function
