# SPDX-License-Identifier: MIT
"""Legs that the shell names: planted and checked as such, and wrong names are told."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import skelkin_py as sk
from skelkin_py.cli import main

LEFT, RIGHT = (",".join(f"{side}_{part}" for part in ("thigh", "shin", "foot", "toe")) for side in ("left", "right"))


@pytest.fixture
def walk(make_walk, tmp_path: Path) -> Path:
    path = tmp_path / "walk.bvh"
    make_walk().clip.save(path)
    return path


def test_named_legs_that_are_found_too_are_planted_alike(walk: Path, tmp_path: Path, capsys) -> None:
    one, other = tmp_path / "one.bvh", tmp_path / "other.bvh"
    assert main(["plant", str(walk), "-o", str(one)]) == 0
    assert main(["plant", str(walk), "-o", str(other), "--leg", LEFT, "--leg", RIGHT]) == 0
    capsys.readouterr()
    assert one.read_bytes() == other.read_bytes()


@pytest.mark.slow
def test_only_the_named_leg_is_planted(walk: Path, tmp_path: Path, capsys) -> None:
    target = tmp_path / "out" / "walk.bvh"
    assert main(["plant", str(walk), "-o", str(target.parent) + "/", "--leg", LEFT]) == 0
    assert "feet stand" in capsys.readouterr().out
    before, after = sk.load(walk), sk.load(target)
    right = before.skeleton.index("right_shin")
    assert np.array_equal(before.rotations[:, right], after.rotations[:, right])
    assert not np.array_equal(before.rotations, after.rotations)


def test_legs_that_no_name_tells_can_be_named(walk: Path, tmp_path: Path, capsys) -> None:
    clip = sk.load(walk)
    names = [f"bone {k}" for k in range(len(clip.names))]
    parents = clip.skeleton.parents
    plain = sk.Skeleton(parents, clip.skeleton.rest_local, names, end_sites=clip.skeleton.end_sites)
    path = tmp_path / "plain.bvh"
    sk.Clip(plain, clip.rotations, clip.translations, fps=clip.fps).save(path)
    told = json.loads((main(["info", str(path), "--json"]), capsys.readouterr().out)[1])
    chosen = [",".join(told["joints"][clip.skeleton.index(n)] for n in side.split(",")[:3]) for side in (LEFT, RIGHT)]
    assert main(["check", str(path), "--json", "--leg", chosen[0], "--leg", chosen[1]]) == 0
    assert json.loads(capsys.readouterr().out)["num_contacts"] > 8


@pytest.mark.parametrize("command", ["plant", "check"])
def test_a_name_that_is_no_joint_is_told(walk: Path, tmp_path: Path, command: str, capsys) -> None:
    target = tmp_path / "out.bvh"
    wrong = ["--leg", "left_thigh,left_knee,left_foot"]
    assert main([command, str(walk), *wrong, *(["-o", str(target)] if command == "plant" else [])]) == 1
    words = f"skelkin: {walk}: --leg left_thigh,left_knee,left_foot: there is no joint 'left_knee': did you mean"
    assert capsys.readouterr().err.startswith(words)
    assert not target.exists()


@pytest.mark.parametrize("names", ["a,b", "a,b,c,d,e", "a,,c"])
def test_a_leg_is_three_or_four_names(names: str, capsys) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["check", "walk.bvh", "--leg", names])
    assert caught.value.code == 2
    assert f"{names} is not a leg: give HIP,KNEE,ANKLE" in capsys.readouterr().err
