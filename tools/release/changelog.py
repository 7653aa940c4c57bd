# SPDX-License-Identifier: MIT
"""The section of CHANGELOG.md that is of a version."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

CHANGELOG = Path(__file__).resolve().parents[2] / "CHANGELOG.md"


class Section(NamedTuple):
    """What the changelog says of a version."""

    when: str  # a date, "unreleased", or what else stands in the head
    text: str


def section(version: str, changelog: str | None = None) -> Section | None:
    """Return the section of a version, None where there is none."""
    text = CHANGELOG.read_text(encoding="utf-8") if changelog is None else changelog
    head = re.search(rf"^## {re.escape(version)}(?: - | \()?([^)\n]*)\)?\n", text, re.MULTILINE)
    if head is None:
        return None
    return Section(head[1], re.split(r"^## ", text[head.end() :], maxsplit=1, flags=re.MULTILINE)[0].strip())


def complaint(version: str, changelog: str | None = None) -> str:
    """Return what keeps a version from being released, empty if nothing."""
    found = section(version, changelog)
    if found is None or not found.text:
        return f"CHANGELOG.md says nothing of {version}"
    if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", found.when):
        return f'CHANGELOG.md says "{found.when}" of {version}: let its head be "## {version} - YYYY-MM-DD"'
    return ""
