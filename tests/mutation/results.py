# SPDX-License-Identifier: MIT
"""What came of the faults, on file; which of them a person found to change nothing; whether that is enough."""

from __future__ import annotations

import hashlib
import json
import runpy
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
source_hash = runpy.run_path(str(HERE.parents[1] / "skelkin_py" / "_support" / "source_hash.py"))["source_hash"]
RESULTS = HERE / "results.jsonl"
EQUIVALENTS = HERE / "equivalents.json"
LEAST_CAUGHT = 0.9
LEAST_TRIED = 200

Row = dict[str, Any]


def file_hash(csrc: Path, file: str) -> str:
    """Return the hash that ties a result to the file with the fault; of a file that is gone, none."""
    path = csrc / file
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12] if path.is_file() else ""


def read_results() -> tuple[Row, list[Row]]:
    """Return the seed with the hash of the sources, where a run has come to its end, and a row for each fault."""
    if not RESULTS.is_file():
        return {}, []
    head, *rows = [json.loads(line) for line in RESULTS.read_text(encoding="utf-8").splitlines()]
    return head, rows


def write_results(head: Row, rows: list[Row]) -> None:
    """Write all of them, in one step: whoever ends the run ends it between two faults."""
    new = RESULTS.with_suffix(".new")
    new.write_text("".join(json.dumps(each, ensure_ascii=False) + "\n" for each in (head, *rows)), encoding="utf-8")
    new.replace(RESULTS)


def read_equivalents() -> dict[tuple[str, str, str], str]:
    """Return why a fault changes nothing that anybody could see, by file, line of text and what that becomes."""
    listed = json.loads(EQUIVALENTS.read_text(encoding="utf-8")) if EQUIVALENTS.is_file() else []
    return {(each["file"], each["before"], each["after"]): each["reason"] for each in listed}


def reason_of(row: Row, equivalents: dict[tuple[str, str, str], str]) -> str:
    """Return why the fault of a row changes nothing; empty where it does."""
    return equivalents.get((row["file"], row["before"], row["after"]), "")


def sort_out(rows: list[Row], equivalents: dict[tuple[str, str, str], str]) -> dict[str, list[Row]]:
    """Return the rows that were caught, that were not, and that could not be."""
    missed = [row for row in rows if row["outcome"] == "not caught"]
    return {
        "caught": [row for row in rows if row["outcome"] == "caught"],
        "not caught": [row for row in missed if not reason_of(row, equivalents)],
        "equivalent": [row for row in missed if reason_of(row, equivalents)],
    }


def complaint(head: Row, rows: list[Row], equivalents: dict[tuple[str, str, str], str], csrc: Path) -> str:
    """Return one sentence on what is wrong with the results, nothing where they are of this tree and good enough."""
    if not head:
        return "no fault has been tried: run make mutate"
    others = sorted({row["file"] for row in rows if row["of"] != file_hash(csrc, row["file"])})
    if others:
        return f"files have changed since faults were tried in them ({', '.join(others)}): run make mutate"
    if head.get("csrc") != source_hash(csrc):
        return "no run of make mutate on these sources has come to its end: run it"
    sorted_out = {name: len(some) for name, some in sort_out(rows, equivalents).items()}
    if sum(sorted_out.values()) < LEAST_TRIED:
        return f"{sum(sorted_out.values())} faults have been tried, {LEAST_TRIED} are wanted: run make mutate"
    caught = sorted_out["caught"] / max(1, sorted_out["caught"] + sorted_out["not caught"])
    if caught < LEAST_CAUGHT:
        return (
            f"{caught:.1%} of the faults are caught, {LEAST_CAUGHT:.0%} are wanted: docs/mutation.md lists the others"
        )
    return ""
