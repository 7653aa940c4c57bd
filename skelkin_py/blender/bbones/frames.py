# SPDX-License-Identifier: MIT
"""Segments of bendy bones, at rest and posed: what ``PoseBone.bbone_segment_matrix`` returns, for many frames."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from ... import _core
from ..._support.array_types import Flags, Float32, Floats, Ints
from ..float32_inverse import inverse
from ..rest.bbones import END, HANDLE_TYPES, START, BBones, BBoneShape
from ..rest.bones import Bones
from ..rest.frames import shortest_turn, twist_about_y

ABSOLUTE, RELATIVE, TANGENT = (HANDLE_TYPES.index(kind) for kind in ("ABSOLUTE", "RELATIVE", "TANGENT"))


SizesOf = Callable[[int], Float32]

_Real = TypeVar("_Real", np.float32, np.float64)


class _Space(NamedTuple):
    """Where N bones bend, in F frames: each in its own space, in which its length is `lengths`.

    All in float32, as what follows depends on the last bits.
    """

    inverse: Float32  # (N, F, 4, 4) out of armature space
    lengths: Float32  # (N, F)
    scale: Float32  # (N, F, 3) taken out of the pose, 1 where it is even
    posed: bool


class _Ends(NamedTuple):
    """Those of N bones whose start, or whose end, follows a handle; arrays (R,)."""

    end: int  # START or END
    rows: Ints  # of the N
    bones: Ints
    handles: Ints
    kinds: Ints
    smooth: Flags  # the handle is a bendy bone itself, which this one continues without a kink


def rest_frames(armature: Bones, bbones: BBones, bone: int) -> Floats:
    """Return a bendy bone's segments (n + 1, 4, 4) at rest, in its own space."""
    rest = armature.rest.astype(float)[None]
    scale = np.ones((1, 1, 3), np.float32)
    space = _Space(inverse(armature.rest[None, None, bone]), armature.lengths[None, None, bone], scale, False)
    bends = _bends(armature, bbones, np.array([bone]), rest, space, bbones.shape)
    return np.asarray(_frames(bbones, bone, bends[0])[0])


def posed_frames(
    armature: Bones, bbones: BBones, bones: Ints, pose: Floats, shape: BBoneShape, sizes_of: SizesOf
) -> list[Floats]:
    """Return the segments (F, n + 1, 4, 4) of each of (N,) bendy bones in `pose` (F, B, 4, 4), in its own space.

    `shape` is that of bones and poses together, (…, B, …); `sizes_of` returns by which scale (F, 3) a bone itself,
    without its parents, is posed.
    """
    into = np.swapaxes(pose[:, bones], 0, 1).astype(np.float32)
    axes = np.swapaxes(into[..., :3, :3], -1, -2)
    sizes = lengths_of_axes(into)
    uneven = (np.abs(sizes[..., 0] - sizes[..., 1]) > 1e-6) | (np.abs(sizes[..., 1] - sizes[..., 2]) > 1e-6)
    scale = np.where(uneven[..., None], sizes, np.float32(1))
    into[..., :3, :3] = np.swapaxes(np.where(uneven[..., None, None], _unit(axes), axes), -1, -2)
    lengths = armature.lengths[bones][:, None] * scale[..., 1]
    space = _Space(inverse(into), lengths, np.where(scale == 0, np.float32(1), scale), True)
    bends = _bends(armature, bbones, bones, pose, space, shape, sizes_of)
    frames = [_frames(bbones, bone, bend) for bone, bend in zip(bones.tolist(), bends, strict=True)]
    for row, frame in np.argwhere((scale == 0).any(axis=-1)).tolist():
        frames[row][frame] = 0
    return frames


def _frames(bbones: BBones, bone: int, bends: Floats) -> Floats:
    frames = np.empty((len(bends), int(bbones.segments[bone]) + 1, 4, 4))
    _core.blender_bend(bends, frames)
    return frames


