# SPDX-License-Identifier: MIT
"""The one command of the benchmarks: venv with the peers, the wheel into it, theme by theme into the CPU's results.

Each theme is measured in a process of its own and put into benchmarks/results/<cpu>.json as soon as it is done; the
tables beside it, and on the reference CPU the figures of the pages, are made from that file at the end.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import runpy
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import figures
from measure import ONE_CORE, THEMES, digits
from result_file import cpu_name, merge, path_of, slug
from sampling import quartiles

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


def measure(python: Path, theme: str, rounds: int, seed: int) -> dict[str, Any]:
    """Measure a theme in a process of its own."""
    threads = ONE_THREAD if theme in ONE_CORE else {**ONE_THREAD, "NUMBA_NUM_THREADS": "2"}
    with tempfile.TemporaryDirectory(prefix="skelkin-bench-") as folder:
        out = Path(folder) / "theme.json"
        command = [str(python), str(ROOT / "benchmarks" / "measure.py"), theme, "--rounds", str(rounds)]
        command += ["--seed", str(seed), "--out", str(out)]
        subprocess.run(command, check=True, env={**os.environ, **threads})
        return json.loads(out.read_text(encoding="utf-8"))


def measure_blender(venvs: Path, result: Path, cpu: str) -> None:
    """Put the figures of in_blenders.py, which speaks JSON lines, into the results, a theme for each version."""
    command = [sys.executable, str(ROOT / "benchmarks" / "in_blenders.py"), "--venvs", str(venvs)]
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    themes: dict[str, dict[str, Any]] = {}
    for row in (json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")):
        theme = f"Blender {row['blender'].split()[0]}"  # "4.5.15 LTS"
        name = f"{row['case']}, {theme}"
        case = themes.setdefault(theme, {}).setdefault(name, {"name": name, "unit": "s", "candidates": {}})
        figure = [digits(seconds) for seconds in quartiles(row["wall_seconds"])]
        case["candidates"][row["candidate"]] = {"figure": figure, "samples": len(row["wall_seconds"])}
    hashing = runpy.run_path(str(ROOT / "skelkin_py" / "_support" / "source_hash.py"))
    csrc = hashing["source_hash"](ROOT / "csrc")
    for theme, cases in themes.items():
        facts = {"run": {"date": time.strftime("%Y-%m-%d")}, "versions": {"csrc": csrc}, "not run": {}}
        merge(result, cpu, theme, {**facts, "cases": list(cases.values())}, THEMES)
    if run.returncode:
        raise SystemExit("in_blenders.py did not give all its figures")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--venvs", type=Path, default=ROOT / ".venvs")
    parser.add_argument("--wheel", type=Path, help="wheel to measure; the newest in dist/ without it")
    parser.add_argument("--themes", nargs="*", choices=THEMES, help="measure these only; the others stay as they are")
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--seed", type=int, help="of the order of candidates; drawn and printed without it")
    parser.add_argument("--torch", action="store_true", help="with torch, a large download")
    parser.add_argument("--blender", action="store_true", help="measure the add-on in every Blender at hand instead")
    options = parser.parse_args()
    cpu = cpu_name()
    result = path_of(slug(cpu))
    result.parent.mkdir(exist_ok=True)
    if options.blender:
        measure_blender(options.venvs, result, cpu)
    else:
        python = prepare((options.venvs / "bench").resolve(), options.wheel or newest_wheel(), options.torch)
        seed = random.randrange(1_000_000) if options.seed is None else options.seed
        print(f"order of candidates from the seed {seed}; results into {result.relative_to(ROOT)}", flush=True)
        failed = []
        for theme in options.themes or THEMES:
            try:
                merge(result, cpu, theme, measure(python, theme, options.rounds, seed), THEMES)
            except subprocess.CalledProcessError:
                failed.append(theme)
        if failed:
            raise SystemExit(f"failed, their former results stay: {', '.join(failed)}")
    figures.write_all()


if __name__ == "__main__":
    main()
