# SPDX-License-Identifier: MIT
"""Segments of bendy bones, at rest and posed: what ``PoseBone.bbone_segment_matrix`` returns, for many frames."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .. import _core
from .bbones import END, HANDLE_TYPES, START, BBones, BBoneShape
from .bone_axes import Float32, Floats, rolls_about, unit
from .float32_inverse import inverse

if TYPE_CHECKING:
    from .armature import Armature

ABSOLUTE, RELATIVE, TANGENT = (HANDLE_TYPES.index(kind) for kind in ("ABSOLUTE", "RELATIVE", "TANGENT"))


SizesOf = Callable[[int], Floats]


class _Space(NamedTuple):
    """Where a bone bends, in F frames: its own space, in which its length is `lengths`.

    All in float32, as what follows hangs on the last bits.
    """

    inverse: Float32  # (F, 4, 4) out of armature space
    lengths: Float32  # (F,)
    scale: Float32  # (F, 3) taken out of the pose, 1 where it is even
    posed: bool


class _Bend(NamedTuple):
    """How a bone bends, in F frames: arrays of `BBoneShape` (F, 2, …) with everything taken into account."""

    ease: Float32
    roll: Float32
    curve: Float32
    scale: Float32


def rest_frames(armature: Armature, bbones: BBones, bone: int) -> Floats:
    """Return a bendy bone's segments (n + 1, 4, 4) at rest, in its own space."""
    rest = armature.rest.astype(float)[None]
    scale = np.ones((1, 3), np.float32)
    space = _Space(inverse(armature.rest[None, bone]), armature.lengths[None, bone], scale, False)
    frames = _frames(armature, bbones, bone, rest, space, bbones.shape)
    return np.asarray(frames[0])


def posed_frames(
    armature: Armature, bbones: BBones, bone: int, pose: Floats, shape: BBoneShape, sizes_of: SizesOf
) -> Floats:
    """Return a bendy bone's segments (F, n + 1, 4, 4) in `pose` (F, B, 4, 4), in its own space.

    `shape` is that of bones and poses together, (…, B, …); `sizes_of` returns by which scale (F, 3) a bone itself,
    without its parents, is posed.
    """
    into = pose[:, bone].astype(np.float32)
    axes = np.swapaxes(into[:, :3, :3], 1, 2)
    sizes = lengths_of_axes(into)
    uneven = (np.abs(sizes[:, 0] - sizes[:, 1]) > 1e-6) | (np.abs(sizes[:, 1] - sizes[:, 2]) > 1e-6)
    scale = np.where(uneven[:, None], sizes, np.float32(1))
    into[:, :3, :3] = np.swapaxes(np.where(uneven[:, None, None], unit(axes), axes), 1, 2)
    space = _Space(inverse(into), armature.lengths[bone] * scale[:, 1], scale, True)
    frames = _frames(
        armature, bbones, bone, pose, space._replace(scale=np.where(scale == 0, 1, scale)), shape, sizes_of
    )
    frames[(scale == 0).any(axis=1)] = 0
    return frames


def _frames(
    armature: Armature,
    bbones: BBones,
    bone: int,
    pose: Floats,
    space: _Space,
    shape: BBoneShape,
    sizes_of: SizesOf | None = None,
) -> Floats:
    segments = int(bbones.segments[bone])
    handles = handles_of(armature, bbones, bone)
    bend = _bend(bbones, bone, len(pose), shape, handles)
    if sizes_of is not None:
        _follow_sizes(bend, bbones, bone, handles, sizes_of)
    directions, rolls = _ends(armature, bbones, bone, pose, space, handles)
    bends = np.empty((len(pose), 24))
    bends[:, 0], bends[:, 1:4], bends[:, 4:7] = space.lengths, *directions
    bends[:, 7:9], bends[:, 9:11] = bend.ease, rolls + bend.roll
    bends[:, 11:15] = (bend.curve * space.scale[:, None, ::2]).reshape(-1, 4)
    bends[:, 15:21], bends[:, 21:] = bend.scale.reshape(-1, 6), space.scale
    frames = np.empty((len(pose), segments + 1, 4, 4))
    _core.blender_bend(bends, frames)
    return frames


def lengths_of_axes(matrices: Float32) -> Float32:
    """Return the lengths (…, 3) of the axes of matrices (…, 4, 4) as Blender rounds them."""
    x, y, z = (matrices[..., row, :3] for row in range(3))
    return np.asarray(np.sqrt((x * x + y * y) + z * z))


