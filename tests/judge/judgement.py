# SPDX-License-Identifier: MIT
"""One clip: planted by the product, measured against the original and against the optimum."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import cost
import numpy as np
import skating
import viewer
from bars import Row, row
from hinges import hinge_of, placed, signed_flexion
from motion import Array, LegMotion, legs_of, scaled
from optimum import Problem, Solution, body_and_legs, cost_of, solve

NOWHERE = float("nan")
SAME = 1e-6  # legs: the last pose of a loop whose file has single precision is the first to that
LEAST_COST = 0.01  # a second: the guess of a cost where nothing was moved


@dataclass(frozen=True)
class Case:
    """A clip and the options it is planted with; `real` where it was captured or drawn, and not made by formulas."""

    name: str
    clip: Any
    options: dict[str, Any]
    real: bool = True
    truth: Any = None  # the clip without its faults, where it is known


@dataclass(frozen=True)
class Versions:
    """Legs in units of the leg: of the original, planted, and of the optimum; and where they come from."""

    planted_clip: Any
    report: Any
    before: list[LegMotion]
    after: list[LegMotion]
    best: list[LegMotion]
    hinges: list[Array]
    names: list[str]
    problem: Problem
    solution: Solution
    cost: float
    metres: float  # a leg's length
    seconds: tuple[float, float]  # of planting, of the optimum

    @property
    def flags(self) -> list[Array]:
        """(F,) Per leg, whether its foot is in a contact."""
        return list(self.problem.pins)


def contact_flags(report: Any, count: int) -> list[Array]:
    """(F,) Per leg, whether its foot is in a reported contact, both ends included."""
    found = []
    for leg in report.legs:
        found.append(np.zeros(count, dtype=bool))
        for first, last in leg.contacts:
            found[-1][first : last + 1] = True
    return found


def plant(case: Case) -> Versions:
    """Plant a clip and find the optimum for the contacts and the places that the product has found."""
    import skelkin_py as sk

    clip, start = case.clip, time.perf_counter()
    planted, report = sk.plant_feet(clip, **case.options)
    middle = time.perf_counter()
    legs = clip.find_legs()
    before = legs_of(clip, legs)
    by = 1.0 / float(np.mean([leg.lengths.sum(axis=0).mean() for leg in before]))
    before, after = ([scaled(leg, by) for leg in own] for own in (before, legs_of(planted, legs)))
    hinges = [hinge_of(leg) for leg in before]
    body, ankles = body_and_legs(before, after)
    up = np.asarray(report.up, float)
    lowest = []
    for own, moved in zip(report.legs, ankles):
        was, now = own.before.height * by, own.after.height * by
        lowest.append(np.minimum(0.0, was) - now + moved @ up)
    ends = ([part[frame] for part in (body, *ankles)] for frame in (0, -1))
    closed = report.loop and bool(np.allclose(*ends, atol=SAME))
    flags = contact_flags(report, clip.num_frames)
    problem = Problem(before, hinges, flags, ankles, lowest, up, clip.fps, closed)
    used = cost_of(problem, body, ankles)
    solution = best_of(problem, max(used, LEAST_COST * clip.num_frames / clip.fps))
    best = best_legs(problem, solution)
    seconds = (middle - start, time.perf_counter() - middle)
    names = [leg.name for leg in report.legs]
    metres = report.metres_per_unit / by
    return Versions(planted, report, before, after, best, hinges, names, problem, solution, used, metres, seconds)


def best_of(problem: Problem, scale: float) -> Solution:
    """The optimum; where no foot ever stands, nothing is asked for and the original is best."""
    if any(pins.any() for pins in problem.pins):
        return solve(problem, scale)
    rest = [np.zeros_like(leg.hip) for leg in problem.legs]
    return Solution(cost_of(problem, rest[0], rest), rest[0], rest, [np.zeros_like(pins) for pins in problem.pins])


def best_legs(problem: Problem, solution: Solution) -> list[LegMotion]:
    """The legs of the optimum, knees by their hinges."""
    parts = zip(problem.legs, problem.hinges, solution.ankles)
    return [placed(leg, hinge, leg.hip + solution.body, leg.ankle + moved) for leg, hinge, moved in parts]


def measured(found: Versions, level: bool = True, real: bool = True) -> list[Row]:
    """Every row of a planted clip but those of its second plantings.

    Flexions are compared on level ground only. The papers' skating ratio is that of real clips: feet that are made to
    float above it by formulas do not skate by its rule, and those that walk below them do.
    """
    problem = found.problem
    fps, count = problem.fps, len(found.before[0].hip)
    seconds = count / fps
    versions = (found.before, found.after, found.best)
    originals = [signed_flexion(leg, hinge) for leg, hinge in zip(found.before, found.hinges)]
    calm = ~cost.glitches(found.before, originals, fps)
    rows: list[Row] = []
    sums = {kind: np.zeros(3) for kind in ("overturned", "backward", "pops")}
    for k, (name, hinge) in enumerate(zip(found.names, found.hinges)):
        seen = [cost.seen(_round(legs[k], problem), hinge, fps) for legs in versions]
        sums["overturned"] += [each.overturned.sum() for each in seen]
        sums["pops"] += [each.pop.sum() for each in seen]
        sums["backward"] += [cost.backward(each.flexion[:count], originals[k]).sum() for each in seen]
        if level:
            parts = [100.0 * cost.changed(each.flexion[:count], originals[k]).mean() for each in seen]
            rows.append(row("changed", name, *parts, seconds))
        near = _around(calm, problem)
        rows.append(row("jerk", name, *(1e-6 * np.max(each.jerk * near) for each in seen), seconds))
        rows.append(row("jump", name, *(np.max(each.jump * near) for each in seen), seconds))
        rows.append(row("turn", name, *(np.max(each.turn * near) for each in seen), seconds))
    rows += [row(kind, "", *values, seconds) for kind, values in sums.items()]
    if real:
        rows.append(row("skating", "", *(100.0 * each for each in _skating(found)), seconds))
    rows.append(row("cost", "", NOWHERE, found.cost, found.solution.cost, seconds))
    body, ankles = body_and_legs(found.before, found.after)
    pairs = ((body, ankles), (found.solution.body, found.solution.ankles))
    legs_added = [np.sqrt(np.mean([cost.added(own - shift, fps) ** 2 for own in each])) for shift, each in pairs]
    rows.append(row("leg acceleration", "", 0.0, *legs_added, seconds))
    rows.append(row("body acceleration", "", 0.0, *(cost.added(shift, fps) for shift, _ in pairs), seconds))
    moved = [100.0 * np.linalg.norm(shift, axis=1) for shift, _ in pairs]
    rows.append(row("body moved", "", 0.0, *(each.max() for each in moved), seconds))
    rows.append(row("body moved, RMS", "", 0.0, *(np.sqrt(np.mean(each**2)) for each in moved), seconds))
    return rows


def compared(case: Case, found: Versions) -> viewer.Compared:
    """What was planted beside the original, or beside the truth where that is known."""
    before = found.before
    if case.truth is not None:
        by = 1.0 / float(np.mean([leg.lengths.sum(axis=0).mean() for leg in legs_of(case.clip, case.clip.find_legs())]))
        before = [scaled(leg, by) for leg in legs_of(case.truth, case.clip.find_legs())]
    contacts = [leg.contacts for leg in found.report.legs]
    return viewer.Compared(
        before, found.after, found.hinges, found.names, contacts, found.problem.up, found.problem.fps
    )


def _skating(found: Versions) -> list[float]:
    """The skating ratio of the three versions; the optimum's feet are turned as the planted ones are."""
    report, up = found.report, found.problem.up
    unit = report.metres_per_unit
    _, planted = body_and_legs(found.before, found.after)
    balls: tuple[list[tuple[Array, Array]], ...] = ([], [], [])
    for leg, shift, best in zip(report.legs, planted, found.solution.ankles):
        for own, curves in zip(balls, (leg.before, leg.after)):
            own.append((unit * curves.ball_height, unit * curves.ball_steps))
        away = found.metres * (best - shift)
        level = away - (away @ up)[:, None] * up
        heights, steps = balls[1][-1]
        balls[2].append((heights + away @ up, steps + np.diff(level, axis=0)))
    return [skating.ratio(own, found.problem.fps) for own in balls]


