# SPDX-License-Identifier: MIT
"""Ground out of files: what readers return, what they refuse, and the command line over them."""

from __future__ import annotations

import json
import re
import shutil
from importlib.util import find_spec

import known_motions
import numpy as np
import pytest
from floor_files import CORNERS, OBJ

import skelkin_py as sk
from skelkin_py.cli import main
from skelkin_py.ground import load_ground
from skelkin_py.ground.files import read_obj


@pytest.fixture
def embree(require):
    require(find_spec("embreex"), "the extra 'ground'")


@pytest.fixture
def clip(tmp_path):
    path = tmp_path / "walk.bvh"
    known_motions.known(motion="walk", fps=30.0, slide=0.03).clip.save(path)
    return path


def test_triangles_are_read_as_they_stand_in_the_file(tmp_path):
    (tmp_path / "floor.obj").write_bytes(OBJ)
    points, faces = read_obj(tmp_path / "floor.obj")
    np.testing.assert_array_equal(points[faces], CORNERS)


@pytest.mark.parametrize("length", [0, 5, len(OBJ) // 2])
def test_a_file_that_is_cut_off_is_named(length, tmp_path):
    path = tmp_path / "floor.obj"
    path.write_bytes(OBJ[:length])
    with pytest.raises(sk.FormatError, match=rf"^{re.escape(str(path))}(:\d+)?: ") as caught:
        read_obj(path)
    assert caught.value.path == str(path)


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.obj", b"v 0 0\n", "a.obj:1: cannot be read as OBJ: a point has 3 coordinates, these are '0 0'"),
        ("a.obj", b"v 0 0 0\nf 1 2\n", "a.obj:2: .* a face has 3 or more corners, counted from 1, these are '1 2'"),
        ("a.obj", b"v 0 0 0\n", "there are no faces"),
        ("a.obj", b"v 0 0 0\nv 1 0 0\nv 0 0 nan\nf 1 2 3\n", r"points\[2, 2\] is nan"),
        ("a.obj", b"v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 9\n", r"faces\[0, 2\] is 8: there are 3 points"),
        ("a.stl", b"", "the name of a ground must end in .npy, .obj"),
        ("a.npy", b"", "a.npy: cannot be read as an array of numbers"),
        ("a.npy", b"junk", "a.npy: cannot be read as an array of numbers"),
    ],
)
def test_a_file_that_is_no_ground_is_named(name, data, message, tmp_path):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(ValueError, match=message):
        load_ground(tmp_path / name)


def test_a_grid_lies_where_its_extent_says(tmp_path):
    np.save(tmp_path / "hill.npy", np.arange(15.0).reshape(3, 5))
    grid = load_ground(tmp_path / "hill.npy", extent=(-1.0, 1.0, 10.0, 18.0))
    at = np.array([[-1.0, 10.0, 0.0], [1.0, 18.0, 0.0], [0.0, 14.0, 0.0]])
    assert grid.facing(np.array([0.0, 0.0, 1.0]))(at).tolist() == [0.0, 14.0, 7.0]
    assert grid.facing(np.array([0.0, -1.0, 0.0]))(at[:, [0, 2, 1]]).tolist() == [0.0, 14.0, 7.0]
    with pytest.raises(ValueError, match="each last position must be above its first"):
        load_ground(tmp_path / "hill.npy", extent=(1.0, 1.0, 10.0, 18.0))
    with pytest.raises(ValueError, match="it is not known yet which way is up"):
        grid(at)


