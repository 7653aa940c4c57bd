# SPDX-License-Identifier: MIT
"""Armatures in `.npz` files that were damaged, or that unpack to thousands of times their size: FormatErrors."""

from __future__ import annotations

import io
import struct
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from peak_memory import peak_memory

import skelkin_py as sk
from skelkin_py._support.npz_files import NpzArrays
from skelkin_py.blender import Armature, BBones, Envelopes


def members(**changed: Any) -> dict[str, Any]:
    """Return the arrays of an armature by name, with others in place of some."""
    file = io.BytesIO()
    envelopes = Envelopes(*np.ones((4, 2)), multiply=np.array([True, False]))
    Armature([-1, 0], np.tile(np.eye(4), (2, 1, 1)), envelopes=envelopes, bbones=BBones([1, 4])).to_npz(file)
    with np.load(io.BytesIO(file.getvalue())) as arrays:
        return {**{name: arrays[name] for name in arrays.files}, **changed}


def npz(arrays: dict[str, Any], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a file of arrays; those that are bytes already are members as they are."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as target:
        for name, value in arrays.items():
            content = io.BytesIO()
            if not isinstance(value, bytes):
                np.lib.format.write_array(content, np.asarray(value))
            info = zipfile.ZipInfo(name + ".npy")
            info.compress_type, info.create_system = compression, 3  # on Windows too
            target.writestr(info, value if isinstance(value, bytes) else content.getvalue())
    return file.getvalue()


def announced(size: int, parents: bytes) -> bytes:
    """Return a file that says of its parents how many bytes they unpack to."""
    data = npz(members(parents=parents))
    at = data.index(b"PK\x01\x02") + 24  # of the list at the end
    while data[at + 22 : at + 33] != b"parents.npy":
        at = data.index(b"PK\x01\x02", at) + 24
    return data[:at] + struct.pack("<I", size) + data[at + 4 :]


def read(data: bytes, **options: Any) -> Armature:
    return Armature.from_npz(io.BytesIO(data), **options)


def array(value: Any) -> bytes:
    content = io.BytesIO()
    np.save(content, value)
    return content.getvalue()


def promising(shape: str, descr: str = "<f8") -> bytes:
    """Return a member whose header promises numbers of this shape, of which 1000 are there."""
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}".encode()
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + b"\0" * 8000


# What is wrong, the file and words of the reason.
HOSTILE = {
    "numbers as names": (npz(members(names=[1, 2])), "names': holds int64: text is needed"),
    "a table of names": (npz(members(names=[["a", "b"]])), "names has shape (1, 2): one name per bone is needed"),
    "one text as names": (npz(members(names="a")), "names has shape (): one name per bone is needed"),
    "bytes as names": (npz(members(names=[b"a", b"b"])), "holds bytes (|S1"),
    "names that are no letters": (
        npz(members(names=array(["ab", "cd"]).replace("a".encode("utf-32-le"), b"\xff\xff\xff\x7f"))),
        "names[0] has 0x7fffffff at 0: which is not a Unicode character",
    ),
    "names that cannot be written": (npz(members(names=["\ud800", "b"])), "names[0] has 0xd800 at 0"),
    "names of no size": (npz(members(names=promising("(1000000000000,)", "<U0"))), "items of size zero"),
    "a name that is twice there": (npz(members(names=["a", "a"])), "names[1] = 'a' is already the name"),
    "too few names": (npz(members(names=["a"])), "names has 1 entries: expected 2"),
    "text as numbers": (npz(members(rest=["a", "b"])), "'rest': holds text (<U1"),
    "a parent that is none": (npz(members(parents=[-1, 7])), "parents[1] = 7"),
    "rests of another shape": (npz(members(rest=np.eye(4))), "rest has shape (4, 4)"),
    "a half of the bendy bones": (
        npz({name: value for name, value in members().items() if name != "bbones.handles"}),
        "there is no array 'bbones.handles' in it",
    ),
    "more than is there": (npz(members(parents=promising("(10000,)"))), "80000 bytes of numbers were announced, 8000"),
    "less than is there": (npz(members(parents=promising("(10,)"))), "80 bytes of numbers were announced, 8000 found"),
    "negative rows": (npz(members(parents=promising("(-3,)"))), "'parents': not a .npy file of numbers"),
    "a huge shape": (npz(members(parents=promising(f"({10**30},)"))), "'parents': not a .npy file: its shape is '("),
    "minus signs": (npz(members(parents=promising("(" + "-" * 6000 + "3,)"))), "'parents': not a .npy file of numbers"),
    "a header that is cut off": (npz(members(parents=array([-1, 0])[:40])), "'parents': not a complete .npy file"),
    "a member that is no array": (npz(members(parents=b"text")), "'parents': not a .npy file: it does not begin"),
    "less than announced": (
        announced(len(promising("(10000,)")) + 72_000, promising("(10000,)")),
        "unpacks to fewer bytes than were announced",
    ),
    "packed by other means": (npz(members(), zipfile.ZIP_BZIP2), "compressed by a method that numpy does not use"),
    "a secret": (npz(members()).replace(b"PK\x01\x02\x14\x03\x14\0\0\0", b"PK\x01\x02\x14\x03\x14\0\1\0"), "encrypted"),
    "a version to come": (npz(members()).replace(b"PK\x01\x02\x14\x03\x14", b"PK\x01\x02\x14\x03\xff"), "version"),
    "a single array": (array([1.0]), "file holds no armature: not a complete .npz file"),
    "nothing": (b"", "file holds no armature: not a complete .npz file"),
}  # fmt: skip


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_armature_is_refused(kind: str, tmp_path: Path) -> None:
    data, words = HOSTILE[kind]
    (tmp_path / "rig.npz").write_bytes(data)
    with pytest.raises(sk.FormatError) as caught:
        Armature.from_npz(tmp_path / "rig.npz")
    assert caught.value.path == str(tmp_path / "rig.npz")
    assert caught.value.reason.startswith("file holds no armature: ")
    assert words in caught.value.reason
    assert len(caught.value.reason) < 300
    with pytest.raises(sk.FormatError, match=r"^<file>: file holds no armature: "):
        read(data)


