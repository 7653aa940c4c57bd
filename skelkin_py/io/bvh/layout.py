# SPDX-License-Identifier: MIT
"""The hierarchy of a BVH file: its joints, offsets, channels and end sites, as read and as written."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import islice
from math import isfinite
from typing import NamedTuple

from ..._support.arguments import MAX_JOINTS
from ..._support.array_types import FilePath
from ..._support.errors import FormatError, quoted
from ..numbers import number

_PLAIN = ("Xposition", "Yposition", "Zposition", "Xrotation", "Yrotation", "Zrotation")
CHANNELS = (*_PLAIN, "Xscale", "Yscale", "Zscale")
_CHANNEL_NUMBERS = {name.lower(): channel for channel, name in enumerate(CHANNELS)}
_TOKEN = re.compile(r"[{}]|[^\s{}]+")
_NAMED = re.compile(r"(?<![^\s{}])(?:ROOT|JOINT)\s+([^{}\n]+)", re.IGNORECASE)
_NAME = re.compile(r"[^{}]*")


class Remark(NamedTuple):
    """What was wrong in a line, counted from 1, and what was made of it."""

    line: int
    text: str


@dataclass(frozen=True)
class BvhJoint:
    """One joint as the file has it; `channels` are numbers into `CHANNELS`, `ends` the offsets of its end sites."""

    name: str
    parent: int
    offset: tuple[float, float, float]
    channels: tuple[int, ...]
    ends: tuple[tuple[float, float, float], ...] = ()

    @property
    def positions(self) -> tuple[int, ...]:
        """Axes (0 = X) of the position channels, in file order."""
        return tuple(c for c in self.channels if c < 3)

    @property
    def rotations(self) -> tuple[int, ...]:
        """Axes (0 = X) of the rotation channels, in file order: the first one is the outermost rotation."""
        return tuple(c - 3 for c in self.channels if 3 <= c < 6)

    @property
    def scales(self) -> tuple[int, ...]:
        """Axes (0 = X) of the scale channels, in file order."""
        return tuple(c - 6 for c in self.channels if c >= 6)


@dataclass
class _Draft:
    """A joint while its block is being read."""

    name: str
    parent: int
    line: int
    offset: tuple[float, float, float] | None = None
    channels: tuple[int, ...] | None = None
    ends: list[tuple[float, float, float]] = field(default_factory=list)


class _Tokens:
    """The words and braces of the hierarchy with their line numbers; names are taken to the end of their line."""

    def __init__(self, path: FilePath, text: str, remarks: list[Remark] | None) -> None:
        self.path = path
        self.remarks = remarks
        self.lines = text.split("\n")
        self.line = 0
        self.column = 0

    def error(self, reason: str, line: int | None = None) -> FormatError:
        """Return a FormatError at the current line, or at the one given."""
        number = (min(self.line, len(self.lines) - 1) + 1) if line is None else line
        return FormatError(self.path, number, reason)

    def remark(self, text: str) -> None:
        """Note what was read in the current line though it breaks the format."""
        if self.remarks is not None:
            self.remarks.append(Remark(self.line + 1, text))

    def peek(self) -> re.Match[str] | None:
        """Return the next token without taking it, None at the end."""
        while self.line < len(self.lines):
            match = _TOKEN.search(self.lines[self.line], self.column)
            if match:
                return match
            self.line += 1
            self.column = 0
        return None

    def take(self, expected: str) -> str:
        """Return the next token; the end of the text is an error that says what was expected."""
        match = self.peek()
        if match is None:
            while len(self.lines) > 1 and not self.lines[-1].strip():
                self.lines.pop()
            raise self.error(f"the hierarchy ends here, expected {expected} (the file seems to be cut off)")
        self.column = match.end()
        return match.group()

    def name(self) -> str:
        """Return the rest of the line before a brace: names may hold spaces."""
        # By position: a copy of the rest of the line for every joint takes long where all of them stand on one.
        match = _NAME.match(self.lines[self.line], self.column) if self.line < len(self.lines) else None
        if match is None:
            return ""
        self.column = match.end()
        return match.group().strip()

    def number(self, what: str) -> float:
        """Return the next token as a finite number."""
        token = self.take(what)
        value = number(token.encode("utf-8"))
        if not isfinite(value):
            raise self.error(f"expected {what}, found {quoted(token)}")
        return value


def decoded(header: bytes) -> tuple[str, str]:
    """Return the text of the hierarchy and the encoding it is in."""
    try:
        return header.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        return header.decode("latin-1"), "latin-1"


def line_of(data: bytes, offset: int) -> int:
    """Return the number of the line, from 1, in which a byte stands."""
    return data.count(b"\n", 0, offset) + 1


def parse_hierarchy(path: FilePath, text: str, remarks: list[Remark] | None = None) -> list[BvhJoint]:
    """Read the HIERARCHY section.

    Parameters
    ----------
    path : str or os.PathLike
        The file, for messages.
    text : str
        The file's text up to, and without, the MOTION line.
    remarks : list of Remark, optional
        Where it is given, channels of scales and end sites without an offset are no errors: they are listed here.

    Returns
    -------
    list of BvhJoint
        The joints in file order: every parent before its children.

    Raises
    ------
    FormatError
        If the section is broken; names the line.

    Examples
    --------
    >>> parse_hierarchy("a.bvh", "HIERARCHY ROOT a b { OFFSET 0 1 0 CHANNELS 1 Zrotation }")
    [BvhJoint(name='a b', parent=-1, offset=(0.0, 1.0, 0.0), channels=(5,), ends=())]
    """
    tokens = _Tokens(path, text, remarks)
    for named in islice(_NAMED.finditer(text), MAX_JOINTS, None):  # reading all the joints before it takes seconds
        reason = f"the joint {quoted(named[1].strip())} exceeds the {MAX_JOINTS} joints that a skeleton can have"
        raise tokens.error(reason, text.count("\n", 0, named.start(1)) + 1)
    word = tokens.take("HIERARCHY")
    if word.upper() != "HIERARCHY":
        raise tokens.error(f"expected HIERARCHY, found {quoted(word)}")
    drafts: list[_Draft] = []
    while tokens.peek() is not None:
        keyword = tokens.take("ROOT").upper()
        if keyword != "ROOT":
            raise tokens.error(f"expected ROOT or MOTION, found {quoted(keyword)}")
        _parse_tree(tokens, drafts)
    if not drafts:
        raise tokens.error("the hierarchy has no ROOT", 1)
    _check_places(tokens, drafts)
    return [BvhJoint(d.name, d.parent, d.offset or (0.0, 0.0, 0.0), d.channels or (), tuple(d.ends)) for d in drafts]


def _open_joint(tokens: _Tokens, drafts: list[_Draft], parent: int) -> int:
    """Read the name and the opening brace of a joint; return its index."""
    name = tokens.name()
    if not name:
        raise tokens.error("a joint needs a name")
    drafts.append(_Draft(name, parent, tokens.line + 1))
    if (brace := tokens.take("{")) != "{":
        raise tokens.error(f"expected {{ after the name {quoted(name)}, found {quoted(brace)}")
    return len(drafts) - 1


def _parse_tree(tokens: _Tokens, drafts: list[_Draft]) -> None:
    """Read one root and all below it."""
    open_joints = [_open_joint(tokens, drafts, -1)]
    while open_joints:
        joint = drafts[open_joints[-1]]
        keyword = tokens.take(f"}} of the joint {quoted(joint.name)}").upper()
        if keyword == "}":
            if joint.offset is None:
                raise tokens.error(f"the joint {quoted(joint.name)} has no OFFSET", joint.line)
            open_joints.pop()
        elif keyword == "OFFSET":
            if joint.offset is not None:
                raise tokens.error(f"the joint {quoted(joint.name)} has a second OFFSET")
            joint.offset = _vector(tokens)
        elif keyword == "CHANNELS":
            _parse_channels(tokens, joint)
        elif keyword == "JOINT":
            open_joints.append(_open_joint(tokens, drafts, open_joints[-1]))
        elif keyword == "END":
            joint.ends.append(_parse_end_site(tokens))
        else:
            raise tokens.error(f"expected OFFSET, CHANNELS, JOINT, End Site or }}, found {quoted(keyword)}")


def _check_places(tokens: _Tokens, drafts: list[_Draft]) -> None:
    """Check that every joint is at a finite place in the rest pose."""
    places: list[tuple[float, float, float]] = []
    for draft in drafts:
        x, y, z = draft.offset or (0.0, 0.0, 0.0)
        if draft.parent >= 0:
            above = places[draft.parent]
            x, y, z = x + above[0], y + above[1], z + above[2]
        if not (isfinite(x) and isfinite(y) and isfinite(z)):
            reason = f"the offsets down to {quoted(draft.name)} add up to a position that is not finite"
            raise tokens.error(reason, draft.line)
        places.append((x, y, z))


def _vector(tokens: _Tokens) -> tuple[float, float, float]:
    return tokens.number("an offset in X"), tokens.number("an offset in Y"), tokens.number("an offset in Z")


def _parse_channels(tokens: _Tokens, joint: _Draft) -> None:
    """Read the count and the names of the channels."""
    if joint.channels is not None:
        raise tokens.error(f"the joint {quoted(joint.name)} has a second CHANNELS")
    count = tokens.take("a number of channels")
    if not (count.isascii() and count.isdecimal()) or len(count) > 9:
        raise tokens.error(f"expected a number of channels, found {quoted(count)}")
    channels: list[int] = []
    for _ in range(int(count)):
        word = tokens.take("a channel name")
        channel = _CHANNEL_NUMBERS.get(word.lower())
        if channel is None or (channel >= len(_PLAIN) and tokens.remarks is None):
            known = ", ".join(_PLAIN)
            raise tokens.error(
                f"unknown channel {quoted(word)} of the joint {quoted(joint.name)}: must be one of {known}"
            )
        if channel in channels:
            raise tokens.error(f"the joint {quoted(joint.name)} lists the channel {word} twice")
        channels.append(channel)
    joint.channels = tuple(channels)
    if tokens.remarks is not None and max(channels, default=0) >= len(_PLAIN):
        tokens.remark(f"{quoted(joint.name)} has channels of scales: kept as scales of the clip")


def _parse_end_site(tokens: _Tokens) -> tuple[float, float, float]:
    """Read an end site after its first word."""
    tokens.name()  # "Site", or a name that some programs give it
    if (brace := tokens.take("{")) != "{":
        raise tokens.error(f"expected {{ after End Site, found {quoted(brace)}")
    word = tokens.take("OFFSET")
    if word == "}" and tokens.remarks is not None:
        tokens.remark("an End Site has no OFFSET: taken to be 0 0 0")
        return 0.0, 0.0, 0.0
    if word.upper() != "OFFSET":
        raise tokens.error(f"expected the OFFSET of an end site, found {quoted(word)}")
    offset = _vector(tokens)
    while (word := tokens.take("} of an end site")) != "}":
        # Some exporters give an end site an empty channel list.
        if word.upper() != "CHANNELS" or tokens.take("a number of channels") != "0":
            raise tokens.error(f"expected }} after the offset of an end site, found {quoted(word)}")
    return offset


def no_number(joints: list[BvhJoint], index: int, word: bytes) -> str:
    """Return what is wrong where a value of the rows, by its index among all of them, is no finite number."""
    columns = [(joint.name, CHANNELS[channel]) for joint in joints for channel in joint.channels]
    frame, column = divmod(index, len(columns))
    name, channel = columns[column]
    return f"{channel} of {quoted(name)} in frame {frame} is {quoted(word)}: must be a finite number"


def write_hierarchy(joints: list[BvhJoint]) -> str:
    """Return the HIERARCHY section as text, MOTION line not included.

    Parameters
    ----------
    joints : list of BvhJoint
        Joints depth first, as a BVH file lists them.

    Returns
    -------
    str
        Lines indented by tabs.

    Examples
    --------
    >>> print(write_hierarchy([BvhJoint("a", -1, (0.0, 1.0, 0.0), (5,), ((0.0, 2.0, 0.0),))]).expandtabs(2))
    HIERARCHY
    ROOT a
    {
      OFFSET 0.0 1.0 0.0
      CHANNELS 1 Zrotation
      End Site
      {
        OFFSET 0.0 2.0 0.0
      }
    }
    <BLANKLINE>
    """
    lines = ["HIERARCHY"]
    depths: list[int] = []  # depth of every joint
    path: list[int] = []  # the joints whose blocks are open
    for index, joint in enumerate(joints):
        while path and path[-1] != joint.parent:
            lines.append("\t" * depths[path.pop()] + "}")
        if not path and joint.parent >= 0:
            raise ValueError(f"joints[{index}] {joint.name!r}: the joints are not in depth-first order")
        depth = len(path)
        depths.append(depth)
        path.append(index)
        tab = "\t" * (depth + 1)
        lines += ["\t" * depth + f"{'ROOT' if joint.parent < 0 else 'JOINT'} {joint.name}", "\t" * depth + "{"]
        lines.append(f"{tab}OFFSET {_triple(joint.offset)}")
        lines.append(" ".join([f"{tab}CHANNELS {len(joint.channels)}", *(CHANNELS[c] for c in joint.channels)]))
        for end in joint.ends:
            lines += [f"{tab}End Site", f"{tab}{{", f"{tab}\tOFFSET {_triple(end)}", f"{tab}}}"]
    lines.extend("\t" * depths[index] + "}" for index in reversed(path))
    return "\n".join(lines) + "\n"


def _triple(vector: tuple[float, float, float]) -> str:
    return " ".join(repr(float(value)) for value in vector)
