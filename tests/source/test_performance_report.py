# SPDX-License-Identifier: MIT
"""The tables of the results are what their command writes, and verdicts follow from the results alone."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from scripts import ROOT, load_benchmark

NAMES = sorted(path.stem for path in (ROOT / "benchmarks" / "results").glob("*.json"))


@pytest.fixture(scope="module")
def files() -> ModuleType:
    return load_benchmark("result_file")


@pytest.fixture(scope="module")
def bars() -> ModuleType:
    return load_benchmark("bars")


@pytest.fixture(scope="module")
def report() -> ModuleType:
    return load_benchmark("report")


def theme(unit: str = "Mverts/s", ratios: dict[str, Any] | None = None, **figures: float) -> dict[str, Any]:
    """Return a theme of one case, "c"; underscores of candidates are blanks."""
    rows = {
        name.replace("__", ", ").replace("_", " "): {"figure": [value * 0.9, value, value * 1.1], "samples": 9}
        for name, value in figures.items()
    }
    rows = {name.replace("out", "out="): row for name, row in rows.items()}
    case = {"name": "c", "unit": unit, "candidates": rows, "ratios": ratios or {}}
    return {"run": {"seed": 1}, "versions": {"numpy": "2"}, "not run": {"ozz": "OZZ is not set"}, "cases": [case]}


def results(files: ModuleType, *args: Any, **figures: float) -> Any:
    return files.Results({"cpu": "A CPU", "themes": {"t": theme(*args, **figures)}})


@pytest.mark.parametrize("name", NAMES)
def test_tables_are_what_the_command_writes(report: ModuleType, files: ModuleType, name: str) -> None:
    path = files.path_of(name)
    assert report.text(files.Results(files.read(path)), name) == path.with_suffix(".md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("own", "verdict"), [(200.0, "reached"), (100.0, "missed by 2.00 ×"), (199.0, "missed by 1.01 ×")]
)
def test_a_missed_bar_says_by_how_much(
    report: ModuleType, bars: ModuleType, files: ModuleType, own: float, verdict: str
) -> None:
    found = results(files, skelkin__out=own, numba_loop=50.0, numpy=10.0)
    judged = bars.judge(bars.Bar("what", "≥ 4 × numba loop", "c", against="numba loop", times=4), found)
    assert report.judged(judged) == verdict
    assert judged.peer == f"{own / 50:.2f} × numba loop"


def test_less_time_is_better(report: ModuleType, bars: ModuleType, files: ModuleType) -> None:
    found = results(files, "µs/call", skelkin__out=0.5, numba_loop=1.0, numpy=3.0)
    judged = bars.judge(bars.Bar("what", "≤ 0.8 × numba's time", "c", against="numba loop", times=1 / 0.8), found)
    assert (report.judged(judged), judged.reached, judged.peer) == ("reached", "0.50 ×", "2.00 × numba loop")


def test_ratios_in_pairs_go_before_those_of_the_medians(bars: ModuleType, files: ModuleType) -> None:
    pairs = {"skelkin, out=": {"numba loop": [1.5, 1.6, 1.7]}}
    found = results(files, "Mverts/s", pairs, skelkin__out=200.0, numba_loop=50.0)
    judged = bars.judge(bars.Bar("what", "", "c", against="numba loop", times=2), found)
    assert judged.reached == "1.60 × (1.50 to 1.70)"
    assert judged.part == pytest.approx(0.8)


def test_a_case_that_was_not_measured_has_no_verdict(bars: ModuleType, files: ModuleType) -> None:
    found = results(files, skelkin__out=1.0)
    assert bars.judge(bars.Bar("what", "", "other", against="numba loop", times=1), found) is None
    assert bars.judge(bars.Bar("what", "", "c", against="numba loop", times=1), found) is None


def test_the_strongest_peer_is_neither_own_nor_a_limit(files: ModuleType) -> None:
    found = results(files, skelkin__out=9.0, skelkin=8.0, memcpy=50.0, numba_loop=3.0, jax=4.0)
    assert found.best_peer("c") == "jax"
    assert results(files, skelkin__out=9.0, memcpy=50.0).best_peer("c") is None


def test_bars_missed_for_one_reason_stand_together(
    report: ModuleType, bars: ModuleType, files: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bars, "WHY", {"mesh": "It is large."})
    found = [
        bars.Verdict(bars.Bar(what, "≥ 2 × numba", "c", times=2), f"{part * 2:.2f} × (0.10 to 9.00)", part, "")
        for what, part in (("mesh, one pose", 0.5), ("mesh: 64 poses", 0.7), ("mesh, 9 poses", 1.0), ("other", 0.9))
    ]
    found.append(bars.Verdict(bars.Bar("mesh", "≥ 3 × jax", "c", times=3), "2.40 ×", 0.8, ""))
    assert report.missed(found) == [
        "- *mesh* (≥ 2 × numba: 1.00 × to 1.40 ×; ≥ 3 × jax: 2.40 ×): It is large.",
        "- *other* (≥ 2 × numba: 1.80 ×): Not looked into yet.",
    ]


def test_tables_tell_quartiles_ratios_the_seed_and_what_was_not_run(report: ModuleType, files: ModuleType) -> None:
    pairs = {"skelkin, out=": {"numba loop": [1.5, 1.6, 1.7]}}
    page = report.text(results(files, "Mverts/s", pairs, skelkin__out=200.0, numba_loop=50.0), "a-cpu")
    assert "| c | numba loop | 50 | 45 to 55 | Mverts/s | 1.60 × (1.50 to 1.70) | 9 |" in page
    assert "Seed 1; numpy 2." in page
    assert "Not run: ozz (OZZ is not set)." in page


def test_a_theme_takes_the_place_of_its_former_run_and_leaves_the_others(files: ModuleType, tmp_path: Path) -> None:
    path, order = tmp_path / "cpu.json", ("first", "second")
    files.merge(path, "A CPU", "second", theme(numpy=1.0), order)
    files.merge(path, "A CPU", "first", theme(numpy=2.0), order)
    files.merge(path, "A CPU", "second", theme(numpy=3.0), order)
    found = files.read(path)
    assert list(found["themes"]) == ["first", "second"]
    medians = [each["cases"][0]["candidates"]["numpy"]["figure"][1] for each in found["themes"].values()]
    assert medians == [2.0, 3.0]
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("cpu", "name"),
    [
        ("AMD EPYC family 25 model 1", "amd-epyc-family-25-model-1"),
        ("Intel(R) Xeon(R) Processor family 6 model 167", "intel-xeon-processor-family-6-model-167"),
    ],
)
def test_each_cpu_has_a_file_of_its_own(files: ModuleType, cpu: str, name: str) -> None:
    assert files.slug(cpu) == name


def test_every_bar_is_of_a_case_that_the_reference_cpu_measured(bars: ModuleType, files: ModuleType) -> None:
    found = files.Results(files.read(files.path_of(files.REFERENCE)))
    assert [f"{bar.what}: {bar.words}" for bar in bars.BARS if bars.judge(bar, found) is None] == []
