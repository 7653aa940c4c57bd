# SPDX-License-Identifier: MIT
"""What NVIDIA's motion_correction makes of the clips, in the judge's rows: `make judge-beside MOTION_CORRECTION=path`.

It takes contacts for given, so it gets those that skelkin has found, heels and balls apart, on a clip that is moved so
that the floor is at height 0, as it needs. Depths below the ground are those of the report when the result is looked
at with the same contacts; everything else is measured by the judge.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(HERE.parent / "support"), str(HERE.parent), str(ROOT), str(ROOT / "benchmarks")]

import cost  # noqa: E402
import numpy as np  # noqa: E402
import skating  # noqa: E402
import viewer  # noqa: E402
from clips import all_cases  # noqa: E402
from hinges import hinge_of, signed_flexion  # noqa: E402
from motion import Array, LegMotion, legs_of, norm, scaled  # noqa: E402
from optimum import body_and_legs  # noqa: E402
from table import number  # noqa: E402

import skelkin_py as sk  # noqa: E402

CLIPS = (
    "cmu_01_01", "cmu_12_01_walk", "cmu_12_01_walk x 1.15", "fair1_jumping", "fair1_zombie", "kimodo_slow_walk",
    "optitrack_louise", "rokoko_jesse_dance",
)  # fmt: skip
ROWS = {
    "toes": "toe joint slides while the ball stands, at most, % of the leg",
    "ankle": "ankle slides while the foot is flat, at most, % of the leg",
    "penetration": "sole below the ground in contact, worst, % of the leg",
    "skating": "skating ratio of the papers, %",
    "overturned": "frames in which a bent knee turns over",
    "shakes": "frames in which a knee shakes",
    "changed": "frames whose knee bends otherwise by more than 10°, %",
    "jerk": "highest jerk of a knee, 10⁶ °/s³",
    "jump": "highest jump of an ankle, legs/frame²",
    "acceleration": "acceleration added to ankles, RMS, legs/s²",
    "minded": "things that a viewer would mind, in all clips together",
}
ADDED = ("acceleration", "minded")  # by planting: the original has none
TURNS = {"+Y": np.array([1.0, 0.0, 0.0, 0.0]), "+Z": np.array([0.5, -0.5, 0.0, 0.0]) * 2**0.5}  # up becomes Y
OPPOSITE = np.array([1.0, -1.0, -1.0, -1.0])
VERSIONS = ("original", "skelkin", "motion_correction")
ENDS = {"left": ("lefthand", "leftwrist", "hand_l", "left_wrist"), "right": ("righthand", "rightwrist", "hand_r")}


HEAD = """\
# Planting beside motion_correction

Made by `make judge-beside`; not to be edited. NVIDIA's `motion_correction` cleans up what its Kimodo model
generates: it takes contacts for given and knows level floors. Here it gets the contacts that skelkin has found, heels
and balls apart, a floor at height 0 and a rest pose that stands on it, in metres. It pins ankles and toes at the
heights of the rest pose, and the body stays within a centimetre of its path.

