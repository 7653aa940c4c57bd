# SPDX-License-Identifier: MIT
"""Many threads on one object at once: each gets what one alone gets, with a GIL and without one."""

from __future__ import annotations

import copy
import gc
import os
import pickle
import subprocess
import sys
import sysconfig
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import numpy as np
import pytest

import skelkin_py as sk

Result = TypeVar("Result")
THREADS, JOINTS, VERTICES, POSES = 8, 23, 300, 60
RNG = np.random.default_rng(44)
PARENTS = [-1, *(int(RNG.integers(j)) for j in range(1, JOINTS))]
REST = np.tile(np.eye(4), (JOINTS, 1, 1))
REST[:, :3, 3] = RNG.normal(size=(JOINTS, 3))
SKELETON = sk.Skeleton(PARENTS, REST)
WEIGHTS = sk.SkinWeights(RNG.integers(0, JOINTS, (VERTICES, 4)), RNG.uniform(0.1, 1, (VERTICES, 4)), JOINTS)
ROTATIONS = RNG.normal(size=(POSES, JOINTS, 4))
GLOBALS = sk.forward_kinematics_trs(SKELETON, ROTATIONS)
POINTS = RNG.normal(size=(VERTICES, 3))
LIMB = RNG.normal(size=(4, POSES, 3))
CHAIN = next((PARENTS[p], p, j) for j, p in enumerate(PARENTS) if p > 0)

# What one object is asked, by name; each answers with something that == compares.
OF_A_SKELETON: dict[str, Callable[[], object]] = {
    "forward_kinematics_trs": lambda: sk.forward_kinematics_trs(SKELETON, ROTATIONS).tobytes(),
    "local_from_global": lambda: sk.local_from_global(SKELETON, GLOBALS).tobytes(),
    "skinning_matrices": lambda: sk.skinning_matrices(SKELETON, GLOBALS).tobytes(),
    "skin_points": lambda: sk.skin_points(POINTS, WEIGHTS, GLOBALS).tobytes(),
    "skin_poses": lambda: sk.skin_poses(POINTS, WEIGHTS, SKELETON, ROTATIONS).tobytes(),
    "apply_two_bone": lambda: sk.apply_two_bone(SKELETON, GLOBALS, CHAIN, LIMB[0])[0].tobytes(),
    "solve_two_bone": lambda: sk.solve_two_bone(*LIMB, soften=0.1).b.tobytes(),
    "a pickle": lambda: pickle.dumps((SKELETON, WEIGHTS)),
    "a copy": lambda: copy.deepcopy(SKELETON) == SKELETON and copy.copy(WEIGHTS) == WEIGHTS,
    "its arrays": lambda: (SKELETON.rest_global.tobytes(), SKELETON.parents.tobytes(), WEIGHTS.weights.tobytes()),
    "its text": lambda: (repr(SKELETON), repr(WEIGHTS), hash(SKELETON)),
}


