# SPDX-License-Identifier: MIT
"""Reading BVH files: hierarchy and motion into a `Clip`, with what a writer needs to give the same file back."""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Iterable
from io import FileIO

import numpy as np

from ..._support.arguments import LEAST_FPS, MOST_FPS, frame_rate
from ..._support.array_types import FilePath, Floats, Ints
from ..._support.errors import FormatError, quoted, warn_of_format
from ..._support.values import lock
from ...motion.clip import Clip, with_source
from ...motion.facts import ClipFacts
from ...skeleton import Skeleton
from ..frame_rates import likely_rate
from ..numbers import find_words, number, parse_words
from ..unique_names import unique_names
from .angles import rotations_from_channels
from .layout import BvhJoint, Remark, decoded, line_of, no_number, parse_hierarchy
from .mending import mended
from .root_reading import ADDED, ROOTS, is_added
from .source import BLOCK, BvhSource, Head, Rate

_MOTION = re.compile(rb"^[ \t]*MOTION\b", re.IGNORECASE | re.MULTILINE)
# No two neighbours match the same characters: how a long run of spaces is shared out would be tried in all ways.
_FRAMES = re.compile(rb"\s*Frames\s*(?::\s*)?(\S+)", re.IGNORECASE)
_FRAME_TIME = re.compile(rb"\s*Frame[ \t]*Time\s*(?::[ \t]*)?(\S+)[ \t\r]*(\n|\Z)", re.IGNORECASE)
_JOINT_BYTES = 7 * 8  # of a clip's rotation and translation, per frame and joint
_UNSUSPECTED = 2**30  # bytes that a clip may take whatever the size of its file
_GIVE = "; give the rate with fps= (--fps)"
_FIRST = 2**16  # bytes that are read first: more than nearly every hierarchy has
_SWELLS = 64  # times a file's size that its clip may take: twice what the tersest columns of numbers come to


def read_bvh(path: FilePath, *, fps: float | None = None, strict: bool = False, root: str = "auto") -> Clip:
    """Read a BVH file.

    Rotation channels may come in any order and number, position channels on any joint; a position channel takes the
    place of the offset. Joints keep the file's order and rest rotations are none; end sites are kept in
    ``skeleton.end_sites``. A name that occurs again gets ``.001``, ``.002`` … in the clip, and is saved as it was.
    A frame time that is 1/n rounded to its printed digits gives exactly n frames per second.

    Files that break the rules in ways that are common and beyond doubt are read with a `FormatWarning` for each: text
    or comments between the lines, decimal commas or commas between numbers, rows that are wrapped, a row more or fewer
    than announced or no announcement, channels of scales, an end site without an offset, text in UTF-16. What was made
    of them is in ``clip.facts.notes``. When saved, such a clip is a file without these faults. So is a frame time of
    more than a second that means a usual rate otherwise: 33.33 is taken for milliseconds, 30 for the rate itself.

    Parameters
    ----------
    path : str or os.PathLike
        The file; names in UTF-8, else Latin-1.
    fps : float, optional
        Frames per second, whatever the file says.
    strict : bool, default False
        Refuse such files.
    root : {"auto", "replace", "add"}, default "auto"
        Whether position channels of the first root take the place of its offset, as in Blender, or are added to it:
        files do not say. "auto" adds only where the body's lowest points then stand at level 0 and would be far from it
        otherwise, and says so.

    Returns
    -------
    Clip
        Lengths in the file's own unit, angles as quaternions.

    Raises
    ------
    FormatError
        If the file is empty or broken; names the line.
    ValueError
        If `root` is not one of these.
    OSError
        If it cannot be opened.

    Notes
    -----
    The format as described in M. Meredith and S. Maddock, "Motion Capture File Formats Explained", 2001.

    Examples
    --------
    >>> from pathlib import Path
    >>> size = Path("turn.bvh").write_text('''HIERARCHY
    ... ROOT hips
    ... {
    ...   OFFSET 0 90 0
    ...   CHANNELS 1 Yrotation
    ...   End Site
    ...   {
    ...     OFFSET 0 10 0
    ...   }
    ... }
    ... MOTION
    ... Frames: 2
    ... Frame Time: 0.033333
    ... 0
    ... 180
    ... ''')
    >>> clip = read_bvh("turn.bvh")
    >>> clip.names, clip.num_frames, clip.fps, clip.translations[0, 0].tolist()
    (('hips',), 2, 30.0, [0.0, 90.0, 0.0])
    """
    if root not in ROOTS:
        raise ValueError(f"root is {root!r}: must be one of {', '.join(map(repr, ROOTS))}")
    fps = None if fps is None else frame_rate(fps)
    try:
        head, body = _read_text(path, fps)
        for doubt in head.rate.doubts if strict else ():
            raise FormatError(path, *doubt)
        clip, remarks = _read_motion(path, head, body, root)
    except FormatError:
        found = None if strict else _read_mended(path, fps, root)
        if found is None:
            raise
        clip, remarks = found
    for remark in remarks:
        warn_of_format(path, *remark)
    return clip


