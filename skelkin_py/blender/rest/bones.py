# SPDX-License-Identifier: MIT
"""Bones at rest, checked and kept: the data of an armature, which all that is computed from armatures reads."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from ..._support.arguments import plain
from ..._support.values import FixedValue
from .arguments import (
    Envelopes,
    Flags,
    Float32,
    checked_parents,
    take_bbones,
    take_envelopes,
    take_flags,
    take_float32,
    take_inherit_scale,
    take_lengths,
    take_names,
    take_parents,
    take_rest,
)
from .bbones import BBones


class Bones(FixedValue):
    """The arrays of an `Armature`, which names its arguments; what is computed from them lies above."""

    names: tuple[str, ...]
    parents: npt.NDArray[np.int32]
    rest: Float32
    heads: Float32
    tails: Float32
    lengths: Float32
    axes: Float32
    offsets: Float32
    connected: Flags
    inherit_rotation: Flags
    local_location: Flags
    deforming: Flags
    inherit_scale: npt.NDArray[np.uint8]
    envelopes: Envelopes | None
    bbones: BBones | None

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
        order = take_parents(parents)
        count = order.size
        self.parents = checked_parents(order)
        self.names = take_names(names, count)
        self.rest = take_rest(rest, count)
        has_parent = self.parents >= 0
        self.connected = take_flags(connected, "connected", count, False) & has_parent
        self.inherit_rotation = take_flags(inherit_rotation, "inherit_rotation", count, True)
        self.local_location = take_flags(local_location, "local_location", count, True)
        self.deforming = take_flags(deform, "deform", count, True)
        self.inherit_scale = take_inherit_scale(inherit_scale, count)
        self.heads = self.rest[:, :3, 3].copy() if heads is None else take_float32(heads, "heads", (count, 3))
        self.lengths = take_lengths(lengths, tails, self.heads)
        along = self.rest[:, :3, 1] * self.lengths[:, None]
        self.tails = self.heads + along if tails is None else take_float32(tails, "tails", (count, 3))
        self.axes, self.offsets = _take_axes(axes, offsets, self)
        self.envelopes = take_envelopes(envelopes, count)
        self.bbones = take_bbones(bbones, count)
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False

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


def _relative_to_parents(parents: npt.NDArray[np.int32], rest: Float32, lengths: Float32) -> Float32:
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
