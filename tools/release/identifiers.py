# SPDX-License-Identifier: MIT
"""Compare what cibuildwheel would build, and what it could, with the list of systems; run by a Python that has it."""

from __future__ import annotations

import fnmatch
import os
import re
import subprocess
import sys

from project import PYPROJECT, ROOT
from systems import builds

PLATFORMS = ("linux", "macos", "windows")


def identifiers(**options: str) -> set[str]:
    """Return cibuildwheel's names of the builds that it would make of this tree."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("CIBW_")}
    command = [sys.executable, "-m", "cibuildwheel", "--print-build-identifiers", "--archs", "all", str(ROOT)]
    found: set[str] = set()
    for platform in PLATFORMS:
        told = {**environment, "CIBW_PLATFORM": platform, **options}
        found.update(subprocess.run(command, env=told, capture_output=True, text=True, check=True).stdout.split())
    return found


def main() -> int:
    """Tell what differs."""
    listed = re.search(r"^skip = \[([^\]]*)\]", PYPROJECT.read_text(encoding="utf-8"), re.MULTILINE)
    skipped = re.findall(r'"([^"]+)"', listed[1]) if listed else []
    would, could = identifiers(), identifiers(CIBW_SKIP="")
    wrong = [f"{name}: not in tools/release/systems.py" for name in sorted(would - builds())]
    wrong += [f"{name}: in tools/release/systems.py, and not built" for name in sorted(builds() - would)]
    wrong += [f"skip {rule!r}: there is no such build" for rule in skipped if not fnmatch.filter(could, rule)]
    for each in wrong:
        print(each, file=sys.stderr)
    print(f"{len(would)} wheels as listed, {len(could - would)} builds skipped by name")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
