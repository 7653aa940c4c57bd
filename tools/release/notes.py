# SPDX-License-Identifier: MIT
"""The notes of a release: which file is for whom and what of it was tested where, what is new, how to check a file."""

from __future__ import annotations

import json
import re

import changelog
from project import ROOT, addresses, version
from systems import SYSTEMS, UNTESTED, System

HERE = "every change: all tests, Blender 3.4, 4.2, 4.5, 5.0, 5.2"
WORDS = """\
# skelkin {version}

## Which file

In Python, on any system of the table: `pip install skelkin-py`.

| your system | Blender 4.2 and later | Blender 3.4 to 4.1 | tested, before this release was built |
|---|---|---|---|
{rows}

*Preferences ▸ Get Extensions ▸ Install from Disk*; before 4.2 *Add-ons ▸ Install*. Before it was published, every wheel
was built on its system and planted a clip there, those for CPython 3.10 and later passed the quick tests (with musl
not), and every zip was installed in a Blender of its system.

## What is new

{news}

## Checking a file

`SHA256SUMS` has the checksum of each: `sha256sum --check --ignore-missing SHA256SUMS`.{attested}
"""


def tested(system: System) -> str:
    """Return what docs/platforms.md records of a system."""
    if system.row is None:
        return "nothing" if system.name in UNTESTED else HERE
    records = json.loads((ROOT / "docs" / "platforms.json").read_text(encoding="utf-8")).get(system.row, {})
    found = [f"{what}: {records[key][0]}" for key, what in WHAT.items() if key in records]
    return "; ".join(found) or "nothing"


WHAT = {"c": "C programs", "python": "Python", "blender": "Blender", "built": "built"}


def linked(news: str, source: str, number: str) -> str:
    """Return text whose links to files of the tree are links to those of the tag; without an address, words alone."""
    there = rf"[\1]({source}/blob/v{number}/\2)" if source else r"\1"
    return re.sub(r"\[([^\]]+)\]\((?!https?://)([^)]+)\)", there, news)


def text() -> str:
    """Return the notes."""
    number = version()
    rows = []
    for system in SYSTEMS:
        zips = (f"`skelkin-{number}{kind}-{system.blender}.zip`" for kind in ("", "-legacy"))
        extension, legacy = zips if system.blender else ("–", "–")
        rows.append(f"| {system.name} | {extension} | {legacy} | {tested(system)} |")
    found = changelog.section(number)
    source = addresses().get("Source", "")
    owner = source.split("/", 3)[-1] if source else ""
    attested = f" Where it was built, `gh attestation verify FILE --repo {owner}` says." if owner else ""
    return WORDS.format(
        version=number,
        rows="\n".join(rows),
        news=linked(found.text if found else "", source, number),
        attested=attested,
    )
