# SPDX-License-Identifier: MIT
"""Few keys for curves that are known on every frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ... import _core
from ..._support.arguments import number_array
from ..._support.array_types import Array, Floats
from ..._support.short_repr import short_repr
from ..._support.values import Value
from ...transforms import invert
from .fcurves import Curves

KINDS = ("FREE", "KEPT", "BROKEN", "HELD")
_MODES = ("QUATERNION", "XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX", "AXIS_ANGLE")


@dataclass(frozen=True, eq=False)
class KeyedBone(Value):
    """A bone of a chain whose channels get keys; its arrays are the caller's own, seen read-only.

    Attributes
    ----------
    matrix : (F, 4, 4) array
        Where it is on every frame, in world or armature space.
    basis : (F, 4, 4) array
        What its channels make up: ``pose_bone.matrix_basis``.
    scale : (F, 3) array
        Its scale channels.
    mode : str
        Its rotation mode: "QUATERNION", "AXIS_ANGLE" or an Euler order, spelled in order of application ("XYZ").
    rotation, location : int or None
        The first column of `fit_keys`' values with its rotation and with its location; None: they are not keyed, and
        stay as they are in `basis`.
    points : (F, P, 3) array
        What the tolerance is for, in the space of `matrix`: points that move with the bone.
    """

    matrix: Floats
    basis: Floats
    scale: Floats
    mode: str
    rotation: int | None
    location: int | None
    points: Floats

    def __repr__(self) -> str:
        return short_repr(self)


@dataclass(frozen=True, eq=False)
class FittedKeys(Value):
    """Keys that curves have in common, cubic in time between them; read-only.

    Attributes
    ----------
    frames : (K,) float64 array
    values : (K, C) float64 array
        The curves' values at the keys.
    left_slopes, right_slopes : (K, C) float64 array
        Their slopes before and after each key, per frame.
    error : float
        The greatest distance of a point of the chain from where it was, on any frame; without a chain, the greatest
        difference of a value.
    """

    frames: Floats
    values: Floats
    left_slopes: Floats
    right_slopes: Floats
    error: float

    def __len__(self) -> int:
        """Return the number of keys."""
        return len(self.frames)

    def __repr__(self) -> str:
        return (
            f"<skelkin_py.blender.FittedKeys: {len(self)} keys, {self.values.shape[1]} curves, error {self.error:.3g}>"
        )

    def handles(self, curve: int) -> tuple[Floats, Floats, Floats]:
        """Return keys, left and right handles of one curve: frame and value, (K, 2) each.

        Handles are at thirds of the way to the next key, so that Bezier curves are cubic in time; those at the ends are
        a third of a frame long.

        Examples
        --------
        >>> import skelkin_py as sk
        >>> keys = sk.blender.fit_keys([0, 1, 2, 3], [[0.0], [1.0], [2.0], [3.0]], tolerance=1e-6)
        >>> keys.handles(0)[2].round(3).tolist()
        [[1.0, 1.0], [3.333, 3.333]]
        """
        steps = np.diff(self.frames) / 3
        before, after = np.concatenate([[1 / 3], steps]), np.concatenate([steps, [1 / 3]])
        key = np.stack([self.frames, self.values[:, curve]], axis=1)
        left = key - np.stack([before, before * self.left_slopes[:, curve]], axis=1)
        right = key + np.stack([after, after * self.right_slopes[:, curve]], axis=1)
        return key, left, right

    def curves(self, names: Sequence[tuple[str, int]]) -> Curves:
        """Return them as F-curves of these data paths and array indices, one per column.

        Examples
        --------
        >>> import skelkin_py as sk
        >>> keys = sk.blender.fit_keys([0, 1, 2], [[0.0], [1.0], [4.0]], tolerance=0.0)
        >>> keys.curves([("location", 0)]).evaluate([0, 1, 2]).ravel().tolist()
        [0.0, 1.0, 4.0]
        """
        parts = [self.handles(curve) for curve in range(self.values.shape[1])]
        keys, left, right = (np.concatenate(pieces) for pieces in zip(*parts, strict=True))
        starts = np.arange(len(parts) + 1) * len(self)
        return Curves(names, starts, keys, left=left, right=right)


def fit_keys(
    frames: npt.ArrayLike,
    values: npt.ArrayLike,
    *,
    tolerance: float,
    kinds: Mapping[int, str] | None = None,
    chain: Sequence[KeyedBone] = (),
) -> FittedKeys:
    """Return few keys for curves whose values are known on every frame.

    Parameters
    ----------
    frames : (F,) array_like
        Rising.
    values : (F, C) array_like
        The values of C curves, which get keys on the same frames.
    tolerance : float
        How far a point of the chain may be from where it was, in the units of its points; without a chain, how far a
        value may be off. 0 or more.
    kinds : mapping of int to str, optional
        Row of `frames` → what that frame is: "KEPT", a key; "BROKEN", a key at which slopes may jump, as where a foot
        comes down; "HELD", one whose values are held up to the next frame of a kind (give it the same values). All
        others are "FREE" to get a key. The first and the last frame have one.
    chain : sequence of KeyedBone, optional
        Bones whose channels the curves are, parents first, each below the one before.

    Returns
    -------
    FittedKeys

    Raises
    ------
    ValueError
        A shape, a kind or a column does not fit; a number is not finite; frames do not rise; the tolerance is negative.

    Examples
    --------
    >>> import numpy as np
    >>> import skelkin_py as sk
    >>> frames = np.arange(61)
    >>> wave = np.sin(frames / 10)[:, None]
    >>> keys = sk.blender.fit_keys(frames, wave, tolerance=0.01)
    >>> len(keys), keys.error <= 0.01
    (4, True)

    Notes
    -----
    Method: keys are put at the ends of the longest pieces, one after the other, that a cubic of its own meets within
    four fifths of the tolerance. Then values and slopes at the keys are those that come nearest to all values (least
    squares, one band of equations for all curves), so that curves are smooth; where that is further off than the
    tolerance, slopes jump at both ends of the piece. The tolerance is kept on the given frames. See
    docs/sparse-keys.md.
    """
    at = number_array(frames, "frames", 1, "(F,)").astype(np.float64)
    wanted = np.ascontiguousarray(number_array(values, "values", 2, "(F, C)"), np.float64)
    if wanted.shape[0] != len(at) or not wanted.size:
        raise ValueError(f"values has shape {wanted.shape}: expected ({len(at)}, C) with C ≥ 1, for {len(at)} frames")
    numbers = np.zeros(len(at), np.uint8)
    for row, kind in (kinds or {}).items():
        if not 0 <= row < len(at) or kind not in KINDS:
            raise ValueError(f"kinds[{row!r}] is {kind!r}: expected a row from 0 to {len(at) - 1} and one of {KINDS}")
        numbers[row] = KINDS.index(kind)
    packed = _packed(chain, len(at), wanted.shape[1]) if len(chain) else None
    is_key, fitted, left, right, error = _core.fit_keys(at, wanted, numbers, float(tolerance), packed)
    rows = np.flatnonzero(is_key)
    return FittedKeys(at[rows], fitted[rows], left[rows], right[rows], error)


def _packed(chain: Sequence[KeyedBone], frames: int, curves: int) -> tuple[Array, ...]:
    """Return the chain as the native function takes it."""
    for i, bone in enumerate(chain):
        _check(i, bone, frames, curves)
    matrices = np.stack([bone.matrix for bone in chain], axis=1).astype(np.float64)
    basis = np.stack([bone.basis for bone in chain], axis=1).astype(np.float64)
    above = matrices @ invert(basis)
    above[:, 1:] = invert(matrices[:, :-1]) @ above[:, 1:]
    columns = [(-1 if c is None else c) for bone in chain for c in (bone.rotation, bone.location)]
    counts = [bone.points.shape[1] for bone in chain]
    targets = np.concatenate([bone.points for bone in chain], axis=1).astype(np.float64)
    owners = np.repeat(np.arange(len(chain), dtype=np.int32), counts)
    inside = invert(matrices)[:, owners]
    points = np.einsum("fpij,fpj->fpi", inside[..., :3, :3], targets) + inside[..., :3, 3]
    modes = np.array([_MODES.index(bone.mode) for bone in chain], np.uint8)
    scales = np.ascontiguousarray(np.stack([bone.scale for bone in chain], axis=1), np.float64)
    above, points, targets = map(np.ascontiguousarray, (above, points, targets))
    return modes, np.array(columns, np.int32).reshape(-1, 2), above, basis, scales, owners, points, targets


def _check(i: int, bone: KeyedBone, frames: int, curves: int) -> None:
    for name, shape in (("matrix", (frames, 4, 4)), ("basis", (frames, 4, 4)), ("scale", (frames, 3))):
        if (given := np.shape(getattr(bone, name))) != shape:
            raise ValueError(f"chain[{i}].{name} has shape {given}: expected {shape}")
    if (given := np.shape(bone.points))[::2] != (frames, 3) or len(given) != 3:
        raise ValueError(f"chain[{i}].points has shape {given}: expected ({frames}, P, 3)")
    if bone.mode not in _MODES:
        raise ValueError(f"chain[{i}].mode is {bone.mode!r}: expected one of {', '.join(_MODES)}")
    sizes = {"rotation": 4 if bone.mode in ("QUATERNION", "AXIS_ANGLE") else 3, "location": 3}
    for name, size in sizes.items():
        first = getattr(bone, name)
        if first is not None and not 0 <= first <= curves - size:
            raise ValueError(f"chain[{i}].{name} is {first}: {size} of {curves} columns must begin there")
