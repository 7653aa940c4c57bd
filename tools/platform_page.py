# SPDX-License-Identifier: MIT
"""Write docs/platforms.md from the records that targets have left in docs/platforms.json, or add a record.

usage: platform_page.py [--record PLATFORM WHAT WORDS]

A record says what a target has built, run or audited there, and of which csrc. A cell without one says why.
"""

from __future__ import annotations

import json
import runpy
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools" / "release"))
from systems import SYSTEMS, UNTESTED, System  # noqa: E402

RECORDS, PAGE = ROOT / "docs" / "platforms.json", ROOT / "docs" / "platforms.md"
Records = dict[str, dict[str, list[str]]]
COLUMNS = {"built": "built", "c": "C programs", "python": "Python tests", "blender": "Blender", "audited": "audited"}
NO_BLENDER = "Blender is not made for it"
NO_WHEEL = "no wheel is made for it"
ELSEWHERE = "its wheel is built and tried where a release is, by `wheels.yml`"
NO_MAC = "built here, never run here"
#: platform → the target that fills its cells, and of the others why nothing does
PLATFORMS: dict[str, tuple[str, dict[str, str]]] = {
    "Windows x86-64, in wine": ("test-windows", {}),
    "Windows x86-64, MSVC": ("check-msvc", dict.fromkeys(("c", "python", "blender", "audited"), "needs MSVC")),
    "macOS arm64": ("build-macos", dict.fromkeys(("c", "python", "blender"), NO_MAC)),
    "macOS x86-64": ("build-macos", dict.fromkeys(("c", "python", "blender"), NO_MAC)),
    "Linux aarch64": (
        "test-arm",
        {"python": "no record of `make test-arm-python`", "blender": NO_BLENDER, "audited": ELSEWHERE},
    ),
    "Linux x86-64, musl": (
        "test-musl",
        {"python": "no CPython with musl is at hand", "blender": NO_BLENDER, "audited": ELSEWHERE},
    ),
    **{
        f"Linux {cpu}": (
            f"test-{cpu}",
            {"python": "numpy has no wheels for it", "blender": NO_BLENDER, "audited": NO_WHEEL},
        )
        for cpu in ("i686", "armhf", "s390x")
    },
}
NO_FREE_THREADED = "no free-threaded one is at hand: Debian has neither it nor, where this was tried, any sources"
PYTHONS: dict[str, dict[str, str]] = {
    "3.14": {},
    "3.15": {},
    "3.14t": dict.fromkeys(("built", "python"), NO_FREE_THREADED),
}
WORDS = """\
# Platforms

Made by the targets that it names (`tools/platform_page.py`); not to be edited. `make release-check` runs them, but for
`make test-arm-python`.

## Which file

{files}

`pip` finds the wheel by itself: each of these systems has one for CPython 3.10 and later, and one for the
free-threaded 3.14. Elsewhere it compiles the sdist, in plain C where the CPU has no kernels. Before anything is
published, the workflow `wheels.yml` builds each wheel on its system and plants a clip with it, runs the quick tests on
the first of the two (without musl), and installs the zips in a Blender of that system.

## What was tried here

Linux x86-64 is what every change is tested on, by `.ci/run`: the C programs, the package on CPython 3.10 to 3.13, the
add-on in Blender 3.4, 4.2, 4.5, 5.0 and 5.2 ([status](status.md)). The table says how far others go. "Not run" means
that nobody has run it here: it may work. [Windows](windows.md) has a page of its own.

{platforms}

## Newer Pythons

{pythons}
"""


def read() -> Records:
    """Return platform → what → words and the hash of csrc that they are of."""
    return json.loads(RECORDS.read_text(encoding="utf-8")) if RECORDS.is_file() else {}


def cell(records: Records, platform: str, what: str, target: str, why: dict[str, str]) -> str:
    """Return what is recorded, or why nothing is."""
    if found := records.get(platform, {}).get(what):
        return found[0]
    return f"not run: {why.get(what) or f'no record of `make {target}`'}"


def table(heads: list[str], rows: list[list[str]]) -> str:
    """Return a table in Markdown."""
    return "\n".join(f"| {' | '.join(row)} |" for row in (heads, ["---"] * len(heads), *rows))


def sources(records: Records, platform: str) -> str:
    """Return the hashes of csrc that the records of a platform are of."""
    return ", ".join(sorted({f"`{of}`" for _, of in records.get(platform, {}).values()})) or "none"


def trial(system: System) -> str:
    """Return where it is told what was tried of a system."""
    if system.row is None:
        return "nothing" if system.name in UNTESTED else "all of it, by every change"
    compiler = ", where mingw-w64 compiles; what is released MSVC does" if system.blender == "windows-x64" else ""
    return f"the row *{system.row}*{compiler}"


def page_text(records: Records) -> str:
    """Return the page."""
    platforms = [
        [name, *(cell(records, name, what, target, why) for what in COLUMNS), sources(records, name)]
        for name, (target, why) in PLATFORMS.items()
    ]
    pythons = [
        [
            name,
            *(cell(records, f"CPython {name}", what, "test-newer-pythons", why) for what in ("built", "python")),
            sources(records, f"CPython {name}"),
        ]
        for name, why in PYTHONS.items()
    ]
    files = [
        [
            each.name,
            *(f"`skelkin-…{kind}-{each.blender}.zip`" if each.blender else "–" for kind in ("", "-legacy")),
            trial(each),
        ]
        for each in SYSTEMS
    ]
    return WORDS.format(
        files=table(["system", "Blender 4.2 and later", "Blender 3.4 to 4.1", "tried here"], files),
        platforms=table(["platform", *COLUMNS.values(), "of `csrc`"], platforms),
        pythons=table(["CPython", "built", "tests", "of `csrc`"], pythons),
    )


def main(arguments: list[str]) -> None:
    """Add a record if one is given, and write the page."""
    records = read()
    if arguments:
        _, platform, what, words = arguments
        if platform not in {*PLATFORMS, *(f"CPython {name}" for name in PYTHONS)} or what not in COLUMNS:
            raise SystemExit(f"there is no cell for {what} of {platform}")
        hashing = runpy.run_path(str(ROOT / "skelkin_py" / "_support" / "source_hash.py"))
        records.setdefault(platform, {})[what] = [words, hashing["source_hash"](ROOT / "csrc")]
        RECORDS.write_text(json.dumps(records, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    PAGE.write_text(page_text(records), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
