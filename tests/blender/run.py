# SPDX-License-Identifier: MIT
"""Run tests/blender in every Blender at hand, some files in each process, and add up what they report.

The oldest and the newest Blender run all of it, those between only EVERYWHERE; --whole runs all in each.

Blenders: the `blender` on PATH (or --blender FILE), and Blender as a module in venvs that are made on first use. What
cannot run is listed with its reason; where SKELKIN_STRICT=1 that is a failure. A process that crashes, hangs or reports
fewer tests than it collected is a failure whatever it printed.
"""

from __future__ import annotations

import argparse
import itertools
import os
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from processes import HERE, ROOT, binary_version, environment, newest, run_limited

MODULES = {"4.2": "3.11", "4.5": "3.11", "5.0": "3.11", "5.2": "3.13"}  # Blender as a module: one exact CPython each
BINARY = "3.4"  # what Debian 12 installs; another binary runs under its own number
BETWEEN = ("4.2", "4.5", "5.0", "windows-4.5")
# What hangs on the version itself: how the add-on is installed, what Blender evaluates, how keys are read and written.
EVERYWHERE = (
    "test_install",
    "test_bbones",
    "test_deform",
    "test_exact_pose",
    "test_fcurves",
    "test_ik",
    "test_parity_fk_skin",
    "test_parity_two_bone",
    "test_switch",
    "test_switch_files",
    "test_switch_states",
)

FILES_TOGETHER = 16  # a Blender takes two seconds to begin, and one that crashes takes what it ran with it


@dataclass
class Blender:
    """One Blender and how to run pytest, or a script, in it."""

    name: str
    command: Callable[[list[str]], list[str]]
    script: Callable[[Path], list[str]]
    windows: Path | None = None  # what tools/windows/home.py has made, where this is Windows' Blender

    def named(self, path: Path | str) -> str:
        """Return the name of a file or folder as this Blender sees it."""
        return f"Z:{path}" if self.windows else str(path)


@dataclass
class Outcome:
    """What one process did."""

    title: str
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    seconds: float = 0.0
    problems: list[str] = field(default_factory=list)
    log: str = ""


def pytest_folder(venvs: Path) -> Path | None:
    """Return a folder with pytest for a Blender binary, whose own Python has none; made on first use."""
    folder, pins = venvs / "blender-pytest", ROOT / "requirements" / "blender-pytest.txt"
    done = folder / ".pins"
    if not done.is_file() or done.read_bytes() != pins.read_bytes():
        shutil.rmtree(folder, ignore_errors=True)
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q", "install", "--no-deps"]
        if subprocess.run([*pip, "--target", str(folder), "-r", str(pins)], check=False).returncode:
            return None
        done.write_bytes(pins.read_bytes())
    return folder


def find_binary(path: str | None, venvs: Path) -> tuple[list[Blender], list[str]]:
    """Return the Blender binary at hand, or what is missing."""
    path = path or shutil.which("blender")
    version = binary_version(path) if path else None
    if path is None or version is None:
        return [], [f"Blender {BINARY} (needs the `blender` command: sudo apt install blender)"]
    if (folder := pytest_folder(venvs)) is None:
        return [], [f"Blender {BINARY} (pytest could not be installed for it: see above)"]

    def script(file: Path) -> list[str]:
        return [path, "-b", "-noaudio", "--factory-startup", "--python-exit-code", "1", "--python", str(file)]

    def command(arguments: list[str]) -> list[str]:
        return [*script(HERE / "inside.py"), "--", str(folder), *arguments]

    return [Blender(version, command, script)], []


