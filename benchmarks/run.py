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
import tempfile
from pathlib import Path

from measure import COLUMNS, ONE_CORE, THEMES, cpu_name

ROOT = Path(__file__).resolve().parent.parent
REQUIREMENTS = ROOT / "requirements" / "bench.txt"
TORCH = ROOT / "requirements" / "bench-torch.txt"
PYTHONS = ("3.12", "3.11", "3.13")  # those that all peers have wheels for
ONE_THREAD = {
    **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1"),
    "SKELKIN_NUM_THREADS": "1",
    "CUDA_VISIBLE_DEVICES": "",
    "JAX_PLATFORMS": "cpu",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
}


def slug(cpu: str) -> str:
    """Return a file name for a CPU: "AMD EPYC family 25 model 1" becomes amd-epyc-family-25-model-1."""
    plain = re.sub(r"\((r|tm|c)\)", "", cpu.lower())
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")


def interpreter() -> str:
    """Return a CPython that the peers have wheels for, else the one that runs this."""
    for version in PYTHONS:
        found = subprocess.run(
            [str(ROOT / "tools" / "find_cpython.sh"), version], stdout=subprocess.PIPE, text=True, check=False
        ).stdout.strip()
        if found:
            return found
    return sys.executable


def prepare(venv: Path, wheel: Path, torch: bool) -> Path:
    """Make the venv where it is missing or has other pins, and install the wheel; return its Python."""
    python, pins = venv / "bin" / "python", venv / ".pins"
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "--no-input", "-q", "install"]
    wanted = REQUIREMENTS.read_text() + (TORCH.read_text() if torch else "")
    have = pins.read_text() if pins.exists() else ""
    if not have.startswith(wanted):
        size = "about 3 GB to download, 6 GB unpacked" if torch else "about 300 MB to download, 1 GB unpacked"
        print(f"peers: {size}, into {venv}", flush=True)
        subprocess.run([interpreter(), "-m", "venv", "--clear", str(venv)], check=True)
        files = ["-r", str(REQUIREMENTS), *(("-r", str(TORCH)) if torch else ())]
        if subprocess.run([*pip, *files], check=False).returncode:
            # One peer without a wheel for this machine must not keep the others out.
            for line in filter(lambda text: text and not text.startswith("#"), wanted.splitlines()):
                subprocess.run([*pip, line], check=False)
        pins.write_text(wanted)
    subprocess.run([*pip, "--force-reinstall", "--no-deps", str(wheel)], check=True)
    return python


def newest_wheel() -> Path:
    wheels = sorted((ROOT / "dist").glob("skelkin_py-*.whl"), key=lambda path: path.stat().st_mtime)
    if not wheels:
        raise SystemExit("no wheel in dist/: run make bench, or make wheel first")
    return wheels[-1]


def measure(python: Path, themes: list[str], rounds: int) -> dict[str, dict[str, object]]:
    """Measure the themes of one core in one process, that of two cores in another; return what both found."""
    found: dict[str, dict[str, object]] = {"facts": {}, "missing": {}, "rows": []}
    one_core = [theme for theme in themes if theme in ONE_CORE]
    others = [theme for theme in themes if theme not in ONE_CORE]
    with tempfile.TemporaryDirectory(prefix="skelkin-bench-") as folder:
        for part, threads in ((one_core, ONE_THREAD), (others, {**ONE_THREAD, "NUMBA_NUM_THREADS": "2"})):
            if not part:
                continue
            out = Path(folder) / "rows.json"
            command = [str(python), str(ROOT / "benchmarks" / "measure.py"), "--rounds", str(rounds)]
            subprocess.run([*command, "--out", str(out), "--only", *part], check=True, env={**os.environ, **threads})
            new = json.loads(out.read_text(encoding="utf-8"))
            found = {
                "facts": {**found["facts"], **new["facts"]},
                "missing": {**found["missing"], **new["missing"]},
                "rows": [*found["rows"], *new["rows"]],
            }
    return found


def write(result: Path, facts: dict[str, str], rows: list[dict[str, object]]) -> None:
    with result.open("w", newline="", encoding="utf-8") as stream:
        for key, value in facts.items():
            stream.write(f"# {key}: {value}\n")
        writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def measure_blender(venvs: Path, result: Path) -> None:
    """Write the figures of in_blenders.py, which speaks JSON lines, as a CSV like the others."""
    command = [sys.executable, str(ROOT / "benchmarks" / "in_blenders.py"), "--venvs", str(venvs)]
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    found = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]
    rows = []
    for row in found:
        version = row["blender"].split()[0]  # "4.5.15 LTS"
        cpu = row.get("processor_seconds")
        rows.append(
            {
                "theme": f"Blender {version}",
                "case": f"{row['case']}, Blender {version}",
                "candidate": row["candidate"],
                "unit": "s",
                "at_min": f"{min(row['wall_seconds']):.4g}",
                "at_median": f"{statistics.median(row['wall_seconds']):.4g}",
                "of_cpu": f"{min(cpu):.4g}" if cpu else "",
                "samples": len(row["wall_seconds"]),
            }
        )
    write(result, {"cpu": f"{cpu_name()}, inside Blender"}, rows)
    if run.returncode:
        raise SystemExit("in_blenders.py did not give all its figures")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--venvs", type=Path, default=ROOT / ".venvs")
    parser.add_argument("--wheel", type=Path, help="wheel to measure; the newest in dist/ without it")
    parser.add_argument("--only", nargs="*", choices=THEMES, help="measure a part, print it and write nothing")
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--torch", action="store_true", help="with torch, a large download")
    parser.add_argument("--blender", action="store_true", help="measure the add-on in every Blender at hand instead")
    options = parser.parse_args()
    results = ROOT / "benchmarks" / "results"
    results.mkdir(exist_ok=True)
    report = [sys.executable, str(ROOT / "benchmarks" / "report.py")]
    if options.blender:
        measure_blender(options.venvs, results / f"{slug(cpu_name())}-blender.csv")
        subprocess.run(report, check=True)
        return
    python = prepare((options.venvs / "bench").resolve(), options.wheel or newest_wheel(), options.torch)
    found = measure(python, options.only or list(THEMES), options.rounds)
    if options.only:
        return
    facts = dict(found["facts"])
    if found["missing"]:
        facts["not measured"] = "; ".join(f"{name} ({reason})" for name, reason in found["missing"].items())
    write(results / f"{slug(cpu_name())}.csv", facts, found["rows"])
    subprocess.run(report, check=True)


if __name__ == "__main__":
    main()
