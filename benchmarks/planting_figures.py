# SPDX-License-Identifier: MIT
"""What planting does to clips with known contacts and to real ones, in the figures that have a bar."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from contact_rule import coverage, rule_contacts
from ground_cases import GROUNDS, ground_case, stance_on
from numpy.typing import NDArray

import skelkin_py as sk

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests" / "support"), str(ROOT / "tests")]

import known_motions  # noqa: E402  (the clips of the tests)
import reference  # noqa: E402
from known_steps import SIDES, SOLE, TO_BACK, Known, spans_of  # noqa: E402

__all__ = [
    "BARS",
    "Measured",
    "data_dir",
    "known_case",
    "known_names",
    "measure_ground",
    "measure_known",
    "measure_real",
    "real_clips",
]

Array = NDArray[np.float64]
ON_BELT = ", on its belt"  # after the name of a case in place: planted on the ground that is known to move below it
BLEND = 0.4  # seconds around a contact in which its correction fades to an eighth
# Lengths in legs, "body" in legs per s²; a turn in parts of what is allowed: 1.5 times the original's fastest and 60
# degrees a second more.
BARS = {
    "slide": 1e-4,
    "penetration": 1e-3,
    "float": 1e-3,
    "turn": 1.0,
    "air": 0.02,
    "body": 20.0,
    "again": 1e-4,
    "anew": 1e-2,
    "agreement": 0.97,
    "coverage": 0.8,
    "closing": 1e-6,
}


@dataclass(frozen=True)
class Measured:
    """Figures of one clip by name, NaN where one does not apply; and the two versions of the clip.

    `ends`: by how many frames an end of a contact is off at most, NaN where contacts are not known.
    """

    name: str
    fps: float
    frames: int
    figures: dict[str, float]
    before: sk.Clip
    planted: Any
    ground: Any
    ends: float = math.nan


def data_dir() -> Path:
    """Return the folder of real clips."""
    folder = Path(os.environ.get("SKELKIN_DATA", ROOT.parent / "shared" / "data"))
    if not (folder / "bvh").is_dir():
        raise SystemExit("the real clips are missing: set SKELKIN_DATA to the folder that holds bvh/")
    return folder


def real_clips() -> list[Path]:
    return sorted((data_dir() / "bvh").glob("*.bvh"))


def flags(report: Any, num: int) -> NDArray[np.bool_]:
    """(legs, F) Whether each foot is in a reported contact."""
    out = np.zeros((len(report.legs), num), dtype=np.bool_)
    for own, leg in zip(out, report.legs, strict=True):
        for first, last in leg.contacts:
            own[first : last + 1] = True
    return out


def places(clip: sk.Clip) -> Array:
    """Global matrices from the plain numpy oracle."""
    return np.asarray(reference.forward_kinematics(clip.skeleton, clip.local_matrices()), dtype=np.float64)


def fastest_turn(clip: sk.Clip, joint: int) -> float:
    """Degrees per second of a joint's local rotation; the first frames of some files jump out of a T-pose."""
    q = clip.rotations[3:, joint]
    cosine = np.abs(np.einsum("fi,fi->f", q[1:], q[:-1]))
    return float(np.degrees(2.0 * np.arccos(np.minimum(cosine, 1.0))).max(initial=0.0) * clip.fps)


def turn_used(before: sk.Clip, after: sk.Clip) -> float:
    """Greatest turn of a hip or knee, in parts of what is allowed."""
    joints = [joint for leg in before.find_legs() for joint in leg.chain[:2]]
    return max(fastest_turn(after, j) / (1.5 * fastest_turn(before, j) + 60.0) for j in joints)


