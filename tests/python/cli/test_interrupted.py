# SPDX-License-Identifier: MIT
"""``skelkin plant`` over folders, ended in mid-run: nothing is half-written, and the next run makes the rest."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from planted_folders import files_below, times_below

from skelkin_py.cli import main
from skelkin_py.cli.journal import NAME

SAFE = ["-P"] if sys.version_info >= (3, 11) else []
NUM_MANY = 6
GATED = ("04.bvh", "05.bvh")
GATES = "gates"
# The command, which reads some clips only once somebody has written into the pipe of that name.
SCRIPT = """
import os, sys
from skelkin_py.cli import main, plant_file
read = plant_file.load_moving
def load_moving(path, *options):
    gate = os.path.join(os.path.dirname(sys.argv[0]), "gates", os.path.basename(path))
    if os.path.exists(gate):
        open(gate, "rb").read()
    return read(path, *options)
plant_file.load_moving = load_moving
sys.exit(main())
"""


@pytest.fixture(scope="session")
def walk(data_dir: Path) -> bytes:
    """A clip that takes a while."""
    head, motion = (data_dir / "bvh" / "cmu_12_01_walk.bvh").read_text().split("MOTION")
    _, frame_time, *rows = motion.strip().splitlines()
    there_and_back = [*rows, *reversed(rows)] * 2
    return "\n".join([head + "MOTION", f"Frames: {len(there_and_back)}", frame_time, *there_and_back, ""]).encode()


@pytest.fixture
def many(tmp_path: Path, walk: bytes) -> Path:
    """Clips of which the last two, one for each process, wait at gates: no run ends until these are opened."""
    folder = tmp_path / "many"
    folder.mkdir()
    for index in range(NUM_MANY):
        (folder / f"{index:02d}.bvh").write_bytes(walk)
    (tmp_path / GATES).mkdir()
    for name in GATED:
        os.mkfifo(tmp_path / GATES / name)
    (tmp_path / "skelkin").write_text(SCRIPT)
    return folder


def start_run(many: Path, out: Path) -> subprocess.Popen[str]:
    """Start planting in a process group of its own, and wait until a clip is finished."""
    command = [sys.executable, *SAFE, str(many.parent / "skelkin")]
    command += ["plant", str(many / "*.bvh"), "-o", str(out), "--jobs", "2"]
    run = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True, cwd=many
    )
    limit = time.monotonic() + 300
    while not ((out / NAME).exists() and (out / NAME).stat().st_size):
        assert run.poll() is None, run.communicate()
        assert time.monotonic() < limit
        time.sleep(0.01)
    return run


def open_gates_while(goes_on: Callable[[], bool], many: Path) -> None:
    """Open the gates at which processes wait or will wait yet, until nobody is left who could."""
    limit = time.monotonic() + 300
    while goes_on():
        assert time.monotonic() < limit, "processes are left"
        for name in GATED:
            with contextlib.suppress(OSError):  # nobody waits now
                os.close(os.open(many.parent / GATES / name, os.O_WRONLY | os.O_NONBLOCK))
        time.sleep(0.01)


def any_left(group: int) -> bool:
    """Tell whether a process of the group is left: one that was told to stop, or that saw its parent go."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def wait_until_gone(group: int) -> None:
    """Wait until no process of the group is left: Python's own for shared resources ends a little later."""
    limit = time.monotonic() + 300
    while any_left(group):
        assert time.monotonic() < limit, "processes are left"
        time.sleep(0.01)


def check_whole_and_finish(many: Path, out: Path, capsys) -> None:
    """Check that what stands there is whole, and that the next run makes the rest and only that."""
    names = {path.name for path in many.iterdir()}
    there = files_below(out)
    # All of them may be: of one that was killed between the renaming of a file and its message, nobody knows.
    assert {name for name in there if not name.endswith(".part")} <= names
    told = [json.loads(line)["output"] for line in (out / NAME).read_text().splitlines()]
    assert set(told) <= there
    before = times_below(out)
    finished = set(told)
    assert main(["plant", str(many), "-o", str(out), "--jobs", "1"]) == 0
    printed, errors = capsys.readouterr()
    assert errors == ""
    assert f"planted {NUM_MANY - len(finished)}, {len(finished)} already finished" in printed
    assert files_below(out) == names
    assert {name: times_below(out)[name] for name in finished} == {name: before[name] for name in finished}
    assert len({(out / name).read_bytes() for name in names}) == 1


@pytest.mark.slow
def test_after_ctrl_c_nothing_is_half_written_and_the_next_run_finishes(many: Path, tmp_path: Path, capsys) -> None:
    out = tmp_path / "out"
    run = start_run(many, out)
    os.killpg(run.pid, signal.SIGINT)  # as a terminal does: to all of the group
    printed, errors = run.communicate(timeout=300)
    assert (run.returncode, printed) == (130, "")
    assert re.fullmatch(
        r"skelkin: interrupted: [1-4] of 6 clips are done, run the same command again to continue\n", errors
    )
    wait_until_gone(run.pid)
    assert not [name for name in files_below(out) if name.endswith(".part")]
    check_whole_and_finish(many, out, capsys)


@pytest.mark.slow
def test_after_a_kill_nothing_is_half_written_and_the_next_run_finishes(many: Path, tmp_path: Path, capsys) -> None:
    out = tmp_path / "out"
    run = start_run(many, out)
    run.kill()
    run.communicate(timeout=300)
    open_gates_while(lambda: any_left(run.pid), many)
    check_whole_and_finish(many, out, capsys)


@pytest.mark.slow
def test_a_terminated_run_leaves_nothing_behind(many: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run = start_run(many, out)
    run.terminate()
    printed, errors = run.communicate(timeout=300)
    assert (run.returncode, printed, errors) == (143, "", "")
    wait_until_gone(run.pid)
    assert files_below(out) <= {path.name for path in many.iterdir()}


def workers_of(run: subprocess.Popen[str]) -> list[int]:
    children = Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split()
    return [int(child) for child in children if b"resource_tracker" not in Path(f"/proc/{child}/cmdline").read_bytes()]


@pytest.mark.slow
def test_a_killed_worker_fails_its_clip_and_no_other(many: Path, tmp_path: Path, capsys) -> None:
    out = tmp_path / "out"
    run = start_run(many, out)
    os.kill(workers_of(run)[0], signal.SIGKILL)
    open_gates_while(lambda: run.poll() is None, many)
    printed, errors = run.communicate(timeout=300)
    assert run.returncode == 1
    assert re.fullmatch(r"skelkin: \S+\.bvh: its process was ended by SIGKILL, .*\n", errors)
    assert "planted 5, 1 failed" in printed
    check_whole_and_finish(many, out, capsys)
