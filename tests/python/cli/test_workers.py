# SPDX-License-Identifier: MIT
"""Tasks in several processes: each fails alone, a process that dies is replaced, and none is left behind."""

from __future__ import annotations

import contextlib
import io
import multiprocessing
import os
import platform
import subprocess
import sys
import time
from pathlib import Path

import pytest

from skelkin_py.cli.printing import Progress, duration
from skelkin_py.cli.workers import run_tasks


def outcomes(function, tasks, jobs=2) -> list[tuple[object, str]]:
    found = sorted(run_tasks(function, tasks, jobs))
    assert [outcome.which for outcome in found] == list(range(len(tasks)))
    assert not multiprocessing.active_children()
    return [(outcome.value, outcome.error) for outcome in found]


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_every_task_has_its_outcome(jobs: int) -> None:
    assert outcomes(float, ["2", "two", "3", []], jobs) == [
        (2.0, ""),
        (None, "could not convert string to float: 'two'"),
        (3.0, ""),
        (None, "TypeError: float() argument must be a string or a real number, not 'list'"),
    ]


@pytest.mark.slow
def test_a_process_that_dies_is_replaced() -> None:
    died = "its process ended with exit code 3: run it alone, with --jobs 1, to see why"
    assert outcomes(os._exit, [3, 3, 3]) == [(None, died)] * 3


def test_no_task_needs_no_process() -> None:
    assert outcomes(float, []) == []


@pytest.mark.slow
def test_a_process_has_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKELKIN_NUM_THREADS", "7")
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    assert outcomes(os.getenv, ["SKELKIN_NUM_THREADS"]) == [("1", "")]
    assert os.environ["SKELKIN_NUM_THREADS"] == "7"
    assert "OPENBLAS_NUM_THREADS" not in os.environ


@pytest.mark.slow
def test_who_waits_hears_of_it_again_and_again(tmp_path: Path) -> None:
    """A task that goes on until its third tick."""
    pipe, heard = tmp_path / "pipe", []
    os.mkfifo(pipe)

    def tick() -> None:
        heard.append(1)
        if len(heard) == 3:
            pipe.write_text("enough")

    with contextlib.closing(run_tasks(Path.read_text, [pipe], 2, tick)) as running:
        assert [outcome.value for outcome in running] == ["enough"]


@pytest.mark.slow
def test_processes_stop_when_nobody_waits_for_more() -> None:
    start = time.monotonic()
    with contextlib.closing(run_tasks(time.sleep, [0.01, 3600.0, 3600.0], 2)) as running:
        assert next(running).which == 0
    assert not multiprocessing.active_children()
    assert time.monotonic() - start < 300


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_tells_rate_and_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    now = [0.0]
    stream = Terminal()
    with Progress(4, "clips", stream, clock=lambda: now[0]) as progress:
        for seconds, text in ((0.25, "4 clips/s  1 s left"), (40.0, "20 s each  40 s left  1 failed")):
            now[0] = seconds
            progress.step(failed=seconds > 1)
            assert text in progress.line(80)
        assert progress.line(50) == "2/4 ######-------  20 s each  40 s left  1 failed"
        assert progress.line(37) == "2/4   20 s each  40 s left  1 failed"
        assert len(progress.line(20)) == 19
        progress.above(lambda: print("something", file=stream))
    assert "\r\033[Ksomething\n\r2/4 " in stream.getvalue()
    assert stream.getvalue().endswith("\r\033[K")


def test_progress_of_one_large_thing_jumps_to_where_it_is() -> None:
    stream, now = Terminal(), [0.0]
    with Progress(0, "frames", stream, clock=lambda: now[0]) as progress:
        progress.reach(0, 8000)
        assert progress.line(80).startswith("0/8000 ")
        now[0] = 2.0
        progress.reach(4000, 8000)
        assert "2,000 frames/s  2 s left" in progress.line(80)


def test_progress_is_silent_where_there_is_no_terminal() -> None:
    stream = io.StringIO()
    with Progress(2, "clips", stream) as progress:
        progress.step()
    assert stream.getvalue() == ""


def test_durations() -> None:
    assert [duration(s) for s in (0, 59.4, 59.6, 3599, 3661)] == [
        "0 s",
        "59 s",
        "1 min 00 s",
        "59 min 59 s",
        "1 h 01 min",
    ]


def faults(before: str) -> int:
    """Return how many pages a process asks for anew that fills arrays again and again."""
    code = f"""
import resource
import numpy as np
{before}
for k in range(40):
    parts = [np.ones(n) for n in (700_000, 1_300_000, 400_000, 1_200_000, 900_000, 1_100_000)]
    if k == 1:
        start = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    del parts
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - start)
"""
    environment = {**os.environ, "NUMPY_MADVISE_HUGEPAGE": "0"}
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, env=environment)
    return int(done.stdout)


@pytest.mark.slow
def test_memory_that_one_clip_gives_back_is_there_for_the_next() -> None:
    kept = faults("from skelkin_py.cli.workers import keep_freed_memory; keep_freed_memory()")
    if platform.libc_ver()[0] == "glibc":
        assert kept < 0.2 * faults("import skelkin_py")
