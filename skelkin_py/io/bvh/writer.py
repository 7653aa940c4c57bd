# SPDX-License-Identifier: MIT
"""Writing BVH files.

A clip that was read from a BVH file goes back as that file: hierarchy, channel orders and every number as printed;
new numbers are put only where the clip was changed. Other clips get ``Zrotation Xrotation Yrotation``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

import numpy as np

from ... import _core
from ..._support.array_types import FilePath, Flags, Floats, Ints
from ..._support.atomic import write_whole
from ..._support.values import same_values
from ...motion.clip import Clip
from ...motion.scales import refuse_shear
from ..numbers import Rows, decimals_for, format_rows
from ..source import differ
from .angles import channels_from_rotations, full_axes
from .layout import BvhJoint, write_hierarchy
from .source import BvhSource

ROTATION_DECIMALS = 6  # degrees: 2e-8 of the length of what is turned
_SAME = 1e-12  # a change this small is rounding, and far below the digits of any file
_DEFAULT_ROTATIONS = (5, 3, 4)
_POSITIONS = (0, 1, 2)


def write_bvh(path: FilePath, clip: Clip) -> None:
    """Write a clip as a BVH file.

    Numbers of a clip that was read from a BVH file are repeated as they were printed, except for the joints and frames
    that have changed; their angles run on without jumps. Channels are added where a change cannot be said without.

    Parameters
    ----------
    path : str or os.PathLike
        The file; it is replaced in one step when all is written.
    clip : Clip
        The clip. Its scales must be none or 1, as the format has no place for them, or those of the file it was read
        from.

    Raises
    ------
    ValueError
        If a scale differs from 1, the rest pose is sheared or a name cannot be written.
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> import numpy as np, skelkin_py as sk
    >>> skeleton = sk.Skeleton([-1], np.eye(4)[None], ["hips"])
    >>> clip = sk.Clip(skeleton, np.tile([1.0, 0.0, 0.0, 0.0], (2, 1, 1)), fps=30)
    >>> write_bvh("still.bvh", clip)
    >>> sk.load("still.bvh").num_frames
    2
    """
    source = clip._source if isinstance(clip._source, BvhSource) else None
    if source is not None and not same_values(clip.scales, source.scales):
        source = None
    if clip.scales is not None and source is None:
        wrong = np.argwhere(np.abs(clip.scales - 1.0) > 1e-6)
        if wrong.size:
            frame, joint, _ = wrong[0].tolist()
            scale = clip.scales[frame, joint].tolist()
            raise ValueError(f"scales[{frame}, {joint}] is {scale}: a BVH file can only hold 1 ({clip.names[joint]!r})")
    refuse_shear(clip, "a BVH file")
    write_whole(path, _from_scratch(clip) if source is None else _from_source(clip, source))


def _motion_header(frames: int, frame_time: str, newline: str) -> bytes:
    return newline.join(["MOTION", f"Frames: {frames}", f"Frame Time: {frame_time}", ""]).encode("ascii")


def _frame_time(fps: float) -> str:
    return f"{1.0 / fps:.10g}"


def _depth_first(clip: Clip) -> list[int]:
    """Return the joints in the order of a BVH file: each with all below it before its next sibling."""
    parents = clip.skeleton.parents.tolist()
    children: list[list[int]] = [[] for _ in range(len(parents) + 1)]  # the last are the roots, whose parent is -1
    for joint in reversed(range(len(parents))):
        children[parents[joint]].append(joint)
    order, stack = [], children.pop()
    while stack:
        order.append(stack.pop())
        stack += children[order[-1]]
    return order


def _checked_name(index: int, name: str) -> str:
    if not name or name != name.strip() or any(c in "{}" or not c.isprintable() for c in name):
        raise ValueError(
            f"names[{index}] is {name!r}: a BVH name is not empty, and holds no braces, no control characters and no "
            "spaces around it"
        )
    return name


def _moving(translations: Floats, offsets: Floats) -> Flags:
    """Return which joints' translations ever differ from their offsets by more than rounding."""
    size = np.maximum(np.abs(offsets).max(axis=-1), np.abs(translations).max(axis=(0, 2), initial=0.0))
    return np.asarray(np.abs(translations - offsets).max(axis=(0, 2), initial=0.0) > 1e-12 * size)


