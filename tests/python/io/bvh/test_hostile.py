# SPDX-License-Identifier: MIT
"""BVH files made to hurt: numbers that overflow, counts beyond all bounds, and shapes that take long if read badly."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

import skelkin_py as sk
from skelkin_py.cli import main

ROOT = "ROOT r\n{\nOFFSET 0 0 0\nCHANNELS 1 Zrotation\n"
MOTION = "MOTION\nFrames: 1\nFrame Time: 0.04\n"
DIGITS = "9" * 5000


def bvh(inside: str = "", motion: str = MOTION + "0\n", root: str = ROOT) -> str:
    return f"HIERARCHY\n{root}{inside}}}\n{motion}"


def chain(*offsets: str) -> str:
    """Return joints below each other."""
    return "".join(f"JOINT j{i}\n{{\nOFFSET {offset}\n" for i, offset in enumerate(offsets)) + "}\n" * len(offsets)


# What is wrong, the file, its line and words of the reason.
HOSTILE = {
    "a number of channels of thousands of digits": (bvh(root=ROOT.replace(" 1 ", f" {DIGITS} ")), 5, "found '9999"),
    "more channels than there are words": (bvh(root=ROOT.replace(" 1 ", " 999999999 ")), 6, "unknown channel '}'"),
    "a number of frames of thousands of digits": (
        bvh(motion=MOTION.replace("1", DIGITS)),
        8,
        "the number of frames is '9999",
    ),
    "more frames than lines": (bvh(motion=MOTION.replace("1", "9" * 18) + "0\n"), 8, "and 1 lines of values follow"),
    "a tiny frame time": (bvh(motion=MOTION.replace("0.04", "1e-310") + "0\n"), 9, "'1e-310': must lie within 1e-12"),
    "a frame time that is 0 after all": (
        bvh(motion=MOTION.replace("0.04", f"0.{'0' * 5000}1") + "0\n"),
        9,
        "must be positive",
    ),
    "a frame time beyond all": (bvh(motion=MOTION.replace("0.04", DIGITS) + "0\n"), 9, "positive and finite"),
    "an offset of thousands of digits": (bvh(chain(f"0 {DIGITS} 0")), 8, "expected an offset in Y, found '9999"),
    "offsets that overflow": (bvh(chain("-1e308 0 0", "-1e308 0 0")), 9, "the offsets down to 'j1'"),
    "offsets that overflow far below": (
        bvh(chain(*["0 0 1e307"] * 30)),
        6 + 3 * 17,
        "the offsets down to 'j17' add up to a position that is not finite",
    ),
    "a value of thousands of digits": (bvh(motion=MOTION + DIGITS + "\n"), 10, "Zrotation of 'r' in frame 0 is '9999"),
    "a joint without a brace and a name of a megabyte": (
        bvh("JOINT " + "a" * 10**6 + "\n}\n"),
        7,
        "expected { after the name 'aaaa",
    ),
    "a word of a megabyte": (bvh("a" * 10**6 + "\n"), 6, "found 'AAAA"),
}  # fmt: skip


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_clip_is_refused_with_its_line(kind: str, tmp_path: Path) -> None:
    text, line, words = HOSTILE[kind]
    path = tmp_path / "clip.bvh"
    path.write_text(text)
    with pytest.raises(sk.FormatError) as caught:
        sk.load(path)
    assert words in caught.value.reason
    assert caught.value.line == line
    assert len(caught.value.reason) < 300  # a word of a megabyte is not shown as a whole


@pytest.mark.parametrize(
    "kind", ["a tiny frame time", "offsets that overflow", "a number of frames of thousands of digits"]
)
def test_the_command_names_a_hostile_clip_in_one_line(kind: str, tmp_path: Path, capsys) -> None:
    text, line, words = HOSTILE[kind]
    path = tmp_path / "clip.bvh"
    path.write_text(text)
    for arguments in (["info"], ["check"], ["plant", "-o", str(tmp_path / "out.bvh")]):
        assert main([*arguments, str(path)]) == 1
        error = capsys.readouterr().err
        assert error.startswith(f"skelkin: {path}:{line}: ")
        assert words in error
        assert error.count("\n") == 1


def siblings(count: int, between: str = " ") -> str:
    return between.join(f"JOINT j{i} {{ OFFSET 0 1 0 }}" for i in range(count)) + between


@pytest.mark.slow
def test_a_skeleton_may_have_as_many_joints_as_the_core_allows(tmp_path: Path) -> None:
    (tmp_path / "clip.bvh").write_text(bvh(siblings(65_534)))
    assert len(sk.load(tmp_path / "clip.bvh").names) == 65_535


def test_joints_are_counted_before_any_of_them_is_read(tmp_path: Path) -> None:
    hierarchy = siblings(65_535, "\n").replace("OFFSET 0 1 0", "OFFSET nonsense that nobody reads", 1)
    (tmp_path / "clip.bvh").write_text(bvh(hierarchy))
    with pytest.raises(sk.FormatError, match="the joint 'j65534' exceeds the 65535"):
        sk.load(tmp_path / "clip.bvh")


@pytest.mark.slow
def test_one_joint_too_many_is_refused_before_what_follows_is_read(tmp_path: Path) -> None:
    (tmp_path / "clip.bvh").write_text(bvh(siblings(65_535, "\n") + "nonsense that nobody reads"))
    with pytest.raises(
        sk.FormatError, match="the joint 'j65534' exceeds the 65535 joints that a skeleton can have"
    ) as caught:
        sk.load(tmp_path / "clip.bvh")
    assert caught.value.line == 6 + 65_534


@pytest.mark.slow
def test_a_small_file_is_no_huge_clip(tmp_path: Path) -> None:
    """Joints without channels take no place in frames: 800 kB would be 22 GB."""
    (tmp_path / "clip.bvh").write_text(bvh(siblings(20_000), MOTION.replace("1", "20000") + "0\n" * 20_000))
    with pytest.raises(sk.FormatError, match="20000 frames of 20001 joints, 20000 of them without channels") as caught:
        sk.load(tmp_path / "clip.bvh")
    assert caught.value.line == 8


FLAT = ROOT.replace("\n", " ")
SPACES = " " * 400_000
# Texts that took minutes where work grew with the square of their size, and whether they are clips.
LONG = {
    "joints of one line": (lambda: bvh(siblings(60_000), root=FLAT), True),
    "joints below each other in one line": (
        lambda: bvh("".join(f"JOINT j{i} {{ OFFSET 0 1 0 " for i in range(60_000)) + "}" * 60_000, root=FLAT),
        True,
    ),
    "end sites of one line": (lambda: bvh("End Site { OFFSET 0 1 0 } " * 60_000, root=FLAT), True),
    "joints of one name": (lambda: bvh("JOINT same { OFFSET 0 1 0 }\n" * 60_000), True),
    "one name": (lambda: bvh(f"JOINT {'a' * 4_000_000} {{ OFFSET 0 1 0 }}\n"), True),
    "one line of values": (lambda: bvh(motion=MOTION + "0 " * 2_000_000), False),
    "empty lines": (lambda: bvh("\n" * 2_000_000), True),
    "spaces behind Frames": (lambda: bvh(motion="MOTION\nFrames" + SPACES), False),
    "spaces behind Frame Time": (lambda: bvh(motion="MOTION\nFrames: 1\nFrame Time" + SPACES), False),
    "spaces around the frame time": (lambda: bvh(motion=MOTION.replace("0.04", f"{SPACES}0.04{SPACES}x")), False),
    "digits that are no offset": (lambda: bvh(chain(f"0 {'1' * 400_000}x 0")), False),
    "digits that are no value": (lambda: bvh(motion=MOTION + "1" * 400_000 + "x\n"), False),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", LONG)
def test_work_grows_with_the_size_of_a_file_alone(kind: str, tmp_path: Path) -> None:
    """Each takes a second or two; with the square of their size it would be a minute at the least, for most an hour."""
    make: Callable[[], str]
    make, is_clip = LONG[kind]
    (tmp_path / "clip.bvh").write_text(make())
    began = time.process_time()
    try:
        sk.load(tmp_path / "clip.bvh")
    except sk.FormatError:
        assert not is_clip
    else:
        assert is_clip
    assert time.process_time() - began < 30.0
