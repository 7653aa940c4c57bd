# SPDX-License-Identifier: MIT
"""``skelkin view``, ``skelkin convert``, and ``skelkin info`` of several clips."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import webbrowser
from pathlib import Path

import numpy as np
import pytest
from refusals import check_refused
from system_words import told_of

import skelkin_py as sk
from skelkin_py.cli import main


@pytest.fixture
def walk(tmp_path: Path) -> Path:
    path = tmp_path / "walk.bvh"
    sk.example("biped").clip.slice(0, 30).save(path)
    return path


def test_view_writes_a_page_and_opens_it_only_if_asked(walk: Path, tmp_path: Path, capsys, monkeypatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    page = tmp_path / "page.html"
    assert main(["view", str(walk), "-o", str(page)]) == 0
    assert opened == []
    assert capsys.readouterr().out == f"wrote {page}\n"
    text = page.read_text(encoding="utf-8")
    assert "<canvas" in text
    assert "<h1>walk.bvh</h1>" in text
    assert main(["view", str(walk), "--compare", str(walk), "-o", str(page), "--title", "A & B", "--open"]) == 0
    assert opened == [page.resolve().as_uri()]
    assert "<h1>A &amp; B</h1>" in page.read_text(encoding="utf-8")


def test_view_refuses_what_it_cannot_draw_or_would_spoil(walk: Path, tmp_path: Path, capsys) -> None:
    page = str(tmp_path / "page.html")
    other = tmp_path / "other.bvh"
    sk.load(walk).slice(0, 10).save(other)
    check_refused(["view", str(walk), "-o", str(tmp_path / "page.pdf")], "a name that ends in .html", capsys, code=2)
    for kind in ("gif", "mp4", "png"):
        film = str(tmp_path / f"walk.{kind}")
        check_refused(["view", str(walk), "-o", film], f"for {film} give --{kind} {film}\n", capsys, code=2)
    check_refused(["view", str(walk), "--compare", str(other), "-o", page], "compare has 10 frames, clip 30", capsys)
    check_refused(["view", str(tmp_path / "none.bvh"), "-o", page], f"none.bvh: {told_of(open, 'none.bvh')}", capsys)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other.bvh", "walk.bvh"]


def test_convert_writes_the_clip_or_some_of_its_frames(walk: Path, tmp_path: Path, capsys) -> None:
    target = tmp_path / "copy.bvh"
    assert main(["convert", str(walk), str(target)]) == 0
    assert sk.load(target) == sk.load(walk)
    assert main(["convert", str(walk), str(target), "--frames", "5", "9"]) == 0
    assert capsys.readouterr().out.endswith(f"{target}: 22 joints, 5 frames at 30 per second\n")
    np.testing.assert_allclose(sk.load(target).rotations, sk.load(walk).rotations[5:10], atol=1e-12)


def test_convert_says_what_it_cannot_read_or_write(walk: Path, tmp_path: Path, capsys) -> None:
    for name in ("out.fbx", "out.c3d"):
        check_refused(["convert", str(walk), str(tmp_path / name)], "files cannot be written", capsys, code=2)
    check_refused(
        ["convert", "in.fbx", str(tmp_path / "out.bvh")],
        "in.fbx: FBX files are not read yet; Blender turns",
        capsys,
        code=2,
    )
    check_refused(
        ["convert", str(walk), str(tmp_path / "out")], "files without an ending cannot be written", capsys, code=2
    )
    check_refused(["convert", str(walk), str(walk)], "is the clip itself", capsys, code=2)
    check_refused(["convert", str(walk), str(tmp_path / "a.bvh"), "--frames", "9", "50"], "within 0 … 29", capsys)
    check_refused(
        ["convert", str(walk), str(tmp_path / "a.bvh"), "--frames", "9", "5"],
        "give the first frame first",
        capsys,
        code=2,
    )
    assert [path.name for path in tmp_path.iterdir()] == ["walk.bvh"]


@pytest.mark.slow
@pytest.mark.parametrize("command", ["info", "check", "plant"])
def test_a_reader_that_has_seen_enough_ends_the_command_in_silence(command: str, walk: Path, tmp_path: Path) -> None:
    """The code is no 0: nobody has seen whether all clips are good."""
    reader, writer = os.pipe()
    os.close(reader)
    safe = ["-P"] if sys.version_info >= (3, 11) else []
    options = {"info": [], "check": ["-j", "1"], "plant": ["-o", str(tmp_path / "out"), "--json", "-j", "1"]}[command]
    skelkin = [sys.executable, *safe, "-m", "skelkin_py", command, str(tmp_path), *options]
    try:
        environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
        done = subprocess.run(
            skelkin, stdout=writer, stderr=subprocess.PIPE, text=True, check=False, env=environment, cwd=tmp_path
        )
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")


def test_info_of_several_clips_goes_on_after_an_error(walk: Path, tmp_path: Path, capsys) -> None:
    (tmp_path / "a.bvh").write_text("none")
    assert main(["info", str(tmp_path), str(tmp_path / "none.bvh")]) == 1
    out, err = capsys.readouterr()
    assert f"{walk}\nformat  BVH\njoints  22" in out
    assert f"skelkin: {tmp_path / 'a.bvh'}:1: " in err
    assert f"skelkin: {tmp_path / 'none.bvh'}: {told_of(open, 'none.bvh')}\n" in err
    assert main(["info", str(walk), str(tmp_path / "w*.bvh"), "--json"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert json.loads(line)["num_frames"] == 30
