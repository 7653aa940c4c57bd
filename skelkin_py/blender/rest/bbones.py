# SPDX-License-Identifier: MIT
"""The options of bendy bones, which Blender bends in segments along a curve."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ... import _core
from ..._support.arguments import array_of, flag, numbers_of, plain, whole_number
from ..._support.array_types import Array, Flags, Float32, Int32, Ints
from ..._support.values import FixedValue, lock, tuple_of_arrays

HANDLE_TYPES = ("AUTO", "ABSOLUTE", "RELATIVE", "TANGENT")
MOST_SEGMENTS = 32

START, END = 0, 1


@tuple_of_arrays
class BBoneShape(NamedTuple):
    """How bendy bones are curved, in one setting: that of the bones, or what the poses add to it.

    Arrays of shape (…, B, 2) hold the start and the end of each bone; leading dimensions are frames.

    Attributes
    ----------
    ease : (…, B, 2) array
        ``bbone_easein, bbone_easeout``; what poses have is added to what bones have.
    roll : (…, B, 2) array
        ``bbone_rollin, bbone_rollout``; added.
    curve : (…, B, 2, 2) array
        ``(bbone_curveinx, bbone_curveinz), (bbone_curveoutx, bbone_curveoutz)``; added.
    scale : (…, B, 2, 3) array
        ``bbone_scalein, bbone_scaleout``; multiplied.
    """

    ease: Float32
    roll: Float32
    curve: Float32
    scale: Float32

    @classmethod
    def default(cls, count: int, *, of_pose: bool = False) -> BBoneShape:
        """Return what Blender sets new bones to, or, `of_pose`, pose bones.

        Examples
        --------
        >>> import skelkin_py as sk
        >>> sk.blender.BBoneShape.default(1, of_pose=True).ease
        array([[0., 0.]], dtype=float32)
        """
        count = whole_number("count", count, 0)
        ease = np.full((count, 2), 0 if flag("of_pose", of_pose) else 1, np.float32)
        roll = np.zeros((count, 2), np.float32)
        return cls(ease, roll, np.zeros((count, 2, 2), np.float32), np.ones((count, 2, 3), np.float32))

    def with_pose(self, posed: BBoneShape | None) -> BBoneShape:
        """Return this setting of bones together with what poses add to it."""
        if posed is None:
            return self
        if not isinstance(posed, BBoneShape):
            raise TypeError(f"posed is {type(posed).__name__}: expected a BBoneShape or None")
        ease, roll, curve = (np.add(mine, theirs, dtype=np.float32) for mine, theirs in zip(self[:3], posed[:3]))
        return BBoneShape(ease, roll, curve, np.multiply(self.scale, posed.scale, dtype=np.float32))


_SHAPE = tuple(f"shape_{name}" for name in BBoneShape._fields)
_OPTIONS = (
    "segments", "handle_types", "handles", "handle_scale", "handle_ease", "endroll_as_inroll", "scale_easing", "curved"
)  # fmt: skip
BBONE_ARRAYS = (*_OPTIONS, *_SHAPE)  # what `BBones.to_arrays` returns


class BBones(FixedValue):
    """Options of an armature's bendy bones (``Bone.bbone_…``); immutable, its arrays read-only.

    Parameters
    ----------
    segments : (B,) int array
        ``bbone_segments``, 1 to 32; bones with 1 do not bend, and their other options mean nothing.
    shape : BBoneShape, optional
        Easing, roll, curve and scale of the bones themselves; Blender's defaults.
    handle_types : (B, 2) int or str array, optional
        ``bbone_handle_type_start`` and ``_end``: a name or the index in `HANDLE_TYPES`; "AUTO".
    handles : (B, 2) int array, optional
        ``bbone_custom_handle_start`` and ``_end``: indices of bones, -1 (the default) for none.
    handle_scale : (B, 2, 3) bool array, optional
        ``bbone_handle_use_scale_start`` and ``_end`` (False).
    handle_ease : (B, 2) bool array, optional
        ``bbone_handle_use_ease_start`` and ``_end`` (False).
    endroll_as_inroll, scale_easing : (B,) bool array, optional
        ``use_endroll_as_inroll`` (False) and ``use_scale_easing`` (True, as of new bones).
    curved : (B,) bool array, optional
        Whether ``bbone_mapping_mode`` is "CURVED" (False; Blender has it from 4.0 on).

    Handles may refer to each other in a circle, as in Blender: bending reads where handles are, not how they bend.

    Examples
    --------
    >>> import skelkin_py as sk
    >>> sk.blender.BBones([1, 4]).bendy
    array([1])
    """

    def __init__(
        self,
        segments: npt.ArrayLike,
        shape: BBoneShape | None = None,
        *,
        handle_types: npt.ArrayLike | None = None,
        handles: npt.ArrayLike | None = None,
        handle_scale: npt.ArrayLike | None = None,
        handle_ease: npt.ArrayLike | None = None,
        endroll_as_inroll: npt.ArrayLike | None = None,
        scale_easing: npt.ArrayLike | None = None,
        curved: npt.ArrayLike | None = None,
    ) -> None:
        self.segments = _segments(segments)
        count = self.segments.size
        self.shape = checked_shape(BBoneShape.default(count) if shape is None else shape, count, "shape", leading=False)
        self.handle_types = take_choices(handle_types, "handle_types", HANDLE_TYPES, (count, 2))
        self.handles = _handles(handles, count)
        self.handle_scale = take_flags(handle_scale, "handle_scale", (count, 2, 3), False)
        self.handle_ease = take_flags(handle_ease, "handle_ease", (count, 2), False)
        self.endroll_as_inroll = take_flags(endroll_as_inroll, "endroll_as_inroll", (count,), False)
        self.scale_easing = take_flags(scale_easing, "scale_easing", (count,), True)
        self.curved = take_flags(curved, "curved", (count,), False)
        lock(*vars(self).values(), *self.shape)

    def _arguments(self) -> dict[str, Any]:
        return dict(vars(self))

    @property
    def bendy(self) -> Ints:
        """Indices of the bones with more than one segment."""
        return np.flatnonzero(self.segments > 1)

    def to_arrays(self) -> dict[str, Array]:
        """Return all options as arrays by name, for ``numpy.savez``; `from_arrays` reads them back."""
        arrays = {name: getattr(self, name) for name in _OPTIONS}
        return arrays | dict(zip(_SHAPE, self.shape, strict=True))

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, Array]) -> BBones:
        """Return the options that `to_arrays` returned.

        Examples
        --------
        >>> import skelkin_py as sk
        >>> sk.blender.BBones.from_arrays(sk.blender.BBones([1, 4]).to_arrays()).segments
        array([1, 4], dtype=int32)
        """
        if not isinstance(arrays, Mapping):
            raise TypeError(f"arrays is {type(arrays).__name__}: expected a mapping of names to arrays")
        missing = [name for name in ("segments", *_SHAPE) if name not in arrays]
        if missing:
            raise ValueError(f"arrays has no {missing[0]!r}: expected what to_arrays returns")
        shape = BBoneShape._make(arrays[name] for name in _SHAPE)
        rest = {name: value for name, value in arrays.items() if not name.startswith("shape_")}
        return cls(shape=shape, **rest)

    def __repr__(self) -> str:
        return f"<skelkin_py.blender.BBones: {self.bendy.size} of {self.segments.size} bones bend>"


def checked_shape(shape: BBoneShape, count: int, name: str, *, leading: bool) -> BBoneShape:
    """Return `shape` as float32 arrays of `count` bones, with `leading` dimensions or without, or raise an error."""
    if not isinstance(shape, tuple) or len(shape) != len(BBoneShape._fields):
        raise TypeError(f"{name} is {type(shape).__name__}: expected a BBoneShape")
    arrays = []
    for field, value, tail in zip(BBoneShape._fields, shape, ((2,), (2,), (2, 2), (2, 3))):
        array = numbers_of(value, f"{name}.{field}")
        wanted = (count, *tail)
        fits = array.shape[-len(wanted) :] == wanted and (leading or array.ndim == len(wanted))
        if not fits:
            shown = f"(…, {', '.join(map(str, wanted))})" if leading else str(wanted)
            raise ValueError(
                f"{name}.{field} has shape {array.shape} and dtype {array.dtype}: expected numbers {shown}"
            )
        arrays.append(np.array(array, np.float32))
    return BBoneShape(*arrays)


def _segments(values: npt.ArrayLike) -> Int32:
    array = array_of(values, "segments")
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise ValueError(f"segments has shape {array.shape} and dtype {array.dtype}: expected (B,) integers")
    for bone, segments in enumerate(array.tolist()):
        if not 1 <= segments <= MOST_SEGMENTS:
            raise ValueError(f"segments[{bone}] = {segments}: it must be 1 to {MOST_SEGMENTS}")
    return array.astype(np.int32)


def _handles(values: npt.ArrayLike | None, count: int) -> Int32:
    if values is None:
        return np.full((count, 2), -1, np.int32)
    array = array_of(values, "handles")
    if array.shape != (count, 2) or array.dtype.kind not in "iu":
        raise ValueError(f"handles has shape {array.shape} and dtype {array.dtype}: expected ({count}, 2) integers")
    for (bone, end), handle in np.ndenumerate(array):
        if not -1 <= handle < count:
            raise ValueError(f"handles[{bone}, {end}] = {handle}: it must be -1 or the index of one of {count} bones")
    return array.astype(np.int32)


def take_flags(value: npt.ArrayLike | None, name: str, shape: tuple[int, ...], otherwise: bool) -> Flags:
    """Return flags of this shape; all are `otherwise` where none are given."""
    if value is None:
        return np.full(shape, otherwise)
    array = array_of(value, name)
    if array.shape != shape or array.dtype.kind not in "bu":
        raise ValueError(f"{name} has shape {array.shape} and dtype {array.dtype}: expected {shape} bool")
    return array.astype(bool)


def take_choices(value: Any, name: str, known: Sequence[str], shape: tuple[int, ...]) -> npt.NDArray[np.uint8]:
    """Return the numbers of words, which are given as words or numbers; one word is that of all, None the first."""
    if value is None:
        return np.zeros(shape, np.uint8)
    if isinstance(value, str):
        value = np.full(shape, value)
    _core.check_unmasked(value, name)  # in a list as well, where numpy would lose the mask
    given = array_of(value if isinstance(value, np.ndarray) else np.array(value, object), name)
    if given.shape != shape:
        raise ValueError(f"{name} has shape {given.shape}: expected {shape}")
    if given.dtype.kind in "iu" and not ((given < 0) | (given >= len(known))).any():
        return given.astype(np.uint8)
    numbers = {word: number for number, word in enumerate(known)} | {number: number for number in range(len(known))}
    found = np.zeros(shape, np.uint8)
    for place, entry in np.ndenumerate(given):
        word = plain(entry)
        if type(word) not in (str, int) or word not in numbers:
            where = ", ".join(map(str, place))
            raise ValueError(f"{name}[{where}] = {word!r}: it must be one of {', '.join(known)}")
        found[place] = numbers[word]
    return found