def air_change(before: sk.Clip, planted: Any) -> float:
    """Greatest change of an ankle's path in the air, away from all corrections, the body's shift taken out; in legs."""
    report = planted.report
    moved = (places(planted.clip) - places(before))[..., :3, 3]
    worst, found = math.nan, flags(report, before.num_frames)
    margin = round(BLEND * before.fps)
    for k, leg in enumerate(before.find_legs()):
        below = (
            report.legs[k].before.height + report.body_shift < -1e-4 * report.leg_length
        )  # what has to come up to the ground
        marks = np.pad(found[k] | below, margin, mode="wrap" if report.loop else "constant")
        near = np.convolve(marks, np.ones(2 * margin + 1), mode="valid") > 0.5
        rest = moved[:, leg.ankle] - report.body_path
        if not near.all():
            own = float(np.linalg.norm(rest[~near], axis=1).max()) / report.legs[k].length
            worst = own if math.isnan(worst) else max(worst, own)
    return worst


def body_acceleration(before: sk.Clip, planted: Any) -> float:
    """By how much the acceleration of the joint that carries the body becomes greater, in legs per s²."""
    pelvis = before.find_legs()[0].pelvis
    paths = [places(clip)[:, 0 if pelvis is None else pelvis, :3, 3] for clip in (before, planted.clip)]
    known, now = (np.linalg.norm(np.diff(path, 2, axis=0), axis=1) * before.fps**2 for path in paths)
    return float((now - known).max(initial=0.0)) / planted.report.leg_length


def repeats(planted: Any, ground: Any, **options: Any) -> dict[str, float]:
    """How far any joint moves, in legs, when what was planted is planted once more."""
    at, length = places(planted.clip)[..., :3, 3], planted.report.leg_length
    spans = [leg.contacts for leg in planted.report.legs]
    same = sk.plant_feet(planted.clip, contacts=spans, ground=ground, **options).clip
    anew = sk.plant_feet(planted.clip, ground=ground, **options).clip
    pairs = (("again", same), ("anew", anew))
    return {key: float(np.linalg.norm(places(clip)[..., :3, 3] - at, axis=-1).max() / length) for key, clip in pairs}


def closing(before: sk.Clip, after: sk.Clip) -> float:
    """How far any joint of a loop is in the last pose from where it is in the first, the original's way taken off."""
    way = before.positions()[-1, 0] - before.positions()[0, 0]
    first, last = (places(after.slice(frame, frame + 1))[0, :, :3, 3] for frame in (0, after.num_frames - 1))
    return float(np.linalg.norm(first + way - last, axis=1).max())


def ends_off(found: NDArray[np.bool_], truth: NDArray[np.bool_]) -> float:
    """By how many frames an end of a contact is off at most, of flags (legs, F).

    All frames of the clip where a foot has more contacts than are known, or fewer.
    """
    most = 0
    for own, known in zip(found, truth, strict=True):
        pair = np.array(spans_of(own)).reshape(-1, 2), np.array(spans_of(known)).reshape(-1, 2)
        alike = len(pair[0]) == len(pair[1])
        most = max(most, int(np.abs(pair[0] - pair[1]).max(initial=0)) if alike else found.shape[1])
    return float(most)


def known_names() -> list[str]:
    """Return what clips with known contacts are measured: all cases, and those in place once more on their belts."""
    cases = known_motions.cases()
    return [*cases, *(name + ON_BELT for name in cases if known_case(name).velocity.any())]


def known_case(name: str) -> Known:
    """Return a clip with known contacts by the name of its case."""
    return known_motions.known(**known_motions.cases()[name.removesuffix(ON_BELT)])


def measure_known(name: str) -> Measured:
    """Plant a clip with known contacts on its known ground, and measure it where it is known to stand."""
    case = known_case(name)
    clip, ground = case.clip, 0.0 if case.ground is None else case.ground
    options = {"ground_velocity": case.velocity} if name.endswith(ON_BELT) else {}
    planted = sk.plant_feet(clip, ground=ground, **options)
    found, truth = flags(planted.report, clip.num_frames), np.stack([case.contact[side] for side in SIDES])
    figures = {
        **_stance(case, planted, found),
        "turn": turn_used(clip, planted.clip),
        "air": air_change(clip, planted),
        "body": body_acceleration(clip, planted),
        **repeats(planted, ground, **options),
        "closing": closing(clip, planted.clip) / case.leg if case.closed else math.nan,
        "agreement": float(2 * (found & truth).sum() / (found.sum() + truth.sum())),
    }
    return Measured(name, clip.fps, clip.num_frames, figures, clip, planted, ground, ends_off(found, truth))


