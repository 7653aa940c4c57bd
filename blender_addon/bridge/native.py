# SPDX-License-Identifier: GPL-3.0-or-later
"""The native package, found but not imported until something is computed.

The legacy zip carries it under ``_vendor``; an extension's wheel and a checkout put it on the path. A loaded binary
cannot be replaced on Windows, so nothing is imported at registration or for drawing.
"""

from __future__ import annotations

import importlib
import importlib.util
import re
from pathlib import Path

from .. import _version

VERSION = _version.__version__
_ROOT = __package__.rsplit(".", 1)[0]
_RESTART = "restart Blender, then install the add-on again"

_module = None
_problem: str | None = None


class NativeError(RuntimeError):
    """The native package cannot be used; the text says why and what to do."""


def problem() -> str:
    """Why the native package cannot be used, empty if nothing is known against it. Looked up once, never imported."""
    global _problem
    if _problem is None:
        _problem = _look_up()
    return _problem


def load():
    """Return the package ``skelkin_py``.

    Raises
    ------
    NativeError
        If it is missing, locked or of another version than the add-on.
    """
    global _module, _problem
    if _module is not None:
        return _module
    if problem():
        raise NativeError(_problem)
    try:
        module = importlib.import_module(_found_name())
        for name in ("blender", "legs", "planting", "transforms", "view", "kinematics", "skeleton"):
            importlib.import_module(f"{module.__name__}.{name}")
    except Exception as error:
        _problem = f"Native module does not load ({error}): {_RESTART}"
        raise NativeError(_problem) from error
    _module = module
    return module


def _found_name() -> str:
    vendored = f"{_ROOT}._vendor.skelkin_py"
    try:
        return vendored if importlib.util.find_spec(vendored) is not None else "skelkin_py"
    except ModuleNotFoundError:
        return "skelkin_py"


def _look_up() -> str:
    name = _found_name()
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        spec = None
    if spec is None or not spec.submodule_search_locations:
        return f"Native module skelkin_py is missing: {_RESTART}"
    folder = Path(next(iter(spec.submodule_search_locations)))
    if not (any(folder.glob("_core*.so")) or any(folder.glob("_core*.pyd")) or _core_is_elsewhere(name)):
        return f"Native module skelkin_py has no binary for this system: {_RESTART}"
    try:
        found = re.search(r'__version__\s*=\s*"([^"]+)"', (folder / "_version.py").read_text(encoding="utf-8"))
    except OSError:
        found = None
    version = found.group(1) if found else "unknown"
    if version != VERSION:
        return f"Native module is version {version}, the add-on {VERSION}: {_RESTART}"
    return ""


def _core_is_elsewhere(name: str) -> bool:
    """Return an editable install keeps the binary beside the sources or lets a finder hand it out."""
    import sys

    return name in sys.modules and hasattr(sys.modules[name], "_core")
