# SPDX-License-Identifier: MIT
"""Whatever a caller's shell says to Python, the package, matplotlib or the locale, no test and no Blender hears it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CALLERS = {
    "PYTHONUNBUFFERED": "1",
    "PYTHONWARNINGS": "ignore",
    "PYTHONIOENCODING": "ascii",
    "SKELKIN_NUM_THREADS": "7",
    "MPLBACKEND": "none",
    "XDG_CONFIG_HOME": "/none",
    "LC_ALL": "C",
}
STEERING = {"SKELKIN_STRICT": "1", "SKELKIN_DATA": "/data", "SKELKIN_ISA": "scalar", "PYTHON311": "a", "PYTHON313": "b"}
STARTS = {
    "pytest": """
sys.path.append("tests/support")
from scripts import load_script
load_script("tests/conftest.py")
print(json.dumps(dict(os.environ)))
""",
    "Blender": """
sys.path.append("tests/blender")
import processes
print(json.dumps(processes.environment(None, pathlib.Path(os.environ["TMPDIR"]))))
""",
}


@pytest.mark.slow
@pytest.mark.parametrize("what", STARTS)
def test_what_steers_the_tests_stays_and_no_other_variable(what: str, tmp_path: Path) -> None:
    own = {"PATH": os.environ["PATH"], "TMPDIR": str(tmp_path)}
    told = subprocess.run(
        [sys.executable, "-c", f"import json, os, pathlib, sys\n{STARTS[what]}"],
        check=True, capture_output=True, env={**own, **CALLERS, **STEERING}, cwd=ROOT,
    ).stdout  # fmt: skip
    left = json.loads(told)
    assert {name for name, value in CALLERS.items() if left.get(name) == value} == set()
    expected = {name: value for name, value in STEERING.items() if what == "pytest" or name.startswith("SKELKIN_")}
    assert {name: left[name] for name in expected} == expected


def test_no_recipe_of_make_hears_what_python_is_told() -> None:
    told = subprocess.run(
        ["make", "-s", "--eval", "tell: ; @env", "tell", "PYTHON=python3"],
        check=True, capture_output=True, text=True, env={**os.environ, **CALLERS, **STEERING}, cwd=ROOT,
    ).stdout  # fmt: skip
    names = {line.split("=")[0] for line in told.splitlines()}
    assert {name for name in names if name.startswith("PYTHON")} == {"PYTHON", "PYTHON311", "PYTHON313"}
    assert set(STEERING) <= names
