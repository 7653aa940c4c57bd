# SPDX-License-Identifier: MIT
"""A program that is interrupted in the middle of long calls, for the tests of signals; prints a line of JSON for each.

Results are memory that the system hands out, as zeros, when it is first written: what is still zero at the end of the
call was not computed. Inputs are one row, broadcast. So a call that goes on takes gigabytes, and one that ends little.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import skelkin_py as sk

GIGABYTES = 1.5
JOINTS, VERTICES = 24, 50_000
RNG = np.random.default_rng(3)


class Call(NamedTuple):
    """A long call and its result, whose beginning and end are looked at; None for what would take half a minute."""

    run: Callable[[], object]
    result: np.ndarray | None
    checks_first: bool = False  # it reads all of its input before it writes


def zeros(*core: int) -> np.ndarray:
    """Return as many items as fill some gigabytes."""
    return np.zeros((int(GIGABYTES * 1e9 / 8 / np.prod(core, dtype=int)), *core))


def same(value: object, count: int) -> np.ndarray:
    """Return an array that has one item this often."""
    return np.broadcast_to(np.asarray(value, np.float64), (count, *np.shape(value)))


def limb_out(count: int) -> sk.TwoBone:
    numbers = {"b": (3,), "c": (3,), "upper": (4,), "lower": (4,), "error": (), "stretch": ()}
    arrays = {name: np.zeros((count, *core)) for name, core in numbers.items()}
    return sk.TwoBone(**arrays, status=np.zeros(count, np.uint8))


def make_calls() -> dict[str, Callable[[], Call]]:
    """Return the calls by name; each is made only when it runs, so that one at a time has its memory."""
    rest = np.tile(np.eye(4), (JOINTS, 1, 1))
    rest[:, :3, 3] = RNG.normal(size=(JOINTS, 3))
    skeleton = sk.Skeleton([-1, *range(JOINTS - 1)], rest)
    weights = sk.SkinWeights(
        RNG.integers(0, JOINTS, (VERTICES, 4)), RNG.uniform(0.1, 1, (VERTICES, 4)), JOINTS
    ).normalized()
    points, turns = RNG.normal(size=(VERTICES, 3)), RNG.normal(size=(JOINTS, 4))
    limb = np.array([[0, 2, 0], [0.1, 1, 0], [0, 0, 0], [0.5, 0.7, 0.2]])
    chain = RNG.normal(size=(6, 3))
    hinges = sk.JointLimits({5: sk.hinge([0, 0, 1], 0.1, 0.2)})

    def call(core: tuple[int, ...], run: Callable[[np.ndarray], object]) -> Callable[[], Call]:
        def make() -> Call:
            out = zeros(*core)
            return Call(lambda: run(out), out)

        return make

    def solve() -> Call:
        out = limb_out(8_000_000)
        return Call(lambda: sk.solve_two_bone(*(same(p, len(out.b)) for p in limb), out=out), out.b)

    def bend() -> Call:
        count = 4_000_000
        out = sk.Fabrik(np.zeros((count, 6, 3)), np.zeros(count, np.uint8), np.zeros(count), np.zeros(count, np.int32))
        return Call(lambda: sk.solve_fabrik(same(chain, count), same([1, 1, 1], count), out=out), out.positions)

    def mesh() -> Call:
        out = sk.SkinnedMesh(zeros(VERTICES, 3), zeros(VERTICES, 3), None)
        return Call(
            lambda: sk.skin_mesh(points, weights, same(rest, len(out.points)), normals=points + 9, out=out),
            out.points,
        )

    def go_back() -> Call:
        out = zeros(*pose)
        return Call(lambda: sk.local_from_global(skeleton, same(rest, len(out)), out=out), out, checks_first=True)

    pose, mesh_core = (JOINTS, 4, 4), (VERTICES, 3)
    return {
        "forward_kinematics": call(pose, lambda o: sk.forward_kinematics(skeleton, same(rest, len(o)), out=o)),
        "forward_kinematics_trs": call(pose, lambda o: sk.forward_kinematics_trs(skeleton, same(turns, len(o)), out=o)),
        "skinning_matrices": call(pose, lambda o: sk.skinning_matrices(skeleton, same(rest, len(o)), out=o)),
        "skin_points": call(mesh_core, lambda o: sk.skin_points(points, weights, same(rest, len(o)), out=o)),
        "skin_points, dual": call(
            mesh_core,
            lambda o: sk.skin_points(points, weights, same(rest, len(o)), method="dual_quaternion", out=o),
        ),
        "skin_poses": call(mesh_core, lambda o: sk.skin_poses(points, weights, skeleton, same(turns, len(o)), out=o)),
        "skin_mesh": mesh,
        "solve_two_bone": solve,
        "apply_two_bone": call(
            pose, lambda o: sk.apply_two_bone(skeleton, same(rest, len(o)), (3, 4, 5), same([1, 1, 1], len(o)), out=o)
        ),
        "nearest": call(pose, lambda o: hinges.nearest(skeleton, same(rest, len(o)), out=o)),
        "solve_fabrik": bend,
        "relative_transform": call((4, 4), lambda o: sk.relative_transform(skeleton, same(rest, len(o)), 20, 3, out=o)),
        "compose": call((4, 4), lambda o: sk.compose(same(points[0], len(o)), same(turns[0], len(o)), out=o)),
        "invert": call((4, 4), lambda o: sk.invert(same(rest[1], len(o)), out=o)),
        "quaternion_to_euler": call((3,), lambda o: sk.quaternion_to_euler(same(turns[0], len(o)), "XYZ", out=o)),
        "local_from_global": go_back,
        "solve_fabrik, one tree": lambda: Call(bend_one, None),
        "plant_locals": plant,
        "solve_ik": lambda: Call(solve_ik, None),
        "deform": call(mesh_core, lambda o: deform(points, len(o), o)),
    }


def deform(points: np.ndarray, count: int, out: np.ndarray) -> object:
    armature = sk.blender.Armature([-1], np.eye(4)[None], names=["arm"])
    ids = np.arange(len(points) + 1)
    groups = sk.blender.VertexGroups(["arm"], ids, np.zeros(len(points), int), np.ones(len(points)))
    return sk.blender.deform(armature, same(np.eye(4)[None] * 2, count), points, groups=groups, out=out)


def bend_one() -> object:
    """Pull at both leaves of a tree that cannot reach them, in as many passes as can be asked for."""
    tree = [[0, 0, 0], [0, 1, 0], [-1, 2, 0], [1, 2, 0]]
    return sk.solve_fabrik(tree, {2: [-3, 1, 0.3], 3: [3, 1.8, 0.3]}, parents=[-1, 0, 1, 1], max_iterations=2**31 - 1)


def plant() -> Call:
    """Plant a walk for hours, the same again and again."""
    clip = sk.example("biped").clip
    local = clip.local_matrices()
    sk.plant_locals(clip.skeleton, local, fps=clip.fps)  # what it imports is not to be interrupted
    long = np.tile(local, (300, 1, 1, 1))
    return Call(lambda: sk.plant_locals(clip.skeleton, long, fps=clip.fps), None)


def solve_ik() -> object:
    """Reach for what is too far, with forty bones in many poses."""
    bones = 40
    rest = np.tile(np.eye(4), (bones, 1, 1))
    rest[:, 1, 3] = np.arange(bones)
    armature = sk.blender.Armature([-1, *range(bones - 1)], rest, lengths=[1.0] * bones)
    pose = armature.pose(rotation=np.full((1, bones, 3), 0.1), rotation_mode="XYZ")
    target = RNG.normal(size=(20_000, 3)) * 10 * bones
    return armature.solve_ik(np.broadcast_to(pose[0], (20_000, bones, 4, 4)), [sk.blender.IKGoal(bones - 1, target)])


def interrupt_when_begun(call: Call) -> threading.Thread:
    """Send Ctrl-C from another thread once the first item is there, or in a moment where that tells nothing."""
    first = np.zeros(1) if call.result is None else call.result[0].reshape(-1)
    seconds = 60 if call.result is not None and not call.checks_first else 0.1

    def wait() -> None:
        limit = time.monotonic() + seconds
        while not first.any() and time.monotonic() < limit:
            time.sleep(0.001)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=wait)
    thread.start()
    return thread


def interrupt(make: Callable[[], Call]) -> dict[str, Any]:
    call = make()
    interrupted, references = False, sys.getrefcount(call.result)
    before = time.process_time()
    thread = interrupt_when_begun(call)
    try:
        call.run()
        thread.join()
    except KeyboardInterrupt:
        interrupted = True
    thread.join()
    rest = call.result is not None and bool(call.result[-1].any())
    return {
        "interrupted": interrupted,
        "rest is left": not rest and time.process_time() - before < 10,
        "nothing is kept": call.result is None or sys.getrefcount(call.result) == references,
    }


def main() -> None:
    """Interrupt each call, and then see that a short one is as before."""
    for name in sk.__all__:
        getattr(sk, name)  # imported now, not while Ctrl-C is on its way
    sk.set_num_threads(int(sys.argv[1]))
    skeleton = sk.Skeleton([-1, 0, 0], np.tile(np.diag([2.0, 1, 1, 1]), (3, 1, 1)))
    poses = RNG.normal(size=(20_000, 3, 4, 4))
    poses[..., 3, :] = [0, 0, 0, 1]
    expected = sk.forward_kinematics(skeleton, poses)
    for name, make in make_calls().items():
        found: dict[str, Any] = {"name": name} | interrupt(make)
        found["the next call is right"] = bool((sk.forward_kinematics(skeleton, poses) == expected).all())
        print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
