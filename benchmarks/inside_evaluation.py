# SPDX-License-Identifier: MIT
"""Runs inside a Blender: time Blender's own evaluation and ours from arrays, on the same rigs and on one core.

Prints one JSON object per measurement on a line of its own that begins with "@".
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import bpy
import numpy as np

sys.path[:0] = [str(Path(__file__).resolve().parent.parent / "tests" / "blender")]
import keys  # noqa: E402
from random_rigs import build  # noqa: E402

import skelkin_py as sk  # noqa: E402

BONES, FRAMES, VERTICES, CHAINS, POSES, ROUNDS = 60, 1000, 500_000, 100, 50, 5
MODIFIER_ROUNDS = 15  # a call takes milliseconds: the least of few is a matter of luck


def stay_on_one_core() -> None:
    """Pin all threads of the process, those too that Blender has made before this script runs, to the same core."""
    if hasattr(os, "sched_setaffinity"):
        core = {max(os.sched_getaffinity(0))}
        for thread in Path("/proc/self/task").iterdir():
            os.sched_setaffinity(int(thread.name), core)


Clock = dict[str, list[float]]


def timed(call: Callable[[], object], times: int = 1, rounds: int = ROUNDS) -> Clock:
    """Return wall and processor seconds of some calls, divided by `times`."""
    clock: Clock = {"wall_seconds": [], "processor_seconds": []}
    for _ in range(rounds):
        wall, processor = time.perf_counter(), time.process_time()
        call()
        clock["processor_seconds"].append((time.process_time() - processor) / times)
        clock["wall_seconds"].append((time.perf_counter() - wall) / times)
    return clock


def minus(clock: Clock, other: Clock) -> Clock:
    """Return what is left without the shortest of the other times."""
    return {key: [second - min(other[key]) for second in clock[key]] for key in clock}


def tell(case: str, candidate: str, clock: Clock) -> None:
    row = {"case": case, "candidate": candidate, "blender": bpy.app.version_string}
    print("@" + json.dumps(row | clock), flush=True)


def chain_rig(bones: int) -> bpy.types.Object:
    """Return a comb of short chains below one root."""
    rng = np.random.default_rng(1)
    rows = [("root", None, np.zeros(3), np.array([0.0, 1.0, 0.0]), 0.0, False)]
    while len(rows) < bones:
        head = rng.uniform(-1, 1, 3)
        parent = "root"
        for _ in range(min(5, bones - len(rows))):
            tail = head + rng.normal(size=3) * 0.3
            name = f"bone{len(rows)}"
            rows.append((name, parent, head, tail, float(rng.uniform(-3, 3)), parent != "root"))
            parent, head = name, tail
    return build(rows)


def time_poses() -> None:
    """Measure stepping through an action that turns every bone, against its curves, channels and poses at once."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    rig = chain_rig(BONES)
    rng = np.random.default_rng(2)
    keys.new_action(rig, "Turn")
    every = np.arange(1, FRAMES + 1, 10)
    for bone in rig.pose.bones:
        keys.write(rig, f'pose.bones["{bone.name}"].rotation_quaternion', every, rng.normal(size=(len(every), 4)))
    scene, frames = bpy.context.scene, np.arange(1, FRAMES + 1)

    def step() -> None:
        for frame in frames.tolist():
            scene.frame_set(frame)

    armature = sk.blender.Armature.from_bpy(rig)
    curves = sk.blender.read_action(rig)
    case = f"poses, {BONES} bones × {FRAMES} frames"
    channels = curves.channels(armature, frames)
    single = {key: value.astype(np.float32) if isinstance(value, np.ndarray) and value.dtype.kind == "f" else value
              for key, value in channels.items()}  # fmt: skip
    tell(case, "frame_set", timed(step))
    tell(case, "skelkin, curves and poses", timed(lambda: armature.pose(**curves.channels(armature, frames))))
    tell(case, "skelkin, poses, float32", timed(lambda: armature.pose(**single)))
    tell(case, "skelkin, poses, exact", timed(lambda: armature.pose(**single, exact=True)))