@pytest.mark.slow
@pytest.mark.usefixtures("embree")
@pytest.mark.parametrize("name", ["floor.npy", "floor.obj"])
def test_plant_and_check_stand_feet_on_a_file(name, clip, tmp_path, capsys):
    if name.endswith(".npy"):
        np.save(tmp_path / name, np.full((2, 2), 0.25))
        more = ["--ground-extent", "-5", "5", "-5", "9"]
    else:
        (tmp_path / name).write_bytes(OBJ)
        more = []
    out = tmp_path / "out.bvh"
    options = ["--ground", str(tmp_path / name), *more]
    assert main(["plant", str(clip), "-o", str(out), *options]) == 0
    assert main(["plant", str(clip), "-o", str(tmp_path / "level.bvh"), "--ground", "0.25"]) == 0
    one, other = (sk.load(path).positions() for path in (out, tmp_path / "level.bvh"))
    assert np.abs(one - other).max() <= 1e-5
    capsys.readouterr()
    limits = ["--max-slide", "0.001", "--max-penetration", "0.001", "--max-float", "0.001"]
    assert main(["check", str(out), *options, *limits, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["ground"] is None
    assert main(["check", str(clip), *options, *limits]) == 1


@pytest.mark.slow
def test_slope_options_reach_the_feet(clip, tmp_path, capsys):
    z = np.arange(40) * 0.25 - 3.0
    np.save(tmp_path / "ramp.npy", np.tile(0.5 * z, (2, 1)))
    options = ["--ground", str(tmp_path / "ramp.npy"), "--ground-extent", "-5", "5", "-3", "6.75", "--json"]
    told = {}
    for name, more in (("plain", []), ("steep", ["--max-slope", "20"]), ("level", ["--align", "0"])):
        assert main(["plant", str(clip), "-o", str(tmp_path / f"{name}.bvh"), *options, *more]) == 0
        told[name] = json.loads(capsys.readouterr().out)
    assert told["plain"]["contacts"]
    assert not told["steep"]["contacts"]
    assert any("steeper than 20°" in message for message in told["steep"]["messages"])
    ways = [sk.load(tmp_path / f"{name}.bvh").positions() for name in ("plain", "level")]
    assert np.abs(ways[0] - ways[1]).max() > 0.01


def test_a_ground_that_cannot_be_read_fails_each_clip_by_name(clip, tmp_path, capsys):
    folder = tmp_path / "clips"
    folder.mkdir()
    for name in ("a.bvh", "b.bvh"):
        shutil.copy(clip, folder / name)
    (tmp_path / "floor.obj").write_bytes(b"v 0 0\n")
    assert (
        main(["plant", str(folder), "-o", str(tmp_path / "out"), "--ground", str(tmp_path / "floor.obj"), "-j1"]) == 1
    )
    errors = capsys.readouterr().err
    assert errors.count("floor.obj:1: cannot be read as OBJ") == 2
    assert not list((tmp_path / "out").glob("*.bvh"))


@pytest.mark.slow
def test_a_changed_ground_plants_finished_clips_again(clip, tmp_path, capsys):
    folder, out = tmp_path / "clips", tmp_path / "out"
    folder.mkdir()
    shutil.move(clip, folder / "a.bvh")
    feet = []
    for height in (0.0, 0.5):
        np.save(tmp_path / "floor.npy", np.full((2, 2), height))
        (tmp_path / "floor.npy").touch()
        assert main(["plant", str(folder), "-o", str(out), "--ground", str(tmp_path / "floor.npy"), "-j1"]) == 0
        feet.append(sk.load(out / "a.bvh").positions()[..., 1].min())
    assert feet[1] - feet[0] == pytest.approx(0.5, abs=0.01)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--ground", "missing.obj"], "there is no file missing.obj"),
        (["--ground", "floor.stl"], "floor.stl is not a ground: give a height, or a file that ends in .npy, .obj"),
        (["--max-slope", "100"], "100 must be at most 90"),
        (["--align", "2"], "2 must be at most 1"),
    ],
)
def test_wrong_usage_is_told_before_anything_is_done(arguments, message, clip, capsys):
    with pytest.raises(SystemExit) as stop:
        main(["check", str(clip), *arguments])
    assert stop.value.code == 2
    assert message in capsys.readouterr().err
