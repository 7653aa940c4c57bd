# SPDX-License-Identifier: MIT
"""The hash that ties a compiled `_core` to the C sources it was made from.

`setup.py` loads this file by its path, so it imports nothing of the package.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path


def source_files(csrc: Path) -> list[Path]:
    """Return every C source, header and kernel below `csrc`, sorted."""
    return sorted(path for path in csrc.rglob("*") if path.suffix in (".c", ".h", ".inl"))


def source_hash(csrc: Path) -> str:
    """Return the hash of names and contents below `csrc`; line endings do not count."""
    digest = hashlib.sha256()
    above = len(str(csrc)) + 1
    for path in map(str, source_files(csrc)):  # done at every import in a checkout: as strings, which are faster
        with open(path, "rb") as file:
            content = file.read()
        digest.update(path[above:].replace(os.sep, "/").encode() + b"\0")
        digest.update(content.replace(b"\r\n", b"\n") + b"\0")
    return digest.hexdigest()[:16]
