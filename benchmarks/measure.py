# SPDX-License-Identifier: MIT
"""Measure every case inside the venv of the peers; candidates take turns, so that noise meets all of them alike."""

from __future__ import annotations

import argparse
import csv
import gc
import importlib
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

THEMES = ("limits", "kinematics", "skinning", "two_bone", "planting")
COLUMNS = ("theme", "case", "candidate", "unit", "at_min", "at_median", "of_cpu", "samples", "error")
LINE = "{case:34} {candidate:34} {at_min:>9} {unit:10} median {at_median:>9}  CPU {of_cpu:>9}  {error}"
MIN_SAMPLE_SECONDS = 2e-3  # shorter calls are repeated within a sample, so that the clock's own cost vanishes


class Timer:
    """One candidate: its call, how often a sample repeats it, the seconds per call of each sample, and the CPU's."""

    def __init__(self, call: Callable[[], object]) -> None:
        self.call = call
        self.seconds: list[float] = []
        self.cpu_seconds: list[float] = []
        call()  # compiles, and touches the memory
        began = time.perf_counter()
        call()
        once = time.perf_counter() - began
        self.repeats = max(1, int(MIN_SAMPLE_SECONDS / max(once, 1e-7)))

    def sample(self) -> None:
        call = self.call
        cpu_began, began = time.process_time(), time.perf_counter()
        for _ in range(self.repeats):
            call()
        self.seconds.append((time.perf_counter() - began) / self.repeats)
        self.cpu_seconds.append((time.process_time() - cpu_began) / self.repeats)


def measure_case(case: object, rounds: int) -> list[dict[str, object]]:
    """Return one row per candidate; `case` is a cases.Case."""
    timers = {name: Timer(call) for name, call in case.candidates.items()}
    gc.collect()
    gc.disable()
    try:
        for _ in range(min(rounds, case.max_rounds)):
            for timer in timers.values():
                timer.sample()
    finally:
        gc.enable()
    rows = []
    for name, timer in timers.items():
        error = case.errors.get(name)
        rows.append(
            {
                "theme": case.theme,
                "case": case.name,
                "candidate": name,
                "unit": case.unit,
                "at_min": f"{case.figure(min(timer.seconds)):.4g}",
                "at_median": f"{case.figure(statistics.median(timer.seconds)):.4g}",
                "of_cpu": f"{case.figure(min(timer.cpu_seconds)):.4g}",
                "samples": len(timer.seconds),
                "error": "" if error is None else f"{error:.1e}",
            }
        )
    return rows


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
    import numba
    import numpy as np

    import skelkin_py as sk

    return {
        "cpu": cpu_name(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "skelkin": f"{sk.__version__} ({sk.isa()})",
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, help="CSV to write; without it rows are printed only")
    parser.add_argument("--only", nargs="*", choices=THEMES, default=THEMES)
    parser.add_argument("--rounds", type=int, default=25)
    options = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    facts = environment()
    rows = []
    for theme in options.only:
        for case in importlib.import_module(f"cases.{theme}").cases():
            found = measure_case(case, options.rounds)
            rows += found
            for row in found:
                print(LINE.format(**row))
            sys.stdout.flush()
    if options.out:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        with options.out.open("w", newline="", encoding="utf-8") as stream:
            for key, value in facts.items():
                stream.write(f"# {key}: {value}\n")
            writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)


if __name__ == "__main__":
    main()
