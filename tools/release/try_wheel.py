# SPDX-License-Identifier: MIT
"""Install the wheel of dist/ that is for this system and run the quick tests on it, outside of the tree.

The extras of figures, films and meshes are there as well. On Windows the tests of what POSIX alone has are left out.
"""

from __future__ import annotations

import os
import subprocess
import tempfile

import environments
from project import ROOT


def main() -> int:
    """Return pytest's exit code."""
    python = environments.make(ROOT / ".venvs" / "try-wheel", "develop")
    environments.built_package(python)
    chosen = "not slow and not posix" if os.name == "nt" else "not slow"
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as outside:
        subprocess.run([python, ROOT / "tools" / "wheels" / "look.py"], cwd=outside, check=True)
        pytest = [python, "-m", "pytest", "-q", "-n", str(os.cpu_count() or 1), "-m", chosen, "-p", "no:cacheprovider"]
        places = ["-c", ROOT / "pyproject.toml", "--rootdir", ROOT, ROOT / "tests" / "python"]
        environment = {**os.environ, "SKELKIN_INSTALLED": "1"}
        return subprocess.run([*pytest, *places], cwd=outside, env=environment, check=False).returncode


if __name__ == "__main__":
    raise SystemExit(main())
