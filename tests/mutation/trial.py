# SPDX-License-Identifier: MIT
"""One fault put to the tests that execute its line: C programs, Python tests, then both with every address checked."""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from faults import Fault
from reach import Kept, measure_reach, pytest_command, quickest_first
from scratch import CHECKED, COVERED, PLAIN, ROOT, SCRATCH, Base, Slot, compiler, run, same_code

sys.path.append(str(ROOT / "tests" / "support"))
from limited_runs import run_limited

LEFT_OUT = [
    "tests/python/contracts/test_isa.py",  # compares instruction sets
    "tests/python/contracts/test_import.py::test_the_extension_exports_one_symbol",  # gcov has others
    "tests/python/contracts/test_contract_out.py::test_poses_may_lie_gigabytes_apart",  # wants more than MOST_MEMORY
    "tests/python/ik/test_rounded_poses.py::test_all_clips_at_hand_are_tried",  # looks beside the tree
]
CHECKS = "detect_leaks=0:hard_rss_limit_mb=6000"
MOST_MEMORY = 12_000_000  # kB of addresses: a fault that asks for everything is no reason to end other programs


def words(name: str) -> set[str]:
    """Return the words of a path, plurals as their singulars."""
    return {word.rstrip("s") for word in re.findall("[a-z]+", name)}


def affordable(file: str, tests: list[Path], seconds: dict[Path, float], most: float) -> list[Path]:
    """Return the tests of a list that are most likely to notice a fault in a file, as many as take `most` together.

    Those come first that share words with the name of the file, and among these the quickest.
    """
    own, taken, spent = words(file), [], 0.0
    for test in sorted(
        tests, key=lambda test: (-len(own & words(str(test.relative_to(SCRATCH / "tree")))), seconds[test])
    ):
        spent += seconds[test]
        if taken and spent > most:
            break
        taken.append(test)
    return taken


@dataclass(frozen=True)
class Part:
    """A part of a trial; `run` returns what failed, or nothing."""

    name: str
    run: Callable[[], str]


def library(name: str) -> str:
    """Return where a library of the compiler is."""
    return run(*compiler(), f"-print-file-name={name}").stdout.strip()


def environment(build: str) -> dict[str, str]:
    """Return what tests are started with; git is kept from the tree around, where somebody may be working."""
    data = os.environ.get("SKELKIN_DATA") or str(ROOT.parent / "shared" / "data")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "SKELKIN_"))}
    kept |= {"GIT_CEILING_DIRECTORIES": str(SCRATCH), "SKELKIN_DATA": data, "ASAN_OPTIONS": CHECKS}
    kept |= {"OPENBLAS_NUM_THREADS": "1"}  # of numpy, whose threads would wait for each other in circles
    if build == CHECKED.name:
        kept |= {"LD_PRELOAD": " ".join(library(name) for name in ("libasan.so", "libstdc++.so"))}
    return kept


def run_bounded(command: list[str], folder: Path, env: dict[str, str], limit: float) -> tuple[int | None, str]:
    """Run a program with all it starts, in a bounded memory."""
    if "LD_PRELOAD" not in env and "checked" not in command[0]:  # the checks themselves take terabytes of addresses
        command = ["sh", "-c", f'ulimit -v {MOST_MEMORY} && exec "$@"', "sh", *command]
    return run_limited(command, folder, env, limit)


def ending(code: int | None, said: str) -> str:
    """Return how a program ended that did not end well."""
    checked = re.search(r"(?:AddressSanitizer|runtime error): ([\w -]+)", said)
    if checked:
        return checked[1].strip()
    return "does not end" if code is None else f"exit {code}" if code >= 0 else signal.Signals(-code).name


def failed_test(code: int | None, said: str) -> str:
    """Return the test that pytest, which told each by name, says to have failed, or was in when the process ended."""
    failed = re.search(r"^\S*?(tests/python/\S+?::.*?) (?:FAILED|ERROR)", said, re.MULTILINE)
    if failed:
        return failed[1]
    begun = re.findall(r"^\S*?(tests/python/\S+?::\S+)", said, re.MULTILINE)
    return f"{begun[-1] if begun else 'collection'} ({ending(code, said)})"


