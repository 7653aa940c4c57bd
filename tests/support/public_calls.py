# SPDX-License-Identifier: MIT
"""One good call of every public function, method and class that takes arrays: what may go wrong with an argument is
tried on all of them alike. Those of `skelkin_py.blender` are in `blender_calls`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np
from random_rigs import calm_transforms

import skelkin_py as sk

JOINTS, VERTICES, FRAMES = 5, 6, 3


class Call(NamedTuple):
    """A call that works; `arrays` are the names of those of its arguments that are arrays, as messages have them."""

    name: str
    function: Callable[..., Any]
    arguments: dict[str, Any]
    arrays: tuple[str, ...]
    takes_out: bool = False

    def run(self, **changes: Any) -> Any:
        """Call with some arguments changed."""
        return self.function(**(self.arguments | changes))

    def out(self) -> Any:
        """Return arrays for `out`, full of sevens."""
        result = self.run()
        if isinstance(result, sk.AppliedTwoBone):  # takes the poses alone
            result = result.local
        made = [np.full_like(each, 7) for each in (result if isinstance(result, tuple) else (result,))]
        return type(result)(*made) if isinstance(result, tuple) else made[0]


def of(function: Callable[..., Any], arrays: str, takes_out: bool = False, /, **arguments: Any) -> Call:
    """Return a call; `arrays` are names with blanks between them."""
    name = getattr(function, "__qualname__", str(function))
    return Call(name, function, arguments, tuple(arrays.split()), takes_out)


def named(call: Call, name: str) -> Call:
    """Return the call under another name."""
    return call._replace(name=name)


def normal(seed: int, *shape: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape)


@functools.cache
def rig() -> tuple[sk.Skeleton, sk.SkinWeights]:
    """Return a chain of joints that stands upright, and weights of a mesh on it."""
    rest = np.tile(np.eye(4), (JOINTS, 1, 1))
    rest[:, :3, 3] = [[0, 2, 0], [0, -1, 0.1], [0, -1, -0.1], [0, -0.1, 0.2], [0, 0, 0.1]]
    skeleton = sk.Skeleton([-1, 0, 1, 2, 3], rest, ["hip", "knee", "ankle", "toe", "tip"])
    return skeleton, sk.SkinWeights(np.arange(VERTICES)[:, None] % JOINTS, np.ones((VERTICES, 1)), JOINTS)


def transform_calls() -> list[Call]:
    m, q, v, t = calm_transforms(1, FRAMES), normal(2, FRAMES, 4), normal(3, FRAMES, 3), np.linspace(0, 1, FRAMES)
    skeleton = rig()[0]
    return [
        of(sk.compose, "translations rotations scales", True, translations=v, rotations=q, scales=1 + v * v),
        of(sk.decompose, "matrices", matrices=m, return_shear=True),
        of(sk.invert, "matrices", True, matrices=m),
        of(sk.invert_rigid, "matrices", True, matrices=m),
        of(sk.invert_trs, "matrices", True, matrices=m),
        of(sk.change_basis, "matrices from_basis to_basis", True, matrices=m, from_basis=m, to_basis=m),
        of(sk.change_basis_points, "points from_basis to_basis", True, points=v, from_basis=m, to_basis=m),
        of(
            sk.relative_transform,
            "local",
            True,
            skeleton=skeleton,
            local=skeleton.rest_local.copy(),
            from_joint=2,
            to_joint=0,
        ),
        of(sk.quaternion_multiply, "p q", True, p=q, q=q),
        of(sk.quaternion_rotate, "q v", True, q=q, v=v),
        of(sk.quaternion_between, "u v", True, u=v, v=v + 1),
        of(sk.quaternion_slerp, "p q t", True, p=q, q=q + 1, t=t),
        of(sk.quaternion_from_matrix, "m", True, m=m),
        of(sk.quaternion_to_matrix, "q", True, q=q),
        of(sk.quaternion_from_euler, "angles", True, angles=v, order="XYZ"),
        of(sk.quaternion_to_euler, "q", True, q=q, order="XYZ"),
        of(sk.quaternion_from_axis_angle, "axis angle", True, axis=v, angle=t),
        of(sk.quaternion_to_axis_angle, "q", q=q),
        of(sk.quaternion_from_rotation_vector, "v", True, v=v),
        of(sk.quaternion_to_rotation_vector, "q", True, q=q),
        of(sk.quaternion_swing_twist, "q axis", q=q, axis=v),
    ]


def pose_calls() -> list[Call]:
    skeleton, weights = rig()
    poses, q = np.tile(skeleton.rest_local, (FRAMES, 1, 1, 1)), normal(2, FRAMES, JOINTS, 4)
    shifts, sizes, points = normal(3, FRAMES, JOINTS, 3), 1 + 0.1 * normal(4, FRAMES, JOINTS, 3), normal(5, VERTICES, 3)
    trs = {"rotations": q, "translations": shifts, "scales": sizes}
    joints, corners = np.array([2, 0]), np.array([1, 1, 5])
    mesh = {"points": points, "weights": weights, "matrices": skeleton.rest_global.copy(), "normals": points + 1}
    loose = of(sk.skin_mesh, "corners", **mesh | {"normals": normal(8, 3, 3), "corners": corners})
    skinned = of(sk.skin_mesh, "points matrices normals tangents", **mesh, tangents=normal(6, VERTICES, 4))
    return [
        of(sk.forward_kinematics, "local", True, skeleton=skeleton, local=poses),
        named(
            of(sk.forward_kinematics, "joints", skeleton=skeleton, local=poses, joints=joints),
            "forward_kinematics of some",
        ),
        of(sk.forward_kinematics_trs, "rotations translations scales", True, skeleton=skeleton, **trs),
        of(sk.local_from_global, "global_", True, skeleton=skeleton, global_=poses),
        of(sk.skinning_matrices, "global_", True, skeleton=skeleton, global_=poses),
        of(sk.rest_relative, "rotations", True, skeleton=skeleton, rotations=q),
        of(sk.skin_points, "points matrices", True, points=points, weights=weights, matrices=poses),
        skinned._replace(takes_out=True),
        named(loose, "skin_mesh of corners"),
        of(
            sk.skin_poses, "points rotations translations scales", True,
            points=points, weights=weights, skeleton=skeleton, **trs,
        ),
        named(
            of(
                sk.skin_poses, "normals",
                points=points, weights=weights, skeleton=skeleton, normals=points, **trs,
            ),
            "skin_poses with normals",
        ),
    ]  # fmt: skip


def rig_calls() -> list[Call]:
    skeleton, weights = rig()
    parents, rest, names = skeleton.parents.copy(), skeleton.rest_local.copy(), list(skeleton.names)
    parts = {"parents": parents, "names": names, "inverse_bind": rest}

    def with_site(site: Any) -> Any:
        return sk.Skeleton(parents, rest, end_sites={4: site})

    pairs = {"indices": np.arange(4).reshape(2, 2), "weights": np.full((2, 2), 0.5), "num_joints": JOINTS}
    rows = {"indptr": np.array([0, 1, 2]), "indices": np.array([0, 3]), "data": np.ones(2), "num_joints": JOINTS}
    posed = {"skeleton": skeleton, "local": np.tile(rest, (FRAMES, 1, 1, 1))}
    limits = sk.JointLimits({1: sk.hinge([1, 0, 0], 0.0, 2.0)})
    return [
        of(sk.Skeleton, "parents rest_local inverse_bind", **parts, rest_local=rest),
        of(sk.Skeleton.from_global, "parents rest_global inverse_bind", **parts, rest_global=rest),
        Call("end_sites", with_site, {"site": np.ones(3)}, ("site",)),
        of(sk.sort_joints, "parents", parents=parents),
        of(sk.SkinWeights, "indices weights", **pairs),
        of(sk.SkinWeights.inspect, "indices weights", **pairs),
        of(sk.SkinWeights.from_dense, "dense", dense=np.eye(3)),
        of(sk.SkinWeights.from_csr, "indptr indices data", **rows),
        of(weights.subset, "vertices", vertices=np.array([2, 0])),
        of(sk.hinge, "axis", axis=np.array([0.0, 0, 1]), min=0.0, max=1.0, soft=0.1),
        of(
            sk.swing_twist, "axis swing twist",
            axis=np.array([0.0, 0, 1]), swing=np.array([1.0, 0.5]), twist=np.array([-1.0, 1.0]), soft=0.1,
        ),
        of(limits.nearest, "local", True, **posed),
        of(limits.inside, "local", **posed, tolerance=1e-6),
        of(sk.find_legs, "parents rest_positions",
           names=names, parents=parents, rest_positions=skeleton.rest_global[:, :3, 3].copy()),
    ]  # fmt: skip


def solver_calls() -> list[Call]:
    skeleton, _ = rig()
    local, chain, goal = np.tile(skeleton.rest_local, (FRAMES, 1, 1, 1)), (0, 1, 2), normal(7, FRAMES, 3)
    limb = {"a": goal + 2, "b": np.add(goal, (1, 1, 0.5)), "c": goal, "target": goal + 0.5}
    scalars = dict.fromkeys(("soften", "twist"), np.array(0.1)) | {"stretch": np.array(1.1), "weight": np.array(0.5)}
    options = {"pole": goal + 3, "bend": np.add(goal, (0, 0, 1)), "stretch_start": np.array(0.9), **scalars}
    aims = {"skeleton": skeleton, "local": local, "joint": 0, "weight": np.array(0.5)}
    ground = {"skeleton": skeleton, "local": local, "normal": goal, "up": np.array([0.0, 1, 0]), "weight": np.ones(3)}
    foot = {**ground, "foot": 2, "max_slope": np.array(0.5), "sole": np.array([0.0, 1, 0])}
    toe = {**ground, "toe": 3, "hinge": np.array([1.0, 0, 0]), "sole": np.array([0.0, 1, 0])}
    several = "pole bend stretch_start soften twist stretch weight"
    line, tree = np.cumsum(np.ones((4, 3)), axis=0), np.array([-1, 0, 1, 1])

    def aimed(**ups: Any) -> Any:
        return sk.points_at(**aims, target=goal, up=tuple(ups.values()))

    def of_dictionary(target: Any) -> Any:
        return sk.solve_fabrik(line, {3: target}, parents=tree)

    posed = {"skeleton": skeleton, "local": local, "chain": (0, 1, 2, 3)}
    return [
        of(sk.solve_two_bone, f"a b c target {several}", True, **limb, **options),
        named(of(sk.solve_two_bone, "pole_direction", **limb, pole_direction=goal), "solve_two_bone to a side"),
        of(
            sk.apply_two_bone, f"local target end_rotation {several}", True,
            skeleton=skeleton, local=local, chain=chain, target=goal,
            end_rotation=normal(3, FRAMES, 4), **options,
        ),
        named(
            of(sk.apply_two_bone, "pole_direction", skeleton=skeleton, local=local, chain=np.array(chain),
               target=goal, pole_direction=goal),
            "apply_two_bone to a side",
        ),
        named(
            of(sk.apply_two_bone, "hinge", skeleton=skeleton, local=local, chain=chain, target=goal, hinge=goal),
            "apply_two_bone about a hinge",
        ),
        of(sk.solve_fabrik, "positions target pole", True,
           positions=line, target=goal, pole=goal, tolerance=1e-3, max_iterations=8),
        named(of(sk.solve_fabrik, "target parents", positions=line, target=goal[:2], parents=tree),
              "solve_fabrik of a tree"),
        Call("solve_fabrik of a dictionary", of_dictionary, {"target": goal[0]}, ("target",)),
        of(sk.apply_fabrik, "local target pole weight",
           **posed, target=goal, pole=goal, tolerance=1e-3, max_iterations=8, weight=np.array(0.5)),
        of(sk.rotations_from_positions, "local positions",
           **posed, positions=skeleton.rest_global[:4, :3, 3] + 0.1 * normal(9, 4, 3)),
        of(sk.points_at, "local target weight", **aims, target=goal, tip=1),
        named(of(sk.points_at, "axis up", **aims, target=goal, axis=goal[0], up=goal[1]), "points_at with up"),
        Call("points_at with both", aimed, {"up[0]": goal[1], "up[1]": goal[2]}, ("up[0]", "up[1]")),
        named(of(sk.points_at, "tip", **aims, target=goal, tip=goal[0]), "points_at by a tip"),
        of(sk.limit_slope, "normal up max_slope", normal=goal, up=goal + 1, max_slope=np.array(0.5)),
        of(sk.align_to_ground, "local normal up max_slope sole forward weight", **foot, forward=np.array([0.0, 0, 1])),
        of(sk.roll_toe, "local normal up hinge sole weight", **toe),
    ]  # fmt: skip


def ground_calls() -> list[Call]:
    grid = sk.HeightGrid(np.zeros((3, 4)))
    corners, faces = np.array([[0.0, 0, 0], [0, 0, 4], [4, 1, 0]]), np.array([[0, 1, 2]])
    moves = np.tile(np.eye(4), (FRAMES, 1, 1))
    mesh, twisted = sk.MeshGround(corners, faces, transforms=moves), sk.MeshGround(np.tile(corners, (3, 1, 1)), faces)
    where, when = np.array([[1.0, 0.5, 1.0]] * 2), np.array([0, 2])
    carried = {"surface_id": when * 0, "from_frames": when, "to_frames": when}
    rays = [
        of(mesh.cast, "origins directions frames", origins=where, directions=-where, frames=when),
        of(mesh.heights, "points up frames", points=where, up=np.array([0.0, 1, 0]), leg=1.0, frames=when),
    ]
    return [
        of(sk.HeightGrid, "heights spacing origin",
           heights=normal(1, 3, 4), spacing=np.ones(2), origin=np.zeros(2), axes="XZ"),
        Call("HeightGrid()", grid, {"points": where}, ("points",)),
        of(grid.facing, "up", up=np.array([0.0, 1, 0])),
        of(sk.MeshGround, "points faces transforms", points=corners, faces=faces, transforms=moves, outside=0.0),
        *(rays if find_spec("embreex") else []),  # it has no wheels for ARM on Linux
        of(mesh.carry, "points from_frames to_frames", points=where, **carried),
        named(of(twisted.carry, "surface_id", points=where, **carried), "carry of a mesh that changes"),
        Call("Example.ground()", sk.example("biped").ground, {"points": where}, ("points",)),
    ]  # fmt: skip


@functools.cache
def walk() -> sk.Clip:
    """Return two legs of which one foot stands and one moves."""
    offsets = [[0, 2, 0], [0.2, 0, 0], [0, -1, 0.1], [0, -1, -0.1], [-0.2, 0, 0], [0, -1, 0.1], [0, -1, -0.1]]
    rest = np.tile(np.eye(4), (7, 1, 1))
    rest[:, :3, 3] = offsets
    names = ["Hips", "LeftUpLeg", "LeftLeg", "LeftFoot", "RightUpLeg", "RightLeg", "RightFoot"]
    angle = 0.3 * np.sin(np.linspace(0, 6, 60))
    turns = np.tile([1.0, 0, 0, 0], (60, 7, 1))
    turns[:, 4] = np.stack([np.cos(angle), np.sin(angle), 0 * angle, 0 * angle], axis=1)
    return sk.Clip(sk.Skeleton([-1, 0, 1, 2, 0, 4, 5], rest, names), turns, fps=30)


def motion_calls() -> list[Call]:
    clip = walk()
    parts = {"rotations": clip.rotations.copy(), "translations": clip.translations.copy()}
    parts["scales"] = np.ones_like(parts["translations"])
    options = {"up": np.array([0.0, 1, 0]), "ground_velocity": np.array([0.0, 0, 0.1]), "frames": np.array([0, 50])}

    def plant_contacts(contacts: Any) -> Any:
        return sk.plant_feet(clip, contacts={"left": contacts})

    def shown(points: Any, faces: Any) -> Any:
        mesh = sk.example("biped").mesh
        return clip_of_example().show(mesh=mesh._replace(points=points, faces=faces))

    mesh = sk.example("biped").mesh
    meshes = {"points": np.array(mesh.points), "faces": np.array(mesh.faces)}
    locals_ = {"skeleton": clip.skeleton, "local": clip.local_matrices(), "fps": 30.0}
    return [
        of(sk.Clip, "rotations translations scales", **parts, skeleton=clip.skeleton, fps=30.0),
        of(clip.replace, "rotations translations scales", **parts),
        of(sk.plant_feet, "up ground_velocity frames", clip=clip, **options),
        Call("plant_feet on given contacts", plant_contacts, {"contacts": np.array([[0, 9]])}, ("contacts",)),
        of(sk.plant_locals, "local up ground_velocity frames", **locals_, **options),
        Call("show", shown, meshes, ("points", "faces")),
    ]


def clip_of_example() -> sk.Clip:
    return sk.example("biped").clip.slice(0, 2)


@functools.cache
def core_calls() -> tuple[Call, ...]:
    """Return the calls of everything but the Blender part."""
    return (
        *transform_calls(), *pose_calls(), *rig_calls(), *solver_calls(), *ground_calls(), *motion_calls()
    )  # fmt: skip
