# SPDX-License-Identifier: MIT
"""Every function of the package that takes arrays, with some for it: a table that includes that of `verbs`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from random_rigs import calm_transforms
from verbs import make_verbs

import skelkin_py as sk

JOINTS, FRAMES = 6, 7
RNG = np.random.default_rng(11)
CHAIN = sk.Skeleton([-1, 0, 1, 2, 3, 4], calm_transforms(3, JOINTS))
POSES = calm_transforms(4, FRAMES, JOINTS)
NO_ROWS = POSES[..., :3, :]
LEGS = sk.JointLimits({1: sk.hinge([0, 0, 1], -0.3, 0.4), 2: sk.swing_twist([1, 0, 0], (0.3, 0.2), (-0.2, 0.1))})
ARMATURE = sk.blender.Armature([-1, 0, 1, 2, 3, 4], CHAIN.rest_global, lengths=np.ones(JOINTS))
GROUPS = sk.blender.VertexGroups(list(ARMATURE.names), np.arange(10), np.arange(9) % JOINTS, np.full(9, 0.8))


def normal(*shape: int) -> np.ndarray:
    return RNG.normal(size=shape)


def plant(translations: np.ndarray, rotations: np.ndarray) -> Any:
    walk = sk.example("biped").clip
    clip = sk.Clip(walk.skeleton, rotations, translations, fps=walk.fps)
    planted = clip.plant_feet()
    return planted.clip.rotations, planted.clip.translations


def walk_arrays() -> dict[str, np.ndarray]:
    walk = sk.example("biped").clip
    return {"translations": np.array(walk.translations[:60]), "rotations": np.array(walk.rotations[:60])}


def plant_locals(local: np.ndarray) -> Any:
    walk = sk.example("biped").clip
    return sk.plant_locals(walk.skeleton, local, fps=walk.fps).local


def points_at(**given: Any) -> Any:
    local = given.pop("local")
    return sk.points_at(CHAIN, local, 2, **given)


def fabrik_on_poses(**given: Any) -> Any:
    return sk.apply_fabrik(CHAIN, given.pop("local"), range(1, 6), **given)


def euler(**given: Any) -> Any:
    return ARMATURE.pose(**given, rotation_mode="XYZ")


Case = tuple[Callable[..., Any], dict[str, np.ndarray]]
POINT, TURN, MATRICES = normal(FRAMES, 3), normal(FRAMES, 4), calm_transforms(5, FRAMES)
SHARES = RNG.uniform(0.1, 0.9, FRAMES)
LIMB = {"a": POINT, "b": normal(FRAMES, 3), "c": normal(FRAMES, 3), "target": normal(FRAMES, 3)}
CHANNELS = {
    "location": normal(FRAMES, JOINTS, 3),
    "rotation": TURN[:, None] + normal(1, JOINTS, 4),
    "scale": POSES[..., 0, :3],
}
CASES: dict[str, Case] = {
    "points_at": (points_at, {"local": POSES, "target": POINT}),
    "points_at, rows": (points_at, {"local": NO_ROWS, "target": POINT}),
    "points_at, joint": (lambda local: sk.points_at(CHAIN, local, 4, target_joint=1), {"local": POSES}),
    "points_at, axis": (
        points_at,
        {"local": POSES, "target": POINT, "axis": normal(FRAMES, 3), "up": normal(FRAMES, 3), "weight": SHARES},
    ),
    "points_at, tip": (
        lambda **g: points_at(**g, frame="world"),
        {"local": POSES, "target": POINT, "tip": normal(FRAMES, 3), "up": normal(FRAMES, 3)},
    ),
    "points_at, limits": (lambda **g: points_at(**g, limits=LEGS), {"local": POSES, "target": POINT, "weight": SHARES}),
    "apply_fabrik": (fabrik_on_poses, {"local": POSES, "target": POINT, "pole": normal(FRAMES, 3)}),
    "apply_fabrik, limits": (
        lambda **g: fabrik_on_poses(**g, limits=LEGS),
        {"local": POSES, "target": POINT, "weight": SHARES},
    ),
    "rotations_from_positions": (
        lambda local, positions: sk.rotations_from_positions(CHAIN, local, range(6), positions),
        {"local": POSES, "positions": normal(FRAMES, JOINTS, 3)},
    ),
    "rotations_from_positions, world": (
        lambda local, positions: sk.rotations_from_positions(
            CHAIN, local, range(6), positions, frame="world", limits=LEGS
        ),
        {"local": POSES, "positions": normal(FRAMES, JOINTS, 3)},
    ),
    "align_to_ground": (
        lambda local, normal, up, forward: sk.align_to_ground(
            CHAIN, local, 3, normal, up=up, forward=forward, max_slope=0.4
        ),
        {"local": POSES, "normal": normal(FRAMES, 3), "up": normal(FRAMES, 3), "forward": normal(FRAMES, 3)},
    ),
    "limit_slope": (sk.limit_slope, {"normal": normal(FRAMES, 3), "up": normal(FRAMES, 3), "max_slope": SHARES}),
    "relative_transform": (lambda local: sk.relative_transform(CHAIN, local, 5, 2), {"local": POSES}),
    "nearest": (lambda local: LEGS.nearest(CHAIN, local), {"local": POSES}),
    "inside": (lambda local: LEGS.inside(CHAIN, local), {"local": POSES}),
    "apply_two_bone": (
        lambda **g: sk.apply_two_bone(CHAIN, g.pop("local"), (1, 3, 5), g.pop("target"), **g),
        {"local": POSES, "target": POINT, "pole": normal(FRAMES, 3), "end_rotation": TURN, "weight": SHARES},
    ),
    "apply_two_bone, hinge": (
        lambda **g: sk.apply_two_bone(CHAIN, g.pop("local"), (1, 3, 5), g.pop("target"), **g),
        {"local": POSES, "target": POINT, "hinge": normal(FRAMES, 3)},
    ),
    "apply_two_bone, limits": (
        lambda local, target: sk.apply_two_bone(CHAIN, local, (1, 2, 5), target, limits=LEGS),
        {"local": POSES, "target": POINT},
    ),
    "solve_two_bone": (sk.solve_two_bone, {**LIMB, "pole": normal(FRAMES, 3), "soften": 0.3 * SHARES, "twist": SHARES}),
    "solve_fabrik": (sk.solve_fabrik, {"positions": normal(FRAMES, 5, 3), "target": POINT, "pole": normal(FRAMES, 3)}),
    "compose": (sk.compose, {"translations": POINT, "rotations": TURN, "scales": normal(FRAMES, 3)}),
    "decompose": (lambda matrices: sk.decompose(matrices, return_shear=True), {"matrices": MATRICES}),
    "invert": (sk.invert, {"matrices": MATRICES}),
    "invert_rigid": (sk.invert_rigid, {"matrices": MATRICES}),
    "invert_trs": (sk.invert_trs, {"matrices": MATRICES}),
    "change_basis": (sk.change_basis, {"matrices": MATRICES, "from_basis": POSES[:, 1], "to_basis": POSES[:, 2]}),
    "change_basis_points": (
        sk.change_basis_points, {"points": POINT, "from_basis": POSES[:, 1], "to_basis": POSES[:, 2]}
    ),
    "quaternion_multiply": (sk.quaternion_multiply, {"p": TURN, "q": normal(FRAMES, 4)}),
    "quaternion_rotate": (sk.quaternion_rotate, {"q": TURN, "v": POINT}),
    "quaternion_between": (sk.quaternion_between, {"u": POINT, "v": normal(FRAMES, 3)}),
    "quaternion_slerp": (sk.quaternion_slerp, {"p": TURN, "q": normal(FRAMES, 4), "t": SHARES}),
    "quaternion_to_matrix": (sk.quaternion_to_matrix, {"q": TURN}),
    "quaternion_from_matrix": (sk.quaternion_from_matrix, {"m": MATRICES}),
    "quaternion_from_matrix, linear": (sk.quaternion_from_matrix, {"m": MATRICES[:, :3, :3]}),
    "quaternion_from_euler": (lambda angles: sk.quaternion_from_euler(angles, "XYZ"), {"angles": POINT}),
    "quaternion_to_euler": (lambda q: sk.quaternion_to_euler(q, "ZXY"), {"q": TURN}),
    "quaternion_from_axis_angle": (sk.quaternion_from_axis_angle, {"axis": POINT, "angle": SHARES}),
    "quaternion_from_rotation_vector": (sk.quaternion_from_rotation_vector, {"v": POINT}),
    "quaternion_to_rotation_vector": (sk.quaternion_to_rotation_vector, {"q": TURN}),
    "quaternion_to_axis_angle": (sk.quaternion_to_axis_angle, {"q": TURN}),
    "quaternion_swing_twist": (sk.quaternion_swing_twist, {"q": TURN, "axis": POINT}),
    "Skeleton": (
        lambda rest: sk.Skeleton(CHAIN.parents, rest).inverse_bind, {"rest": np.array(CHAIN.rest_local)}
    ),
    "Skeleton.from_global": (
        lambda rest: sk.Skeleton.from_global(CHAIN.parents, rest).rest_local, {"rest": np.array(CHAIN.rest_global)}
    ),
    "find_legs": (
        lambda rest: sk.find_legs(sk.example("biped").clip.names, sk.example("biped").clip.skeleton.parents, rest),
        {"rest": sk.example("biped").clip.skeleton.rest_global[:, :3, 3]},
    ),
    "find_legs, nameless": (
        lambda rest: sk.find_legs([f"{j}" for j in range(len(rest))], sk.example("biped").clip.skeleton.parents, rest),
        {"rest": sk.example("biped").clip.skeleton.rest_global[:, :3, 3]},
    ),
    "plant_feet": (plant, walk_arrays()),
    "plant_locals": (plant_locals, {"local": np.array(sk.example("biped").clip.local_matrices()[:60])}),
    "Armature": (
        lambda rest: sk.blender.Armature([-1, 0, 1, 2, 3, 4], rest, lengths=np.ones(JOINTS)).pose(),
        {"rest": np.array(CHAIN.rest_global)},
    ),
    "Armature.pose": (
        ARMATURE.pose,
        CHANNELS,
    ),
    "Armature.pose, exact": (
        lambda **g: ARMATURE.pose(**g, exact=True),
        CHANNELS,
    ),
    "Armature.pose, Euler": (euler, {"rotation": normal(FRAMES, JOINTS, 3)}),
    "Armature.local_from_pose": (ARMATURE.local_from_pose, {"pose": POSES}),
    "Armature.solve_ik": (
        lambda pose, target: ARMATURE.solve_ik(pose, [sk.blender.IKGoal(5, target)]), {"pose": POSES, "target": POINT}
    ),
    "deform": (
        lambda pose, points: sk.blender.deform(ARMATURE, pose, points, groups=GROUPS),
        {"pose": POSES, "points": normal(FRAMES, 9, 3)},
    ),
    "deform, exact": (
        lambda pose, points: sk.blender.deform(ARMATURE, pose, points, groups=GROUPS, exact=True),
        {"pose": POSES, "points": normal(9, 3)},
    ),
    "deform, volume": (
        lambda pose, points: sk.blender.deform(
            ARMATURE, pose, points, groups=GROUPS, modifiers=sk.blender.ArmatureModifier(preserve_volume=True)
        ),
        {"pose": POSES, "points": normal(9, 3)},
    ),
    "segment_palette": (
        lambda pose: sk.blender.segment_palette(ARMATURE, pose).matrices, {"pose": POSES}
    ),
}  # fmt: skip
for _verb in make_verbs(JOINTS, 9):
    CASES[_verb.name] = (lambda _verb=_verb, **given: _verb.run(given), _verb.inputs((FRAMES,)))