def _from_scratch(clip: Clip) -> bytes:
    """Return the file of a clip that comes from no BVH file."""
    skeleton = clip.skeleton
    offsets = np.asarray(skeleton.rest_local[:, :3, 3], np.float64)
    moving = _moving(clip.translations, offsets)
    order = _depth_first(clip)
    place = {joint: index for index, joint in enumerate(order)}
    joints: list[BvhJoint] = []
    columns: list[Floats] = []
    decimals: list[int] = []
    for joint in order:
        parent = int(skeleton.parents[joint])
        with_positions = parent < 0 or bool(moving[joint])
        end = skeleton.end_sites.get(joint)
        x, y, z = offsets[joint].tolist()
        name, channels = _checked_name(joint, clip.names[joint]), _POSITIONS * with_positions + _DEFAULT_ROTATIONS
        ends = () if end is None else ((float(end[0]), float(end[1]), float(end[2])),)
        joints.append(BvhJoint(name, place.get(parent, -1), (x, y, z), channels, ends))
        if with_positions:
            columns.append(clip.translations[:, joint])
            decimals += [decimals_for(clip.translations[:, joint])] * 3
        columns.append(channels_from_rotations(clip.rotations[:, joint], joints[-1].rotations))
        decimals += [ROTATION_DECIMALS] * 3
    rows = format_rows(np.concatenate(columns, axis=1), np.array(decimals), behind=b"\n")
    header = write_hierarchy(joints).encode("utf-8")
    return header + _motion_header(clip.num_frames, _frame_time(clip.fps), "\n") + rows.text


class _Edits:
    """New texts for runs of columns in some frames, given from left to right; everything else stays."""

    def __init__(self, source: BvhSource, changed: Ints) -> None:
        """Look where the numbers of the changed joints stand, and the one before them, behind which others may go."""
        self.source = source
        firsts, counts = source.first_columns(), [len(joint.channels) for joint in source.head.joints]
        spans = [range(max(firsts[k] - 1, 0), max(firsts[k] + counts[k], 1)) for k in changed.tolist()]
        columns = np.unique([column for span in spans for column in span]).astype(np.int64)
        self.numbers = source.numbers(columns)
        self.place = {column: place for place, column in enumerate(columns.tolist())}
        self.begins: list[Ints] = []
        self.ends: list[Ints] = []
        self.rows: list[Rows] = []

    def values(self, column: int) -> Floats:
        """Return what stands in a column of a changed joint."""
        return self.numbers.values[:, self.place[column]]

    def put(self, first: int, last: int, frames: Ints, values: Floats, decimals: Ints) -> None:
        """Put `values` (n, k) into the columns `first` to `last` of `frames`; none of them: insert before `first`."""
        numbers, place = self.numbers, self.place
        before = behind = b""
        if first < last:
            begins, ends = numbers.starts[frames, place[first]], numbers.ends[frames, place[last - 1]]
        elif first > 0:
            begins = ends = numbers.ends[frames, place[first - 1]]
            before = b" "
        else:
            begins = ends = numbers.starts[frames, place[0]]
            behind = b" "
        self.begins.append(begins)
        self.ends.append(ends)
        self.rows.append(format_rows(values, decimals, before=before, behind=behind))

    def body(self) -> bytes:
        """Return all lines of the motion section."""
        source = self.source
        body, newline = source.body, source.head.newline.encode("ascii")
        start, stop = int(source.rows[0]), int(source.row_ends[-1])
        if not self.rows:
            return body[start:stop].rstrip(b"\r") + newline
        begins, ends = np.concatenate(self.begins), np.concatenate(self.ends)
        order = np.argsort(begins, kind="stable")  # places in the file: frame by frame, from left to right
        offsets = np.cumsum([0, *(len(rows.text) for rows in self.rows)]).tolist()
        pieces = zip(self.rows, offsets, strict=False)
        stops = np.concatenate([rows.stops + offset for rows, offset in pieces])
        starts = np.concatenate([[0], stops[:-1]])
        text = b"".join([rows.text for rows in self.rows])
        parts = begins[order], ends[order], text, starts[order], stops[order]
        return _core.splice_text(body, start, stop, *parts).rstrip(b"\r") + newline


