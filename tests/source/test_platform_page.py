# SPDX-License-Identifier: MIT
"""docs/platforms.md is made from the records alone, and each target that it names is part of `make release-check`."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import pytest
from scripts import load_script

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def page() -> ModuleType:
    """tools/platform_page.py, which is in no package."""
    return load_script("tools/platform_page.py")


def test_the_page_is_that_of_the_records(page: ModuleType) -> None:
    assert page.PAGE.read_text(encoding="utf-8") == page.page_text(page.read())


def test_without_records_every_cell_says_why(page: ModuleType) -> None:
    rows = [(name, page.COLUMNS, *row) for name, row in page.PLATFORMS.items()]
    rows += [(name, ("built", "python"), "test-newer-pythons", why) for name, why in page.PYTHONS.items()]
    for name, columns, target, why in rows:
        for what in columns:
            cell = page.cell({}, name, what, target, why)
            assert re.fullmatch("not run: .+", cell)
            assert cell in page.page_text({})


def test_every_target_of_the_page_is_run_before_a_release(page: ModuleType) -> None:
    script = (ROOT / "tools" / "release_check.sh").read_text(encoding="utf-8")
    cpus = re.search(r"for cpu in ([\w ]+); do step \"make test-\$cpu\"", script)
    assert cpus
    run = {*re.findall(r"^step \"make ([\w-]+)\"", script, flags=re.M), *(f"test-{cpu}" for cpu in cpus[1].split())}
    assert {target for target, _ in page.PLATFORMS.values()} <= run
