# SPDX-License-Identifier: MIT
"""Write docs/performance.md from the CSV files in benchmarks/results."""

from __future__ import annotations

import csv
import math
import textwrap
from dataclasses import replace
from pathlib import Path

from bars import BARS, BLENDER_BARS, EVALUATION_BARS, NO_PEER, SWITCH_SECONDS, Bar, why

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results"
Row = dict[str, str]

HEAD = """# Performance

`make bench` measures and writes `benchmarks/results/*.csv`; `python benchmarks/report.py` writes this page from them.
All candidates of a case take turns in one process pinned to one core, each with one thread, in float32 unless said;
the rows *two cores* come from a second process with both. Ratios are taken at the minimum times, and again at the
medians; compare figures within one run only. `benchmarks/README.md` says what the peers do and what stays outside their
clocks.
"""
BAR_HEAD = """### What has to be reached

"Best peer" is the fastest of the others in the same case of this run, with how many times as fast as it skelkin is:
below 1 the peer is ahead. "At medians" is the same ratio, or time, at the medians.

| what | bar | reached | at medians | best peer in this run | verdict |
|---|---|---:|---:|---|---|"""
LIMIT_HEAD = """### How near to the limits of the machine

Memory: bytes of result per second, as part of what memset and memcpy write for an array of that size in this run.
Arithmetic: additions and multiplications that the algorithm cannot do without, as part of the multiply-adds that this
core does in registers.

| case | written, GB/s | of memset | of memcpy | Gflop/s | of the peak |
|---|---:|---:|---:|---:|---:|"""


def read(path: Path) -> tuple[dict[str, str], list[Row]]:
    """Return the facts in the comment lines of a CSV, and its rows; cases of the same name get their theme's."""
    lines = path.read_text(encoding="utf-8").splitlines()
    facts = dict(line[2:].split(": ", 1) for line in lines if line.startswith("# "))
    rows = list(csv.DictReader(line for line in lines if not line.startswith("# ")))
    for row in rows:
        if row["theme"] in ("two cores", "float64"):
            row["case"] = f"{row['theme']}: {row['case']}"
    return facts, rows


def is_time(row: Row) -> bool:
    """Whether less is better."""
    return row["unit"] in ("s", "ms", "µs/call", "µs/frame", "MB")


def is_peer(row: Row) -> bool:
    return not row["candidate"].startswith("skelkin") and row["candidate"] not in NO_PEER


def speed(row: Row, column: str = "at_min") -> float:
    """Return a number that is larger for the faster."""
    figure = value(row, column)
    return (1 / figure if figure else math.inf) if is_time(row) else figure


def find(rows: list[Row], case: str, candidate: str) -> Row | None:
    return next((row for row in rows if row["case"] == case and row["candidate"] == candidate), None)


def value(row: Row, column: str = "at_min") -> float:
    """Return a figure of the row; what was not taken (medians of sizes, CPU time of two cores) is as at the minimum."""
    return float(row[column] or row["at_min"])


def limit(rows: list[Row], name: str, size: float, column: str = "at_min") -> float:
    """Return the GB/s of memset or memcpy for the measured size nearest to `size` bytes; 0 where there is none."""
    units = {"KB": 1e3, "MB": 1e6}

    def off(row: Row) -> float:
        value, unit = row["case"].split(", ")[1].split()
        return abs(math.log(float(value) * units[unit] / size))

    found = [row for row in rows if row["case"].startswith("memory, ") and row["candidate"] == name]
    return value(min(found, key=off), column) if found else 0.0


def written(row: Row, column: str = "at_min") -> tuple[float, float]:
    """Return GB/s of result, and the size of the whole result."""
    per_item = float(row["bytes"])
    return per_item * value(row, column) / 1e3, per_item * float(row["items"])


def against_best_peer(rows: list[Row], found: Row) -> str:
    peers = [row for row in rows if row["case"] == found["case"] and is_peer(row)]
    if not peers:
        return ""
    best = max(peers, key=speed)
    return f"{speed(found) / speed(best):.2f} × {best['candidate']}"


def reached(bar: Bar, rows: list[Row], found: Row, column: str) -> float | None:
    """Return how many times as fast as what it is measured against the candidate is; None where that is missing."""
    if bar.against == "memcpy":
        rate, size = written(found, column)
        other = limit(rows, "memcpy", size, column)
        return rate / other if other else None
    peer = find(rows, bar.against_case or bar.case, bar.against)
    if bar.against == "best peer":
        peer = max((row for row in rows if row["case"] == bar.case and is_peer(row)), key=speed, default=None)
    return speed(found, column) / speed(peer, column) if peer else None


