# SPDX-License-Identifier: MIT
"""Run the measurements that need Blender in every Blender at hand; one JSON object per line.

The same rigs, the same process for Blender's own way and ours: `inside_switch.py` times the add-on's switch against
Blender's bake, `inside_evaluation.py` evaluation from arrays against Blender's own.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests" / "blender"))
from processes import ROOT, environment, run_limited  # noqa: E402
from run import Blender, find_all, newest, site_of  # noqa: E402

SCRIPTS = {"switch": 10, "evaluation": 12}  # the rows that each gives
PARTS = {"poses": 4, "modifier": 5, "ik": 3}  # of "evaluation"


def measure(blender: Blender, what: str, site: Path | None, options: argparse.Namespace) -> bool:
    """Print the rows of one script in one Blender; return whether they are all there."""
    with tempfile.TemporaryDirectory(prefix="skelkin-bench-", ignore_cleanup_errors=True) as temporary:
        # The switch uses what the add-on brings along.
        env = environment(site if what == "evaluation" else None, Path(temporary))
        env |= {"SKELKIN_BENCH_FRAMES": str(options.frames or "")}
        expected = SCRIPTS[what]
        if options.part and what == "evaluation":
            env |= {"SKELKIN_BENCH_PARTS": ",".join(options.part)}
            expected = sum(PARTS[part] for part in options.part)
        command = blender.script(HERE / f"inside_{what}.py")
        code, log = run_limited(command, temporary, env, options.timeout)
    rows = [json.loads(line[1:]) for line in log.splitlines() if line[:2] == "@{"]
    if code or len(rows) != expected:
        print(log, file=sys.stderr)
    for row in rows:
        print(json.dumps(row), flush=True)
    return not code and len(rows) == expected


def main() -> int:
    """Run every Blender; the exit code is 0 if each gave all its figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--venvs", type=Path, default=ROOT / ".venvs")
    parser.add_argument("--only", action="append", metavar="VERSION")
    parser.add_argument("--what", action="append", choices=SCRIPTS)
    parser.add_argument("--part", action="append", choices=PARTS, help="only this part of the evaluation")
    parser.add_argument("--blender", metavar="FILE")
    parser.add_argument("--frames", type=int, default=0, help="3 000 (1 000 in 3.4) if left out")
    parser.add_argument("--timeout", type=float, default=1200)
    options = parser.parse_args()
    options.venvs = options.venvs.resolve()
    wheel = newest("skelkin_py-*-abi3-*.whl")
    if wheel is None:
        print("no wheel in dist/: run `make wheel` first", file=sys.stderr)
        return 2
    blenders, missing = find_all(options)
    for reason in missing:
        print(f"not run: {reason}", file=sys.stderr)
    with site_of(wheel) as site:
        complete = [measure(b, what, site, options) for b in blenders for what in options.what or SCRIPTS]
    return 0 if complete and all(complete) else 1


if __name__ == "__main__":
    raise SystemExit(main())
