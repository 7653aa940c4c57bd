# SPDX-License-Identifier: MIT
"""The runner of the Blender tests believes no process that crashed, hung or lost tests, whatever it printed."""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = Path(__file__).resolve().parent.parent / "blender"
REPORT = '<testsuites><testsuite tests="{}" failures="{}" errors="0" skipped="0"></testsuite></testsuites>'


@pytest.fixture
def runner(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(FOLDER))
    return importlib.import_module("run")


def outcome_of(
    runner: ModuleType,
    tmp_path: Path,
    end: str,
    *,
    tests: int = 2,
    collected: int = 2,
    failures: int = 0,
    limit: int = 100,
):
    """Run a stand-in for a Blender that has written such a report when it begins, and then ends like this."""

    def command(arguments: list[str]) -> list[str]:
        given = dict(argument.split("=", 1) for argument in arguments if "=" in argument)
        (Path(given["--basetemp"]).parent / "collected").write_text(str(collected))
        if tests:
            Path(given["--junitxml"]).write_text(REPORT.format(tests, failures))
        return [sys.executable, "-c", f"import os, sys, time; print('2 passed', flush=True); {end}"]

    blender = runner.Blender("9.9", command, lambda file: [])
    options = argparse.Namespace(k=None, timeout=limit, whole=False)
    return runner.run_files(blender, [FOLDER / "test_rigs.py"], None, tmp_path, options)


def test_a_clean_process_counts_its_tests(runner: ModuleType, tmp_path: Path) -> None:
    outcome = outcome_of(runner, tmp_path, "sys.exit(0)")
    assert (outcome.passed, outcome.failed, outcome.problems) == (2, 0, [])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("end", "change", "problem"),
    [
        ("os._exit(0)", {"tests": 0}, "wrote no report"),
        ("os._exit(0)", {"collected": 3}, "reported 2 of 3 tests"),
        ("os.abort()", {}, "ended with exit code -6"),
        ("time.sleep(60)", {"limit": 1}, "stopped after 1 s"),
    ],
)
def test_what_went_wrong_is_a_failure_with_its_reason(
    runner: ModuleType, tmp_path: Path, end: str, change: dict[str, int], problem: str
) -> None:
    outcome = outcome_of(runner, tmp_path, end, **change)
    assert outcome.failed == 1
    assert problem in outcome.problems[0]
    assert problem in (tmp_path / "blender-9.9-test_rigs.problems.xml").read_text()


def test_failures_in_the_report_are_counted_once(runner: ModuleType, tmp_path: Path) -> None:
    outcome = outcome_of(runner, tmp_path, "sys.exit(1)", failures=1)
    assert (outcome.passed, outcome.failed) == (1, 1)