def judge(bar: Bar, rows: list[Row]) -> str | None:
    """Return a line for the table of bars, or None where the case was not measured."""
    found = find(rows, bar.case, bar.candidate)
    if found is None:
        return None
    ratios, words = [], []
    for column in ("at_min", "at_median", "of_cpu"):
        if bar.at_most:
            figure = value(found, column)
            ratios.append(bar.at_most / figure if figure else math.inf)
            words.append(f"{figure:g} {found['unit']}")
            continue
        times = reached(bar, rows, found, column)
        if times is None:
            return None
        ratios.append(times / bar.times)
        words.append(f"{times:.2f} ×")
    verdict = "reached" if ratios[0] >= 1 else f"missed by {1 / ratios[0]:.2f} ×"
    if ratios[0] < 1 <= ratios[2]:
        verdict += "; reached in CPU time: other processes had the core for the rest"
    return f"| {bar.what} | {bar.words} | {words[0]} | {words[1]} | {against_best_peer(rows, found)} | {verdict} |"


def reasons(judged: list[str]) -> list[str]:
    """Return what is known about the rows that this run missed."""
    found: dict[str, list[str]] = {}
    for line in judged:
        what = line.split("|")[1].strip()
        if "missed" in line and why(what):
            found.setdefault(why(what), []).append(what)
    if not found:
        return []
    texts = (f"- *{'*, *'.join(dict.fromkeys(names))}*: {words}" for words, names in found.items())
    return ["Why rows are missed:", "", *(textwrap.fill(text, 120, subsequent_indent="  ") for text in texts), ""]


def near_limits(rows: list[Row]) -> list[str]:
    """Return the table of own rates against memory and arithmetic."""
    peak = find(rows, "multiply-adds, float32", "C")
    lines = []
    for row in rows:
        if not row.get("bytes"):
            continue
        rate, size = written(row)
        parts = [limit(rows, name, size) for name in ("memset", "memcpy")]
        flops = float(row["flops"] or 0) * float(row["at_min"]) / 1e3
        cells = [f"{rate:.1f}", *(f"{rate / part:.0%}" if part else "" for part in parts)]
        cells += [f"{flops:.0f}" if flops else "", f"{flops / float(peak['at_min']):.0%}" if flops and peak else ""]
        lines.append("| " + " | ".join([row["case"], *cells]) + " |")
    return [LIMIT_HEAD, *lines, ""] if lines else []


def blender_bars(rows: list[Row]) -> list[Bar]:
    """Return the bars for the Blenders that were measured."""
    bars = []
    for case, candidate in dict.fromkeys((row["case"], row["candidate"]) for row in rows):
        version = case.rsplit(" ", 1)[1]
        if candidate == "switch":
            times = next(value for start, value in BLENDER_BARS.items() if version.startswith(start))
            bars.append(Bar(case, f"≤ {SWITCH_SECONDS} s", case, "switch", at_most=SWITCH_SECONDS))
            bars.append(Bar(case, f"≥ {times:g} × the bake of all bones", case, "switch", "best peer", times=times))
        for bar in EVALUATION_BARS:
            if case.startswith(bar.case) and candidate == bar.candidate:
                bars.append(replace(bar, what=case, case=case))
    return bars


def tables(rows: list[Row]) -> list[str]:
    """Return one table per theme."""
    lines: list[str] = []
    for theme in dict.fromkeys(row["theme"] for row in rows):
        lines += [
            f"### {theme[0].upper()}{theme[1:]}",
            "",
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
        lines.append("")
    return lines


def page(path: Path) -> list[str]:
    """Return the part of the page that one CSV gives."""
    facts, rows = read(path)
    lines = [f"## {facts.pop('cpu', path.stem)}", ""]
    missing = facts.pop("not measured", "")
    if facts:
        lines += [textwrap.fill("; ".join(f"{key} {value}" for key, value in facts.items()) + ".", 120), ""]
    if missing:
        lines += [textwrap.fill(f"Not measured: {missing}.", 120), ""]
    judged = [line for bar in (*BARS, *blender_bars(rows)) if (line := judge(bar, rows))]
    if judged:
        lines += [BAR_HEAD, *judged, "", *reasons(judged)]
    return [*lines, *near_limits(rows), *tables(rows)]


def text() -> str:
    """Return the whole page."""
    lines = [HEAD]
    for path in sorted(RESULTS.glob("*.csv"), key=lambda path: path.stem):
        lines += page(path)
    return "\n".join(lines).rstrip() + "\n"


if __name__ == "__main__":
    (ROOT / "docs" / "performance.md").write_text(text(), encoding="utf-8")
