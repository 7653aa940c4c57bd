# SPDX-License-Identifier: MIT
"""The pages of docs/: their Python runs as printed, their links lead somewhere, their figures are what is computed."""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path

import numpy as np
import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = sorted(DOCS.glob("*.md"))


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_runs_as_printed(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, object] = {}
    for block in re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.S):
        exec(compile(block, page.name, "exec"), namespace)


@pytest.mark.parametrize("page", [*PAGES, DOCS.parent / "README.md"], ids=lambda page: page.name)
def test_links_lead_to_files(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"


def numbers(svg: str) -> np.ndarray:
    return np.array(re.findall(r"-?\d+\.\d+", svg), float)


@pytest.mark.parametrize("name", sorted(path.stem for path in (DOCS / "figures").glob("*.svg")))
def test_figures_are_what_their_script_draws(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(DOCS / "figures"))
    try:
        drawn = importlib.import_module(name).figure()
    finally:
        for module in (name, "svg"):
            sys.modules.pop(module, None)
    committed = (DOCS / "figures" / f"{name}.svg").read_text(encoding="utf-8")
    assert drawn.count("\n") == committed.count("\n")
    np.testing.assert_allclose(numbers(drawn), numbers(committed), atol=0.11)  # the last digit may round otherwise
