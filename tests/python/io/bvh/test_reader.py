# SPDX-License-Identifier: MIT
"""Reading BVH files: every real clip against a slow parser of its own, odd spellings, and broken files."""

from __future__ import annotations

import json
import math
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from peak_memory import peak_memory
from real_clips import PLAIN

import skelkin_py as sk


def turn(axis: str, degrees: float) -> np.ndarray:
    """Rotation matrix about one axis, written out."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    rows = {
        "X": [[1, 0, 0], [0, c, -s], [0, s, c]],
        "Y": [[c, 0, s], [0, 1, 0], [-s, 0, c]],
        "Z": [[c, -s, 0], [s, c, 0], [0, 0, 1]],
    }
    return np.array(rows[axis], float)


class SlowBvh:
    """A line by line reader: joints as dicts, one list of numbers per frame."""

    def __init__(self, path: Path) -> None:
        self.joints: list[dict] = []
        self.ends: dict[int, list[float]] = {}
        stack: list[int | None] = []
        lines = path.read_text(encoding="utf-8").splitlines()
        start = next(i for i, line in enumerate(lines) if line.strip() == "MOTION")
        pending: int | None = None
        for line in lines[1:start]:
            words = line.split()
            if not words:
                continue
            if words[0] in ("ROOT", "JOINT"):
                self.joints.append({"name": " ".join(words[1:]), "parent": stack[-1] if stack else -1})
                pending = len(self.joints) - 1
            elif words[0] == "End":
                pending = None
            elif words[0] == "{":
                stack.append(pending)
            elif words[0] == "}":
                stack.pop()
            elif words[0] == "OFFSET":
                offset = [float(word) for word in words[1:4]]
                if stack[-1] is None:
                    self.ends[stack[-2]] = offset
                else:
                    self.joints[stack[-1]]["offset"] = offset
            elif words[0] == "CHANNELS":
                self.joints[stack[-1]]["channels"] = words[2:]
        self.frame_time = float(lines[start + 2].split()[-1])
        self.frames = [[float(word) for word in line.split()] for line in lines[start + 3 :] if line.strip()]

    def positions(self, frame: int) -> np.ndarray:
        """Joint positions of one frame by plain matrix products."""
        values = iter(self.frames[frame])
        matrices: list[np.ndarray] = []
        for joint in self.joints:
            local = np.eye(4)
            local[:3, 3] = joint["offset"]
            for channel in joint["channels"]:
                value = next(values)
                if channel.endswith("position"):
                    local["XYZ".index(channel[0]), 3] = value
                else:
                    local[:3, :3] = local[:3, :3] @ turn(channel[0], value)
            parent = joint["parent"]
            matrices.append(local if parent < 0 else matrices[parent] @ local)
        return np.array([matrix[:3, 3] for matrix in matrices])


def bvh(motion: str = "0 0 0", channels: str = "3 Zrotation Yrotation Xrotation", frames: int = 1) -> str:
    """A file with one joint and an end site."""
    return (
        f"HIERARCHY\nROOT hips\n{{\n\tOFFSET 1 2 3\n\tCHANNELS {channels}\n"
        "\tEnd Site\n\t{\n\t\tOFFSET 0 5 0\n\t}\n}\n"
        f"MOTION\nFrames: {frames}\nFrame Time: 0.025\n{motion}\n"
    )


@pytest.fixture
def load_text(tmp_path: Path):
    def load(text: str | bytes, **options) -> sk.Clip:
        path = tmp_path / "clip.bvh"
        path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
        return sk.load(path, **options)

    return load


@pytest.mark.slow
@pytest.mark.parametrize("name", PLAIN)
def test_real_clips_read_as_by_a_slow_parser(data_dir: Path, name: str) -> None:
    path = data_dir / "bvh" / f"{name}.bvh"
    clip, slow = sk.load(path, root="replace"), SlowBvh(path)
    assert clip.names == tuple(joint["name"] for joint in slow.joints)
    assert clip.skeleton.parents.tolist() == [joint["parent"] for joint in slow.joints]
    assert clip.skeleton.rest_local[:, :3, 3].tolist() == [joint["offset"] for joint in slow.joints]
    assert {joint: offset.tolist() for joint, offset in clip.skeleton.end_sites.items()} == slow.ends
    assert clip.num_frames == len(slow.frames)
    assert abs(1 / clip.fps - slow.frame_time) < 5e-7
    positions = clip.positions()
    for frame in {0, 1, len(slow.frames) // 2, len(slow.frames) - 1}:
        expected = slow.positions(frame)
        np.testing.assert_allclose(positions[frame], expected, rtol=0, atol=1e-12 * np.abs(expected).max())


def test_walk_has_the_joint_positions_that_its_derived_file_lists(data_dir: Path) -> None:
    listed = json.loads((data_dir / "npz" / "cmu_12_01_walk_amass_layout.skeleton.json").read_text())
    clip = sk.load(data_dir / "bvh" / "cmu_12_01_walk.bvh")
    pairs = {
        "pelvis": "Hips", "left_hip": "LeftUpLeg", "left_knee": "LeftLeg", "left_ankle": "LeftFoot",
        "left_foot": "LeftToeBase", "right_hip": "RightUpLeg", "right_knee": "RightLeg", "right_ankle": "RightFoot",
        "right_foot": "RightToeBase", "left_elbow": "LeftForeArm", "right_wrist": "RightHand",
    }  # fmt: skip
    expected = np.array(listed["joint_positions_every_20th_frame"])
    columns = [listed["joint_names"].index(name) for name in pairs]
    # The derived file begins with the second frame, in metres and with Z up: (x, y, z) -> (x, -z, y).
    ours = clip.positions()[1::20][: len(expected), [clip.names.index(name) for name in pairs.values()]]
    ours = np.stack([ours[..., 0], -ours[..., 2], ours[..., 1]], axis=-1)
    scale = np.linalg.norm(expected[0, columns[1]] - expected[0, columns[0]]) / np.linalg.norm(ours[0, 1] - ours[0, 0])
    np.testing.assert_allclose(ours * scale, expected[:, columns], rtol=0, atol=5e-4)


@pytest.mark.parametrize("axes", list(permutations("XYZ")))
@pytest.mark.parametrize("count", [1, 2, 3])
def test_the_first_listed_rotation_is_the_outermost(load_text, axes: tuple[str, ...], count: int) -> None:
    angles = [25.0, -70.0, 130.0][:count]
    listed = axes[:count]
    channels = f"{count} " + " ".join(f"{axis}rotation" for axis in listed)
    clip = load_text(bvh(" ".join(map(str, angles)), channels))
    expected = np.eye(3)
    for axis, angle in zip(listed, angles, strict=True):
        expected = expected @ turn(axis, angle)
    np.testing.assert_allclose(sk.quaternion_to_matrix(clip.rotations[0, 0]), expected, atol=1e-15)


def test_a_position_channel_takes_the_place_of_the_offset(load_text) -> None:
    clip = load_text(bvh("7 90", "2 Yposition Xrotation"))
    assert clip.translations[0, 0].tolist() == [1, 7, 3]
    assert clip.skeleton.rest_local[0, :3, 3].tolist() == [1, 2, 3]


def test_channels_may_stand_in_any_sequence_on_any_joint(load_text) -> None:
    text = (
        "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 4 Xrotation Zposition Yrotation Xposition\nJOINT b\n{\n"
        "OFFSET 0 1 0\nCHANNELS 6 Zrotation Yrotation Xrotation Zposition Yposition Xposition\nJOINT c\n{\n"
        "OFFSET 0 2 0\nEnd Site\n{\nOFFSET 0 3 0\n}\n}\n}\n}\nROOT d\n{\nOFFSET 9 9 9\nCHANNELS 1 Yrotation\n}\n"
        "MOTION\nFrames: 1\nFrame Time: 1\n10 2 20 3  30 40 50 6 7 8  60\n"
    )
    clip = load_text(text)
    assert clip.skeleton.parents.tolist() == [-1, 0, 1, -1]
    assert clip.translations[0].tolist() == [[3, 0, 2], [8, 7, 6], [0, 2, 0], [9, 9, 9]]
    matrices = sk.quaternion_to_matrix(clip.rotations[0])
    np.testing.assert_allclose(matrices[0], turn("X", 10) @ turn("Y", 20), atol=1e-15)
    np.testing.assert_allclose(matrices[1], turn("Z", 30) @ turn("Y", 40) @ turn("X", 50), atol=1e-15)
    np.testing.assert_allclose(matrices[3], turn("Y", 60), atol=1e-15)


ODD = {
    "CRLF": lambda t: t.replace("\n", "\r\n"),
    "old Macintosh line ends": lambda t: t.replace("\n", "\r"),
    "spaces for tabs": lambda t: t.replace("\t", "      "),
    "trailing spaces": lambda t: t.replace("\n", " \t\n"),
    "no last line end": lambda t: t.rstrip("\n"),
    "blank lines": lambda t: t.replace("\n", "\n\n"),
    "blank lines at the end": lambda t: t + "\n \n\t\n",
    "a byte order mark": lambda t: "\ufeff" + t,
    "braces on the line": lambda t: t.replace("\n{", " {"),
    "small letters": lambda t: t.replace("HIERARCHY", "hierarchy").replace("Zro", "zro").replace("MOTION", "Motion"),
    "no colon": lambda t: t.replace("Frames:", "Frames").replace("Frame Time:", "Frame Time"),
    "tabs behind the colon": lambda t: t.replace("Frames: ", "Frames:\t").replace("Time: ", "Time:\t "),
    "no space behind the colon": lambda t: t.replace("Frames: ", "Frames:").replace("Frame Time: ", "FrameTime:"),
    "an exponent": lambda t: t.replace("10.5", "1.05e+1"),
    "an end site with empty channels": lambda t: t.replace("OFFSET 0 5 0", "OFFSET 0 5 0\nCHANNELS 0"),
    "a named end site": lambda t: t.replace("End Site", "End Site top"),
    "a tab before the values": lambda t: t.replace("10.5", "\t 10.5"),
}  # fmt: skip


@pytest.mark.parametrize("kind", ODD)
def test_odd_spellings_read_the_same(load_text, kind: str) -> None:
    text = bvh("10.5 20 -30\n0 -.5 +.25", frames=2)
    plain, odd = load_text(text), load_text(ODD[kind](text))
    assert odd == plain
    assert odd.fps == 40
    assert odd.skeleton.end_sites[0].tolist() == [0, 5, 0]


@pytest.mark.parametrize(
    ("printed", "fps"),
    [
        (".0083333", 120.0),
        ("0.0083333", 120.0),
        ("0.033333", 30.0),
        ("0.0333333", 30.0),
        ("0.041667", 24.0),
        ("0.010000", 100.0),
        ("0.0166667", 60.0),
        ("0.008342", 1 / 0.008342),
        ("0.03", 1 / 0.03),
        ("1", 1.0),
        ("2", 0.5),
        ("4e-2", 25.0),
    ],
)
def test_frame_time_gives_the_rate_it_was_rounded_from(load_text, printed: str, fps: float) -> None:
    assert load_text(bvh().replace("0.025", printed)).fps == fps


@pytest.mark.parametrize(
    "name", ["左足", "Левая нога", "ساق يسرى", "Bip001 L Thigh", "mixamorig7:LeftLeg", "다리", "a.b-c_d"]
)
def test_names_in_any_script(load_text, name: str) -> None:
    assert load_text(bvh().replace("hips", name)).names == (name,)


def test_names_that_are_no_utf_8_are_read_as_latin_1(load_text) -> None:
    assert load_text(bvh().replace("hips", "Füße").encode("latin-1")).names == ("Füße",)


def test_a_repeated_name_gets_a_number(load_text) -> None:
    joint = "ROOT {}\n{{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}}\n"
    names = ["a", "b", "a", "a.001", "a"]
    joints = "".join(joint.format(name) for name in names)
    text = f"HIERARCHY\n{joints}MOTION\nFrames: 1\nFrame Time: 1\n1 2 3 4 5\n"
    assert load_text(text).names == ("a", "b", "a.002", "a.001", "a.003")


BROKEN = {
    "an empty file": (b"", 1, "the file is empty"),
    "white space": (b" \n\n", 1, "the file is empty"),
    "another format": ("Kaydara FBX", 1, "expected HIERARCHY"),
    "bytes": (b"\x00\x01\x02HIERARCHY", None, "not a text file"),
    "no motion": (bvh().split("MOTION")[0], 10, "ends without a MOTION section"),
    "no root": ("HIERARCHY\nMOTION\nFrames: 1\nFrame Time: 1\n", 1, "no ROOT"),
    "a cut hierarchy": (bvh()[:90], 7, "the hierarchy ends here"),
    "a missing brace": (bvh().replace("{", "", 1), 4, "expected { after the name 'hips'"),
    "a missing closing brace": (bvh().replace("}\nMOTION", "MOTION"), 9, "expected } of the joint"),
    "a closing brace too many": (bvh().replace("MOTION", "}\nMOTION"), 11, "expected ROOT or MOTION, found '}'"),
    "no name": (bvh().replace("hips", ""), 2, "a joint needs a name"),
    "no offset": (bvh().replace("OFFSET 1 2 3", ""), 2, "the joint 'hips' has no OFFSET"),
    "two offsets": (bvh().replace("\tEnd", "OFFSET 0 0 0\nEnd"), 6, "second OFFSET"),
    "a short offset": (bvh().replace("1 2 3", "1 2"), 5, "expected an offset in Z, found 'CHANNELS'"),
    "an offset that is no number": (bvh().replace("1 2 3", "1 nan 3"), 4, "expected an offset in Y, found 'nan'"),
    "an infinite offset": (bvh().replace("1 2 3", "1 1e999 3"), 4, "expected an offset in Y"),
    "an unknown channel": (bvh(channels="1 Wrotation"), 5, "unknown channel 'Wrotation' of the joint 'hips'"),
    "a channel twice": (bvh(channels="2 Zrotation zrotation"), 5, "lists the channel zrotation twice"),
    "no number of channels": (bvh(channels="Zrotation"), 5, "expected a number of channels, found 'Zrotation'"),
    "a wrong number of channels": (bvh(channels="2 Zrotation Yrotation Xrotation"), 5, "found 'XROTATION'"),
    "channels twice": (bvh().replace("\tEnd", "CHANNELS 1 Xposition\nEnd"), 6, "second CHANNELS"),
    "no channels at all": (bvh("", "0"), 11, "no joint has channels"),
    "an unknown word": (bvh().replace("\tEnd", "SCALE 1\nEnd"), 6, "found 'SCALE'"),
    "a broken end site": (bvh().replace("OFFSET 0 5 0", "0 5 0"), 8, "expected the OFFSET of an end site"),
    "no number of frames": (bvh().replace("Frames: 1", "Frame: 1"), 11, "expected 'Frames: <number>'"),
    "a number of frames in words": (bvh().replace("Frames: 1", "Frames: one"), 12, "the number of frames is 'one'"),
    "a broken number of frames": (bvh().replace("Frames: 1", "Frames: 1.5"), 12, "must be a whole number"),
    "negative frames": (bvh().replace("Frames: 1", "Frames: -1"), 12, "must be a whole number"),
    "zero frames": (bvh("", frames=0), 12, "zero frames"),
    "no frame time": (bvh().replace("Frame Time: 0.025\n", ""), 13, "expected 'Frame Time: <seconds>'"),
    "a frame time of zero": (bvh().replace("0.025", "0"), 13, "must be positive and finite"),
    "a negative frame time": (bvh().replace("0.025", "-0.025"), 13, "must be positive and finite"),
    "a frame time that is not a number": (bvh().replace("0.025", "nan"), 13, "must be positive and finite"),
    "a frame time in words": (bvh().replace("0.025", "fast"), 13, "the frame time is 'fast'"),
    "too few frames": (bvh("0 0 0\n0 0 0", frames=3), 12, "the number of frames is 3, and 2 lines of values follow"),
    "too many frames": (bvh("0 0 0\n0 0 0", frames=1), 12, "the number of frames is 1, and 2 lines of values follow"),
    "no values": (bvh(""), 12, "and 0 lines of values follow"),
    "a short line": (bvh("0 0 0\n\n0 0\n0 0 0", frames=3), 16, "frame 1 has 2 values: the hierarchy has 3 channels"),
    "a long line": (bvh("0 0 0\n0 0 0 0", frames=2), 15, "frame 1 has 4 values"),
    "a cut last line": (bvh("0 0 0\n0 0", frames=2), 15, "the file seems to be cut off"),
    "a word among the values": (bvh("0 0 0\n0 zero 0", frames=2), 15, "Yrotation of 'hips' in frame 1 is 'zero'"),
    "a value that is not a number": (bvh("0 0 0\n0 0 nan", frames=2), 15, "Xrotation of 'hips' in frame 1 is 'nan'"),
    "infinity": (bvh("0 0 inf"), 14, "Xrotation of 'hips' in frame 0 is 'inf': must be a finite number"),
    "overflow": (bvh("0 0 1e999"), 14, "must be a finite number"),
    "Visual C's not-a-number": (bvh("0 0 -1.#IND"), 14, "is '-1.#IND'"),
    "decimal commas": (bvh("0,5 0 0"), 14, "Zrotation of 'hips' in frame 0 is '0,5'"),
    "two points": (bvh("0.5.1 0 0"), 14, "is '0.5.1'"),
    "a sign within": (bvh("0-5 0 0"), 14, "is '0-5'"),
    "a sign alone": (bvh("0 - 0"), 14, "is '-'"),
    "a point alone": (bvh("0 0 ."), 14, "is '.'"),
    "an underscore": (bvh("0 0 1_0"), 14, "is '1_0'"),
    "bytes among the values": (bvh("0 \x01 0"), 14, "values"),
}  # fmt: skip

# Those that are read with a warning, see tests/python/io/bvh.
BEYOND_DOUBT = {"too few frames", "too many frames", "decimal commas"}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_file_is_refused_with_its_line(load_text, kind: str) -> None:
    text, line, words = BROKEN[kind]
    for strict in (True,) if kind in BEYOND_DOUBT else (True, False):
        with pytest.raises(sk.FormatError) as caught:
            load_text(text, strict=strict)
        assert caught.value.line == line
        assert words in caught.value.reason
        assert caught.value.path.endswith("clip.bvh")


@pytest.mark.slow
def test_every_cut_of_a_file_is_read_or_refused_by_name(load_text) -> None:
    text = bvh("1 2 3\n4 5 6", frames=2)
    for length in range(len(text)):
        if text[:length].rstrip() != text.rstrip():
            with pytest.raises(sk.FormatError) as caught:
                load_text(text[:length], strict=True)
            assert caught.value.line is not None
            if not text[:length].rstrip().endswith("1 2 3"):  # but for a whole row that is missing
                with pytest.raises(sk.FormatError):
                    load_text(text[:length])


def test_numbers_are_read_to_the_last_bit(load_text) -> None:
    words = [
        "0.1",
        "-0.0",
        "123456789012345678",
        "12345678901234567890",
        "0.30000000000000004",
        "5.",
        "9007199254740993",
    ]
    words += ["1e-300", "2.5E+4"]
    channels = "3 Xposition Yposition Zposition"
    for word in words:
        clip = load_text(bvh(f"0 {word} 0", channels))
        assert clip.translations[0, 0, 1].tobytes() == np.float64(float(word)).tobytes()
    for several in (words[:3], words[:-2], words):
        clip = load_text(bvh("\n".join(f"0 {word} 0" for word in several), channels, frames=len(several)))
        assert clip.translations[:, 0, 1].tolist() == [float(word) for word in several]


def test_a_missing_file_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        sk.load(tmp_path / "none.bvh")


def test_an_unknown_ending_and_an_animation_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"must end in \.bvh"):
        sk.load(tmp_path / "walk.c3d")
    with pytest.raises(ValueError, match="holds one animation"):
        sk.load(tmp_path / "walk.bvh", animation="Walk")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::skelkin_py.FormatWarning")
def test_damaged_files_are_read_or_refused_and_never_crash(load_text, tmp_path: Path) -> None:
    whole = bvh("1 2 3\n-4.5 .5 6e1", frames=2).encode()
    pieces = [
        b" ",
        b"\n",
        b"\r",
        b"{",
        b"}",
        b"-",
        b".",
        b"e",
        b"nan",
        b"1e999",
        b"\xff",
        b"MOTION\n",
        b"9" * 25,
        b"\x0b",
        b"0",
    ]
    read = 0
    for seed in range(2000):
        rng = np.random.default_rng(seed)
        data = bytearray(whole)
        for _ in range(int(rng.integers(1, 4))):
            place = int(rng.integers(len(data) + 1))
            length = int(rng.choice([0, 0, 1, 1, 3, 20]))
            data[place : place + length] = pieces[rng.integers(len(pieces))] if rng.integers(3) else b""
        try:
            clip = load_text(bytes(data))
        except sk.FormatError:
            continue
        read += 1
        clip.save(tmp_path / "again.bvh")
        assert sk.load(tmp_path / "again.bvh", strict=True) == clip
    assert read > 100


TURNS = "Zrotation Xrotation Yrotation"


@pytest.mark.slow
def test_a_large_file_takes_less_than_five_times_its_size(tmp_path: Path) -> None:
    lines = ["HIERARCHY", "ROOT j0", "{", f"OFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition {TURNS}"]
    for k in range(1, 31):
        lines.append(f"JOINT j{k}\n{{\nOFFSET 0 1 0\nCHANNELS 3 {TURNS}")
    lines += ["End Site\n{\nOFFSET 0 1 0\n}", *["}"] * 31]
    row = " ".join(f"{7.25 * k % 180 - 90:.4f}" for k in range(96)) + "\n"  # digits as of a capture

    def peak_of(frames: int) -> float:
        text = "\n".join([*lines, f"MOTION\nFrames: {frames}\nFrame Time: 0.01\n"]) + row * frames
        (tmp_path / f"{frames}.bvh").write_text(text)
        return peak_memory("import sys, skelkin_py as sk; clip = sk.load(sys.argv[1])", tmp_path / f"{frames}.bvh")

    frames = 25_000_000 // len(row)
    grown = peak_of(frames) - peak_of(10)
    assert grown < 5.0 * (tmp_path / f"{frames}.bvh").stat().st_size / 2**20
