# SPDX-License-Identifier: MIT
"""Calls of everything public, with the types that checkers are to find and wrong calls that they are to refuse.

`make typecheck` runs mypy over it, which fails on another type and on an ignored error that is none. A test of
`tests/python/values` runs it, and then `assert_type` looks at what came out.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args, get_origin

import numpy as np
from numpy.typing import NDArray

import skelkin_py as sk

if TYPE_CHECKING:
    from typing_extensions import assert_type
else:

    def assert_type(value: Any, kind: Any) -> Any:
        """Look at a value as far as it can be told at run time."""
        kinds = get_args(kind) if type(kind) is type(int | None) else (kind,)
        origins = [get_origin(each) or each for each in kinds]
        origins = [get_origin(getattr(each, "__value__", each)) or each for each in origins]  # aliases of newer numpys
        assert isinstance(value, tuple(origins)), (type(value), kind)
        return value


Array = NDArray[Any]
Float64 = NDArray[np.float64]
POINTS = np.zeros((3, 3))
TURN = np.array([1.0, 0, 0, 0])
STILL = np.tile(np.eye(4), (3, 1, 1))
STILL[1:, 1, 3] = 1.0
CHAIN = sk.Skeleton([-1, 0, 1], STILL, ["hip", "knee", "ankle"])
WEIGHTS = sk.SkinWeights([[0], [1], [2]], [[1.0], [1.0], [1.0]], 3)


def algebra() -> None:
    """Quaternions and matrices."""
    assert_type(sk.compose([0, 0, 0], TURN), Array)
    assert_type(sk.decompose(STILL), tuple[Array, Array, Array])
    assert_type(sk.decompose(STILL, return_shear=True), tuple[Array, Array, Array, Array])
    assert_type(sk.invert(STILL), Array)
    assert_type(sk.invert_rigid(STILL), Array)
    assert_type(sk.invert_trs(STILL), Array)
    assert_type(sk.change_basis(STILL, np.eye(4), np.eye(4)), Array)
    assert_type(sk.change_basis_points(POINTS, np.eye(4), np.eye(4)), Array)
    assert_type(sk.quaternion_multiply(TURN, TURN), Array)
    assert_type(sk.quaternion_rotate(TURN, POINTS), Array)
    assert_type(sk.quaternion_between([1, 0, 0], [0, 1, 0]), Array)
    assert_type(sk.quaternion_slerp(TURN, TURN, 0.5), Array)
    assert_type(sk.quaternion_from_matrix(np.eye(4)), Array)
    assert_type(sk.quaternion_to_matrix(TURN), Array)
    assert_type(sk.quaternion_from_euler([0.1, 0, 0], "XYZ"), Array)
    assert_type(sk.quaternion_to_euler(TURN, "XYZ"), Array)
    assert_type(sk.quaternion_from_axis_angle([1, 0, 0], 0.5), Array)
    assert_type(sk.quaternion_to_axis_angle(TURN), tuple[Array, Array])
    assert_type(sk.quaternion_from_rotation_vector([0.1, 0, 0]), Array)
    assert_type(sk.quaternion_to_rotation_vector(TURN), Array)
    assert_type(sk.quaternion_swing_twist(TURN, [1, 0, 0]), sk.SwingTwistParts)
    assert_type(sk.quaternion_swing_twist(TURN, [1, 0, 0]).twist, Array)


def poses() -> None:
    """Skeletons, kinematics and skinning."""
    assert_type(sk.sort_joints([1, -1]), NDArray[np.int64])
    assert_type(CHAIN.parents, NDArray[np.int32])
    assert_type(CHAIN.rest_global, Float64)
    assert_type(CHAIN.names, tuple[str, ...])
    assert_type(CHAIN.end_sites, Mapping[int, Float64])
    assert_type(CHAIN.index("knee"), int)
    assert_type(CHAIN.chain("hip", 2), tuple[int, ...])
    assert_type(CHAIN == CHAIN, bool)
    assert_type(sk.forward_kinematics(CHAIN, STILL), Array)
    assert_type(sk.forward_kinematics_trs(CHAIN, [TURN] * 3), Array)
    assert_type(sk.local_from_global(CHAIN, STILL), Array)
    assert_type(sk.relative_transform(CHAIN, STILL, "hip", 2), Array)
    assert_type(sk.rest_relative(CHAIN, [TURN] * 3), sk.RestRelative)
    assert_type(sk.skinning_matrices(CHAIN, STILL), Array)
    assert_type(sk.skin_points(POINTS, WEIGHTS, STILL), Array)
    assert_type(sk.skin_mesh(POINTS, WEIGHTS, STILL), sk.SkinnedMesh)
    assert_type(sk.skin_mesh(POINTS, WEIGHTS, STILL).normals, Array | None)
    assert_type(sk.skin_poses(POINTS, WEIGHTS, CHAIN, [TURN] * 3), Array)
    assert_type(sk.skin_poses(POINTS, WEIGHTS, CHAIN, [TURN] * 3, normals=POINTS + 1), sk.SkinnedMesh)
    assert_type(WEIGHTS.check(), sk.WeightsReport)
    assert_type(WEIGHTS.pruned(max_influences=1), sk.SkinWeights)
    assert_type(WEIGHTS.weights, Float64)


def solves() -> None:
    """Inverse kinematics and limits."""
    solved = sk.solve_two_bone([0, 2, 0], [0, 1, 0.1], [0, 0, 0], [0, 0.5, 0])
    assert_type(solved, sk.TwoBone)
    assert_type(solved.upper, Array)
    assert_type(solved.status, Array)
    applied = sk.apply_two_bone(CHAIN, STILL, ("hip", "knee", "ankle"), [0, 1, 0.5])
    assert_type(applied, sk.AppliedTwoBone)
    assert_type(applied.error, Array)
    assert_type(sk.solve_fabrik([[0, 0, 0], [0, 1, 0], [0, 2, 0]], [0, 1, 1]), sk.Fabrik)
    chained = sk.apply_fabrik(CHAIN, STILL, [0, 1, 2], [0, 1, 1])
    assert_type(chained, sk.AppliedFabrik)
    assert_type(chained.status, Array)
    assert_type(chained.error, Array)
    assert_type(sk.points_at(CHAIN, STILL, "knee", [0, 1, 1]), Array)
    assert_type(sk.Clip.from_smpl({"poses": [[0.0] * 66]}, fps=30), sk.Clip)
    assert_type(sk.rotations_from_positions(CHAIN, STILL, [0, 1, 2], [[0, 0, 0], [0, 0, 1], [0, 0, 2]]), Array)
    assert_type(sk.align_to_ground(CHAIN, STILL, "ankle", [0, 1, 0.1], up=[0, 1, 0]), Array)
    assert_type(sk.roll_toe(CHAIN, STILL, "ankle", [0, 1, 0.1], up=[0, 1, 0], hinge=[1, 0, 0]), Array)
    assert_type(sk.limit_slope([0, 1, 0.1], [0, 1, 0], 0.5), Array)
    limits = sk.JointLimits({"knee": sk.hinge([1, 0, 0], 0, 2), 0: sk.swing_twist([0, 1, 0], (1, 1), (-1, 1))})
    assert_type(sk.hinge([1, 0, 0], 0, 2), sk.Hinge)
    assert_type(sk.swing_twist([0, 1, 0], (1, 1), (-1, 1)), sk.SwingTwist)
    assert_type(limits.limits, Mapping[int | str, sk.Hinge | sk.SwingTwist])
    assert_type(limits.nearest(CHAIN, STILL), Array)
    assert_type(limits.inside(CHAIN, STILL), NDArray[np.bool_])
    assert_type(sk.IKStatus(int(solved.status)), sk.IKStatus)


def planting() -> None:
    """Clips, legs, feet and reports."""
    biped = sk.example("biped")
    assert_type(biped, sk.Example)
    assert_type(biped.mesh, sk.Mesh)
    clip = biped.clip[:60]
    assert_type(clip, sk.Clip)
    assert_type(clip.rotations, Float64)
    assert_type(clip.scales, Float64 | None)
    assert_type(clip.positions(), Float64)
    assert_type(clip.fps, float)
    legs = clip.find_legs()
    assert_type(legs, sk.LegList)
    assert_type(sk.find_legs(clip.names, clip.skeleton.parents, clip.skeleton.rest_global[:, :3, 3]), sk.LegList)
    planted = clip.plant_feet(legs=legs, reach="stretch", ground=0.0)
    assert_type(planted, sk.Planted)
    assert_type(planted.clip, sk.Clip)
    assert_type(planted.report, sk.PlantReport)
    assert_type(sk.plant_feet(clip, options=sk.PlantOptions(align=0.5)), sk.Planted)
    assert_type(planted.show(), sk.view.Page)
    assert callable(sk.jupyter.edit)
    local = sk.plant_locals(clip.skeleton, clip.local_matrices(), fps=30.0)
    assert_type(local, sk.PlantedLocals)
    assert_type(local.local, Array)
    assert_type(sk.measure_cost(planted.clip, clip), sk.PlantCost)
    report(planted.report)
    editing(clip)


def editing(clip: sk.Clip) -> None:
    """Edit by hand."""
    editor = sk.PlantEditor(clip, options=sk.PlantOptions(blend=5), ground=0.0)
    editor.set_target("left", 3, [0.1, 0.2, 0.3], rotation=[1.0, 0.0, 0.0, 0.0], fade=(0.1, 0.2))
    assert_type(editor.clip, sk.Clip)
    assert_type(editor.planted, sk.Planted)
    assert_type(editor.contacts, dict[str, list[Any]])
    assert_type(editor.targets, dict[str, dict[int, sk.FootTarget]])
    assert_type(editor.undo(), bool)


def report(told: sk.PlantReport) -> None:
    """Take a report apart."""
    assert_type(told.legs, tuple[sk.LegReport, ...])
    assert_type(told.legs[0].after, sk.FootCurves)
    assert_type(told.legs[0].after.knee, Float64)
    assert_type(told.legs[0].cost, sk.LegCost)
    assert_type(told.contacts, tuple[sk.Contact, ...])
    assert_type(told.contacts[0].before, sk.ContactMeasure)
    assert_type(told.cost.rows, tuple[sk.ViewerRow, ...])
    assert_type(told.cost.rows[0].demand, sk.ContactDemand | None)
    assert_type(told.literature(), sk.LiteratureFigures)
    assert_type(told.violations(max_slide=0.01), list[sk.Violation])
    assert_type(told.slide("before"), tuple[float, float])
    assert_type(told.to_dict(), dict[str, Any])


def files() -> None:
    """From file to file, in a folder that goes away."""
    clip = sk.example("biped").clip[:60]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        clip.save(folder / "walk.bvh")
        assert_type(sk.load(folder / "walk.bvh"), sk.Clip)
        assert_type(sk.load(folder / "walk.bvh").facts, sk.ClipFacts)
        assert_type(sk.load_animations(folder / "walk.bvh"), dict[str, sk.Clip])
        sk.save_animations({"walk": clip}, folder / "walk.glb")
        with contextlib.suppress(ValueError):  # it has no mesh
            assert_type(sk.load_mesh(folder / "walk.glb"), sk.Mesh)


def grounds_and_settings() -> None:
    """Grounds, and what the package says of itself."""
    grid = sk.HeightGrid([[0, 1], [1, 2]], spacing=(2.0, 1.0))
    assert_type(grid(POINTS), Float64)
    assert_type(grid.heights, Float64)
    mesh = sk.MeshGround([[0, 0, 0], [0, 0, 4], [4, 1, 0]], [[0, 1, 2]])
    assert_type(mesh.transforms, Float64 | None)
    assert_type(sk.build_info(), sk.BuildInfo)
    assert_type(sk.isa(), str)
    assert_type(sk.get_num_threads(), int)
    sk.set_num_threads(sk.get_num_threads())
    assert_type(sk.FormatError("walk.bvh", 7, "expected OFFSET").line, int | None)
    assert_type(str(sk.FormatWarning("walk.bvh:7: expected OFFSET")), str)
    assert_type(str(sk.MissingExtraError("plot()", "matplotlib", "view")), str)
    assert_type(sk.__version__, str)
    armature = sk.blender.Armature([-1], np.eye(4)[None])
    assert_type(armature.pose(location=[[1.0, 2.0, 3.0]]), Array)
    assert_type(armature.rest, NDArray[np.float32])


if TYPE_CHECKING:

    def refused(clip: sk.Clip) -> None:
        """Call what no program should call: each line is an error, or mypy says that its comment is not needed."""
        clip.fps = 25.0  # type: ignore[misc]
        clip.plant_feet(reach="strech")  # type: ignore[arg-type]
        sk.PlantEditor("walk.bvh")  # type: ignore[arg-type]
        clip.plant_feet(soles=0.1)  # type: ignore[call-arg]
        clip.plant_feet(0.0)  # type: ignore[misc, arg-type]
        sk.plant_feet("walk.bvh")  # type: ignore[arg-type]
        sk.load(7)  # type: ignore[arg-type]
        sk.Clip(CHAIN, [[TURN] * 3])  # type: ignore[call-arg]
        sk.forward_kinematics(clip, STILL)  # type: ignore[arg-type]
        sk.skin_points(POINTS, WEIGHTS, STILL, method="dual")  # type: ignore[arg-type]
        sk.skin_points(POINTS, WEIGHTS, STILL, "linear")  # type: ignore[misc]
        sk.solve_two_bone([0, 2, 0], [0, 1, 0], [0, 0, 0])  # type: ignore[call-arg]
        sk.solve_two_bone(POINTS, POINTS, POINTS, POINTS, roll="free")  # type: ignore[arg-type]
        print(sk.solve_two_bone(POINTS, POINTS, POINTS, POINTS).hip)  # type: ignore[attr-defined]
        sk.PlantOptions(algn=0.5)  # type: ignore[call-arg]
        sk.hinge([1, 0, 0], "0", 2)  # type: ignore[arg-type]
        sk.JointLimits({0: 2.0})  # type: ignore[dict-item]
        sk.rest_relative(CHAIN, [TURN], axes="pose")  # type: ignore[arg-type]
        CHAIN.index(2)  # type: ignore[arg-type]
        CHAIN.names[0] = "hips"  # type: ignore[index]
        sk.set_num_threads("2")  # type: ignore[arg-type]
        sk.HeightGrid([[0, 1], [1, 2]], 2.0)  # type: ignore[misc]


CALLS = (algebra, poses, solves, planting, files, grounds_and_settings)
