# SPDX-License-Identifier: MIT
"""Copies, pickles, `==` and hashes of everything that has a public class."""

from __future__ import annotations

import copy
import dataclasses
import multiprocessing
import pickle
from typing import Any

import numpy as np
import pytest
from public_values import name_of, public_classes, public_objects

import skelkin_py as sk
from skelkin_py._support.values import same_values

OBJECTS = public_objects()
ERRORS = [value for value in OBJECTS if isinstance(value, Exception)]
TUPLES = [value for value in OBJECTS if isinstance(value, tuple)]
VALUES = [value for value in OBJECTS if not isinstance(value, Exception)]
KEYS = (
    *("Skeleton", "SkinWeights", "JointLimits", "Hinge", "SwingTwist", "Leg", "PlantOptions", "Armature", "IKStatus"),
    *("Contact", "HeightGrid", "MeshGround", "Curves", "VertexGroups", "BBones"),
)
ways = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    **{f"pickle {n}": lambda value, n=n: pickle.loads(pickle.dumps(value, n)) for n in range(2, 6)},
}


def test_every_public_class_is_looked_at() -> None:
    """A new class is to be added to `public_values`, where all tests of this folder then find it."""
    assert public_classes() - {type(value) for value in OBJECTS} == set()


@pytest.mark.parametrize("way", ways)
@pytest.mark.parametrize("value", OBJECTS, ids=name_of)
def test_a_copy_holds_the_same(value: Any, way: str) -> None:
    again = ways[way](value)
    assert type(again) is type(value)
    if isinstance(value, Exception):
        assert (str(again), vars(again)) == (str(value), vars(value))
        return
    assert repr(again) == repr(value)
    assert (again == value) is True
    assert (again != value) is False


@pytest.mark.parametrize("value", VALUES, ids=name_of)
def test_other_things_are_not_equal(value: Any) -> None:
    for other in (None, 1.5, "word", object(), np.zeros(3)):
        assert value.__eq__(other) is NotImplemented or value.__eq__(other) is False
        if not isinstance(other, np.ndarray):  # whose own `==` answers for each element
            assert (value == other) is False
    assert value != "word"
    for other in VALUES:
        assert type(other) is type(value) or value != other


@pytest.mark.parametrize("value", VALUES, ids=name_of)
def test_equal_objects_have_equal_hashes_or_none(value: Any) -> None:
    unhashable = type(value).__hash__ is None
    if isinstance(value, tuple) and not unhashable:
        unhashable = any(type(part).__hash__ is None for part in value)
    if unhashable:
        assert name_of(value) not in KEYS
        with pytest.raises(TypeError, match="unhashable"):
            hash(value)
    else:
        assert hash(pickle.loads(pickle.dumps(value))) == hash(value)


@pytest.mark.parametrize("name", KEYS)
def test_what_describes_a_thing_once_can_be_a_key(name: str) -> None:
    (value, *_) = [each for each in VALUES if name_of(each) == name]
    assert {value: 1}[pickle.loads(pickle.dumps(value))] == 1


def changed(array: np.ndarray) -> np.ndarray:
    other = array.copy()
    other.flat[-1] += 1
    return other


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (sk.HeightGrid([[0, np.nan], [1, 2]]), sk.HeightGrid([[0, np.nan], [1, 3]])),
        (sk.HeightGrid([[0, 1], [1, 2]]), sk.HeightGrid([[0, 1], [1, 2]], axes="XY")),
        (sk.JointLimits({0: sk.hinge([1, 0, 0], 0, 1)}), sk.JointLimits({0: sk.hinge([1, 0, 0], 0, 1.5)})),
        (sk.JointLimits({0: sk.hinge([1, 0, 0], 0, 1)}), sk.JointLimits({1: sk.hinge([1, 0, 0], 0, 1)})),
        (sk.PlantOptions(up=[0, 1, 0]), sk.PlantOptions(up=[0, 0, 1])),
        (sk.PlantOptions(up=[0, 1, 0]), sk.PlantOptions()),
        (sk.blender.Armature([-1], np.eye(4)[None]), sk.blender.Armature([-1], np.eye(4)[None], names=["hips"])),
        (sk.blender.BBones([1, 4]), sk.blender.BBones([1, 5])),
        (sk.view.Page("a"), sk.view.Page("b")),
    ],
    ids=name_of,
)
def test_what_differs_in_one_value_is_not_equal(one: Any, other: Any) -> None:
    assert one != other
    assert other != one


