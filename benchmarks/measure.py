# SPDX-License-Identifier: MIT
"""Measure one theme inside the venv of the peers and print it; run.py calls this for each."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import platform
import sys
import time
from importlib import metadata
from pathlib import Path
from typing import Any

from result_file import is_own
from sampling import Timer, paired, quartiles, run_rounds

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
    "turns",
    "planting",
    "files",
)
THEMES = (*ONE_CORE, "two_cores")
PACKAGES = ("numpy", "numba", "jax", "torch", "usd-core", "libigl", "upc-pymotion")
LINE = "{name:52} {candidate:36} {median:>9} ({low:>9} to {high:>9}) {unit:10} {error}"


def digits(value: float, count: int = 4) -> float:
    """Return a number with so many digits, for files that are read by people too."""
    return float(f"{value:.{count}g}")


def measure_case(case: Any, rounds: int, seed: int) -> dict[str, Any]:
    """Return what the file of results keeps of a case; `case` is a cases.Case."""
    for name in case.candidates:
        case.check(name)
    if case.writes:
        case.add_copies()
    timers = {name: Timer(each.call, each.before, each.times, case.alone) for name, each in case.candidates.items()}
    run_rounds(timers, min(rounds, case.max_rounds), f"{seed}, {case.name}")
    found = {"name": case.name, "unit": case.unit}
    if case.writes:
        found |= {"items": case.work, "bytes": digits(case.writes / case.work)}
        found |= {"flops": digits(case.flops / case.work)} if case.flops else {}
    found["candidates"] = {name: row_of(case, name, timer) for name, timer in timers.items()}
    found["candidates"] |= {name: {"figure": [digits(x)] * 3, "samples": 1} for name, x in case.facts.items()}
    found["ratios"] = {
        name: {
            other: [digits(x) for x in met]
            for other, timer in timers.items()
            if other != name and (met := paired(own, timer))
        }
        for name, own in timers.items()
        if is_own(name)
    }
    return found


def row_of(case: Any, name: str, timer: Timer) -> dict[str, Any]:
    row = {"figure": sorted(digits(case.figure(x)) for x in quartiles(timer.seconds.values()))}
    row |= {"samples": len(timer.seconds), "disturbed": timer.disturbed}
    return row | ({"error": digits(case.errors[name], 2)} if name in case.errors else {})


def versions() -> dict[str, str]:
    """Return what the figures depend on."""
    import skelkin_py as sk

    found = {"skelkin": f"{sk.__version__} ({sk.isa()})", "python": platform.python_version()}
    found["csrc"] = sk.build_info().source_hash
    for package in PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found


def shown(case: dict[str, Any]) -> None:
    """Print a case."""
    for candidate, row in case["candidates"].items():
        low, median, high = row["figure"]
        words = {"name": case["name"], "candidate": candidate, "unit": case["unit"], "error": row.get("error", "")}
        print(LINE.format(low=low, median=median, high=high, **words))
    sys.stdout.flush()


def measure(theme: str, rounds: int, seed: int) -> tuple[dict[str, Any], list[str]]:
    """Return a theme's results, and the candidates that were wrong."""
    from peers import MISSING

    began, load = time.perf_counter(), os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    found, wrong = [], []
    cases = importlib.import_module(f"cases.{theme}").cases()
    for case in cases:
        found.append(measure_case(case, rounds, seed))
        shown(found[-1])
        wrong += [
            f"{case.name}, {name}: {error:.1e} off the float64 reference, {case.tolerance:.0e} allowed"
            for name, error in case.errors.items()
            if case.expected is not None and not error <= case.tolerance
        ]
    run = {"date": time.strftime("%Y-%m-%d"), "seed": seed, "rounds": rounds}
    run |= {"seconds": round(time.perf_counter() - began), "load at start": round(load, 1)}
    return {"run": run, "versions": versions(), "not run": dict(MISSING), "cases": found}, wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("theme", choices=THEMES)
    parser.add_argument("--out", type=Path, help="where the results go, as JSON; they are printed in any case")
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--seed", type=int, default=0, help="of the order of candidates")
    options = parser.parse_args()
    if hasattr(os, "sched_setaffinity") and options.theme in ONE_CORE:
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    found, wrong = measure(options.theme, options.rounds, options.seed)
    for name, reason in found["not run"].items():
        print(f"not run: {name} ({reason})")
    if wrong:
        raise SystemExit("wrong results:\n" + "\n".join(wrong))
    if options.out:
        options.out.write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main()
