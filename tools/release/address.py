# SPDX-License-Identifier: MIT
"""Write the project's addresses into pyproject.toml, which has them, and into the files that cannot read them there.

usage: address.py REPOSITORY DOCUMENTATION
"""

from __future__ import annotations

import re
import sys

from project import PYPROJECT, ROOT, stated_addresses
from releasable import COPIES


def main(repository: str, documentation: str) -> int:
    """Replace each address where it stands."""
    for address in (repository, documentation):
        if not re.fullmatch(r"https://[\w.-]+(/[\w./~-]*[\w~-])?", address):
            raise SystemExit(f"{address!r}: an address begins with https:// and ends with no slash")
    old = stated_addresses()
    new = {
        name: documentation if name == "Documentation" else address.replace(old["Source"], repository, 1)
        for name, address in old.items()
    }
    # Longest first: one may begin with another.
    for path in (PYPROJECT, *(ROOT / name for name in COPIES)):
        text = path.read_text(encoding="utf-8")
        for name in sorted(old, key=lambda name: -len(old[name])):
            text = re.sub(rf'{re.escape(old[name])}(?=["\s])', lambda _, name=name: new[name], text)
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit("usage: make address REPOSITORY=https://… DOCUMENTATION=https://…")
    raise SystemExit(main(*sys.argv[1:]))
