# SPDX-License-Identifier: MIT
"""BVH files that are not quite as they should be, made what they mean: only where that is beyond doubt.

What is mended is text, so that one reader reads all files. Lines keep their numbers.
"""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

import numpy as np

from ..._support.array_types import FilePath, Ints
from ..._support.errors import FormatError, quoted
from ..numbers import find_words, parse_words
from .layout import BvhJoint, Remark, decoded, line_of, no_number, parse_hierarchy

_HIERARCHY = re.compile(rb"^[ \t]*HIERARCHY\b", re.IGNORECASE | re.MULTILINE)
_MOTION = re.compile(rb"^[ \t]*MOTION\b[ \t\r]*", re.IGNORECASE | re.MULTILINE)
# "#IND" and the like are not comments but parts of "-1.#IND", as Windows prints what is not a number.
_COMMENT = re.compile(rb"^[ \t]*(?:#(?!IND|[QS]?NAN|INF)|//|;)[^\r\n]*", re.MULTILINE | re.IGNORECASE)
_FRAMES = re.compile(rb"[ \t]*Frames[ \t]*:?[ \t]*([^\s:]*)[ \t\r]*", re.IGNORECASE)
_FRAME_TIME = re.compile(rb"[ \t]*Frame[ \t]*Time[ \t]*:?[ \t]*([^\s:]+)[ \t\r]*", re.IGNORECASE)
_OFFSET = re.compile(rb"\bOFFSET\b[^{}\r\n]*", re.IGNORECASE)
_HEAD = 2**16  # bytes in which the hierarchy has to begin
_ENDS = b"\0\x1a \t\r\n"  # what old programs and copies leave behind the last row


class Mended(NamedTuple):
    """The text as it ought to be, and what was changed."""

    data: bytes
    remarks: list[Remark]


def mended(path: FilePath, data: bytes) -> Mended | None:
    """Return what a file means that cannot be read as it is.

    Parameters
    ----------
    path : str or os.PathLike
        The file, for messages.
    data : bytes
        All of it.

    Returns
    -------
    Mended or None
        The text to be read; None where it is in doubt what is meant.

    Raises
    ------
    FormatError
        Where it is not, and something in a row is not a number.

    Examples
    --------
    >>> text = b"made by hand" + b'''
    ... HIERARCHY
    ... ROOT hips
    ... {
    ... OFFSET 0 1,5 0
    ... CHANNELS 3 Zrotation Xrotation Yrotation
    ... }
    ... MOTION
    ... Frames: 1
    ... Frame Time: 0,04
    ... 1,5 0
    ... 2'''
    >>> found = mended("hips.bvh", text)
    >>> [(remark.line, remark.text.split(":")[0]) for remark in found.remarks]
    [(1, 'the text before HIERARCHY is ignored'), (5, 'decimal commas are read as points'), (11, 'rows are wrapped')]
    >>> found.data.splitlines()[-1]
    b'1.5 0 2'
    """
    remarks: list[Remark] = []
    text = _in_one_encoding(data, remarks)
    if text is None:
        return None
    motion = _MOTION.search(text)
    commented = motion is not None and _COMMENT.search(text, motion.end()) is not None
    text = _without_comments(text, remarks)
    text = _from_the_hierarchy_on(text, remarks)
    text = _with_points(text, remarks)
    motion = _MOTION.search(text)
    if motion is None:
        return None
    try:
        joints = parse_hierarchy(path, decoded(text[: motion.start()])[0], [])
    except FormatError:
        return None
    found = _with_rows(path, text, motion.end(), joints, remarks, commented)
    return None if found is None else Mended(found.lstrip(), sorted(remarks))