def time_modifier() -> None:
    """Measure many vertices with four weights each, as the modifier deforms them."""
    for preserve in (False, True):
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        rig = chain_rig(BONES)
        rng = np.random.default_rng(3)
        points = rng.uniform(-1, 1, (VERTICES, 3)).astype(np.float32)
        mesh = bpy.data.meshes.new("Points")
        mesh.vertices.add(VERTICES)
        mesh.vertices.foreach_set("co", points.ravel())
        thing = bpy.data.objects.new("Points", mesh)
        bpy.context.scene.collection.objects.link(thing)
        groups = [thing.vertex_groups.new(name=bone.name) for bone in rig.pose.bones]
        # A group takes one weight for many vertices at once: vertices that share their bones share their weights.
        for start in range(0, VERTICES, VERTICES // 1000):
            some = list(range(start, min(VERTICES, start + VERTICES // 1000)))
            for bone in rng.choice(BONES, 4, replace=False):
                groups[bone].add(some, float(rng.uniform(0.1, 1)), "ADD")
        modifier = thing.modifiers.new("Armature", "ARMATURE")
        modifier.object, modifier.use_deform_preserve_volume = rig, preserve
        for bone in rig.pose.bones:
            bone.rotation_quaternion = rng.normal(size=4)
        bpy.context.view_layer.update()
        armature = sk.blender.Armature.from_bpy(rig)
        pose = armature.pose(**sk.blender.read_channels(rig))[0].astype(np.float32)
        given = sk.blender.read_modifiers(thing)

        def evaluate(rig=rig) -> None:
            rig.update_tag(refresh={"DATA"})
            bpy.context.view_layer.update()

        whole = timed(evaluate, rounds=MODIFIER_ROUNDS)
        thing.modifiers["Armature"].show_viewport = False
        bpy.context.view_layer.update()
        rest = timed(evaluate, rounds=MODIFIER_ROUNDS)
        case = f"modifier, {VERTICES} vertices, {'preserve volume' if preserve else 'linear'}, all on one core"
        tell(case, "Blender's modifier", minus(whole, rest))
        ways: dict[str, dict[str, object]] = {"skelkin": {}}
        if not preserve:
            ways["skelkin, exact"] = {"exact": True}
        for name, options in ways.items():
            call = partial(armature.deform, pose, **given, **options)
            call()  # works out what the vertex groups are to the armature, and keeps it
            tell(case, name, timed(call, rounds=MODIFIER_ROUNDS))


def leg_rig(rng: np.random.Generator) -> bpy.types.Object:
    """Return legs of two bones with an IK constraint on each, whose targets do not move."""
    rows = []
    for chain in range(CHAINS):
        head = rng.uniform(-5, 5, 3)
        knee = head + np.array([0.05, 0.0, -1.0])
        rows.append((f"thigh{chain}", None, head, knee, 0.0, False))
        rows.append((f"shin{chain}", f"thigh{chain}", knee, head + np.array([0.0, 0.0, -2.0]), 0.0, True))
    rig = build(rows)
    for chain in range(CHAINS):
        goal = bpy.data.objects.new("Goal", None)
        bpy.context.scene.collection.objects.link(goal)
        goal.location = np.array(rows[2 * chain][2]) + np.array([0.3, 0.2, -1.5])
        constraint = rig.pose.bones[f"shin{chain}"].constraints.new("IK")
        constraint.target, constraint.chain_count = goal, 2
    return rig


def time_ik() -> None:
    """Measure two-bone chains with a goal each, in many poses.

    What the constraint costs is Blender's evaluation of the poses with it, without that of the same poses with the
    constraints muted; what ours costs is all of a call, for all of the poses or for each of them. Seconds are those of
    one pose.
    """
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    rng = np.random.default_rng(4)
    rig = leg_rig(rng)
    turns = rng.normal(size=(POSES, 2 * CHAINS, 4)) * 0.15
    turns[..., 0] = 1
    turns /= np.linalg.norm(turns, axis=-1, keepdims=True)
    flat = turns.astype(np.float32).reshape(POSES, -1)

    def evaluate() -> None:
        for values in flat:
            rig.pose.bones.foreach_set("rotation_quaternion", values)
            rig.update_tag(refresh={"DATA"})
            bpy.context.view_layer.update()

    evaluate()
    whole = timed(evaluate, POSES)
    solved = np.array([bone.matrix for bone in rig.pose.bones])
    armature, given = sk.blender.Armature.from_bpy(rig), sk.blender.read_ik(rig)
    for bone in rig.pose.bones:
        for constraint in bone.constraints:
            constraint.mute = True
    evaluate()
    rest = timed(evaluate, POSES)
    poses = armature.pose(rotation=turns, rotation_mode="QUATERNION").astype(np.float32)
    error = np.abs(armature.solve_ik(poses, **given)[-1] - solved).max()
    if not error < 1e-4:
        raise RuntimeError(f"the poses that are timed are not the same: {error} apart")
    case = f"IK, {CHAINS} chains of two bones, {POSES} poses, all on one core"
    tell(case, "Blender's constraint", minus(whole, rest))
    tell(case, "skelkin", timed(lambda: armature.solve_ik(poses, **given), POSES))
    tell(case, "skelkin, a call for each", timed(lambda: [armature.solve_ik(one, **given) for one in poses], POSES))


PARTS = {"poses": time_poses, "modifier": time_modifier, "ik": time_ik}
stay_on_one_core()
for part in os.environ.get("SKELKIN_BENCH_PARTS", ",".join(PARTS)).split(","):
    PARTS[part]()
sys.stdout.flush()
os._exit(0)
