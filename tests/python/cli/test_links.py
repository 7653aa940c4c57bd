# SPDX-License-Identifier: MIT
"""Links in the folder of the results: nothing is written through them, they are named, and the other clips are done."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from planted_folders import files_below

import skelkin_py as sk
from skelkin_py.cli import main
from skelkin_py.cli.journal import NAME

PRECIOUS = "what nobody has named"

REFUSED = "which is not written through: remove the link or give -o another folder"


@pytest.fixture
def clips(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tree of three clips, and beside it a folder with things to keep."""
    monkeypatch.chdir(tmp_path)
    clip = sk.example("biped").clip.slice(0, 40)
    for name in ("clips/a.bvh", "clips/day/b.bvh", "clips/zoo/c.bvh"):
        Path(name).parent.mkdir(exist_ok=True, parents=True)
        clip.save(name)
    Path("elsewhere").mkdir()
    for name in ("a.bvh", "b.bvh", ".b.bvh.0123456789abcdef.part"):
        (tmp_path / "elsewhere" / name).write_text(PRECIOUS)
    Path("out").mkdir()
    return tmp_path


def is_kept(root: Path) -> bool:
    folder = root / "elsewhere"
    names = {".b.bvh.0123456789abcdef.part", "a.bvh", "b.bvh"}
    return {path.name for path in folder.iterdir()} == names and all(
        (folder / name).read_text() == PRECIOUS for name in names
    )


def plant(*options: str) -> int:
    return main(["plant", "clips", "-o", "out", "--jobs", "1", *options])


@pytest.mark.posix
@pytest.mark.slow
@pytest.mark.parametrize(
    "leads", ["../elsewhere/a.bvh", "../elsewhere/new.bvh", "day/b.bvh", "../clips/a.bvh", "a.bvh"]
)
def test_no_result_is_written_through_a_link(clips: Path, leads: str, capsys) -> None:
    """Whether it leads to a file, to none, to another result, to the clip itself or in a circle."""
    original = Path("clips/a.bvh").read_bytes()
    Path("out/a.bvh").symlink_to(leads)
    assert plant() == 1
    out, err = capsys.readouterr()
    assert err.startswith("skelkin: ")
    assert err.endswith(f"out/a.bvh is a link to {leads}, {REFUSED}\n")
    assert err.count("\n") == 1
    assert "planted 2, 1 failed" in out
    assert os.readlink("out/a.bvh") == leads
    assert is_kept(clips)
    assert Path("clips/a.bvh").read_bytes() == original
    assert sk.load("out/day/b.bvh").num_frames == sk.load("out/zoo/c.bvh").num_frames == 40


@pytest.mark.posix
@pytest.mark.slow
@pytest.mark.parametrize("leads", ["../elsewhere", "../elsewhere/new", ".."])
def test_no_result_is_written_through_a_folder_that_leads_out(clips: Path, leads: str, capsys) -> None:
    Path("out/day").symlink_to(leads)
    assert plant() == 1
    assert capsys.readouterr().err == f"skelkin: clips/day/b.bvh: out/day is a link to {leads}, {REFUSED}\n"
    assert files_below(clips / "out") == {"a.bvh", "zoo/c.bvh"}
    assert is_kept(clips)
    assert not Path("b.bvh").exists()


@pytest.mark.posix
def test_a_folder_that_leads_elsewhere_among_the_results_is_used(clips: Path, capsys) -> None:
    Path("out/by day").mkdir()
    Path("out/day").symlink_to("by day")
    assert plant() == 0
    assert Path("out/by day/b.bvh").is_file()
    assert capsys.readouterr().err == ""


@pytest.mark.posix
@pytest.mark.slow
def test_the_folder_that_was_named_may_be_a_link(clips: Path, capsys) -> None:
    Path("real").mkdir()
    Path("out").rmdir()
    Path("out").symlink_to("real")
    assert plant() == 0
    assert files_below(clips / "real") == {"a.bvh", "day/b.bvh", "zoo/c.bvh"}
    assert capsys.readouterr().err == ""


@pytest.mark.posix
def test_one_file_into_a_folder_is_refused_too(clips: Path, capsys) -> None:
    Path("out/a.bvh").symlink_to("../elsewhere/a.bvh")
    assert main(["plant", "clips/a.bvh", "-o", "out/"]) == 1
    assert "out/a.bvh is a link to ../elsewhere/a.bvh" in capsys.readouterr().err
    assert is_kept(clips)


@pytest.mark.posix
def test_a_link_that_was_named_itself_is_followed(clips: Path, capsys) -> None:
    """As by any program that is told to write to it."""
    Path("out/a.bvh").symlink_to("../elsewhere/a.bvh")
    assert main(["plant", "clips/a.bvh", "-o", "out/a.bvh"]) == 0
    assert Path("out/a.bvh").is_symlink()
    assert sk.load("elsewhere/a.bvh").num_frames == 40
    capsys.readouterr()


@pytest.mark.posix
@pytest.mark.slow
def test_a_result_that_has_become_a_link_is_not_taken_for_finished(clips: Path, capsys) -> None:
    assert plant() == 0
    capsys.readouterr()
    Path("out/a.bvh").rename("elsewhere.bvh")
    Path("out/a.bvh").symlink_to("../elsewhere.bvh")
    assert plant("--json") == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()[:-1]]
    failed = next(line for line in lines if line["status"] == "failed")
    assert failed["clip"] == "clips/a.bvh"
    assert "out/a.bvh is a link to ../elsewhere.bvh" in failed["error"]


@pytest.mark.posix
def test_the_journal_is_not_written_through_a_link(clips: Path, capsys) -> None:
    Path("out", NAME).symlink_to("../elsewhere/a.bvh")
    assert plant() == 1
    assert capsys.readouterr().err == (f"skelkin: out/{NAME} is a link to ../elsewhere/a.bvh, {REFUSED}\n")
    assert files_below(clips / "out") == set()
    assert is_kept(clips)


@pytest.mark.posix
@pytest.mark.slow
@pytest.mark.parametrize("name", ["a.bvh", NAME])
def test_a_pipe_among_the_results_is_refused(clips: Path, name: str, capsys) -> None:
    """Nobody would read from it."""
    os.mkfifo(Path("out", name))
    assert plant() == 1
    assert capsys.readouterr().err.endswith(
        f"out/{name} is a pipe, not a regular file: remove it or give -o another folder\n"
    )
    assert files_below(clips / "out") == (set() if name == NAME else {"day/b.bvh", "zoo/c.bvh"})
