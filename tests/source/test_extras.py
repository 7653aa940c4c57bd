# SPDX-License-Identifier: MIT
"""Extras: what messages advise is there, and what is promised as the oldest is what the oldest tests meet."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[2]


def extras() -> dict[str, dict[str, Requirement]]:
    """Return what each extra of pyproject.toml installs, by name."""
    table = (ROOT / "pyproject.toml").read_text().split("[project.optional-dependencies]\n")[1].split("\n\n")[0]
    rows = (line.split(" = ") for line in table.splitlines())
    return {name: {r.name: r for r in map(Requirement, ast.literal_eval(told))} for name, told in rows}


def test_the_extra_of_each_message_installs_the_package_that_was_missing() -> None:
    told = set()
    for path in (ROOT / "skelkin_py").rglob("*.py"):
        told |= set(re.findall(r'MissingExtraError\(.*?"(\w+)", "(\w+)"\)', path.read_text()))
    assert {extra for _, extra in told} == set(extras()) - {"all"}
    assert {(package, extra) for package, extra in told if package not in extras()[extra]} == set()


def test_the_oldest_that_is_tested_is_the_oldest_that_is_promised() -> None:
    lines = [line for line in (ROOT / "requirements/oldest.txt").read_text().splitlines() if not line.startswith("#")]
    pinned: dict[str, Requirement] = {}
    for each in map(Requirement, lines):
        pinned.setdefault(each.name, each)  # that of the oldest Python stands first
    for extra in ("view", "film", "ground"):
        for name, promised in extras()[extra].items():
            (floor,) = (s.version for s in promised.specifier)
            (oldest,) = (s.version for s in pinned[name].specifier)
            assert re.fullmatch(re.escape(floor) + r"(\.0)*", oldest), (name, floor, oldest)
