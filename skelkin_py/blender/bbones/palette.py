# SPDX-License-Identifier: MIT
"""What the segments of bendy bones do to points: which of them move a point, and matrices like those of whole bones."""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from ..._support.arguments import number_array
from ..._support.array_types import Flags, Float32, Floats, Int32, Ints
from ..._support.values import lock, tuple_of_arrays
from ..float32_inverse import inverse, product
from ..pose import checked_pose, local_from_pose
from ..rest.bbones import BBones, BBoneShape, checked_shape
from ..rest.bones import INHERIT_SCALE, Bones, checked_armature, checked_bendy
from .frames import SizesOf, lengths_of_axes, posed_frames, rest_frames

# What a call takes in memory besides its result is that of so many.
FRAMES_AT_ONCE = 64
# Armatures do not change, so that their boundaries at rest are found once, and go with them.
_known_at_rest: WeakKeyDictionary[Bones, tuple[Floats, Floats, Int32, Int32]] = WeakKeyDictionary()


@tuple_of_arrays
class SegmentPalette(NamedTuple):
    """Matrices of all boundaries between segments, bone after bone; a bone with n segments has n + 1 rows.

    Attributes
    ----------
    matrices : (F, S, 4, 4) array
        What each boundary does to points in armature space; the identity in the rest pose.
    rest : (S, 4, 4) float64 array
        Where the boundaries are at rest, in armature space.
    first, rows : (B,) int32 array
        Each bone's first row and number of rows; 0 rows for bones that do not bend.
    """

    matrices: npt.NDArray[np.floating]
    rest: Floats
    first: Int32
    rows: Int32


def segment_palette(armature: Bones, pose: npt.ArrayLike, bbones: BBoneShape | None = None) -> SegmentPalette:
    """Return what the segments of an armature's bendy bones do to points, in every frame of a pose.

    Parameters
    ----------
    armature : Armature
        Its ``bbones`` say how bones bend; without them there are no rows.
    pose : (..., B, 4, 4) float array
        Matrices of the bones in armature space, as `Armature.pose` returns them.
    bbones : BBoneShape, optional
        What the pose adds to the curves, as `read_bbone_channels` returns it; arrays (B, …) for all frames, or
        (..., B, …) with the leading dimensions of `pose`.

    Returns
    -------
    SegmentPalette
        ``matrices`` has the leading dimensions of `pose` and, if that is float32 or float64, its dtype.

    Raises
    ------
    TypeError, ValueError
        For arrays of another kind or shape; the message names the argument.

    Notes
    -----
    A cubic curve through both ends, cut at even steps of its length, as Blender's manual describes bendy bones;
    computed in float32 where Blender's rounding decides, within 5e-5 of Blender's. Where a curve has a cusp, frames
    turn with the last bit of a handle, and differ by more in about one of three thousand random bones.
    Degenerate poses give Blender's own result: handles of a bone of scale 0 are at its head, and points that follow
    a bone of scale 0 along one axis only go to the origin. Below such a bone Blender's own numbers are noise.

    Examples
    --------
    >>> import numpy as np
    >>> import skelkin_py as sk
    >>> rest = np.tile(np.eye(4), (2, 1, 1))
    >>> rest[1, 1, 3] = 1.0
    >>> bend = sk.blender.BBones([4, 1])
    >>> arm = sk.blender.Armature([-1, 0], rest, connected=[False, True], bbones=bend)
    >>> sk.blender.segment_palette(arm, rest).matrices.shape
    (5, 4, 4)
    """
    poses = _poses(pose, checked_armature(armature).num_bones)
    leading = poses.shape[:-3]
    options = armature.bbones or BBones(np.ones(armature.num_bones, np.int32))
    shape = options.shape.with_pose(_frames_of(bbones, armature.num_bones, leading))
    rest, back, first, rows = _at_rest(armature, options)
    flat = poses.reshape(math.prod(leading), *poses.shape[-3:]).astype(float)
    matrices = np.empty((len(flat), len(rest), 4, 4), poses.dtype)
    bone_of_row = np.repeat(np.arange(armature.num_bones), rows)
    for start in range(0, len(flat) if len(rest) else 0, FRAMES_AT_ONCE):
        frames = slice(start, start + FRAMES_AT_ONCE)
        some = flat[frames]
        posed = posed_frames(
            armature, options, options.bendy, some, _shape_in(shape, frames), _own_sizes(armature, some)
        )
        matrices[frames] = some[:, bone_of_row] @ np.concatenate(posed, axis=1) @ back
    return SegmentPalette(matrices.reshape(*leading, *matrices.shape[1:]), rest, first, rows)


