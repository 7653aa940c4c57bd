# SPDX-License-Identifier: MIT
"""Arguments that no function takes: too many dimensions, numbers that no integer of C holds, and what is no skeleton.

They are refused as what they are, ValueError or TypeError, by name; nothing else comes out of any function.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from array_functions import CASES, FRAMES

import skelkin_py as sk

JOINTS = 4
REST = np.tile(np.eye(4), (JOINTS, 1, 1))
REST[1:, 1, 3] = 1
SKELETON = sk.Skeleton([-1, 0, 1, 2], REST, ["a", "b", "c", "d"])
SKIN = sk.SkinWeights([[0, 1]], [[1.0, 0.5]], JOINTS)
POINTS, TURNS, TARGET = np.zeros((1, 3)), np.ones((JOINTS, 4)), np.array([1.0, 1, 0])
CHAIN = np.arange(12.0).reshape(4, 3)
LIMITS = sk.JointLimits({1: sk.hinge([0, 0, 1], -1, 1)})
ARMATURE = sk.blender.Armature([-1, 0, 1, 2], REST, lengths=np.ones(JOINTS))
POSE = ARMATURE.pose()
LEG = sk.Leg(1, 2, 3, bend=(0.0, 0.0, 1.0))

HUGE = (2**63, -(2**63) - 1, 10**400, -(10**400), np.uint64(2**63))

# --- dimensions ------------------------------------------------------------------------------------------------------


def with_dimensions(value: np.ndarray, ndim: int) -> np.ndarray:
    """Return the first frame with so many dimensions in all; what is there without frames keeps its shape."""
    return value[0].reshape((1,) * (ndim - value.ndim + 1) + value.shape[1:])


BATCHED = [name for name, (_, arrays) in CASES.items() if all(len(value) == FRAMES for value in arrays.values())]


@pytest.mark.parametrize("name", BATCHED)
def test_arrays_of_more_than_32_dimensions_are_refused_by_name(name):
    run, arrays = CASES[name]
    for ndim in (33, 40, 64):
        if np.lib.NumpyVersion(np.__version__) < "2.0.0":  # which has no such arrays: nobody can hand one over
            with pytest.raises(ValueError, match="dimension"):
                np.empty((1,) * ndim)
            continue
        with pytest.raises(ValueError, match=rf"^\w+ has {ndim} dimensions: at most 32 are supported$") as caught:
            run(**{key: with_dimensions(value, ndim) for key, value in arrays.items()})
        assert str(caught.value).split()[0] in arrays


@pytest.mark.parametrize("name", BATCHED)
def test_up_to_32_dimensions_work_unless_the_result_has_more(name):
    run, arrays = CASES[name]
    expected = flat(run(**{key: value[:1] for key, value in arrays.items()}))
    most = 32 - max(value.ndim - 1 for value in arrays.values())
    for lead in range(27, most + 1):
        given = {key: value[:1].reshape((1,) * lead + value.shape[1:]) for key, value in arrays.items()}
        if lead + max(each.ndim - 1 for each in expected) > 32:
            with pytest.raises(ValueError, match=r"^the result has 3[345] dimensions: at most 32 are supported$"):
                run(**given)
            continue
        for found, wanted in zip(flat(run(**given)), expected, strict=True):
            assert found.shape == (1,) * lead + wanted.shape[1:]
            np.testing.assert_array_equal(np.ravel(found), np.ravel(wanted))


def flat(result: Any) -> list[Any]:
    return [each for part in result for each in flat(part)] if isinstance(result, (tuple, list)) else [result]


# --- numbers ---------------------------------------------------------------------------------------------------------

NUMBERS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "solve_fabrik": ("max_iterations", lambda n: sk.solve_fabrik(CHAIN, TARGET, max_iterations=n)),
    "solve_fabrik, parents": ("parents", lambda n: sk.solve_fabrik(CHAIN, [TARGET], parents=[-1, 0, 1, n])),
    "solve_fabrik, leaf": ("target", lambda n: sk.solve_fabrik(CHAIN, {n: TARGET}, parents=[-1, 0, 1, 2])),
    "solve_fabrik, tolerance": ("tolerance", lambda n: sk.solve_fabrik(CHAIN, TARGET, tolerance=n)),
    "apply_fabrik": (
        "max_iterations", lambda n: sk.apply_fabrik(SKELETON, REST, range(4), TARGET, max_iterations=n)
    ),
    "apply_fabrik, tolerance": (
        "tolerance", lambda n: sk.apply_fabrik(SKELETON, REST, range(4), TARGET, tolerance=n)
    ),
    "apply_fabrik, chain": ("chain", lambda n: sk.apply_fabrik(SKELETON, REST, [0, 1, n], TARGET)),
    "rotations_from_positions": (
        "chain", lambda n: sk.rotations_from_positions(SKELETON, REST, [0, 1, n], CHAIN[:3])
    ),
    "forward_kinematics, joints": ("joints", lambda n: sk.forward_kinematics(SKELETON, REST, joints=[n])),
    "forward_kinematics, start": ("start", lambda n: sk.forward_kinematics(SKELETON, REST, start=n, out=REST.copy())),
    "forward_kinematics_trs, joints": (
        "joints", lambda n: sk.forward_kinematics_trs(SKELETON, TURNS, joints=[n])
    ),
    "relative_transform, from": ("from_joint", lambda n: sk.relative_transform(SKELETON, REST, n, 1)),
    "relative_transform, to": ("to_joint", lambda n: sk.relative_transform(SKELETON, REST, 1, n)),
    "apply_two_bone": ("chain", lambda n: sk.apply_two_bone(SKELETON, REST, (1, 2, n), TARGET)),
    "points_at, joint": ("joint", lambda n: sk.points_at(SKELETON, REST, n, TARGET)),
    "points_at, target_joint": ("target_joint", lambda n: sk.points_at(SKELETON, REST, 1, target_joint=n)),
    "points_at, tip": ("tip", lambda n: sk.points_at(SKELETON, REST, 1, TARGET, tip=n)),
    "align_to_ground": ("foot", lambda n: sk.align_to_ground(SKELETON, REST, n, TARGET, up=TARGET)),
    "roll_toe": ("toe", lambda n: sk.roll_toe(SKELETON, REST, n, TARGET, up=TARGET)),
    "nearest": ("joints", lambda n: LIMITS.nearest(SKELETON, REST, joints=[n])),
    "Skeleton": ("parents", lambda n: sk.Skeleton([-1, n], REST[:2])),
    "SkinWeights": ("num_joints", lambda n: sk.SkinWeights([[0]], [[1.0]], n)),
    "SkinWeights, indices": ("indices", lambda n: sk.SkinWeights([[n]], [[1.0]], JOINTS)),
    "skin_mesh": ("corners", lambda n: sk.skin_mesh(POINTS, SKIN, REST, normals=POINTS + 1, corners=[n])),
    "set_num_threads": ("num_threads", sk.set_num_threads),
    "IKGoal, bone": ("bone", lambda n: ARMATURE.solve_ik(POSE, [sk.blender.IKGoal(n, TARGET)])),
    "IKGoal, influence": ("influence", lambda n: ARMATURE.solve_ik(POSE, [sk.blender.IKGoal(3, TARGET, influence=n)])),
}  # fmt: skip

BEYOND_A_FLOAT: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "Clip": ("fps", lambda n: sk.Clip(SKELETON, np.ones((2, JOINTS, 4)), fps=n)),
    "plant_locals, fps": ("fps", lambda n: sk.plant_locals(SKELETON, REST[None], fps=n)),
    **{
        f"plant_locals, {name}": (name, lambda n, name=name: sk.plant_locals(SKELETON, REST[None], fps=30, **{name: n}))
        for name in (
            "blend",
            "stretch",
            "sole",
            "metres_per_unit",
            "max_slope",
            "align",
            "toe_bend",
            "pelvis_acceleration",
        )
    },
    "HeightGrid": ("spacing", lambda n: sk.HeightGrid(np.zeros((3, 3)), spacing=n)),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_an_integer_that_c_has_no_room_for_is_refused_by_name(name):
    argument, call = NUMBERS[name]
    for number in HUGE:
        with pytest.raises((ValueError, TypeError), match=rf"^(goals\[0\]\.)?{argument}\b"):
            call(number)


@pytest.mark.parametrize("name", BEYOND_A_FLOAT)
def test_an_integer_beyond_any_float_is_refused_by_name(name):
    argument, call = BEYOND_A_FLOAT[name]
    for number in (10**400, -(10**400)):
        with pytest.raises(
            (ValueError, TypeError), match=rf"^{argument} (is an integer of 1329 bits|has dtype object)"
        ):
            call(number)


@pytest.mark.parametrize("function", ["solve_fabrik", "apply_fabrik"])
def test_the_bounds_of_max_iterations_are_told(function):
    call = NUMBERS[function][1]
    for number in (0, -1, 2**31, 2**63):
        with pytest.raises(ValueError, match=rf"^max_iterations is {number}: it must be 1 \.\. 2147483647$"):
            call(number)
    for value in (2.5, "64", None, [64]):
        with pytest.raises(TypeError, match=rf"^max_iterations is {re.escape(repr(value))}: an integer is needed$"):
            call(value)
    for number in (1, np.int8(3), 2**31 - 1):
        call(number)


@pytest.mark.parametrize("function", ["solve_fabrik, tolerance", "apply_fabrik, tolerance"])
def test_a_tolerance_that_is_no_number_is_refused_by_name(function):
    for value in ("small", [1e-3, 1e-3], 1j):
        with pytest.raises(TypeError, match=r"^tolerance is .*: a number is needed$"):
            NUMBERS[function][1](value)
    for value, shown in ((2, "2"), (0.0, "0"), (-0.5, r"-0\.5"), (float("nan"), "nan")):
        with pytest.raises(ValueError, match=rf"^tolerance is {shown}(\.0)?: it must be above 0 and below 1$"):
            NUMBERS[function][1](value)


# --- skeletons and armatures -----------------------------------------------------------------------------------------

NO_SKELETONS = (None, 3, "walk", [SKELETON], SKELETON.parents, SKIN, sk.Skeleton, ARMATURE)

OF_SKELETONS: dict[str, Callable[[Any], Any]] = {
    "forward_kinematics": lambda s: sk.forward_kinematics(s, REST),
    "forward_kinematics, joints": lambda s: sk.forward_kinematics(s, REST, joints=[1]),
    "forward_kinematics, start": lambda s: sk.forward_kinematics(s, REST, start="b", out=REST.copy()),
    "forward_kinematics_trs": lambda s: sk.forward_kinematics_trs(s, TURNS),
    "local_from_global": lambda s: sk.local_from_global(s, REST),
    "skinning_matrices": lambda s: sk.skinning_matrices(s, REST),
    "rest_relative": lambda s: sk.rest_relative(s, TURNS),
    "relative_transform": lambda s: sk.relative_transform(s, REST, "a", 2),
    "skin_poses": lambda s: sk.skin_poses(POINTS, SKIN, s, TURNS),
    "apply_two_bone": lambda s: sk.apply_two_bone(s, REST, (1, 2, 3), TARGET),
    "apply_two_bone, names": lambda s: sk.apply_two_bone(s, REST, ("b", "c", "d"), TARGET),
    "points_at": lambda s: sk.points_at(s, REST, 1, TARGET),
    "apply_fabrik": lambda s: sk.apply_fabrik(s, REST, [0, 1, 2], TARGET),
    "rotations_from_positions": lambda s: sk.rotations_from_positions(s, REST, [0, 1], CHAIN[:2]),
    "align_to_ground": lambda s: sk.align_to_ground(s, REST, 2, TARGET, up=TARGET),
    "roll_toe": lambda s: sk.roll_toe(s, REST, 2, TARGET, up=TARGET),
    "nearest": lambda s: LIMITS.nearest(s, REST),
    "inside": lambda s: LIMITS.inside(s, REST),
    "knees": lambda s: sk.JointLimits.knees(s, [LEG]),
    "knees of none": lambda s: sk.JointLimits.knees(s, []),
    "Clip": lambda s: sk.Clip(s, np.ones((2, JOINTS, 4)), fps=30),
    "plant_locals": lambda s: sk.plant_locals(s, REST[None], fps=30),
}


@pytest.mark.parametrize("name", OF_SKELETONS)
def test_what_is_no_skeleton_is_refused_by_name(name):
    for value in NO_SKELETONS:
        with pytest.raises(TypeError, match=r"^skeleton is a "):
            OF_SKELETONS[name](value)


@pytest.mark.parametrize(
    "call",
    [
        lambda a: sk.blender.deform(a, POSE, POINTS),
        lambda a: sk.blender.segment_palette(a, POSE),
        lambda a: sk.blender.segment_frames(a, 0),
        lambda a: sk.blender.sub_armature(a, ["a"]),
    ],
    ids=["deform", "segment_palette", "segment_frames", "sub_armature"],
)
def test_what_is_no_armature_is_refused_by_name(call):
    for value in (None, 3, "walk", SKELETON, POSE):
        with pytest.raises(TypeError, match=r"^armature is .*: expected an Armature$"):
            call(value)