Where feet come from below the ground or from above it, legs that really reach the ground bend and stretch more; [the
judge](planting-judge.md) says how much of that even the smoothest correction needs. An ankle moves above a sole that
rests where the foot tilts. Depths are those that `skelkin check` reports. A knee shakes where its speed changes by more
than 8 000°/s² from one frame to the next, which at 120 frames a second is half a degree: most of it is the capture's
noise, which feet that stand still leave to the knees. What the eye notices is in [the twelve rows](planting-judge.md),
which look at a thirtieth of a second. `make bench` compares the time ([performance.md](performance.md)).
"""


def beside(clip: Any) -> dict[str, list[float]]:
    """Row → original, skelkin, motion_correction."""
    planted, report = sk.plant_feet(clip)
    theirs = correct(clip, report)
    by = 1.0 / report.leg_length
    legs = clip.find_legs()
    before = [scaled(leg, by) for leg in legs_of(clip, legs)]
    hinges = [hinge_of(leg) for leg in before]
    originals = [signed_flexion(leg, hinge) for leg, hinge in zip(before, hinges)]
    calm = ~cost.glitches(before, originals, clip.fps)
    figures: dict[str, list[float]] = {kind: [] for kind in ROWS}
    for version in (clip, planted, theirs):
        own = [scaled(leg, by) for leg in legs_of(version, legs)]
        seen = [cost.seen(leg, hinge, clip.fps) for leg, hinge in zip(own, hinges)]
        figures["overturned"].append(float(sum(each.overturned.sum() for each in seen)))
        figures["shakes"].append(float(sum(each.pop.sum() for each in seen)))
        flags = [cost.changed(each.flexion, original) for each, original in zip(seen, originals)]
        figures["changed"].append(100.0 * max(float(each.mean()) for each in flags))
        figures["jerk"].append(1e-6 * max(float((each.jerk * calm).max()) for each in seen))
        figures["jump"].append(max(float((each.jump * calm).max()) for each in seen))
        shift, ankles = body_and_legs(before, own)
        figures["acceleration"].append(
            float(np.sqrt(np.mean([cost.added(ankle - shift, clip.fps) ** 2 for ankle in ankles])))
        )
        names, contacts = ([getattr(leg, what) for leg in report.legs] for what in ("name", "contacts"))
        rows = viewer.seen(viewer.Compared(before, own, hinges, names, contacts, np.asarray(report.up), clip.fps))
        figures["minded"].append(float(sum(each.minded for each in rows)))
        for kind, value in standing(version, own, report).items():
            figures[kind].append(value)
    return figures


def standing(clip: Any, legs: Sequence[LegMotion], report: Any) -> dict[str, float]:
    """What the feet of a version, with lengths in legs, do in the contacts of the report; and the papers' ratio."""
    far = {"toes": [0.0], "ankle": [0.0]}
    for leg, found in zip(legs, report.legs):
        heel, ball = (flags_of(spans, clip.num_frames) for spans in (found.heel_contacts, found.ball_contacts))
        far["ankle"] += [level_way(leg.ankle[run], report.up) for run in runs(heel & ball)]
        if leg.toe is not None:
            far["toes"] += [level_way(leg.toe[run], report.up) for run in runs(ball)]
    spans = {leg.name: {"heel": leg.heel_contacts, "ball": leg.ball_contacts} for leg in report.legs}
    again = sk.plant_feet(clip, contacts=spans, ground=float(report.ground), up=report.up).report
    sunk = max((each.before.penetration for each in again.contacts), default=0.0) / again.leg_length
    unit = again.metres_per_unit
    balls = [(unit * leg.before.ball_height, unit * leg.before.ball_steps) for leg in again.legs]
    figures = {kind: 100.0 * max(ways) for kind, ways in far.items()}
    return {**figures, "penetration": 100.0 * sunk, "skating": 100.0 * skating.ratio(balls, clip.fps)}


def flags_of(spans: Sequence[tuple[int, int]], count: int) -> Array:
    """(F,) Flags of spans, both ends included."""
    flags = np.zeros(count, bool)
    for first, last in spans:
        flags[first : last + 1] = True
    return flags


