# SPDX-License-Identifier: MIT
"""Threads: the setting, the bits, forks, several callers at once, and nothing where nothing was asked for."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import subprocess
import sys
import threading
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import skelkin_py as sk

TASKS = Path("/proc/self/task")
JOINTS, VERTICES = 23, 700
RNG = np.random.default_rng(5)


@pytest.fixture(autouse=True)
def one_thread_before_and_after() -> Iterator[None]:
    sk.set_num_threads(1)
    yield
    sk.set_num_threads(1)


def make_skeleton() -> sk.Skeleton:
    rest = np.tile(np.eye(4), (JOINTS, 1, 1))
    rest[:, :3, 3] = RNG.normal(size=(JOINTS, 3))
    return sk.Skeleton([-1, *(int(RNG.integers(j)) for j in range(1, JOINTS))], rest)


SKELETON = make_skeleton()
WEIGHTS = sk.SkinWeights(RNG.integers(0, JOINTS, (VERTICES, 4)), RNG.uniform(0.1, 1, (VERTICES, 4)), JOINTS)
POSES = 2500  # some blocks of every verb
LOCAL = np.tile(SKELETON.rest_local, (POSES, 1, 1, 1)) + RNG.normal(size=(POSES, JOINTS, 4, 4)) * ([[0.1]] * 3 + [[0]])
ROTATIONS = RNG.normal(size=(POSES, JOINTS, 4))
POINTS = RNG.normal(size=(VERTICES, 3))
LIMB = RNG.normal(size=(4, 5000, 3))
CHAIN = next((int(SKELETON.parents[p]), p, j) for j, p in enumerate(map(int, SKELETON.parents)) if p > 0)

VERBS: dict[str, Callable[[type], object]] = {
    "forward_kinematics": lambda t: sk.forward_kinematics(SKELETON, LOCAL.astype(t)),
    "forward_kinematics, two runs": lambda t: sk.forward_kinematics(
        SKELETON, LOCAL.astype(t).reshape(5, 500, JOINTS, 4, 4)[:, 1:]
    ),
    "forward_kinematics_trs": lambda t: sk.forward_kinematics_trs(SKELETON, ROTATIONS.astype(t)),
    "skin_points, many poses": lambda t: sk.skin_points(POINTS.astype(t), WEIGHTS, LOCAL[:600].astype(t)),
    "skin_points, few poses": lambda t: sk.skin_points(*mesh(t, 50_000), LOCAL[:3].astype(t)),
    "skin_points, one pose": lambda t: sk.skin_points(*mesh(t, 100_000), LOCAL[0].astype(t)),
    "skin_poses": lambda t: sk.skin_poses(POINTS.astype(t), WEIGHTS, SKELETON, ROTATIONS[:600].astype(t)),
    "solve_two_bone": lambda t: sk.solve_two_bone(*LIMB.astype(t), soften=0.1),
    "apply_two_bone": lambda t: sk.apply_two_bone(SKELETON, LOCAL.astype(t), CHAIN, LIMB[0, :POSES].astype(t)),
}
ENOUGH = 20  # turns of another thread, in one call
both_dtypes = pytest.mark.parametrize("dtype", [np.float32, np.float64])


def mesh(dtype: type, vertices: int) -> tuple[np.ndarray, sk.SkinWeights]:
    """Return many points and their weights, the vertices of WEIGHTS over and over."""
    repeat = -(-vertices // VERTICES)
    indices, weights = (np.tile(rows, (repeat, 1))[:vertices] for rows in (WEIGHTS.indices, WEIGHTS.weights))
    return np.tile(POINTS, (repeat, 1))[:vertices].astype(dtype), sk.SkinWeights(indices, weights, JOINTS)


def bits(result: object) -> list[bytes]:
    return [part.tobytes() for part in (result if isinstance(result, tuple) else (result,))]


PF_EXITING = 4  # of the flags in /proc/self/task/*/stat: a thread that has ended is listed for a while longer


def tasks() -> set[str]:
    """Return the threads that have not ended. Others than ours may: Python's are joined a moment before they do."""
    running = set()
    for task in TASKS.iterdir():
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            flags = int((task / "stat").read_text().rpartition(")")[2].split()[6])
            if not flags & PF_EXITING:
                running.add(task.name)
    return running


def run_python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    env = {key: value for key, value in os.environ.items() if not key.startswith("SKELKIN_NUM")} | environment
    return subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=300)


@both_dtypes
@pytest.mark.parametrize("verb", VERBS)
def test_any_number_of_threads_gives_the_same_bits(verb, dtype):
    expected = bits(VERBS[verb](dtype))
    for threads in (2, 3, 8):
        sk.set_num_threads(threads)
        assert bits(VERBS[verb](dtype)) == expected, f"{threads} threads"


@pytest.mark.posix
@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_with_much_work_uses_the_threads(verb, require):
    require(TASKS.is_dir(), "/proc, to count threads")
    VERBS[verb](np.float32)
    before = tasks()
    sk.set_num_threads(2)
    VERBS[verb](np.float32)
    assert len(tasks() - before) == 1
    sk.set_num_threads(1)
    end = time.monotonic() + 10.0
    while not tasks() <= before and time.monotonic() < end:  # an emulator's threads end after those of the program
        time.sleep(0.01)
    assert tasks() <= before


