# SPDX-License-Identifier: MIT
"""Environments of workflows, on every system: of the Python that runs this, with packages whose hashes are known."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

from project import ROOT


def make(folder: Path, pins: str, *extra: str) -> Path:
    """Make the folder a new environment with the packages of requirements/hashed/PINS.txt; return its Python."""
    venv.create(folder, clear=True, with_pip=True)
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    install(python, "--require-hashes", "-r", str(ROOT / "requirements" / "hashed" / f"{pins}.txt"), *extra)
    return python


def install(python: Path, *arguments: str) -> None:
    """Call pip."""
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "--no-input", "-q", "install"]
    subprocess.run([*pip, *arguments], check=True)


def built_package(python: Path) -> None:
    """Install the wheel of dist/ that is for this system and Python, and nothing else."""
    from project import version

    install(python, "--no-index", "--no-deps", "--find-links", str(ROOT / "dist"), f"skelkin-py=={version()}")


if __name__ == "__main__":
    print(make(Path(sys.argv[1]), sys.argv[2]))
