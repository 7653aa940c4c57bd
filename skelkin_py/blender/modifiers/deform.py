# SPDX-License-Identifier: MIT
"""What Blender's Armature modifiers make of the points of a mesh."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Literal, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from ... import _core
from ..._support.arguments import flag, numbers_of
from ..._support.array_types import Array, Float32
from ..._support.values import lock
from ...skinning.skin import skin_points
from ..bbones.palette import segment_palette
from ..float32_inverse import inverse, product
from ..pose import checked_pose
from ..rest.bbones import BBoneShape
from ..rest.bones import Bones, checked_armature
from .dual_palette import dual_palette
from .influence_rows import InfluenceRows, Spaces, influence_rows
from .options import ArmatureModifier, VertexGroups, checked_modifiers, world_matrix

Compat = Literal["4.2", "3.4"]


class _Palette(NamedTuple):
    """Rest and skinning matrices of bones and, behind them, of boundaries between the segments of bendy bones.

    `matrices` are exact or in float64; `rounded` have Blender's bits, the same if exact.
    """

    rest: Float32
    matrices: Array
    rounded: Float32

    def of(self, frames: slice) -> _Palette:
        return self._replace(matrices=self.matrices[frames], rounded=self.rounded[frames])


class _Call(NamedTuple):
    """What all modifiers of a call share."""

    armature: Bones
    groups: VertexGroups
    palette: _Palette
    spaces: Spaces
    compat: Compat
    exact: bool
    dtype: Any


def deform(
    armature: Bones,
    pose: npt.ArrayLike,
    points: npt.ArrayLike,
    *,
    groups: VertexGroups | None = None,
    modifiers: Iterable[ArmatureModifier] | ArmatureModifier | None = None,
    mesh_world: npt.ArrayLike | None = None,
    armature_world: npt.ArrayLike | None = None,
    bbones: BBoneShape | None = None,
    compat: Compat = "4.2",
    exact: bool = False,
    out: Array | None = None,
) -> Array:
    """Move the points of a mesh as Blender's Armature modifiers do.

    Parameters
    ----------
    armature : Armature
    pose : (..., B, 4, 4) float array
        Matrices of the bones in armature space, as `Armature.pose` returns them.
    points : (V, 3) or (..., V, 3) float array
        Points of the mesh in its own space, before the modifiers: the same in all poses, or those of each pose.
    groups : VertexGroups, optional
        Vertex groups of the mesh; none.
    modifiers : ArmatureModifier or sequence of them, optional
        The mesh's Armature modifiers from first to last; one with Blender's defaults.
    mesh_world, armature_world : (4, 4) float array, optional
        ``matrix_world`` of both objects; the identity.
    bbones : BBoneShape, optional
        What the poses add to bendy bones, as `read_bbone_channels` returns it.
    compat : {"4.2", "3.4"}
        Whose rules: those of Blender 4.2 and later or of 3.4. They differ for bones with scale under "preserve volume",
        and in the direction in which a modifier with `multi` mixes.
    exact : bool
        Blend matrices in float32 in Blender's own order of operations, which gives Blender's bits for objects that are
        not moved. Points are taken and returned as float32 then.
    out : ndarray, (..., V, 3), optional
        Where the result goes; may overlap with the points (then through a copy). Best without gaps. Deforming frame
        after frame into one array saves the system's work for fresh memory.

    Returns
    -------
    (..., V, 3) array
        Points of the mesh in its own space, with the leading dimensions of the pose; float32 if `points` is, else
        float64. With float32 points it is what the evaluated mesh has. `out`, if that was given.

    Raises
    ------
    TypeError, ValueError
        For arrays of another kind or shape; the message names the argument.

    Notes
    -----
    Groups of a vertex count in the order they are stored; groups without bone and bones that do not deform are passed
    over. Weights are divided by their sum; where it is at most 1e-4 the vertex stays. Envelopes bind a vertex only
    where no group does, a group of weight 0 included. An armature without bones leaves the mesh as it is. Where an
    object is scaled to 0 along an axis, all points are at the armature's origin before bones move them, as in Blender
    (5.0 and later, of a mesh: see `read_modifiers`). "Preserve volume" blends dual quaternions (L. Kavan et al.,
    "Skinning with Dual Quaternions", I3D 2007), each with the sign that is nearer to the sum so far.

    What the groups are to the armature is worked out in the first call and kept in `groups`, so that later calls, for
    other poses, take less time.

    Examples
    --------
    >>> import numpy as np
    >>> import skelkin_py as sk
    >>> arm = sk.blender.Armature([-1], np.eye(4)[None], names=["arm"])
    >>> pose = np.eye(4)[None].copy()
    >>> pose[0, :3, 3] = [0, 0, 2]
    >>> groups = sk.blender.VertexGroups(["arm"], [0, 1, 1], [0], [0.5])
    >>> sk.blender.deform(arm, pose, [[1.0, 0, 0], [1.0, 0, 0]], groups=groups)
    array([[1., 0., 2.],
           [1., 0., 0.]])
    """
    if not isinstance(compat, str) or compat not in ("4.2", "3.4"):
        raise ValueError(f"compat is {compat!r}: expected '4.2' or '3.4'")
    exact = flag("exact", exact)
    # Products of other orders are summed otherwise by some versions of numpy.
    poses = np.ascontiguousarray(checked_pose(pose, checked_armature(armature).num_bones))
    leading = poses.shape[:-3]
    start = _checked_points(points, leading, exact)
    stack = checked_modifiers(modifiers)
    if groups is None:
        groups = VertexGroups.none(start.shape[-2])
    elif not isinstance(groups, VertexGroups):
        raise TypeError(f"groups is {type(groups).__name__}: expected VertexGroups or None")
    elif groups.num_vertices != start.shape[-2]:
        raise ValueError(f"groups is of {groups.num_vertices} vertices: points has {start.shape[-2]}")
    result = _checked_out(out, (*leading, *start.shape[-2:]), start.dtype)
    if np.may_share_memory(result, start):
        start = start.copy()
    spaces = _spaces(
        world_matrix(mesh_world, "mesh_world").tobytes(), world_matrix(armature_world, "armature_world").tobytes()
    )
    frames = math.prod(leading)
    palette = _palette(armature, poses.reshape(frames, *poses.shape[-3:]), bbones, leading, exact)
    call = _Call(armature, groups, palette, spaces, compat, exact, start.dtype)
    each = start.reshape(frames if start.ndim > 2 else 1, *start.shape[-2:])
    if result.flags.c_contiguous:
        flat = result.reshape(frames, *start.shape[-2:])
        moved = _through(call, stack, each, flat)
        if moved is not flat:
            flat[...] = moved
    else:
        moved = _through(call, stack, each, None)
        result[...] = np.broadcast_to(moved, (frames, *moved.shape[1:])).reshape(result.shape)
    return result


def _checked_points(points: npt.ArrayLike, leading: tuple[int, ...], exact: bool) -> Array:
    array = numbers_of(points, "points")
    if array.ndim < 2 or array.shape[-1] != 3 or array.shape[:-2] not in ((), leading):
        shown = ", ".join(map(str, leading))
        raise ValueError(f"points has shape {array.shape}: expected (V, 3) or ({shown}{', ' if leading else ''}V, 3)")
    wanted = np.float32 if exact or array.dtype == np.float32 else np.float64
    return np.ascontiguousarray(array, wanted)


def _checked_out(out: Any, shape: tuple[int, ...], dtype: Any) -> Array:
    """Return `out`, or a new array."""
    if out is None:
        return np.empty(shape, dtype)
    if not isinstance(out, np.ndarray):
        raise TypeError(f"out must be a numpy array, not {type(out).__name__}")
    _core.check_unmasked(out, "out")
    if out.dtype != dtype:
        raise TypeError(f"out has dtype {out.dtype}: the result is {dtype}")
    if out.shape != shape:
        raise ValueError(f"out has shape {out.shape}: expected {shape}")
    _core.check_own_memory(out)
    return out


@lru_cache(maxsize=64)
def _spaces(mesh_world: bytes, armature_world: bytes) -> Spaces:
    """Return the spaces of two objects, which mostly are where they were in the last call."""
    mesh, armature = (np.frombuffer(world, np.float32).reshape(4, 4) for world in (mesh_world, armature_world))
    back = product(inverse(mesh), armature)
    same = bool(np.array_equal(back, np.eye(4)))
    into = back if same else inverse(back)
    lock(into, back)
    return Spaces(into, back, same)


# Armatures do not change, so that the inverses of their bones are found once, and go with them.
_known_inverses: WeakKeyDictionary[Bones, tuple[Float32, Array]] = WeakKeyDictionary()


def _rest_inverses(armature: Bones) -> tuple[Float32, Array]:
    """Return the inverse rest matrices with Blender's bits, and in float64."""
    if (known := _known_inverses.get(armature)) is not None:
        return known
    found = inverse(armature.rest), np.linalg.inv(armature.rest.astype(np.float64))
    _known_inverses[armature] = found
    return found


