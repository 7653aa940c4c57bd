# SPDX-License-Identifier: MIT
"""Runs inside a Blender: time the add-on's whole switch and Blender's own bake on the same rigs, in turns.

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
from planted_contacts import markers_of  # noqa: E402
from rigify_rigs import rigify_walk  # noqa: E402
from rigs import mixamo_walk  # noqa: E402
from stepping import stance_slide, world_heads  # noqa: E402
from terrain import terrain  # noqa: E402

SLOW = bpy.app.version < (4, 0)  # a bake of three thousand frames takes a quarter of an hour there
FRAMES = int(os.environ.get("SKELKIN_BENCH_FRAMES") or (1000 if SLOW else 3000))
ROUNDS, RIGIFY_FRAMES = 3, 500
Clock = dict[str, list[float]]


@contextmanager
def timed(clock: Clock) -> Iterator[None]:
    """Add the wall and processor seconds of the block; the second tells a busy machine from slow code."""
    wall, processor = time.perf_counter(), time.process_time()
    yield
    clock.setdefault("processor_seconds", []).append(time.process_time() - processor)
    clock.setdefault("wall_seconds", []).append(time.perf_counter() - wall)


def tell(case: str, what: str, clock: Clock, **more: float | str) -> None:
    row = {"case": case, "candidate": what, "blender": bpy.app.version_string}
    print("@" + json.dumps(row | clock | more), flush=True)


def fresh_walk(frames: int = FRAMES):
    """Return the walk in an empty file."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    return mixamo_walk(frames)


def addon_module(name: str):
    """Return a module of the add-on, whose package is named otherwise for an extension."""
    return sys.modules[f"{ADDON}.{name}"]


class FrameSets:
    """The seconds that frame_set takes while the switch runs."""

    def __init__(self) -> None:
        self.seconds = 0.0
        own = addon_module("bridge.poses").stepping

        @contextmanager
        def stepping(context):
            with own(context) as frame_set:

                def counted(*arguments, **options):
                    start = time.perf_counter()
                    frame_set(*arguments, **options)
                    self.seconds += time.perf_counter() - start

                yield counted

        for module in list(sys.modules.values()):
            if getattr(module, "stepping", None) is own:
                module.stepping = stepping


class Check:
    """The seconds that the look at all frames takes once the keys are written."""

    def __init__(self) -> None:
        self.seconds = 0.0
        switching = addon_module("bridge.switching")
        own = switching.measure

        def measure(*arguments):
            start = time.perf_counter()
            found = yield from own(*arguments)
            self.seconds += time.perf_counter() - start
            return found

        switching.measure = measure


def time_switch(clock: Clock, **settings: str) -> object:
    """Time the operator as a click runs it, from its first line to the planted pose; legs are found beforehand."""
    walk = fresh_walk()
    bpy.ops.skelkin.find_legs()
    with timed(clock):
        result = getattr(bpy.ops.skelkin, SWITCH)(**settings)
    assert result == {"FINISHED"}
    return walk


def worst_slide(walk) -> float:
    """Return how far a foot moves at most while it stands, in leg lengths."""
    slides = []
    for side, (_, _, foot, _) in walk.legs.items():
        heads = world_heads(walk.object, [foot], walk.frames)[:, 0]
        slides += stance_slide(heads, walk.stance[side], walk.frames[0])
    return max(slides) / walk.leg_length


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


def time_bake(clock: Clock, *, legs_only: bool) -> None:
    """Time Blender's own bake with visual keying, of all bones or of the legs'."""
    walk = fresh_walk()
    add_leg_constraints(walk)
    bones = walk.leg_bones if legs_only else {bone.name for bone in walk.object.pose.bones}
    bpy.context.view_layer.update()
    bpy.context.view_layer.objects.active = walk.object
    bpy.ops.object.mode_set(mode="POSE")
    for bone in walk.object.pose.bones:
        holder = bone if hasattr(bone, "select") else bone.bone
        holder.select = bone.name in bones
    with timed(clock):
        bpy.ops.nla.bake(
            frame_start=1, frame_end=FRAMES, only_selected=legs_only, visual_keying=True,
            clear_constraints=False, use_current_action=False, bake_types={"POSE"},
        )  # fmt: skip
    baked = {curve.data_path.split('"')[1] for curve in keys.fcurves(walk.object) if '"' in curve.data_path}
    assert walk.object.animation_data.action.name != "Walk"
    assert len(baked) == len(bones), len(baked)
    bpy.ops.object.mode_set(mode="OBJECT")


