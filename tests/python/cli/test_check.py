# SPDX-License-Identifier: MIT
"""``skelkin check``: figures of the clip as it is, limits, the frames that are over, and exit codes."""

from __future__ import annotations

import json
import math
import re
import sys
from pathlib import Path

import numpy as np
import pytest

import skelkin_py as sk
from skelkin_py.cli import main


@pytest.fixture
def sliding(tmp_path: Path) -> Path:
    """A clip that slides: the embedded biped's, in metres."""
    path = tmp_path / "clips" / "sliding.bvh"
    path.parent.mkdir()
    sk.example("biped").clip.save(path)
    return path


def answers(capsys) -> list[dict]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_figures_are_those_of_the_report_and_nothing_is_written(sliding: Path, tmp_path: Path, capsys) -> None:
    report = sk.load(sliding).plant_feet().report
    before = sorted(tmp_path.rglob("*"))
    assert main(["check", str(sliding), "--json"]) == 0
    (told,) = answers(capsys)
    for what in ("slide", "float"):
        assert math.isclose(told[what], report.worst(what, "before") / report.leg_length, rel_tol=1e-12)
    assert math.isclose(told["penetration"], report.deepest("before") / report.leg_length, rel_tol=1e-12)
    assert (told["status"], told["num_contacts"], told["over"]) == ("passed", len(report.contacts), [])
    assert told["literature"] == report.to_dict()["literature"]["before"]
    assert told["knee_pops"] == [list(pop) for pop in report.knee_pops("before")]
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("what", ["slide", "penetration", "float"])
def test_a_limit_passes_at_the_worst_value_and_fails_below_it(sliding: Path, what: str, capsys) -> None:
    assert main(["check", str(sliding), "--json"]) == 0
    (told,) = answers(capsys)
    assert told[what] > 0
    assert main(["check", str(sliding), f"--max-{what}", repr(told[what])]) == 0
    assert main(["check", str(sliding), f"--max-{what}", repr(told[what] * (1 - 1e-9)), "--json"]) == 1
    capsys.readouterr()


def test_contacts_and_frames_over_a_limit_are_named(tmp_path: Path, capsys) -> None:
    """A clip that stands still, then slides by a known length at known frames."""
    clip = sk.example("biped").clip.slice(0, 1)
    still = sk.Clip(clip.skeleton, np.repeat(clip.rotations, 60, 0), np.repeat(clip.translations, 60, 0), fps=30)
    leg = still.plant_feet(contacts="always").report.leg_length
    moved = still.translations.copy()
    moved[:, 0, 0] += (
        0.1 * leg * np.clip((np.arange(60) - 29) / 10, 0.0, 1.0)
    )  # 0.01 of the leg per frame from 30 to 39
    path = tmp_path / "still.bvh"
    still.replace(translations=moved).save(path)
    assert main(["check", str(path), "--contacts", "always", "--max-slide", "0.055", "--json"]) == 1
    (told,) = answers(capsys)
    assert told["status"] == "over"
    assert [(each["leg"], each["first_frame"], each["last_frame"]) for each in told["over"]] == [
        ("left", 0, 59),
        ("right", 0, 59),
    ]
    for each in told["over"]:
        assert each["frames"] == [[35, 59]]
        assert math.isclose(each["value"], 0.1, rel_tol=1e-6)
    assert main(["check", str(path), "--contacts", "always", "--max-slide", "0.055"]) == 1
    out = capsys.readouterr().out
    assert "left foot, contact 0–59: slide 0.1000, more than 0.055 in frames 35–59\n" in out


@pytest.mark.slow
def test_limits_in_metres_or_centimetres(sliding: Path, capsys) -> None:
    assert main(["check", str(sliding), "--json"]) == 0
    (legs,) = answers(capsys)
    metres = legs["slide"] * legs["leg_length"] * 0.5
    assert main(["check", str(sliding), "--unit", "0.5", "--in", "m", "--max-slide", f"{metres * 1.001}"]) == 0
    assert main(["check", str(sliding), "--unit", "0.5", "--in", "m", "--max-slide", f"{metres * 0.999}"]) == 1
    assert main(["check", str(sliding), "--unit", "0.5", "--in", "cm", "--max-slide", f"{metres * 100.1}"]) == 0
    assert main(["check", str(sliding), "--in", "cm", "--max-slide", f"{legs['slide'] * 90.1}"]) == 0
    assert main(["check", str(sliding), "--in", "cm", "--max-slide", f"{legs['slide'] * 89.9}"]) == 1
    assert "Lengths assume legs of 0.9 m" in capsys.readouterr().out


