# SPDX-License-Identifier: MIT
"""What every test may count on: `require`, the only place that skips, a home of its own and nothing of the caller's."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from bare_environment import clean

clean(os.environ)  # before the package or a test reads it, and for every program that a test starts

ROOT = Path(__file__).resolve().parent.parent
STRICT = os.environ.get("SKELKIN_STRICT") == "1"


def require(condition: object, reason: str) -> None:
    """Skip the test unless `condition` holds; where SKELKIN_STRICT=1 fail instead."""
    if condition:
        return
    if STRICT:
        pytest.fail(f"required here, and missing: {reason}")
    pytest.skip(reason)


@pytest.fixture(scope="session", name="require")
def _require() -> Callable[[object, str], None]:
    """`require` for test modules, which cannot import this file."""
    return require


def find_data() -> Path | None:
    """Return the folder of real clips and characters, known by its SOURCES.md."""
    for candidate in (os.environ.get("SKELKIN_DATA"), ROOT.parent / "shared" / "data"):
        if candidate and (Path(candidate) / "SOURCES.md").is_file():
            return Path(candidate)
    return None


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder of real clips and characters (SKELKIN_DATA, else ../shared/data)."""
    found = find_data()
    require(found, "clips and characters: set SKELKIN_DATA to a folder with SOURCES.md")
    assert found is not None
    return found


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Names for folders nobody has used yet; `mktemp` would look through those of all tests before to find one."""
    folder = tmp_path_factory.mktemp("homes")
    return (folder / str(number) for number in itertools.count())


@pytest.fixture(autouse=True)
def isolated_home(homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """Point every per-user folder at a temporary one."""
    home = next(homes)
    home.mkdir()
    for name in ("HOME", "XDG_CONFIG_HOME", "BLENDER_USER_RESOURCES", "MPLCONFIGDIR", "JUPYTER_CONFIG_DIR"):
        monkeypatch.setenv(name, str(home))


@pytest.fixture(autouse=True, scope="session")
def ctrl_c_is_heard() -> None:
    """Give SIGINT its usual meaning: a suite that runs in the background ignores it, and so would what tests start."""
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def tree_state() -> str:
    """Return what git sees changed in the source tree; empty where git or the tree is absent."""
    try:
        command = ["git", "-C", str(ROOT), "status", "--porcelain", "--untracked-files=all"]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return ""


@pytest.fixture(autouse=True, scope="session")
def tests_leave_the_tree_alone() -> Iterator[None]:
    """Fail the run when a test wrote into the source tree instead of its own tmp_path."""
    before = tree_state().splitlines()
    yield
    changed = [line for line in tree_state().splitlines() if line not in before]
    if changed:
        pytest.fail("a test wrote outside tmp_path:\n" + "\n".join(changed))
