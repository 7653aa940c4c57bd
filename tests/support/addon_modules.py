# SPDX-License-Identifier: MIT
"""Modules of the add-on that need no Blender, imported from its folder wherever the tests are run from."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

ADDON = Path(__file__).resolve().parents[2] / "blender_addon"


def load(name: str) -> ModuleType:
    """Import a module of the add-on, such as ``core.keys``."""
    if "blender_addon" not in sys.modules:
        spec = importlib.util.spec_from_file_location(
            "blender_addon", ADDON / "__init__.py", submodule_search_locations=[str(ADDON)]
        )
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules["blender_addon"] = module
        spec.loader.exec_module(module)
    return importlib.import_module(f"blender_addon.{name}")
