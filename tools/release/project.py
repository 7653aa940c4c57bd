# SPDX-License-Identifier: MIT
"""What the project says of itself: version, authors and addresses, each from the one place where it stands."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PYPROJECT = ROOT / "pyproject.toml"
VERSION_FILE = ROOT / "skelkin_py" / "_support" / "version.py"
PLACEHOLDER = ".invalid"


def version() -> str:
    """Return the version of the package."""
    match = re.search(r'^__version__ = "(\d+\.\d+\.\d+)"$', VERSION_FILE.read_text(encoding="utf-8"), re.MULTILINE)
    if match is None:
        raise SystemExit(f'{VERSION_FILE.relative_to(ROOT)}: no line __version__ = "X.Y.Z"')
    return match[1]


def stated_addresses() -> dict[str, str]:
    """Return the addresses of pyproject.toml by name, placeholders too; CPython 3.10 has no tomllib."""
    table = PYPROJECT.read_text(encoding="utf-8").split("[project.urls]\n", 1)[1].split("\n[", 1)[0]
    return dict(re.findall(r'^(\w+) = "([^"]+)"$', table, re.MULTILINE))


def is_placeholder(address: str) -> bool:
    """Whether an address is one that can never be."""
    return re.search(rf"{re.escape(PLACEHOLDER)}(/|$)", address) is not None


def addresses() -> dict[str, str]:
    """Return the addresses of pyproject.toml by name, but for placeholders."""
    return {name: address for name, address in stated_addresses().items() if not is_placeholder(address)}


def commit_time() -> str:
    """Return the time of HEAD in seconds, the date of all that is built of it."""
    git = ["git", "-C", str(ROOT), "log", "-1", "--format=%ct"]
    return subprocess.run(git, capture_output=True, text=True, check=True).stdout.strip()


def authors() -> str:
    """Return who has made it."""
    names = re.findall(r'^authors = \[\{ name = "([^"]+)"', PYPROJECT.read_text(encoding="utf-8"), re.MULTILINE)
    if len(names) != 1:
        raise SystemExit('pyproject.toml: needs one line authors = [{ name = "…" }]')
    return str(names[0])