def _read_mended(path: FilePath, fps: float | None, root: str) -> tuple[Clip, list[Remark]] | None:
    """Read a file that is not as it should be; None where it is in doubt what is meant."""
    if not os.path.isfile(path):  # what has been read from a pipe is gone
        return None
    with open(path, "rb", buffering=0) as file:
        found = mended(path, file.readall())
    if found is None:
        return None
    remarks: list[Remark] = []
    try:
        head = _read_head(path, found.data, fps, remarks)
        clip, more = _read_motion(path, head, found.data[head.begin :], root, (*found.remarks, *remarks))
    except FormatError:
        return None
    return clip, more


def _read_text(path: FilePath, fps: float | None) -> tuple[Head, bytes]:
    """Return what stands before the numbers, and the text of those, which is read where it stays."""
    with open(path, "rb", buffering=0) as file:
        data, ended = _first_part(file)
        mark = len(codecs.BOM_UTF8) if data.startswith(codecs.BOM_UTF8) else 0
        data = data[mark:]
        if not data[:4096].strip() and not data.strip():
            raise FormatError(path, 1, "the file is empty")
        if b"\0" in data[:65536]:
            raise FormatError(path, None, "this is not a text file")
        if b"\n" not in data:
            data = data.replace(b"\r", b"\n")  # line ends of the old Macintosh
        head = _read_head(path, data, fps)
        if ended or not file.seekable():
            return head, data[head.begin :] + file.readall()
        # Not cut from the text of all: a block that is so large and freed again leaves a hole that nothing else fits.
        file.seek(mark + head.begin)
        return head, file.readall()


def _first_part(file: FileIO) -> tuple[bytes, bool]:
    """Read a file up to somewhere behind the line of the frame time; return that, and whether it is all there is."""
    data = b""
    while more := file.read(max(len(data), _FIRST)):
        data += more
        motion = _MOTION.search(data)
        frames = motion and _FRAMES.match(data, motion.end())
        time = frames and _FRAME_TIME.match(data, frames.end())
        if time and time.group(2):
            return data, False
    return data, True


def _read_head(path: FilePath, data: bytes, fps: float | None, remarks: list[Remark] | None = None) -> Head:
    """Read the hierarchy, and the motion section up to its numbers; `remarks` as `parse_hierarchy` takes them."""
    motion = _MOTION.search(data)
    header = data[: motion.start()] if motion else data
    text, encoding = decoded(header)
    joints = parse_hierarchy(path, text, remarks)
    if motion is None:
        raise FormatError(path, text.rstrip().count("\n") + 1, "the file ends without a MOTION section")
    if not any(joint.channels for joint in joints):
        raise FormatError(path, text.count("\n") + 1, "no joint has channels")
    frames_match = _FRAMES.match(data, motion.end())
    if frames_match is None:
        raise FormatError(path, line_of(data, motion.end()), "expected 'Frames: <number>' after MOTION")
    line = line_of(data, frames_match.start(1))
    declared = frames_match.group(1).decode("latin-1")
    if not (declared.isascii() and declared.isdecimal() and len(declared) < 19):
        raise FormatError(path, line, f"the number of frames is {quoted(declared)}: must be a whole number")
    if int(declared) == 0:
        raise FormatError(path, line, "the clip has zero frames")
    time_match = _FRAME_TIME.match(data, frames_match.end())
    if time_match is None:
        raise FormatError(path, line + 1, "expected 'Frame Time: <seconds>' after the number of frames")
    time_line = line_of(data, time_match.start(1))
    rate = _rate(path, time_line, time_match.group(1)) if fps is None else Rate(fps, "given")
    return Head(
        joints=joints,
        header=header,
        encoding=encoding,
        newline="\r\n" if data.find(b"\r\n", 0, 4096) >= 0 else "\n",
        num_frames=int(declared),
        frames_line=line,
        rate=rate,
        begin=time_match.end(),
        first_line=line_of(data, time_match.end()) if time_match.group(2) else time_line + 1,
    )


