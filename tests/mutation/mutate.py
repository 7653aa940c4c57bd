# SPDX-License-Identifier: MIT
"""Faults made in csrc, one at a time, and whether a test notices: `make mutate` writes docs/mutation.md.

What came of each fault is kept in results.jsonl at once, with the hash of its file. A run with the same seed goes on
where that ends, and tries those of files that have changed since; `--again` tries once more what no test noticed, for
whoever has added a test. `--only` looks at some files and keeps nothing. `--check` says whether the results are of this
tree and good enough.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from faults import Fault, draw
from page import PAGE, page_text
from results import complaint, file_hash, read_equivalents, read_results, reason_of, source_hash, write_results

ROOT = Path(__file__).resolve().parents[2]
CSRC = ROOT / "csrc"


def record(fault: Fault, outcome: str, by: str) -> dict[str, Any]:
    """Return what is kept of a fault."""
    line = (CSRC / fault.file).read_text(encoding="utf-8").split("\n")[fault.line - 1]
    place = {"file": fault.file, "of": file_hash(CSRC, fault.file), "line": fault.line, "column": fault.column}
    change = {"kind": fault.kind, "before": line.strip(), "after": fault.changed(line).strip()}
    return {**place, **change, "outcome": outcome, "by": by}


class Run:
    """Faults taken one after the other by several workers, until enough have been tried."""

    def __init__(self, seed: int, count: int, again: bool, only: str) -> None:
        head, rows = read_results() if not only else ({"seed": seed}, [])
        self.head: dict[str, Any] = {"seed": seed}
        self.rows = [row for row in rows if head["seed"] == seed and row["of"] == file_hash(CSRC, row["file"])]
        self.again = again
        self.equivalents = read_equivalents()
        done = {(row["file"], row["line"], row["column"], row["after"]): row for row in self.rows}
        self.count, self.tried = count, 0
        self.kept = not only
        self.order = (fault for fault in draw(CSRC, seed) if re.search(only, fault.file))
        self.done = done
        self.lock = threading.Lock()

    def next_fault(self) -> Fault | None:
        """Return a fault that is to be tried; nothing where there are enough."""
        with self.lock:
            while self.tried < self.count:
                fault = next(self.order, None)
                if fault is None:
                    return None
                row = self.done.get(self.key(fault))
                if row is None or (self.again and self.may_be_caught(row)):
                    self.tried += 1
                    return fault
                self.tried += row["outcome"] in ("caught", "not caught")
            return None

    def may_be_caught(self, row: dict[str, Any]) -> bool:
        """Whether a fault changes something, and no test has noticed it."""
        return row["outcome"] == "not caught" and not reason_of(row, self.equivalents)

    def key(self, fault: Fault) -> tuple[Any, ...]:
        """Return what tells a fault from all others."""
        row = record(fault, "", "")
        return row["file"], row["line"], row["column"], row["after"]

    def keep(self, fault: Fault, outcome: str, by: str) -> None:
        """Write what came of a fault; one that is none makes place for another."""
        with self.lock:
            row = record(fault, outcome, by)
            self.tried -= outcome not in ("caught", "not caught")
            self.rows = [other for other in self.rows if other is not self.done.get(self.key(fault))]
            self.rows.append(row)
            self.done[self.key(fault)] = row
            if self.kept:
                write_results(self.head, self.rows)
            print(f"{self.tried:4} {outcome}: {row['file']}:{row['line']}: {row['after']}  [{by}]", flush=True)

    def end(self) -> None:
        """Write of which sources the results are, now that there are enough."""
        self.head["csrc"] = source_hash(CSRC)
        write_results(self.head, self.rows)

    def work(self, slot: Any, trials: Any) -> None:
        """Try faults until there are enough."""
        while fault := self.next_fault():
            self.keep(fault, *trials.judge(slot, fault))


def main() -> int:
    """Run, or check what was run."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument(
        "--seconds", type=float, default=100.0, help="of tests for one fault: what they miss is not caught"
    )
    parser.add_argument("--again", action="store_true", help="try once more what no test noticed")
    parser.add_argument("--only", default="", help="files to look at, as a regular expression: nothing is kept")
    parser.add_argument("--page", action="store_true", help="write the page alone")
    parser.add_argument("--check", action="store_true", help="say whether the results are of this tree and good enough")
    asked = parser.parse_args()
    if not (asked.check or asked.page):
        from scratch import Slot, copy_tree  # needs the compiler and numpy
        from trial import Trials

        os.environ["CCACHE_DISABLE"] = "1"  # objects from a cache count lines under other paths
        run = Run(asked.seed, asked.count, asked.again, asked.only)
        copy_tree()
        slots = [Slot(number) for number in range(asked.jobs)]
        trials = Trials(slots, asked.seconds)
        with ThreadPoolExecutor(asked.jobs) as pool:
            for worker in [pool.submit(run.work, slot, trials) for slot in slots]:
                worker.result()
        if asked.only:
            return 0
        run.end()
    head, rows = read_results()
    if not asked.check:
        PAGE.write_text(page_text(head, rows, read_equivalents()), encoding="utf-8")
    wrong = complaint(head, rows, read_equivalents(), CSRC)
    print(wrong or "the faults were tried on these C sources, and enough of them are caught")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