def _bends(
    armature: Bones,
    bbones: BBones,
    bones: Ints,
    pose: Floats,
    space: _Space,
    shape: BBoneShape,
    sizes_of: SizesOf | None = None,
) -> Floats:
    """Return how bones bend (N, F, 24), as the core takes it."""
    both = [_ends_of(armature, bbones, bones, end) for end in (START, END)]
    bend = _own_bend(bbones, bones, len(pose), shape, both[START])
    if sizes_of is not None:
        _follow_sizes(bend, bbones, both, sizes_of)
    found = np.empty((len(bones), len(pose), 24))
    found[..., 0] = space.lengths
    found[..., 7:9], found[..., 9:11] = bend.ease, bend.roll
    for ends in both:
        directions, rolls = _directions(armature, pose, space, ends)
        into = slice(1 + 3 * ends.end, 4 + 3 * ends.end)
        found[..., into] = 0, 1, 0
        found[ends.rows, :, into] = directions
        found[ends.rows, :, 9 + ends.end] += rolls
    offsets = bend.curve * space.scale[:, :, None, ::2]
    found[..., 11:15], found[..., 15:21] = _joined(offsets), _joined(bend.scale)
    found[..., 21:] = space.scale
    return found


def _joined(pairs: Float32) -> Float32:
    return pairs.reshape(*pairs.shape[:2], -1)


def lengths_of_axes(matrices: Float32) -> Float32:
    """Return the lengths (…, 3) of the axes of matrices (…, 4, 4) as Blender rounds them."""
    x, y, z = (matrices[..., row, :3] for row in range(3))
    return np.asarray(np.sqrt((x * x + y * y) + z * z))


def _ends_of(armature: Bones, bbones: BBones, bones: Ints, end: int) -> _Ends:
    """Return which bones follow a handle at one end: where AUTO says so, a connected bone."""
    automatic = np.full(armature.num_bones, -1)
    if end == START:
        automatic[armature.connected] = armature.parents[armature.connected]
    else:
        for child in np.flatnonzero(armature.connected).tolist():
            automatic[armature.parents[child]] = child
    kinds = bbones.handle_types[bones, end]
    handles = np.where(kinds == 0, automatic[bones], bbones.handles[bones, end])
    rows = np.flatnonzero(handles >= 0)
    kinds, handles = kinds[rows], handles[rows]
    return _Ends(end, rows, bones[rows], handles, kinds, (kinds <= ABSOLUTE) & (bbones.segments[handles] > 1))


def _own_bend(bbones: BBones, bones: Ints, count: int, shape: BBoneShape, starts: _Ends) -> BBoneShape:
    """Return what bones and poses say, (N, F, 2, …), with the rolls and easing that options add to it."""

    def of_bones(field: Float32, tail: tuple[int, ...]) -> Float32:
        mine = np.take(field, bones, axis=-1 - len(tail))
        return np.array(np.swapaxes(np.broadcast_to(mine, (count, len(bones), *tail)), 0, 1))

    ease, roll, curve = of_bones(shape.ease, (2,)), of_bones(shape.roll, (2,)), of_bones(shape.curve, (2, 2))
    scale = of_bones(shape.scale, (2, 3))
    taken = bbones.endroll_as_inroll[starts.bones]
    roll[starts.rows[taken], :, START] += np.atleast_2d(shape.roll[..., starts.handles[taken], END]).T
    eased = bbones.scale_easing[bones]
    ease[eased] *= scale[eased, ..., 1]
    curve[eased] *= scale[eased, ..., 1, None]
    return BBoneShape(ease, roll, curve, scale)


def _follow_sizes(bend: BBoneShape, bbones: BBones, both: list[_Ends], sizes_of: SizesOf) -> None:
    """Scale both ends of bends as far as their handles are scaled, where options say so."""
    for end, rows, bones, handles, _, smooth in both:
        axes, easing = bbones.handle_scale[bones, end], bbones.handle_ease[bones, end]
        used = (axes.any(axis=1) | easing) & ~(smooth & (end == START))
        for each in np.flatnonzero(used).tolist():
            row, sizes = rows[each], sizes_of(int(handles[each]))
            bend.scale[row, :, end] *= np.where(axes[each], sizes, np.float32(1))
            if easing[each]:
                bend.ease[row, :, end] *= sizes[:, 1]
                bend.curve[row, :, end] *= sizes[:, 1, None]


