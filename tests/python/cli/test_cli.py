# SPDX-License-Identifier: MIT
"""The command line: answers, exit codes, one-line errors, and nothing half-written."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import refusals
from system_words import told_of

import skelkin_py as sk
from skelkin_py.cli import main, summary


@pytest.fixture
def walk(data_dir: Path) -> Path:
    return data_dir / "bvh" / "cmu_12_01_walk.bvh"


@pytest.fixture
def short(walk: Path, tmp_path: Path) -> Path:
    """A part of the walk, for tests that only look at the surroundings."""
    path = tmp_path / "short.bvh"
    sk.load(walk).slice(100, 220).save(path)
    return path


def test_plant_writes_the_planted_clip_and_prints_five_lines(walk: Path, tmp_path: Path, capsys) -> None:
    target = tmp_path / "planted.bvh"
    assert main(["plant", str(walk), "-o", str(target)]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    stems = [line[:14].strip() for line in out.splitlines()[:5]]
    assert stems == ["feet stand", "slide", "ground", "knees", "body"]
    assert max(len(line) for line in out.splitlines() if not line.startswith("wrote")) <= 80
    assert "contacts, left" not in out
    assert f"wrote {target}" in out
    assert "\033" not in out
    clip, planted = sk.load(walk), sk.load(target)
    assert planted.names == clip.names
    assert planted.num_frames == clip.num_frames
    legs = {joint for leg in clip.find_legs() for joint in leg.chain}
    others = [j for j in range(1, len(clip.names)) if j not in legs]
    np.testing.assert_array_equal(planted.rotations[:, others], clip.rotations[:, others])
    assert not np.array_equal(planted.rotations, clip.rotations)


def test_plant_is_the_same_as_in_python(short: Path, tmp_path: Path, capsys) -> None:
    target, other = tmp_path / "a.bvh", tmp_path / "b.bvh"
    options = ["--ground", "-0.5", "--contacts", "auto", "--reach", "lower_pelvis", "--frames", "10", "90"]
    assert main(["plant", str(short), "-o", str(target), *options, "--unit", "0.0564", "--up", "y", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    planted = sk.load(short).plant_feet(
        ground=-0.5, contacts="auto", reach="lower_pelvis", frames=(10, 90), up="Y", metres_per_unit=0.0564
    )
    planted.clip.save(other)
    assert target.read_bytes() == other.read_bytes()
    expected = json.loads(json.dumps(planted.report.to_dict()))
    for key in expected.keys() - {"seconds", "frames_per_second"}:
        assert told[key] == expected[key], key
    assert told["clip"] == str(short)
    assert told["output"] == str(target)


@pytest.mark.slow
def test_plant_bounds_the_acceleration_of_the_body_as_in_python(walk: Path, tmp_path: Path, capsys) -> None:
    """The walk's body jumps between frames: the bound says how much of that may be taken back."""
    files = {name: tmp_path / f"{name}.bvh" for name in ("default", "bounded", "python")}
    assert main(["plant", str(walk), "-o", str(files["default"])]) == 0
    assert main(["plant", str(walk), "-o", str(files["bounded"]), "--pelvis-acceleration", "2.5"]) == 0
    planted = sk.load(walk).plant_feet(pelvis_acceleration=2.5)
    planted.clip.save(files["python"])
    assert planted.report.added_acceleration <= 2.5 * planted.report.leg_length
    written = {name: path.read_bytes() for name, path in files.items()}
    assert written["bounded"] == written["python"] != written["default"]
    with pytest.raises(SystemExit, match="2"):
        main(["plant", str(walk), "-o", str(files["bounded"]), "--pelvis-acceleration", "0"])
    assert "0 must be above 0" in capsys.readouterr().err


