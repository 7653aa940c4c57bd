# SPDX-License-Identifier: MIT
"""One fault put to the tests: C programs, then rooms of Python tests, then both with every address checked."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from faults import Fault
from scratch import CHECKED, PLAIN, ROOT, SCRATCH, Base, Slot, compiler, program_sources, run, same_code

PLANTING = ["contacts", "paths", "planting", "ground", "editing"]
NUMBERS = ["kinematics", "transforms", "two_bone", "chains", "skinning"]
# Rooms of tests/python in which a fault of the folder is looked for, those that are likely to notice it first. Files,
# pictures, the add-on and the manners of classes have their own code.
ROOMS = {
    "planting": (PLANTING, ["report", "blocks", "options", "cli", "legs", "kinematics", "two_bone"]),
    "core": (NUMBERS, [*PLANTING, "blocks", "blender", "contracts"]),
    "kernels": (NUMBERS, [*PLANTING, "blocks", "blender", "contracts"]),
}
NEAREST = {"ik": "two_bone", "chains": "chains", "skinning": "skinning", "transforms": "transforms"}
LEFT_OUT = [
    "tests/python/contracts/test_isa.py",  # compares instruction sets
    "tests/python/contracts/test_contract_out.py::test_poses_may_lie_gigabytes_apart",  # wants more than MOST_MEMORY
    "tests/python/two_bone/test_rounded_poses.py::test_all_clips_at_hand_are_tried",  # looks beside the tree
]
CHECKS = "detect_leaks=0:hard_rss_limit_mb=6000"
MOST_MEMORY = 12_000_000  # kB of addresses: a fault that asks for everything is no reason to end other programs
LONG = {"test_past_the_cache", "test_stop"}  # programs of some seconds: they come after the first rooms


@dataclass(frozen=True)
class Part:
    """A part of a trial; `run` gets seconds that it may take and returns what failed, or nothing."""

    name: str
    run: Callable[[float], str]


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


def run_limited(command: list[str], folder: Path, env: dict[str, str], limit: float) -> tuple[int | None, str]:
    """Run a program with all it starts; return its exit code, none where it had to be ended, and what it said."""
    if "LD_PRELOAD" not in env and "checked" not in command[0]:  # the checks themselves take terabytes of addresses
        command = ["sh", "-c", f'ulimit -v {MOST_MEMORY} && exec "$@"', "sh", *command]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    with subprocess.Popen(
        command, cwd=folder, env=env, text=True, errors="replace", start_new_session=True, **pipes
    ) as process:
        try:
            said, _ = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            said, _ = process.communicate()
            return None, said
        return process.returncode, said


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
    """Both builds of the tree as it is, and how long each part may take."""

    def __init__(self, jobs: int) -> None:
        self.bases = {build.name: Base(build) for build in (PLAIN, CHECKED)}
        for base in self.bases.values():
            base.make(jobs)
        self.limits: dict[str, float] = {}

    def measure(self, slot: Slot) -> None:
        """Run everything without a fault: all must pass, and the time it takes bounds what a fault may take."""
        slot.take("", "")
        parts = [part for folder in ROOMS for part in self.parts(slot, f"{folder}/")]
        for part in {part.name: part for part in parts}.values():
            began = time.monotonic()
            failed = part.run(1800.0)
            assert not failed, f"fails without a fault: {part.name}: {failed}"
            self.limits[part.name] = 60 + 6 * (time.monotonic() - began)
            print(f"without a fault: {part.name}: {time.monotonic() - began:.1f} s", flush=True)

    def run_program(self, slot: Slot, build: str, source: Path, limit: float) -> str:
        """Run a C test; return how it failed."""
        path = slot.program(self.bases[build], source)
        code, said = run_limited([str(path)], slot.folder, environment(PLAIN.name), limit)
        return "" if code == 0 else f"tests/c/{source.name}" + ("" if code == 1 else f" ({ending(code, said)})")

    def run_rooms(self, slot: Slot, build: str, rooms: list[str], limit: float) -> str:
        """Run the quick tests of some rooms; return the first that fails, ends the process or does not end."""
        marks = "not slow and not data" if build == CHECKED.name else "not slow"
        command = [sys.executable, "-m", "pytest", "-v", "-x", "--tb=no", "-m", marks, "-p", "no:randomly"]
        command += ["-p", "no:cacheprovider", "--hypothesis-seed=0", "--timeout=60", "--timeout-method=thread"]
        command += [f"--deselect={name}" for name in LEFT_OUT]
        command += [str(SCRATCH / "tree" / "tests" / "python" / room) for room in rooms]
        code, said = run_limited(command, slot.package(self.bases[build]), environment(build), limit)
        return "" if code == 0 else failed_test(code, said)

    def parts(self, slot: Slot, file: str) -> list[Part]:
        """Return what a fault of the file is put to, in order: cheap and likely to notice it comes first."""
        folder, below = file.split("/")[:2]
        first, others = ROOMS[folder]
        first = sorted(first, key=lambda room: room != NEAREST.get(below))

        def programs(build: str, chosen: Callable[[Path], bool]) -> list[Part]:
            return [
                Part(
                    f"{build} {source.stem}", lambda limit, source=source: self.run_program(slot, build, source, limit)
                )
                for source in program_sources()
                if chosen(source)
            ]

        def rooms(build: str, chosen: list[str]) -> Part:
            return Part(f"{build} {' '.join(sorted(chosen))}", lambda limit: self.run_rooms(slot, build, chosen, limit))

        return [
            *programs("plain", lambda source: source.stem not in LONG),
            rooms("plain", first),
            *programs("plain", lambda source: source.stem in LONG),
            rooms("plain", others),
            *programs("checked", lambda _: True),
            rooms("checked", [*PLANTING, "report/test_cost.py"]),
        ]

    def judge(self, slot: Slot, fault: Fault) -> tuple[str, str]:
        """Return what came of a fault (`caught`, `not caught`, `same code`, `not C`) and what noticed it."""
        text = (SCRATCH / "tree" / "csrc" / fault.file).read_text(encoding="utf-8")
        slot.take(fault.file, fault.apply(text))
        made = slot.compile_fault(self.bases[PLAIN.name])
        if made is None:
            return "not C", ""
        if same_code(made, self.bases[PLAIN.name].objects / made.name):
            return "same code", ""
        for part in self.parts(slot, fault.file):
            failed = part.run(self.limits[part.name])
            if failed:
                return "caught", ("checked: " if part.name.startswith(CHECKED.name) else "") + failed
        return "not caught", ""
