# SPDX-License-Identifier: MIT
"""The peers, one file per library and theme.

Each function takes numpy arrays, prepares outside the clock what its library wants, and returns (call, result): what is
timed, and what gives its result back as an array, poses first.
"""

from __future__ import annotations

import importlib
from types import ModuleType

MISSING: dict[str, str] = {}  # library: why it was not measured


def find(name: str) -> ModuleType | None:
    """Return peers.<name>, or None where its library cannot be imported; the reason is kept in MISSING."""
    try:
        return importlib.import_module(f"peers.{name}")
    except (ImportError, OSError, RuntimeError) as error:
        MISSING.setdefault(name.split("_")[0], str(error).splitlines()[0])
        return None
