# SPDX-License-Identifier: MIT
"""How every Blender process of the tests and benchmarks is started: an environment of its own, a time limit."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.append(str(ROOT / "tests" / "support"))
from bare_environment import clean  # noqa: E402
from limited_runs import run_limited as run_limited  # noqa: E402


def binary_version(path: str) -> str | None:
    """Return "3.4" for a Blender binary that runs, None for anything else."""
    try:
        out = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=300, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return None
    match = re.search(r"^Blender (\d+\.\d+)", out, re.MULTILINE)
    return match.group(1) if match else None


def newest(pattern: str, dist: Path = ROOT / "dist") -> Path | None:
    """Return the newest file of dist/ that matches."""
    files = sorted(dist.glob(pattern), key=lambda p: p.stat().st_mtime)
    return files[-1] if files else None


def environment(site: Path | None, home: Path, dist: Path = ROOT / "dist", system: str = "linux-x64") -> dict[str, str]:
    """Return the environment of one process: a home of its own, the wheel's folder and the two add-on files."""
    env = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST_", "BLENDER_", "PYTHON"))}
    clean(env)
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "BLENDER_USER_RESOURCES", "MPLCONFIGDIR"):
        folder = home / name.lower()
        folder.mkdir(parents=True, exist_ok=True)
        env[name] = str(folder)
    env["TMPDIR"] = str(home)
    if os.name == "posix":  # Debian's Blender takes its modules from the python3 first on PATH
        env["PATH"] = "/usr/local/bin:/usr/bin:/bin"
    if site is not None:
        env["SKELKIN_TEST_PATH"] = env["PYTHONPATH"] = str(site)
    for name, pattern in (("LEGACY", f"skelkin-*-legacy-{system}.zip"), ("EXTENSION", f"skelkin-*[0-9]-{system}.zip")):
        if path := newest(pattern, dist):
            env["SKELKIN_TEST_" + name] = str(path)
    return env