def _palette(
    armature: Bones, poses: Array, bbones: BBoneShape | None, leading: tuple[int, ...], exact: bool
) -> _Palette:
    bits, wide = _rest_inverses(armature)
    rounded = product(poses.astype(np.float32), bits)
    matrices = rounded if exact else poses.astype(np.float64) @ wide
    if armature.bbones is None:
        return _Palette(armature.rest, matrices, rounded)
    segments = segment_palette(armature, poses.reshape(*leading, *poses.shape[-3:]), bbones)
    more = segments.matrices.reshape(len(poses), -1, 4, 4)
    rest = np.concatenate([armature.rest, segments.rest])
    rest[:, :3, :3] /= np.linalg.norm(rest[:, :3, :3], axis=1, keepdims=True)
    both = (np.concatenate([each, more.astype(each.dtype)], axis=1) for each in (matrices, rounded))
    return _Palette(rest, *both)


def _through(call: _Call, stack: tuple[ArmatureModifier, ...], points: Array, out: Array | None) -> Array:
    """Return (F or 1, V, 3) points after all modifiers, in `out` if the last one moves what it is given.

    `multi` goes back to what the run's first was given.
    """
    before = points
    for index, modifier in enumerate(stack):
        masks = call.groups.mask(modifier.vertex_group, modifier.invert)
        to = out if index == len(stack) - 1 else None
        if not (modifier.multi and index):
            before = points
            points = _deformed(call, modifier, masks, points, to)
        elif call.compat == "4.2":
            moved = _deformed(call, modifier, None, before, to)
            points = moved if masks is None else _mixed(points, moved, masks)
        elif masks is not None:
            points = _mixed(_deformed(call, modifier, None, before, to), points, masks)
    return points


