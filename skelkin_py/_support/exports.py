# SPDX-License-Identifier: MIT
"""Public names of a package: its stub is their only list, and each is imported when it is named for the first time."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from .nearest_name import did_you_mean


def exports(package: str) -> tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]:
    """Return `__all__`, `__getattr__` and `__dir__` of a package that has an `__init__.pyi`."""
    here = sys.modules[package]
    stub = Path(str(here.__file__)).with_name("__init__.pyi").read_text(encoding="utf-8")
    homes = {
        each.name: f"{package}.{node.module}" if node.module else package
        for node in ast.parse(stub).body
        if isinstance(node, ast.ImportFrom)
        for each in node.names
    }
    names = sorted(homes)

    def find(name: str) -> Any:
        """Import what is named for the first time."""
        home = homes.get(name, package)
        value = vars(import_module(home)).get(name)
        if value is None:
            if name.startswith("_") or find_spec(f"{home}.{name}") is None:
                meant = "" if name.startswith("_") else did_you_mean(name, names)
                raise AttributeError(f"module {package!r} has no attribute {name!r}{meant}")
            value = import_module(f"{home}.{name}")
        setattr(here, name, value)
        return value

    def listed() -> list[str]:
        """Return the public names, those too that have not been imported yet."""
        return sorted({*names, *(name for name in vars(here) if name.startswith("__"))})

    return names, find, listed