@pytest.fixture(autouse=True)
def turns_of_a_hundredth_of_a_millisecond() -> Iterator[None]:
    """With a GIL, threads change places as often as can be."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def together(*calls: Callable[[], Result]) -> list[Result]:
    """Begin all calls at the same time, each in a thread of its own; return what they return, raise what one raises."""
    start, results, errors = threading.Barrier(len(calls)), {}, []

    def run(number: int) -> None:
        try:
            start.wait(60)
            results[number] = calls[number]()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(300)
        assert not thread.is_alive()
    if errors:
        raise errors[0]
    return [results[number] for number in range(len(calls))]


def repeated(call: Callable[[], Result], times: int) -> Callable[[], list[Result]]:
    return lambda: [call() for _ in range(times)]


def test_the_extension_leaves_the_gil_as_it_was() -> None:
    free = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
    assert getattr(sys, "_is_gil_enabled", lambda: True)() == (not free)


@pytest.mark.parametrize("name", OF_A_SKELETON)
def test_one_skeleton_answers_all_threads_alike(name: str) -> None:
    alone = OF_A_SKELETON[name]()
    for answers in together(*[repeated(OF_A_SKELETON[name], 5)] * THREADS):
        assert answers == [alone] * 5


def test_one_skeleton_answers_different_questions_at_once() -> None:
    alone = [call() for call in OF_A_SKELETON.values()]
    assert together(*OF_A_SKELETON.values()) == alone


def test_one_skeleton_outlives_threads_that_let_go_of_it() -> None:
    """Each thread has the last reference for a moment, and others make and drop their own."""
    expected = sk.forward_kinematics_trs(SKELETON, ROTATIONS[:1]).tobytes()
    shared = [sk.Skeleton(PARENTS, REST) for _ in range(50)]

    def use_up() -> list[bytes]:
        found = []
        while True:
            try:
                skeleton = shared.pop()
            except IndexError:
                return found
            found.append(sk.forward_kinematics_trs(skeleton, ROTATIONS[:1]).tobytes())
            del skeleton
            found.append(sk.forward_kinematics_trs(sk.Skeleton(PARENTS, REST), ROTATIONS[:1]).tobytes())

    found = [each for every in together(*[use_up] * THREADS) for each in every]
    gc.collect()
    assert found == [expected] * 100


def test_results_of_threads_lie_beside_each_other_in_one_array() -> None:
    out = np.zeros((THREADS, POSES, JOINTS, 4, 4))
    together(*[lambda n=n: sk.forward_kinematics_trs(SKELETON, ROTATIONS, out=out[n]) for n in range(THREADS)])
    assert (out == GLOBALS).all()


def test_every_thread_gets_the_error_of_its_own_input() -> None:
    def refused(pose: int) -> str:
        spoiled = ROTATIONS.copy()
        spoiled[pose, 3] = 0
        with pytest.raises(ValueError) as error:
            sk.forward_kinematics_trs(SKELETON, spoiled)
        return str(error.value)

    messages = together(*[lambda n=n: refused(n) for n in range(THREADS)])
    assert [f"rotations[{n}, 3]" in message for n, message in enumerate(messages)] == [True] * THREADS


def test_the_number_of_threads_is_set_while_others_compute() -> None:
    expected = GLOBALS.tobytes()

    def set_numbers() -> list[bytes]:
        for number in (2, 5, 1, 3, 1) * 4:
            sk.set_num_threads(number)
        return []

    compute = repeated(lambda: sk.forward_kinematics_trs(SKELETON, ROTATIONS).tobytes(), 10)
    answers = together(set_numbers, set_numbers, *[compute] * 4)
    sk.set_num_threads(1)
    assert answers[2:] == [[expected] * 10] * 4


def test_one_clip_is_read_planted_and_saved_by_all_threads_alike(tmp_path: Path) -> None:
    biped = sk.example("biped")
    clip = biped.clip

    def use(number: int) -> tuple[object, ...]:
        legs = clip.find_legs()
        planted = clip.plant_feet(ground=biped.ground)
        clip.save(tmp_path / f"{number}.bvh")
        positions = clip.positions().tobytes()
        return legs, planted, positions, pickle.dumps(clip.slice(3, 9)), (tmp_path / f"{number}.bvh").read_bytes()

    alone = use(0)
    for answer in together(*[lambda n=n: use(n) for n in range(1, 5)]):
        assert answer == alone


def test_one_editor_is_read_whole_while_a_thread_edits_it() -> None:
    biped = sk.example("biped")
    editor = sk.PlantEditor(biped.clip, ground=biped.ground)
    kept, done = [editor.clip], threading.Event()

    def edit() -> list[int]:
        try:
            for last in (20, 24, 28):
                editor.set_target("left", last, [0.0, 0.1, 0.3])
                kept.append(editor.clip)
            for _ in range(200):
                while editor.undo():
                    pass
                while editor.redo():
                    pass
            while editor.undo():
                pass
            editor.set_target("left", 20, [0.1, 0.1, 0.3])  # fewer states than there were
            kept.append(editor.clip)
        finally:
            done.set()
        return []

    def read() -> list[int]:
        seen = {}
        while not done.is_set():
            clip, contacts, _ = editor.clip, editor.contacts, (editor.can_undo, editor.can_redo, editor.num_edits)
            seen[id(clip)] = clip
            assert contacts == begun
        return list(seen)

    begun = editor.contacts
    _, *seen = together(edit, *[read] * 4)
    assert {number for each in seen for number in each} <= {id(clip) for clip in kept}


@pytest.mark.slow
def test_threads_that_import_the_package_at_once_get_one() -> None:
    code = """
import threading, numpy
start, made = threading.Barrier(8), []
def first() -> None:
    start.wait()
    import skelkin_py as sk
    skeleton = sk.Skeleton([-1, 0], numpy.tile(numpy.eye(4), (2, 1, 1)))
    made.append((sk.forward_kinematics_trs(skeleton, numpy.ones((5, 2, 4))).tobytes(), id(sk), sk.isa()))
threads = [threading.Thread(target=first) for _ in range(8)]
for each in threads: each.start()
for each in threads: each.join()
assert len(made) == 8 and len(set(made)) == 1, made
"""
    run = subprocess.run([sys.executable, "-W", "error", "-c", code], env=os.environ, capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (0, "")
