# SPDX-License-Identifier: MIT
"""No verb reads or writes a single byte outside of its arrays: memory without access begins right behind their last
number, or ends right before their first. A fault stops the run; the traceback names the test."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from guarded import AVAILABLE, guarded, guarded_wide
from verbs import Verb, make_verbs

COUNTS = [*range(1, 18), 33]
LABELS = [verb.name for verb in make_verbs()]
pytestmark = pytest.mark.posix
both_sides = pytest.mark.parametrize("side", ["end", "start"])
both_dtypes = pytest.mark.parametrize("dtype", [np.float32, np.float64])
every_way = pytest.mark.parametrize(
    "way", [("end", np.float32), ("start", np.float32), ("end", np.float64)], ids=["end-f4", "start-f4", "end-f8"]
)
every_verb = pytest.mark.parametrize("label", LABELS)


@pytest.fixture(autouse=True)
def pages_can_be_protected(require):
    require(AVAILABLE, "pages without access, by Linux calls")


def verb_of(label: str, **sizes: int) -> Verb:
    return next(verb for verb in make_verbs(**sizes) if verb.name == label)


def assert_same(found, expected):
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_array_equal(a, b)


@every_verb
@every_way
def test_any_number_of_poses(label, way):
    side, dtype = way
    verb = verb_of(label, joints=5, vertices=7)
    for poses in COUNTS:
        given = verb.inputs((poses,), dtype)
        out = tuple(guarded(each, side) for each in verb.empty((poses,), dtype))
        verb.run({name: guarded(value, side) for name, value in given.items()}, out)
        assert_same(out, verb.run(given))


@every_verb
@every_way
def test_any_number_of_joints_and_vertices(label, way):
    side, dtype = way
    for count in COUNTS:
        verb = verb_of(label, joints=count, vertices=count, influences=1 + count % 5, roots=1)
        for lead in ((), (1,)):
            given = verb.inputs(lead, dtype)
            out = tuple(guarded(each, side) for each in verb.empty(lead, dtype))
            verb.run({name: guarded(value, side) for name, value in given.items()}, out)
            assert_same(out, verb.run(given))


def three_rows(arrays, verb):
    """Leave the last rows of matrices out."""
    return tuple(each[..., :3, :] if len(core) == 3 else each for each, core in zip(arrays, verb.outs, strict=True))


def with_gaps(array, core, side):
    """Points kept in fives, matrices as all but the last row of 4 x 4: behind the last one there is nothing."""
    return guarded_wide(array[..., :3, :], side, 2, 16) if core == 3 else guarded_wide(array, side, 1, 5)


@every_verb
@every_way
def test_gaps_between_items_are_not_needed_behind_the_last(label, way):
    side, dtype = way
    for count in (1, 2, 4, 7, 8, 9, 17):
        verb = verb_of(label, joints=count, vertices=count, roots=1)
        for lead in ((), (3,), (9,)):
            given = verb.inputs(lead, dtype)
            wide = {name: with_gaps(value, verb.arguments[name].core, side) for name, value in given.items()}
            out = tuple(guarded(each, side) for each in three_rows(verb.empty(lead, dtype), verb))
            verb.run(wide, out)
            assert_same(out, three_rows(verb.run(given), verb))


@every_verb
@every_way
def test_gaps_of_out_are_not_written(label, way):
    side, dtype = way
    for count in (1, 3, 8, 9, 17):
        verb = verb_of(label, joints=count, vertices=count, roots=1)
        for lead in ((), (2,), (9,)):
            given = verb.inputs(lead, dtype)
            empty = zip(verb.empty(lead, dtype), verb.outs, strict=True)
            out = tuple(with_gaps(each, len(core), side) for each, core in empty)
            verb.run(given, out)
            assert_same(out, three_rows(verb.run(given), verb))
            for each in out:
                numbers = all_numbers(each)
                assert np.isnan(numbers).sum() == numbers.size - each.size


def all_numbers(view):
    """Return the guarded numbers, gaps included, that `view` was cut from."""
    return view.base if isinstance(view.base, np.ndarray) else view.base.base


@both_dtypes
@both_sides
def test_the_guard_itself_works(dtype, side):
    value = np.arange(35, dtype=dtype).reshape(5, 7)
    for copy in (guarded(value, side), guarded_wide(value, side, 1, 9)):
        np.testing.assert_array_equal(copy, value)


@pytest.mark.slow
@both_sides
def test_one_number_too_far_is_a_fault(side):
    code = (
        "import sys, ctypes, numpy as np; sys.path.insert(0, sys.argv[1]); from guarded import guarded_numbers\n"
        f"a = guarded_numbers(7, np.float32, {side!r})\n"
        f"ctypes.string_at(a.ctypes.data + (28 if {side!r} == 'end' else -1), 1)"
    )
    support = str(Path(__file__).resolve().parents[2] / "support")
    run = subprocess.run([sys.executable, "-c", code, support], capture_output=True, timeout=300)
    assert run.returncode == -signal.SIGSEGV
