# SPDX-License-Identifier: MIT
"""Which matrices move each vertex of a mesh, and how much each: all of a modifier that does not depend on the pose."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np

from ... import _core
from ..._support.array_types import Array, Float32, Floats, Int32, Ints
from ..._support.values import same_values
from ...skinning.weights import SkinWeights
from ..bbones.palette import segment_weights
from ..rest.bones import Bones
from .options import ArmatureModifier, VertexGroups

# Vertices with no more weight than this in all stay where they are.
_LEAST = np.float32(1e-4)


class Spaces(NamedTuple):
    """From the mesh to the armature and back, as Blender computes it; `same` if there is nothing to do."""

    into: Float32
    back: Float32
    same: bool

    @property
    def collapse(self) -> bool:
        """Whether an object has no inverse (a scale of 0): the points of the mesh are all in one place then."""
        return not self.into.any()


class InfluenceRows:
    """Entries offsets[v] … offsets[v + 1] - 1 of `indices` and `weights` move vertex v, in Blender's order.

    Indices are of the bones and, behind them, of the rows of `segment_palette`. `totals` are the sums by which weights
    are divided.
    """

    def __init__(self, num_matrices: int, offsets: Ints, indices: Int32, weights: Float32, totals: Float32) -> None:
        self.num_matrices = num_matrices
        self.offsets = offsets
        self.indices = indices
        self.weights = weights
        self.totals = totals
        self._masked: dict[tuple[str, bool], SkinWeights] = {}

    @cached_property
    def shares(self) -> SkinWeights:
        """The weights divided by their sums; nothing where a total is too small."""
        return SkinWeights.from_csr(self.offsets, self.indices, self._shares(), self.num_matrices)

    def masked(self, name: tuple[str, bool], masks: Float32) -> SkinWeights:
        """Return the shares times the masks of that name; the rest stays with one more matrix, the identity."""
        if name not in self._masked:
            ends = self.offsets[1:]
            shares = self._shares() * np.repeat(masks, np.diff(self.offsets))
            indices = np.insert(self.indices, ends, self.num_matrices)
            weights = np.insert(shares, ends, np.where(self.totals > _LEAST, 1 - masks.astype(float), 0))
            offsets = self.offsets + np.arange(self.offsets.size)
            self._masked[name] = SkinWeights.from_csr(offsets, indices, weights, self.num_matrices + 1)
        return self._masked[name]

    def _shares(self) -> Floats:
        """Return weights whose sums are 1 to the last bit of float64: blended matrices then need no c' - c."""
        counts = np.diff(self.offsets)
        sums = np.bincount(np.repeat(np.arange(counts.size), counts), self.weights, counts.size)
        factors = np.divide(1, sums, out=np.zeros(counts.size), where=self.totals > _LEAST)
        return np.asarray(self.weights * np.repeat(factors, counts))


# A mesh may have several modifiers that bind in different ways.
_MOST_KEPT = 4


class KeptRows(NamedTuple):
    """What was computed before, and for what; `places`, in armature space, is None where they do not matter."""

    armature: Bones
    binds: tuple[bool, bool]
    places: Float32 | None
    rows: InfluenceRows


def influence_rows(
    armature: Bones, groups: VertexGroups, modifier: ArmatureModifier, points: Array, spaces: Spaces, keep: bool = True
) -> InfluenceRows:
    """Return who moves each of (V, 3) points of a mesh; with `keep`, from an earlier time if that was the same."""
    binds = (modifier.use_vertex_groups, modifier.use_bone_envelopes)
    places = _in_armature(points, spaces) if _places_matter(armature, modifier) else None
    for kept in groups.kept if keep else ():
        if kept.armature is armature and kept.binds == binds and same_values(kept.places, places):
            known: InfluenceRows = kept.rows
            return known
    rows = _computed(armature, groups, modifier, np.zeros((len(points), 3), np.float32) if places is None else places)
    if keep:
        # In one step, since other threads may be looking through the list; it is no part of the groups' value.
        vars(groups)["kept"] = [KeptRows(armature, binds, places, rows), *groups.kept][:_MOST_KEPT]
    return rows


def _in_armature(points: Array, spaces: Spaces) -> Float32:
    """Return a copy of the points as Blender has them in armature space."""
    places = np.array(points, np.float32)
    if spaces.same:
        return places
    x, y, z = (places[:, k, None] for k in range(3))
    columns = spaces.into[:3].T
    return np.asarray(((x * columns[0] + y * columns[1]) + z * columns[2]) + columns[3])


def _places_matter(armature: Bones, modifier: ArmatureModifier) -> bool:
    multiply = armature.envelopes is not None and bool(np.any(armature.envelopes.multiply))
    return modifier.use_bone_envelopes or multiply or armature.bbones is not None


def _computed(armature: Bones, groups: VertexGroups, modifier: ArmatureModifier, points: Float32) -> InfluenceRows:
    index = {name: bone for bone, name in enumerate(armature.names)}
    bones = np.array([index.get(name, -1) for name in groups.names], np.int32)
    numbers, flags = _envelopes(armature)
    offsets = groups.offsets if modifier.use_vertex_groups else None
    places, enveloped = np.ascontiguousarray(points), modifier.use_bone_envelopes
    found = _core.blender_influences(places, offsets, groups.groups, groups.weights, bones, numbers, flags, enveloped)
    rows = InfluenceRows(armature.num_bones, *found)
    return rows if armature.bbones is None else _bent(armature, rows, points)


def _envelopes(armature: Bones) -> tuple[Float32, Int32]:
    """Return the bones' envelopes as the core takes them; without any, Blender's for new bones."""
    numbers = np.empty((armature.num_bones, 10), np.float32)
    numbers[:, :3], numbers[:, 3:6] = armature.heads, armature.tails
    numbers[:, 6:] = 0.1, 0.05, 0.25, 1.0
    flags = np.zeros((armature.num_bones, 2), np.int32)
    flags[:, 1] = armature.deforming
    if armature.envelopes is not None:
        for column, values in zip((6, 7, 8, 9), armature.envelopes[:4], strict=True):
            numbers[:, column] = values
        flags[:, 0] = armature.envelopes.multiply
    return numbers, flags


def _bent(armature: Bones, rows: InfluenceRows, points: Float32) -> InfluenceRows:
    """Return the rows with two boundaries of segments in place of each bendy bone."""
    options = armature.bbones
    assert options is not None
    sizes = np.where(options.segments > 1, options.segments + 1, 0)
    firsts = armature.num_bones + np.cumsum(sizes) - sizes
    bends = sizes[rows.indices] > 0
    vertices = np.repeat(np.arange(rows.totals.size), np.diff(rows.offsets))
    places = np.cumsum(1 + bends, dtype=np.int64) - (1 + bends)
    indices = np.empty(bends.size + int(bends.sum()), np.int32)
    weights = np.empty(indices.size, np.float32)
    indices[places], weights[places] = rows.indices, rows.weights
    for bone in options.bendy:
        mine = np.flatnonzero(rows.indices == bone)
        segment, blend = segment_weights(armature, points[vertices[mine]], int(bone))
        second = blend.astype(np.float32)
        at = places[mine]
        indices[at], indices[at + 1] = firsts[bone] + segment, firsts[bone] + segment + 1
        weights[at] = rows.weights[mine] * (np.float32(1) - second)
        weights[at + 1] = rows.weights[mine] * second
    offsets = np.append(places, indices.size)[rows.offsets]
    return InfluenceRows(armature.num_bones + int(sizes.sum()), offsets, indices, weights, rows.totals)