def _read_motion(
    path: FilePath, head: Head, body: bytes, root: str, remarks: Iterable[Remark] = ()
) -> tuple[Clip, list[Remark]]:
    """Read the numbers and build the clip. What is large goes as soon as it has been used."""
    values, begins, ends = _read_numbers(path, head, body)
    skeleton = _skeleton(head.joints)
    rotations, translations, scales = _pose(values, head.joints)
    del values
    found = sorted([*remarks, *head.rate.doubts])
    added = _added_offset(head.joints[0], root, skeleton, rotations, translations)
    if added is not None:
        translations[:, 0] += added
    notes = tuple(f"line {line}: {text}" for line, text in found) + (() if added is None or root == "add" else (ADDED,))
    lock(rotations, translations)  # so that the clip need not copy them
    try:
        clip = Clip(skeleton, rotations, translations, scales, fps=head.rate.fps)
    except ValueError as error:
        if scales is None:
            raise
        raise FormatError(path, head.first_line, f"channels of scales: {error}") from error
    facts = ClipFacts("BVH", fps=head.rate.fps, fps_source=head.rate.source, notes=notes)
    source = BvhSource.of(clip, facts, head=head, body=body, rows=begins, row_ends=ends, added=added)
    return with_source(clip, source), found


def _added_offset(
    joint: BvhJoint, root: str, skeleton: Skeleton, rotations: Floats, translations: Floats
) -> Floats | None:
    """Return what is added to the position channels of the root; None where they take the place of its offset."""
    if root == "replace" or not joint.positions:
        return None
    offset = np.zeros(3)
    for axis in joint.positions:
        offset[axis] = joint.offset[axis]
    if not offset.any():
        return None
    return offset if root == "add" or is_added(skeleton, rotations, translations, offset) else None