def less(clock: Clock, seconds: list[float]) -> Clock:
    """Return the wall seconds without a part of them."""
    return {"wall_seconds": [all_ - part for all_, part in zip(clock["wall_seconds"], seconds, strict=True)]}


def compare_with_baking() -> None:
    """Time the switch, as it reads by itself and by stepping, and both bakes in turns."""
    check, checks = Check(), []
    clocks: dict[str, Clock] = {"switch": {}, "switch, stepped": {}, "bake legs": {}, "bake all bones": {}}
    time_switch({})  # which imports what it needs
    for turn in range(ROUNDS):
        slides = worst_slide(time_switch(clocks["switch"]))
        check.seconds = 0.0
        time_switch(clocks["switch, stepped"], read="STEP")
        checks.append(check.seconds)
        if turn == 0 or not SLOW:
            time_bake(clocks["bake legs"], legs_only=True)
            time_bake(clocks["bake all bones"], legs_only=False)
    case = f"{FRAMES} frames, {len(fresh_walk().object.pose.bones)} bones"
    for what, clock in clocks.items():
        tell(case, what, clock, **({"worst_slide_per_leg": slides} if what == "switch" else {}))
    tell(case, "switch, stepped, without its check", less(clocks["switch, stepped"], checks))


def time_artists_edits() -> None:
    """Time few keys, a mesh as ground, and Update after one contact was edited, of which the bars are absolute."""
    sparse, case = addon_module("bridge.rig.sparse"), f"{FRAMES} frames, {len(fresh_walk().object.pose.bones)} bones"
    fewer, ground, update = Clock(), Clock(), Clock()
    own = sparse.keys_of

    def keys_of(*arguments):
        with timed(fewer):
            return own(*arguments)

    for _ in range(ROUNDS):
        sparse.keys_of = keys_of
        time_switch({}, keys="SPARSE")
        sparse.keys_of = own
        plain, above = Clock(), Clock()
        time_switch(plain)
        walk = fresh_walk()
        terrain(walk, size=225)  # 100 352 triangles
        bpy.ops.skelkin.find_legs()
        with timed(above):
            assert getattr(bpy.ops.skelkin, SWITCH)(ground="OBJECTS", ground_object="Terrain") == {"FINISHED"}
        ground.setdefault("wall_seconds", []).append(above["wall_seconds"][0] - plain["wall_seconds"][0])
        walk = fresh_walk(1000)
        getattr(bpy.ops.skelkin, SWITCH)()
        item = walk.object.animation_data.action.skelkin.contacts[3]
        markers_of(walk, item)[True].frame = item.last + 2
        with timed(update):
            assert bpy.ops.skelkin.update() == {"FINISHED"}
    tell(case, "sparse keys", fewer)
    tell(case, "ground of 100 352 triangles", ground)
    tell(case, "update of 1 000 frames", update)


def time_on_rigify() -> None:
    """Time the switch on a generated human that is animated by its IK controls, and what of it is not frame_set."""
    sets, clock, stepped = FrameSets(), Clock(), []
    for _ in range(ROUNDS - 1):
        walk = rigify_walk(frames=RIGIFY_FRAMES)
        bpy.ops.skelkin.find_legs()
        sets.seconds = 0.0
        with timed(clock):
            assert getattr(bpy.ops.skelkin, SWITCH)() == {"FINISHED"}
        stepped.append(sets.seconds)
    case = f"{RIGIFY_FRAMES} frames, Rigify's human, {len(walk.object.pose.bones)} bones"
    tell(case, "switch", clock)
    tell(case, "switch, without frame_set", less(clock, stepped))


ADDON = install_addon(zip_path())
compare_with_baking()
time_artists_edits()
time_on_rigify()
sys.stdout.flush()
os._exit(0)
