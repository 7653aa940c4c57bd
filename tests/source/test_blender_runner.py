# SPDX-License-Identifier: MIT
"""The runner of the Blender tests believes no process that crashed, hung or lost tests, whatever it printed."""

from __future__ import annotations

import argparse
import importlib
import sys
import textwrap
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = Path(__file__).resolve().parent.parent / "blender"
REPORT = '<testsuites><testsuite tests="{}" failures="{}" errors="0" skipped="0"></testsuite></testsuites>'


@pytest.fixture
def runner(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(FOLDER))
    return importlib.import_module("run")


def outcome_of(runner: ModuleType, tmp_path: Path, *, tests: int = 2, collected: int = 2, failures: int = 0, end: str):
    """Run a stand-in for a Blender that writes such a report and then ends like this."""
    script = textwrap.dedent(f"""
        import os, sys, time
        report = next(a.split("=", 1)[1] for a in sys.argv if a.startswith("--junitxml="))
        open(os.environ["SKELKIN_TEST_COLLECTED"], "w").write("{collected}")
        if {tests}:
            open(report, "w").write('{REPORT.format(tests, failures)}')
        print("2 passed")
        {end}
    """)
    blender = runner.Blender("9.9", lambda arguments: [sys.executable, "-c", script, *arguments], lambda file: [])
    options = argparse.Namespace(k=None, timeout=1.0)
    return runner.run_file(blender, FOLDER / "test_rigs.py", None, tmp_path, options)


def test_a_clean_process_counts_its_tests(runner: ModuleType, tmp_path: Path) -> None:
    outcome = outcome_of(runner, tmp_path, end="sys.exit(0)")
    assert (outcome.passed, outcome.failed, outcome.problems) == (2, 0, [])


@pytest.mark.parametrize(
    ("end", "change", "problem"),
    [
        ("os._exit(0)", {"tests": 0}, "wrote no report"),
        ("os._exit(0)", {"collected": 3}, "reported 2 of 3 tests"),
        ("os.abort()", {}, "ended with exit code -6"),
        ("time.sleep(60)", {}, "stopped after 1 s"),
    ],
)
def test_what_went_wrong_is_a_failure_with_its_reason(
    runner: ModuleType, tmp_path: Path, end: str, change: dict[str, int], problem: str
) -> None:
    outcome = outcome_of(runner, tmp_path, end=end, **change)
    assert outcome.failed == 1
    assert problem in outcome.problems[0]
    assert problem in (tmp_path / "blender-9.9-test_rigs.problems.xml").read_text()


def test_failures_in_the_report_are_counted_once(runner: ModuleType, tmp_path: Path) -> None:
    outcome = outcome_of(runner, tmp_path, failures=1, end="sys.exit(1)")
    assert (outcome.passed, outcome.failed) == (1, 1)
