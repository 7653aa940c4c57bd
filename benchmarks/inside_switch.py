# SPDX-License-Identifier: MIT
"""Runs inside a Blender: time the add-on's whole switch and Blender's own bake on the same rig.

Prints one JSON object per measurement on a line of its own that begins with "@".
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import bpy
import numpy as np

sys.path[:0] = [str(Path(__file__).resolve().parent.parent / "tests" / "blender")]
import keys  # noqa: E402
from installing import SWITCH, install_addon, zip_path  # noqa: E402
from rigs import mixamo_walk  # noqa: E402
from stepping import stance_slide, world_heads  # noqa: E402

FRAMES = int(os.environ.get("SKELKIN_BENCH_FRAMES", "1000"))


@contextmanager
def timed(clock: dict[str, list[float]]) -> Iterator[None]:
    """Add the wall and processor seconds of the block; the second tells a busy machine from slow code."""
    wall, processor = time.perf_counter(), time.process_time()
    yield
    clock.setdefault("processor_seconds", []).append(time.process_time() - processor)
    clock.setdefault("wall_seconds", []).append(time.perf_counter() - wall)


def tell(what: str, clock: dict[str, list[float]], **more: float | str) -> None:
    row = {"case": f"{FRAMES} frames, {known['bones']} bones", "candidate": what, "blender": bpy.app.version_string}
    print("@" + json.dumps(row | clock | more), flush=True)


def fresh_walk():
    """Return the walk in an empty file."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    walk = mixamo_walk(FRAMES)
    known["bones"] = len(walk.object.pose.bones)
    return walk


def time_switch(repeats: int) -> None:
    """Time the operator as a click runs it, from its first line to the planted pose; legs are found beforehand."""
    clock: dict[str, list[float]] = {}
    for _ in range(repeats):
        walk = fresh_walk()
        bpy.ops.skelkin.find_legs()
        with timed(clock):
            result = getattr(bpy.ops.skelkin, SWITCH)()
        assert result == {"FINISHED"}
    slides = []
    for side, (_, _, foot, _) in walk.legs.items():
        heads = world_heads(walk.object, [foot], walk.frames)[:, 0]
        slides += stance_slide(heads, walk.stance[side], walk.frames[0])
    tell("switch", clock, worst_slide_per_leg=max(slides) / walk.leg_length)


def add_leg_constraints(walk) -> None:
    """Give each leg the IK constraint a user would, with a goal keyed where the walk has its ankle."""
    frames = np.array(walk.frames)
    feet = [bones[2] for bones in walk.legs.values()]
    heads = world_heads(walk.object, feet, walk.frames)
    for index, (_, shin, _, _) in enumerate(walk.legs.values()):
        goal = bpy.data.objects.new("Goal", None)
        bpy.context.scene.collection.objects.link(goal)
        keys.new_action(goal, "Goal")
        keys.write(goal, "location", frames, heads[:, index])
        constraint = walk.object.pose.bones[shin].constraints.new("IK")
        constraint.target, constraint.chain_count = goal, 2


def bake(walk, bones: set[str] | None, clock: dict[str, list[float]]) -> None:
    """Time Blender's own bake with visual keying, of all bones or of these."""
    bpy.context.view_layer.objects.active = walk.object
    bpy.ops.object.mode_set(mode="POSE")
    for bone in walk.object.pose.bones:
        chosen = bones is None or bone.name in bones
        holder = bone if hasattr(bone, "select") else bone.bone
        holder.select = chosen
    with timed(clock):
        bpy.ops.nla.bake(
            frame_start=1, frame_end=FRAMES, only_selected=bones is not None, visual_keying=True,
            clear_constraints=False, use_current_action=False, bake_types={"POSE"},
        )  # fmt: skip
    baked = {curve.data_path.split('"')[1] for curve in keys.fcurves(walk.object) if '"' in curve.data_path}
    assert walk.object.animation_data.action.name != "Walk"
    assert len(baked) == (len(walk.object.pose.bones) if bones is None else len(bones)), len(baked)
    bpy.ops.object.mode_set(mode="OBJECT")


def time_bake() -> None:
    for what, legs_only in (("bake legs", True), ("bake all bones", False)):
        clock: dict[str, list[float]] = {}
        for _ in range(1 if bpy.app.version < (4, 0) else 2):  # minutes for nothing on 3.4
            walk = fresh_walk()
            add_leg_constraints(walk)
            bpy.context.view_layer.update()
            bake(walk, walk.leg_bones if legs_only else None, clock)
        tell(what, clock)


known: dict = {}
if os.environ.get("SKELKIN_TEST_LEGACY"):
    install_addon(zip_path())
    time_switch(3)
time_bake()
sys.stdout.flush()
os._exit(0)
