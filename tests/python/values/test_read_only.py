# SPDX-License-Identifier: MIT
"""Arrays of what is immutable can't be written through, nor its attributes set, and the documentation says so."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pytest
from public_values import name_of, public_objects

import skelkin_py as sk

FIXED = [
    value
    for value in public_objects()
    if not isinstance(value, (tuple, Exception, sk.IKStatus)) and not isinstance(value, sk.PlantOptions)
]


def attributes(value: Any) -> Iterator[tuple[str, Any]]:
    for name in dir(value):
        if not name.startswith("_") and not callable(getattr(value, name)):
            yield name, getattr(value, name)


def arrays_in(found: Any) -> Iterator[np.ndarray]:
    if isinstance(found, np.ndarray):
        yield found
    elif isinstance(found, Mapping):
        for part in found.values():
            yield from arrays_in(part)
    elif isinstance(found, (list, tuple)):
        for part in found:
            yield from arrays_in(part)


def writeable(value: Any) -> list[str]:
    """Return the attributes through which an object could be changed: writeable, and the same memory each time."""
    found = []
    for name, held in attributes(value):
        again = list(arrays_in(getattr(value, name)))
        pairs = zip(arrays_in(held), again)
        if any(one.flags.writeable and np.shares_memory(one, other) for one, other in pairs if one.size):
            found.append(name)
    return found


@pytest.mark.parametrize("value", FIXED, ids=name_of)
def test_arrays_are_read_only_or_copies(value: Any) -> None:
    assert writeable(value) == []


@pytest.mark.parametrize("value", FIXED, ids=name_of)
def test_those_of_copies_are_too(value: Any) -> None:
    for again in (pickle.loads(pickle.dumps(value)), copy.deepcopy(value)):
        assert writeable(again) == []


@pytest.mark.parametrize("value", FIXED, ids=name_of)
def test_the_documentation_says_so(value: Any) -> None:
    told = inspect.getdoc(type(value)) or ""
    for name, held in attributes(value):
        if not any(array.flags.writeable is False for array in arrays_in(held)):
            continue
        own = getattr(type(value), name, None)
        of_attribute = (inspect.getdoc(own) or "") if isinstance(own, property) or inspect.isdatadescriptor(own) else ""
        assert "read-only" in told.lower() + of_attribute.lower(), name


@pytest.mark.parametrize("value", FIXED, ids=name_of)
def test_attributes_stay(value: Any) -> None:
    if isinstance(value, (sk.view.Page, sk.LegList)):
        return  # a text that may be edited before it is saved, and a list
    for name, _ in attributes(value):
        with pytest.raises((AttributeError, dataclasses.FrozenInstanceError)):
            setattr(value, name, None)
        with pytest.raises((AttributeError, dataclasses.FrozenInstanceError)):
            delattr(value, name)


def test_numpy_says_why() -> None:
    clip = sk.example("biped").clip
    with pytest.raises(ValueError, match="read-only"):
        clip.rotations[0] = 0
    with pytest.raises(ValueError, match="read-only"):
        sk.HeightGrid([[0, 1], [1, 2]]).heights[0, 0] = 5


def test_what_was_given_stays_the_callers() -> None:
    heights = np.zeros((2, 2))
    grid = sk.HeightGrid(heights)
    heights[0, 0] = 7.0
    assert grid.heights[0, 0] == 0.0
    matrices = np.tile(np.eye(4), (3, 1, 1))
    bone = sk.blender.KeyedBone(matrices, matrices, np.ones((3, 3)), "XYZ", 0, None, np.zeros((3, 1, 3)))
    assert not bone.matrix.flags.writeable
    assert matrices.flags.writeable


def test_the_message_names_class_and_attribute() -> None:
    grid = sk.HeightGrid([[0, 1], [1, 2]])
    with pytest.raises(AttributeError, match="a HeightGrid is immutable: cannot set heights"):
        grid.heights = np.ones((2, 2))
    with pytest.raises(AttributeError, match="a HeightGrid is immutable: cannot delete axes"):
        del grid.axes
    with pytest.raises(AttributeError, match=r"a Clip is immutable: cannot set fps: replace\(\) returns another"):
        sk.example("biped").clip.fps = 25.0