def _mixed(one: Array, other: Array, masks: Float32) -> Array:
    weights = masks[:, None].astype(one.dtype)
    return np.asarray(one * (1 - weights) + other * weights)


def _deformed(call: _Call, modifier: ArmatureModifier, masks: Float32 | None, points: Array, to: Array | None) -> Array:
    """Return (F, V, 3) points after one modifier from (1 or F, V, 3); in `to`, if given."""
    frames = call.palette.matrices.shape[0]
    out = np.empty((frames, *points.shape[1:]), call.dtype) if to is None else to
    if len(points) == 1:
        _deform_into(call, modifier, masks, points[0], out, keep=True)
    else:
        for frame in range(frames):
            each = slice(frame, frame + 1)
            of_frame = call._replace(palette=call.palette.of(each))
            _deform_into(of_frame, modifier, masks, points[frame], out[each], keep=frame == 0)
    return out


def _deform_into(
    call: _Call, modifier: ArmatureModifier, masks: Float32 | None, points: Array, out: Array, *, keep: bool
) -> None:
    rows = influence_rows(call.armature, call.groups, modifier, points, call.spaces, keep)
    if call.exact and not modifier.preserve_volume:
        _blend_exactly(call, rows, masks, points, out)
    elif call.spaces.collapse:
        _blend_in_armature(call, rows, modifier, masks, points, out)
    else:
        _blend_by_kind(call, rows, modifier, masks, points, out)


