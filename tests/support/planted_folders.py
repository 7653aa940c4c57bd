# SPDX-License-Identifier: MIT
"""What stands in a folder into which a run has planted clips."""

from __future__ import annotations

from pathlib import Path

from skelkin_py.cli.journal import NAME


def files_below(folder: Path) -> set[str]:
    """Return the files of a tree by their ways from its root, but for the journal."""
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()} - {NAME}


def times_below(folder: Path) -> dict[str, int]:
    """Return when each of them was written, in nanoseconds."""
    return {name: (folder / name).stat().st_mtime_ns for name in files_below(folder)}
