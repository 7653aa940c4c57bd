# SPDX-License-Identifier: MIT
"""Write docs/performance.md from the CSV files in benchmarks/results."""

from __future__ import annotations

import csv
from pathlib import Path

from bars import BARS, BLENDER_BARS, NO_PEER, SWITCH_SECONDS, Bar

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results"
Row = dict[str, str]

HEAD = """# Performance

Made by `make bench`; `python benchmarks/report.py` writes this page from `benchmarks/results/*.csv`. Edit neither by
hand. All candidates of a case take turns in one process on one core with one thread. Figures are taken at the minimum
time, the median stands beside them; compare within one table only. `benchmarks/README.md` says what the peers are.
"""


def read(path: Path) -> tuple[dict[str, str], list[Row]]:
    """Return the facts in the comment lines of a CSV, and its rows."""
    lines = path.read_text(encoding="utf-8").splitlines()
    facts = dict(line[2:].split(": ", 1) for line in lines if line.startswith("# "))
    return facts, list(csv.DictReader(line for line in lines if not line.startswith("# ")))


def is_time(row: Row) -> bool:
    """Whether less is better."""
    return row["unit"] in ("s", "ms", "µs/call")


def is_peer(row: Row) -> bool:
    return not row["candidate"].startswith("skelkin") and row["candidate"] not in NO_PEER


def speed(row: Row) -> float:
    """Return a number that is larger for the faster."""
    value = float(row["at_min"])
    return 1 / value if is_time(row) else value


def judge(bar: Bar, rows: list[Row]) -> str | None:
    """Return a line for the table of bars, or None where the case was not measured."""
    case = [row for row in rows if row["case"] == bar.case]
    found = next((row for row in case if row["candidate"] == bar.candidate), None)
    if found is None:
        return None
    value = float(found["at_min"])
    if bar.at_most is not None:
        ratio = bar.at_most / value
    else:
        best = max((row for row in case if is_peer(row)), key=speed)
        ratio = speed(found) / speed(best) / (bar.part_of_best or 1.0)
    verdict = "reached" if ratio >= 1 else f"missed: {1 / ratio:.2f}× off"
    if ratio < 1 and bar.at_most is not None and float(found["of_cpu"]) <= bar.at_most:
        verdict += "; reached in CPU time: other processes had the core for the rest"
    against = ""
    peers = [row for row in case if is_peer(row)]
    if peers:
        best = max(peers, key=speed)
        against = f"{speed(found) / speed(best):.2f}× {best['candidate']}"
    figure = f"{found['at_min']} {found['unit']} | {found['of_cpu']}"
    return f"| {bar.case} | {bar.candidate} | {figure} | {against} | {bar.words} | {verdict} |"


def blender_bars(rows: list[Row]) -> list[Bar]:
    """Return the bars of the switch for the Blenders that were measured."""
    bars = []
    for case in dict.fromkeys(row["case"] for row in rows if row["candidate"] == "switch"):
        version = case.rsplit(" ", 1)[1]
        times = next(value for start, value in BLENDER_BARS.items() if version.startswith(start))
        bars.append(Bar(case, "switch", f"≤ {SWITCH_SECONDS} s", at_most=SWITCH_SECONDS))
        bars.append(Bar(case, "switch", f"≥ {times:g}× the bake of all bones", part_of_best=times))
    return bars


def tables(rows: list[Row]) -> list[str]:
    """Return one table per theme."""
    lines: list[str] = []
    for theme in dict.fromkeys(row["theme"] for row in rows):
        lines += ["", f"### {theme.capitalize()}", ""]
        lines += [
            "| case | candidate | at min | at median | of CPU time | unit | error |",
            "|---|---|---:|---:|---:|---|---:|",
        ]
        for row in rows:
            if row["theme"] == theme:
                cells = (
                    row.get(key) or ""
                    for key in ("case", "candidate", "at_min", "at_median", "of_cpu", "unit", "error")
                )
                lines.append("| " + " | ".join(cells) + " |")
    return lines


def main() -> None:
    lines = [HEAD]
    for path in sorted(RESULTS.glob("*.csv")):
        facts, rows = read(path)
        lines += [f"## {facts.pop('cpu', path.stem)}", "", "; ".join(f"{k} {v}" for k, v in facts.items()), ""]
        judged = [line for bar in (*BARS, *blender_bars(rows)) if (line := judge(bar, rows))]
        if judged:
            lines += [
                "| case | candidate | at min | of CPU time | against the best peer | bar | |",
                "|---|---|---:|---:|---:|---|---|",
                *judged,
            ]
        lines += tables(rows)
        lines.append("")
    text = "\n".join(lines).rstrip() + "\n"
    (ROOT / "docs" / "performance.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
