# SPDX-License-Identifier: MIT
"""``skelkin check --against``: a planted file beside its original, and what a viewer would mind in it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from system_words import told_of

import skelkin_py as sk
from skelkin_py.cli import main


@pytest.fixture(scope="module")
def pair(tmp_path_factory, make_walk) -> tuple[Path, Path]:
    """A walk, and the same with a left knee that is bent by 15 degrees more in 100 of its 181 frames, all at once."""
    folder = tmp_path_factory.mktemp("clips")
    clip = make_walk().clip
    half = np.zeros(clip.num_frames)
    half[50:150] = 0.5 * np.radians(15.0)
    more = np.stack([np.cos(half), np.sin(half), 0.0 * half, 0.0 * half], axis=1)
    rotations, shin = clip.rotations.copy(), clip.names.index("left_shin")
    rotations[:, shin] = sk.quaternion_multiply(rotations[:, shin], more)
    clip.save(folder / "walk.bvh")
    clip.replace(rotations=rotations).save(folder / "bowed.bvh")
    return folder / "walk.bvh", folder / "bowed.bvh"


def against(original: Path, planted: Path, *options: str) -> int:
    return main(["check", str(planted), "--against", str(original), *options])


def test_a_clip_passes_beside_itself(pair, capsys) -> None:
    walk, _ = pair
    assert against(walk, walk) == 0
    assert capsys.readouterr().out.startswith("Nothing that a viewer would mind.\n")


def test_what_would_be_minded_is_said_first_with_its_frames(pair, capsys) -> None:
    assert against(*pair, "-v") == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split(":")[0] == "fault"
    assert any(
        line.startswith("fault: the left knee bends differently, by over 10°, in 55 % of frames") for line in lines
    )
    (row,) = (line for line in lines if line.startswith("knee, left"))
    assert row.split()[2:5] == ["55.25", "20", "fault,"]
    assert 50 <= int(row.split()[-1]) < 150


def test_json_has_the_rows_and_what_would_be_minded(pair, capsys) -> None:
    walk, bowed = pair
    assert against(walk, bowed, "--json") == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["status"], told["over"], told["against"]) == ("over", [], str(walk))
    cost = sk.measure_cost(sk.load(bowed), sk.load(walk))
    assert told["rows"] == json.loads(json.dumps([row.to_dict() for row in cost.rows]))
    assert told["minded"] == [row.text for row in cost.minded()]
    assert told["fails"] == [row.row for row in cost.minded() if row.grade == "fault"]


def test_which_grade_fails_can_be_chosen(pair, capsys) -> None:
    assert against(*pair, "--fail-on", "never") == 0
    assert "fault: the left knee" in capsys.readouterr().out
    walk = pair[0]
    assert against(walk, walk, "--fail-on", "look-at") == 0
    capsys.readouterr()


def test_frames_can_be_chosen(pair, capsys) -> None:
    assert against(*pair, "--frames", "151", "180") == 0
    capsys.readouterr()


def test_a_grade_without_an_original_is_wrong_usage(pair, capsys) -> None:
    assert main(["check", str(pair[0]), "--fail-on", "fault"]) == 2
    assert "--fail-on fault needs the original: add --against ORIGINAL" in capsys.readouterr().err


def test_another_clip_is_named_with_what_differs(pair, tmp_path, capsys) -> None:
    walk, bowed = pair
    part = tmp_path / "part.bvh"
    sk.load(walk).slice(0, 90).save(part)
    assert against(part, bowed) == 1
    assert f"{bowed} has 181 frames and {part} 90: the numbers must be equal" in capsys.readouterr().err
    other = tmp_path / "other.bvh"
    other.write_text(walk.read_text().replace("left_shin", "left_calf"))
    assert against(other, bowed) == 1
    assert "is 'left_shin', in" in capsys.readouterr().err
    assert against(tmp_path / "none.bvh", bowed) == 1
    assert f"none.bvh: {told_of(open, 'none.bvh')}" in capsys.readouterr().err


def test_several_clips_have_their_originals_in_the_same_tree(pair, tmp_path, capsys) -> None:
    walk, bowed = pair
    for folder, clips in (("old", (walk, walk)), ("new", (walk, bowed))):
        for name, clip in zip(("a", "b"), clips, strict=True):
            path = tmp_path / folder / "day 1" / f"{name}.bvh"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(clip.read_bytes())
    assert against(tmp_path / "old", tmp_path / "new", "--jobs", "1") == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "1 of 2 to look at, 1 failed"
    assert [line.split()[-1] for line in lines if "b.bvh" in line] == ["FAULT"]
    assert main(["check", str(walk), str(bowed), "--against", str(walk)]) == 2
    assert "is one clip, and there are 2 to check: give the folder of the originals" in capsys.readouterr().err
