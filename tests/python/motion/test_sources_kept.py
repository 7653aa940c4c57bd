# SPDX-License-Identifier: MIT
"""A file that is read is never written over: not under another name, not by links, not by the command."""

from __future__ import annotations

import os
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


def turned(source: Path, target: Path) -> tuple[Path, Path]:
    """Return both names in the other order: where the one that is read is the link."""
    return target, source


@pytest.mark.parametrize("order", [lambda *names: names, turned], ids=["target leads there", "source leads there"])
@pytest.mark.parametrize("way", WAYS)
def test_planting_refuses_its_source_as_target(way: Way, order, tmp_path: Path) -> None:
    clip = sk.example("biped").clip
    np.save(tmp_path / "a.npy", clip.local_matrices())
    source, target = order(tmp_path / "a.npy", way(tmp_path / "a.npy", tmp_path / "link.npy"))
    before = content(tmp_path)
    with pytest.raises(ValueError, match=r"the same file as source .*: a file that is read is never") as said:
        sk.plant_file(source, target, clip.skeleton, fps=clip.fps)
    assert str(said.value).startswith(f"target is {os.fspath(target)!r}")
    assert content(tmp_path) == before


@pytest.mark.parametrize("name", ["rotations", "translations", "scales"])
@pytest.mark.parametrize("way", WAYS)
def test_skinning_refuses_what_it_reads_as_target(way: Way, name: str, tmp_path: Path) -> None:
    skeleton = sk.Skeleton([-1], np.eye(4)[None])
    files = {each: tmp_path / f"{each}.npy" for each in ("rotations", "translations", "scales")}
    np.save(files["rotations"], np.tile([1.0, 0.0, 0.0, 0.0], (3, 1, 1)))
    np.save(files["translations"], np.zeros((3, 1, 3)))
    np.save(files["scales"], np.ones((3, 1, 3)))
    target = way(files[name], tmp_path / "link.npy")
    before = content(tmp_path)
    rig = [[1.0, 2.0, 3.0]], sk.SkinWeights([[0]], [[1.0]], 1), skeleton
    with pytest.raises(ValueError, match=f"the same file as {name} "):
        sk.skin_file(files["rotations"], target, *rig, files["translations"], files["scales"])
    assert content(tmp_path) == before
    assert sk.skin_file(files["rotations"], tmp_path / "new.npy", *rig) == (3, 1, 3)


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
        assert f"{named[option]} ({option}) would be written over" in error
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
    assert "hill.npy (--ground) would be written over" in capsys.readouterr().err
    assert content(tmp_path / "out") == before
