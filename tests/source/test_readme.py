# SPDX-License-Identifier: MIT
"""The README's Python runs as printed, in its order."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import numpy as np
import pytest

import skelkin_py as sk

README = Path(__file__).resolve().parents[2] / "README.md"


def test_python_blocks_run_as_printed(
    data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    blocks = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), flags=re.S)
    assert len(blocks) >= 2
    shutil.copy(data_dir / "bvh" / "cmu_12_01_walk.bvh", tmp_path / "walk.bvh")
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, "README.md", "exec"), namespace)
    printed = capsys.readouterr().out
    assert "LeftUpLeg" in printed
    assert (tmp_path / "planted.bvh").stat().st_size > 100_000
    assert "<canvas" in (tmp_path / "planted.html").read_text(encoding="utf-8")


def test_printed_error_is_the_one_raised() -> None:
    found = re.search(r">>> (sk\.Skeleton.*)\nValueError: (.*)\n", README.read_text(encoding="utf-8"))
    assert found
    call, message = found.groups()
    with pytest.raises(ValueError, match=re.escape(message)):
        eval(call, {"sk": sk, "np": np})


def test_results_beside_motion_correction_are_those_of_their_page() -> None:
    page = (README.parent / "docs" / "planting-beside.md").read_text(encoding="utf-8").splitlines()
    rows = re.findall(r"^\| .*motion_correction \d+ \|$", README.read_text(encoding="utf-8"), flags=re.M)
    assert len(rows) >= 5
    assert set(rows) <= set(page)
