# SPDX-License-Identifier: MIT
"""Two-bone inverse kinematics of random limbs: knee, end, both rotations, status, error; and on poses."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType

import numpy as np
from peers import find
from scene import rig

import skelkin_py as sk
from cases import Case
from cases.linear import INSIDE, TIMES

SOFT = {"soften": 0.1, "stretch": 1.2}
FRAMES, JOINTS = 10_000, 65


def limbs(count: int, farthest: float = 1.9) -> tuple[np.ndarray, ...]:
    """Return hip, knee, ankle, target and pole of limbs with bones of length 1."""
    rng = np.random.default_rng(count)
    a = rng.normal(size=(count, 3))
    upper, lower = (rng.normal(size=(count, 3)) for _ in range(2))
    b = a + upper / np.linalg.norm(upper, axis=1, keepdims=True)
    c = b + lower / np.linalg.norm(lower, axis=1, keepdims=True)
    direction = rng.normal(size=(count, 3))
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    target = a + direction * rng.uniform(0.1, farthest, (count, 1))
    return tuple(x.astype(np.float32) for x in (a, b, c, target, a + rng.normal(size=(count, 3)) * 3))


def cases() -> Iterator[Case]:
    module = find("numba_two_bone")
    yield from _solves(module)
    yield _one_limb(module)
    for below in (2, 23):
        yield _poses(below)
    yield from _limits(module)


def _solves(module: ModuleType | None) -> Iterator[Case]:
    for count, name in ((1_000, "1 000 limbs"), (1_000_000, "1 000 000 limbs")):
        for options, words, farthest in (({}, "", 1.9), (SOFT, ", soften and stretch", 2.6)):
            limb = limbs(count, farthest)
            case = Case(
                f"two bones, {name}{words}", "Msolves/s", work=count, scale=1e-6, writes=count * 65, max_rounds=10
            )
            typed = {key: np.float32(value) for key, value in options.items()}

            def solve(limb=limb, typed=typed, out=None):
                return sk.solve_two_bone(*limb[:4], pole=limb[4], out=out, **typed)

            out = solve()
            case.add("skelkin, out=", lambda solve=solve, out=out: solve(out=out))
            case.add("skelkin", solve)
            case.errors["skelkin, out="] = _miss(*limb[:3], out)
            for kind in module.KINDS if module else ():
                call, kept, _ = module.kind(kind, limb, **options)
                case.add(kind, call)
                call()
                case.errors[kind] = _miss(*limb[:3], sk.TwoBone(*kept, out.stretch))
            _ozz(case, limb, options)
            yield case


def _ozz(case: Case, limb: tuple[np.ndarray, ...], options: dict[str, float]) -> None:
    """Add ozz-animation where it does the same: its softening is another, and it does not stretch."""
    module = None if options else find("ozz")
    if module is not None:
        call, missed = module.two_bone(limb)
        case.add("ozz-animation", call)
        call()
        case.errors["ozz-animation"] = missed()


def _one_limb(module: ModuleType | None) -> Case:
    """Measure a call for a single limb: results in new arrays, and in kept ones."""
    limb = limbs(1)
    case = Case("two bones, one limb", "µs/call", scale=1e6)
    a, b, c, target, pole = (x[0] for x in limb)
    out = sk.solve_two_bone(a, b, c, target, pole=pole)
    case.add("skelkin, out=", lambda: sk.solve_two_bone(a, b, c, target, pole=pole, out=out))
    case.add("skelkin, new arrays", lambda: sk.solve_two_bone(a, b, c, target, pole=pole))
    if module:
        call, _, fresh = module.kind("numba loop", limb)
        case.add("numba loop", call)
        case.add("numba loop, new arrays", fresh)
        case.add("numba loop, square roots", module.kind("numba loop, square roots", limb)[0])
    ozz = find("ozz")
    if ozz is not None:
        case.add("ozz-animation", ozz.two_bone(limb)[0])
        case.add(INSIDE, ozz.two_bone(limb, times=TIMES)[0], times=TIMES)
    return case


def _poses(below: int) -> Case:
    """Measure one limb in every frame of a clip, against copying the clip and solving as many limbs.

    The limb is the first one of which the upper joint has at least `below` joints above it.
    """
    rng = np.random.default_rng(3)
    skeleton, parents, *_, rotations = rig(JOINTS, FRAMES)
    depth = [0] * JOINTS
    for j in range(1, JOINTS):
        depth[j] = depth[parents[j]] + 1
    end = next(j for j in range(JOINTS) if depth[j] >= below + 2)
    chain = (int(parents[parents[end]]), int(parents[end]), end)
    local = np.tile(skeleton.rest_local, (FRAMES, 1, 1, 1)).astype(np.float32)
    local[..., :3, :3] = sk.quaternion_to_matrix(rotations)
    a, b, c = (np.ascontiguousarray(sk.forward_kinematics(skeleton, local)[:, j, :3, 3]) for j in chain)
    target = (a + (c - a) * rng.uniform(0.5, 1.0, (FRAMES, 1))).astype(np.float32)
    pole = (b + 0.3 * rng.normal(size=b.shape)).astype(np.float32)
    pose, solved = np.empty_like(local), sk.solve_two_bone(a, b, c, target, pole=pole)
    case = Case(
        f"apply_two_bone, 10 000 frames × 65 joints, one limb below {below} joints", "ms", scale=1e3, max_rounds=10
    )

    def copy_and_solve():
        np.copyto(pose, local)
        sk.solve_two_bone(a, b, c, target, pole=pole, out=solved)

    case.add("skelkin, out=", lambda: sk.apply_two_bone(skeleton, local, chain, target, pole=pole, out=pose))
    case.add("skelkin, copy and solves", copy_and_solve)
    case.add("memcpy", lambda: np.copyto(pose, local))
    return case


def _limits(module: ModuleType | None) -> Iterator[Case]:
    """Measure a leg in every frame with limits on hip and knee: targets that they leave alone, and that they deny."""
    rng = np.random.default_rng(4)
    rest = np.tile(np.eye(4), (4, 1, 1))
    rest[1:, :3, 3] = [[0, 2, 0], [0, -1, 0.05], [0, -0.9, -0.05]]
    skeleton, chain = sk.Skeleton([-1, 0, 1, 2], rest), (1, 2, 3)
    limits = sk.JointLimits(
        {1: sk.swing_twist([0, -1, 0], (1.1, 0.6), (-0.4, 0.5)), 2: sk.hinge([1, 0, 0], 0, np.radians(150))}
    )
    way = rng.normal(size=(5 * FRAMES, 3))
    away = rng.uniform(0.1, 2.2, (len(way), 1)) / np.linalg.norm(way, axis=1, keepdims=True)
    goals = (rest[1, :3, 3] + way * away).astype(np.float32)
    many = np.tile(skeleton.rest_local, (len(goals), 1, 1, 1)).astype(np.float32)
    free = sk.apply_two_bone(skeleton, many, chain, goals, **SOFT)
    inside = limits.inside(skeleton, free.local, 1e-6).all(axis=-1)
    held = sk.apply_two_bone(skeleton, many[:FRAMES], chain, goals[:FRAMES], limits=limits, **SOFT).status
    for name, chosen in (
        ("inside of limits", goals[inside]),
        ("held back by limits", goals[:FRAMES][held == sk.IKStatus.LIMITED]),
    ):
        target, local, out = np.resize(chosen, (FRAMES, 3)), many[:FRAMES], np.empty_like(many[:FRAMES])
        case = Case(f"limits, 10 000 legs {name}, soften and stretch", "ms", scale=1e3, max_rounds=10)

        def solve(limits=limits, target=target, local=local, out=out):
            return sk.apply_two_bone(skeleton, local, chain, target, limits=limits, out=out, **SOFT)

        case.add("skelkin, out=", solve)
        case.add("skelkin, without limits", lambda solve=solve: solve(limits=None))
        if module:
            points = [np.tile(skeleton.rest_global[j, :3, 3], (FRAMES, 1)) for j in chain]
            pole = points[1] + np.array([0, 0, 1])
            limb = tuple(x.astype(np.float32) for x in (*points, target, pole))
            case.add("numba loop", module.kind("numba loop", limb, **SOFT)[0])
        yield case


def _miss(a, b, c, solved) -> float:
    """Return how far ends moved by the rotations alone are at worst from where the solver says that they are."""
    a, b, c, end, upper, lower, stretch = (
        np.asarray(x, np.float64) for x in (a, b, c, solved.c, solved.upper, solved.lower, solved.stretch)
    )
    bones = sk.quaternion_rotate(upper, b - a) + sk.quaternion_rotate(lower, c - b)
    return float(np.linalg.norm(a + stretch[:, None] * bones - end, axis=-1).max())
