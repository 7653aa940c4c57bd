# SPDX-License-Identifier: MIT
"""Files of numpy that lie about their sizes or were damaged: a FormatError at once, in every reader of them."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import skelkin_py as sk
from skelkin_py._support.npy_files import read_npy
from skelkin_py.cli import main
from skelkin_py.ground import load_ground

SKELETON = sk.Skeleton([-1], np.eye(4)[None])
WEIGHTS = sk.SkinWeights([[0]], [[1.0]], 1)
HUGE = 10**30


def npy(header: str, body: bytes = b"", *, version: int = 1, length: int | None = None) -> bytes:
    """Return a file with this header, whatever it says; `length` is what it says of the header itself."""
    counted = struct.pack("<H" if version == 1 else "<I", len(header) if length is None else length)
    return b"\x93NUMPY" + bytes([version, 0]) + counted + header.encode("latin-1") + body


def said(shape: str, descr: str = "'<f8'", order: str = "False") -> str:
    return f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}"


# What is wrong, the file and words of the reason.
HOSTILE = {
    "nothing": (b"", "does not begin with numpy's signature"),
    "the first bytes": (b"\x93NUMPY", "does not begin with numpy's signature"),
    "no length of the header": (b"\x93NUMPY\x01\x00\x76", "a header of"),
    "a header that is cut off": (npy(said("(3,)"), length=400), "a header of 400 bytes was announced, 57 were read"),
    "a header of 4 GB": (npy(said("(3,)"), version=2, length=2**32 - 1), "a header of 4294967295 bytes was announced"),
    "a header that is too long": (npy(said("(3,)").ljust(20_000)), "a header of 20000 bytes was announced"),
    "an unknown version": (npy(said("(3,)"), version=9), "version 9 of the format is unknown"),
    "a huge shape": (npy(said(f"({HUGE},)")), f"its shape is '({HUGE},)'"),
    "a huge shape of several": (npy(said("(1000000000000, 1000000000000, 0)")), "too large for an array"),
    "more rows than there are": (npy(said("(1000000000000, 4)"), b"\0" * 64), "32000000000000 bytes of numbers were"),
    "a shape of thousands of digits": (npy(said(f"({'9' * 5000},)")), "its shape is '(9999"),
    "negative rows": (npy(said("(-3, 4)"), b"\0" * 96), "its header is"),
    "minus signs": (npy(said(f"({'-' * 6000}3,)"), b"\0" * 24), "its header is"),
    "brackets": (npy(said("(" * 6000 + "3,)"), b"\0" * 24), "its header is"),
    "a shape that is a number": (npy(said("(3)"), b"\0" * 24), "its shape is '(3)'"),
    "a shape that is a list": (npy(said("[3]"), b"\0" * 24), "its header is"),
    "more dimensions than arrays have": (npy(said(f"({'1,' * 100})"), b"\0" * 8), "too large for an array"),
    "a call": (npy(said("(__import__('os').getpid(),)")), "its header is"),
    "two dictionaries": (npy(said("(3,)") * 2, b"\0" * 24), "its header is"),
    "an order of no kind": (npy(said("(3,)", order="None"), b"\0" * 24), "its header is"),
    "no dtype": (npy("{'fortran_order': False, 'shape': (3,), }", b"\0" * 24), "its header is"),
    "bytes that are no text": (npy("\xff\xfe\x00" * 20), "its header is"),
    "an unknown dtype": (npy(said("(3,)", "'<f3'"), b"\0" * 24), "holds '<f3': real numbers are needed"),
    "objects": (npy(said("(3,)", "'|O'"), b"\0" * 24), "holds '|O': real numbers are needed"),
    "records": (npy(said("(3,)", "[('x', '<f8')]"), b"\0" * 24), "its header is"),
    "items of size zero": (npy(said("(3,)", "'<U0'"), b"\0" * 24), "holds text (<U0): real numbers are needed"),
    "a zip file": (b"PK\x05\x06" + b"\0" * 18, "does not begin with numpy's signature"),
}  # fmt: skip


def armature(path: Path) -> Any:
    """Put the array into an armature."""
    whole = io.BytesIO()
    sk.blender.Armature([-1], np.eye(4)[None]).to_npz(whole)
    with zipfile.ZipFile(whole) as source, zipfile.ZipFile(path.with_suffix(".npz"), "w") as target:
        for name in source.namelist():
            target.writestr(name, path.read_bytes() if name == "rest.npy" else source.read(name))
    return sk.blender.Armature.from_npz(path.with_suffix(".npz"))


READERS: list[Callable[[Path], Any]] = [read_npy, load_ground, armature]


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_array_is_refused_by_every_reader(kind: str, reader: Callable[[Path], Any], tmp_path: Path) -> None:
    data, words = HOSTILE[kind]
    path = tmp_path / "array.npy"
    path.write_bytes(data)
    with pytest.raises(sk.FormatError) as caught:
        reader(path)
    assert words.replace("real numbers", "numbers" if reader is armature else "real numbers") in str(caught.value)
    assert caught.value.path in (str(path), str(path.with_suffix(".npz")))
    assert len(caught.value.reason) < 300
    assert not path.with_name("out.npy").exists()


@pytest.mark.parametrize("kind", ["a huge shape", "minus signs", "negative rows", "a header that is cut off"])
def test_the_command_names_a_hostile_array_in_one_line(kind: str, tmp_path: Path, capsys) -> None:
    array, clip = tmp_path / "array.npy", tmp_path / "walk.bvh"
    array.write_bytes(HOSTILE[kind][0])
    sk.example("biped").clip.slice(0, 9).save(clip)
    good = tmp_path / "good.npy"
    np.save(good, np.zeros((2, 2)))
    for arguments in (
        ["plant", array, "--skeleton", clip, "-o", tmp_path / "out.npy"],
        ["plant", clip, "--ground", array, "-o", tmp_path / "out.bvh"],
        ["check", clip, "--ground", array],
    ):
        assert main([str(word) for word in arguments]) == 1
        error = capsys.readouterr().err
        assert error.count("\n") == 1
        assert HOSTILE[kind][1] in error
    assert not (tmp_path / "out.npy").exists()


@pytest.mark.parametrize("dtype", ["<f2", ">f4", "<f8", ">i2", "u1", "<i8"])
@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
@pytest.mark.parametrize("order", ["C", "F"])
def test_what_numpy_writes_is_read(dtype: str, version: tuple[int, int], order: str, tmp_path: Path) -> None:
    heights = np.arange(12).reshape(3, 4).astype(dtype, order=order)
    with open(tmp_path / "hill.npy", "wb") as file:
        np.lib.format.write_array(file, heights, version=version)
    assert load_ground(tmp_path / "hill.npy").heights.tolist() == heights.tolist()


@pytest.mark.parametrize(
    "header",
    [
        "{'descr': '<f8', 'fortran_order': False, 'shape': (2L, 2L), }",
        '{"shape":(2,2),"fortran_order":False,"descr":"<f8"}',
    ],
)
def test_what_other_programs_write_is_read(header: str, tmp_path: Path) -> None:
    (tmp_path / "hill.npy").write_bytes(npy(header + "\n", np.arange(4.0).tobytes()))
    assert load_ground(tmp_path / "hill.npy").heights.tolist() == [[0.0, 1.0], [2.0, 3.0]]
