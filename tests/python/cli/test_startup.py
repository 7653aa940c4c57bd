# SPDX-License-Identifier: MIT
"""The command while it still loads: a signal ends it without a word; other programs keep their signals."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import pytest

SAFE = ["-P"] if sys.version_info >= (3, 11) else []
CODES = [(signal.SIGINT, 130), (signal.SIGTERM, 143)]
IDS = ["Ctrl-C", "SIGTERM"]
SCRIPT = "import sys\nfrom skelkin_py.cli import main\nsys.exit(main())\n"


def run(
    folder: Path, command: list[str], variables: Mapping[str, str] = MappingProxyType({}), unset: Sequence[str] = ()
) -> subprocess.CompletedProcess[str]:
    """Run Python with a folder's modules in front of all others."""
    kept = {name: value for name, value in os.environ.items() if name not in unset}
    environment = {**kept, "PYTHONPATH": str(folder), **variables}
    return subprocess.run(
        [sys.executable, *SAFE, *command],
        capture_output=True, text=True, check=False, timeout=300, env=environment, cwd=folder,
    )  # fmt: skip


def that_is_hit(folder: Path, module: str, sign: signal.Signals) -> None:
    """Write a module that sends its process a signal while it is imported."""
    (folder / f"{module}.py").write_text(f"import os\nos.kill(os.getpid(), {int(sign)})\nfor _ in range(1000): pass\n")


@pytest.mark.slow
@pytest.mark.parametrize(("sign", "code"), CODES, ids=IDS)
@pytest.mark.parametrize("module", ["numpy", "argparse"])
@pytest.mark.parametrize("command", [["skelkin"], ["-m", "skelkin_py"], ["-mskelkin_py"]], ids=" ".join)
def test_a_signal_ends_a_command_that_loads_without_a_word(
    tmp_path: Path, command: list[str], module: str, sign: signal.Signals, code: int
) -> None:
    that_is_hit(tmp_path, module, sign)
    (tmp_path / "skelkin").write_text(SCRIPT)
    done = run(tmp_path, [*command, "info", "none.bvh"])
    assert (done.returncode, done.stdout, done.stderr) == (code, "", "")


@pytest.mark.slow
def test_a_signal_that_is_ignored_stays_so(tmp_path: Path) -> None:
    """As of commands that a script starts in the background."""
    that_is_hit(tmp_path, "argparse", signal.SIGINT)
    with (tmp_path / "argparse.py").open("a") as file:
        file.write("print('went on', flush=True)\nos._exit(0)\n")
    ignored = [
        "-c",
        "import signal, sys, runpy; signal.signal(signal.SIGINT, signal.SIG_IGN); sys.argv = ['skelkin', 'info'];"
        "runpy.run_module('skelkin_py', run_name='__main__')",
    ]
    done = run(tmp_path, ignored)
    assert (done.returncode, done.stdout, done.stderr) == (0, "went on\n", "")


@pytest.mark.slow
@pytest.mark.parametrize("command", [["program.py"], ["-m", "program"], ["-m", "program", "skelkin_py"]], ids=" ".join)
def test_a_program_that_imports_the_package_keeps_its_signals(tmp_path: Path, command: list[str]) -> None:
    """Also a package that does so while Python looks for its module to run."""
    asks = (
        "import signal\n"
        "def told(): return signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)\n"
        "before = told()\nimport skelkin_py\nassert told() == before\n"
    )
    (tmp_path / "program.py").write_text(asks)
    (tmp_path / "program").mkdir()
    (tmp_path / "program" / "__init__.py").write_text(asks)
    (tmp_path / "program" / "__main__.py").write_text("print('ran')")
    done = run(tmp_path, command)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
def test_once_it_has_loaded_signals_mean_what_they_did(tmp_path: Path) -> None:
    asks = (
        "import signal, sys\nsys.argv = ['skelkin', '--version']\nfrom skelkin_py.cli import main\n"
        "assert signal.getsignal(signal.SIGINT) is not signal.default_int_handler\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "assert signal.getsignal(signal.SIGINT) is signal.default_int_handler\n"
        "assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL\n"
    )
    done = run(tmp_path, ["-c", asks])
    assert (done.returncode, done.stdout.split()[0], done.stderr) == (0, "skelkin", "")


@pytest.mark.slow
def test_the_command_loads_numpy_with_one_thread_and_tells_no_other_program(tmp_path: Path) -> None:
    asks = (
        "import gc, os, sys\nsys.argv = ['skelkin', '--version']\nfrom skelkin_py.cli import main\n"
        "assert not gc.isenabled()\nassert os.environ['OPENBLAS_NUM_THREADS'] == '1'\n"
        "assert os.environ['OMP_NUM_THREADS'] == '2'\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "assert gc.isenabled()\nassert 'OPENBLAS_NUM_THREADS' not in os.environ\n"
        "assert os.environ['OMP_NUM_THREADS'] == '2'\n"
        "print(len(os.listdir('/proc/self/task')))\n"
    )
    done = run(tmp_path, ["-c", asks], {"OMP_NUM_THREADS": "2"}, unset=["OPENBLAS_NUM_THREADS"])
    assert (done.returncode, done.stdout.split()[-1], done.stderr) == (0, "1", "")


@pytest.mark.slow
def test_a_program_that_runs_the_command_keeps_its_collector_as_it_is(tmp_path: Path) -> None:
    asks = (
        "import gc\ngc.disable()\nbefore = gc.get_freeze_count()\nfrom skelkin_py.cli import main\n"
        "assert main(['info', 'none.bvh']) == 1\n"
        "assert not gc.isenabled()\nassert gc.get_freeze_count() == before\n"
    )
    assert run(tmp_path, ["-c", asks]).returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize("command", ["plant", "check", "info", "view", "convert", "blender-check"])
def test_a_command_loads_itself_and_no_other(tmp_path: Path, command: str) -> None:
    asks = (
        "import sys\nfrom skelkin_py.cli import main\ntry:\n    main([sys.argv[1], '--help'])\nexcept SystemExit:\n"
        "    names = {'plant', 'check', 'info', 'view', 'convert', 'blender_check'}\n"
        "    print(*(name for name in names if f'skelkin_py.cli.{name}' in sys.modules), file=sys.stderr)\n"
    )
    done = run(tmp_path, ["-c", asks, command])
    assert (done.returncode, done.stderr.split()) == (0, [command.replace("-", "_")])
