# SPDX-License-Identifier: MIT
"""docs/performance.md is what its command writes, and its verdicts follow from the rows alone."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest
from scripts import load_script

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def report() -> ModuleType:
    """benchmarks/report.py, which is no package."""
    sys.path.insert(0, str(ROOT / "benchmarks"))
    try:
        return load_script("benchmarks/report.py")
    finally:
        sys.path.pop(0)


def row(candidate: str, at_min: str, at_median: str, unit: str = "Mverts/s") -> dict[str, str]:
    about = {"theme": "t", "case": "c", "candidate": candidate, "unit": unit, "of_cpu": at_min}
    return {**about, "at_min": at_min, "at_median": at_median, "bytes": "12", "items": "100000", "flops": ""}


def test_page_is_what_the_command_writes(report: ModuleType) -> None:
    assert report.text() == (ROOT / "docs" / "performance.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("own", "verdict"), [("200", "reached"), ("100", "missed by 2.00 ×"), ("199", "missed by 1.01 ×")]
)
def test_a_missed_bar_says_by_how_much(report: ModuleType, own: str, verdict: str) -> None:
    rows = [row("skelkin, out=", own, own), row("numba loop", "50", "40"), row("numpy", "10", "10")]
    bar = report.Bar("what", "≥ 4 × numba loop", "c", against="numba loop", times=4)
    line = report.judge(bar, rows)
    assert line.endswith(f"| {verdict} |")
    assert f"{float(own) / 50:.2f} × numba loop" in line


def test_less_time_is_better(report: ModuleType) -> None:
    rows = [row("skelkin, out=", "0.5", "0.6", "µs/call"), row("numba loop", "1", "1.1", "µs/call")]
    bar = report.Bar("what", "≤ 0.8 × numba's time", "c", against="numba loop", times=1 / 0.8)
    assert report.judge(bar, rows).endswith("| reached |")


def test_the_copy_nearest_in_size_is_the_limit(report: ModuleType) -> None:
    rows = [row("skelkin, out=", "500", "500")]  # 6 GB/s into 1.2 MB
    for size, rate in (("256 KB", "30"), ("1.2 MB", "10"), ("77 MB", "5")):
        rows.append({**row("memcpy", rate, rate, "GB/s"), "case": f"memory, {size}"})
    bar = report.Bar("what", "≥ 55 % of memcpy", "c", against="memcpy", times=0.55)
    assert "| 0.60 × | 0.60 × |" in report.judge(bar, rows)


def test_a_case_that_was_not_measured_has_no_verdict(report: ModuleType) -> None:
    assert (
        report.judge(report.Bar("what", "", "other", against="numba loop", times=1), [row("numpy", "1", "1")]) is None
    )