def runs(flags: Array) -> list[slice]:
    """The runs of flags."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], flags.astype(int), [0]])))
    return [slice(first, stop) for first, stop in zip(edges[::2], edges[1::2])]


def level_way(path: Array, up: Sequence[float]) -> float:
    """How far a point gets away in the level plane from where it was at first."""
    way = path - path[0]
    return float(norm(way - (way @ np.asarray(up))[:, None] * np.asarray(up)).max())


def correct(clip: Any, report: Any) -> Any:
    """The clip after motion_correction, in its own axes; rest poses have no rotations."""
    from peers.motion_correction_planting import plant as corrected

    turn = TURNS[report.up_name]
    unit, floor = report.metres_per_unit, float(report.ground)
    legs = {leg.side: leg for leg in clip.find_legs()}
    rest = sk.quaternion_rotate(turn, clip.skeleton.rest_local[:, :3, 3])
    height = sk.quaternion_rotate(turn, clip.skeleton.rest_global[:, :3, 3])[:, 1].min()
    rest[0, 1] -= height  # the rest pose stands on the floor: its feet tell how high ankles and toes do
    places = sk.quaternion_rotate(turn, clip.translations)
    places[:, 0, 1] -= floor
    ends = [hand(clip.names, side) for side in ("left", "right")] + [legs[side].ankle for side in ("left", "right")]
    rotations = changed_basis(turn, clip.rotations)
    call, result = corrected(clip.skeleton.parents, ends, rotations, places, rest, marks_of(clip, report), unit)
    call()
    rotations, roots = result()
    places[:, 0] = roots
    places[:, 0, 1] += floor
    back = turn * OPPOSITE
    return clip.replace(
        rotations=changed_basis(back, rotations.astype(float)), translations=sk.quaternion_rotate(back, places)
    )


def changed_basis(turn: Array, rotations: Array) -> Array:
    """Rotations in axes that are turned."""
    return np.asarray(sk.quaternion_multiply(sk.quaternion_multiply(turn, rotations), turn * OPPOSITE))


def marks_of(clip: Any, report: Any) -> Array:
    """(F, 4) Contacts of left heel and ball, right heel and ball."""
    marks = np.zeros((clip.num_frames, 4), bool)
    for leg, found in zip(clip.find_legs(), report.legs):
        first = 0 if leg.side == "left" else 2
        for column, spans in ((first, found.heel_contacts), (first + 1, found.ball_contacts)):
            marks[:, column] = flags_of(spans, clip.num_frames)
    return marks


def hand(names: Sequence[str], side: str) -> int:
    """The joint of a hand; nothing is pinned to it."""
    for k, name in enumerate(names):
        if name.lower() in ENDS[side]:
            return k
    raise ValueError(f"no joint is called like a {side} hand: {', '.join(ENDS[side])}")


def page(results: dict[str, dict[str, list[float]]]) -> str:
    """The page."""
    lines = [
        HEAD,
        "## In short\n",
        *summary(results),
        "",
        "## Clip by clip\n",
        "original → skelkin / motion_correction\n",
    ]
    lines += ["| clip | " + " | ".join(ROWS) + " |", "|---|" + "---:|" * len(ROWS)]
    for name, figures in results.items():
        cells = []
        for kind in ROWS:
            first, ours, theirs = (number(value) for value in figures[kind])
            cells.append(f"{ours} / {theirs}" if kind in ADDED else f"{first} → {ours} / {theirs}")
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join([*lines, ""])


def summary(results: dict[str, dict[str, list[float]]]) -> list[str]:
    """Medians over the clips, and in how many clips each is the better one."""
    lines = ["| " + " | ".join(["median over the clips", *VERSIONS, "better in"]) + " |", "|---|---:|---:|---:|---|"]
    for kind, title in ROWS.items():
        values = np.array([figures[kind] for figures in results.values()])
        middle = [number(float(value)) for value in (np.sum if kind == "minded" else np.median)(values, axis=0)]
        if kind in ADDED:
            middle[0] = "–"
        ours = int(np.sum(values[:, 1] < values[:, 2] - 1e-9))
        theirs = int(np.sum(values[:, 2] < values[:, 1] - 1e-9))
        lines.append(f"| {title} | " + " | ".join(middle) + f" | skelkin {ours}, motion_correction {theirs} |")
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(prog="make judge-beside", description=__doc__)
    parser.add_argument("--page", type=Path, required=True, help="the page to write")
    options = parser.parse_args()
    data = Path(os.environ.get("SKELKIN_DATA", ROOT.parent / "shared" / "data"))
    if not (data / "bvh").is_dir():
        parser.error("the clips are missing: set SKELKIN_DATA to the folder that holds bvh/")
    cases = all_cases(data)
    results = {name: beside(cases[name]().clip) for name in CLIPS}
    options.page.write_text(page(results), encoding="utf-8")
    print("\n".join(summary(results)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
