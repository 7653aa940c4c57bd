# SPDX-License-Identifier: MIT
"""`skelkin blender-check` on this side of Blender: the process it starts, and the table it prints."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

from skelkin_py.blender import check as module
from skelkin_py.blender.check import Difference, check_file, table
from skelkin_py.cli import main

PACKAGE = Path(module.__file__).resolve().parents[1]
BPY = """
from types import SimpleNamespace as S
app = S(version_string="9.9.9")
ops = S(wm=S(open_mainfile=lambda filepath: open(filepath, "rb").close()))
context = S(scene=S(objects=[]))
"""


@pytest.fixture
def blend(tmp_path, monkeypatch):
    """Return a file; this Python has a ``bpy`` that opens it and finds nothing inside."""
    (tmp_path / "modules").mkdir()
    (tmp_path / "modules" / "bpy.py").write_text(BPY)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "modules"))
    file = tmp_path / "it's {one} é.blend"
    file.write_bytes(b"BLENDER")
    return file


@pytest.mark.slow
def test_a_python_with_bpy_compares(blend):
    assert check_file(blend, sys.executable) == ("9.9.9", [])


@pytest.mark.slow
def test_what_is_installed_beside_the_package_stays_out_of_blender(blend, tmp_path, monkeypatch):
    """The package is installed for one Python and Blender has another, which cannot load the former's numpy."""
    beside = tmp_path / "site-packages"
    shutil.copytree(PACKAGE, beside / PACKAGE.name, ignore=shutil.ignore_patterns("_core*", "data", "__pycache__"))
    for core in PACKAGE.glob("_core*"):
        (beside / PACKAGE.name / core.name).symlink_to(core)
    (beside / "numpy").mkdir()
    (beside / "numpy" / "__init__.py").write_text("raise ImportError('numpy of another Python')")
    monkeypatch.setattr(module, "__file__", str(beside / PACKAGE.name / "blender" / "check_file.py"))
    assert check_file(blend, sys.executable) == ("9.9.9", [])


@pytest.mark.slow
def test_what_stopped_blender_is_said(blend, tmp_path):
    (tmp_path / "modules" / "bpy.py").write_text(BPY.replace("S(objects=[])", "None"))
    with pytest.raises(
        ValueError, match=r"ended with 1 before it had compared .*; its output ends with: AttributeError: 'NoneType'"
    ):
        check_file(blend, sys.executable)


def test_the_table_says_what_was_compared_and_what_was_not():
    rows = [
        Difference("Rig", "pose", 2e-7, 6e-6, equal=3, bones=4),
        Difference("Rig", "action", None, None, "it plays tracks of the NLA"),
        Difference("Body", "points of the mesh", 0.0, 5e-6),
    ]
    assert table("3.4.1", rows).splitlines() == [
        "Blender 3.4.1",
        "",
        "object  part                difference  bound",
        "Rig     pose                2.0e-07     6e-06  ok; with exact=True 3 of 4 bones have Blender's bits",
        "Rig     action                                 not compared: it plays tracks of the NLA",
        "Body    points of the mesh  0           5e-06  ok",
        "",
        "2 of 2 comparisons are within their bounds; 1 could not be made.",
        "A difference is the worst of all numbers, relative to the largest coordinate; a float32 resolves 6e-08.",
    ]


def test_the_table_names_what_is_above_its_bound():
    text = table("3.4.1", [Difference("Rig", "pose", 1e-3, 6e-6)])
    assert "1.0e-03     6e-06  ABOVE its bound" in text
    assert "0 of 1 comparisons are within their bounds." in text


def test_the_table_of_nothing():
    assert table("3.4.1", []) == "Blender 3.4.1: the file has no armature and no mesh that one deforms."
    assert table("3.4.1", [Difference("Rig", "pose", None, None, "why")]).endswith("\n\nNothing could be compared.")


@pytest.mark.posix
@pytest.mark.parametrize("answer", ["'%*s' 100000 | tr ' ' '['", "'{}'", "'[]'", '\'{"version": 1, "rows": [0]}\''])
def test_an_answer_that_cannot_be_read_is_an_error_that_names_the_program(blend, tmp_path, answer):
    program = tmp_path / "program"
    says = f'printf {answer} > "$(dirname "$1")/result.json"'
    program.write_text(f'#!/bin/sh\nif [ "$1" = --version ]; then echo Python 3; else {says}; fi\n')
    program.chmod(0o700)
    with pytest.raises(ValueError, match=r"program gave an answer that cannot be read: \w+"):
        check_file(blend, str(program))


@pytest.mark.parametrize(("error", "code"), [(1e-6, 0), (1e-5, 1)])
def test_the_command_prints_the_rows_and_fails_above_a_bound(tmp_path, monkeypatch, capsys, error, code):
    file = tmp_path / "walk.blend"
    file.touch()
    row = Difference("Body", "points of the mesh", error, 5e-6)
    monkeypatch.setattr(module, "check_file", lambda path, blender: ("9.9.9", [row]))
    assert main(["blender-check", str(file)]) == code
    printed = capsys.readouterr()
    assert printed.out.splitlines() == table("9.9.9", [row]).split("\n")
    assert ("Body: the difference is above its bound" in printed.err) == bool(code)
    assert main(["blender-check", str(file), "--json"]) == code
    assert json.loads(capsys.readouterr().out) == {"blender": "9.9.9", "rows": [row._asdict()]}
