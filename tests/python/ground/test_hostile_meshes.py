# SPDX-License-Identifier: MIT
"""Mesh files that lie about their sizes or were damaged: a FormatError at once, never a loop or an allocation."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest
from floor_files import FILES, ply

import skelkin_py as sk
from skelkin_py.ground import load_ground
from skelkin_py.ground.files import read_triangles

HUGE = 10**17


def header(*lines: str, kind: str = "ascii") -> bytes:
    return "\n".join(["ply", f"format {kind} 1.0", *lines, "end_header", ""]).encode()


def faces(body: bytes, *, count: int = 1, kind: str = "ascii", lengths: str = "char", items: str = "int") -> bytes:
    """Return a PLY file of faces alone."""
    return header(f"element face {count}", f"property list {lengths} {items} vertex_indices", kind=kind) + body


BINARY = "binary_little_endian"
# What is wrong, the file, its line and words of the reason.
HOSTILE = {
    "text, a negative list": ("ply", faces(b"-1 0 0 0\n-1 0 0 0\n", count=2), 6, "'-1': a whole number"),
    "text, endless lists": ("ply", faces(b"-1 " * 9, count=HUGE), 3, f"{HUGE} face elements of 1 numbers or more"),
    "text, a list of other things": (
        "ply",
        header("element other 1", "property list int int what") + b"-5 0 0\n",
        6,
        "list of other 0 is '-5'",
    ),
    "text, a long list": ("ply", faces(f"{HUGE} 0 1 2\n".encode()), 6, f"face 0 has {HUGE} numbers"),
    "text, thousands of digits": ("ply", faces(b"9" * 5000 + b" 0 1 2\n"), 6, "'9999"),
    "text, a corner of thousands of digits": ("ply", faces(b"3 0 1 " + b"9" * 5000), 6, "a corner is '9999"),
    "text, a corner beyond int64": ("ply", faces(b"3 0 1 " + b"9" * 30), 6, "a corner is '9999"),
    "text, a coordinate": (
        "ply",
        header("element vertex 2", *(f"property float {axis}" for axis in "xyz")) + b"0 0 0\n0 zero 0\n",
        9,
        "'zero' is not a number",
    ),
    "binary, a negative list": ("ply", faces(b"\xff" * 9, count=9, kind=BINARY), None, "face 0 has -1 numbers"),
    "binary, lists that lead back": (
        "ply",
        faces(struct.pack("<iiii", -1, -1, -1, -1), count=4, kind=BINARY, lengths="int"),
        None,
        "face 0 has -1 numbers",
    ),
    "binary, endless lists": ("ply", faces(b"\0" * 9, count=HUGE, kind=BINARY), 3, f"{HUGE} face elements of 1 byte"),
    "binary, a long list": (
        "ply",
        faces(struct.pack("<I3i", 2**32 - 1, 0, 1, 2), kind=BINARY, lengths="uint"),
        None,
        "face 0 has 4294967295 numbers",
    ),
    "binary, half a length": ("ply", faces(b"\0\0\0\0\1", kind=BINARY, count=1, lengths="int")[:-2], 3, "3 bytes"),
    "binary, a length of no whole number": ("ply", faces(b"\0" * 9, kind=BINARY, lengths="float"), 4, "whole numbers"),
    "binary, corners of no whole number": ("ply", faces(b"\0" * 9, kind=BINARY, items="float"), 4, "whole numbers"),
    "binary, endless points": (
        "ply",
        header(f"element vertex {HUGE}", "property float x", kind=BINARY),
        3,
        f"{HUGE} vertex elements of 4 bytes",
    ),
    "a negative number of elements": ("ply", header("element vertex -3", "property float x"), 3, "'-3': a whole"),
    "a number of elements of thousands of digits": ("ply", header("element vertex " + "9" * 5000), 3, "a whole number"),
    "an element without a number": ("ply", header("element vertex"), 3, "a name and a number"),
    "a property before elements": ("ply", header("property float x"), 3, "before the first element"),
    "a property without a type": ("ply", header("element vertex 1", "property"), 4, "a type and a name"),
    "an unknown type": ("ply", header("element vertex 1", "property quad x"), 4, "'quad' is not a type"),
    "an unknown format": ("ply", header(kind="binary_middle_endian"), 2, "'binary_middle_endian 1.0'"),
    "no format": ("ply", b"ply\nend_header\n", None, "no format"),
    "points without z": (
        "ply",
        header("element vertex 1", "property float x", "property float y") + b"0 0\n",
        3,
        "no z",
    ),
    "elements of nothing": ("ply", header(f"element vertex {HUGE}"), 3, "no x"),
    "OBJ, a face before its points": ("obj", b"v 0 0 0\nf -1 -1 -2\n", 2, "corner '-2': there are 1 points before it"),
    "OBJ, a corner beyond all": ("obj", b"v 0 0 0\nf 1 1 " + b"9" * 30, 2, "there are 1 points before it"),
    "OBJ, thousands of digits": ("obj", b"v 0 0 0\nf 1 1 " + b"9" * 5000, 2, "these are '1 1 999"),
    "OBJ, no number": ("obj", b"v 0 0 0\n\n#\nv 0 x 0\n", 4, "these are '0 x 0'"),
    "OBJ, no number behind lines that go on": ("obj", b"v 0 \\\n0 0\nv 0 \\\n y 0", 4, "these are '0 y 0'"),
    "STL, 34 bytes": ("stl", b"\0" * 34, None, "34 bytes are not a whole number of triangles"),
    "STL, endless triangles": ("stl", b"\0" * 80 + b"\xff" * 4 + b"\0" * 50, None, "134 bytes are not a whole number"),
    "STL, text with a corner missing": ("stl", b"solid\nvertex 0 0 0\nendsolid", None, "1 corners: every triangle"),
    "STL, text with half a corner": ("stl", b"solid\n\nvertex 0 0\nendsolid", 3, "these are '0 0'"),
}  # fmt: skip


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_mesh_is_refused_with_its_line(kind: str, tmp_path: Path) -> None:
    ending, data, line, words = HOSTILE[kind]
    path = tmp_path / f"ground.{ending}"
    path.write_bytes(data)
    with pytest.raises(sk.FormatError) as caught:
        read_triangles(path)
    assert words in caught.value.reason
    assert caught.value.line == line
    assert caught.value.path == str(path)
    assert len(caught.value.reason) < 300  # a word of a megabyte is not shown as a whole


def test_other_tables_of_a_mesh_are_passed_over(tmp_path: Path) -> None:
    """Elements without properties, numbers and lists that are no faces."""
    extra = ["element empty 7", "element edge 1", "property list uchar float w", "element material 1", "property int m"]
    data = ply("").replace(b"element face 1", "\n".join([*extra, "element face 1"]).encode())
    data = data.replace(b"200 4 0 1 2 3", b"2 0.5 0.5\n9\n200 4 0 1 2 3")
    (tmp_path / "floor.ply").write_bytes(data)
    assert read_triangles(tmp_path / "floor.ply")[1].tolist() == [[0, 1, 2], [0, 2, 3]]


@pytest.mark.slow
def test_many_lines_that_go_on_are_read_in_linear_time(tmp_path: Path) -> None:
    (tmp_path / "long.obj").write_bytes(b"v 0 0 0\n" * 3 + b"f 1 2 3" + b"\\\n" * 1_000_000 + b"\n")
    assert read_triangles(tmp_path / "long.obj")[1].tolist() == [[0, 1, 2]]


def damaged(data: bytes, rng: np.random.Generator) -> bytes:
    """Flip bits, cut, or put a piece of the file, or a number that lies, into another place."""
    out = bytearray(data)
    lies = [b"-1", b"99999999999999999999", b"\xff\xff\xff\xff", b"nan", b"1e999", b"\\\n", b"\0", b"list", b"0"]
    for _ in range(int(rng.integers(1, 4))):
        at, size = int(rng.integers(len(out) + 1)), int(rng.choice([0, 1, 4, 20]))
        kind = int(rng.integers(4))
        if kind == 0 and at < len(out):
            out[at] ^= 1 << int(rng.integers(8))
        elif kind == 1:
            out[at : at + size] = b""
        elif kind == 2:
            begin = int(rng.integers(len(out) + 1))
            out[at : at + size] = out[begin : begin + 20]
        else:
            out[at : at + size] = lies[int(rng.integers(len(lies)))]
    return bytes(out)


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_a_damaged_mesh_is_read_or_refused(name: str, tmp_path: Path) -> None:
    refused = 0
    for seed in range(200):
        (tmp_path / name).write_bytes(damaged(FILES[name], np.random.default_rng(seed)))
        try:
            points, corners = read_triangles(tmp_path / name)
        except sk.FormatError:
            refused += 1
            continue
        assert points.dtype == np.float64
        assert corners.shape[1] == 3
    assert 20 < refused <= 200


SIGNALLING = struct.pack("<I", 0x7F800001)  # a NaN whose conversion to float64 makes numpy warn
TRIANGLE = [f"property float {axis}" for axis in "xyz"] + ["element face 1", "property list char char vertex_indices"]
# The file's name, its content and words of the reason.
NO_GROUND = {
    "far away": ("a.obj", b"v 0 0 0\nv 1 0 0\nv 0 0 1e300\nf 1 2 3\n", "points[2, 2] is 1e+300: it must be finite"),
    "a NaN in an STL file": ("a.stl", FILES["binary.stl"][:-6] + SIGNALLING + b"\0\0", "points[5, 2] is nan: it must"),
    "a NaN in a PLY file": (
        "a.ply",
        header("element vertex 3", *TRIANGLE, kind=BINARY) + b"\0" * 32 + SIGNALLING + b"\3\0\1\2",
        "points[2, 2] is nan: it must be finite",
    ),
    "no area": ("a.obj", b"v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", "none of the 1 triangles has an area"),
    "a corner beyond all": ("a.obj", b"v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 4\n", "faces[0, 2] is 3: there are 3 points"),
}  # fmt: skip


@pytest.mark.parametrize("kind", NO_GROUND)
def test_a_mesh_that_is_no_ground_is_a_format_error(kind: str, tmp_path: Path) -> None:
    name, data, words = NO_GROUND[kind]
    (tmp_path / name).write_bytes(data)
    with pytest.raises(sk.FormatError) as caught:
        load_ground(tmp_path / name)
    assert words in caught.value.reason


def test_a_nan_that_signals_is_a_hole_as_any_other(tmp_path: Path) -> None:
    heights = np.frombuffer(struct.pack("<f", 1.0) * 3 + SIGNALLING, "<f4").reshape(2, 2)
    np.save(tmp_path / "hill.npy", heights)
    assert np.isnan(load_ground(tmp_path / "hill.npy").heights).tolist() == [[False, False], [False, True]]
