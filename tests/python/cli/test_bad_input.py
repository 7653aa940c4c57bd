# SPDX-License-Identifier: MIT
"""Clips that cannot be planted or checked, from the shell: one line with file and reason, and no broken file."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import skelkin_py as sk
from skelkin_py.cli import main


def without(clip: sk.Clip, words: tuple[str, ...]) -> sk.Clip:
    """Return the clip without the joints whose names contain one of the words."""
    keep = [j for j, name in enumerate(clip.names) if not any(word in name for word in words)]
    place = {joint: k for k, joint in enumerate(keep)}
    parents = [place.get(int(clip.skeleton.parents[j]), -1) for j in keep]
    skeleton = sk.Skeleton(parents, clip.skeleton.rest_local[keep], [clip.names[j] for j in keep])
    return sk.Clip(skeleton, clip.rotations[:, keep], clip.translations[:, keep], fps=clip.fps)


def with_bone_of_no_length(clip: sk.Clip) -> sk.Clip:
    joint = clip.skeleton.index("left_foot")
    rest, translations = np.array(clip.skeleton.rest_local), clip.translations.copy()
    rest[joint, :3, 3] = translations[:, joint] = 0.0
    return sk.Clip(sk.Skeleton(clip.skeleton.parents, rest, clip.names), clip.rotations, translations, fps=clip.fps)


def with_text(path: Path, change) -> None:
    """Change the lines of numbers of a BVH file."""
    head, tail = path.read_text(encoding="utf-8").split("MOTION\n")
    path.write_text(head + "MOTION\n" + "\n".join(change(tail.split("\n"))), encoding="utf-8")


def not_a_number(lines: list[str]) -> list[str]:
    numbers = lines[19].split()
    return [*lines[:19], " ".join([*numbers[:9], "nan", *numbers[10:]]), *lines[20:]]


@pytest.fixture
def folder(make_walk, tmp_path: Path) -> Path:
    """One file per kind of bad input, and a good one."""
    clip = make_walk().clip
    folder = tmp_path / "clips"
    folder.mkdir()
    clip.save(folder / "good.bvh")
    without(clip, ("thigh", "shin", "foot", "toe")).save(folder / "no_legs.bvh")
    with_bone_of_no_length(clip).save(folder / "no_length.bvh")
    for name, change in (("nan", not_a_number), ("no_frames", lambda lines: ["Frames: 0", *lines[1:2]])):
        clip.save(folder / f"{name}.bvh")
        with_text(folder / f"{name}.bvh", change)
    return folder


WORDS = {
    "no_legs": "no_legs.bvh: no leg was found in this skeleton: name the joints of each leg with --leg HIP,KNEE,ANKLE",
    "no_length": "no_length.bvh: legs[0] (left) has a bone of length zero: left_shin and left_foot lie at one place",
    "nan": "Zrotation of 'head' in frame 17 is 'nan': must be a finite number",
    "no_frames": "the clip has zero frames",
}


@pytest.mark.parametrize("name", WORDS)
@pytest.mark.parametrize("command", ["plant", "check"])
def test_a_clip_that_cannot_be_used_is_one_line_with_file_and_reason(folder: Path, command: str, name: str, capsys):
    path, target = folder / f"{name}.bvh", folder.parent / "out.bvh"
    assert main([command, str(path), *(["-o", str(target)] if command == "plant" else [])]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("skelkin: ")
    assert err.count("\n") == 1
    assert err.count(str(path)) == 1
    assert WORDS[name] in err
    assert not target.exists()


def test_of_a_folder_the_good_clip_is_planted_and_the_others_are_named(folder: Path, capsys) -> None:
    target = folder.parent / "planted"
    assert main(["plant", str(folder), "-o", str(target), "--jobs", "1"]) == 1
    out, err = capsys.readouterr()
    assert [path.name for path in sorted(target.glob("*.bvh"))] == ["good.bvh"]
    assert err.count("\n") == len(WORDS)
    for words in WORDS.values():
        assert words in err
    assert "planted 1, 4 failed" in out


@pytest.mark.parametrize("frames", [1, 2, 3])
def test_a_clip_of_few_frames_is_written_and_told(make_walk, tmp_path: Path, frames: int, capsys) -> None:
    source, target = tmp_path / "few.bvh", tmp_path / "out.bvh"
    make_walk().clip.slice(10, 10 + frames).save(source)
    assert main(["plant", str(source), "-o", str(target)]) == 0
    assert sk.load(target).num_frames == frames
    assert ("is shorter than a contact: nothing changed" in capsys.readouterr().out) == (frames < 3)
    assert main(["check", str(source), "--max-slide", "1"]) == (1 if frames < 3 else 0)
    assert ("NOT MEASURED" in capsys.readouterr().out) == (frames < 3)


def test_a_skeleton_with_one_leg_is_planted(make_walk, tmp_path: Path, capsys) -> None:
    source, target = tmp_path / "one_leg.bvh", tmp_path / "out.bvh"
    without(make_walk().clip, ("right_thigh", "right_shin", "right_foot", "right_toe")).save(source)
    assert main(["plant", str(source), "-o", str(target)]) == 0
    assert "contacts, right" not in capsys.readouterr().out
    assert main(["check", str(target), "--max-slide", "0.001"]) == 0


@pytest.mark.parametrize("contacts", ["always", "never"])
def test_contacts_everywhere_or_nowhere_give_a_clip_that_can_be_read(make_walk, tmp_path, contacts, capsys) -> None:
    source, target = tmp_path / "walk.bvh", tmp_path / "out.bvh"
    make_walk().clip.save(source)
    assert main(["plant", str(source), "-o", str(target), "--contacts", contacts]) == 0
    words = {"always": r"feet stand    left 1, right 1 times\n", "never": "contacts='never': nothing changed"}
    assert re.search(words[contacts], capsys.readouterr().out)
    planted = sk.load(target)
    assert np.isfinite(planted.rotations).all()
    if contacts == "never":
        assert planted == sk.load(source)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--unit", "cm"], "argument --unit: cm is not a number"),
        (["--fps", "fast"], "argument --fps: fast is not a number"),
        (["--jobs", "all"], "argument -j/--jobs: all is not a whole number"),
        (["--jobs", "0"], "argument -j/--jobs: 0 must be at least 1"),
        (["--ground", "low"], "low is not a ground: give a height, or a file that ends in .npy"),
        (["--ground", "inf"], "inf is not finite: give a finite number"),
        (["--frames", "1.5", "9"], "argument --frames: 1.5 is not a whole number"),
        (["--frames", "-1", "9"], "argument --frames: -1 must be at least 0"),
        (
            ["--scheduler", "nonsense"],
            "argument --scheduler: nonsense is not an address: give HOST:PORT, such as tcp://10.0.0.5:8786",
        ),
        (["--up", "0,0,0"], "argument --up: 0,0,0 has no direction"),
        (["--ground-velocity", "1,2,nan"], "1,2,nan is not a velocity: give auto or three numbers x,y,z"),
    ],
)
def test_what_is_no_number_is_named_with_its_option(options: list[str], words: str, capsys) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["plant", "a.bvh", "-o", "b.bvh", *options])
    assert words in capsys.readouterr().err


def test_view_and_convert_say_that_they_take_one_file(make_walk, tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    clip = make_walk().clip
    (tmp_path / "clips").mkdir()
    clip.slice(0, 9).save("clips/a.bvh")
    clip.slice(0, 5).save("b.bvh")
    for code, arguments, words in (
        (2, ["view", "clips", "-o", "page.html"], "clips is not a file: give the file of one clip"),
        (1, ["view", "clips/a.bvh", "-o", "page.html", "--compare", "b.bvh"], "b.bvh: compare has 5 frames, clip 9"),
        (2, ["convert", "clips", "out.bvh"], "clips is a folder: give one file"),
    ):
        assert main(arguments) == code
        out, error = capsys.readouterr()
        assert out == ""
        assert error.startswith(f"skelkin: {words}")
        assert error.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b.bvh", "clips"]


def test_where_every_clip_fails_there_is_no_table(tmp_path: Path, capsys) -> None:
    (tmp_path / "broken.bvh").write_text("HIERARCHY")
    assert main(["plant", str(tmp_path), "-o", str(tmp_path / "out"), "--jobs", "1"]) == 1
    out, error = capsys.readouterr()
    assert out.startswith("planted 0, 1 failed, in ")
    assert error.count("\n") == 1