def segment_frames(
    armature: Bones, bone: int, pose: npt.ArrayLike | None = None, bbones: BBoneShape | None = None
) -> Floats:
    """Return a bendy bone's segments in its own space: what ``PoseBone.bbone_segment_matrix`` returns.

    Parameters
    ----------
    armature, bbones
        As of `segment_palette`.
    bone : int
        Index of a bone with more than one segment.
    pose : (..., B, 4, 4) float array, optional
        As of `segment_palette`; without it, segments are those at rest (``rest=True``).

    Returns
    -------
    (..., n + 1, 4, 4) float64 array
        Matrices of the boundaries of its n segments.

    Raises
    ------
    TypeError, ValueError
        For arrays of another kind or shape, and for a bone that does not bend.

    Examples
    --------
    >>> import numpy as np
    >>> import skelkin_py as sk
    >>> arm = sk.blender.Armature([-1], np.eye(4)[None], bbones=sk.blender.BBones([2]))
    >>> sk.blender.segment_frames(arm, 0)[:, 1, 3]
    array([0. , 0.5, 1. ])
    """
    options, bone = checked_bendy(armature, bone)
    if not (bbones is None or isinstance(bbones, BBoneShape)):
        raise TypeError(f"bbones is {type(bbones).__name__}: expected a BBoneShape or None")
    if pose is None:
        return rest_frames(armature, options, bone)
    poses = _poses(pose, armature.num_bones)
    leading = poses.shape[:-3]
    shape = options.shape.with_pose(_frames_of(bbones, armature.num_bones, leading))
    flat = poses.reshape(-1, *poses.shape[-3:]).astype(float)
    (found,) = posed_frames(armature, options, np.array([bone]), flat, shape, _own_sizes(armature, flat))
    return found.reshape(*leading, *found.shape[1:])


def _at_rest(armature: Bones, options: BBones) -> tuple[Floats, Floats, Int32, Int32]:
    """Return the boundaries (S, 4, 4) in armature space, their inverses, each bone's first row and its rows."""
    if (known := _known_at_rest.get(armature)) is not None:
        return known
    rows = np.where(options.segments > 1, options.segments + 1, 0).astype(np.int32)
    first = (np.cumsum(rows) - rows).astype(np.int32)
    rest = np.empty((int(rows.sum()), 4, 4))
    for bone in options.bendy:
        frames = rest_frames(armature, options, bone)
        rest[first[bone] : first[bone] + rows[bone]] = armature.rest[bone].astype(float) @ frames
    singular = np.linalg.det(rest) == 0  # their inverse is zeros, as in Blender
    back = np.linalg.inv(np.where(singular[:, None, None], np.eye(4), rest))
    back[singular] = 0
    lock(*(found := (rest, back, first, rows)))
    _known_at_rest[armature] = found
    return found


def _own_sizes(armature: Bones, poses: Floats) -> SizesOf:
    """Return what gives a bone's own scale (F, 3) in poses; few bones need it, so it is found at the first call."""

    @cache
    def local() -> Floats:
        return np.asarray(local_from_pose(armature, poses))

    def sizes_of(bone: int) -> Float32:
        full = armature.inherit_rotation[bone] and INHERIT_SCALE[armature.inherit_scale[bone]] == "FULL"
        if armature.parents[bone] >= 0 and full:
            return lengths_of_axes(_own_matrix(armature, poses, bone))
        return np.asarray(np.linalg.norm(local()[:, bone, :3, :3], axis=1), np.float32)

    return sizes_of


def _own_matrix(armature: Bones, poses: Floats, bone: int) -> Float32:
    """Return matrices (F, 4, 4) of a bone without those of its parent, which it inherits whole, with Blender's bits."""
    parent = armature.parents[bone]
    offset = np.eye(4, dtype=np.float32)
    offset[:3, :3], offset[:3, 3] = armature.axes[bone], armature.offsets[bone]
    offset[1, 3] += armature.lengths[parent]
    inherited = product(poses[:, parent].astype(np.float32), offset)
    return product(inverse(inherited), poses[:, bone].astype(np.float32))


def _poses(pose: npt.ArrayLike, count: int) -> npt.NDArray[np.floating]:
    array = checked_pose(pose, count)
    return array if array.dtype in (np.float32, np.float64) else array.astype(np.float64)


def _shape_in(shape: BBoneShape, frames: slice) -> BBoneShape:
    """Return what holds in some frames, of arrays with or without a dimension of frames."""
    arrays = (field[frames] if field.ndim > ndim else field for field, ndim in zip(shape, (2, 2, 3, 3)))
    return BBoneShape(*arrays)


def _frames_of(bbones: BBoneShape | None, count: int, leading: tuple[int, ...]) -> BBoneShape | None:
    """Return what a pose adds, with one leading dimension of frames or none."""
    if bbones is None:
        return None
    arrays = []
    for name, field in zip(BBoneShape._fields, checked_shape(bbones, count, "bbones", leading=True)):
        inner = field.shape[-(3 if name in ("curve", "scale") else 2) :]
        before = field.shape[: field.ndim - len(inner)]
        if before and before != leading:
            raise ValueError(f"bbones.{name} has leading dimensions {before}: pose has {leading}")
        arrays.append(field.reshape(-1, *inner) if before else field)
    return BBoneShape(*arrays)