def handles_of(armature: Armature, bbones: BBones, bone: int) -> tuple[int, int]:
    """Return the bones that a bendy bone's start and end follow, -1 for none."""
    start, end = bbones.handles[bone].tolist()
    if bbones.handle_types[bone, START] == 0:
        start = int(armature.parents[bone]) if armature.connected[bone] else -1
    if bbones.handle_types[bone, END] == 0:
        connected = np.flatnonzero((armature.parents == bone) & armature.connected)
        end = int(connected[-1]) if connected.size else -1
    return start, end


def _bend(bbones: BBones, bone: int, count: int, shape: BBoneShape, handles: tuple[int, int]) -> _Bend:
    ease, roll = (np.array(np.broadcast_to(field[..., bone, :], (count, 2)), np.float32) for field in shape[:2])
    curve = np.array(np.broadcast_to(shape.curve[..., bone, :, :], (count, 2, 2)), np.float32)
    scale = np.array(np.broadcast_to(shape.scale[..., bone, :, :], (count, 2, 3)), np.float32)
    if bbones.endroll_as_inroll[bone] and handles[START] >= 0:
        roll[:, START] += shape.roll[..., handles[START], END]
    if bbones.scale_easing[bone]:
        ease *= scale[..., 1]
        curve *= scale[..., 1, None]
    return _Bend(ease, roll, curve, scale)


def _follow_sizes(bend: _Bend, bbones: BBones, bone: int, handles: tuple[int, int], sizes_of: SizesOf) -> None:
    """Scale both ends of a bend as far as their handles are scaled, where options say so."""
    for end, handle in enumerate(handles):
        axes, easing = bbones.handle_scale[bone, end], bbones.handle_ease[bone, end]
        if handle < 0 or not (axes.any() or easing) or (end == START and is_smooth(bbones, bone, end, handle)):
            continue
        sizes = sizes_of(handle).astype(np.float32)
        bend.scale[:, end] *= np.where(axes, sizes, np.float32(1))
        if easing:
            bend.ease[:, end] *= sizes[:, 1]
            bend.curve[:, end] *= sizes[:, 1, None]


def is_smooth(bbones: BBones, bone: int, end: int, handle: int) -> bool:
    """Tell whether a handle is a bendy bone itself, which this one continues without a kink."""
    return bool(bbones.handle_types[bone, end] <= ABSOLUTE and bbones.segments[handle] > 1)


def _ends(
    armature: Armature, bbones: BBones, bone: int, pose: Floats, space: _Space, handles: tuple[int, int]
) -> tuple[list[Floats], Floats]:
    """Return the directions (2 of (F, 3)) of the curve at its ends, and the rolls (F, 2) that handles give it."""
    rolls = np.zeros((len(pose), 2))
    directions = []
    for end, handle in enumerate(handles):
        if handle < 0:
            directions.append(np.broadcast_to([0.0, 1.0, 0.0], (len(pose), 3)))
            continue
        smooth = is_smooth(bbones, bone, end, handle)
        point = _handle_point(armature, int(bbones.handle_types[bone, end]), bone, end, pose, space, handle)
        if smooth if end == START else not smooth:
            point[:, 1] -= space.lengths
        side = -1 if end == START else 1
        tiny = np.linalg.norm(point, axis=1) < 1e-5 * space.lengths
        directions.append(side * unit(np.where(tiny[:, None], np.array([0, side, 0], np.float32), point)).astype(float))
        if end == END or not smooth:
            axes = space.inverse[:, :3, :3] @ pose[:, handle, :3, :3]
            rolls[:, end] = rolls_about(axes, directions[-1])
    return directions, rolls


def _handle_point(
    armature: Armature, kind: int, bone: int, end: int, pose: Floats, space: _Space, handle: int
) -> Float32:
    """Return a handle's point (F, 3) in the bone's own space; in float32, whose last bits matter to what follows."""

    def head(index: int) -> Float32:
        return pose[:, index, :3, 3].astype(np.float32) if space.posed else armature.heads[None, index]

    def tail(index: int) -> Float32:
        if not space.posed:
            return armature.tails[None, index]
        return np.asarray(head(index) + pose[:, index, :3, 1].astype(np.float32) * armature.lengths[index])

    mine = head(bone) if end == START else tail(bone)
    if kind == RELATIVE:
        moved = head(handle) - armature.heads[handle]
        target = mine - moved if end == START else mine + moved
    elif kind == TANGENT:
        along = tail(handle) - head(handle)
        target = mine - along if end == START else mine + along
    else:
        target = head(handle) if end == START else tail(handle)
    into = space.inverse
    found = into[:, :3, 0] * target[:, :1] + into[:, :3, 1] * target[:, 1:2]
    return np.asarray((found + into[:, :3, 2] * target[:, 2:]) + into[:, :3, 3])
