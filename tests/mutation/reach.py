# SPDX-License-Identifier: MIT
"""Which tests execute a line of the C code, and how long each takes: gcov over every test by itself."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import subprocess
import sys
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from scratch import COVERED, SCRATCH, Base, Slot, program_sources

TREE = SCRATCH / "tree"
LIMIT = 900.0


@dataclass
class Reach:
    """For each file of csrc and each of its lines that is code, the tests that execute it."""

    seconds: dict[Path, float] = field(default_factory=dict)
    lines: dict[str, dict[int, set[Path]]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(set)))

    def tests(self, file: str, line: int) -> list[Path]:
        """Return the tests that execute a line, or its file if the line is no code by itself; quickest first."""
        lines = self.lines.get(file, {})
        found = lines[line] if line in lines else set().union(*lines.values())
        return quickest_first({test: self.seconds[test] for test in found})


def quickest_first(seconds: dict[Path, float]) -> list[Path]:
    """Return tests in the order of the time they take."""
    return sorted(seconds, key=lambda test: (seconds[test], test))


def python_tests() -> list[Path]:
    """Return the files of Python tests."""
    return sorted((TREE / "tests" / "python").rglob("test_*.py"))


class Kept:
    """The reach of a tree, kept beside the copy, for a run that goes on."""

    def __init__(self, tree: Path) -> None:
        digest = hashlib.sha256()
        for path in sorted(
            p for name in ("csrc", "tests/c", "tests/python", "skelkin_py") for p in (tree / name).rglob("*")
        ):
            if path.suffix in (".c", ".h", ".inl", ".py"):
                digest.update(path.read_bytes())
        self.path = SCRATCH.with_name(f"mutation-reach-{digest.hexdigest()[:12]}.pickle")
        self.reach: Reach | None = pickle.loads(self.path.read_bytes()) if self.path.is_file() else None

    def write(self, reach: Reach) -> None:
        """Keep what was measured."""
        plain = Reach(reach.seconds, {file: dict(lines) for file, lines in reach.lines.items()})
        self.path.write_bytes(pickle.dumps(plain))


def count_lines(notes: Path) -> dict[str, set[int]]:
    """Return, of a folder with what programs of the covered build left there, the lines executed; negative: not."""
    found: dict[str, set[int]] = defaultdict(set)
    counted = sorted(notes.glob("*.gcda"))
    if not counted:  # of a file of slow tests alone nothing has run
        return found
    for path in counted:
        os.symlink(SCRATCH / COVERED.name / path.with_suffix(".gcno").name, path.with_suffix(".gcno"))
    command = ["gcov", "--json-format", "--stdout", *(path.name for path in counted)]
    said = subprocess.run(command, cwd=notes, capture_output=True, text=True, check=True).stdout
    for document in filter(None, said.split("\n")):
        for each in json.loads(document)["files"]:
            path = Path(os.path.normpath(TREE / "csrc" / each["file"]))
            if TREE / "csrc" in path.parents:
                name = path.relative_to(TREE / "csrc").as_posix()
                found[name] |= {
                    line["line_number"] if line["count"] else -line["line_number"] for line in each["lines"]
                }
    return found


def measure_reach(base: Base, slot: Slot, jobs: int, left_out: list[str], env: dict[str, str]) -> Reach:
    """Run every C program and every file of quick Python tests by itself."""
    reach = Reach()
    slot.take("", "")
    package = slot.package(base)
    depth = len((SCRATCH / COVERED.name).parts) - 1

    def measured(test: Path) -> tuple[Path, float, dict[str, set[int]]]:
        notes = SCRATCH / "reach" / "-".join(test.relative_to(TREE).with_suffix("").parts)
        notes.mkdir(parents=True)
        if test.suffix == ".c":
            command = [str(slot.program(base, test))]
        else:
            command = [*pytest_command(left_out, LIMIT), "-m", "not slow", str(test)]
        began = time.monotonic()
        done = subprocess.run(
            command,
            cwd=package,
            env=env | {"GCOV_PREFIX": str(notes), "GCOV_PREFIX_STRIP": str(depth)},
            capture_output=True,
            text=True,
            errors="replace",
            timeout=2 * LIMIT,
            check=False,
        )
        no_tests = test.suffix == ".py" and done.returncode == 5
        assert done.returncode == 0 or no_tests, f"fails without a fault: {test}\n{done.stdout}{done.stderr}"
        return test, time.monotonic() - began, count_lines(notes)

    with ThreadPoolExecutor(jobs) as pool:
        for test, seconds, lines in pool.map(measured, [*program_sources(), *python_tests()]):
            reach.seconds[test] = seconds
            for file, numbers in lines.items():
                for number in numbers:
                    tests = reach.lines[file][abs(number)]
                    if number > 0:
                        tests.add(test)
    assert sum(any(lines.values()) for lines in reach.lines.values()) > 100, "gcov found hardly any file"
    return reach


def pytest_command(left_out: list[str], seconds: float) -> list[str]:
    """Return how Python tests are run: each named before it begins, until one fails or takes too long."""
    command = [sys.executable, "-m", "pytest", "-v", "-x", "--tb=no", "-p", "no:randomly", "-p", "no:cacheprovider"]
    command += ["--hypothesis-seed=0", f"--timeout={seconds}", "--timeout-method=thread"]
    return command + [f"--deselect={name}" for name in left_out]
