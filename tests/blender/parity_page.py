# SPDX-License-Identifier: MIT
"""Run the comparisons with live Blender in every version, and write their worst errors into docs/blender-parity.md.

The page is left as it is unless all of them ran and passed: a process that crashed leaves numbers out.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from processes import HERE, ROOT

PAGE = ROOT / "docs" / "blender-parity.md"
BEGIN, END = "<!-- table: make parity -->", "<!-- end of table -->"


def files() -> list[Path]:
    """Return the test files that note differences."""
    return [path for path in sorted(HERE.glob("test_*.py")) if "from parity import" in path.read_text(encoding="utf-8")]


def table(lines: list[dict[str, object]]) -> str:
    """Return part x version of worst errors, in the order in which the parts came; what broke its bound is bold."""
    worst: dict[tuple[str, str], float] = {}
    bounds: dict[str, float] = {}
    for line in lines:
        part, version, error = str(line["part"]), str(line["version"]), float(str(line["error"]))
        worst[part, version] = max(error, worst.get((part, version), 0.0))
        bounds[part] = float(str(line["bound"]))
    versions = sorted({version for _, version in worst}, key=lambda text: [int(n) for n in text.split(".")])
    rows = [f"| part | bound | {' | '.join(versions)} |", "|---|---|" + "---|" * len(versions)]
    for part in sorted(bounds):
        cells = []
        for version in versions:
            error = worst.get((part, version))
            text = "" if error is None else "0" if error == 0 else f"{error:.1e}"
            cells.append(f"**{text}**" if error is not None and error > bounds[part] else text)
        bound = f"{bounds[part]:g}"
        rows.append(f"| {part} | {bound} | {' | '.join(cells)} |")
    return "\n".join(rows)


def write(lines: list[dict[str, object]]) -> None:
    """Put the table between its marks."""
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    PAGE.write_text(f"{before}{BEGIN}\n{table(lines)}\n{END}{after}", encoding="utf-8")


def failures(reports: Path) -> list[str]:
    """Return what went wrong in each process, by the reports that it and its parent left."""
    found = []
    for path in sorted(reports.glob("blender-*.xml")):
        _, version, stem = path.name.removesuffix(".xml").removesuffix(".problems").split("-", 2)
        try:
            cases = list(ElementTree.parse(path).getroot().iter("testcase"))
        except ElementTree.ParseError:
            continue  # its parent says so in a report of problems
        for case in cases:
            for result in (*case.findall("failure"), *case.findall("error")):
                reason = (result.get("message") or "").partition("\n")[0]
                found.append(f"Blender {version}: {stem}.py: {case.get('name')}: {reason}")
    return found


def finish(code: int, notes: Path, reports: Path) -> int:
    """Write the page if all went well, else say what did not; return the exit code."""
    text = notes.read_text(encoding="utf-8") if notes.is_file() else ""
    lines = [json.loads(line) for line in text.splitlines()]
    if lines:
        print(table(lines))
    if code == 0 and lines:
        write(lines)
        return 0
    for failure in failures(reports):
        print(failure)
    reason = "something failed (see above)" if code else "nothing was compared: no Blender ran"
    print(f"{PAGE.name} stays as it is: {reason}")
    return code or 1


def main() -> int:
    """Run, write, and return what the tests returned."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--venvs", type=Path, default=ROOT / ".venvs")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="skelkin-parity-") as folder:
        notes = Path(folder) / "notes"
        command = [sys.executable, str(HERE / "run.py"), "--venvs", str(options.venvs), "--junit", folder]
        code = subprocess.run(
            [*command, *map(str, files())], env={**os.environ, "SKELKIN_PARITY": str(notes)}, check=False
        ).returncode
        return finish(code, notes, Path(folder))


if __name__ == "__main__":
    raise SystemExit(main())
