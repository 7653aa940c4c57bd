# SPDX-License-Identifier: MIT
"""Planting from a file of local matrices into another one."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..arguments import frame_rate
from ..io.same_file import check_target
from ..plant_options import PlantKeywords, PlantOptions, chosen_options, takes_plant_options
from ..planting.held_frames import find_held
from ..planting.known import LoopCut
from ..planting.leg_tracks import Subset, leg_tracks
from ..planting.plant import check_finite, subset_for
from ..planting.remarks import STILL, FastTurn, fastest_turns
from ..planting.report_forms import metres_in_unit
from ..planting.settings import settled
from ..planting.up_axis import axis_name
from ..skeleton import Skeleton, checked_skeleton
from ..values import compared_by_values
from .file_motion import SAMPLE, FileMotion, read_motion
from .file_report import FileReport, note_block
from .npy_rows import NpyRows, NpyWriter, block_spans, writing_npy
from .skin_file import checked_block

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["PlantedFile", "plant_file"]

Array = NDArray[np.float64]


@compared_by_values
class PlantedFile(NamedTuple):
    """What `plant_file` returns.

    Attributes
    ----------
    shape : tuple of int
        Shape of the array in the target.
    changed : tuple of int
        Joints whose local matrix differs from the source in some frame, rising.
    report : FileReport
        What was done, in numbers.
    """

    shape: tuple[int, ...]
    changed: tuple[int, ...]
    report: FileReport


@takes_plant_options
def plant_file(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    skeleton: Skeleton,
    *,
    fps: float,
    block: int = 4096,
    progress: Callable[[int, int], object] | None = None,
    options: PlantOptions | None = None,
    **changes: Unpack[PlantKeywords],
) -> PlantedFile:
    """Plant the feet of a clip in a `.npy` file that may be larger than the memory, into another one.

    The clip's statistics (leg lengths, soles, limits of contacts, the level of the ground, the pace of the body) are
    read first, then block after block is planted with so much around it as decides about it: contacts as a whole, and
    the time in which a correction makes itself felt. The result does not depend on the block.

    Parameters
    ----------
    source : str or os.PathLike
        A `.npy` file of local matrices, (F, J, 4, 4) or (F, J, 3, 4), float32 or float64.
    target : str or os.PathLike
        The `.npy` file to write, of the same shape and dtype; not the source, by links neither. One that is there is
        replaced at the end; if something fails it stays as it was.
    skeleton : Skeleton
        J joints.
    fps : float
        Frames per second, 1e-12 to 1e12.
    block : int, default 4096
        Frames at a time. Memory is that of a block and some seconds around it; it grows with the longest contact, and
        with the longest time, up to a minute, in which a foot does not stand.
    progress : callable, optional
        Called with the frames that are done and their number in all, before the first block and after each.
    options : PlantOptions, optional
        All that follows at once; what is given beside it counts instead.
    **changes
        The fields of `PlantOptions`.

    Returns
    -------
    PlantedFile
        ``shape``, ``changed`` and ``report``.

    Raises
    ------
    FormatError
        A source that is no `.npy` file in row order.
    ValueError, TypeError
        As `plant_locals`; motion that holds its poses, as on twos; a block that is no whole number above 0; a target
        that is the source.
    OSError
        A file that cannot be read or written.

    See Also
    --------
    plant_feet : The same for a clip in memory.

    Notes
    -----
    Up to 16 384 frames the statistics are those of all frames, and the result is that of `plant_locals` to rounding.
    Of a longer clip they are those of sixteen pieces, evenly spread over the range, of 16 384 frames together.

    Examples
    --------
    >>> clip = sk.example("biped").clip
    >>> np.save("walk.npy", clip.local_matrices())
    >>> planted = sk.plant_file("walk.npy", "planted.npy", clip.skeleton, fps=clip.fps, block=50)
    >>> len(planted.report.contacts), round(planted.report.slide()[1], 6)
    (11, 0.0)
    """
    began = time.perf_counter()
    checked_skeleton(skeleton)
    block = checked_block(block)
    check_target(target, {"source": source})
    fps = frame_rate(fps)
    with NpyRows(source) as rows:
        num = _checked_frames(rows, skeleton.num_joints)
        chosen = settled(chosen_options("plant_file", options, changes), num)
        if chosen.ground is not None:
            chosen.ground.check_frames(num)
        subset = subset_for(skeleton, chosen)

        def read(start: int, stop: int) -> Array:
            return _local(rows, subset, start, stop)

        held = find_held(subset, read(0, min(num, SAMPLE)), fps)
        if held is not None:
            raise ValueError(
                f"{rows.path}: {held.remark.split(':')[0]}, whose poses are held: plant it by plant_locals"
            )
        tell = progress or _silent
        tell(0, num)
        motion = read_motion(subset, read, fps, chosen, num, block)
        known = motion.known
        report = FileReport(
            num,
            axis_name(known.scene.up),
            known.ground.level,
            float(np.mean([track.length for track in known.scene.tracks])),
            unreached=[0] * len(subset.legs),
            messages=list(known.scene.messages),
            legs=[leg.name for leg in subset.legs],
            fps=fps,
            ground_velocity=known.scene.velocity,
            pinned=known.scene.pin,
            loop=known.scene.loop is not None,
        )
        report.unit_known = chosen.metres_per_unit is not None
        report.metres_per_unit = metres_in_unit(chosen.metres_per_unit, report.leg_length, report.messages)
        with writing_npy(target, rows.shape, rows.dtype if rows.dtype.kind == "f" else np.dtype(np.float64)) as out:
            changed = _work(rows, out, motion, read, block, report, tell)
    report.seconds = time.perf_counter() - began
    return PlantedFile(rows.shape, tuple(sorted(int(subset.joints[joint]) for joint in changed)), report)


def _work(
    rows: NpyRows,
    out: NpyWriter,
    motion: FileMotion,
    read: Callable[[int, int], Array],
    block: int,
    report: FileReport,
    progress: Callable[[int, int], object],
) -> set[int]:
    """Plant block after block; return the joints that change, counted in the subset."""
    known, num, changed = motion.known, len(rows), set[int]()
    joints, fastest = known.scene.subset.joints, list[FastTurn]()
    scene, frames = known.scene, motion.frames if known.scene.loop is None else (0, num - 1)
    tally = scene.cost_tally(report.leg_length, num, frames, known.glitches)
    near = round(known.scene.fps) + 4  # as far as a frame's figures look
    closing = None if known.scene.loop is None else LoopCut(known, read(num - 1, num)[0])
    for start, stop in block_spans(num, block):
        if not known.stands:
            first = max(start - near, 0)
            same = leg_tracks(scene.subset, read(first, min(stop + near, num)), scene.tracks)
            tally.add(same, same, first, (start, stop - 1), [[] for _ in same])
            out.append(rows[start:stop])
            progress(stop, num)
            continue
        part, solved = motion.planted(start, stop)
        first = part.first - motion.margin
        turns = fastest_turns(known, part, solved, slice(start - first, stop - first))
        fastest = [max(pair) for pair in zip(fastest or turns, turns, strict=True)]
        if closing is not None:
            part, solved = closing.cut_out(part, solved)
        note_block(report, known, part, solved, start, stop)
        tally.add(part.tracks, solved.after, part.first, (start, stop - 1), part.contacts, part.alone)
        written = rows[start:stop]
        for joint, at in solved.changed.items():
            own = at[(at >= start - part.first) & (at < stop - part.first)]
            if own.size:
                changed.add(joint)
                width = rows.shape[2]
                written[own + part.first - start, joints[joint]] = solved.local[own, joint, :width]
        out.append(written)
        progress(stop, num)
    report.cost = tally.cost()
    report.messages += [turn.remark for turn in fastest if turn.remark]
    report.messages += [STILL] * (known.stands and not changed)
    return changed


def _silent(done: int, num: int) -> None:
    """Tell nobody how far the work is."""


def _checked_frames(rows: NpyRows, joints: int) -> int:
    """Return how many frames a file of local matrices has."""
    shape = rows.shape
    if len(shape) != 4 or shape[1:] not in ((joints, 4, 4), (joints, 3, 4)) or not shape[0]:
        raise ValueError(f"{rows.path} holds {shape}: (F, {joints}, 4, 4) or (F, {joints}, 3, 4) with F ≥ 1 is needed")
    return shape[0]


def _local(rows: NpyRows, subset: Subset, start: int, stop: int) -> Array:
    """Return the local matrices of the joints that take part."""
    given = rows[start:stop][:, subset.joints]
    out = np.zeros((*given.shape[:2], 4, 4))
    out[:, :, 3, 3] = 1.0
    out[:, :, : given.shape[2]] = given
    check_finite(out, subset, start)
    return out
