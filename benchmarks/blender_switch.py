# SPDX-License-Identifier: MIT
"""Time the add-on's switch against Blender's own bake in every Blender at hand; one JSON object per line.

The same rig, the same frames, the same process for both. Targets: the switch on 1 000 frames and 60 bones within 1.5 s;
at least 15 times as fast as the bake of all bones on 3.4, twice on 4.5 and 5.2.
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
from run import find_all  # noqa: E402

TARGETS = {"3.4": 15.0}


def main() -> int:
    """Run every Blender; the exit code is 0 if each gave all its figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--venvs", type=Path, default=ROOT / ".venvs")
    parser.add_argument("--only", action="append", metavar="VERSION")
    parser.add_argument("--blender", metavar="FILE")
    parser.add_argument("--frames", type=int, default=1000)
    parser.add_argument("--timeout", type=float, default=600)
    options = parser.parse_args()
    options.venvs = options.venvs.resolve()
    blenders, missing = find_all(options)
    for reason in missing:
        print(f"not run: {reason}", file=sys.stderr)
    complete = True
    for blender in blenders:
        with tempfile.TemporaryDirectory(prefix="skelkin-bench-", ignore_cleanup_errors=True) as temporary:
            env = environment(None, Path(temporary)) | {"SKELKIN_BENCH_FRAMES": str(options.frames)}
            code, log = run_limited(blender.script(HERE / "inside_blender.py"), temporary, env, options.timeout)
        rows = {row["case"]: row for row in (json.loads(line[1:]) for line in log.splitlines() if line[:2] == "@{")}
        if code or len(rows) != 3:
            complete = False
            print(log, file=sys.stderr)
        for row in rows.values():
            print(json.dumps(row), flush=True)
        if len(rows) == 3:
            ratios = {f"bake {what} / switch": rows[f"bake {what}"]["seconds"] / rows["switch"]["seconds"]
                      for what in ("legs", "all bones")}  # fmt: skip
            print(
                json.dumps(
                    {"case": "ratio", "blender": blender.name, "target": TARGETS.get(blender.name, 2.0)} | ratios
                )
            )
    return 0 if complete and blenders else 1


if __name__ == "__main__":
    raise SystemExit(main())
