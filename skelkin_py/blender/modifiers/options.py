# SPDX-License-Identifier: MIT
"""What Armature modifiers are given: their options, and the vertex groups of the mesh."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..._support.arguments import flag, index_array, listed, number_array, numbers_of, plain, whole_number
from ..._support.array_types import Float32, Ints
from ..._support.values import FixedValue, compared_by_values, lock


@compared_by_values
class ArmatureModifier(NamedTuple):
    """Options of an Armature modifier; the defaults are those of a new one.

    Attributes
    ----------
    use_vertex_groups, use_bone_envelopes : bool
        What binds vertices to bones. With both, envelopes bind the vertices that no group binds.
    preserve_volume : bool
        ``use_deform_preserve_volume``: dual quaternions instead of matrices are blended.
    vertex_group : str
        Name of the group whose weights mask the effect; a name without group masks nothing.
    invert : bool
        ``invert_vertex_group``.
    multi : bool
        ``use_multi_modifier``: deform what the modifier before was given, and mix by the mask.
    """

    use_vertex_groups: bool = True
    use_bone_envelopes: bool = False
    preserve_volume: bool = False
    vertex_group: str = ""
    invert: bool = False
    multi: bool = False


class VertexGroups(FixedValue):
    """The vertex groups of a mesh, each vertex's in the order in which Blender stores them; immutable, read-only.

    Parameters
    ----------
    names : sequence of str
        Names of the groups, by which bones find theirs.
    offsets : (V + 1,) int array
        Where each vertex's entries begin and, last, their number.
    groups : (N,) int array
        The group of each entry, an index of `names`.
    weights : (N,) float array
        Its weight; kept as float32.

    What follows for an armature is remembered here, so that deforming again costs less.

    Examples
    --------
    >>> import skelkin_py as sk
    >>> sk.blender.VertexGroups(["a", "b"], [0, 2, 2], [1, 0], [0.25, 0.75])
    <skelkin_py.blender.VertexGroups: 2 groups of 2 vertices>
    """

    def __init__(
        self, names: Iterable[str], offsets: npt.ArrayLike, groups: npt.ArrayLike, weights: npt.ArrayLike
    ) -> None:
        given = names if isinstance(names, str) else listed("names", names, "expected the names of the groups")
        self.names = tuple(map(plain, given))  # of text, its letters
        for place, name in enumerate(self.names):
            if not isinstance(name, str):
                raise TypeError(f"names[{place}] is {name!r}: expected a str")
        self.offsets = index_array(offsets, "offsets", 1, "(V + 1,)").astype(np.int64)
        found = index_array(groups, "groups", 1, "(N,)")
        values = number_array(weights, "weights", 1, "(N,)")
        self.weights = np.array(values, np.float32)
        if self.weights.shape != found.shape:
            raise ValueError(f"weights has shape {self.weights.shape}: expected {found.shape}, one per entry of groups")
        _check_offsets(self.offsets, found.size)
        if found.size and not 0 <= found.min() <= found.max() < len(self.names):
            entry = int(np.flatnonzero((found < 0) | (found >= len(self.names)))[0])
            raise ValueError(f"groups[{entry}] = {found[entry]}: it must be at least 0 and less than {len(self.names)}")
        self.groups = found.astype(np.int32)
        bad = np.flatnonzero(~np.isfinite(self.weights))
        if bad.size:
            raise ValueError(f"weights[{bad[0]}] = {self.weights[bad[0]]}: a weight must be finite")
        lock(self.offsets, self.groups, self.weights)
        self.kept: list[Any] = []
        self._masks: dict[tuple[str, bool], Float32] = {}

    @classmethod
    def none(cls, num_vertices: int) -> VertexGroups:
        """Return what a mesh without vertex groups has."""
        num_vertices = whole_number("num_vertices", num_vertices, 0)
        return cls((), np.zeros(num_vertices + 1, np.int64), np.zeros(0, np.int64), np.zeros(0, np.float32))

    def _arguments(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("names", "offsets", "groups", "weights")}

    @property
    def num_vertices(self) -> int:
        """Number of vertices."""
        return self.offsets.size - 1

    def weights_in(self, name: str) -> Float32 | None:
        """Return each vertex's weight in a group, 0 where it has none; None if there is no such group."""
        if not isinstance(name, str):
            raise TypeError(f"name is {name!r}: expected the name of a group")
        if name not in self.names:
            return None
        inside = self.groups == self.names.index(name)
        vertices = np.repeat(np.arange(self.num_vertices), np.diff(self.offsets))[inside]
        found = np.zeros(self.num_vertices, np.float32)
        found[vertices[::-1]] = self.weights[inside][::-1]
        return found

    def mask(self, name: str, invert: bool) -> Float32 | None:
        """Return the weights in a group, or what they lack of 1; None if there is no such group."""
        if not isinstance(name, str):
            raise TypeError(f"name is {name!r}: expected the name of a group")
        if (name, flag("invert", invert)) not in self._masks:
            weights = self.weights_in(name)
            if weights is None:
                return None
            mask = np.float32(1) - weights if invert else weights
            mask.flags.writeable = False
            self._masks[name, invert] = mask
        return self._masks[name, invert]

    def __repr__(self) -> str:
        return f"<skelkin_py.blender.VertexGroups: {len(self.names)} groups of {self.num_vertices} vertices>"


def _check_offsets(offsets: Ints, entries: int) -> None:
    if offsets.size == 0 or offsets[0] != 0 or offsets[-1] != entries:
        ends = f"goes from {offsets[0]} to {offsets[-1]}" if offsets.size else "has no entries"
        raise ValueError(f"offsets {ends}: it must begin with 0 and end with the number of entries, {entries}")
    fall = np.flatnonzero(np.diff(offsets) < 0)
    if fall.size:
        raise ValueError(f"offsets[{fall[0] + 1}] = {offsets[fall[0] + 1]}: offsets must not fall")


def checked_modifiers(modifiers: Any) -> tuple[ArmatureModifier, ...]:
    """Return the modifiers as a tuple, or raise an error; None is one modifier as Blender makes it."""
    if modifiers is None:
        return (ArmatureModifier(),)
    if isinstance(modifiers, ArmatureModifier):
        modifiers = [modifiers]
    found = tuple(listed("modifiers", modifiers, "expected ArmatureModifier, one or several"))
    for index, modifier in enumerate(found):
        if not isinstance(modifier, ArmatureModifier):
            raise TypeError(f"modifiers[{index}] is {type(modifier).__name__}: expected an ArmatureModifier")
        for name, value in zip(modifier._fields, modifier):
            if name != "vertex_group":
                flag(f"modifiers[{index}].{name}", value)
        if not isinstance(modifier.vertex_group, str):
            raise TypeError(f"modifiers[{index}].vertex_group is {modifier.vertex_group!r}: expected a str")
    return found


def world_matrix(matrix: npt.ArrayLike | None, name: str) -> Float32:
    """Return an object's matrix in the world as float32; None is the identity."""
    if matrix is None:
        return np.eye(4, dtype=np.float32)
    array = numbers_of(matrix, name)
    if array.shape != (4, 4):
        raise ValueError(f"{name} has shape {array.shape} and dtype {array.dtype}: expected numbers (4, 4)")
    return np.array(array, np.float32)
