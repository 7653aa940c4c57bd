# SPDX-License-Identifier: MIT
"""What docs/coverage.md is made from: lines, a reason for each low file and no other, hashes of the tree."""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType

import pytest
from scripts import load_script


@pytest.fixture(scope="module")
def page() -> ModuleType:
    """tools/coverage_page.py, which is in no package."""
    return load_script("tools/coverage_page.py")


def test_a_line_that_ran_in_one_of_its_copies_has_run(page: ModuleType, tmp_path: Path) -> None:
    name = "csrc/core/base/status.c"
    for k, counts in enumerate(([(1, 0), (1, 2), (3, 0)], [(1, 0), (4, 5), (7, 0)])):
        lines = [{"line_number": number, "count": count} for number, count in counts]
        (tmp_path / f"{k}.json").write_text(json.dumps({"files": [{"file": name, "lines": lines}]}))
    count = page.count_c([tmp_path / "0.json", tmp_path / "1.json"])[name]
    assert (count.lines, count.run) == (4, 2)


def test_a_file_that_no_compiler_has_seen_did_not_run(page: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "none.json").write_text('{"files": []}')
    counts = page.count_c([tmp_path / "none.json"])
    assert counts["csrc/kernels/simd/wide_neon.h"].part == 0.0
    assert counts["csrc/include/skelkin/base.h"].part == 1.0  # declarations alone


def test_a_low_file_needs_a_reason_and_no_other_file_has_one(page: ModuleType) -> None:
    low = {"a.c": page.Count(10, 8), "b.py": page.Count(10, 0)}
    assert page.wrong_reasons(low, {"a.c": "why", "b.py": "why"}) == []
    (lacking,) = page.wrong_reasons(low, {"b.py": "why"})
    assert lacking.startswith("a.c: 80.0 %")
    (spare,) = page.wrong_reasons(low, {"a.c": "why", "b.py": "why", "c.c": "why"})
    assert spare.startswith("c.c: has a reason")


def test_a_page_of_another_tree_is_told(
    page: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    written = tmp_path / "coverage.md"
    monkeypatch.setattr(page, "PAGE", written)
    written.write_text(f"Sources: {page.hashes()}.\n")
    assert page.check() == 0
    written.write_text(f"Sources: {page.hashes()[::-1]}.\n")
    assert page.check() == 1
    assert "run `make coverage`" in capsys.readouterr().out