@pytest.mark.posix
@pytest.mark.slow
def test_nothing_starts_a_thread_unless_asked(require):
    require(TASKS.is_dir(), "/proc, to count threads")
    code = """
import os
count = lambda: len(os.listdir("/proc/self/task"))
import numpy
before = count()
import skelkin_py as sk
skeleton = sk.Skeleton([-1, 0], numpy.tile(numpy.eye(4), (2, 1, 1)))
turns = numpy.ones((50000, 2, 4))
sk.forward_kinematics_trs(skeleton, turns)
assert count() == before, "import, or a call with one thread"
sk.set_num_threads(3)
sk.forward_kinematics_trs(skeleton, turns[:10])
assert count() == before, "the setting, or a small call"
sk.forward_kinematics_trs(skeleton, turns)
assert count() == before + 2, "a large call"
"""
    run = run_python(code)
    assert run.returncode == 0, run.stderr


@pytest.mark.parametrize("number", [1, 2, 256, np.int64(3)])
def test_setting_is_what_was_set(number):
    assert sk.set_num_threads(number) is None
    assert sk.get_num_threads() == number


@pytest.mark.parametrize("number", [0, -1, 257, 10**30])
def test_number_outside_of_the_bounds_is_named(number):
    sk.set_num_threads(2)
    with pytest.raises(ValueError, match=r"^num_threads is -?[0-9.e+]+: it must be 1 \.\. 256$"):
        sk.set_num_threads(number)
    assert sk.get_num_threads() == 2


@pytest.mark.parametrize("number", [1.0, "2", None, [2]])
def test_what_is_no_whole_number_is_a_type_error(number):
    with pytest.raises(TypeError):
        sk.set_num_threads(number)


@pytest.mark.slow
@pytest.mark.parametrize(("text", "expected"), [("256", 256), ("", 1)])
def test_environment_sets_the_number(text, expected):
    run = run_python("import skelkin_py as sk; print(sk.get_num_threads())", SKELKIN_NUM_THREADS=text)
    assert (run.stdout, run.stderr) == (f"{expected}\n", "")


@pytest.mark.slow
@pytest.mark.parametrize("text", ["0", " 2", "99999999999999999999"])
def test_bad_environment_is_a_warning_and_one_thread(text):
    run = run_python("import skelkin_py as sk; print(sk.get_num_threads())", SKELKIN_NUM_THREADS=text)
    assert run.stdout == "1\n"
    assert f"RuntimeWarning: SKELKIN_NUM_THREADS={text} is not a number from 1 to 256: using 1 thread" in run.stderr


@pytest.mark.slow
def test_several_python_threads_call_at_once():
    expected = {name: bits(verb(np.float32)) for name, verb in VERBS.items()}
    sk.set_num_threads(3)
    with ThreadPoolExecutor(4) as executor:
        futures = [(name, executor.submit(VERBS[name], np.float32)) for name in list(VERBS) * 2]
        for number in (1, 4, 2, 3):
            sk.set_num_threads(number)
        for name, future in futures:
            assert bits(future.result(timeout=300)) == expected[name]


@pytest.mark.slow
def test_large_call_lets_other_python_threads_run():
    """A call that held the interpreter would let another thread have a turn or two, when it returns."""
    sk.set_num_threads(2)
    many = np.tile(ROTATIONS, (20, 1, 1))
    call_number, turns, done = 0, Counter({0: 0}), threading.Event()

    def call() -> None:
        nonlocal call_number
        while not done.is_set():
            call_number += 1
            sk.forward_kinematics_trs(SKELETON, many)

    caller = threading.Thread(target=call)
    caller.start()
    limit = time.monotonic() + 300
    while max(turns.values()) < ENOUGH and time.monotonic() < limit:
        time.sleep(0.001)
        turns[call_number] += 1
    done.set()
    caller.join()
    assert max(turns.values()) >= ENOUGH


def test_bad_input_fails_alike_and_leaves_the_pool_in_order():
    expected = bits(VERBS["forward_kinematics_trs"](np.float32))
    spoiled = ROTATIONS.copy()
    spoiled[1234, 5] = 0
    out = np.zeros((POSES, JOINTS, 4, 4))
    sk.set_num_threads(3)
    with pytest.raises(ValueError, match=r"rotations\[1234, 5\]"):
        sk.forward_kinematics_trs(SKELETON, spoiled, out=out)
    assert not out.any()
    assert bits(VERBS["forward_kinematics_trs"](np.float32)) == expected


def child_call(verb: str) -> list[bytes]:
    return bits(VERBS[verb](np.float32))


@pytest.mark.slow
def test_forked_process_has_threads_of_its_own(require):
    require(hasattr(os, "fork"), "a system with fork")
    expected = bits(VERBS["skin_points, many poses"](np.float32))
    sk.set_num_threads(3)
    VERBS["skin_points, many poses"](np.float32)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
        if child == 0:
            good = bits(VERBS["skin_points, many poses"](np.float32)) == expected and sk.get_num_threads() == 3
            os._exit(0 if good else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        with multiprocessing.get_context("fork").Pool(2) as pool:
            results = pool.map_async(child_call, ["skin_points, many poses"] * 4).get(timeout=300)
    assert results == [expected] * 4
    assert bits(VERBS["skin_points, many poses"](np.float32)) == expected


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["pass", "raise SystemExit", "threading.Thread(target=call, daemon=True).start()"])
def test_process_ends_whatever_its_threads_do(ending):
    code = f"""
import threading
import numpy as np, skelkin_py as sk
sk.set_num_threads(3)
skeleton = sk.Skeleton([-1, 0], np.tile(np.eye(4), (2, 1, 1)))
turns = np.ones((300000, 2, 4))
def call():
    while True:
        sk.forward_kinematics_trs(skeleton, turns)
sk.forward_kinematics_trs(skeleton, turns)
{ending}
"""
    run = run_python(code)
    assert (run.returncode, run.stderr) == (0, "")
