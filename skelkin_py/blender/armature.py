# SPDX-License-Identifier: MIT
"""An armature's bones at rest, as Blender stores them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..arguments import array_of
from .bbones import BBones
from .envelopes import Envelopes
from .live_armature import read_bones
from .pose import local_from_pose, pose

INHERIT_SCALE = ("FULL", "FIX_SHEAR", "ALIGNED", "AVERAGE", "NONE", "NONE_LEGACY")

Float32 = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]


class Armature:
    """Bones at rest, parents first; immutable.

    Parameters
    ----------
    parents : (B,) int array
        Index of each bone's parent, -1 for roots; parents come before children, as in ``pose.bones``.
    rest : (B, 4, 4) float array
        Rest matrices in armature space (``Bone.matrix_local``).
    names : sequence of str, optional
    heads, tails : (B, 3) float array, optional
        ``Bone.head_local`` and ``Bone.tail_local``. Without them, they follow from `rest` and `lengths`.
    lengths : (B,) float array, optional
        ``Bone.length``; without it, from heads and tails, else 1.
    axes : (B, 3, 3) float array, optional
        ``Bone.matrix``: rest axes in the parent's. Without it, from `rest`; exact evaluation needs Blender's own.
    offsets : (B, 3) float array, optional
        ``Bone.head``: the head, from the parent's tail, in the parent's axes.
    connected, inherit_rotation, local_location, deform : (B,) bool array, optional
        ``use_connect`` (False), ``use_inherit_rotation``, ``use_local_location``, ``use_deform`` (True).
    inherit_scale : sequence of str or (B,) int array, optional
        ``Bone.inherit_scale``: a name or the index in `INHERIT_SCALE`; "FULL".
    envelopes : Envelopes, optional
    bbones : BBones, optional
        Options of bendy bones; None if none has more than one segment.

    All numbers are kept as float32, which is what Blender has.
    """

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
        order = array_of(parents, "parents")
        if order.ndim != 1 or order.dtype.kind not in "iu":
            raise ValueError(f"parents has shape {order.shape} and dtype {order.dtype}: expected (B,) integers")
        count = order.size
        self.parents = _checked_parents(order)
        self.names = _names(names, count)
        self.rest = _float32(rest, "rest", (count, 4, 4))
        has_parent = self.parents >= 0
        self.connected = _flags(connected, "connected", count, False) & has_parent
        self.inherit_rotation = _flags(inherit_rotation, "inherit_rotation", count, True)
        self.local_location = _flags(local_location, "local_location", count, True)
        self.deforming = _flags(deform, "deform", count, True)
        self.inherit_scale = _inherit_scale(inherit_scale, count)
        self.heads = self.rest[:, :3, 3].copy() if heads is None else _float32(heads, "heads", (count, 3))
        if lengths is not None:
            self.lengths = _float32(lengths, "lengths", (count,))
        elif tails is not None:
            span = _float32(tails, "tails", (count, 3)).astype(float) - self.heads
            self.lengths = np.linalg.norm(span, axis=1).astype(np.float32)
        else:
            self.lengths = np.ones(count, np.float32)
        along = self.rest[:, :3, 1] * self.lengths[:, None]
        self.tails = self.heads + along if tails is None else _float32(tails, "tails", (count, 3))
        local = _relative_to_parents(self.parents, self.rest, self.lengths)
        self.axes = local[:, :3, :3].copy() if axes is None else _float32(axes, "axes", (count, 3, 3))
        if offsets is not None:
            self.offsets = _float32(offsets, "offsets", (count, 3))
        else:
            self.offsets = local[:, :3, 3] * ~self.connected[:, None]
        self.envelopes = envelopes
        self.bbones = _bbones(bbones, count)
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False

    @classmethod
    def from_bpy(cls, ob: Any) -> Armature:
        """Return the armature of a live Blender object, bones in the order of ``pose.bones``.

        Parameters
        ----------
        ob : bpy.types.Object
            An armature, not in Edit Mode. Its bones at rest are read, whatever its pose.

        Raises
        ------
        TypeError
            `ob` is no armature object.
        ValueError
            It is in Edit Mode.
        """
        return cls(**read_bones(ob))

    def pose(
        self,
        location: npt.ArrayLike | None = None,
        rotation: npt.ArrayLike | None = None,
        rotation_mode: str | Sequence[str] = "QUATERNION",
        scale: npt.ArrayLike | None = None,
        *,
        exact: bool = False,
    ) -> npt.NDArray[Any]:
        """Return the matrices of bones in armature space, before constraints: Blender's ``pose_bone.matrix``.

        Parameters
        ----------
        location : (..., B, 3) array, optional
            As stored in the bones; 0 without it. That of connected bones is not used, as in Blender.
        rotation : (..., B, 4) array, optional
            By the mode of the bone: a quaternion (w, x, y, z), an angle and its axis (angle, x, y, z), or three Euler
            angles and a fourth number that is not read. Where all modes are Euler's, (..., B, 3) is taken too.
        rotation_mode : str or sequence of B str
            "QUATERNION", "AXIS_ANGLE", or an order in which Euler angles are applied: "XYZ" is X first.
        scale : (..., B, 3) array, optional
            Any numbers, of any sign, 0 included.
        exact : bool
            Blender's bits: float32, each operation in the order in which Blender does it. Otherwise the result has the
            precision of the arrays given, float64 for lists.

        Returns
        -------
        (F, B, 4, 4) array
            One per frame; F = 1 for channels without leading dimensions. Several leading dimensions broadcast as in
            numpy and are kept.

        Raises
        ------
        ValueError
            A shape does not fit the bones, or a rotation mode is none of Blender's.
        TypeError
            A channel is no array of numbers.

        Examples
        --------
        >>> import numpy as np
        >>> import skelkin_py.blender as blender
        >>> rest = np.tile(np.eye(4), (2, 1, 1))
        >>> rest[1, 1, 3] = 1.0  # the second bone starts at the first one's tail, at Y = 1
        >>> arm = blender.Armature([-1, 0], rest, connected=[False, True])
        >>> turned = arm.pose(rotation=[[0, 0, np.pi / 2], [0, 0, 0]], rotation_mode="XYZ")
        >>> turned.shape, turned[0, 1, :3, 3].round(6).tolist()
        ((1, 2, 4, 4), [-1.0, 0.0, 0.0])

        Notes
        -----
        What is no rotation is taken as Blender takes it: a quaternion of zeros is half a turn about X, an axis of
        zeros no turn. A number that is not finite spreads to the bones below, in its own frame.

        Method: docs/blender-parity.md.
        """
        return pose(self, location, rotation, rotation_mode, scale, exact=exact)

    def local_from_pose(self, pose: npt.ArrayLike) -> npt.NDArray[Any]:
        """Return the matrices that the bones' channels have to make up for a pose: ``pose_bone.matrix_basis``.

        Parameters
        ----------
        pose : (..., B, 4, 4) array
            In armature space; the last rows are not read.

        Returns
        -------
        (..., B, 4, 4) array
            In float32 for a float32 array, else in float64. Connected bones get no translation, since Blender gives
            them none; a parent that is scaled to nothing can be followed by nothing, and its children get zeros.

        Raises
        ------
        ValueError
            The shape does not fit the bones.

        Examples
        --------
        >>> import numpy as np
        >>> import skelkin_py.blender as blender
        >>> arm = blender.Armature([-1], np.eye(4)[None])
        >>> local = arm.local_from_pose(arm.pose(location=[[1.0, 2.0, 3.0]]))
        >>> local[0, 0, :3, 3].tolist()
        [1.0, 2.0, 3.0]

        Notes
        -----
        The inverse of `pose`, bone by bone: what is inherited comes from the parent's given matrix, so that errors do
        not add up along chains. Method: docs/blender-parity.md.
        """
        return local_from_pose(self, pose)

    @property
    def num_bones(self) -> int:
        """Number of bones."""
        return len(self.names)

    def __repr__(self) -> str:
        return f"<skelkin_py.blender.Armature of {self.num_bones} bones>"


def _checked_parents(parents: npt.NDArray[Any]) -> npt.NDArray[np.int32]:
    for bone, parent in enumerate(parents.tolist()):
        if not -1 <= parent < bone:
            raise ValueError(f"parents[{bone}] = {parent}: it must be -1 or the index of an earlier bone")
    return parents.astype(np.int32)


def _names(names: Iterable[str] | None, count: int) -> tuple[str, ...]:
    found = tuple(f"Bone.{bone:03d}" for bone in range(count)) if names is None else tuple(names)
    if len(found) != count:
        raise ValueError(f"names has {len(found)} entries: expected {count}, one per bone")
    seen: dict[str, int] = {}
    for bone, name in enumerate(found):
        if name in seen:
            raise ValueError(f"names[{bone}] = {name!r} is already the name of bone {seen[name]}")
        seen[name] = bone
    return found


def _float32(value: npt.ArrayLike, name: str, shape: tuple[int, ...]) -> Float32:
    array = array_of(value, name)
    if array.dtype.kind not in "iuf" or array.shape != shape:
        raise ValueError(f"{name} has shape {array.shape} and dtype {array.dtype}: expected numbers {shape}")
    return np.array(array, np.float32, order="C")


def _flags(value: npt.ArrayLike | None, name: str, count: int, otherwise: bool) -> Flags:
    if value is None:
        return np.full(count, otherwise)
    array = array_of(value, name)
    if array.shape != (count,) or array.dtype.kind not in "bu":
        raise ValueError(f"{name} has shape {array.shape} and dtype {array.dtype}: expected ({count},) bool")
    return array.astype(bool)


def _inherit_scale(value: Any, count: int) -> npt.NDArray[np.uint8]:
    if value is None:
        return np.zeros(count, np.uint8)
    modes = [INHERIT_SCALE.index(mode) if mode in INHERIT_SCALE else mode for mode in np.asarray(value).tolist()]
    if len(modes) != count:
        raise ValueError(f"inherit_scale has {len(modes)} entries: expected {count}, one per bone")
    for bone, mode in enumerate(modes):
        if not isinstance(mode, int) or not 0 <= mode < len(INHERIT_SCALE):
            raise ValueError(f"inherit_scale[{bone}] = {mode!r}: it must be one of {', '.join(INHERIT_SCALE)}")
    return np.array(modes, np.uint8)


def _bbones(value: BBones | None, count: int) -> BBones | None:
    if value is not None and not isinstance(value, BBones):
        raise TypeError(f"bbones is {type(value).__name__}: expected BBones or None")
    if value is not None and value.segments.size != count:
        raise ValueError(f"bbones is of {value.segments.size} bones: expected {count}")
    return value if value is not None and value.bendy.size else None


def _relative_to_parents(parents: npt.NDArray[np.int32], rest: Float32, lengths: Float32) -> Float32:
    """Return each bone's rest matrix from its parent's tail; of roots, in the armature."""
    local = rest.astype(float)
    for bone, parent in enumerate(parents.tolist()):
        if parent >= 0:
            local[bone] = np.linalg.solve(rest[parent].astype(float), local[bone])
            local[bone, 1, 3] -= lengths[parent]
    return local.astype(np.float32)