def find_module(version: str, venvs: Path) -> tuple[list[Blender], list[str]]:
    """Return Blender as a module of this version, making its venv if needed, or what is missing."""
    python_version = MODULES[version]
    found = subprocess.run(
        [str(ROOT / "tools" / "find_cpython.sh"), python_version], stdout=subprocess.PIPE, text=True, check=False
    ).stdout.strip()
    folder = venvs / f"bpy-{version}"
    if not found:
        variable = "PYTHON" + python_version.replace(".", "")
        return [], [f"bpy {version} (needs CPython {python_version}; set {variable}=…)"]
    made = subprocess.run(
        [str(ROOT / "tools" / "blender_venv.sh"), version, found, str(folder)],
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    if made.returncode:
        return [], [f"bpy {version} ({made.stderr.strip() or 'its venv could not be made'})"]
    start = [str(folder / "bin" / "python"), "-P", "-B"]
    return [Blender(version, lambda given: [*start, "-m", "pytest", *given], lambda file: [*start, str(file)])], []


def find_windows(home: Path) -> Blender:
    """Return Blender as a module of Windows, in wine; its site-packages, with our wheel, it does not see."""
    start = ["/usr/lib/wine/wine64", str(home / "python" / "python.exe"), "-P", "-B", "-S"]
    return Blender(
        "windows-4.5", lambda given: [*start, "-m", "pytest", *given], lambda file: [*start, f"Z:{file}"], home
    )


def environment_of(blender: Blender, site: Path | None, folder: Path) -> dict[str, str]:
    """Return the environment of one process."""
    if blender.windows is None:
        return environment(site, folder)
    env = environment(site, folder, dist=blender.windows / "dist", system="windows-x64")
    env["PYTHONPATH"] = os.pathsep.join([str(blender.windows / "blender"), *([str(site)] if site else [])])
    return {
        name: ";".join(f"Z:{part}" for part in value.split(os.pathsep))
        if name.startswith(("HOME", "XDG_", "BLENDER_", "MPL", "SKELKIN_", "PYTHONPATH")) and value.startswith("/")
        else value
        for name, value in env.items()
    }


def read_report(outcome: Outcome, report: Path, collected: Path) -> None:
    """Add the numbers of one JUnit file, and what is wrong with it; the other file holds the number of tests."""
    if not report.is_file() or not collected.is_file():
        outcome.problems.append("wrote no report: it crashed or was stopped")
        return
    try:
        suite = next(ElementTree.parse(report).getroot().iter("testsuite"))
    except (ElementTree.ParseError, StopIteration):
        outcome.problems.append("wrote a broken report")
        return
    total, bad, outcome.skipped = (
        sum(int(suite.get(key, "0")) for key in keys) for keys in (("tests",), ("failures", "errors"), ("skipped",))
    )
    outcome.failed = bad
    outcome.passed = max(0, total - bad - outcome.skipped)
    expected = int(collected.read_text())
    if total < expected:
        outcome.problems.append(f"reported {total} of {expected} tests")


def together(files: list[Path]) -> list[list[Path]]:
    """Return which files share a process; what installs the add-on has one of its own."""
    alone = [[path] for path in files if path.stem.startswith("test_install")]
    others = [path for path in files if not path.stem.startswith("test_install")]
    processes = -(-len(others) // FILES_TOGETHER)
    return alone + [others[k::processes] for k in range(processes)]


def run_files(
    blender: Blender, files: list[Path], site: Path | None, reports: Path, options: argparse.Namespace
) -> Outcome:
    """Run test files in one process of a Blender."""
    outcome = Outcome(f"Blender {blender.name} {' '.join(path.stem.removeprefix('test_') for path in files)}")
    report = reports / f"blender-{blender.name}-{files[0].stem}.xml"
    for old in (report, report.with_suffix(".problems.xml")):
        old.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(prefix="skelkin-blender-", ignore_cleanup_errors=True) as temporary:
        arguments = [*map(blender.named, files), "-c", blender.named(HERE / "pytest.ini"), "-q"]
        arguments += ["--rootdir", blender.named(HERE), f"--junitxml={blender.named(report)}"]
        arguments += [f"--basetemp={blender.named(temporary)}/tests", *(["-k", options.k] if options.k else [])]
        arguments += ["-m", "not posix"] if blender.windows else []
        # A test of installing must find the module in what it installs, nowhere else.
        installs = files[0].stem.startswith("test_install")
        env = environment_of(blender, None if installs else site, Path(temporary))
        collected = Path(temporary) / "collected"
        env["SKELKIN_TEST_COLLECTED"] = blender.named(collected)
        if options.whole:
            env["SKELKIN_TEST_WHOLE"] = "1"
        started = time.monotonic()
        code, outcome.log = run_limited(blender.command(arguments), temporary, env, options.timeout)
        outcome.seconds = time.monotonic() - started
        read_report(outcome, report, collected)
    if code is None:
        outcome.problems.append(f"stopped after {options.timeout:.0f} s")
    nothing_selected = options.k and code == 5
    if code and not outcome.failed and not outcome.problems and not nothing_selected:
        outcome.problems.append(f"ended with exit code {code}")
    outcome.failed += len(outcome.problems)
    if outcome.problems:  # so that whoever adds up the reports sees them too
        suite = ElementTree.Element("testsuite", tests="1", failures="1")
        case = ElementTree.SubElement(suite, "testcase", classname=files[0].stem, name="process")
        ElementTree.SubElement(case, "failure", message="; ".join(outcome.problems)).text = outcome.log
        ElementTree.ElementTree(suite).write(report.with_suffix(".problems.xml"))
    return outcome


def show(outcome: Outcome, verbose: bool) -> None:
    """Print one line for a process, and its output where something is wrong."""
    state = "FAILED" if outcome.failed else "ok"
    print(
        f"{state:6} {outcome.title}: {outcome.passed} passed, {outcome.failed} failed, {outcome.skipped} skipped"
        f" ({outcome.seconds:.1f} s)",
        flush=True,
    )
    if outcome.failed or verbose:
        print(outcome.log, flush=True)
    for problem in outcome.problems:
        print(f"       {outcome.title}: {problem}", flush=True)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="*", type=Path, help="test files (all of tests/blender)")
    parser.add_argument("--only", action="append", metavar="VERSION", help="3.4, 4.2, 4.5, 5.0 or 5.2; may be repeated")
    parser.add_argument("--whole", action="store_true", help="all files in each, and what takes long")
    parser.add_argument("--blender", metavar="FILE", help="a Blender binary (the `blender` on PATH)")
    parser.add_argument(
        "--windows", metavar="FOLDER", type=Path, help="what tools/windows/home.py has made: only there"
    )
    parser.add_argument("--venvs", type=Path, default=ROOT / ".venvs")
    parser.add_argument("--wheel", type=Path, help="the wheel under test (the newest in dist/)")
    parser.add_argument("--junit", type=Path, default=ROOT / "artefacts" / "junit")
    parser.add_argument("--timeout", type=float, default=1800, help="seconds for one process")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("-k", metavar="EXPRESSION", help="as pytest's")
    parser.add_argument("-v", "--verbose", action="store_true", help="show every process's output")
    return parser.parse_args()


def find_all(options: argparse.Namespace) -> tuple[list[Blender], list[str]]:
    """Return the Blenders to run, and what of the full set is missing."""
    wanted = options.only or [BINARY, *MODULES]

    def find(version: str) -> tuple[list[Blender], list[str]]:
        if version in MODULES:
            return find_module(version, options.venvs)
        return find_binary(options.blender, options.venvs)

    with ThreadPoolExecutor(2) as pool:  # what is not there yet takes a large download each
        found = list(pool.map(find, wanted))
    blenders = [blender for some, _ in found for blender in some]
    missing = [reason for _, lacking in found for reason in lacking]
    return blenders, missing


@contextmanager
def site_of(wheel: Path) -> Iterator[Path]:
    """Unpack the wheel into a folder that a Python can import it from."""
    with tempfile.TemporaryDirectory(prefix="skelkin-site-") as site:
        zipfile.ZipFile(wheel).extractall(site)
        yield Path(site)


def pin_to_a_core(cores: Iterator[int]) -> None:
    """Let this thread and what it starts run on one core: Blender's threads would wait for each other busily."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {next(cores)})


def main() -> int:
    """Run everything; the exit code is 0 only if all that was asked for ran and passed."""
    options = parse()
    options.venvs = options.venvs.resolve()
    wheel = options.wheel or newest("skelkin_py-*-abi3-*.whl", *([options.windows / "dist"] if options.windows else []))
    if wheel is None:
        print("no wheel in dist/: run `make wheel` first", file=sys.stderr)
        return 2
    blenders, missing = ([find_windows(options.windows)], []) if options.windows else find_all(options)
    options.junit.mkdir(parents=True, exist_ok=True)
    files = [path.resolve() for path in options.files] or sorted(HERE.glob("test_*.py"))
    cores = itertools.cycle(sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [0])
    pinned = {} if options.whole else {"initializer": pin_to_a_core, "initargs": (cores,)}
    with site_of(wheel) as site, ThreadPoolExecutor(options.jobs, **pinned) as pool:
        pending = [
            pool.submit(run_files, blender, some, site, options.junit.resolve(), options)
            for blender in blenders
            for some in together(
                [
                    path
                    for path in files
                    if options.files or options.whole or blender.name not in BETWEEN or path.stem in EVERYWHERE
                ]
            )
        ]
        outcomes = []
        for future in pending:
            outcomes.append(future.result())
            show(outcomes[-1], options.verbose)
    strict = os.environ.get("SKELKIN_STRICT") == "1"
    for reason in missing:
        print(f"not run: {reason}")
    passed, failed, skipped = (sum(getattr(o, key) for o in outcomes) for key in ("passed", "failed", "skipped"))
    failed += len(missing) if strict else 0
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or (strict and not outcomes) else 0


if __name__ == "__main__":
    raise SystemExit(main())
