# SPDX-License-Identifier: MIT
"""The tables of one CPU's results: benchmarks/results/<cpu>.md, made from the JSON beside it."""

from __future__ import annotations

import re
import textwrap
from typing import Any

from bars import Verdict, verdicts, why
from result_file import COPIES, Results

HEAD = """`make bench` writes `{name}.json`; this page is made from it, `docs/performance.md` is the one to read.
A figure is the median of the samples with their first and third quartiles; ratios are taken in pairs, round by round,
and given in the same way. Compare figures of one theme only: themes may come from runs of different days.
"""
BAR_HEAD = """## What has to be reached

"Strongest peer" is the fastest of the others in the case, with how many times as fast as it skelkin is: below 1 the
peer is ahead.

| what | bar | reached | strongest peer | verdict |
|---|---|---:|---|---|"""
LIMIT_HEAD = """## How near to the limits of the machine

Memory: bytes of result per second, as part of what memset and memcpy write in turn with it. Arithmetic: additions and
multiplications that the algorithm cannot do without, as part of the multiply-adds that this core does in registers.

| case | written, GB/s | of memset | of memcpy | Gflop/s | of the peak |
|---|---:|---:|---:|---:|---:|"""
TITLES = {"two_bone": "Two bones", "two_cores": "Two cores", "skin_poses": "skin_poses", "float64": "float64"}
PEAK = ("multiply-adds, float32", "C")


def number(value: float) -> str:
    return f"{value:.4g}" if value < 1e4 else f"{value:.0f}"


def judged(verdict: Verdict) -> str:
    return "reached" if verdict.part >= 1 else f"missed by {1 / verdict.part:.2f} ×"


def missed(found: list[Verdict]) -> list[str]:
    """Return what is known about the bars that were missed, those with one reason together."""
    groups: dict[str, dict[str, list[Verdict]]] = {}
    for verdict in found:
        if verdict.part < 1:
            reason = why(verdict.bar.what) or "Not looked into yet."
            groups.setdefault(reason, {}).setdefault(verdict.bar.words, []).append(verdict)
    lines = []
    for reason, bars in groups.items():
        names: dict[str, list[str]] = {}
        for bar, alike in bars.items():
            names.setdefault(in_common(alike), []).append(f"{bar}: {span(alike)}")
        what = ", ".join(f"{name} ({'; '.join(found)})" for name, found in names.items())
        lines.append(f"- {what}: {reason}")
    return lines


def in_common(alike: list[Verdict]) -> str:
    """Return the parts with which the names of several bars begin, or all names where they have none in common."""
    names = list(dict.fromkeys(verdict.bar.what for verdict in alike))
    parts = [re.split("(, |: )", name) for name in names]
    same = [column[0] for column in zip(*parts, strict=False)]
    while same and (any(part[: len(same)] != same for part in parts) or same[-1] in (", ", ": ")):
        same.pop()
    return f"*{''.join(same)}*" if same else ", ".join(f"*{name}*" for name in names)


def span(alike: list[Verdict]) -> str:
    """Return what was reached, or the least and the most of it."""
    words = [verdict.reached.split(" (")[0] for verdict in sorted(alike, key=lambda verdict: verdict.part)]
    return words[0] if words[0] == words[-1] else f"{words[0]} to {words[-1]}"


def bar_table(results: Results) -> list[str]:
    found = verdicts(results)
    if not found:
        return []
    lines = [
        f"| {each.bar.what} | {each.bar.words} | {each.reached} | {each.peer} | {judged(each)} |" for each in found
    ]
    reasons = missed(found)
    return [BAR_HEAD, *lines, "", *(["Why bars are missed:", "", *reasons, ""] if reasons else [])]


def limits(results: Results) -> list[tuple[str, list[str]]]:
    """Return the cells of the table of limits by case."""
    peak = results.median(*PEAK) if results.has(*PEAK) else 0.0
    found = []
    for name, case in results.cases.items():
        own = results.own(name)
        if "bytes" not in case or own is None:
            continue
        rate = results.median(name, own)
        flops = case.get("flops", 0.0) * rate / 1e3
        cells = [f"{case['bytes'] * rate / 1e3:.1f}"]
        cells += [f"{100 * results.ratio(name, own, copy)[1]:.0f} %" for copy in COPIES]
        cells += [f"{flops:.0f}" if flops else "", f"{100 * flops / peak:.0f} %" if flops and peak else ""]
        found.append((name, cells))
    return found


def limit_table(results: Results) -> list[str]:
    lines = [f"| {name} | {' | '.join(cells)} |" for name, cells in limits(results)]
    return [LIMIT_HEAD, *lines, ""] if lines else []


def theme_table(name: str, theme: dict[str, Any], results: Results) -> list[str]:
    """Return the table of a theme, with what its run depended on."""
    run = {**theme["run"], **theme["versions"]}
    words = "; ".join(f"{key} {value}" for key, value in run.items())
    not_run = "; ".join(f"{what} ({reason})" for what, reason in theme["not run"].items())
    title = TITLES.get(name, name[0].upper() + name[1:].replace("_", " "))
    lines = [f"## {title}", "", *textwrap.wrap(f"{words[0].upper()}{words[1:]}.", 120)]
    lines += textwrap.wrap(f"Not run: {not_run}.", 120) if not_run else []
    lines += ["", "| case | candidate | median | quartiles | unit | skelkin is | samples | error |"]
    lines.append("|---|---|---:|---|---|---|---:|---:|")
    for case in theme["cases"]:
        own = results.own(case["name"])
        for candidate, row in case["candidates"].items():
            low, median, high = map(number, row["figure"])
            spread = f"{low} to {high}" if low != high else ""
            times = results.ratio(case["name"], own, candidate) if own and own != candidate else None
            ratio = f"{times[1]:.2f} × ({times[0]:.2f} to {times[2]:.2f})" if times else ""
            error = f"{row['error']:.1e}" if "error" in row else ""
            samples = f"{row['samples']}" + (f" ({row['disturbed']} disturbed)" if row.get("disturbed") else "")
            cells = (case["name"], candidate, median, spread, case["unit"], ratio, samples, error)
            lines.append("| " + " | ".join(cells) + " |")
    return [*lines, ""]


def text(results: Results, name: str) -> str:
    """Return the page of one CPU; `name` is that of its file."""
    lines = [f"# {results.cpu}", "", HEAD.format(name=name), *bar_table(results), *limit_table(results)]
    for theme, found in results.themes.items():
        lines += theme_table(theme, found, results)
    return "\n".join(lines).rstrip() + "\n"