def _stance(case: Known, planted: Any, found: NDArray[np.bool_]) -> dict[str, float]:
    """Slide, penetration and float of ball and heel where both truth and report say that they stand."""
    matrices, leg = places(planted.clip), case.leg
    up = np.eye(3)[case.up]
    frames = np.arange(len(matrices))[:, None]
    slide, deepest, highest = [0.0], [0.0], [0.0]
    for k, side in enumerate(SIDES):
        foot, toe = (case.clip.skeleton.index(f"{side}_{part}") for part in ("foot", "toe"))
        back = matrices[:, foot, :3, 3] + matrices[:, foot, :3, :3] @ _own_axes(case, TO_BACK)
        ball = matrices[:, toe, :3, 3] - SOLE * case.unit * up
        for flag, point in ((case.ball[side], ball), (case.heel[side] & ~case.ball[side], back)):
            over = point - frames / case.clip.fps * case.velocity
            level = over - (over @ up)[:, None] * up
            for first, last in spans_of(flag & found[k]):
                slide.append(np.linalg.norm(level[first : last + 1] - level[first], axis=1).max() / leg)
        above = np.stack([p @ up - (0.0 if case.ground is None else case.ground(p)) for p in (ball, back)])
        stands = case.contact[side] & found[k]
        lowest = above.min(axis=0)[stands] / leg
        deepest.append(-lowest.min(initial=0.0))
        highest.append(lowest.max(initial=0.0))
    return {
        "slide": max(slide) if planted.report.pinned else math.nan,
        "penetration": max(deepest),
        "float": max(highest),
    }


def _own_axes(case: Known, vector: Array) -> Array:
    """Return a vector of the figure in the clip's axes and unit."""
    turned = vector if case.up == 1 else np.array([vector[0], -vector[2], vector[1]])
    return np.asarray(turned * case.unit)


def measure_ground(name: str) -> Measured:
    """Plant the known walk on a ground that is no floor, and measure it where it is known to stand."""
    case = ground_case(name)
    planted = sk.plant_feet(case.clip, ground=case.ground, up="Y")
    found = flags(planted.report, case.clip.num_frames)
    truth = np.stack([case.known.contact[side] for side in SIDES])
    figures = {
        **stance_on(case, places(planted.clip), found),
        "turn": turn_used(case.clip, planted.clip),
        "air": air_change(case.clip, planted),
        **repeats(planted, case.ground, up="Y"),
        "agreement": float(2 * (found & truth).sum() / (found.sum() + truth.sum())),
    }
    ends = ends_off(found, truth)
    return Measured(name, case.clip.fps, case.clip.num_frames, figures, case.clip, planted, case.ground, ends)


def measure_real(path: Path) -> Measured:
    """Plant a real clip as it is, and measure it in the contacts that are reported."""
    clip = sk.load(path)
    planted = sk.plant_feet(clip)
    report = planted.report
    length, found, at = report.leg_length, flags(report, clip.num_frames), clip.positions()
    rule = np.zeros_like(found)
    for k, (leg, own) in enumerate(zip(clip.find_legs(), report.legs, strict=True)):
        joints = [at[:, joint] for joint in (leg.ankle, leg.toe) if joint is not None]
        rule[k] = rule_contacts(joints, report.up, own.length, clip.fps, report.ground_velocity)
    figures = {
        "slide": report.worst("slide") / length if report.pinned else math.nan,
        "penetration": report.worst("penetration") / length,
        "float": report.worst("float") / length,
        "turn": turn_used(clip, planted.clip),
        "air": air_change(clip, planted),
        "body": body_acceleration(clip, planted),
        **repeats(planted, None),
        "coverage": coverage(found, rule),
    }
    return Measured(path.stem, clip.fps, clip.num_frames, figures, clip, planted, None)


def measure_all() -> Iterator[Measured]:
    """Measure the whole set, known clips first."""
    for name in known_names():
        yield measure_known(name)
    for name in GROUNDS:
        yield measure_ground(name)
    for path in real_clips():
        yield measure_real(path)
