# SPDX-License-Identifier: MIT
"""An option that says yes or no takes True and False, numpy's among them, and nothing that merely counts as one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from blender_calls import armature
from public_calls import rig

import skelkin_py as sk
from skelkin_py.blender import ArmatureModifier, BBoneShape, Curves, Cycles, IKGoal, IKJoints, VertexGroups

ARMATURE = armature()
POSE = ARMATURE.rest.astype(float)
POINTS = np.zeros((2, 3))


def deformed(**flags: Any) -> np.ndarray:
    return ARMATURE.deform(POSE, POINTS, modifiers=[ArmatureModifier(**flags)])


def cycled(**flags: Any) -> Curves:
    return Curves([("a", 0)], [0, 1], [[0, 1]], cycles=[Cycles(**flags)])


def solved(**flags: Any) -> np.ndarray:
    return ARMATURE.solve_ik(POSE, [IKGoal(2, [1.0, 1, 0], **flags)])


def ruled(**flags: Any) -> np.ndarray:
    none = np.zeros((3, 3))
    rules = IKJoints(none, none, none, none, none, np.zeros(3))
    return ARMATURE.solve_ik(POSE, [IKGoal(2, [1.0, 1, 0])], rules._replace(**flags))


FLAGS: dict[str, Callable[[Any], Any]] = {
    "return_shear": lambda flag: sk.decompose(np.eye(4), return_shear=flag),
    "exact": lambda flag: ARMATURE.pose(exact=flag),
    "exact of deform": lambda flag: ARMATURE.deform(POSE, POINTS, exact=flag),
    "of_pose": lambda flag: BBoneShape.default(2, of_pose=flag),
    "invert": lambda flag: VertexGroups(["a"], [0, 1], [0], [1.0]).mask("a", flag),
    **{
        name: lambda flag, name=name: deformed(**{name: flag})
        for name in ArmatureModifier._fields
        if name != "vertex_group"
    },
    **{name: lambda flag, name=name: cycled(**{name: flag}) for name in ("use_restricted_range", "use_influence")},
    **{name: lambda flag, name=name: solved(**{name: flag}) for name in ("use_tail", "use_stretch", "use_location")},
}


@pytest.mark.parametrize("name", FLAGS)
@pytest.mark.parametrize("value", ["no", "", "False", None, 0.5, 2, [], np.zeros(2, bool)], ids=repr)
def test_what_is_neither_true_nor_false_is_named(name, value):
    with pytest.raises(TypeError, match=rf"\b{name.split()[0]} (is|=) .* True or False"):
        FLAGS[name](value)


@pytest.mark.parametrize("name", FLAGS)
@pytest.mark.parametrize("value", [True, False, np.True_, np.False_], ids=repr)
def test_the_booleans_of_python_and_of_numpy_are_taken(name, value):
    FLAGS[name](value)


def test_flags_of_joints_are_0_or_1():
    for name in ("lock", "use_limit"):
        ruled(**{name: np.ones((3, 3))})
        flags = np.zeros((3, 3))
        flags[1, 2] = 0.5
        with pytest.raises(ValueError, match=rf"^joints\.{name}\[1, 2\] is 0.5: it must be True or False$"):
            ruled(**{name: flags})


@pytest.mark.parametrize("value", ["", "ab", b"", [""], np.zeros(0, "U1"), np.zeros(0, complex), {}, None], ids=repr)
def test_vertices_of_a_subset_are_integers_or_a_mask(value):
    with pytest.raises((TypeError, ValueError), match=r"^vertices "):
        rig()[1].subset(value)


def test_no_vertex_at_all_may_be_asked_for():
    for none in ([], (), np.zeros(0, int), np.zeros(0), range(0)):
        assert rig()[1].subset(none).num_vertices == 0
