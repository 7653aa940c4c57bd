# SPDX-License-Identifier: MIT
"""Processes that are copies of the command: what they take over of it, and what they must not."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import skelkin_py as sk

SAFE = ["-P"] if sys.version_info >= (3, 11) else []
START = """\
import contextlib, json, os, signal, sys, threading, time
from skelkin_py.cli.workers import run_tasks

"""


def command_of(folder: Path, code: str) -> list[str]:
    (folder / "program.py").write_text(START + code)
    return [sys.executable, *SAFE, "-W", "error", "program.py"]


def environment_with(**others: str) -> dict[str, str]:
    """Return one in which numpy has one thread, so that a program may fork."""
    return {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", **others}


def answer(folder: Path, code: str, **environment: str) -> object:
    """Return what the program prints, as JSON, once: a copy that went on by itself would print it too."""
    done = subprocess.run(
        command_of(folder, code), env=environment_with(**environment), cwd=folder,
        capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


KNOWS = """\
known = []
def knows(_): return len(known)
def outcomes(function, tasks): return [list(out) for out in sorted(run_tasks(function, tasks, 2))]
"""


@pytest.mark.slow
def test_a_process_knows_what_the_command_has_loaded(tmp_path: Path) -> None:
    code = KNOWS + "known.append(1)\nprint(json.dumps(outcomes(knows, [0, 0, 0])))"
    assert answer(tmp_path, code) == [[0, 1, ""], [1, 1, ""], [2, 1, ""]]


@pytest.mark.slow
def test_a_program_with_other_threads_is_not_copied(tmp_path: Path) -> None:
    """One of them might hold a lock, which then nobody would release in the copy."""
    code = KNOWS + (
        "if __name__ == '__main__':\n    known.append(1)\n    end = threading.Event()\n"
        "    threading.Thread(target=end.wait).start()\n"
        "    print(json.dumps(outcomes(knows, [0, 0])))\n    end.set()\n"
    )
    assert answer(tmp_path, code) == [[0, 0, ""], [1, 0, ""]]


@pytest.mark.slow
def test_each_process_works_with_one_thread(tmp_path: Path) -> None:
    code = KNOWS + (
        "import skelkin_py as sk\n"
        "def threads(name): return [os.environ[name], sk.get_num_threads()]\n"
        "print(json.dumps([outcomes(threads, ['OMP_NUM_THREADS']), sk.get_num_threads()]))"
    )
    assert answer(tmp_path, code, SKELKIN_NUM_THREADS="3") == [[[0, ["1", 1], ""]], 3]


@pytest.mark.slow
@pytest.mark.parametrize("tasks", [[3, 3, 3], [0, 3, 0]], ids=str)
def test_a_process_that_dies_is_replaced_by_another_copy(tmp_path: Path, tasks: list[int]) -> None:
    code = KNOWS + (
        "def leaves(code): return os._exit(code) if code else len(known)\n"
        f"known.append(1)\nprint(json.dumps(outcomes(leaves, {tasks})))"
    )
    died = [None, "its process ended with exit code 3: run it alone, with --jobs 1, to see why"]
    assert answer(tmp_path, code) == [[which, *(died if task else [1, ""])] for which, task in enumerate(tasks)]


@pytest.mark.slow
def test_the_command_forks(tmp_path: Path) -> None:
    """Whatever numpy is built with has started no thread in it."""
    sk.example("biped").clip.slice(0, 30).save(tmp_path / "a.bvh")
    shutil.copy(tmp_path / "a.bvh", tmp_path / "b.bvh")
    (tmp_path / "skelkin").write_text(
        "import multiprocessing\nfrom skelkin_py.cli import main\nways, real = [], multiprocessing.get_context\n"
        "def noted(way):\n    ways.append(way)\n    return real(way)\n"
        "multiprocessing.get_context = noted\n"
        "assert main() == 0\nassert ways == ['fork', 'fork'], ways\n"
    )
    command = [sys.executable, *SAFE, "skelkin", "plant", "a.bvh", "b.bvh", "-o", "out/", "--jobs", "2"]
    kept = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    done = subprocess.run(command, cwd=tmp_path, env=kept, capture_output=True, text=True, check=False, timeout=300)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "out" / "a.bvh").read_bytes() == (tmp_path / "out" / "b.bvh").read_bytes()


AT_ONCE = """\
os.register_at_fork(after_in_child=lambda: os.kill(os.getpid(), signal.{}))
signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
try:
    found = outcomes(float, ["1", "2"])
finally:
    print(json.dumps("cleaned up"))
with open("found.json", "w") as file:
    json.dump(found, file)
"""


@pytest.mark.slow
def test_a_copy_that_is_terminated_at_once_does_not_clean_up_for_the_command(tmp_path: Path) -> None:
    assert answer(tmp_path, KNOWS + AT_ONCE.format("SIGTERM")) == "cleaned up"
    died = [None, "its process ended with exit code 1: run it alone, with --jobs 1, to see why"]
    assert json.loads((tmp_path / "found.json").read_text()) == [[0, *died], [1, *died]]


@pytest.mark.slow
def test_a_copy_that_gets_ctrl_c_at_once_leaves_it_to_the_command(tmp_path: Path) -> None:
    assert answer(tmp_path, KNOWS + AT_ONCE.format("SIGINT")) == "cleaned up"
    assert json.loads((tmp_path / "found.json").read_text()) == [[0, 1.0, ""], [1, 2.0, ""]]


def has_ended(process: int) -> bool:
    """Tell whether a process is gone, or at most waits for somebody to ask how it ended."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


@pytest.mark.slow
def test_each_process_hears_that_the_command_is_gone_whatever_the_others_do(tmp_path: Path) -> None:
    """They have copies of the pipes between the command and each other, which would keep those waiting."""
    code = (
        "def works(name):\n"
        "    os.close(os.open(f'{name} {os.getpid()}', os.O_CREAT))\n"
        "    if name == 'long':\n        time.sleep(1000)\n"
        "for out in run_tasks(works, ['short', 'long', 'again'], 2):\n"
        "    if out.which == 2:\n"
        "        while not any(name.startswith('long') for name in os.listdir()):\n            time.sleep(0.01)\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    run = subprocess.Popen(
        command_of(tmp_path, code), env=environment_with(), cwd=tmp_path,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    try:
        assert run.wait(timeout=300) == -signal.SIGKILL
        names = sorted(path.name.split() for path in tmp_path.iterdir() if path.name != "program.py")
        (again, first), (long, second), (short, _) = [(name, int(process)) for name, process in names]
        assert (again, long, short) == ("again", "long", "short")
        limit = time.monotonic() + 250
        while not has_ended(first):
            assert time.monotonic() < limit
            time.sleep(0.02)
        assert not has_ended(second)
    finally:
        os.killpg(run.pid, signal.SIGKILL)
