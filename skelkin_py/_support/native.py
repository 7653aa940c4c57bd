# SPDX-License-Identifier: MIT
"""Functions whose arguments are taken in C: a call costs nothing in Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from .. import _core

Function = TypeVar("Function", bound=Callable[..., Any])


def native(result: type[tuple[Any, ...]] | None = None) -> Callable[[Function], Function]:
    """Put a built-in function of the same signature and docstring in the place of one that has both.

    What is decorated is called with arguments that do not fit alone, so that errors about them are Python's own.
    `result` is the type with names for its results.
    """

    def replaced(function: Function) -> Function:
        return cast(Function, _core.native(function, result))

    return replaced
