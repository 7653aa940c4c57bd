# SPDX-License-Identifier: MIT
"""Bones at rest, checked and kept: the data of an armature, which all that is computed from armatures reads."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..._support.arguments import array_of, numbers_of, plain
from ..._support.array_types import Flags, Float32, Int32
from ..._support.values import FixedValue, lock, tuple_of_arrays
from .bbones import BBones, take_choices, take_flags

INHERIT_SCALE = ("FULL", "FIX_SHEAR", "ALIGNED", "AVERAGE", "NONE", "NONE_LEGACY")


class Bones(FixedValue):
    """The arrays of an `Armature`, which names its arguments; what is computed from them lies above."""

    def __init__(
        self,
        parents: npt.ArrayLike,
        rest: npt.ArrayLike,
        *,
        names: Iterable[str] | None = None,
        heads: npt.ArrayLike | None = None,
        tails: npt.ArrayLike | None = None,
        lengths: npt.ArrayLike | None = None,
        axes: npt.ArrayLike | None = None,
        offsets: npt.ArrayLike | None = None,
        connected: npt.ArrayLike | None = None,
        inherit_rotation: npt.ArrayLike | None = None,
        local_location: npt.ArrayLike | None = None,
        deform: npt.ArrayLike | None = None,
        inherit_scale: Any = None,
        envelopes: Envelopes | None = None,
        bbones: BBones | None = None,
    ) -> None:
        self.parents = take_parents(parents)
        count = self.parents.size
        self.names = take_names(names, count)
        self.rest = take_rest(rest, count)
        has_parent = self.parents >= 0
        self.connected = take_flags(connected, "connected", (count,), False) & has_parent
        self.inherit_rotation = take_flags(inherit_rotation, "inherit_rotation", (count,), True)
        self.local_location = take_flags(local_location, "local_location", (count,), True)
        self.deforming = take_flags(deform, "deform", (count,), True)
        self.inherit_scale = take_choices(inherit_scale, "inherit_scale", INHERIT_SCALE, (count,))
        self.heads = self.rest[:, :3, 3].copy() if heads is None else take_float32(heads, "heads", (count, 3))
        self.lengths = take_lengths(lengths, tails, self.heads)
        along = self.rest[:, :3, 1] * self.lengths[:, None]
        self.tails = self.heads + along if tails is None else take_float32(tails, "tails", (count, 3))
        self.axes, self.offsets = _take_axes(axes, offsets, self)
        self.envelopes = take_envelopes(envelopes, count)
        self.bbones = take_bbones(bbones, count)
        lock(*vars(self).values())

    def _arguments(self) -> dict[str, Any]:
        return {{"deforming": "deform"}.get(name, name): value for name, value in vars(self).items()}

    def __hash__(self) -> int:
        return hash((self.names, self.parents.tobytes()))

    @property
    def num_bones(self) -> int:
        """Number of bones."""
        return len(self.names)


def checked_armature(armature: Any) -> Bones:
    """Return the armature, or raise a TypeError."""
    if not isinstance(armature, Bones):
        raise TypeError(f"armature is {type(armature).__name__}: expected an Armature")
    return armature


def checked_bendy(armature: Any, bone: Any) -> tuple[BBones, int]:
    """Return how the bones of an armature bend, and the index of one that does, or raise an error."""
    options, bone = checked_armature(armature).bbones, plain(bone)
    if isinstance(bone, bool) or not isinstance(bone, int):
        raise TypeError(f"bone is {bone!r}: expected the index of a bone")
    if options is None or not 0 <= bone < armature.num_bones or options.segments[bone] < 2:
        raise ValueError(f"bone = {bone}: it must be the index of a bone with more than one segment")
    return options, bone


def _take_axes(axes: npt.ArrayLike | None, offsets: npt.ArrayLike | None, of: Bones) -> tuple[Float32, Float32]:
    """Return axes (B, 3, 3) in the parent's and heads (B, 3) from the parent's tail; where not given, from `rest`."""
    count = len(of.rest)
    if axes is None or offsets is None:
        local = _relative_to_parents(of.parents, of.rest, of.lengths)
        axes = local[:, :3, :3] if axes is None else axes
        offsets = local[:, :3, 3] * ~of.connected[:, None] if offsets is None else offsets
    return take_float32(axes, "axes", (count, 3, 3)), take_float32(offsets, "offsets", (count, 3))


def _relative_to_parents(parents: Int32, rest: Float32, lengths: Float32) -> Float32:
    """Return each bone's rest matrix from its parent's tail; of roots, in the armature."""
    local = rest.astype(float)
    for bone, parent in enumerate(parents.tolist()):
        if parent >= 0:
            try:
                local[bone] = np.linalg.solve(rest[parent].astype(float), local[bone])
            except np.linalg.LinAlgError:
                raise ValueError(f"rest[{parent}] has no inverse: a bone at rest has three axes") from None
            local[bone, 1, 3] -= lengths[parent]
    return local.astype(np.float32)


@tuple_of_arrays
class Envelopes(NamedTuple):
    """How far each bone's envelope reaches; arrays (B,), as of Blender's bones, in armature space at rest."""

    head_radius: Float32
    tail_radius: Float32
    distance: Float32
    weight: Float32
    multiply: Flags


def take_parents(parents: npt.ArrayLike) -> Int32:
    """Return int32 parents (B,), each of which comes before its children."""
    order = array_of(parents, "parents")
    if order.ndim != 1 or (order.dtype.kind not in "iu" and order.size):
        raise ValueError(f"parents has shape {order.shape} and dtype {order.dtype}: expected (B,) integers")
    for bone, parent in enumerate(order.tolist()):
        if not -1 <= parent < bone:
            raise ValueError(f"parents[{bone}] = {parent}: it must be -1 or the index of an earlier bone")
    return order.astype(np.int32)


def take_names(names: Iterable[str] | None, count: int) -> tuple[str, ...]:
    """Return one name per bone, no two the same; "Bone.000" and on without any."""
    if isinstance(names, str) or not (names is None or isinstance(names, Iterable)):
        raise TypeError(f"names is {names!r}: expected a sequence of {count} str, one per bone")
    found = tuple(f"Bone.{bone:03d}" for bone in range(count)) if names is None else tuple(map(plain, names))
    if len(found) != count:
        raise ValueError(f"names has {len(found)} entries: expected {count}, one per bone")
    seen: dict[str, int] = {}
    for bone, name in enumerate(found):
        if not isinstance(name, str):
            raise TypeError(f"names[{bone}] is {name!r}: expected a str")
        if name in seen:
            raise ValueError(f"names[{bone}] = {name!r} is already the name of bone {seen[name]}")
        seen[name] = bone
    return found


def take_float32(value: npt.ArrayLike, name: str, shape: tuple[int, ...]) -> Float32:
    """Return packed float32 of a shape; all numbers are finite."""
    array = numbers_of(value, name)
    if array.size == 0 and 0 in shape:
        return np.zeros(shape, np.float32)
    if array.shape != shape:
        raise ValueError(f"{name} has shape {array.shape} and dtype {array.dtype}: expected numbers {shape}")
    with np.errstate(over="ignore", invalid="ignore"):
        kept = np.array(array, np.float32, order="C")
    if not np.isfinite(kept).all():
        place = tuple(np.argwhere(~np.isfinite(kept))[0].tolist())
        raise ValueError(f"{name}{list(place)} is {array[place]}: it must be finite in float32")
    return kept


def take_rest(value: npt.ArrayLike, count: int) -> Float32:
    """Return rest matrices (B, 4, 4); by their last rows, transposed ones are refused."""
    rest = take_float32(value, "rest", (count, 4, 4))
    wrong = np.argwhere(np.abs(rest[:, 3] - (0, 0, 0, 1)).max(axis=1, initial=0.0) > 1e-5)
    if len(wrong):
        bone = int(wrong[0, 0])
        row = rest[bone, 3].tolist()
        raise ValueError(f"rest[{bone}] has the last row {row}: it must be 0, 0, 0, 1 (the head is the last column)")
    return rest


def take_lengths(given: npt.ArrayLike | None, tails: npt.ArrayLike | None, heads: Float32) -> Float32:
    """Return lengths (B,) of 0 or more; where none are given from heads to tails, else 1."""
    if given is None:
        if tails is None:
            return np.ones(len(heads), np.float32)
        span = take_float32(tails, "tails", heads.shape).astype(float) - heads
        return np.asarray(np.linalg.norm(span, axis=1), np.float32)
    lengths = take_float32(given, "lengths", (len(heads),))
    if len(wrong := np.argwhere(lengths < 0)):
        bone = int(wrong[0, 0])
        raise ValueError(f"lengths[{bone}] is {lengths[bone]}: it must not be negative")
    return lengths


def take_envelopes(value: Envelopes | None, count: int) -> Envelopes | None:
    """Return envelopes of B bones, read-only."""
    if value is None:
        return None
    if not isinstance(value, Envelopes):
        raise TypeError(f"envelopes is {type(value).__name__}: expected Envelopes or None")
    head, tail, distance, weight = (
        take_float32(array, f"envelopes.{name}", (count,)) for name, array in zip(Envelopes._fields, value[:4])
    )
    kept = Envelopes(head, tail, distance, weight, take_flags(value.multiply, "envelopes.multiply", (count,), False))
    lock(*kept)
    return kept


def take_bbones(value: BBones | None, count: int) -> BBones | None:
    """Return the options of bendy bones, or None where no bone bends."""
    if value is not None and not isinstance(value, BBones):
        raise TypeError(f"bbones is {type(value).__name__}: expected BBones or None")
    if value is not None and value.segments.size != count:
        raise ValueError(f"bbones is of {value.segments.size} bones: expected {count}")
    return value if value is not None and value.bendy.size else None