def segment_weights(armature: Bones, points: npt.ArrayLike, bone: int) -> tuple[Int32, Floats]:
    """Return between which boundaries of a bendy bone's segments points are, at rest.

    Parameters
    ----------
    armature : Armature
        Its ``bbones`` say how bones bend.
    points : (N, 3) float array
        Points in armature space, at rest.
    bone : int
        Index of a bone with more than one segment.

    Returns
    -------
    index : (N,) int32 array
        The boundary before each point, 0 to n - 1: row ``first[bone] + index`` of `segment_palette`.
    blend : (N,) float64 array
        How much of the point's weight goes to the next boundary, 0 to 1; the rest goes to `index`.

    Raises
    ------
    TypeError, ValueError
        For points of another kind or shape, and for a bone that does not bend.

    Notes
    -----
    Straight mapping measures along the bone from head to tail. Curved mapping (Blender 4.0 and later, by a bone's
    option) looks for the boundaries on both sides of the point and smooths what lies between.

    Examples
    --------
    >>> import numpy as np
    >>> import skelkin_py as sk
    >>> arm = sk.blender.Armature([-1], np.eye(4)[None], bbones=sk.blender.BBones([4]))
    >>> sk.blender.segment_weights(arm, [[0.0, 0.375, 0.0], [0.0, 2.0, 0.0]], 0)
    (array([1, 3], dtype=int32), array([0.5, 1. ]))
    """
    places = number_array(points, "points", 2, "(N, 3)").astype(float)
    if places.shape[1] != 3:
        raise ValueError(f"points has shape {places.shape}: expected (N, 3)")
    options, bone = checked_bendy(armature, bone)
    segments = int(options.segments[bone])
    rest = armature.rest[bone].astype(float)
    if options.curved[bone]:
        along = _along_curve(rest @ rest_frames(armature, options, bone), places)
    else:
        inverse = np.linalg.inv(rest)
        along = (places @ inverse[1, :3] + inverse[1, 3]) / float(armature.lengths[bone])
    factor = np.clip(along, 0, 1) * segments
    index = np.minimum(factor.astype(np.int32), segments - 1)
    return index, factor - index


def _along_curve(boundaries: Floats, points: Floats) -> Floats:
    """Return where (N,) points are along a curve of `boundaries` (n + 1, 4, 4), from 0 to 1."""
    segments = len(boundaries) - 1
    origins, normals = boundaries[:, :3, 3], boundaries[:, :3, 1]
    normals = normals / np.linalg.norm(normals, axis=1, keepdims=True)
    constants = np.einsum("ki,ki->k", normals, origins)
    arc = float(np.linalg.norm(np.diff(origins, axis=0), axis=1).sum())
    visits, along = _between(normals, constants, points)
    smallest = segments * float(np.linalg.norm(origins[-1] - origins[0])) / arc * 0.222
    depth = math.ceil(math.log2(segments + 2))
    steeper = max(smallest, 1.0) ** (1 / (depth - 1))
    for level in range(len(visits) - 1, -1, -1):
        boundary, distance, seen = visits[level]
        place, away = boundary / segments, distance / arc
        gap = np.abs(along - place) - np.abs(away)
        near = 1 - np.abs(away) * (segments / smallest * steeper**level)
        drawn = seen & (gap > 0) & (near > 0)
        gap, near = np.where(drawn, gap, 1), np.where(drawn, near, 0)
        share = 3 * gap / (3 * gap + np.abs(away)) * (8 * near * near / (7 * near + 1))
        along = along + (place + away - along) * share
    return along


def _between(normals: Floats, constants: Floats, points: Floats) -> tuple[list[tuple[Ints, Floats, Flags]], Floats]:
    """Search for the two planes that a point lies between, by halving; return those visited and the place between."""
    segments, count = len(normals) - 1, len(points)
    low, high = np.full(count, -1), np.full(count, segments + 1)
    below, above = np.zeros(count), np.zeros(count)
    bias = np.zeros(count, np.int64)
    visits = []
    while (searching := high - low > 1).any():
        middle = np.where(searching, (low + high + bias) // 2, 0)
        distance = np.einsum("ni,ni->n", normals[middle], points) - constants[middle]
        left, right = searching & (distance < 0), searching & (distance >= 0)
        high, above = np.where(left, middle, high), np.where(left, distance, above)
        low, below = np.where(right, middle, low), np.where(right, distance, below)
        bias = np.where(left, 1, np.where(right, 0, bias))
        visits.append((middle, distance, searching))
    span = np.abs(below) + np.abs(above)
    part = np.abs(below) / np.where(span > 0, span, 1)
    along = (low + part) / segments
    along = np.where(low < 0, 0, np.where(high > segments, 1, along))
    return visits, along
