# SPDX-License-Identifier: MIT
"""Write docs/coverage.md from what tools/coverage.sh has counted, or tell whether it is of this tree (--check).

Every file of C and Python with less than 90 % of its lines run by the tests has a reason in
tests/coverage_reasons.toml. A file without one, and a reason that no file needs, are errors.
"""

from __future__ import annotations

import argparse
import json
import re
import runpy
import sys
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "coverage.md"
HASHING = runpy.run_path(str(ROOT / "skelkin_py" / "_support" / "source_hash.py"))
SOURCES = {"csrc": HASHING["C_NAMES"], "skelkin_py": (".py",), "blender_addon": (".py",)}
BAR = 0.9
# A body of a function, which a file has that holds more than declarations and includes.
BODY = re.compile(r"^\w.*\)\s*\{", re.MULTILINE)
WORDS = """\
# Coverage

Made by `make coverage`; not to be edited. Which lines the tests run: of C, counted by gcov in the Python tests on every
instruction set of the CPU and in the C tests, with AVX-512 emulated where the CPU lacks it; of Python, counted by
coverage.py in the Python tests, in what these start, and in the add-on's tests in Blender 5.2. A kernel is one source
for all instruction sets; a line of it counts if it ran on one.

Sources: {hashes}.

| folder | files | lines | run |
|---|---:|---:|---:|
{folders}

## Files below {bar} %

The reasons are kept in `tests/coverage_reasons.toml`.

| file | lines | run | why |
|---|---:|---:|---|
{files}
"""


class Count(NamedTuple):
    """Lines that could run, and those that did."""

    lines: int
    run: int

    @property
    def part(self) -> float:
        """Return the part that ran, of nothing all."""
        return self.run / self.lines if self.lines else 1.0


def hashes() -> str:
    """Return what the page states of the sources: a hash of names and contents for each folder."""
    return ", ".join(f"`{name}` {HASHING['source_hash'](ROOT / name, ends)}" for name, ends in SOURCES.items())


def files_of(folder: str) -> list[str]:
    """Return the sources below a folder, as paths from the root."""
    found = HASHING["source_files"](ROOT / folder, SOURCES[folder])
    return [path.relative_to(ROOT).as_posix() for path in found]


def count_c(counted: list[Path]) -> dict[str, Count]:
    """Return the counts of every C source from gcovr's JSON; what was not compiled has one line, which did not run."""
    merged: dict[str, dict[int, int]] = defaultdict(dict)
    for file in (file for path in counted for file in json.loads(path.read_text(encoding="utf-8"))["files"]):
        lines = merged[file["file"]]
        for line in file["lines"]:  # a line stands there once for each function that it is compiled into
            lines[line["line_number"]] = max(lines.get(line["line_number"], 0), line["count"])
    counts = {name: Count(len(lines), sum(map(bool, lines.values()))) for name, lines in merged.items()}
    for name in files_of("csrc"):
        counts.setdefault(name, Count(1 if BODY.search((ROOT / name).read_text(encoding="utf-8")) else 0, 0))
    return counts


def count_python(counted: Path) -> dict[str, Count]:
    """Return the counts of every Python source from coverage's data; of what was never imported, no line ran."""
    from coverage import Coverage

    coverage = Coverage(data_file=str(counted), config_file=str(ROOT / "tools" / "coverage.toml"))
    coverage.load()
    counts = {}
    for name in files_of("skelkin_py") + files_of("blender_addon"):
        _, lines, _, missing, _ = coverage.analysis2(str(ROOT / name))
        counts[name] = Count(len(lines), len(lines) - len(missing))
    return counts


def folder_rows(counts: dict[str, Count]) -> str:
    """Return a row for each folder, and above those below one root a row for all of them."""
    files: dict[str, list[Count]] = defaultdict(list)
    for name, count in counts.items():
        root, *between, _ = name.split("/")
        files[f"**{root}**"].append(count)
        files["/".join([root, *(between[:1] or ["*"])])].append(count)
    rows = []
    for root in SOURCES:
        for name in sorted(name for name in files if name.strip("*").split("/")[0] == root):
            total = Count(*map(sum, zip(*files[name])))
            rows.append(f"| {name} | {len(files[name])} | {total.lines} | {100 * total.part:.1f} % |")
    return "\n".join(rows)


def wrong_reasons(low: dict[str, Count], reasons: dict[str, str]) -> list[str]:
    """Return a sentence for each file that lacks a reason, and for each reason that no file needs."""
    lacking = [f"{name}: {100 * low[name].part:.1f} % of its lines are run, and no reason says why" for name in low]
    spare = [f"{name}: has a reason, but is not a file below {100 * BAR:.0f} %" for name in reasons if name not in low]
    return [sentence for name, sentence in zip(low, lacking) if name not in reasons] + spare


def write(arguments: argparse.Namespace) -> int:
    """Write the page; return 1 if reasons and files do not fit together, which the page then shows as well."""
    import tomllib

    counts = count_c(arguments.c) | count_python(arguments.python)
    low = {name: count for name, count in sorted(counts.items()) if count.part < BAR}
    reasons = tomllib.loads(arguments.reasons.read_text(encoding="utf-8"))
    rows = [f"| {n} | {c.lines} | {100 * c.part:.1f} % | {reasons.get(n, '')} |" for n, c in low.items()]
    words = {"hashes": hashes(), "folders": folder_rows(counts), "bar": f"{100 * BAR:.0f}", "files": "\n".join(rows)}
    arguments.page.write_text(WORDS.format(**words), encoding="utf-8")
    wrong = wrong_reasons(low, reasons)
    for sentence in wrong:
        print(f"tests/coverage_reasons.toml: {sentence}")
    return 1 if wrong else 0


def check() -> int:
    """Return 0 if the page states the hashes of this tree."""
    if PAGE.is_file() and f"Sources: {hashes()}." in PAGE.read_text(encoding="utf-8"):
        return 0
    print("docs/coverage.md is missing, or of another tree: run `make coverage`")
    return 1


def main() -> int:
    """Write or check the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="only tell whether the page is of this tree")
    parser.add_argument("--python", type=Path, help="coverage's data, combined")
    parser.add_argument("--c", type=Path, nargs="+", help="gcovr's JSON")
    parser.add_argument("--reasons", type=Path, default=ROOT / "tests" / "coverage_reasons.toml")
    parser.add_argument("--page", type=Path, default=PAGE)
    arguments = parser.parse_args()
    return check() if arguments.check else write(arguments)


if __name__ == "__main__":
    sys.exit(main())