def test_options_given_as_lists_and_as_arrays_are_equal() -> None:
    assert sk.PlantOptions(up=[0, 1, 0]) == sk.PlantOptions(up=np.array([0.0, 1.0, 0.0]))


def test_planting_twice_gives_equal_reports_however_long_it_took() -> None:
    clip = sk.example("biped").clip[:60]
    one, other = clip.plant_feet(), clip.plant_feet()
    assert one.report.seconds != other.report.seconds
    assert one == other
    leg = one.report.legs[0]
    bent = dataclasses.replace(leg, after=dataclasses.replace(leg.after, knee=changed(leg.after.knee)))
    assert one.report != dataclasses.replace(one.report, legs=(bent, *one.report.legs[1:]))


def test_pickles_carry_nothing_that_was_worked_out_later() -> None:
    grid = np.linspace(0.0, 1.0, 40)
    x, z = np.meshgrid(grid, grid, indexing="ij")
    points = np.stack([x, 0 * x, z], axis=-1).reshape(-1, 3)
    first = (np.arange(39)[:, None] * 40 + np.arange(39)).ravel()
    ground = sk.MeshGround(points, np.stack([first, first + 1, first + 41], axis=1))
    groups = sk.blender.VertexGroups(["a", "b"], np.arange(501), np.zeros(500, int), np.ones(500))
    report = sk.example("biped").clip[:60].plant_feet().report
    before = [len(pickle.dumps(each)) for each in (ground, groups, report)]
    inside = points[ground.faces[700]].mean(axis=0)
    assert ground.heights(inside[None], np.array([0.0, 1.0, 0.0]), 1.0).tolist() == [0.0]
    assert groups.mask("a", True) is not None
    assert report.minded() == []
    assert [len(pickle.dumps(each)) for each in (ground, groups, report)] == before


def test_a_clip_of_another_process_is_the_same(tmp_path: Any) -> None:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        grid = sk.HeightGrid([[0.0, np.nan], [1.0, 2.0]])
        values = [sk.example("biped").clip[:3], grid, *(v for v in VALUES if name_of(v) in ("PlantReport", "Armature"))]
        assert pool.map(copy.copy, values) == values


@pytest.mark.parametrize("way", ways)
def test_an_edit_of_a_copy_is_none_of_the_original(way: str) -> None:
    editor = sk.PlantEditor(sk.example("biped").clip[:30])
    again = ways[way](editor)
    again.set_target("left", 5, [0.1, 0.2, 0.3])
    assert (again.can_undo, editor.can_undo) == (True, False)
    assert again != editor
    editor.set_target("left", 5, [0.1, 0.2, 0.3])
    assert again == editor


@pytest.mark.parametrize("value", TUPLES, ids=name_of)
def test_results_with_several_parts_are_tuples_and_compare_as_one(value: Any) -> None:
    again = value._replace()
    assert again is not value
    assert (value == again) is (value == tuple(again)) is (tuple(again) == value) is True
    assert (value != again) is (value != tuple(again)) is (tuple(again) != value) is False
    assert (value == tuple(again)[:-1]) is False
    assert (value == value._replace(**{value._fields[-1]: "another"})) is False
    assert (value != value._replace(**{value._fields[0]: "another"})) is True


def test_tuples_of_two_kinds_are_not_equal() -> None:
    pose, each = np.zeros((1, 4, 4)), np.zeros(1)
    assert sk.AppliedFabrik(pose, each, each) == sk.AppliedFabrik(pose.copy(), each.copy(), each)
    assert sk.AppliedFabrik(pose, each, each) != sk.AppliedTwoBone(pose, each, each)


def test_equal_numbers_are_equal_and_others_are_not() -> None:
    nan = float("nan")
    assert same_values(nan, np.float32("nan"))
    assert not same_values(nan, 1.0)
    assert same_values({"a": [1, (nan,)]}, {"a": [1, (nan,)]})
    assert not same_values([1], (1,))
    assert not same_values({"a": 1}, {"b": 1})
    assert same_values(np.array([1, 2]), np.array([1.0, 2.0], np.float32))
    assert not same_values(np.zeros(1), np.zeros(3))
    assert not same_values(np.zeros(()), None)
    assert not same_values([np.zeros(2), 1], [np.zeros(2), 2])