@pytest.mark.slow
def test_a_folder_is_checked_whole_and_errors_stop_nothing(sliding: Path, capsys) -> None:
    folder = sliding.parent
    (folder / "broken.bvh").write_bytes(sliding.read_bytes()[:-30])
    sk.load(sliding).slice(0, 40).save(folder / "part.bvh")
    assert main(["check", str(folder), "--max-slide", "9", "--jobs", "2"]) == 1
    out, err = capsys.readouterr()
    assert err.count("\n") == 1
    assert f"skelkin: {folder / 'broken.bvh'}:" in err
    assert [line.split()[0] for line in out.splitlines()] == [
        "clip",
        "broken.bvh",
        "part.bvh",
        "sliding.bvh",
        "all",
        "2",
        "The",
    ]
    assert "2 of 3 passed, 1 failed" in out
    assert main(["check", str(folder / "part.bvh"), str(sliding), "--max-slide", "0"]) == 1
    out = capsys.readouterr().out
    assert "0 of 2 passed, 2 over" in out
    assert re.search(r"^sliding.bvh .* OVER$", out, flags=re.M)


@pytest.mark.slow
def test_several_clips_are_a_line_each_and_details_are_for_who_asks(sliding: Path, capsys) -> None:
    for k in range(5):
        (sliding.parent / f"again{k}.bvh").write_bytes(sliding.read_bytes())
    command = ["check", str(sliding.parent), "--max-slide", "0"]
    assert main(command) == 1
    short = capsys.readouterr().out.splitlines()
    assert len(short) == 1 + 6 + 1 + 3  # heading, clips, all of them; counts, unit, where to find more
    assert "6 over" in short[8]
    assert "--verbose" in short[-1]
    slides = [float(line.split()[-4]) for line in short[1:7]]
    assert float(short[7].split()[-3]) == max(slides)
    assert main([*command, "-v"]) == 1
    long = capsys.readouterr().out.splitlines()
    assert long[: len(short) - 1] == short[:-1]
    heads = [k for k, line in enumerate(long) if line == "sliding.bvh"]
    assert len(heads) == 1
    assert long[heads[0] + 1].startswith("  left foot, contact ")


@pytest.mark.slow
@pytest.mark.parametrize("command", ["check", "plant"])
def test_a_terminal_shows_a_table_that_fits_with_both_ends_of_long_names(
    command: str, sliding: Path, tmp_path: Path, capsys, monkeypatch
) -> None:
    name = "walk_up_the_stairs_and_turn_around_take_0012.bvh"
    sliding.rename(sliding.parent / name)
    (sliding.parent / f"b{name}").write_bytes(b"HIERARCHY")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("NO_COLOR", "1")
    width = 80 if command == "check" else 60
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("TERM", "xterm")
    more = ["--max-slide", "0"] if command == "check" else ["-o", str(tmp_path / "out"), "--force"]
    assert main([command, str(sliding.parent), *more]) == 1
    table = capsys.readouterr().out.splitlines()[:4]
    assert all(len(line) <= width for line in table)
    assert any(re.match(r"walk_up_[a-z_]+….*e_0012\.bvh  ", line) for line in table)
    assert main([command, str(sliding.parent), *more, "-v"]) == 1
    assert f"\n{name}  " in capsys.readouterr().out
    monkeypatch.setattr(sys.stdout, "isatty", lambda: False)
    assert main([command, str(sliding.parent), *more]) == 1
    assert f"\n{name}  " in capsys.readouterr().out  # a file or another program gets whole names


