# SPDX-License-Identifier: MIT
"""Measure cases inside the venv of the peers; candidates take turns, so that noise meets all of them alike."""

from __future__ import annotations

import argparse
import gc
import importlib
import json
import os
import platform
import statistics
import sys
import time
from pathlib import Path

ONE_CORE = (
    "limits",
    "kinematics",
    "linear",
    "normals",
    "dual_quaternion",
    "skin_poses",
    "float64",
    "two_bone",
    "fabrik",
    "planting",
    "long_clips",
)
THEMES = (*ONE_CORE, "two_cores")
COLUMNS = (
    "theme",
    "case",
    "candidate",
    "unit",
    "at_min",
    "at_median",
    "of_cpu",
    "samples",
    "error",
    "items",
    "bytes",
    "flops",
)
LINE = "{case:44} {candidate:36} {at_min:>9} {unit:10} median {at_median:>9}  CPU {of_cpu:>9}  {error}"
MIN_SAMPLE_SECONDS = 2e-3  # shorter calls are repeated within a sample, so that the clock's own cost vanishes
SHARE_SECONDS = 0.8  # a candidate that has had this much of a case's time sits out, once it has its least samples
LEAST_SAMPLES = 5


class Timer:
    """One candidate: its call, how often a sample repeats it, the seconds per call of each sample, and the CPU's."""

    def __init__(self, candidate: object) -> None:
        self.call, self.before = candidate.call, candidate.before
        self.seconds: list[float] = []
        self.cpu_seconds: list[float] = []
        self.spent = 0.0
        if self.before:
            self.before()
        self.call()  # compiles, and touches the memory
        began = time.perf_counter()
        self.call()
        once = time.perf_counter() - began
        self.repeats = max(1, int(MIN_SAMPLE_SECONDS / max(once, 1e-7)))

    def sample(self) -> None:
        if self.spent > SHARE_SECONDS and len(self.seconds) >= LEAST_SAMPLES:
            return
        call = self.call
        if self.before:
            self.before()
            call()  # threads start in it
        cpu_began, began = time.process_time(), time.perf_counter()
        for _ in range(self.repeats):
            call()
        spent = time.perf_counter() - began
        self.spent += spent
        self.seconds.append(spent / self.repeats)
        self.cpu_seconds.append((time.process_time() - cpu_began) / self.repeats)


def measure_case(case: object, rounds: int) -> list[dict[str, object]]:
    """Return one row per candidate; `case` is a cases.Case."""
    for name in case.candidates:
        case.check(name)
    timers = {name: Timer(candidate) for name, candidate in case.candidates.items()}
    gc.collect()
    gc.disable()
    try:
        for _ in range(min(rounds, case.max_rounds)):
            for timer in timers.values():
                timer.sample()
    finally:
        gc.enable()
    rows = [row_of(case, name, timer) for name, timer in timers.items()]
    for name, value in case.facts.items():
        row = dict.fromkeys(COLUMNS, "")
        rows.append({**row, "theme": case.theme, "case": case.name, "candidate": name, "unit": case.unit})
        rows[-1]["at_min"] = f"{value:.4g}"
    return rows


def digits(value: float) -> str:
    """Return four digits, or all before the point."""
    return f"{value:.4g}" if value < 1e4 else f"{value:.0f}"


def row_of(case: object, name: str, timer: Timer) -> dict[str, object]:
    error = case.errors.get(name)
    several_cores = "two cores" in name or "--jobs" in name  # whose CPU time is the sum of both, or in other processes
    own = name in ("skelkin, out=", "skelkin, one call, out=")
    return {
        "theme": case.theme,
        "case": case.name,
        "candidate": name,
        "unit": case.unit,
        "at_min": digits(case.figure(min(timer.seconds))),
        "at_median": digits(case.figure(statistics.median(timer.seconds))),
        "of_cpu": "" if several_cores else digits(case.figure(max(min(timer.cpu_seconds), 1e-9))),
        "samples": len(timer.seconds),
        "error": "" if error is None else f"{error:.1e}",
        "items": f"{case.work:g}" if own and case.work else "",
        "bytes": f"{case.writes / case.work:.4g}" if own and case.work and case.writes else "",
        "flops": f"{case.flops / case.work:.4g}" if own and case.work and case.flops else "",
    }


def cpu_name() -> str:
    """Return the model of the CPU as the system calls it, with family and model where the name says little."""
    fields: dict[str, str] = {}
    try:
        for line in Path("/proc/cpuinfo").read_text().split("\n\n")[0].splitlines():
            key, _, value = line.partition(":")
            fields[key.strip()] = value.strip()
    except OSError:
        return platform.processor() or platform.machine()
    name = fields.get("model name", platform.machine())
    if "cpu family" in fields:
        name += f" family {fields['cpu family']} model {fields['model']}"
    return name


def environment() -> dict[str, str]:
    """Return what the figures depend on."""
    from importlib import metadata

    import skelkin_py as sk

    facts = {"cpu": cpu_name(), "python": platform.python_version()}
    for package in ("numpy", "numba", "jax", "torch", "usd-core", "libigl", "upc-pymotion"):
        try:
            facts[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return {**facts, "skelkin": f"{sk.__version__} ({sk.isa()})"}


def all_cases(themes, missing):
    for theme in themes:
        try:
            yield from importlib.import_module(f"cases.{theme}").cases()
        except (AttributeError, TypeError, ValueError) as error:
            missing[theme] = str(error)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, help="where the rows go, as JSON; they are printed in any case")
    parser.add_argument("--only", nargs="*", choices=THEMES, default=ONE_CORE)
    parser.add_argument("--rounds", type=int, default=25)
    options = parser.parse_args()
    if hasattr(os, "sched_setaffinity") and "two_cores" not in options.only:
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    from peers import MISSING

    rows, wrong = [], []
    for case in all_cases(options.only, MISSING):
        try:
            found = measure_case(case, options.rounds)
        except (AttributeError, TypeError, ValueError) as error:
            MISSING[case.name] = str(error)
            continue
        rows += found
        for row in found:
            print(LINE.format(**row))
        wrong += [
            f"{case.name}, {name}: {error:.1e} off the float64 reference, {case.tolerance:.0e} allowed"
            for name, error in case.errors.items()
            if case.expected is not None and not error <= case.tolerance
        ]
        sys.stdout.flush()
    for name, reason in MISSING.items():
        print(f"not measured: {name} ({reason})")
    if wrong:
        raise SystemExit("wrong results:\n" + "\n".join(wrong))
    if options.out:
        found = {"facts": environment(), "missing": MISSING, "rows": rows}
        options.out.write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main()