def test_a_missing_file_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Armature.from_npz(tmp_path / "none.npz")


@pytest.mark.slow
@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_every_bit_and_every_cut_of_a_file_is_refused_or_means_nothing(compression: int) -> None:
    whole = npz(members(), compression)
    expected = read(whole)
    rng, refused = np.random.default_rng(1), 0
    for step in range(600):
        data = bytearray(whole)
        if step % 3:
            data[int(rng.integers(len(data)))] ^= 1 << int(rng.integers(8))
        else:
            del data[int(rng.integers(len(data))) :]
        try:
            armature = read(bytes(data))
        except sk.FormatError:
            refused += 1
        else:
            assert armature.names == expected.names
            assert (armature.rest == expected.rest).all()
    assert refused > 200


@pytest.mark.slow
def test_what_unpacks_to_more_than_is_allowed_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    """64 MB in a file of 64 kB, with 1 MB allowed, and a promise of 1.9 GB without a word about how much is."""
    data = npz(members(parents=np.zeros(8_000_000)))
    assert len(data) < 200_000
    with pytest.raises(sk.FormatError, match=r"'parents': unpacks to more than max_bytes=1000000 allows"):
        read(data, max_bytes=1_000_000)
    with pytest.raises(sk.FormatError, match=r"parents has .* dtype float64"):
        read(data, max_bytes=10**8)
    parents = promising("(237500000,)")
    with pytest.raises(sk.FormatError, match="max_bytes=1073741824 allows"):
        read(announced(len(parents) - 8000 + 1_900_000_000, parents))
    (tmp_path / "bomb.npz").write_bytes(data)
    script = """
import sys
import skelkin_py as sk
try:
    sk.blender.Armature.from_npz(sys.argv[1], max_bytes=int(sys.argv[2]))
except sk.FormatError:
    pass
"""
    peaks = [peak_memory(script, tmp_path / "bomb.npz", allowed) for allowed in (10**6, 10**8)]
    assert peaks[1] - peaks[0] > 50.0  # that is what unpacking takes


def test_the_sum_of_what_is_asked_for_counts() -> None:
    arrays = members()
    needed = sum(value.nbytes for value in arrays.values())
    assert read(npz(arrays), max_bytes=needed).num_bones == 2
    with pytest.raises(sk.FormatError, match=f"unpacks to more than max_bytes={needed - 1} allows"):
        read(npz(arrays), max_bytes=needed - 1)


@pytest.mark.parametrize("name", ["junk", "bbones.junk", "envelopes.junk"])
def test_arrays_that_are_not_asked_for_stay_packed(name: str) -> None:
    data = npz(members(**{name: np.zeros(1_000_000)}))
    assert read(data, max_bytes=10_000).num_bones == 2
    with NpzArrays(io.BytesIO(data), max_bytes=100) as arrays:
        assert name in arrays.names
        assert arrays.read("parents").tolist() == [-1, 0]


@pytest.mark.parametrize("wrong", [None, 1.5, "2 GB", True])
def test_how_much_is_allowed_is_a_whole_number(wrong: Any) -> None:
    with pytest.raises(TypeError, match=r"max_bytes is .*: a whole number of bytes is needed"):
        read(npz(members()), max_bytes=wrong)
