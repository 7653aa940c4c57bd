# SPDX-License-Identifier: MIT
"""What the Blender part says of arguments that it cannot take: readers by name, numpy's scalars as plain values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from skelkin_py import blender
from skelkin_py.blender import Armature, BBones, Curves, Cycles, VertexGroups

UNITS = np.tile(np.eye(4), (2, 1, 1))
READERS = ("read_channels", "read_bbones", "read_bbone_channels")


@pytest.mark.parametrize("name", READERS)
def test_readers_of_armatures_name_what_is_none(name: str) -> None:
    with pytest.raises(TypeError, match=r"^ob is None of type NoneType: an armature object is needed$"):
        getattr(blender, name)(None)


def test_what_can_have_no_action_is_named() -> None:
    with pytest.raises(TypeError, match=r"^source is None of type NoneType: an object or an action is needed$"):
        blender.read_action(None)


BAD: list[tuple[Callable[[], Any], str]] = [
    (lambda: VertexGroups(["a"], [1, 2], [0], [0.5]), "offsets goes from 1 to 2: it must begin with 0"),
    (lambda: VertexGroups(["a"], [], [0], [0.5]), "offsets has no entries: it must begin with 0"),
    (lambda: VertexGroups(["a"], [0, 1], [3], [0.5]), "groups[0] = 3: it must be"),
    (lambda: Armature([-1, 0], UNITS, names=np.array(["a", "a"])), "names[1] = 'a' is already"),
    (lambda: Armature([-1, 0], UNITS, names=np.array([1, 2])), "names[0] is 1: expected a str"),
    (lambda: Armature([-1, 0], UNITS, inherit_scale=np.array([0, 9])), "inherit_scale[1] = 9: it must be"),
    (lambda: Armature([-1, 0], UNITS, inherit_scale=np.array(["FULL", "no"])), "inherit_scale[1] = 'no': it must"),
    (lambda: BBones([2], handle_types=np.array([["AUTO", "no"]])), "handle_types[0, 1] = 'no': it must"),
    (lambda: Armature([-1, 0], UNITS).pose(rotation_mode=np.array(["XYZ", "no"])), "rotation_mode[1] is 'no': it"),
    (lambda: blender.sub_armature(Armature([-1, 0], UNITS), np.array(["no"])), "bones has 'no': the armature"),
    (
        lambda: Curves([("a", 0)], [0, 1], [[0, 1]], cycles=[Cycles(influence=np.float64(np.inf), use_influence=True)]),
        "influence=inf)",
    ),
]


@pytest.mark.parametrize(("call", "message"), BAD, ids=[message for _, message in BAD])
def test_numbers_and_names_of_numpy_are_shown_plain(call: Callable[[], Any], message: str) -> None:
    with pytest.raises((TypeError, ValueError)) as caught:
        call()
    assert message in str(caught.value)
    assert "np." not in str(caught.value)


def test_names_of_numpy_are_kept_as_str() -> None:
    assert repr(Armature([-1, 0], UNITS, names=np.array(["a", "b"])).names) == "('a', 'b')"
    assert repr(VertexGroups(np.array(["a"]), [0], [], []).names) == "('a',)"


def test_bends_of_an_armature_without_bones() -> None:
    palette = blender.segment_palette(Armature([], np.zeros((0, 4, 4))), np.zeros((3, 0, 4, 4)))
    assert palette.matrices.shape == (3, 0, 4, 4)
