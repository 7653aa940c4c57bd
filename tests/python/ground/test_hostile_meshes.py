# SPDX-License-Identifier: MIT
"""Mesh files that were damaged: a FormatError at once, never a loop or an allocation."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest
from floor_files import OBJ

import skelkin_py as sk
from skelkin_py.ground import load_ground
from skelkin_py.ground.files import read_obj

# What is wrong, the file, its line and words of the reason.
HOSTILE = {
    "a face before its points": (b"v 0 0 0\nf -1 -1 -2\n", 2, "corner '-2': there are 1 points before it"),
    "a corner beyond all": (b"v 0 0 0\nf 1 1 " + b"9" * 30, 2, "there are 1 points before it"),
    "thousands of digits": (b"v 0 0 0\nf 1 1 " + b"9" * 5000, 2, "these are '1 1 999"),
    "no number": (b"v 0 0 0\n\n#\nv 0 x 0\n", 4, "these are '0 x 0'"),
    "no number behind lines that go on": (b"v 0 \\\n0 0\nv 0 \\\n y 0", 4, "these are '0 y 0'"),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_mesh_is_refused_with_its_line(kind: str, tmp_path: Path) -> None:
    data, line, words = HOSTILE[kind]
    path = tmp_path / "ground.obj"
    path.write_bytes(data)
    with pytest.raises(sk.FormatError) as caught:
        read_obj(path)
    assert words in caught.value.reason
    assert caught.value.line == line
    assert caught.value.path == str(path)
    assert len(caught.value.reason) < 300  # a word of a megabyte is not shown as a whole


@pytest.mark.slow
def test_many_lines_that_go_on_are_read_in_linear_time(tmp_path: Path) -> None:
    (tmp_path / "long.obj").write_bytes(b"v 0 0 0\n" * 3 + b"f 1 2 3" + b"\\\n" * 1_000_000 + b"\n")
    assert read_obj(tmp_path / "long.obj")[1].tolist() == [[0, 1, 2]]


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
def test_a_damaged_mesh_is_read_or_refused(tmp_path: Path) -> None:
    path, refused = tmp_path / "floor.obj", 0
    for seed in range(200):
        path.write_bytes(damaged(OBJ, np.random.default_rng(seed)))
        try:
            points, corners = read_obj(path)
        except sk.FormatError:
            refused += 1
            continue
        assert points.dtype == np.float64
        assert corners.shape[1] == 3
    assert 20 < refused <= 200


SIGNALLING = struct.pack("<I", 0x7F800001)  # a NaN whose conversion to float64 makes numpy warn
# What is wrong, the file and words of the reason.
NO_GROUND = {
    "far away": (b"v 0 0 0\nv 1 0 0\nv 0 0 1e300\nf 1 2 3\n", "points[2, 2] is 1e+300: it must be finite"),
    "no area": (b"v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", "none of the 1 triangles has an area"),
    "a corner beyond all": (b"v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 4\n", "faces[0, 2] is 3: there are 3 points"),
}


@pytest.mark.parametrize("kind", NO_GROUND)
def test_a_mesh_that_is_no_ground_is_a_format_error(kind: str, tmp_path: Path) -> None:
    data, words = NO_GROUND[kind]
    (tmp_path / "a.obj").write_bytes(data)
    with pytest.raises(sk.FormatError) as caught:
        load_ground(tmp_path / "a.obj")
    assert words in caught.value.reason


def test_a_nan_that_signals_is_a_hole_as_any_other(tmp_path: Path) -> None:
    heights = np.frombuffer(struct.pack("<f", 1.0) * 3 + SIGNALLING, "<f4").reshape(2, 2)
    np.save(tmp_path / "hill.npy", heights)
    assert np.isnan(load_ground(tmp_path / "hill.npy").heights).tolist() == [[False, False], [False, True]]