def _blend_in_armature(
    call: _Call, rows: InfluenceRows, modifier: ArmatureModifier, masks: Float32 | None, points: Array, out: Array
) -> None:
    """Blend in the space of the armature, of and to which nothing can be taken through an inverse.

    Points without bones go there and back too; only those of mask 0 do not.
    """
    unit = np.eye(4, dtype=np.float32)
    placed = np.tile(call.spaces.into[:3, 3].astype(call.dtype), (len(points), 1))
    blended = np.empty_like(out, order="C")
    _blend_by_kind(call._replace(spaces=Spaces(unit, unit, True)), rows, modifier, masks, placed, blended)
    back = call.spaces.back.astype(call.dtype)
    moved = blended @ back[:3, :3].T + back[:3, 3]
    out[...] = moved if masks is None else np.where(masks[:, None] == 0, points, moved)


def _blend_by_kind(
    call: _Call, rows: InfluenceRows, modifier: ArmatureModifier, masks: Float32 | None, points: Array, out: Array
) -> None:
    if not rows.num_matrices:
        out[...] = points
    elif modifier.preserve_volume:
        _blend_motions(call, rows, masks, points, out)
    else:
        _blend(call, rows, (modifier.vertex_group, modifier.invert), masks, points, out)


def _blend(
    call: _Call, rows: InfluenceRows, mask_name: tuple[str, bool], masks: Float32 | None, points: Array, out: Array
) -> None:
    matrices = call.palette.matrices
    if not call.spaces.same:
        matrices = call.spaces.back.astype(np.float64) @ matrices @ call.spaces.into.astype(np.float64)
    if masks is not None:
        matrices = np.concatenate([matrices, np.broadcast_to(np.eye(4), (len(matrices), 1, 4, 4))], axis=1)
    weights = rows.shares if masks is None else rows.masked(mask_name, masks)
    skin_points(points, weights, matrices.astype(call.dtype), out=out)


def _blend_exactly(call: _Call, rows: InfluenceRows, masks: Float32 | None, points: Array, out: Array) -> None:
    into, back = (None if call.spaces.same else np.ascontiguousarray(matrix.T) for matrix in call.spaces[:2])
    matrices = np.ascontiguousarray(np.swapaxes(call.palette.rounded, -1, -2))
    entries = (rows.offsets, rows.indices, rows.weights, rows.totals)
    _core.blender_deform_linear(np.ascontiguousarray(points), into, back, matrices, *entries, masks, out)


def _blend_motions(call: _Call, rows: InfluenceRows, masks: Float32 | None, points: Array, out: Array) -> None:
    blend_scales = call.compat == "3.4"
    base = call.palette.rest
    posed = product(call.palette.rounded, base)
    rest, given, held = (each.astype(np.float64) for each in (base, call.palette.matrices, posed))
    palette = dual_palette(rest, given, held, blend_scales)
    into, back = (None if call.spaces.same else np.ascontiguousarray(matrix, call.dtype) for matrix in call.spaces[:2])
    motions = np.ascontiguousarray(palette.motions, call.dtype)
    scales = None if palette.scales is None else np.ascontiguousarray(palette.scales, call.dtype)
    given = np.ascontiguousarray(points)
    _core.blender_deform_dual(rows.shares, given, motions, scales, blend_scales, into, back, out)
    if masks is not None:
        weights = masks[:, None].astype(call.dtype)
        out[...] = np.where(weights == 0, points, points + weights * (out - points))
