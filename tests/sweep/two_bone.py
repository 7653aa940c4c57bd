# SPDX-License-Identifier: MIT
"""Random two-bone problems by the million, on every instruction set of this CPU, in both precisions.

`python tests/sweep/two_bone.py [--count N] [--seed S]`: N problems per instruction set, half of them in each
precision. Without a seed it takes a new one; what it finds is told with the seed that finds it again.
"""

from __future__ import annotations

import argparse
import os
import secrets
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SUPPORT = Path(__file__).resolve().parents[1] / "support"
TYPES = ("float32", "float64")


def piece(dtype: str, seed: int, count: int) -> int:
    """Go through the problems in this process; return the exit code."""
    sys.path.insert(0, str(SUPPORT))
    import limb_problems
    import numpy as np

    import skelkin_py as sk

    sk.set_num_threads(1)
    began = time.perf_counter()
    complaint, worst = limb_problems.sweep(seed, count, np.dtype(dtype))
    figures = ", ".join(f"{name} {max(value, 0.0):.1e}" for name, value in worst.items())
    print(f"{sk.isa()}, {dtype}: {count} problems, seed {seed}: {complaint or 'ok'} (at worst: {figures}; "
          f"{time.perf_counter() - began:.0f} s)")  # fmt: skip
    return 1 if complaint else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=10_000_000)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**9))
    parser.add_argument("--piece", choices=TYPES, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.piece:
        return piece(options.piece, options.seed, options.count)
    import skelkin_py as sk

    isas = sk.build_info().isas
    best = isas.index(sk.isa())  # those before it are above this CPU

    def run(job: tuple[str, str]) -> int:
        isa, dtype = job
        command = [sys.executable, __file__, "--piece", dtype, "--seed", str(options.seed)]
        command += ["--count", str(options.count // 2)]
        done = subprocess.run(command, env=os.environ | {"SKELKIN_ISA": isa}, capture_output=True, text=True)
        print((done.stdout + done.stderr).rstrip(), flush=True)
        return done.returncode

    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        return max(pool.map(run, [(isa, dtype) for isa in isas[best:] for dtype in TYPES]))


if __name__ == "__main__":
    sys.exit(main())
