# SPDX-License-Identifier: MIT
"""Make the wheels of this system from the sdist of dist/, by cibuildwheel as pyproject.toml tells it, into dist/."""

from __future__ import annotations

import os
import platform
import subprocess

import environments
from project import ROOT, commit_time, version
from systems import PYTHONS, SYSTEMS, wheel_of


def main() -> int:
    """Build, and fail where a wheel of this system is not there."""
    dist = ROOT / "dist"
    python = environments.make(ROOT / ".venvs" / "wheels", "wheels")
    environment = {**os.environ, "SOURCE_DATE_EPOCH": commit_time()}
    command = [
        str(python),
        "-m",
        "cibuildwheel",
        "--output-dir",
        str(dist),
        str(dist / f"skelkin_py-{version()}.tar.gz"),
    ]
    subprocess.run(command, env=environment, check=True)
    machine = platform.machine().lower()
    kind = {"Darwin": "macosx", "Windows": "win"}.get(platform.system(), "linux")
    own = [system for system in SYSTEMS if system.wheel[1] == machine and kind in system.wheel[0]]
    wheels = list(dist.glob(f"skelkin_py-{version()}-*.whl"))
    missing = [f"{tag} for {each.name}" for each in own for tag in PYTHONS if wheel_of(wheels, each, tag) is None]
    if missing or not own:
        raise SystemExit(f"not made: {', '.join(missing) or f'wheels for {kind} {machine}, which no list knows'}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