def _changes(clip: Clip, source: BvhSource) -> tuple[Flags, Flags]:
    """Return where rotations and translations differ from those that were read: (F, J) each."""
    old = np.abs(source.translations)
    far = np.maximum(np.maximum(old[..., 0], old[..., 1]), old[..., 2])
    moved = differ(clip.translations, source.translations, _SAME * far)
    return differ(clip.rotations, source.rotations, _SAME), moved


def _from_source(clip: Clip, source: BvhSource) -> bytes:
    """Return the file the clip was read from, with what has changed since."""
    turned, moved = _changes(clip, source)
    changed = np.flatnonzero(turned.any(axis=0) | moved.any(axis=0))
    edits = _Edits(source, changed)
    firsts = source.first_columns()
    joints = list(source.head.joints)
    for index in changed.tolist():
        joints[index] = _edit_joint(edits, clip, index, firsts[index], turned[:, index], moved[:, index])
    header = source.head.header
    if joints != source.head.joints:
        text = write_hierarchy(joints)
        header = text.replace("\n", source.head.newline).encode(source.head.encoding)
    frame_time = (clip.fps == source.facts.fps and source.head.rate.printed) or _frame_time(clip.fps)
    return header + _motion_header(clip.num_frames, frame_time, source.head.newline) + edits.body()


def _edit_joint(edits: _Edits, clip: Clip, index: int, first: int, turned: Flags, moved: Flags) -> BvhJoint:
    """Put the changed numbers of one joint, with new channels behind its own where it lacks some."""
    joint = edits.source.head.joints[index]
    values: dict[int, Floats] = {}
    if turned.any():
        axes = full_axes(joint.rotations)
        known = np.zeros((clip.num_frames, 3))
        for place, axis in enumerate(axes):
            if axis + 3 in joint.channels:
                known[:, place] = edits.values(first + joint.channels.index(axis + 3))
        angles = channels_from_rotations(clip.rotations[:, index], axes, turned, known)
        values |= {axis + 3: angles[:, place] for place, axis in enumerate(axes)}
    if moved.any():
        is_added = index == 0 and edits.source.added is not None
        for axis in _POSITIONS:
            column, offset = clip.translations[:, index, axis], joint.offset[axis]
            if axis in joint.channels or (column != offset).any():
                values[axis] = column - offset if is_added else column
    digits = decimals_for(clip.translations[moved, index])

    def put(begin: int, end: int, channels: Sequence[int], frames: Ints) -> None:
        table = np.stack([values[channel][frames] for channel in channels], axis=1)
        decimals = np.array([digits if channel < 3 else ROTATION_DECIMALS for channel in channels])
        edits.put(first + begin, first + end, frames, table, decimals)

    at = 0
    for (is_new, moves), run in groupby(joint.channels, lambda channel: (channel in values, channel < 3)):
        channels = list(run)
        if is_new:
            put(at, at + len(channels), channels, np.flatnonzero(moved if moves else turned))
        at += len(channels)
    added = [channel for channel in values if channel not in joint.channels]
    if not added:
        return joint
    put(at, at, added, np.arange(clip.num_frames))
    return replace(joint, channels=(*joint.channels, *added))
