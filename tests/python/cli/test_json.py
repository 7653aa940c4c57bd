# SPDX-License-Identifier: MIT
"""The keys of every ``--json`` are those that docs/command-line-json.md lists."""

from __future__ import annotations

import json
import re
from pathlib import Path

import known_motions
import pytest

from skelkin_py.cli import main

PAGE = Path(__file__).parents[3] / "docs" / "command-line-json.md"


@pytest.fixture
def walk(make_walk, tmp_path: Path) -> Path:
    path = tmp_path / "clips" / "walk.bvh"
    path.parent.mkdir()
    make_walk().clip.save(path)
    return path


def listed(command: str) -> set[str]:
    """Return the keys in the first column of a command's table."""
    part = PAGE.read_text(encoding="utf-8").split(f"## `skelkin {command} --json`")[1].split("\n## ")[0]
    return {key for row in re.findall(r"^\| (`.*?) \|", part, flags=re.M) for key in re.findall(r"`(\w+)`", row)}


def told(capsys) -> list[dict]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.slow
def test_check(walk: Path, capsys) -> None:
    assert main(["check", str(walk), "none.bvh", "--json", "--max-slide", "0", "--against", str(walk.parent)]) == 1
    good, failed = told(capsys)
    assert listed("check") == set(good) | set(failed) | set(good["over"][0])
    assert set(failed) == {"schema", "clip", "status", "error"}


def test_info(walk: Path, capsys) -> None:
    assert main(["info", str(walk), str(walk.parent), "--json"]) == 0
    (good,) = told(capsys)
    cycle = walk.with_name("cycle.bvh")
    known_motions.known("in place", fps=30.0).clip.save(cycle)
    assert main(["info", str(cycle), "--json"]) == 0
    pace = json.loads(capsys.readouterr().out)["pace"]
    assert listed("info") == set(good) | set(good["legs"][0]) | set(good["file"]) | set(pace)


def test_plant(walk: Path, tmp_path: Path, capsys) -> None:
    many = ["plant", str(walk.parent), "-o", str(tmp_path / "out"), "--json", "--jobs", "1"]
    assert main(many) == 0
    planted, _ = told(capsys)
    (walk.parent / "broken.bvh").write_text("HIERARCHY")
    assert main(many) == 1
    skipped, failed, last = told(capsys)
    assert [each["status"] for each in (planted, skipped, failed)] == ["planted", "skipped", "failed"]
    assert set(skipped) | set(failed) | set(last) == listed("plant")
    assert set(failed) == {"clip", "output", "status", "error"}
    assert {"schema", "slide_mean", "legs"} <= set(planted)
    words = set(
        re.findall(r"`(\w+)`", next(row for row in PAGE.read_text().splitlines() if row.startswith("| `summary`")))
    )
    assert words - {"summary"} == set(last["summary"]) - {"slide_mean_cm", "slide_worst_cm"}
