# SPDX-License-Identifier: GPL-3.0-or-later
"""The native package, found but not imported until something is computed.

The legacy zip carries it under ``_vendor``; an extension's wheel and a checkout put it on the path. A loaded binary
cannot be replaced on Windows, so nothing is imported at registration or for drawing. It cannot be loaded twice
anywhere: after an upgrade, the version of what is loaded counts, not that of the files alone.
"""

from __future__ import annotations

import importlib
import importlib.util
import re
import sys
import sysconfig
from pathlib import Path

from .. import _version

VERSION = _version.__version__
_ROOT = __package__.rsplit(".", 1)[0]
_AGAIN = "restart Blender, then install the add-on again"
_PARTS = "blender legs planting.editing.touch_ups transforms view kinematics skeleton"
_SYSTEMS = {"linux": "Linux", "win": "Windows", "macosx": "macOS"}

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
        If it is missing, locked or of another version than the add-on, or if the add-on's files are of another.
    """
    global _module, _problem
    _problem = problem() or _replaced()
    if _problem:
        raise NativeError(_problem)
    if _module is None:
        try:
            module = importlib.import_module(_found_name())
            for name in _PARTS.split():
                importlib.import_module(f"{module.__name__}.{name}")
        except Exception as error:
            _problem = _loaded_before() or f"Skelkin does not load ({error}): {_AGAIN}"
            raise NativeError(_problem) from error
        _module = module
    return _module


def _found_name() -> str:
    vendored = f"{_ROOT}._vendor.skelkin_py"
    try:
        return vendored if importlib.util.find_spec(vendored) is not None else "skelkin_py"
    except ModuleNotFoundError:
        return "skelkin_py"


def _here() -> str:
    """Return the name of the system that this Blender is for, as the zips have it."""
    name = sysconfig.get_platform().lower()
    system = next((word for start, word in _SYSTEMS.items() if name.startswith(start)), name)
    return f"{system} {'ARM64' if re.search('arm64|aarch64', name) else 'x64'}"


def _look_up() -> str:
    if loaded := _loaded_before():
        return loaded
    if _version.SYSTEM not in ("", _here()):
        return f"This zip is for {_version.SYSTEM}: get the one for {_here()}"
    name = _found_name()
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        spec = None
    if spec is None or not spec.submodule_search_locations:
        return f"Skelkin's package skelkin_py is missing: {_AGAIN}"
    folder = Path(next(iter(spec.submodule_search_locations)))
    if not (any(folder.glob("_core*.so")) or any(folder.glob("_core*.pyd")) or f"{name}._core" in sys.modules):
        return f"This Skelkin has nothing compiled for {_here()}: install the zip that is named after it"
    version = _stated(folder / "_support" / "version.py")
    return "" if version == VERSION else f"Skelkin {VERSION} found skelkin_py {version}: {_AGAIN}"


def _loaded_before() -> str:
    """Return what to say where this process has loaded another version before, empty where not."""
    name = _found_name()
    for part, stated in (("_core", "VERSION"), ("_support.version", "__version__")):
        version = getattr(sys.modules.get(f"{name}.{part}"), stated, VERSION)
        if version != VERSION:
            return f"Skelkin {version} is still loaded: restart Blender to use {VERSION}"
    return ""


def _replaced() -> str:
    """Return what to say where another version was installed over the one that is loaded, empty where not."""
    version = _stated(Path(_version.__file__))
    return "" if version == VERSION else f"Skelkin {VERSION} is still loaded: restart Blender to use {version}"


def _stated(path: Path) -> str:
    """Return the version that a file states."""
    try:
        found = re.search(r'__version__\s*=\s*"([^"]+)"', path.read_text(encoding="utf-8"))
    except OSError:
        found = None
    return found.group(1) if found else "of an unknown version"
