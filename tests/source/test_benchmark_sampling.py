# SPDX-License-Identifier: MIT
"""Candidates of the benchmarks take turns in seeded orders, with caches of their own; the clock is made up."""

from __future__ import annotations

from types import ModuleType

import pytest
from scripts import load_benchmark


class Machine:
    """A clock that only calls move, and a list of these calls."""

    def __init__(self) -> None:
        self.now = self.worked = 0.0
        self.calls: list[str] = []

    def candidate(self, name: str, seconds: float, stolen: float = 0.0):
        def call() -> None:
            self.calls.append(name)
            self.now += seconds + stolen
            self.worked += seconds

        return call


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch, sampling: ModuleType) -> Machine:
    made = Machine()
    monkeypatch.setattr(sampling, "clock", lambda: made.now)
    monkeypatch.setattr(sampling, "processor_clock", lambda: made.worked)
    return made


@pytest.fixture(scope="module")
def sampling() -> ModuleType:
    return load_benchmark("sampling")


def orders(sampling: ModuleType, machine: Machine, seed: str) -> list[str]:
    """Return in what order six candidates had their turns in each of eight rounds."""
    timers, turns = {name: sampling.Timer(machine.candidate(name, 1e-3)) for name in "abcdef"}, [""] * 8
    for name, timer in timers.items():

        def sample(number: int, name: str = name) -> None:
            turns[number] += name

        timer.sample = sample
    sampling.run_rounds(timers, 8, seed)
    return turns


def test_each_round_has_an_order_of_its_own_that_the_seed_tells(sampling: ModuleType, machine: Machine) -> None:
    first = orders(sampling, machine, "7, case")
    assert all(sorted(order) == list("abcdef") for order in first)
    assert len(set(first)) > 4
    assert orders(sampling, machine, "7, case") == first
    assert orders(sampling, machine, "8, case") != first


def test_calls_that_are_not_timed_come_right_before_each_sample(sampling: ModuleType, machine: Machine) -> None:
    timer = sampling.Timer(machine.candidate("own", 1e-5))
    warm: list[float] = []
    once = timer.once
    timer.once = lambda: (warm.append(machine.calls[::-1].index("other")), once())[1]
    for number in range(3):
        machine.candidate("other", 1.0)()
        timer.sample(number)
    assert len(warm) == 3
    assert all(count >= sampling.WARM_CALLS for count in warm)


def test_a_call_that_takes_long_warms_up_once(sampling: ModuleType, machine: Machine) -> None:
    timer = sampling.Timer(machine.candidate("slow", 0.1))
    machine.calls.clear()
    timer.sample(0)
    assert machine.calls == ["slow", "slow"]


def test_seconds_are_those_of_one_work(sampling: ModuleType, machine: Machine) -> None:
    timer = sampling.Timer(machine.candidate("a hundred times", 1e-4), times=100)
    timer.sample(3)
    assert timer.repeats > 1
    assert timer.seconds == {3: pytest.approx(1e-6)}


def test_a_sample_with_other_processes_in_it_is_taken_again(sampling: ModuleType, machine: Machine) -> None:
    stolen = iter([0.0] * 2 + [5e-3] * 4)  # what others take of each call; then nothing

    def call() -> None:
        machine.now += 2e-3 + next(stolen, 0.0)
        machine.worked += 2e-3

    timer = sampling.Timer(call)
    timer.sample(0)
    assert timer.seconds == {0: pytest.approx(2e-3)}
    assert timer.disturbed == 0


def test_a_sample_that_stays_disturbed_is_counted_and_takes_the_processors_time(
    sampling: ModuleType, machine: Machine
) -> None:
    timer = sampling.Timer(machine.candidate("shared", 2e-3, stolen=2e-3))
    timer.sample(0)
    assert timer.seconds == {0: pytest.approx(2e-3)}
    assert timer.disturbed == 1


def test_work_of_other_cores_is_not_taken_for_a_disturbance(sampling: ModuleType, machine: Machine) -> None:
    timer = sampling.Timer(machine.candidate("waits", 2e-3, stolen=2e-3), alone=False)
    machine.calls.clear()
    timer.sample(0)
    assert timer.disturbed == 0
    assert len(machine.calls) == 2


def test_a_slow_candidate_sits_out_once_it_has_its_least_samples(sampling: ModuleType, machine: Machine) -> None:
    timers = {"slow": sampling.Timer(machine.candidate("s", 1.0)), "fast": sampling.Timer(machine.candidate("f", 1e-3))}
    sampling.run_rounds(timers, 12, "0")
    assert len(timers["slow"].seconds) == sampling.LEAST_SAMPLES
    assert len(timers["fast"].seconds) == 12


def test_quartiles(sampling: ModuleType) -> None:
    assert sampling.quartiles([5.0, 1.0, 2.0, 3.0, 4.0]) == (2.0, 3.0, 4.0)
    assert sampling.quartiles([7.0]) == (7.0, 7.0, 7.0)


def test_ratios_are_taken_in_rounds_that_both_were_in(sampling: ModuleType, machine: Machine) -> None:
    own, other = (sampling.Timer(machine.candidate(name, 1e-3)) for name in ("own", "other"))
    own.seconds, other.seconds = {0: 1.0, 1: 2.0, 2: 4.0, 3: 1.0}, {1: 6.0, 2: 8.0, 4: 9.0}
    assert sampling.paired(own, other) == (2.25, 2.5, 2.75)
    other.seconds = {9: 1.0}
    assert sampling.paired(own, other) is None
