# SPDX-License-Identifier: MIT
"""Every verb over arrays with its array arguments, the shapes of its results and its reference: one table for the
tests of what all of them promise alike."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import reference
from random_rigs import calm_transforms, random_skeleton, random_transforms, random_weights

import skelkin_py as sk

Make = Callable[[int, tuple[int, ...]], np.ndarray]


class Argument(NamedTuple):
    """An array argument: how to make one with these leading dimensions, and its number of core dimensions."""

    make: Make
    core: int


class Verb(NamedTuple):
    """One function with everything but its arrays bound. Calls return a tuple of arrays, also where there is one."""

    name: str
    function: str
    call: Callable[..., Any]
    arguments: dict[str, Argument]
    outs: tuple[tuple[int, ...], ...]
    oracle: Callable[..., Any]
    condition: float = 1.0  # by how much rounding inside may grow on the way to the results

    def run(self, given: dict[str, Any], out: tuple[np.ndarray, ...] | None = None) -> tuple[np.ndarray, ...]:
        """Call the package."""
        if out is None:
            return as_tuple(self.call(**given))
        if self.function == "skin_poses" and len(out) > 1:
            out = (*out, None)
        return as_tuple(self.call(**given, out=out[0] if len(self.outs) == 1 else out))

    def expect(self, given: dict[str, Any]) -> tuple[np.ndarray, ...]:
        """Call the reference."""
        return as_tuple(self.oracle(**given))

    def inputs(self, lead: tuple[int, ...] = (5,), dtype: type = np.float64) -> dict[str, np.ndarray]:
        """Return one array per argument, always the same ones."""
        return {name: each.make(10 + i, lead).astype(dtype) for i, (name, each) in enumerate(self.arguments.items())}

    def empty(self, lead: tuple[int, ...], dtype: type, fill: float = np.nan) -> tuple[np.ndarray, ...]:
        """Return arrays for `out`."""
        return tuple(np.full((*lead, *core), fill, dtype) for core in self.outs)


def as_tuple(result: Any) -> tuple[np.ndarray, ...]:
    return tuple(each for each in result if each is not None) if isinstance(result, tuple) else (result,)


def normal(*core: int) -> Make:
    return lambda seed, lead: np.random.default_rng(seed).normal(size=(*lead, *core))


@functools.cache
def make_verbs(joints: int = 12, vertices: int = 21, influences: int = 3, roots: int = 2) -> tuple[Verb, ...]:
    """Return all verbs over one skeleton and one set of weights; those on two joints and one vertex, say."""
    skeleton = random_skeleton(1, joints, min(roots, joints))
    calm_skeleton = sk.Skeleton(skeleton.parents, calm_transforms(3, joints))
    skin = sk.SkinWeights(*random_weights(2, vertices, influences, joints), joints)
    pose, mesh, quaternion = (joints, 4, 4), (vertices, 3), Argument(normal(joints, 4), 2)
    any_pose = Argument(lambda seed, lead: random_transforms(seed, *lead, joints), 3)
    calm_pose = Argument(lambda seed, lead: calm_transforms(seed, *lead, joints), 3)
    calm_turn = Argument(lambda seed, lead: normal(joints, 4)(seed, lead) * 0.05 + [1, 0, 0, 0], 2)
    points, tangents = Argument(normal(vertices, 3), 2), Argument(normal(vertices, 4), 2)
    offsets = Argument(normal(joints, 3), 2)
    scales = Argument(lambda seed, lead: 1 + 0.1 * normal(joints, 3)(seed, lead), 2)

    def bound(function: str, *first: Any, **options: Any) -> tuple[Callable[..., Any], Callable[..., Any]]:
        """Return the package's and the reference's function with the skeleton and options in their places."""

        def call(*arrays: Any, **named: Any) -> Any:
            return getattr(sk, function)(*first, *arrays, **options, **named)

        def oracle(*arrays: Any, **named: Any) -> Any:
            return getattr(reference, function)(*first, *arrays, **options, **named)

        return call, oracle

    def of_skeleton(label: str, function: str, arguments: dict[str, Argument], *outs: tuple[int, ...], **options: Any):
        call, oracle = bound(function, skeleton, **options)
        return Verb(label, function, call, arguments, outs, oracle)

    def of_skin(
        label: str,
        function: str,
        arguments: dict[str, Argument],
        *outs: tuple[int, ...],
        condition: float = 1.0,
        **options: Any,
    ):
        """Put weights (and skeleton) between the points and the rest."""
        between = (skin, calm_skeleton) if function == "skin_poses" else (skin,)

        def call(points: Any, **named: Any) -> Any:
            return getattr(sk, function)(points, *between, **named, **options)

        def oracle(points: Any, **named: Any) -> Any:
            return getattr(reference, function)(points, *between, **named, **options)

        return Verb(label, function, call, arguments, outs, oracle, condition)

    vector = Argument(normal(3), 1)
    pointing = {"local": calm_pose, "target": vector, "tip": vector}
    ground = {"local": calm_pose, "normal": vector, "up": vector}
    trs = {"rotations": quaternion, "translations": offsets, "scales": scales}
    calm = {"points": points, "matrices": calm_pose}
    rich = {**calm, "normals": points, "tangents": tangents}
    dual = {"method": "dual_quaternion"}
    shifts = (joints, 3)
    verbs = [
        of_skeleton("forward_kinematics", "forward_kinematics", {"local": any_pose}, pose),
        of_skeleton("forward_kinematics_trs", "forward_kinematics_trs", trs, pose),
        of_skeleton("local_from_global", "local_from_global", {"global_": any_pose}, pose),
        of_skeleton("skinning_matrices", "skinning_matrices", {"global_": any_pose}, pose),
        of_skeleton("rest_relative", "rest_relative", {"rotations": quaternion}, (joints, 4), shifts, axes="posed"),
        of_skeleton(
            "rest_relative, rest", "rest_relative", {"rotations": quaternion}, (joints, 4), shifts, axes="rest"
        ),
        of_skeleton("points_at", "points_at", pointing, pose, joint=joints // 2),
        of_skeleton("points_at, world", "points_at", pointing, pose, joint=joints // 2, frame="world"),
        of_skeleton("align_to_ground", "align_to_ground", ground, pose, foot=joints // 2),
        of_skeleton("roll_toe", "roll_toe", {**ground, "hinge": vector}, pose, toe=joints // 2),
        of_skin("skin_points", "skin_points", {"points": points, "matrices": any_pose}, mesh),
        of_skin("skin_points, dual", "skin_points", calm, mesh, **dual),
        of_skin("skin_mesh", "skin_mesh", rich, mesh, mesh, (vertices, 4)),
        of_skin("skin_mesh, dual", "skin_mesh", rich, mesh, mesh, (vertices, 4), **dual),
        of_skin("skin_poses", "skin_poses", {"points": points, "rotations": calm_turn}, mesh),
        of_skin("skin_poses, dual", "skin_poses", {"points": points, "rotations": calm_turn}, mesh, **dual),
        of_skin(
            "skin_poses, normals",
            "skin_poses",
            {"points": points, "rotations": calm_turn, "translations": offsets, "scales": scales, "normals": points},
            mesh,
            mesh,
            condition=4.0,  # of the blends of scaled and turned joints, to which normals are inverse
        ),
    ]
    return tuple(verbs)