def _directions(armature: Bones, pose: Floats, space: _Space, ends: _Ends) -> tuple[Floats, Floats]:
    """Return the directions (R, F, 3) of the curves at their ends, and the rolls (R, F) that handles give them."""
    into, lengths = space.inverse[ends.rows], space.lengths[ends.rows]
    point = _handle_points(armature, pose, space.posed, into, ends)
    from_tip = ends.smooth if ends.end == START else ~ends.smooth
    point[from_tip, :, 1] -= lengths[from_tip]
    side = -1 if ends.end == START else 1
    tiny = np.linalg.norm(point, axis=-1) < 1e-5 * lengths
    straight = np.array([0, side, 0], np.float32)
    directions = side * _unit(np.where(tiny[..., None], straight, point)).astype(float)
    rolls = np.zeros(lengths.shape)
    rolled = np.ones(len(ends.rows), bool) if ends.end == END else ~ends.smooth
    axes = into[rolled, :, :3, :3] @ np.swapaxes(pose[:, ends.handles[rolled], :3, :3], 0, 1)
    rolls[rolled] = _rolls_about(axes, directions[rolled])
    return directions, rolls


def _handle_points(armature: Bones, pose: Floats, posed: bool, into: Float32, ends: _Ends) -> Float32:
    """Return the points (R, F, 3) of handles in the bones' own spaces; in float32, whose last bits matter."""

    def head(bones: Ints) -> Float32:
        if not posed:
            return armature.heads[bones][:, None]
        return np.swapaxes(pose[..., :3, 3][:, bones], 0, 1).astype(np.float32)

    def tail(bones: Ints) -> Float32:
        if not posed:
            return armature.tails[bones][:, None]
        along = np.swapaxes(pose[..., :3, 1][:, bones], 0, 1).astype(np.float32)
        return np.asarray(head(bones) + along * armature.lengths[bones][:, None, None])

    kinds, handles = ends.kinds[:, None, None], ends.handles
    mine = head(ends.bones) if ends.end == START else tail(ends.bones)
    moved = head(handles) - armature.heads[handles][:, None]
    shift = np.where(kinds == RELATIVE, moved, tail(handles) - head(handles))
    relative = mine - shift if ends.end == START else mine + shift
    target = np.where(kinds >= RELATIVE, relative, head(handles) if ends.end == START else tail(handles))
    found = into[..., :3, 0] * target[..., :1] + into[..., :3, 1] * target[..., 1:2]
    return np.asarray((found + into[..., :3, 2] * target[..., 2:]) + into[..., :3, 3])


def _unit(vectors: npt.NDArray[_Real]) -> npt.NDArray[_Real]:
    """Return `vectors` (…, 3) of length one, in their own precision; those Blender takes for zero are zero."""
    x, y, z = (vectors[..., axis : axis + 1] for axis in range(3))
    square = (x * x + y * y) + z * z
    long_enough = square > 1e-35
    return np.where(long_enough, vectors * (1 / np.sqrt(np.where(long_enough, square, 1))), 0).astype(vectors.dtype)


def _inverse_axes(axes: Floats) -> Floats:
    """Return the inverse of matrices (…, 3, 3); of singular ones, zeros."""
    x, y, z = (axes[..., column] for column in range(3))
    rows = np.stack([_cross(y, z), _cross(z, x), _cross(x, y)], axis=-2)
    volume = np.einsum("...i,...i", x, rows[..., 0, :])[..., None, None]
    return np.where(volume != 0, rows / np.where(volume != 0, volume, 1), 0)


def _cross(left: Floats, right: Floats) -> Floats:
    """Return the cross product of vectors (…, 3), several times faster than numpy's."""
    (a, b, c), (x, y, z) = np.moveaxis(left, -1, 0), np.moveaxis(right, -1, 0)
    return np.stack([b * z - c * y, c * x - a * z, a * y - b * x], axis=-1)


def _rolls_about(axes: Floats, directions: Floats) -> Floats:
    """Return by how much `axes` (…, 3, 3) are rolled about unit `directions` (…, 3), as Blender reads it."""
    turn = _inverse_axes(shortest_turn(directions)) @ axes
    columns = np.swapaxes(_unit(np.swapaxes(turn, -1, -2)), -1, -2)
    volume = np.einsum("...i,...i", columns[..., 0], _cross(columns[..., 1], columns[..., 2]))
    columns = np.where(volume[..., None, None] < 0, -columns, columns)
    return np.asarray(2 * np.arctan2(*twist_about_y(columns)))