def _in_one_encoding(data: bytes, remarks: list[Remark]) -> bytes | None:
    """Return the text in UTF-8 or Latin-1, with one kind of line ends and nothing behind the last row."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        try:
            data = data.decode("utf-16").encode("utf-8")
        except UnicodeDecodeError:
            return None
        remarks.append(Remark(1, "the text is in UTF-16; it will be saved in UTF-8"))
    data = data[len(codecs.BOM_UTF8) :] if data.startswith(codecs.BOM_UTF8) else data
    text = data.rstrip(_ENDS)
    behind = data[len(text) :]
    if b"\0" in text:
        return None
    if b"\0" in behind:
        remarks.append(Remark(line_of(text, len(text)), "zero bytes after the last row are ignored"))
    return text if b"\n" in text else text.replace(b"\r", b"\n")


def _from_the_hierarchy_on(text: bytes, remarks: list[Remark]) -> bytes:
    """Return the text with nothing but line ends before the hierarchy."""
    hierarchy = _HIERARCHY.search(text, 0, _HEAD)
    before = text[: hierarchy.start()] if hierarchy else b""
    if not before.strip():
        return text
    first = len(before) - len(before.lstrip())
    remarks.append(Remark(line_of(text, first), f"the text before HIERARCHY is ignored: {quoted(before.strip())}"))
    return b"\n" * before.count(b"\n") + text[len(before) :]


def _without_comments(text: bytes, remarks: list[Remark]) -> bytes:
    """Return the text with empty lines in place of comments."""
    first = _COMMENT.search(text)
    if first is None:
        return text
    text, count = _COMMENT.subn(b"", text)
    more = f", and {count - 1} more" if count > 1 else ""
    remarks.append(Remark(line_of(text, first.start()), f"a comment is ignored{more}: {quoted(first.group().strip())}"))
    return text


def _with_points(text: bytes, remarks: list[Remark]) -> bytes:
    """Return the text with points as decimal signs and nothing but spaces between numbers."""
    motion = _MOTION.search(text)
    begin = motion.end() if motion else len(text)
    times = _motion_head(text, begin)
    parts = [match.span() for match in _OFFSET.finditer(text, 0, begin)]
    parts += [(begin, times.end), (times.end, len(text))]
    with_commas = [span for span in parts if text.find(b",", *span) >= 0]
    if not with_commas:
        return text
    numbers = b" ".join([text[first:last] for first, last in parts[:-2]])
    in_offsets = b"." not in numbers  # one of them may happen to have a point, all of them show which sign is which
    pieces: list[bytes] = []
    commas: dict[str, int] = {}
    done = 0
    for first, last in with_commas:
        part = text[first:last]
        are_decimals = in_offsets if first < begin else b"." not in part
        what = "decimal commas are read as points" if are_decimals else "commas between numbers are read as spaces"
        commas.setdefault(what, first + part.find(b","))
        pieces += [text[done:first], part.replace(b",", b"." if are_decimals else b" ")]
        done = last
    remarks += [Remark(line_of(text, place), what) for what, place in commas.items()]
    return b"".join([*pieces, text[done:]])


class _MotionHead(NamedTuple):
    """What stands between MOTION and the rows: the texts of both numbers, empty where there is none, and the line."""

    frames: bytes
    frame_time: bytes
    frames_at: int
    end: int
    in_order: bool


def _motion_head(text: bytes, begin: int) -> _MotionHead:
    """Read the lines behind MOTION, in either order."""
    frames = time = None
    in_order, end, at = True, begin, begin
    while at < len(text) and (frames is None or time is None):
        stop = text.find(b"\n", at)
        stop = len(text) if stop < 0 else stop
        if found := _FRAME_TIME.fullmatch(text, at, stop):
            in_order, time, end = frames is not None, found, stop
        elif found := _FRAMES.fullmatch(text, at, stop):
            frames, end = found, stop
        elif text[at:stop].strip():
            break
        at = stop + 1
    count, seconds = (found.group(1) if found else b"" for found in (frames, time))
    return _MotionHead(count, seconds, frames.start(1) if frames else begin, end, in_order or frames is None)


def _with_rows(
    path: FilePath, text: bytes, begin: int, joints: list[BvhJoint], remarks: list[Remark], commented: bool
) -> bytes | None:
    """Return the text with one line for each row, and with their number; None where it is in doubt."""
    head, width = _motion_head(text, begin), sum(len(joint.channels) for joint in joints)
    if not width or not head.frame_time:
        return None
    line, body = line_of(text, head.frames_at), text[head.end :]
    if not head.in_order:
        remarks.append(Remark(line, "the frame time is before the number of frames"))
    words = find_words(body)
    counts = words.per_line()
    full = np.flatnonzero(counts)
    announced = int(head.frames) if head.frames.isdigit() and len(head.frames) < 19 else None
    if not full.size or words.odd or (head.frames and not announced):
        return None
    wrong = parse_words(body, words)
    if isinstance(wrong, int):
        reason = no_number(joints, wrong, body[words.starts[wrong] : words.ends[wrong]])
        place = line_of(text, head.end) + int(np.searchsorted(words.line_ends, words.starts[wrong]))
        raise FormatError(path, place, reason)
    rows, wrapped = len(full), counts[full] != width
    if wrapped.any():
        if announced is None or words.starts.size != announced * width:
            return None
        wrapped_rows = f"rows are wrapped: {words.starts.size} numbers are {announced} frames of {width} channels"
        remarks.append(Remark(line_of(text, head.end) + int(full[np.argmax(wrapped)]), wrapped_rows))
        rows, body = announced, _in_lines_of(body, words.ends[width - 1 :: width])
    elif announced is None:
        remarks.append(Remark(line, f"the number of frames is missing: {rows} rows follow"))
    elif abs(announced - rows) == 1 and not commented:  # a comment may be the row that is missing
        remarks.append(Remark(line, f"the number of frames is {announced}, and {rows} rows follow: all are read"))
    elif announced != rows:
        return None
    return text[:begin] + b"\nFrames: %d\nFrame Time: %s" % (rows, head.frame_time) + body


def _in_lines_of(body: bytes, ends: Ints) -> bytes:
    """Return rows of numbers with line ends at the places of their last ones alone."""
    text = np.frombuffer(body + b"\n", np.uint8).copy()
    text[(text == ord("\n")) | (text == ord("\r"))] = ord(" ")
    text[ends] = ord("\n")
    lines: bytes = text.tobytes()
    return b"\n" + lines.lstrip()
