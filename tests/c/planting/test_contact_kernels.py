# SPDX-License-Identifier: MIT
"""Contacts as C finds them, against their rules written plainly."""

from __future__ import annotations

import statistics
from itertools import groupby

import engine
import numpy as np
import pytest
from hypothesis import given, strategies as st

from skelkin_py import _core


def plain_runs(flags):
    runs, at = [], 0
    for value, group in groupby(flags):
        count = len(list(group))
        if value:
            runs.append((at, at + count - 1))
        at += count
    return runs


def apart(a, b):
    return float(np.sqrt(((a - b) ** 2).sum()))


def plain_contact(motion, limits, first, last, rolls=False):
    """The contact around the core first … last; where it `rolls`, what rises is not on its way."""
    core, leave, _, height, velocity, _, slips, rises = motion
    steady, stay, quiet, lift, noise, sets_off, rises_off, most = limits[3:11]
    mean, level = velocity[first : last + 1].mean(axis=0), statistics.median(height[first : last + 1])

    def stays(f):
        calm = apart(velocity[f], mean) < steady and abs(height[f] - level) < stay
        return core[f] or (leave[f] and calm)

    start, stop = first, last
    while start > 0 and stays(start - 1):
        start -= 1
    while stop < len(core) - 1 and stays(stop + 1):
        stop += 1

    steps = [(apart(slips[f], mean), abs(height[f + 1] - height[f])) for f in range(len(core) - 1)]
    usual, bounds = [0.0, 0.0], [quiet, lift]
    if last > first:
        usual = [statistics.median(values) for values in zip(*steps[first:last], strict=True)]
        bounds = [max(x, noise * u) for x, u in zip(bounds, usual, strict=True)]
    still = [f for f in range(start, stop) if steps[f][0] <= bounds[0] and steps[f][1] <= bounds[1]]
    if not still:
        return first, last
    start, stop = still[0], still[-1] + 1
    if usual[0] > 2 / 3 * quiet or usual[1] > 2 / 3 * lift:
        return start, stop
    curves = [([slip for slip, _ in steps], usual[0], sets_off), (rises, usual[1], rises_off)]
    late, early = (
        max(set_off(curve, own, *at, gain, most) for curve, own, gain in curves[: 1 if rolls else 2])
        for at in ((start - 1, -1), (stop, 1))
    )
    rest = start + late, stop - early
    return rest if rest[1] - rest[0] + 1 >= limits[2] else (start, stop)


def quiet_around(motion, limits, first, last):
    """The contact around frames in which the pivot rests; those frames themselves are a core, like all others."""
    start, stop = plain_contact(motion, limits, first, last, rolls=True)
    return min(start, first), max(stop, last)


def set_off(slips, usual, edge, way, gain, most):
    """How many frames before the step `edge` a speed, level or up, drawn as a line through two steps, was as usual."""
    if min(edge, edge + way) < 0 or max(edge, edge + way) >= len(slips):
        return 0
    near, further = slips[edge], slips[edge + way]
    if further - near <= gain or near <= 1.5 * usual:
        return 0
    return int(min(max(np.floor((near - 1.5 * usual) / (further - near) - 0.5), 0), most))