class Trials:
    """The builds of the tree as it is, and which tests execute each line."""

    def __init__(self, slots: list[Slot], most_seconds: float) -> None:
        jobs, self.most_seconds = len(slots), most_seconds
        self.bases = {build.name: Base(build) for build in (PLAIN, CHECKED, COVERED)}
        for base in self.bases.values():
            base.make(jobs)
        kept = Kept(SCRATCH / "tree")
        if kept.reach is None:
            self.reach = measure_reach(self.bases[COVERED.name], slots[0], jobs, LEFT_OUT, environment(PLAIN.name))
            tests = quickest_first(self.reach.seconds)
            with ThreadPoolExecutor(jobs) as pool:
                halves = [pool.submit(self.pass_checked, slot, tests[k::jobs]) for k, slot in enumerate(slots)]
                for half in halves:
                    half.result()
            kept.write(self.reach)
        else:
            self.reach = kept.reach

    def pass_checked(self, slot: Slot, tests: list[Path]) -> None:
        """Run tests without a fault, with every address checked: all must pass."""
        slot.take("", "")
        for part in self.parts(slot, tests, CHECKED.name):
            failed = part.run()
            assert not failed, f"fails without a fault: {part.name}: {failed}"

    def run_program(self, slot: Slot, build: str, source: Path, limit: float) -> str:
        """Run a C test; return how it failed."""
        path = slot.program(self.bases[build], source)
        code, said = run_bounded([str(path)], slot.folder, environment(PLAIN.name), limit)
        return "" if code == 0 else f"tests/c/{source.name}" + ("" if code == 1 else f" ({ending(code, said)})")

    def run_python(self, slot: Slot, build: str, tests: list[Path], limit: float) -> str:
        """Run the quick tests of files; return the first that fails, ends the process or does not end."""
        marks = "not slow and not data" if build == CHECKED.name else "not slow"
        command = [*pytest_command(LEFT_OUT, 60), "-m", marks, *(str(test) for test in tests)]
        code, said = run_bounded(command, slot.package(self.bases[build]), environment(build), limit)
        return "" if code in (0, 5) else failed_test(code, said)  # 5: there is no test of these marks

    def parts(self, slot: Slot, tests: list[Path], build: str) -> list[Part]:
        """Return the tests in order, each C program by itself, with more time than they take without a fault."""
        slower = 20 if build == CHECKED.name else 6
        parts = []
        for test in tests:
            if test.suffix == ".c":
                limit = 60 + slower * self.reach.seconds[test]
                parts.append(Part(test.name, partial(self.run_program, slot, build, test, limit)))
        if python := [test for test in tests if test.suffix == ".py"]:
            limit = 60 + slower * sum(self.reach.seconds[test] for test in python)
            parts.append(Part("Python tests", partial(self.run_python, slot, build, python, limit)))
        return parts

    def judge(self, slot: Slot, fault: Fault) -> tuple[str, str]:
        """Return what came of a fault (`caught`, `not caught`, `same code`, `not C`) and what noticed it."""
        text = (SCRATCH / "tree" / "csrc" / fault.file).read_text(encoding="utf-8")
        slot.take(fault.file, fault.apply(text))
        made = slot.compile_fault(self.bases[PLAIN.name])
        if made is None:
            return "not C", ""
        if same_code(made, self.bases[PLAIN.name].objects / made.name):
            return "same code", ""
        reached = self.reach.tests(fault.file, fault.line)
        tests = affordable(fault.file, reached, self.reach.seconds, self.most_seconds)
        for build in (PLAIN.name, CHECKED.name):
            for part in self.parts(slot, tests, build):
                failed = part.run()
                if failed:
                    return "caught", ("checked: " if build == CHECKED.name else "") + failed
        return "not caught", "" if tests else "no quick test executes the line"
