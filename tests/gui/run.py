# SPDX-License-Identifier: MIT
"""Drive the add-on in a real Blender window under Xvfb: events as a user makes them, assertions on scene data.

Writes a report (JUnit) for each script and a screenshot per step, to be looked at. Needs the `blender` and
`xvfb-run` commands, and for the session the clips of SKELKIN_DATA.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "blender"))
from processes import ROOT, binary_version, environment, run_limited  # noqa: E402

SIZE = (1280, 800)
SCRIPTS = ("inside.py", "session.py")


def command(blender: str, script: str) -> list[str]:
    width, height = SIZE
    screen = ["xvfb-run", "-a", "-s", f"-screen 0 {width}x{height}x24"]
    window = ["--window-geometry", "0", "0", str(width), str(height)]
    # Blender heeds no variable of Python's: where the script's modules are is told by an expression before it.
    folders = [str(HERE), str(HERE.parent / "blender")]
    before = f"import sys; sys.dont_write_bytecode = True; sys.path[:0] = {folders}"
    return [*screen, blender, "-noaudio", "--factory-startup", "--enable-event-simulate", *window,
            "--python-exit-code", "1", "--python-expr", before, "--python", str(HERE / script)]  # fmt: skip


def totals(report: Path) -> tuple[int, int]:
    """Return how many steps passed and failed."""
    suite = next(ElementTree.parse(report).getroot().iter("testsuite"))
    total, failed = int(suite.get("tests", "0")), int(suite.get("failures", "0"))
    return total - failed, failed


def run(options: argparse.Namespace, script: str) -> tuple[int, int]:
    """Run a script in a window of its own; return how many of its steps passed and failed."""
    report = options.junit.resolve() / f"gui-{Path(script).stem}.xml"
    report.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(prefix="skelkin-gui-", ignore_cleanup_errors=True) as temporary:
        env = environment(None, Path(temporary))
        env |= {"SKELKIN_GUI_REPORT": str(report), "SKELKIN_GUI_SHOTS": str(options.screenshots.resolve())}
        env |= {"LIBGL_ALWAYS_SOFTWARE": "1", "PYTHONDONTWRITEBYTECODE": "1"}
        code, log = run_limited(command(options.blender, script), temporary, env, options.timeout)
        for crash in Path(temporary).rglob("*.crash.txt"):  # has the Python lines that were being run
            log += crash.read_text(errors="replace")
    for line in log.splitlines():
        if line.endswith("a redraw"):  # what drawing into the view costs
            print(line)
    passed, failed = totals(report) if report.is_file() else (0, 0)
    if code != 0 or failed or not passed:
        failed = max(failed, 1)
        print(log)
        print("stopped: it took too long" if code is None else f"Blender ended with exit code {code}")
    return passed, failed


def main() -> int:
    """Run the window; the exit code is 0 only if every step ran and passed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--junit", type=Path, default=ROOT / "artefacts" / "junit")
    parser.add_argument("--screenshots", type=Path, default=ROOT / "artefacts" / "gui")
    parser.add_argument("--blender", default="blender")
    parser.add_argument("--only", choices=SCRIPTS)
    parser.add_argument("--timeout", type=float, default=900)
    options = parser.parse_args()
    lacking = [name for name in (options.blender, "xvfb-run") if shutil.which(name) is None]
    if lacking or binary_version(options.blender) is None:
        print(f"not run: the window (needs {' and '.join(lacking) or 'a Blender that starts'}: "
              "sudo apt install blender xvfb xauth)")  # fmt: skip
        return 1 if os.environ.get("SKELKIN_STRICT") == "1" else 0
    for folder in (options.junit, options.screenshots):
        folder.mkdir(parents=True, exist_ok=True)
    for old in options.screenshots.glob("*.png"):
        old.unlink()
    scripts = [script for script in SCRIPTS if options.only in (None, script)]
    clips = Path(os.environ.get("SKELKIN_DATA") or ROOT.parent / "shared" / "data")
    if not (clips / "SOURCES.md").is_file() and os.environ.get("SKELKIN_STRICT") != "1":
        print("not run: the session (needs clips: set SKELKIN_DATA)")
        scripts = [script for script in scripts if script != "session.py"]
    results = [(0, 0), *(run(options, script) for script in scripts)]
    passed, failed = (sum(each) for each in zip(*results, strict=True))
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
