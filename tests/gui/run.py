# SPDX-License-Identifier: MIT
"""Drive the add-on in a real Blender window under Xvfb: events as a user makes them, assertions on scene data.

Writes gui.xml (JUnit) and a screenshot per step, to be looked at. Needs the `blender` and `xvfb-run` commands.
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


def command(blender: str) -> list[str]:
    width, height = SIZE
    screen = ["xvfb-run", "-a", "-s", f"-screen 0 {width}x{height}x24"]
    window = ["--window-geometry", "0", "0", str(width), str(height)]
    # Blender heeds no variable of Python's: where the script's modules are is told by an expression before it.
    folders = [str(HERE), str(HERE.parent / "blender")]
    before = f"import sys; sys.dont_write_bytecode = True; sys.path[:0] = {folders}"
    return [*screen, blender, "-noaudio", "--factory-startup", "--enable-event-simulate", *window,
            "--python-exit-code", "1", "--python-expr", before, "--python", str(HERE / "inside.py")]  # fmt: skip


def totals(report: Path) -> tuple[int, int]:
    """Return how many steps passed and failed."""
    suite = next(ElementTree.parse(report).getroot().iter("testsuite"))
    total, failed = int(suite.get("tests", "0")), int(suite.get("failures", "0"))
    return total - failed, failed


def main() -> int:
    """Run the window; the exit code is 0 only if every step ran and passed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--junit", type=Path, default=ROOT / "artefacts" / "junit")
    parser.add_argument("--screenshots", type=Path, default=ROOT / "artefacts" / "gui")
    parser.add_argument("--blender", default="blender")
    parser.add_argument("--timeout", type=float, default=900)
    options = parser.parse_args()
    lacking = [name for name in (options.blender, "xvfb-run") if shutil.which(name) is None]
    if lacking or binary_version(options.blender) is None:
        print(f"not run: the window (needs {' and '.join(lacking) or 'a Blender that starts'}: "
              "sudo apt install blender xvfb xauth)")  # fmt: skip
        return 1 if os.environ.get("SKELKIN_STRICT") == "1" else 0
    for folder in (options.junit, options.screenshots):
        folder.mkdir(parents=True, exist_ok=True)
    report = options.junit.resolve() / "gui.xml"
    report.unlink(missing_ok=True)
    for old in options.screenshots.glob("*.png"):
        old.unlink()
    with tempfile.TemporaryDirectory(prefix="skelkin-gui-", ignore_cleanup_errors=True) as temporary:
        env = environment(None, Path(temporary))
        env |= {"SKELKIN_GUI_REPORT": str(report), "SKELKIN_GUI_SHOTS": str(options.screenshots.resolve())}
        env |= {"LIBGL_ALWAYS_SOFTWARE": "1", "PYTHONDONTWRITEBYTECODE": "1"}
        code, log = run_limited(command(options.blender), temporary, env, options.timeout)
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
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