def test_penetration_is_judged_in_every_frame_not_only_in_contacts(make_walk, tmp_path: Path, capsys) -> None:
    """A figure that stands still; in frames 20 to 35 its right foot swings forth and back through the ground."""
    skeleton = make_walk().clip.skeleton
    translations = np.tile(skeleton.rest_local[:, :3, 3], (60, 1, 1))
    swing = np.sin(np.pi * np.arange(16) / 15.0)
    translations[20:36, skeleton.index("right_foot")] += swing[:, None] * [0.0, -0.08, 0.5]
    clip = sk.Clip(skeleton, np.tile([1.0, 0, 0, 0], (60, skeleton.num_joints, 1)), translations, fps=30)
    path = tmp_path / "sinks.bvh"
    clip.save(path)
    assert main(["check", str(path), "--max-penetration", "0.09", "--json"]) == 1
    (told,) = answers(capsys)
    (over,) = told["over"]
    assert (over["leg"], over["what"], over["first_frame"], over["last_frame"]) == ("right", "penetration", None, None)
    deep = 0.08 * swing / told["leg_length"]
    assert over["frames"] == [[20 + int(k) for k in np.flatnonzero(deep > 0.09)[[0, -1]]]]
    assert over["value"] == told["penetration"] == pytest.approx(deep.max(), rel=1e-6)
    assert main(["check", str(path), "--max-penetration", "0.09"]) == 1
    words = r"right foot, in the air: penetration 0\.\d+, more than 0.09 in frames 2\d–2\d"
    assert re.search(words, capsys.readouterr().out)
    assert main(["check", str(path), "--max-penetration", repr(told["penetration"])]) == 0


@pytest.fixture
def flying(tmp_path: Path) -> Path:
    """A clip carried through the air: no foot ever stands."""
    clip = sk.example("biped").clip
    moved = clip.translations.copy()
    moved[:, 0] += np.arange(clip.num_frames)[:, None] * [1.0, 0.3, 1.0]
    path = tmp_path / "flying.bvh"
    clip.replace(translations=moved).save(path)
    return path


@pytest.mark.slow
def test_a_clip_without_contacts_only_passes_where_nothing_is_asked_or_that_is_allowed(flying: Path, capsys) -> None:
    for arguments, code, status, missing in (
        ([], 0, "passed", []),
        (["--max-slide", "0.01", "--max-float", "1"], 1, "no_contacts", ["slide", "float"]),
        (["--max-penetration", "0.01"], 1, "no_contacts", ["penetration"]),
        (["--max-penetration", "0.01", "--ground", "-9"], 0, "passed", []),
        (["--max-penetration", "0.01", "--ground", "9"], 1, "over", []),
        (["--max-slide", "0.01", "--allow-no-contacts"], 0, "passed", []),
    ):
        assert main(["check", str(flying), "--json", *arguments]) == code
        (told,) = answers(capsys)
        assert (told["num_contacts"], told["status"], told["unjudged"]) == (0, status, missing)
        assert any("no foot ever stands" in message for message in told["messages"])
    for limits, code, words in ([], 0, ""), (["--max-slide", "0.01"], 1, "NOT MEASURED: "):
        assert main(["check", str(flying), *limits]) == code
        out = capsys.readouterr().out
        row = out.splitlines()[1]
        assert f"  {words}no contacts" in row
        assert "No contacts: no foot ever stands. Set --ground or --contacts" in out
        slide, penetration, float_ = row.split()[2:5]
        assert (slide, float_) == ("–", "–")  # no figure where nothing was measured
        assert float(penetration) >= 0.0


def test_a_clip_in_place_is_said_to_be_one(make_walk, tmp_path: Path, capsys) -> None:
    path = tmp_path / "treadmill.bvh"
    make_walk(in_place=True).clip.save(path)
    for limits, remark in (([], "  in place"), (["--max-slide", "0"], "  OVER, in place")):
        assert main(["check", str(path), *limits]) == bool(limits)
        out = capsys.readouterr().out
        assert out.splitlines()[1].endswith(remark)
        assert "In place: slide is measured relative to the ground, which moves backwards.\n" in out


def test_ground_height_counts(sliding: Path, capsys) -> None:
    assert main(["check", str(sliding), "--ground-height", "-50", "--json"]) == 0
    (told,) = answers(capsys)
    assert told["ground"] == -50
    assert told["penetration"] == 0


@pytest.mark.parametrize("value", ["-1", "nan", "far"])
def test_a_limit_is_a_number_from_0_up(value: str, capsys) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["check", "a.bvh", f"--max-slide={value}"])
    assert caught.value.code == 2
    capsys.readouterr()


def test_a_planted_clip_passes_what_it_did_not_pass_before(sliding: Path, tmp_path: Path, capsys) -> None:
    target = tmp_path / "planted.bvh"
    limits = ["--max-slide", "0.03", "--max-penetration", "0.01", "--max-float", "0.01"]
    assert main(["plant", str(sliding), "-o", str(target)]) == 0
    assert main(["check", str(sliding), *limits]) == 1
    assert main(["check", str(target), *limits]) == 0
    capsys.readouterr()
