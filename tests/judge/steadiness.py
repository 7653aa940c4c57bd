# SPDX-License-Identifier: MIT
"""The same clip once more: with a little noise, in float32, and after it was planted. The same should come out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from bars import Row, row
from judgement import NOWHERE, Case, Versions, apart, best_legs, plant
from motion import Array, legs_of, scaled

NOISE = 1e-5  # radians, and legs


def noisy(clip: Any, leg_length: float) -> Any:
    """The clip with noise on every rotation and on the places of its roots."""
    of = np.random.default_rng(0)
    rotations = clip.rotations + 0.5 * NOISE * of.normal(size=clip.rotations.shape)
    translations = np.array(clip.translations, float)
    roots = [joint for joint, parent in enumerate(clip.skeleton.parents) if parent < 0]
    translations[:, roots] += NOISE * leg_length * of.normal(size=translations[:, roots].shape)
    return clip.replace(
        rotations=rotations / np.linalg.norm(rotations, axis=-1, keepdims=True), translations=translations
    )


def steady(case: Case, found: Versions) -> list[Row]:
    """The rows of second plantings."""
    import skelkin_py as sk

    legs, length = case.clip.find_legs(), 1.0 / _scale(case, found)
    rows = []
    other = plant(replace(case, clip=noisy(case.clip, length)))
    far, bent, _ = apart(found.after, other.after)
    same = all(np.array_equal(a, b) for a, b in zip(found.flags, other.flags))
    best = (NOWHERE, NOWHERE)
    if not same:
        pairs = (best_legs(each.problem, each.solution) for each in (found, other))
        best = apart(*pairs)[:2]
    rows.append(row("noise", "", 0.0, 1e4 * far, 1e4 * best[0], 0.0))
    rows.append(row("noise, knees", "", 0.0, 1e4 * bent, 1e4 * best[1], 0.0))
    flips = max(_longest_run(a != b) for a, b in zip(found.flags, other.flags))
    rows.append(row("flips", "", 0.0, flips, NOWHERE, 0.0))
    rounded = case.clip.replace(
        rotations=np.asarray(case.clip.rotations, np.float32).astype(float),
        translations=np.asarray(case.clip.translations, np.float32).astype(float),
    )
    planted = sk.plant_feet(rounded, **case.options).clip
    far, bent, turned = apart(found.after, [scaled(leg, 1.0 / length) for leg in legs_of(planted, legs)])
    rows.append(row("float32", "", 0.0, 1e4 * max(far, bent), NOWHERE, 0.0))
    rows.append(row("float32, turned", "", 0.0, turned, NOWHERE, 0.0))
    again, report = sk.plant_feet(found.planted_clip, **case.options)
    far, bent, _ = apart(found.after, [scaled(leg, 1.0 / length) for leg in legs_of(again, legs)])
    rows.append(row("again", "", 0.0, 1e4 * max(far, bent), NOWHERE, 0.0))
    worst = [report.worst(what, "before") for what in ("slide", "float")] + [report.deepest("before")]
    if not report.pinned:
        worst = worst[1:]
    rows.append(row("check", "", NOWHERE, 100.0 * max(worst) / report.leg_length, NOWHERE, 0.0))
    return rows


def _longest_run(flags: Array) -> int:
    edges = np.flatnonzero(np.diff(np.r_[0, flags.astype(int), 0]))
    return int((edges[1::2] - edges[::2]).max(initial=0))


def _scale(case: Case, found: Versions) -> float:
    """Legs per unit of the clip."""
    leg = legs_of(case.clip.slice(0, 1), case.clip.find_legs())[0]
    return float(found.before[0].lengths[0, 0] / leg.lengths[0, 0])