def _read_numbers(path: FilePath, head: Head, body: bytes) -> tuple[Floats, Ints, Ints]:
    """Return the channel values (F, C), and where the lines (F,) that they stand in begin and end."""
    joints = head.joints
    width = sum(len(joint.channels) for joint in joints)
    words = find_words(body)
    counts = words.per_line()
    full = np.flatnonzero(counts)
    _check_rows(path, head, counts, full, width)
    _check_size(path, len(full), joints, head.begin + len(body), head.frames_line)
    values = parse_words(body, words)
    if isinstance(values, int):
        reason = no_number(joints, values, body[words.starts[values] : words.ends[values]])
        raise FormatError(path, head.first_line + int(full[values // width]), reason)
    begins = np.concatenate([[0], words.line_ends[full[:-1]] + 1])
    return values.reshape(len(full), width), begins, words.line_ends[full]


def _rate(path: FilePath, line: int, word: bytes) -> Rate:
    """Return the frame rate of a printed frame time."""
    seconds, least, most = number(word), 1.0 / MOST_FPS, 1.0 / LEAST_FPS
    what = f"the frame time is {quoted(word)}"
    if not 0.0 < seconds < float("inf"):
        raise FormatError(path, line, f"{what}: must be positive and finite, in seconds{_GIVE}")
    if not least <= seconds <= most:
        raise FormatError(path, line, f"{what}: must lie within {least:g} … {most:g} seconds{_GIVE}")
    text = word.decode("ascii")
    plain = "e" not in text.lower()
    digits = len(text.partition(".")[2]) if plain else 0
    likely = likely_rate(seconds, 10.0**-digits if plain else 0.0)
    if likely is not None:
        what += f", taken for {likely.unit}: {likely.fps:g} frames per second{_GIVE}"
        return Rate(likely.fps, f"frame time taken for {likely.unit}", doubts=(Remark(line, what),))
    rate = round(1.0 / seconds)
    rounded = rate > 0 and digits > 0 and abs(1.0 / rate - seconds) <= 0.5000001 * 10.0**-digits
    # Three digits of agreement at least: 0.03 is not 33 frames per second for certain.
    exact = rounded and abs(rate * seconds - 1.0) < 1.5e-3
    return Rate(float(rate) if exact else 1.0 / seconds, "file", text)


def _check_rows(path: FilePath, head: Head, counts: Ints, full: Ints, width: int) -> None:
    """Check that every line that is not blank holds one number per channel, and that there are as many as declared."""
    wrong = np.flatnonzero(counts[full] != width)
    if wrong.size:
        frame = int(wrong[0])
        row = int(full[frame])
        reason = f"frame {frame} has {counts[row]} values: the hierarchy has {width} channels"
        if frame == len(full) - 1 and counts[row] < width:
            reason += " (the file seems to be cut off)"
        raise FormatError(path, head.first_line + row, reason)
    if len(full) != head.num_frames:
        reason = f"the number of frames is {head.num_frames}, and {len(full)} lines of values follow"
        raise FormatError(path, head.frames_line, reason)


def _check_size(path: FilePath, frames: int, joints: list[BvhJoint], size: int, frames_line: int) -> None:
    """Check that a small file is no huge clip: joints without channels take no place in it, but in every frame."""
    needed = frames * len(joints) * _JOINT_BYTES
    if needed > max(_UNSUSPECTED, _SWELLS * size):
        still = sum(not joint.channels for joint in joints)
        reason = (
            f"{frames} frames of {len(joints)} joints, {still} of them without channels, are {needed} bytes: "
            f"no more than {_SWELLS} times the file's {size} may be"
        )
        raise FormatError(path, frames_line, reason)


def _skeleton(joints: list[BvhJoint]) -> Skeleton:
    """Return the skeleton in its rest pose: offsets and no rotations."""
    rest_local = np.tile(np.eye(4), (len(joints), 1, 1))
    rest_local[:, :3, 3] = [joint.offset for joint in joints]
    ends = {index: np.array(joint.ends[0]) for index, joint in enumerate(joints) if joint.ends}
    parents = np.array([joint.parent for joint in joints], np.int32)
    return Skeleton(parents, rest_local, unique_names([joint.name for joint in joints]), end_sites=ends)


def _pose(values: Floats, joints: list[BvhJoint]) -> tuple[Floats, Floats, Floats | None]:
    """Return rotations (F, J, 4), translations (F, J, 3) and scales, None where all are 1, of channel values (F, C)."""
    frames, count = len(values), len(joints)
    scales = np.ones((frames, count, 3)) if any(joint.scales for joint in joints) else None
    translations = np.empty((frames, count, 3))
    translations[:] = [joint.offset for joint in joints]
    groups: dict[tuple[int, ...], tuple[list[int], list[list[int]]]] = {}
    column = 0
    for index, joint in enumerate(joints):
        turning = []
        for offset, channel in enumerate(joint.channels):
            if channel < 3:
                translations[:, index, channel] = values[:, column + offset]
            elif scales is not None and channel >= 6:
                scales[:, index, channel - 6] = values[:, column + offset]
            else:
                turning.append(column + offset)
        if turning:
            members, columns = groups.setdefault(joint.rotations, ([], []))
            members.append(index)
            columns.append(turning)
        column += len(joint.channels)
    rotations = np.empty((frames, count, 4))
    if sum(len(members) for members, _ in groups.values()) < count:
        rotations[:] = (1.0, 0.0, 0.0, 0.0)
    step = max(BLOCK // values.shape[1], 1)
    for start in range(0, frames, step):  # a block at a time: what lies in between is larger than the result
        part = slice(start, start + step)
        for axes, (members, columns) in groups.items():
            # Of all joints alike, as in nearly every file, a slice is faster than their numbers.
            which = slice(None) if len(members) == count else members
            rotations[part, which] = rotations_from_channels(values[part, columns], axes)
    if scales is not None and (np.abs(scales - 1.0) <= 1e-6).all():
        scales = None
    return rotations, translations, scales
