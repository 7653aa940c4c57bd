# SPDX-License-Identifier: MIT
"""Run the comparisons with live Blender in every version, and write their worst errors into docs/blender-parity.md."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
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
        lines = [json.loads(line) for line in notes.read_text(encoding="utf-8").splitlines()]
    write(lines)
    print(table(lines))
    return code


if __name__ == "__main__":
    raise SystemExit(main())
