# SPDX-License-Identifier: MIT
"""Install the add-on's zips of this system in Blender as a module, as a user would, and plant with them.

The Blender is the newest LTS for the Python that runs this: 4.5 for CPython 3.11, 5.2 for CPython 3.13.
"""

from __future__ import annotations

import platform
import subprocess
import sys
import tempfile
from pathlib import Path

import environments
from project import ROOT, version

sys.path.insert(0, str(ROOT / "tests" / "blender"))
from processes import environment

BLENDERS = {(3, 11): "bpy-4.5", (3, 13): "bpy-5.2"}
ZIPS = {("linux", "x86_64"): "linux-x64", ("win32", "amd64"): "windows-x64", ("darwin", "arm64"): "macos-arm64"}
ZIPS |= {("darwin", "x86_64"): "macos-x64"}


def main() -> int:
    """Return pytest's exit code."""
    blender = BLENDERS.get(sys.version_info[:2])
    system = ZIPS.get((sys.platform, platform.machine().lower()))
    if blender is None or system is None:
        raise SystemExit(f"no Blender is a module of CPython {platform.python_version()} on {platform.platform()}")
    python = environments.make(ROOT / ".venvs" / f"try-{blender}", blender)
    tests = ROOT / "tests" / "blender"
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        told = environment(None, Path(home), dist=ROOT / "dist", system=system)
        zip_path = ROOT / "dist" / f"skelkin-{version()}-{system}.zip"
        if told.get("SKELKIN_TEST_EXTENSION") != str(zip_path):
            raise SystemExit(f"{zip_path} is missing, or another one is newer")
        told["SKELKIN_TEST_COLLECTED"] = str(Path(home) / "collected")
        chosen = ["-m", "not posix"] if sys.platform == "win32" else []
        pytest = [python, "-P", "-B", "-m", "pytest", "-q", "-c", tests / "pytest.ini", "--rootdir", tests, *chosen]
        # The second installs the legacy zip too. Each has a process of its own, since a library stays loaded.
        files = [tests / "test_install.py", tests / "test_install_upgrades.py"]
        return max(subprocess.run([*pytest, each], cwd=home, env=told, check=False).returncode for each in files)


if __name__ == "__main__":
    raise SystemExit(main())
