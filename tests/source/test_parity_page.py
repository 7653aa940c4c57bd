# SPDX-License-Identifier: MIT
"""The page of parity is written from runs in which every Blender came to its end, and from no others."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = Path(__file__).resolve().parent.parent / "blender"
BEFORE = "# Page\n<!-- table: make parity -->\nold\n<!-- end of table -->\nafter\n"
REPORT = '<testsuites><testsuite><testcase name="process"><failure message="{}"/></testcase></testsuite></testsuites>'


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    monkeypatch.syspath_prepend(str(FOLDER))
    module = importlib.import_module("parity_page")
    monkeypatch.setattr(module, "PAGE", tmp_path / "page.md")
    module.PAGE.write_text(BEFORE)
    return module


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    path = tmp_path / "notes"
    lines = [{"part": "IK", "version": version, "error": 2e-7, "bound": 1e-5} for version in ("3.4.1", "4.2.0")]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_a_run_without_failures_is_written(page: ModuleType, notes: Path, tmp_path: Path) -> None:
    assert page.finish(0, notes, tmp_path) == 0
    assert "| part | bound | 3.4.1 | 4.2.0 |" in page.PAGE.read_text()
    assert page.PAGE.read_text().endswith("<!-- end of table -->\nafter\n")


def test_a_version_that_crashed_is_named_and_the_page_left(
    page: ModuleType, notes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "blender-4.5-test_ik.problems.xml").write_text(REPORT.format("wrote no report: it crashed"))
    (tmp_path / "blender-4.5-test_ik.xml").write_text("<testsuites")
    assert page.finish(1, notes, tmp_path) == 1
    assert page.PAGE.read_text() == BEFORE
    printed = capsys.readouterr().out
    assert "Blender 4.5: test_ik.py: process: wrote no report: it crashed" in printed
    assert "page.md stays as it is: something failed" in printed


@pytest.mark.parametrize("code", [0, 2])
def test_a_run_that_compared_nothing_is_a_failure(
    page: ModuleType, tmp_path: Path, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert page.finish(code, tmp_path / "missing", tmp_path) == (code or 1)
    assert page.PAGE.read_text() == BEFORE
    assert "page.md stays as it is" in capsys.readouterr().out
