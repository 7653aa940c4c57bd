# SPDX-License-Identifier: MIT
"""The one command of the benchmarks: venv with the peers, wheel into it, measure, write CSV and docs/performance.md."""

from __future__ import annotations

import argparse
import csv
import json
import os
import re
import statistics
import subprocess
import sys
from pathlib import Path

from measure import COLUMNS, THEMES, cpu_name

ROOT = Path(__file__).resolve().parent.parent
REQUIREMENTS = ROOT / "requirements" / "bench.txt"
THREAD_KNOBS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS", "SKELKIN_NUM_THREADS")


def slug(cpu: str) -> str:
    """Return a file name for a CPU: "AMD EPYC family 25 model 1" becomes amd-epyc-family-25-model-1."""
    plain = re.sub(r"\((r|tm|c)\)", "", cpu.lower())
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")


def prepare(venv: Path, wheel: Path) -> Path:
    """Make the venv where it is missing or older than its requirements, and install the wheel; return its Python."""
    python, made = venv / "bin" / "python", venv / ".made"
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "-q", "install"]
    if not made.exists() or made.stat().st_mtime < REQUIREMENTS.stat().st_mtime:
        subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True)
        subprocess.run([*pip, "-r", str(REQUIREMENTS)], check=True)
        made.touch()
    subprocess.run([*pip, "--force-reinstall", "--no-deps", str(wheel)], check=True)
    return python


def newest_wheel() -> Path:
    wheels = sorted((ROOT / "dist").glob("skelkin_py-*.whl"), key=lambda path: path.stat().st_mtime)
    if not wheels:
        raise SystemExit("no wheel in dist/: run make bench, or make wheel first")
    return wheels[-1]


def measure_blender(venvs: Path, result: Path) -> None:
    """Write the figures of blender_switch.py, which speaks JSON lines, as a CSV like the others."""
    command = [sys.executable, str(ROOT / "benchmarks" / "blender_switch.py"), "--venvs", str(venvs)]
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    found = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]
    rows = []
    for row in found:
        if "seconds" not in row:
            continue
        version = row["blender"].split()[0]  # "4.5.15 LTS"
        rows.append(
            {
                "theme": f"Blender {version}",
                "case": f"{row['frames']} frames, {row['bones']} bones, Blender {version}",
                "candidate": row["case"],
                "unit": "s",
                "at_min": f"{row['seconds']:.4g}",
                "at_median": f"{statistics.median(row['wall_seconds']):.4g}",
                "of_cpu": f"{min(row['processor_seconds']):.4g}",
                "samples": len(row["wall_seconds"]),
            }
        )
    with result.open("w", newline="", encoding="utf-8") as stream:
        stream.write(f"# cpu: {cpu_name()}, inside Blender\n")
        writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    if run.returncode:
        raise SystemExit("blender_switch.py did not give all its figures")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--venvs", type=Path, default=ROOT / ".venvs")
    parser.add_argument("--wheel", type=Path, help="wheel to measure; the newest in dist/ without it")
    parser.add_argument("--only", nargs="*", choices=THEMES, help="measure a part, print it and write nothing")
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--blender", action="store_true", help="measure the add-on in every Blender at hand instead")
    options = parser.parse_args()
    results = ROOT / "benchmarks" / "results"
    results.mkdir(exist_ok=True)
    report = [sys.executable, str(ROOT / "benchmarks" / "report.py")]
    if options.blender:
        measure_blender(options.venvs, results / f"{slug(cpu_name())}-blender.csv")
        subprocess.run(report, check=True)
        return
    python = prepare(options.venvs / "bench", options.wheel or newest_wheel())
    command = [str(python), str(ROOT / "benchmarks" / "measure.py"), "--rounds", str(options.rounds)]
    environment = {**os.environ, **dict.fromkeys(THREAD_KNOBS, "1")}
    if options.only:
        subprocess.run([*command, "--only", *options.only], check=True, env=environment)
        return
    result = results / f"{slug(cpu_name())}.csv"
    subprocess.run([*command, "--out", str(result)], check=True, env=environment)
    subprocess.run(report, check=True)


if __name__ == "__main__":
    main()