def plain_contacts(motion, limits):
    core, _, rests, _, _, place, *_ = motion
    shortest, (brief, gap, same_place), ground = limits[:3], limits[11:14], limits[14:]
    planted = [run for run in plain_runs(rests) if run[1] - run[0] + 1 >= shortest[1]]
    quiet = [quiet_around(motion, limits, *run) for run in planted]
    before = sum(a - c > brief for (a, _), (c, _) in zip(planted, quiet, strict=True)) > len(planted) / 2
    after = sum(d - b > brief for (_, b), (_, d) in zip(planted, quiet, strict=True)) > len(planted) / 2
    spans = []
    for first, last in plain_runs(core):
        end = spans[-1][1] if spans else -1
        if last - first + 1 < shortest[0] or last <= end:
            continue
        met = [k for k, (a, b) in enumerate(planted) if a <= last and b >= first and a > end]
        for k in met:
            (a, b), (c, d) = planted[k], quiet[k]
            if a <= end:
                continue
            bound = planted[k + 1][0] - 1 if k + 1 < len(planted) else len(core) - 1
            a, b = max(c, end + 1) if before else a, min(d, bound) if after else b
            spans.append((a, b))
            end = b
        if met:
            continue
        start, stop = plain_contact(motion, limits, first, last)
        start = max(start, end + 1)
        if spans and start - end - 1 <= gap:
            where = place[end] + ground * (start - end)
            if apart(place[start], where) <= same_place:
                spans[-1] = (spans[-1][0], stop)
                continue
        spans.append((start, stop))
    cut = max(0.5 * shortest[2], min(2, shortest[2]))  # what is seen of one at the first or the last frame
    return [(a, b) for a, b in spans if b - a + 1 >= (cut if (a == 0) != (b == len(core) - 1) else shortest[2])]


def as_row(limits):
    """Return these numbers, in the order of plain_contacts, as the core's own row."""
    row = np.zeros(1, engine.CONTACT_LIMITS)
    for name, value in zip(row.dtype.names, [*limits[:14], limits[14:]], strict=True):
        row[name] = value
    return row


def random_motion(rng, num):
    """Feet that stand and go by turns, some to rounding and some in noise, with all flags drawn apart from that."""
    pace = np.repeat(rng.choice([0.0, 0.05, 0.2, 3.0], num // 4 + 1), 4)[:num]
    flags = [np.repeat(rng.random(num // n + 1) < part, n)[:num] for n, part in ((6, 0.4), (9, 0.8), (7, 0.15))]
    height = np.cumsum(pace * rng.normal(size=num)) * 0.01 + rng.normal(size=num) * rng.choice([0.0005, 0.002])
    velocity = pace[:, None] * rng.normal(size=(num, 3))
    place = np.cumsum(velocity, axis=0) / 60.0
    slips = velocity[1:] + rng.normal(size=(num - 1, 3)) * 0.05 if num else np.zeros((0, 3))
    rises = 0.003 * np.abs(np.arange(1, num) % 11 - rng.integers(0, 11))  # faster and slower, evenly
    return *flags, height, velocity, place, slips, rises


MANY = [pytest.param(num, 6 if num > 40 else 200, marks=pytest.mark.slow) for num in (1, 2, 3, 7, 40, 700)]


@pytest.mark.parametrize(("num", "count"), [(7, 40), (60, 40), *MANY])
def test_contacts_are_those_of_the_rules(num, count):
    rng = np.random.default_rng(num)
    found = 0
    for _ in range(count):
        motion = random_motion(rng, num)
        shortest = rng.integers(1, 6, 3)
        ground = rng.normal(size=3) * rng.choice([0.0, 0.01])
        brief, gap = rng.integers(1, 4), rng.integers(0, 6)
        limits = np.array([*shortest, 0.35, 0.03, 0.15, 0.005, 3.0, 0.03, 0.002, 3.0, brief, gap, 0.05, *ground])
        contacts = engine.find_contacts(*motion, as_row(limits))
        assert contacts == plain_contacts(motion, limits)
        found += len(contacts)
    assert found


def test_contacts_of_no_frames_are_none():
    motion = [np.zeros(0, bool)] * 3 + [np.zeros(0)] + [np.zeros((0, 3))] * 3 + [np.zeros(0)]
    assert engine.find_contacts(*motion, as_row(np.ones(17))) == []


@given(st.lists(st.booleans(), max_size=40))
def test_spans_are_the_runs_of_flags(flags):
    assert _core.frames_to_spans(np.array(flags, bool)) == plain_runs(flags)


@pytest.mark.parametrize("flags", [[True], np.ones(3), np.ones((2, 2), bool), np.ones(8, bool)[::2], None])
def test_flags_of_another_kind_are_refused(flags):
    with pytest.raises(TypeError, match="flags is not a packed array of flags"):
        _core.frames_to_spans(flags)
