# SPDX-License-Identifier: MIT
"""The hash that ties a compiled `_core` to the C sources it was made from.

`setup.py` loads this file by its path, so it imports nothing of the package.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

C_NAMES = (".c", ".h", ".inl")


def source_files(folder: Path, names: tuple[str, ...] = C_NAMES) -> list[Path]:
    """Return every file below a folder whose name ends so, sorted: sources, headers and kernels of C."""
    return sorted(path for path in folder.rglob("*") if path.suffix in names)


def source_hash(folder: Path, names: tuple[str, ...] = C_NAMES) -> str:
    """Return the hash of names and contents of `source_files`; line endings do not count."""
    digest = hashlib.sha256()
    above = len(str(folder)) + 1
    # Done at every import in a checkout: as strings, which are faster.
    for path in map(str, source_files(folder, names)):
        with open(path, "rb") as file:
            content = file.read()
        digest.update(path[above:].replace(os.sep, "/").encode() + b"\0")
        digest.update(content.replace(b"\r\n", b"\n") + b"\0")
    return digest.hexdigest()[:16]
