# SPDX-License-Identifier: MIT
"""The page of the results, docs/mutation.md."""

from __future__ import annotations

from pathlib import Path

from faults import FOLDERS, KINDS
from results import Row, reason_of, sort_out

PAGE = Path(__file__).resolve().parents[2] / "docs" / "mutation.md"
TEXT = """\
# Faults that the tests notice

Made by `make mutate`; not to be edited. One fault at a time is made in a copy of `csrc`, the file is compiled again,
and the tests run until one fails. Kinds: a sign turned, a bound or an index moved by one, `<` for `<=`, `&&` for `||`,
another constant (whole numbers one more, others doubled, below 0.000001 times 1000), another index. A seed draws them
from all code of `csrc/planting`, `csrc/core` and `csrc/kernels`, each kind as often as any other; of headers only those
of the kernels take part. What does not compile, or compiles to the same code, is not counted.

Tried are the C programs of `tests/c` and the files of quick Python tests (those not marked slow) that execute the line,
which gcov tells; then the same with every address and index checked, as in `make test-asan` and `make
test-asan-python`. A crash, or a run without an end, counts as noticed. Everything runs on one set of vector kernels,
and tests that compare instruction sets are left out: they would notice that the others have no fault.

Sources: `csrc` {csrc}. Seed {seed}. **{caught} of {counted} faults that change anything were caught: {share:.1%}.**

## By folder

{folders}

## By kind

{kinds}

## What noticed them

{noticed}

## Not caught

{missed}

## Equivalent

These change nothing that a caller could see, for the reason given.

{equivalent}
"""


def table(head: list[str], rows: list[list[str]]) -> str:
    """Return a table in Markdown."""
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, ["---"] * len(head), *rows))


def code(text: str) -> str:
    """Return a line of C for a cell of a table."""
    return "`" + text.replace("|", "\\|") + "`"


def counts(name: str, groups: dict[str, list[Row]], belongs: list[tuple[str, str]]) -> str:
    """Return a table of how many were caught and how many not, a row for each value of a property."""
    rows = []
    for value, shown in belongs:
        found = {group: sum(_property(row, name) == value for row in some) for group, some in groups.items()}
        share = found["caught"] / max(1, found["caught"] + found["not caught"])
        rows.append([shown, *(str(found[group]) for group in groups), f"{share:.0%}"])
    return table([name, *groups, "caught of the rest"], rows)


def _property(row: Row, name: str) -> str:
    return row["kind"] if name == "kind" else row["file"].split("/")[0]


def noticed_by(rows: list[Row]) -> str:
    """Return a table of what noticed how many."""
    ways = ["C programs", "quick Python tests", "C programs, every address checked", "the same of Python tests"]
    found = dict.fromkeys(ways, 0)
    for row in rows:
        by = row["by"].removeprefix("checked: ")
        found[ways[2 * row["by"].startswith("checked: ") + by.startswith("tests/python")]] += 1
    return table(["first noticed by", "faults"], [[way, str(number)] for way, number in found.items()])


def page_text(head: Row, rows: list[Row], equivalents: dict[tuple[str, str, str], str]) -> str:
    """Return the page."""
    groups = sort_out(rows, equivalents)
    places = {
        group: sorted(groups[group], key=lambda row: (row["file"], row["line"]))
        for group in ("not caught", "equivalent")
    }
    columns = [
        [f"{row['file']}:{row['line']}", code(row["before"]), code(row["after"])] for row in places["not caught"]
    ]
    reasons = [
        [f"{row['file']}:{row['line']}", code(row["before"]), code(row["after"]), reason_of(row, equivalents)]
        for row in places["equivalent"]
    ]
    caught, counted = len(groups["caught"]), len(groups["caught"]) + len(groups["not caught"])
    return TEXT.format(
        seed=head["seed"],
        csrc=head.get("csrc", "of several hashes (the run has not come to its end)"),
        caught=caught,
        counted=counted,
        share=caught / max(1, counted),
        folders=counts("folder", groups, [(folder, f"`csrc/{folder}`") for folder in FOLDERS]),
        kinds=counts("kind", groups, [(kind, kind) for kind in KINDS]),
        noticed=noticed_by(groups["caught"]),
        missed=table(["where", "line", "with the fault"], columns) if columns else "None.",
        equivalent=table(["where", "line", "with the fault", "why nothing changes"], reasons) if reasons else "None.",
    )
