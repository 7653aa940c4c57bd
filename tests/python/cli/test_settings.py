# SPDX-License-Identifier: MIT
"""Every setting of planting can be given from the shell, and does there what it does in Python."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

import skelkin_py as sk
from skelkin_py.cli import main

PAGE = Path(__file__).resolve().parents[3] / "docs" / "command-line.md"


@pytest.fixture
def walk(make_walk, tmp_path: Path) -> Path:
    path = tmp_path / "walk.bvh"
    make_walk(slide=0.35).clip.slice(0, 120).save(path)
    return path


def planted(walk: Path, *options: str) -> bytes:
    target = walk.with_name("planted.bvh")
    assert main(["plant", str(walk), "-o", str(target), *options]) == 0
    return target.read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "settings"),
    [
        (["--blend", "0.5"], {"blend": 0.5}),
        (["--sole", "0.3"], {"sole": 0.3}),
        (["--reach", "stretch"], {"reach": "stretch"}),
        (["--reach", "lower_pelvis"], {"reach": "lower_pelvis"}),
        (["--up", "0.1,1,0"], {"up": (0.1, 1.0, 0.0)}),
        (["--frames", "10", "90"], {"frames": (10, 90)}),
        (["--contacts", "never"], {"contacts": "never"}),
    ],
    ids=str,
)
def test_an_option_does_what_it_does_in_python(walk: Path, options, settings, capsys) -> None:
    sk.load(walk).plant_feet(ground=0.0, **settings).clip.save(walk.with_name("python.bvh"))
    ground = ["--ground", "0"]
    assert planted(walk, *ground, *options) == walk.with_name("python.bvh").read_bytes() != planted(walk, *ground)


@pytest.mark.slow
def test_how_far_bones_may_stretch_is_given(walk: Path, capsys) -> None:
    """On ground far below, every leg is too short."""
    low = ["--ground", "-0.3", "--contacts", "always", "--reach", "stretch"]
    settings = {"ground": -0.3, "contacts": "always", "reach": "stretch"}
    sk.load(walk).plant_feet(**settings, stretch=1.5).clip.save(walk.with_name("python.bvh"))
    assert planted(walk, *low, "--stretch", "1.5") == walk.with_name("python.bvh").read_bytes() != planted(walk, *low)
    assert main(["plant", str(walk), "-o", str(walk.with_name("x.bvh")), "--stretch", "1.5"]) == 2
    assert "--stretch 1.5 needs --reach stretch: add it" in capsys.readouterr().err


@pytest.mark.slow
def test_the_joint_that_carries_the_body_is_given_by_its_name(walk: Path, capsys) -> None:
    clip = sk.load(walk)
    hips = clip.names[0]
    clip.plant_feet(pelvis=0).clip.save(walk.with_name("python.bvh"))
    assert planted(walk, "--pelvis", hips) == walk.with_name("python.bvh").read_bytes()
    for name, words in (("none", "--pelvis: there is no joint 'none'"), ("head", "pelvis is")):
        assert main(["plant", str(walk), "-o", str(walk.with_name("x.bvh")), "--pelvis", name]) == 1
        error = capsys.readouterr().err
        assert words in error
        assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ("--blend=-1", "-1 must be at least 0"),
        ("--blend=inf", "inf is not finite: give a finite number"),
        ("--stretch=0.9", "0.9 must be at least 1"),
        ("--sole=-0.1", "-0.1 must be at least 0"),
        ("--up=W", "W is not an axis: give auto, X, Y, Z, -X, -Y, -Z, or a direction x,y,z"),
        ("--up=1,2", "1,2 is not a direction: give three numbers x,y,z"),
        ("--up=1,2,up", "1,2,up is not a direction: give three numbers x,y,z"),
        ("--ground-velocity=1,2", "1,2 is not a velocity: give auto or three numbers x,y,z"),
    ],
)
def test_a_value_that_cannot_be_is_wrong_usage(walk: Path, option: str, words: str, capsys) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["plant", str(walk), "-o", str(walk.with_name("x.bvh")), option])
    assert words in capsys.readouterr().err


def test_the_page_names_an_option_for_every_setting(capsys) -> None:
    """The table of `plant_feet`'s parameters lists each, and no option that `plant --help` does not know."""
    section = PAGE.read_text(encoding="utf-8").split("## `skelkin plant`")[1].split("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \| (.+?) \|", section, flags=re.M)
    parameters = [name for name in inspect.signature(sk.plant_feet).parameters if name not in ("clip", "options")]
    assert sorted(name for name, _ in rows) == sorted(parameters)
    with pytest.raises(SystemExit, match="0"):
        main(["plant", "--help"])
    known = set(re.findall(r"--[a-z-]+", capsys.readouterr().out))
    for name, option in rows:
        assert set(re.findall(r"--[a-z-]+", option)) & known, name
        assert set(re.findall(r"--[a-z-]+", option)) <= known, name