def test_info_tells_what_is_understood(walk: Path, capsys) -> None:
    assert main(["info", str(walk)]) == 0
    out = capsys.readouterr().out
    assert "joints  31: Hips, LHipJoint, LeftUpLeg" in out
    assert "frames  524 at 120 per second, 4.37 s" in out
    assert "up      +Y" in out
    assert "LeftUpLeg → LeftLeg → LeftFoot, toe LeftToeBase" in out
    assert "by the word 'upleg'" in out
    assert main(["info", str(walk), "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["num_frames"] == 524
    assert facts["fps"] == 120
    assert facts["up"] == "+Y"
    assert 20 < facts["height"] < 35
    assert [leg["side"] for leg in facts["legs"]] == ["left", "right"]
    assert facts["legs"][0]["confidence"] > 0.9


def test_info_of_a_clip_without_legs(tmp_path: Path, capsys) -> None:
    clip = sk.Clip(sk.Skeleton([-1], np.eye(4)[None], ["盒子"]), [[[1, 0, 0, 0]]], fps=30)
    clip.save(tmp_path / "box.bvh")
    assert main(["info", str(tmp_path / "box.bvh")]) == 0
    out = capsys.readouterr().out
    assert "joints  1: 盒子" in out
    assert "legs    none found" in out
    assert "up      not found" in out


def check_refused(arguments: list[str], words: str, capsys, folder: Path, code: int = 1) -> None:
    before = {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    refusals.check_refused(arguments, words, capsys, code)
    assert {path: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before


def test_a_missing_file_is_an_error_in_one_line(tmp_path: Path, capsys) -> None:
    target = tmp_path / "out.bvh"
    for arguments in (["info", "none.bvh"], ["plant", "none.bvh", "-o", str(target)]):
        check_refused(arguments, f"none.bvh: {told_of(open, 'none.bvh')}", capsys, tmp_path)


def test_a_broken_file_is_an_error_with_its_line(short: Path, tmp_path: Path, capsys) -> None:
    broken = tmp_path / "broken.bvh"
    broken.write_bytes(short.read_bytes()[:-20])
    target = tmp_path / "out.bvh"
    check_refused(["plant", str(broken), "-o", str(target)], "broken.bvh:307: frame 119 has", capsys, tmp_path)


def test_a_clip_without_legs_is_an_error(tmp_path: Path, capsys) -> None:
    clip = sk.Clip(sk.Skeleton([-1], np.eye(4)[None], ["box"]), np.tile([1, 0, 0, 0], (50, 1, 1)), fps=30)
    clip.save(tmp_path / "box.bvh")
    check_refused(["plant", str(tmp_path / "box.bvh"), "-o", str(tmp_path / "out.bvh")], "leg", capsys, tmp_path)


def test_the_input_is_never_overwritten(short: Path, tmp_path: Path, capsys) -> None:
    hard = tmp_path / "hard.bvh"
    hard.hardlink_to(short)
    for target in (short, hard, tmp_path / "." / "short.bvh"):
        check_refused(["plant", str(short), "-o", str(target)], "is the clip itself", capsys, tmp_path, code=2)


@pytest.mark.posix
def test_the_input_is_not_overwritten_through_a_link(short: Path, tmp_path: Path, capsys) -> None:
    link = tmp_path / "link.bvh"
    link.symlink_to(short)
    check_refused(["plant", str(short), "-o", str(link)], "is the clip itself", capsys, tmp_path, code=2)


def test_an_output_that_cannot_be_written_is_an_error(short: Path, tmp_path: Path, capsys) -> None:
    for name, words, code in (("out.fbx", "a name that ends in .bvh", 2), ("short.bvh/out.bvh", "short.bvh: ", 1)):
        check_refused(["plant", str(short), "-o", str(tmp_path / name)], words, capsys, tmp_path, code)


def test_the_folders_of_the_output_are_made(short: Path, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    for command in (["plant", str(short), "-o"], ["convert", str(short)]):
        target = Path(command[0]) / "day 1" / "out.bvh"
        assert main([*command, str(target)]) == 0
        assert sk.load(target).num_frames == 120


def test_plant_writes_a_page_with_both_motions_and_the_figures(short: Path, tmp_path: Path, capsys) -> None:
    target, page = tmp_path / "out.bvh", tmp_path / "pages" / "page.html"
    assert main(["plant", str(short), "-o", str(target), "--html", str(page)]) == 0
    assert capsys.readouterr().out.endswith(f"wrote {target}\nwrote {page}\n")
    clip = sk.load(short)
    planted = clip.plant_feet()
    shown = sk.view.show(planted.clip, compare=clip, report=planted.report, title="short.bvh")
    assert page.read_text(encoding="utf-8") == shown.html
    assert sk.load(target).num_frames == clip.num_frames
    assert main(["plant", str(short), "-o", str(target), "--html", str(page), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["page"] == str(page)


def test_a_page_and_its_clip_are_written_both_or_not_at_all(short: Path, tmp_path: Path, capsys) -> None:
    target, page = tmp_path / "out.bvh", tmp_path / "new" / "page.html"
    (tmp_path / "folder.html").mkdir()
    check_refused(
        ["plant", str(short), "-o", str(target), "--html", str(tmp_path / "folder.html")], "folder", capsys, tmp_path
    )
    (tmp_path / "folder.html").rmdir()
    for file, other in ((255 * "x" + ".bvh", page.name), ("out.bvh", 255 * "x" + ".html")):
        command = ["plant", str(short), "-o", str(tmp_path / file), "--html", str(page.with_name(other))]
        check_refused(command, "File name too long", capsys, tmp_path)
        assert sorted(path.name for path in tmp_path.iterdir()) == ["short.bvh"]
    base = ["plant", str(short), "-o", str(target), "--html"]
    check_refused([*base, str(page.with_suffix(".pdf"))], "a name that ends in .html", capsys, tmp_path, 2)
    many = ["plant", str(tmp_path), "-o", str(tmp_path / "planted"), "--html", str(page)]
    check_refused(many, "skelkin view PLANTED --compare CLIP", capsys, tmp_path, 2)
    array = ["plant", "a.npy", "--skeleton", str(short), "-o", str(tmp_path / "b.npy"), "--html", str(page)]
    check_refused(array, "shows clips", capsys, tmp_path, 2)


@pytest.mark.posix
def test_a_page_that_is_a_link_is_not_written_over_a_clip(short: Path, tmp_path: Path, capsys) -> None:
    target = tmp_path / "out.bvh"
    base = ["plant", str(short), "-o", str(target), "--html"]
    (tmp_path / "link.html").symlink_to(short)
    check_refused([*base, str(tmp_path / "link.html")], "would be overwritten", capsys, tmp_path, 2)
    (tmp_path / "to.html").symlink_to(target)
    check_refused([*base, str(tmp_path / "to.html")], "also the file of the planted clip", capsys, tmp_path, 2)


@pytest.mark.parametrize("command", ["plant", "convert"])
def test_no_folder_is_left_where_nothing_was_written(command: str, short: Path, tmp_path: Path, capsys) -> None:
    (tmp_path / "there").mkdir()
    long = "there/one/two/" + 255 * "x" + ".bvh"  # the file cannot be made, its folders can
    (tmp_path / "cut.bvh").write_bytes(short.read_bytes()[:-20])
    for source, name in ((short, long), (tmp_path / "cut.bvh", "there/three/out.bvh")):
        words = [command, str(source), *(["-o"] if command == "plant" else []), str(tmp_path / name)]
        assert main(words) == 1
        assert capsys.readouterr().err.startswith("skelkin: ")
        assert not list((tmp_path / "there").iterdir())


def test_wrong_values_are_errors(short: Path, tmp_path: Path, capsys) -> None:
    base = ["plant", str(short), "-o", str(tmp_path / "out.bvh")]
    check_refused(
        [*base, "--frames", "90", "10"], "--frames 90 10: give the first frame first", capsys, tmp_path, code=2
    )
    check_refused([*base, "--frames", "0", "5000"], "frames", capsys, tmp_path)


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["dance"],
        ["plant"],
        ["plant", "a.bvh"],
        ["plant", "a.bvh", "-o", "b.bvh", "--reach", "jump"],
        ["plant", "a.bvh", "-o", "b.bvh", "--unit", "0"],
        ["plant", "a.bvh", "-o", "b.bvh", "--unit", "metre"],
        ["plant", "a.bvh", "-o", "b.bvh", "--ground", "nan"],
        ["plant", "a.bvh", "-o", "b.bvh", "--up", "W"],
        ["info"],
        ["info", "a.bvh", "--unknown"],
    ],
)
def test_wrong_usage_exits_with_2(arguments: list[str], capsys) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert "usage: skelkin" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["--help"], ["plant", "--help"], ["info", "--help"], ["--version"]])
def test_help_and_version_exit_with_0(arguments: list[str], capsys) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 0
    assert "skelkin" in capsys.readouterr().out


def test_colours_only_on_a_terminal(walk: Path, capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert main(["info", str(walk)]) == 0
    assert "\033[1m" in capsys.readouterr().out
    monkeypatch.setenv("NO_COLOR", "1")
    assert main(["info", str(walk)]) == 0
    assert "\033" not in capsys.readouterr().out


@pytest.mark.parametrize("command", ["plant", "check", "info"])
def test_ctrl_c_says_so_in_one_line(short: Path, tmp_path: Path, command: str, capsys, monkeypatch) -> None:
    def interrupted(path, *options):
        raise KeyboardInterrupt

    target = tmp_path / "out.bvh"
    for reader in ("plant_file.load_moving", "check.load_moving", "info.load_all"):
        monkeypatch.setattr(f"skelkin_py.cli.{reader}", interrupted)
    assert main([command, str(short), *(["-o", str(target)] if command == "plant" else [])]) == 130
    assert (
        capsys.readouterr().err
        == "skelkin: interrupted: no half-written file is left; run the command again to start over\n"
    )
    assert not target.exists()


def test_the_slide_of_all_clips_leaves_out_those_in_place() -> None:
    def row(name: str, slide: float, in_place: bool) -> summary.Row:
        slides = {"before": slide, "after": slide if in_place else 0.0}
        told = {"num_frames": 10, "num_contacts": 2, "slide_mean_cm": slides, "slide_worst_cm": slides}
        return summary.Row(name, {**told, "unit_known": True, "in_place": in_place})

    rows = [row("walk", 3.0, False), row("treadmill", 8.0, True)]
    total = summary.total_of(rows)
    assert (total["clips"], total["num_frames"], total["num_contacts"]) == (2, 20, 4)
    assert total["slide_mean_cm"] == total["slide_worst_cm"] == {"before": 3.0, "after": 0.0}
    table = summary.table(rows)
    assert "8.00" not in table
    assert "In place: only heights are corrected" in table
    assert table.splitlines()[0] == ("2 of 2 clips planted, slide 3.0 → 0.0 cm; nothing that a viewer would mind")
    alone = summary.table(rows[1:]).splitlines()[0]
    assert alone == "1 of 1 clips planted; nothing that a viewer would mind"  # no slide was measured


def test_a_folder_says_first_what_was_gained_and_names_no_clip_twice(monkeypatch) -> None:
    def row(n: int) -> summary.Row:
        slides = {"before": 2.4, "after": 0.0}
        told = {"num_frames": 10, "num_contacts": 2, "slide_mean_cm": slides, "slide_worst_cm": slides}
        minded = [["fault: the body is moved by 25.0 cm within half a second, frames 3–9"], ["look at: x"], []][
            min(n, 2)
        ]
        name = f"a_take_with_a_rather_long_name_{n:03}.bvh"
        return summary.Row(name, {**told, "unit_known": True, "in_place": False, "minded": minded})

    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    rows = [*map(row, range(200)), summary.Row("broken.bvh", {}, "no joints")]
    lines = summary.table(rows).splitlines()
    assert lines[0] == "200 of 201 clips planted, slide 2.4 → 0.0 cm; 2 to look at, 1 with faults"
    assert all(len(line) <= 80 for line in lines[1:])
    assert "fault: the body is move…" in lines[2]
    whole = summary.table(rows, verbose=True)
    assert [whole.count(each.name) for each in rows] == [1] * 201


@pytest.mark.slow
def test_the_installed_command_runs(short: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.bvh"
    safe = ["-P"] if sys.version_info >= (3, 11) else []
    command = [sys.executable, *safe, "-m", "skelkin_py"]
    bare = {"PYTHONIOENCODING": "ascii", "PATH": ""}
    arguments = ["plant", str(short), "-o", str(target)]
    done = subprocess.run([*command, *arguments], capture_output=True, text=True, check=False, env=bare, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "feet stand    left" in done.stdout
    assert sk.load(target).num_frames == 120
    failed = subprocess.run([*command, "info", "none.bvh"], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (failed.returncode, failed.stdout) == (1, "")
    assert failed.stderr == f"skelkin: none.bvh: {told_of(open, 'none.bvh')}\n"


def test_help_is_the_same_where_python_leaves_docstrings_out(tmp_path, capsys):
    assert main(["manual"]) == 0
    page = capsys.readouterr().out
    command = [sys.executable, "-OO", "-m", "skelkin_py", "manual"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == page
    assert "Plant the feet of clips on the ground." in page


def test_blender_check_names_what_is_missing(tmp_path, capsys):
    assert main(["blender-check", str(tmp_path / "none.blend")]) == 1
    assert "there is no such file" in capsys.readouterr().err
    (tmp_path / "some.blend").write_bytes(b"BLENDER")
    assert main(["blender-check", str(tmp_path / "some.blend"), "--blender", str(tmp_path / "none")]) == 1
    assert f"none: {told_of(os.stat, 'none')}" in capsys.readouterr().err


@pytest.mark.parametrize("columns", [60, 80])
@pytest.mark.parametrize("command", [[], ["plant"], ["check"], ["info"], ["view"], ["convert"], ["blender-check"]])
def test_help_fits_the_terminal(command: list[str], columns: int, capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of it but examples, whose lines are indented, and can be copied as they are."""
    monkeypatch.setenv("COLUMNS", str(columns))
    with pytest.raises(SystemExit, match="0"):
        main([*command, "--help"])
    told = capsys.readouterr().out.splitlines()
    assert max(len(line) for line in told if not line.startswith("  skelkin")) <= columns
    assert max(len(line) for line in told) <= 80
    assert told[0].startswith("usage: skelkin")
    assert len(told[1]) == 0 or columns == 60


def test_without_arguments_the_commands_are_listed(capsys) -> None:
    with pytest.raises(SystemExit, match="2"):
        main([])
    out, err = capsys.readouterr()
    assert out == ""
    for command in ("plant", "check", "info", "view", "convert"):
        assert f"    {command} " in err


def test_wrong_usage_names_the_command(capsys) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["plant", "a.bvh"])
    usage, error = capsys.readouterr().err.splitlines()
    assert usage == "usage: skelkin plant CLIP [CLIP ...] -o PATH [options]"
    assert error == "skelkin plant: error: the following arguments are required: -o/--output"


def test_clips_stand_apart_in_info(short: Path, tmp_path: Path, capsys) -> None:
    (tmp_path / "a.bvh").write_text("broken")
    short.rename(tmp_path / "b.bvh")
    (tmp_path / "c.bvh").write_bytes((tmp_path / "b.bvh").read_bytes())
    assert main(["info", str(tmp_path)]) == 1
    blocks = capsys.readouterr().out.split("\n\n")
    assert [block.splitlines()[0] for block in blocks] == [str(tmp_path / "b.bvh"), str(tmp_path / "c.bvh")]


def test_the_names_of_joints_are_wrapped_on_a_terminal_and_nowhere_else(short: Path, capsys, monkeypatch) -> None:
    assert main(["info", str(short)]) == 0
    plain = capsys.readouterr().out
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "70")
    assert main(["info", str(short)]) == 0
    shown = capsys.readouterr().out
    joints = shown[shown.index("\njoints") + 1 : shown.index("\nframes")].splitlines()
    assert len(joints) > 3
    assert max(map(len, joints)) <= 70
    assert [line[:8].strip() for line in joints] == ["joints", *[""] * (len(joints) - 1)]
    assert " ".join(line.strip() for line in joints) in plain


def test_a_terminal_that_does_not_know_its_width_has_80_places(short: Path, capsys, monkeypatch) -> None:
    with monkeypatch.context() as patch:  # pytest asks for the width as well, once the test has ended
        patch.setattr(shutil, "get_terminal_size", lambda: os.terminal_size((0, 0)))  # what CPython 3.10 returns there
        patch.setattr(sys.stdout, "isatty", lambda: True)
        patch.setenv("TERM", "xterm")
        assert main(["info", str(short)]) == 0
    joints = capsys.readouterr().out.partition("\njoints")[2].partition("\nframes")[0].splitlines()
    assert 60 < max(map(len, joints)) <= 80
