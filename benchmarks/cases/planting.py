# SPDX-License-Identifier: MIT
"""The main job: a walk of 60 joints planted from file to file, and in memory on uneven ground beside numpy's steps."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from peers import find
from uneven_ground import uneven_ground
from walk_clip import STRIDE_PER_FRAME, walking_clip

import skelkin_py as sk
from cases import Case

FRAMES = 3_000


def cases() -> Iterator[Case]:
    yield _files()
    yield from _on_a_mesh()


def _files() -> Case:
    folder = Path(tempfile.mkdtemp(prefix="skelkin-bench-"))
    source, target = folder / "walk.bvh", folder / "planted.bvh"
    walking_clip(FRAMES).save(source)
    clip = sk.load(source)
    planted = clip.plant_feet()

    def whole() -> None:
        sk.load(source).plant_feet().clip.save(target)

    case = Case("planting", "3 000 frames, 60 joints, 2 legs", "s", max_rounds=15)
    case.add("read, plant, write", whole)
    case.add("read", lambda: sk.load(source))
    case.add("plant", lambda: clip.plant_feet())
    case.add("write", lambda: planted.clip.save(target))
    return case


def _on_a_mesh() -> Iterator[Case]:
    clip = walking_clip(FRAMES)
    ground = uneven_ground(FRAMES * STRIDE_PER_FRAME)
    case = Case("planting", "3 000 frames on 100 000 triangles", "s", max_rounds=15)
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
    case = Case("planting", "3 000 frames on 100 000 triangles, as papers do", "s", max_rounds=1)
    case.add("numpy, 22 joints", lambda: papers.plant(body[0], feet, *body[1:], cells, clip.fps, report.leg_length))
    yield case
