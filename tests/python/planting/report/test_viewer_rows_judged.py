# SPDX-License-Identifier: MIT
"""Rows of what a viewer would mind, of legs that move at random, beside the judge's own (tests/judge/viewer.py)."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from skelkin_py.planting.foot import LegTrack
from skelkin_py.planting.viewer_rows import RULES, viewer_rows

sys.path.append(str(Path(__file__).resolve().parents[3] / "judge"))
import viewer
from motion import LegMotion

UP = np.array([0.0, 0.6, 0.8])
LENGTH = 0.8


@dataclass(frozen=True)
class Legs(viewer.Compared):
    """Legs whose knees' flexions are given."""

    bends: tuple = ()

    def flexions(self, legs):
        return self.bends[0 if legs is self.before else 1]


def smooth(rng, num, columns, size, width):
    """(num, columns) Noise under a bell of so many frames, of about this size."""
    bell = np.exp(-0.5 * (np.arange(-4 * width, 4 * width + 1) / width) ** 2)
    noise = rng.standard_normal((num + 8 * width, columns))
    return size * np.stack([np.convolve(each, bell, "valid") for each in noise.T], axis=1) / np.sqrt((bell**2).sum())


def random_legs(rng, num, fps, count):
    """Legs that lift their feet now and then, and the same moved at random; flexions; contacts; which have toes."""
    width = max(1, round(0.1 * fps))
    body = smooth(rng, num, 3, 0.02, 2 * width)
    before, after, bends, contacts, toes = [], [], ([], []), [], []
    for k in range(count):
        edges = np.sort(rng.choice(np.arange(1, num - 1), 6, replace=False))
        contacts.append([(int(a), int(b) - 1) for a, b in zip(edges[::2], edges[1::2], strict=True) if b - a > 1])
        stands = np.zeros(num, bool)
        for a, b in contacts[-1]:
            stands[a : b + 1] = True
        height = np.convolve(np.where(stands, 0.0, 0.25), np.ones(width) / width, "same") + rng.choice([0.0, 0.2])
        ankle = height[:, None] * UP + smooth(rng, num, 3, 0.01, width) + 0.3 * rng.standard_normal(3) * (1.0 - UP)
        ankle += smooth(rng, num, 3, 0.3, 6 * width) @ (np.eye(3) - np.outer(UP, UP)) * ~stands[:, None]
        turn = np.linalg.qr(rng.standard_normal((num, 3, 3)))[0]
        turn = np.where(stands[:, None, None], turn[0], turn)
        hip = ankle + (LENGTH - height)[:, None] * UP + smooth(rng, num, 3, 0.02, width)
        still = np.eye(3)[None].repeat(num, axis=0)
        toes.append(rng.random() < 0.7)
        ball = np.array([0.1, 0.02, -0.05])
        new = ankle + body * 0.3 + smooth(rng, num, 3, 0.03, width) - 0.3 * height[:, None] * UP + 0.02 * k * UP
        flexion = 30.0 + smooth(rng, num, 1, 25.0, width)[:, 0]
        changed = flexion + smooth(rng, num, 1, 9.0, max(1, width // 3))[:, 0]
        for own, legs, joint, at, bend in ((0, before, hip, ankle, flexion), (1, after, hip + body, new, changed)):
            toe = at + turn @ ball if toes[k] else None
            legs.append(LegMotion(joint, joint, at, toe, still, turn, np.zeros(3), np.zeros(3)))
            bends[own].append(bend)
    return before, after, bends, contacts


def tracks(legs, bends):
    ball = np.array([0.1, 0.02, -0.05])
    return [LegTrack(leg.hip, leg.knee, leg.ankle, leg.foot, ball, leg.toe is not None, LENGTH, flexion=bend)
            for leg, bend in zip(legs, bends, strict=True)]  # fmt: skip


def rows_of(before, after, bends, contacts, names=("left", "right"), fps=60.0, **ground):
    both = (tracks(legs, own) for legs, own in zip((before, after), bends, strict=True))
    return viewer_rows(*both, contacts, names, fps, LENGTH, (0, len(before[0].hip) - 1), up=UP, **ground)


def in_legs(leg):
    return replace(
        leg, hip=leg.hip / LENGTH, ankle=leg.ankle / LENGTH, toe=None if leg.toe is None else leg.toe / LENGTH
    )


@pytest.mark.parametrize("fps", [20.0, 30.0, 60.0, 100.0])
@pytest.mark.parametrize("seed", range(6))
def test_rows_are_the_judges(fps, seed):
    rng = np.random.default_rng(seed)
    num, count = round(3.3 * fps), 1 + seed % 3
    before, after, bends, contacts = random_legs(rng, num, fps, count)
    names = [f"leg {k}" for k in range(count)]
    rows = viewer_rows(
        tracks(before, bends[0]), tracks(after, bends[1]), contacts, names, fps, LENGTH, (0, num - 1), up=UP
    )
    judged = viewer.seen(
        Legs([in_legs(leg) for leg in before], [in_legs(leg) for leg in after], [], names, contacts, UP, fps, bends)
    )
    fires = 0
    for own, theirs in zip(rows, judged, strict=True):
        assert own.value == pytest.approx(max(theirs.value, 0.0), rel=1e-9, abs=1e-12), own.row
        fires += own.value > 0.0
        if not own.value > 0.0 or own.row in ("level", "sink"):  # which of the judge are of no leg
            continue
        assert (own.leg, own.frame) == (theirs.leg, theirs.frame), own.row
        assert own.frames[0] <= own.frame <= own.frames[1], own.row
        if own.row in ("slide", "heel"):
            assert own.frames in contacts[names.index(own.leg)], own.row
        lasts = {"throw": round(0.25 * fps) + 1, "float": round(0.2 * fps)}.get(own.row, 1)
        assert own.frames[1] - own.frames[0] + 1 >= lasts, own.row
    assert fires > len(RULES) / 2


def test_a_ground_that_moves_takes_what_stands_on_it_along():
    """Both versions with the belt, and counted beside it: the rows of contacts are those without."""
    rng = np.random.default_rng(9)
    step = np.array([0.01, 0.008, -0.006])  # level
    before, after, bends, contacts = random_legs(rng, 200, 60.0, 2)
    told = []
    for way in (np.zeros(3), step):
        carried = np.arange(200)[:, None] * way
        both = [[replace(leg, ankle=leg.ankle + carried) for leg in legs] for legs in (before, after)]
        rows = viewer_rows(
            tracks(both[0], bends[0]),
            tracks(both[1], bends[1]),
            contacts,
            ["left", "right"],
            60.0,
            LENGTH,
            (0, 199),
            up=UP,
            step=way,
        )
        told.append({row.row: row for row in rows})
    for row in ("slide", "heel", "level"):
        assert told[1][row].value == pytest.approx(told[0][row].value, rel=1e-9), row
    assert told[1]["slide"].value > 0.0 < told[1]["heel"].value


@pytest.mark.parametrize("seed", range(4))
def test_where_the_ground_is_given_the_original_s_goes_up_with_the_body(seed):
    rng = np.random.default_rng(seed)
    before, after, bends, contacts = random_legs(rng, 200, 60.0, 2)
    raised = [replace(leg, hip=leg.hip + 0.1 * UP, ankle=leg.ankle + 0.04 * UP) for leg in after]
    rows = viewer_rows(
        tracks(before, bends[0]),
        tracks(raised, bends[1]),
        contacts,
        ["left", "right"],
        60.0,
        LENGTH,
        (0, 199),
        up=UP,
        given=True,
    )
    by = np.median(np.mean([(b.hip - a.hip) @ UP for a, b in zip(before, raised, strict=True)], axis=0))
    toes = [replace(leg, toe=None if leg.toe is None else leg.toe + 0.04 * UP) for leg in raised]
    lowered = [
        in_legs(replace(leg, ankle=leg.ankle - by * UP, toe=None if leg.toe is None else leg.toe - by * UP))
        for leg in toes
    ]
    judged = Legs([in_legs(leg) for leg in before], lowered, [], ["left", "right"], contacts, UP, 60.0, bends)
    (theirs,) = viewer.sink(judged)
    (own,) = (row for row in rows if row.row == "sink")
    assert own.value == pytest.approx(theirs.value, rel=1e-9)
    assert own.value > 0.01
    assert own.frames == (theirs.frame, theirs.frame + 5)


@pytest.mark.parametrize("seed", range(4))
def test_the_row_s_contact_asks_what_its_places_are_beside_the_original(seed):
    rng = np.random.default_rng(seed)
    before, after, bends, contacts = random_legs(rng, 200, 60.0, 2)
    rows = viewer_rows(
        tracks(before, bends[0]), tracks(after, bends[1]), contacts, ["left", "right"], 60.0, LENGTH, (0, 199), up=UP
    )
    asked = 0
    for row in rows:
        if row.demand is None:
            continue
        k, (first, last) = ["left", "right"].index(row.demand.leg), (row.demand.first_frame, row.demand.last_frame)
        assert (first, last) == contacts[k][row.demand.number - 1]
        was, now, hip = (own[first : last + 1] for own in (before[k].ankle, after[k].ankle, before[k].hip))
        assert row.demand.away == pytest.approx(np.linalg.norm(now - was, axis=1).max() / LENGTH, rel=1e-12)
        assert row.demand.beyond == pytest.approx(np.linalg.norm(hip - now, axis=1).max() / LENGTH - 1.0, abs=1e-12)
        assert row.demand.raised == pytest.approx(np.median((now - was) @ UP) / LENGTH, abs=1e-12)
        asked += 1
    assert asked > 3