def _round(leg: LegMotion, problem: Problem) -> LegMotion:
    """A leg of a loop with the frames that follow its last pose, so that its seam is looked at as well."""
    if not problem.cyclic or len(leg.hip) < 5:
        return leg
    way = problem.legs[0].hip[-1] - problem.legs[0].hip[0]

    def on(points: Array) -> Array:
        return np.concatenate([points, points[1:4] + way])

    thigh = np.concatenate([leg.thigh, leg.thigh[1:4]])
    return replace(leg, hip=on(leg.hip), knee=on(leg.knee), ankle=on(leg.ankle), thigh=thigh)


def _around(flags: Array, problem: Problem) -> Array:
    """Flags of frames for legs of `_round`."""
    return np.concatenate([flags, flags[1:4]]) if problem.cyclic and len(flags) >= 5 else flags


def apart(first: Sequence[LegMotion], second: Sequence[LegMotion]) -> tuple[float, float, float]:
    """How far hips, ankles and toes, and how far knees are apart, in legs; and how far thighs and feet are turned."""
    far = bent = turned = 0.0
    for a, b in zip(first, second):
        pairs = [(a.hip, b.hip), (a.ankle, b.ankle)]
        if a.toe is not None and b.toe is not None:
            pairs.append((a.toe, b.toe))
        far = max([far, *(float(np.linalg.norm(p - q, axis=1).max()) for p, q in pairs)])
        bent = max(bent, float(np.linalg.norm(a.knee - b.knee, axis=1).max()))
        for p, q in ((a.thigh, b.thigh), (a.foot, b.foot)):
            chord = np.linalg.norm(p - q, axis=(1, 2)).max() / np.sqrt(8.0)
            turned = max(turned, float(np.degrees(2.0 * np.arcsin(min(chord, 1.0)))))
    return far, bent, turned
