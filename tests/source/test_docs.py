# SPDX-License-Identifier: MIT
"""The pages of docs/: their Python runs as printed, their links lead somewhere, their figures are what is computed."""

from __future__ import annotations

import importlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
NOTEBOOKS = sorted((DOCS.parent / "examples").glob("*.ipynb"))
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", flags=re.DOTALL | re.MULTILINE)


def page_id(page: Path) -> str:
    return page.relative_to(DOCS.parent).as_posix()


def blocks(page: Path, *languages: str) -> list[tuple[str, str]]:
    return [found for found in BLOCK.findall(page.read_text(encoding="utf-8")) if found[0] in languages]


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_python_runs_as_printed(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, object] = {}
    for _, block in blocks(page, "python"):
        exec(compile(block, page.name, "exec"), namespace)


# The start in C makes the library first: `make test-c` runs it. The commands of the reference need clips of one's own.
SHELL_PAGES = [page for page in PAGES if page.parent != DOCS and page.name != "c.md" and blocks(page, "sh")]


def test_pages_with_shell_commands_are_found() -> None:
    assert {"docs/start/shell.md", "docs/guides/data-sets.md"} <= {page_id(page) for page in SHELL_PAGES}


@pytest.mark.slow
@pytest.mark.parametrize("page", SHELL_PAGES, ids=page_id)
def test_shell_commands_run_and_print_what_the_page_says(page: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    printed = ""
    for language, block in blocks(page, "sh", "output"):
        if language == "output":
            assert block in printed
            continue
        command = ["bash", "-e", "-o", "pipefail", "-c", block]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{block}{done.stdout}{done.stderr}"
        printed = done.stdout


def test_c_of_the_start_is_that_of_the_examples() -> None:
    sources = "".join(path.read_text(encoding="utf-8") for path in (DOCS.parent / "examples/c").glob("*.c"))
    shown = [block for _, block in blocks(DOCS / "start" / "c.md", "c")]
    assert shown
    assert all(block in sources for block in shown)


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.name)
def test_notebooks_are_kept_without_what_they_print(notebook: Path) -> None:
    """The site runs them; what is on file could only be older."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert code
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)


@pytest.mark.parametrize("page", [*PAGES, *NOTEBOOKS, DOCS.parent / "README.md"], ids=page_id)
def test_links_lead_to_files(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_a_page_takes_a_quarter_of_an_hour_to_read_at_most() -> None:
    measured = (DOCS / "measured.md").read_text(encoding="utf-8")  # lists what commands write
    read = [page for page in PAGES if page.name != "status.md" and f"]({page.relative_to(DOCS)})" not in measured]
    long = {page_id(page): len(page.read_text(encoding="utf-8").split()) for page in read}
    assert len(long) > 30
    assert {page: words for page, words in long.items() if words > 3000} == {}


def numbers(svg: str) -> np.ndarray:
    return np.array(re.findall(r"-?\d+\.\d+", svg), float)


@pytest.mark.parametrize("name", sorted(path.stem for path in (DOCS / "figures").glob("*.svg")))
def test_figures_are_what_their_script_draws(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(DOCS / "figures"))
    try:
        drawn = importlib.import_module(name).figure()
    finally:
        for module in (name, "svg", "panels", "walking"):
            sys.modules.pop(module, None)
    committed = (DOCS / "figures" / f"{name}.svg").read_text(encoding="utf-8")
    assert drawn.count("\n") == committed.count("\n")
    np.testing.assert_allclose(numbers(drawn), numbers(committed), atol=0.11)  # the last digit may round otherwise
