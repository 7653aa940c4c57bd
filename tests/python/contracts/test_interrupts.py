# SPDX-License-Identifier: MIT
"""Ctrl-C, and other signals, while C is at work: a long call ends soon, and the next one is as always."""

from __future__ import annotations

import functools
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import skelkin_py as sk

PROGRAM = Path(__file__).parents[2] / "support" / "interrupted_calls.py"
SAFE = ["-P"] if sys.version_info >= (3, 11) else []
CALLS = (
    "forward_kinematics", "forward_kinematics_trs", "local_from_global", "skinning_matrices", "skin_points",
    "skin_points, dual", "skin_poses", "skin_mesh", "solve_two_bone", "apply_two_bone", "nearest", "solve_fabrik",
    "solve_fabrik, one tree", "relative_transform", "compose", "invert", "quaternion_to_euler", "deform", "solve_ik",
    "plant_locals",
)  # fmt: skip
pytestmark = pytest.mark.posix


@functools.cache
def interrupted_calls(threads: int) -> dict[str, dict[str, object]]:
    command = [sys.executable, *SAFE, str(PROGRAM), str(threads)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=500)
    assert done.returncode == 0, done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    return {each.pop("name"): each for each in found}


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
def test_the_program_makes_all_of_the_calls(threads):
    assert sorted(interrupted_calls(threads)) == sorted(CALLS)


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", CALLS)
def test_ctrl_c_ends_a_long_call_and_leaves_nothing_behind(name, threads):
    assert [what for what, good in interrupted_calls(threads)[name].items() if not good] == []


# --- signals whose handlers return ------------------------------------------------------------------------------------

SKELETON = sk.Skeleton([-1, 0], np.tile(np.diag([1.0, 2, 1, 1]), (2, 1, 1)))
LOCAL = np.broadcast_to(SKELETON.rest_local, (1_000_000, 2, 4, 4))


@pytest.fixture
def handled():
    """A handler of SIGUSR1 that runs a verb itself, and notes in a list what it saw."""
    notes: list[np.ndarray] = []

    def handle(number, frame):
        some = sk.forward_kinematics(SKELETON, LOCAL[:20_000])
        notes.append(some[-1, 1].diagonal())

    before = signal.signal(signal.SIGUSR1, handle)
    yield notes
    signal.signal(signal.SIGUSR1, before)


def signal_when_begun(out: np.ndarray, number: int) -> threading.Thread:
    def wait() -> None:
        while not out[0].any():
            time.sleep(0.001)
        os.kill(os.getpid(), number)

    thread = threading.Thread(target=wait)
    thread.start()
    return thread


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
def test_a_handler_that_returns_changes_nothing(handled, threads):
    sk.set_num_threads(threads)
    out = np.zeros(LOCAL.shape)
    thread = signal_when_begun(out, signal.SIGUSR1)
    try:
        assert sk.forward_kinematics(SKELETON, LOCAL, out=out) is out
    finally:
        sk.set_num_threads(1)
        thread.join()
    assert [each.tolist() for each in handled] == [[1, 4, 1, 1]]
    assert (out == sk.forward_kinematics(SKELETON, SKELETON.rest_local)).all()


def test_what_a_handler_raises_comes_out_of_the_call(handled):
    def refuse(number, frame):
        raise LookupError("from the handler")

    signal.signal(signal.SIGUSR1, refuse)
    out = np.zeros((8_000_000, 2, 4, 4))
    thread = signal_when_begun(out, signal.SIGUSR1)
    with pytest.raises(LookupError, match="from the handler"):
        sk.forward_kinematics(SKELETON, np.broadcast_to(LOCAL[0], out.shape), out=out)
    thread.join()
    assert not out[-1].any()


@pytest.mark.slow
def test_a_call_on_another_thread_goes_on():
    """Signals are the main thread's: it is interrupted while it waits, and the other one finishes."""
    out, finished = np.zeros(LOCAL.shape), threading.Event()

    def run() -> None:
        sk.forward_kinematics(SKELETON, LOCAL, out=out)
        finished.set()

    sender = signal_when_begun(out, signal.SIGINT)

    def wait() -> None:
        threading.Thread(target=run).start()
        finished.wait()
        sender.join()

    with pytest.raises(KeyboardInterrupt):
        wait()
    assert finished.wait(timeout=60)
    sender.join()
    assert (out[-1] == out[0]).all()
    assert out[-1].any()
