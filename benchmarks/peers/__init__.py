# SPDX-License-Identifier: MIT
"""The peers, one file per library and theme.

Each function takes numpy arrays, prepares outside the clock what its library wants, and returns (call, result): what is
timed, and what gives its result back as an array, poses first.
"""

from __future__ import annotations

import importlib
from types import ModuleType

MISSING: dict[str, str] = {}  # library: why it was not measured
NAMES = {"ozz": "ozz-animation", "motion_correction_planting": "motion_correction"}  # where not the file's first word


def find(name: str) -> ModuleType | None:
    """Return peers.<name>, or None where its library cannot be imported; the reason is kept in MISSING."""
    try:
        return importlib.import_module(f"peers.{name}")
    except (ImportError, OSError, RuntimeError) as error:
        reason = "not installed" if isinstance(error, ModuleNotFoundError) else str(error).splitlines()[0]
        MISSING.setdefault(NAMES.get(name, name.split("_")[0]), reason)
        return None
