# SPDX-License-Identifier: MIT
"""A file that is read is never written over: not under another name, not by links, not by the command."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import skelkin_py as sk
from skelkin_py.cli import main


def name_itself(source: Path, link: Path) -> Path:
    return source


def another_name(source: Path, link: Path) -> Path:
    return source.parent / ".." / source.parent.name / source.name


def symbolic_link(source: Path, link: Path) -> Path:
    link.symlink_to(source)
    return link


def hard_link(source: Path, link: Path) -> Path:
    link.hardlink_to(source)
    return link


WAYS = [name_itself, another_name, pytest.param(symbolic_link, marks=pytest.mark.posix), hard_link]
Way = Callable[[Path, Path], Path]


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("option", ["--ground", "--skeleton", "--contacts"])
@pytest.mark.parametrize("way", WAYS[2:])
@pytest.mark.parametrize("many", [False, True], ids=["one", "many"])
def test_the_command_writes_over_no_file_that_an_option_names(
    way: Way, option: str, many: bool, tmp_path: Path, capsys
) -> None:
    clip = sk.example("biped").clip
    inputs, out = tmp_path / "inputs", tmp_path / "out"
    inputs.mkdir()
    out.mkdir()
    named = {"--skeleton": inputs / "rig.bvh", "--ground": inputs / "hill.npy", "--contacts": inputs / "spans.json"}
    clip.save(named["--skeleton"])
    np.save(named["--ground"], np.zeros((2, 2)))
    named["--contacts"].write_text('{"contacts": []}')
    np.save(inputs / "poses.npy", clip.local_matrices())
    target = way(named[option], out / "poses.npy")
    before = content(inputs)
    options = [str(word) for pair in named.items() for word in pair]
    code = main(["plant", str(inputs / "poses.npy"), "-o", str(out) if many else str(target), *options])
    error = capsys.readouterr().err
    if many and target.is_symlink():  # no result goes through a link, wherever it leads
        assert code == 1
        assert "is a link" in error
    else:
        assert code == 2
        assert f"{named[option]} ({option}) would be overwritten" in error
        assert [path.name for path in out.iterdir()] == ["poses.npy"]
    assert content(inputs) == before


def test_a_grid_among_arrays_is_not_written_over_by_its_namesake(tmp_path: Path, capsys) -> None:
    clip = sk.example("biped").clip
    for folder in ("in", "out"):
        (tmp_path / folder).mkdir()
    clip.save(tmp_path / "rig.bvh")
    np.save(tmp_path / "in" / "hill.npy", clip.local_matrices())
    np.save(tmp_path / "out" / "hill.npy", np.zeros((2, 2)))
    before = content(tmp_path / "out")
    names = ["plant", "in", "-o", "out", "--skeleton", "rig.bvh", "--ground", "out/hill.npy"]
    assert main([str(tmp_path / name) if "." in name or name in ("in", "out") else name for name in names]) == 2
    assert "hill.npy (--ground) would be overwritten" in capsys.readouterr().err
    assert content(tmp_path / "out") == before
