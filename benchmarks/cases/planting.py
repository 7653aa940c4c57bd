# SPDX-License-Identifier: MIT
"""The main job: a walk of 60 joints planted from file to file, and in memory on uneven ground beside numpy's steps."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from peers import find
from uneven_ground import uneven_ground
from walk_clip import STRIDE_PER_FRAME, walking_clip

import skelkin_py as sk
from cases import Case

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests" / "c" / "planting"))

import engine

FRAMES = 3_000


def cases() -> Iterator[Case]:
    yield _files()
    yield _on_a_floor()
    yield _paths()
    yield from _on_a_mesh()


def _files() -> Case:
    folder = Path(tempfile.mkdtemp(prefix="skelkin-bench-"))
    source, target = folder / "walk.bvh", folder / "planted.bvh"
    walking_clip(FRAMES).save(source)
    clip = sk.load(source)
    planted = clip.plant_feet()

    def whole() -> None:
        sk.load(source).plant_feet().clip.save(target)

    case = Case("planting, 3 000 frames, 60 joints, 2 legs", "s", max_rounds=15)
    case.add("read, plant, write", whole)
    case.add("read", lambda: sk.load(source))
    case.add("plant", lambda: clip.plant_feet())
    case.add("write", lambda: planted.clip.save(target))
    return case


def _on_a_floor() -> Case:
    """Plant in memory on a level floor, beside what takes contacts for given and knows such a floor only."""
    clip = walking_clip(FRAMES)
    case = Case("planting, 3 000 frames on a floor", "s", max_rounds=15)
    report = clip.plant_feet().report
    case.add("skelkin", lambda: clip.plant_feet())
    case.errors["skelkin"] = report.slide()[1] / report.leg_length
    module = find("motion_correction_planting")
    if module is None:
        return case
    legs = {leg.side: leg for leg in clip.find_legs()}
    feet = [legs[side].chain[-1] for side in ("left", "right")]
    contacts = np.zeros((FRAMES, 4), bool)
    for side, leg in enumerate(sorted(report.legs, key=lambda leg: leg.name)):
        for first, stop in leg.contacts:
            contacts[first:stop, 2 * side : 2 * side + 2] = True
    ends = [clip.names.index(name) for name in ("LeftHand", "RightHand")] + feet
    rest, unit = clip.skeleton.rest_local[:, :3, 3], report.metres_per_unit
    call, result = module.plant(clip.skeleton.parents, ends, clip.rotations, clip.translations, rest, contacts, unit)
    call()
    case.add("motion_correction, contacts given", call)
    case.errors["motion_correction, contacts given"] = _slide(clip, feet, contacts, *result()) / report.leg_length
    return case


def _slide(clip: sk.Clip, feet: list[int], contacts: np.ndarray, rotations: np.ndarray, roots: np.ndarray) -> float:
    """Return how far a foot moves at most along the floor within a contact."""
    translations = clip.translations.copy()
    translations[:, 0] = roots
    place = clip.replace(rotations=rotations.astype(np.float64), translations=translations).positions()
    worst = 0.0
    for side, foot in enumerate(feet):
        edges = np.flatnonzero(np.diff(np.concatenate([[0], contacts[:, 2 * side].astype(int), [0]])))
        for first, stop in zip(edges[::2], edges[1::2], strict=True):
            path = place[first:stop, foot][:, [0, 2]]
            worst = max(worst, float(np.linalg.norm(path - path[0], axis=1).max()))
    return worst


def _paths() -> Case:
    """Solve for body and ankles alone, between the contacts of the walk over the hills, beside numpy and scipy."""
    clip = walking_clip(FRAMES)
    planted = clip.plant_feet(ground=uneven_ground(FRAMES * STRIDE_PER_FRAME))
    length = planted.report.leg_length
    legs = [leg.chain for leg in clip.find_legs()]
    before, after = clip.positions() / length, planted.clip.positions() / length
    hip, knee, ankle = (np.stack([before[:, leg[i]] for leg in legs]) for i in range(3))
    held = np.stack([after[:, leg[2]] for leg in legs]) - ankle
    stands = np.zeros((2, FRAMES), bool)
    for side, leg in enumerate(legs):
        name = clip.names[leg[2]]
        for contact in planted.report.contacts:
            if contact.name.lower() in name.lower():
                stands[side, contact.first_frame : contact.last_frame + 1] = True
    bones = np.linalg.norm(hip - knee, axis=2) + np.linalg.norm(knee - ankle, axis=2)
    reach = np.maximum(np.linalg.norm(hip - ankle, axis=2), 0.995 * bones)
    up = np.array([0.0, 1.0, 0.0])
    lowest = np.where(stands, -1.0, np.minimum(0.0, held @ up) - 0.002)
    weights = {"body": 20.0, "ankle": 0.2, "flexion": 1000.0, "flexion_jerk": 0.1, "split": 1e7, "spring": 3000.0}
    packed = np.zeros(1, engine.PATH_WEIGHTS)
    for name, value in (weights | {"acceleration": 1e9}).items():
        packed[name] = value
    bent, free = np.ones((2, FRAMES)), np.ones(FRAMES, bool)
    line = hip - ankle
    limbs = [hip, ankle, line, held, bones, bent, reach, lowest, stands]
    arguments = [*limbs, free, ~free, up, 1.0, 1.0 / clip.fps, True, False, packed]
    body, offsets = engine.smooth_paths(*arguments)[:2]
    case = Case("planting, the paths of 3 000 frames", "s", max_rounds=7)
    case.add("skelkin", lambda: engine.smooth_paths(*arguments))
    case.errors["skelkin"] = 0.0
    module = find("numpy_paths")
    if module is None:
        return case
    call, result = module.paths(weights, hip, ankle, line, held, bones, reach, lowest, stands, up, 1.0 / clip.fps)
    call()
    own = np.concatenate([body, *offsets], axis=1)
    case.errors["numpy and scipy, banded"] = float(np.abs(result() - own).max())
    case.add("numpy and scipy, banded", call)
    return case


def _on_a_mesh() -> Iterator[Case]:
    clip = walking_clip(FRAMES)
    ground = uneven_ground(FRAMES * STRIDE_PER_FRAME)
    case = Case("planting, 3 000 frames on 100 000 triangles", "s", max_rounds=15)
    report = clip.plant_feet(ground=ground).report
    case.add("skelkin", lambda: clip.plant_feet(ground=ground))
    case.add("skelkin, new ground", lambda: clip.plant_feet(ground=sk.MeshGround(ground.points, ground.faces)))
    case.errors["skelkin"] = report.slide()[1] / report.leg_length
    plain, papers = find("numpy_planting"), find("numpy_papers")
    if plain is None or papers is None:
        yield case
        return
    parents = [int(parent) for parent in clip.skeleton.parents]
    legs = [(*leg.chain, leg.toe) for leg in clip.find_legs()]
    cells = plain.Cells(ground.points, ground.faces)
    arguments = parents, legs, clip.rotations, clip.translations, cells, clip.fps
    for name, iterate in (("numpy, IK in closed form", False), ("numpy, IK iterated", True)):
        case.add(name, lambda i=iterate: plain.plant(*arguments, iterate=i))
        case.errors[name] = plain.plant(*arguments, iterate=iterate)[2]
    yield case
    joints = papers.body_of(list(clip.names), parents)
    body = papers.reduced(parents, joints, clip.rotations, clip.translations)
    feet = [joints.index(joint) for leg in legs for joint in leg[2:]]
    case = Case("planting, 3 000 frames on 100 000 triangles, as papers do", "s", max_rounds=1)
    case.add("numpy, 22 joints", lambda: papers.plant(body[0], feet, *body[1:], cells, clip.fps, report.leg_length))
    yield case
