# SPDX-License-Identifier: GPL-3.0-or-later
"""Trying on one frame what follows what: bones and properties are put elsewhere for a moment."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from mathutils import Matrix

from ...core.state import TRANSFORM_CHANNELS
from .. import values


class Trial:
    """The pose as it is evaluated now; what is changed here is given back by `back`."""

    def __init__(self, context, ob) -> None:
        self._context, self._ob = context, ob
        self._transforms: list[tuple[Any, str, Any]] = []
        self._properties: dict[str, Any] = {}

    def matrices(self, names) -> np.ndarray:
        """Return the evaluated matrices (N, 4, 4) of bones, in armature space."""
        return np.array([self._ob.pose.bones[name].matrix for name in names], dtype=np.float64)

    def influence(self, turning) -> float:
        """Return the influence of a constraint as drivers make it."""
        evaluated = self._ob.evaluated_get(self._context.evaluated_depsgraph_get())
        return float(evaluated.path_resolve(turning.path))

    def matrix(self, lead) -> np.ndarray:
        """Return the matrix of a bone, by its name, or of another object, in armature space."""
        if isinstance(lead, str):
            return self.matrices([lead])[0]
        return np.linalg.inv(np.array(self._ob.matrix_world)) @ np.array(lead.matrix_world)

    def move(self, lead, matrix: np.ndarray) -> None:
        """Put a bone or another object at a matrix in armature space."""
        owner = self._ob.pose.bones[lead] if isinstance(lead, str) else lead
        self._transforms += [(owner, channel, tuple(getattr(owner, channel))) for channel, _ in TRANSFORM_CHANNELS]
        if isinstance(lead, str):
            owner.matrix = Matrix(matrix.tolist())
        else:
            owner.matrix_world = self._ob.matrix_world @ Matrix(matrix.tolist())
        self._context.view_layer.update()

    def set(self, path: str, value: float) -> None:
        """Give a custom property of the object or one of its bones another value, of the type that it has."""
        before = values.get_value(self._ob, path, 0)
        self._properties.setdefault(path, before)
        values.set_value(self._ob, path, 0, type(before)(value))
        self._ob.update_tag()  # a custom property set by Python does not say so itself
        self._context.view_layer.update()

    def back(self) -> None:
        """Give everything back."""
        for owner, channel, value in reversed(self._transforms):
            setattr(owner, channel, value)
        for path, value in self._properties.items():
            values.set_value(self._ob, path, 0, value)
        if self._properties:
            self._ob.update_tag()
        self._transforms, self._properties = [], {}
        self._context.view_layer.update()


@contextmanager
def trial(context, ob) -> Iterator[Trial]:
    """Hand out a `Trial` and give back what it changed, whatever happens."""
    tried = Trial(context, ob)
    try:
        yield tried
    finally:
        tried.back()
