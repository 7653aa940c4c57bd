# SPDX-License-Identifier: MIT
"""``skelkin plant --skeleton``: arrays of local matrices."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import known_motions
import numpy as np
import pytest

import skelkin_py as sk
from skelkin_py.cli import main
from skelkin_py.cli.journal import NAME


@pytest.fixture
def rig(tmp_path: Path) -> Path:
    """A clip whose joints the arrays are for."""
    path = tmp_path / "rig.bvh"
    sk.example("biped").clip.slice(0, 3).save(path)
    return path


@pytest.fixture
def poses(tmp_path: Path) -> Path:
    path = tmp_path / "arrays" / "poses.npy"
    path.parent.mkdir()
    np.save(path, sk.example("biped").clip.local_matrices())
    return path


def plant(*arguments: object) -> int:
    return main(["plant", *map(str, arguments)])


@pytest.mark.slow
def test_an_array_is_planted_as_in_python(rig: Path, poses: Path, tmp_path: Path, capsys) -> None:
    target = tmp_path / "planted.npy"
    assert plant(poses, "--skeleton", rig, "-o", target, "--ground", "0.02", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    clip = sk.load(rig)
    planted = sk.plant_locals(clip.skeleton, np.load(poses), fps=clip.fps, ground=0.02)
    assert np.load(target).tobytes() == planted.local.tobytes()
    assert target.read_bytes() != poses.read_bytes()
    expected = planted.report.to_dict()
    for key in expected.keys() - {"seconds", "frames_per_second"}:
        assert told[key] == json.loads(json.dumps(expected[key])), key
    assert (told["clip"], told["output"]) == (str(poses), str(target))


def test_the_report_says_what_was_done(rig: Path, poses: Path, tmp_path: Path, capsys) -> None:
    assert plant(poses, "--skeleton", rig, "-o", tmp_path / "planted.npy") == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert out.startswith("feet stand    left ")
    assert "\nslide         " in out
    assert out.endswith(f"wrote {tmp_path / 'planted.npy'}\n")


@pytest.mark.slow
def test_frames_per_second_are_those_given_else_those_of_the_skeleton(rig: Path, poses: Path, tmp_path: Path, capsys):
    rates = []
    for options in ([], ["--fps", "60"]):
        assert plant(poses, "--skeleton", rig, "-o", tmp_path / "planted.npy", "--json", *options) == 0
        rates.append(json.loads(capsys.readouterr().out)["fps"])
    assert rates == [pytest.approx(sk.load(rig).fps), 60.0]


@pytest.mark.slow
def test_arrays_of_loops_are_kept_closed(tmp_path: Path, capsys) -> None:
    clip = known_motions.known("walk loop", fps=30.0, slide=0.05).clip
    source, rig, target = (tmp_path / name for name in ("poses.npy", "rig.bvh", "planted.npy"))
    clip.save(rig)
    skeleton = sk.load(rig).skeleton
    np.save(source, clip.local_matrices())
    for words, closed in (([], True), (["--loop", "yes"], True), (["--loop", "no"], False)):
        assert plant(source, "--skeleton", rig, "-o", target, "--json", *words) == 0
        assert json.loads(capsys.readouterr().out)["loop"] is closed
        ends = sk.forward_kinematics(skeleton, np.load(target)[[0, -1]])
        way = np.load(source)[-1, 0, :3, 3] - np.load(source)[0, 0, :3, 3]
        gap = np.abs(ends[1, :, :3, 3] - ends[0, :, :3, 3] - way).max()
        assert bool(gap <= 1e-6) is closed


def test_legs_are_named_by_the_joints_of_the_skeleton(rig: Path, poses: Path, tmp_path: Path, capsys) -> None:
    leg = ["--leg", "LeftUpLeg,LeftLeg,LeftFoot"]
    assert plant(poses, "--skeleton", rig, "-o", tmp_path / "planted.npy", "--json", *leg) == 0
    assert [leg["name"] for leg in json.loads(capsys.readouterr().out)["legs"]] == ["left"]
    assert plant(poses, "--skeleton", rig, "-o", tmp_path / "none.npy", "--leg", "A,B,C") == 1
    assert "there is no joint 'A'" in capsys.readouterr().err
    assert not (tmp_path / "none.npy").exists()


@pytest.mark.slow
def test_a_folder_of_arrays_is_gone_on_with(rig: Path, poses: Path, tmp_path: Path, capsys) -> None:
    """The tree is kept, what is finished is left alone, and another skeleton or rate makes all of it again."""
    (poses.parent / "more").mkdir()
    shutil.copy(poses, poses.parent / "more" / "b.npy")
    (poses.parent / "notes.bvh").write_text("no array")
    out = tmp_path / "out"
    command = [poses.parent, "-o", out, "--json", "-j", "1", "--skeleton", rig]

    def statuses(*more: str) -> list[str]:
        assert plant(*command, *more) == 0
        lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        return [line["status"] for line in lines if "status" in line]

    assert statuses() == ["planted", "planted"]
    assert {path.relative_to(out).as_posix() for path in out.rglob("*.*")} == {"poses.npy", "more/b.npy", NAME}
    assert statuses() == ["skipped", "skipped"]
    (out / "poses.npy").unlink()
    assert sorted(statuses()) == ["planted", "skipped"]
    assert statuses("--fps", "24") == ["planted", "planted"]
    sk.example("biped").clip.slice(0, 5).save(rig)
    assert statuses("--fps", "24") == ["planted", "planted"]


def test_one_that_fails_is_named_and_leaves_nothing(rig: Path, poses: Path, tmp_path: Path, capsys) -> None:
    broken = np.load(poses)
    broken[50, 0, 0, 0] = np.nan
    np.save(poses.parent / "broken.npy", broken)
    np.save(poses.parent / "other.npy", broken[:, :3])
    (poses.parent / "text.npy").write_text("no numbers")
    out = tmp_path / "out"
    assert plant(poses.parent, "--skeleton", rig, "-o", out, "-j", "1") == 1
    errors = capsys.readouterr().err.splitlines()
    whats = (("broken.npy", "local[50, 0]"), ("other.npy", "(180, 3, 4, 4)"), ("text.npy", "not a .npy file"))
    for line, (name, words) in zip(errors, whats, strict=True):
        assert line.startswith(f"skelkin: {poses.parent / name}")
        assert words in line
    assert {path.name for path in out.iterdir()} == {"poses.npy", NAME}


@pytest.mark.parametrize(
    ("code", "arguments", "words"),
    [
        (
            2,
            ["poses.npy", "-o", "out.npy"],
            "poses.npy is an array: name the clip that has its joints with --skeleton CLIP",
        ),
        (2, ["poses.npy", "-o", "out.bvh", "--skeleton", "rig.bvh"], "out.bvh: give -o a name that ends in .npy"),
        (
            1,
            ["rig.bvh", "-o", "out.npy", "--skeleton", "rig.bvh"],
            "rig.bvh: not a .npy array: plant clips without --skeleton",
        ),
        (2, ["rig.bvh", "-o", "out.bvh", "--animation", "walk"], "--animation is for glTF files, and rig.bvh is BVH"),
        (2, ["poses.npy", "-o", "poses.npy", "--skeleton", "rig.bvh"], "poses.npy is the clip itself"),
        (
            1,
            ["poses.npy", "-o", "out.npy", "--skeleton", "rig.bvh", "--loop", "yes"],
            "loop=True, but the clip is not a loop: the legs of its last pose are",
        ),
    ],
)
def test_what_does_not_fit_together_is_said(
    rig: Path, poses: Path, monkeypatch, code, arguments, words, capsys
) -> None:
    monkeypatch.chdir(poses.parent)
    shutil.copy(rig, "rig.bvh")
    before = {path.name: path.read_bytes() for path in Path().iterdir()}
    assert plant(*arguments) == code
    assert words in capsys.readouterr().err
    assert {path.name: path.read_bytes() for path in Path().iterdir()} == before


@pytest.mark.parametrize(
    ("name", "words"), [("none.bvh", "there is no file"), ("rig.txt", "give a file that ends in .bvh")]
)
def test_a_skeleton_that_cannot_be_read_is_wrong_usage(poses: Path, tmp_path: Path, name, words, capsys) -> None:
    with pytest.raises(SystemExit, match="2"):
        plant(poses, "-o", tmp_path / "out.npy", "--skeleton", tmp_path / name)
    assert words in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize(("sign", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["Ctrl-C", "SIGTERM"])
def test_an_interrupted_array_leaves_nothing_half_written(rig: Path, poses: Path, tmp_path: Path, sign, code) -> None:
    out = tmp_path / "out"
    out.mkdir()
    np.save(poses, np.tile(np.load(poses)[:, :, :3].astype(np.float32), (150, 1, 1, 1)))
    command = [sys.executable, "-m", "skelkin_py", "plant", poses, "--skeleton", rig, "-o", out / "planted.npy"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, cwd=tmp_path) as run:
        for _ in range(3000):
            if any(out.iterdir()) or run.poll() is not None:
                break
            time.sleep(0.01)
        run.send_signal(sign)
        run.communicate()
    assert run.returncode == code
    assert list(out.iterdir()) == []


def test_several_motions_in_one_array_are_no_matrices(tmp_path, capsys) -> None:
    path = tmp_path / "motions.npy"
    np.save(path, np.zeros((3, 40, 22, 3), np.float32))
    assert main(["plant", str(path), "-o", str(tmp_path / "out.npy")]) == 1
    assert "has the shape (3, 40, 22, 3): 3 motions in one array" in capsys.readouterr().err


def test_a_rate_stored_as_text_is_called_so(tmp_path, capsys) -> None:
    path = tmp_path / "motion.npz"
    np.savez(path, positions=np.zeros((4, 22, 3)), fps=np.array("30"))
    assert main(["info", str(path)]) == 1
    wanted = "the rate is '30': a number of frames per second is needed; give it with fps= (--fps)"
    assert capsys.readouterr().err == f"skelkin: {path}: {wanted}\n"
