# SPDX-License-Identifier: MIT
"""Long work in steps, where two ways to read are compared, and which bones got another name; all without Blender."""

from __future__ import annotations

import doctest
import importlib
import threading
import time

import pytest
from addon_modules import load

steps = load("core.steps")
sampling = load("core.sampling")
renames = load("core.renames")


@pytest.mark.parametrize("name", ["steps", "sampling", "renames", "words"])
def test_examples_are_as_printed(name):
    load(f"core.{name}")
    assert doctest.testmod(importlib.import_module(f"blender_addon.core.{name}")).failed == 0


def work(log):
    """Do two things elsewhere; tell of both, and of being left."""
    try:
        yield steps.Progress(0, 2, "first", True)
        log.append((yield steps.InThread(threading.current_thread)))
        yield
        yield steps.Progress(1, 2, "second", False)
        try:
            yield steps.InThread(lambda: 1 / 0)
        except ZeroDivisionError:
            log.append("caught")
        return "done"
    finally:
        log.append("over")


def advanced(stepper):
    while not stepper.advance(0.01):
        time.sleep(0.001)


def test_in_one_go_everything_is_done_here_and_progress_is_told():
    log, told = [], []
    assert steps.finished(work(log), told.append) == "done"
    assert log == [threading.current_thread(), "caught", "over"]
    assert [progress.what for progress in told] == ["first", "second"]


def test_a_little_at_a_time_the_same_comes_out_and_another_thread_works():
    log = []
    stepper = steps.Stepper(work(log))
    advanced(stepper)
    assert stepper.result == "done"
    assert stepper.progress.what == "second"
    assert log[0] is not threading.current_thread()
    assert log[1:] == ["caught", "over"]


def test_left_in_the_middle_what_was_begun_is_ended():
    log = []
    stepper = steps.Stepper(work(log))
    stepper.advance(0.0)
    stepper.advance(1e-9)
    stepper.close()
    assert log in ([], ["over"])  # it may not have begun
    log.clear()
    running = work(log)
    next(running)
    running.close()
    assert log == ["over"]


def test_an_error_of_a_step_comes_out():
    def failing():
        yield
        raise KeyError("none")

    with pytest.raises(KeyError, match="none"):
        steps.finished(failing())
    with pytest.raises(KeyError, match="none"):
        advanced(steps.Stepper(failing()))


@pytest.mark.parametrize("count", [2, 3, 4, 5, 31, 524])
@pytest.mark.parametrize("ends", [[], [0], [1, 5, 9, 30, 100, 101, 102, 300, 400, 500, 523]])
def test_runs_lie_inside_and_hold_first_and_last_frame_and_ends(count, ends):
    ends = [end for end in ends if end < count]
    rows = sampling.runs(count, ends)
    assert rows == sorted(set(rows))
    assert rows[0] == 0
    assert rows[-1] == count - 1
    assert set(rows) <= set(range(count))
    assert len(set(ends) & set(rows)) >= min(len(ends), 6)
    assert len(rows) <= 64


def test_bones_that_are_renamed_beside_removed_and_added_ones_are_found_or_left():
    before = ["root", "hips", "thigh.L", "shin.L", "foot.L", "head"]
    assert renames.renamed(before, before) == {}
    after = ["root", "pelvis", "thigh.L", "shin.L", "foot.L", "head", "hat"]
    assert renames.renamed(before, after) == {"hips": "pelvis"}
    assert renames.renamed(before, ["root", "hips", "a", "b", "c", "head"]) == {
        "thigh.L": "a",
        "shin.L": "b",
        "foot.L": "c",
    }
    assert renames.renamed(before, ["root", "hips", "head"]) == {}


def test_a_part_that_is_quiet_tells_no_progress_and_gives_and_takes_all_else():
    log, told = [], []

    def whole():
        yield steps.Progress(0, 1, "whole", True)
        return (yield from steps.quiet(work(log)))

    assert steps.finished(whole(), told.append) == "done"
    assert [progress.what for progress in told] == ["whole"]
    assert log == [threading.current_thread(), "caught", "over"]
    log.clear()
    running = whole()
    next(running)
    next(running)
    running.close()
    assert log == ["over"]
