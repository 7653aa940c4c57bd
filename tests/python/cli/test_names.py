# SPDX-License-Identifier: MIT
"""Names of files, joints and objects that hold what a terminal obeys: every command spells it out."""

from __future__ import annotations

import ast
import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import skelkin_py as sk
from skelkin_py._support.printable import escaped
from skelkin_py.blender.check import Difference, table
from skelkin_py.cli import main
from skelkin_py.cli.journal import NAME as JOURNAL

# A title of the window, a cleared screen by one character, text that runs backwards, other ends of lines.
TRAPS = "\x1b]0;owned\x07\x9b2J\u202egnihton\u2066\x7f\x85\u2028"
JOINT = f"Hand{TRAPS}."
FILE = f"walk{TRAPS}\r\nskelkin: all is well\n\t\udce9.bvh"  # also what is no text: a name in another encoding
LEG = f"LeftArm,LeftForeArm,{JOINT}"

OBEYED = re.compile(r"[\0-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


@pytest.fixture
def clips(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a clip, one that is broken and one that has no legs, each of such a name."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / f"clips{TRAPS}\n"
    folder.mkdir()
    plain = tmp_path / "plain.bvh"
    sk.example("biped").clip.slice(0, 60).save(plain)
    text = plain.read_text().replace("JOINT LeftHand\n", f"JOINT {JOINT}\n")
    assert JOINT in text
    (folder / FILE).write_text(text, encoding="utf-8", newline="")
    (folder / f"broken{FILE}").write_text(f"HIERARCHY\nROOT {JOINT}\n{{\n  {JOINT}\n}}\n", encoding="utf-8", newline="")
    return folder


@pytest.fixture
def said(capfd: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Run the command and return its code and what it has printed, which holds nothing that a terminal obeys."""

    def run(*arguments: str) -> tuple[int, str, str]:
        try:
            code = main(list(arguments))
        except SystemExit as left:
            code = int(str(left.code))
        out, err = capfd.readouterr()
        assert not OBEYED.findall(out + err)
        return code, out, err

    return run


@pytest.mark.posix
@pytest.mark.slow
def test_info(clips: Path, said) -> None:
    code, out, err = said("info", str(clips))
    assert code == 1
    assert escaped(str(clips / FILE)) in out.splitlines()
    assert f", {escaped(JOINT)}, " in out
    assert err.startswith(f"skelkin: {escaped(str(clips))}{os.sep}broken")
    assert err.count("\n") == 1


@pytest.mark.posix
def test_info_as_json_has_the_real_names(clips: Path, said) -> None:
    code, out, _ = said("info", str(clips / FILE), "--json")
    assert code == 0
    told = json.loads(out)
    assert told["clip"] == str(clips / FILE)
    assert JOINT in told["joints"]


@pytest.mark.posix
@pytest.mark.slow
def test_check(clips: Path, said) -> None:
    code, out, err = said(
        "check", str(clips), "-v", "--leg", LEG, "--ground", "-9", "--contacts", "always", "--max-float", "0"
    )
    assert code == 1
    lines = out.splitlines()
    assert any(re.match(rf"{re.escape(escaped(FILE))} +1 .* OVER$", line) for line in lines)
    assert any(line.startswith(f"  {escaped(JOINT)}, contact 0–59: float ") for line in lines)
    assert any(line.startswith(f"broken{escaped(FILE)}  failed: ") for line in lines)
    assert err.count("\n") == 1


@pytest.mark.posix
@pytest.mark.slow
def test_check_as_json_has_the_real_names(clips: Path, said) -> None:
    _, out, _ = said("check", str(clips), "--leg", LEG, "--contacts", "always", "--max-slide", "0", "--json")
    failed, over = (json.loads(line) for line in out.splitlines())
    assert failed["clip"] == str(clips / f"broken{FILE}")
    assert failed["error"].startswith(f"{failed['clip']}:")
    assert over["over"][0]["leg"] == JOINT


@pytest.mark.posix
def test_plant_one_clip(clips: Path, said) -> None:
    target = f"planted{FILE}"
    code, out, err = said("plant", str(clips / FILE), "-o", target, "--leg", LEG, "--contacts", "always")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith(f"feet stand    {escaped(JOINT)} 1")
    assert lines[-1] == f"wrote {escaped(target)}"
    assert Path(target).is_file()


@pytest.mark.posix
@pytest.mark.slow
def test_plant_a_folder(clips: Path, said) -> None:
    for counts in ("planted 1, 1 failed", "planted 0, 1 already finished, 1 failed"):
        code, out, err = said("plant", str(clips), "-o", f"out{TRAPS}\n", "--jobs", "2")
        assert code == 1
        assert re.search(rf"^{re.escape(escaped(FILE))} +\d+ ", out, flags=re.M)
        assert out.splitlines()[-1].startswith(f"{counts}, in ")
        assert out.endswith(f", into {escaped(f'out{TRAPS}')}\\n\n")
        assert err.count("\n") == 1
    journal = Path(f"out{TRAPS}\n", JOURNAL).read_bytes()
    assert not OBEYED.findall(journal.decode("utf-8"))
    assert json.loads(journal)["output"] == FILE


@pytest.mark.posix
def test_plant_as_json_has_the_real_names(clips: Path, said) -> None:
    code, out, _ = said("plant", str(clips), "-o", "out", "--json", "--jobs", "1")
    told = {line.get("clip"): line for line in map(json.loads, out.splitlines())}
    assert code == 1
    assert told[str(clips / FILE)]["output"] == os.path.join("out", FILE)
    assert told[str(clips / f"broken{FILE}")]["status"] == "failed"


@pytest.mark.posix
def test_view_and_convert(clips: Path, said) -> None:
    assert said("view", str(clips / FILE), "-o", f"page{TRAPS}.html") == (0, f"wrote page{escaped(TRAPS)}.html\n", "")
    assert "\x1b]0;owned" in Path(f"page{TRAPS}.html").read_text(encoding="utf-8")  # harmless there, as any text is
    code, out, _ = said("convert", str(clips / FILE), f"out{TRAPS}.bvh")
    assert code == 0
    assert out.startswith(f"wrote out{escaped(TRAPS)}.bvh: 22 joints")


@pytest.mark.posix
def test_blender_check(clips: Path, said) -> None:
    blend, program = f"rig{TRAPS}.blend", Path(f"blender{TRAPS}")
    code, _, err = said("blender-check", blend)
    assert code == 1
    assert err.startswith(f"skelkin: {escaped(blend)}: ")
    Path(blend).touch()
    program.write_text("#!/bin/sh\nprintf 'Error: \\033]0;owned\\007\\n'\nexit 3\n")
    program.chmod(0o700)
    code, _, err = said("blender-check", blend, "--blender", os.path.abspath(program))
    assert code == 1
    assert err.endswith("its output ends with: Error: \\x1b]0;owned\\x07\n")


def test_the_table_of_blender_check() -> None:
    rows = [Difference(f"Rig{TRAPS}\nok", "pose", 1e-7, 1e-6), Difference("Rig", "deform", None, None, why=JOINT)]
    text = table("5.0", rows)
    assert not OBEYED.findall(text)
    lines = text.splitlines()
    assert len(lines) == 8
    assert [line.index(word) for line, word in zip(lines[2:5], ("part", "pose", "deform"))] == [
        lines[2].index("part")
    ] * 3


@pytest.mark.parametrize(
    "arguments",
    [
        ["plant", FILE, "-o", "out.bvh", f"--{TRAPS}"],
        ["convert", "a.bvh", "b.bvh", FILE],
        ["check", FILE, "--up", TRAPS],
        ["check", FILE, "--ground", f"{TRAPS}.npy"],
        [TRAPS],
    ],
    ids=["an option", "one too many", "an axis", "a ground", "a command"],
)
def test_wrong_usage(arguments: list[str], said) -> None:
    code, out, err = said(*arguments)
    assert (code, out) == (2, "")
    assert "\\x1b]0;owned\\x07" in err


@pytest.mark.posix
@pytest.mark.parametrize("reason", ["is the clip itself", "a name that ends in"])
def test_names_that_do_not_go_together(clips: Path, said, reason: str) -> None:
    target = str(clips / FILE) if reason == "is the clip itself" else f"{FILE}.c3d"
    code, _, err = said("plant", str(clips / FILE), "-o", target)
    assert code == 2
    assert err.startswith(f"skelkin: {escaped(target)}")
    assert reason in err
    assert err.count("\n") == 1


@pytest.mark.posix
def test_a_report_in_python_spells_names_too(clips: Path) -> None:
    clip = sk.load(clips / FILE)
    legs = [sk.Leg(*map(clip.names.index, LEG.split(",")))]
    report = clip.plant_feet(legs=legs, contacts="always").report
    assert escaped(JOINT) in report.as_table()
    assert not OBEYED.findall(report.as_table())


def test_what_is_printed_in_any_script_stays_as_it_is() -> None:
    for name in ("夜 walk\N{IDEOGRAPHIC SPACE}é", "می\N{ZERO WIDTH NON-JOINER}خواهم", "a\\x1b", "\N{NO-BREAK SPACE}😀"):
        assert escaped(name) == name
    assert escaped(escaped(TRAPS)) == escaped(TRAPS)


def test_only_one_file_prints() -> None:
    """So that no name reaches a terminal another way: `progress` alone draws as well, and only numbers."""
    folder = Path(sk.__file__).parent / "cli"
    for path in sorted(folder.glob("*.py")):
        calls = [node.func for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)]
        printing = [
            ast.unparse(each)
            for each in calls
            if ast.unparse(each) in ("print", "sys.stdout.write", "sys.stderr.write")
        ]
        assert printing == [] or path.name == "printing.py", path.name


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["plnt", "a.bvh"], "skelkin: error: there is no command plnt: did you mean 'plant'?"),
        (["xyz"], "skelkin: error: there is no command xyz"),
        (
            ["info", "--skeletn", "a", "b.bvh"],
            "skelkin info: error: there is no option --skeletn: did you mean '--skeleton'",
        ),
        (
            ["info", "b.bvh", "--skeletn=a"],
            "skelkin info: error: there is no option --skeletn: did you mean '--skeleton'",
        ),
        (["help"], "skelkin: error: there is no command help: the commands are plant, check, info, view, convert"),
        (
            ["plant", "b.bvh", "-o", "c.bvh", "--reach", "strech"],
            "skelkin plant: error: argument --reach: strech must be soften, stretch or lower_pelvis; did you mean "
            "'stretch'",
        ),
        (["info", "b.bvh", "--quick"], "skelkin info: error: there is no option --quick: see skelkin info --help"),
        (
            ["check", "b.bvh", "--contacts", "alwaysx"],
            "skelkin check: error: argument --contacts: there is no mode, file or folder alwaysx: did you mean "
            "'always'?",
        ),
        (["convert", "a.bvh", "b.bvh", "c.bvh"], "skelkin convert: error: unexpected argument c.bvh"),
        (
            ["info", "HIERARCHY\nROOT Hips\n" + "0 " * 999],
            "skelkin info: error: argument CLIP: 'HIERARCHY\\nROOT Hips\\n0 0 0 0 0 0 0 0 0 0 …' is the text of a "
            "file: give the file's name",
        ),
    ],
)
def test_a_word_that_there_is_not_is_answered_with_what_is_like_it(arguments, words, capsys) -> None:
    with pytest.raises(SystemExit) as left:
        main(arguments)
    assert left.value.code == 2
    usage, said = capsys.readouterr().err.splitlines()
    assert usage.startswith("usage: skelkin ")
    assert said.startswith(words)


def test_only_blend_files_are_given_to_blender(tmp_path, capsys) -> None:
    (tmp_path / "a.bvh").write_text("")
    assert main(["blender-check", str(tmp_path / "a.bvh")]) == 2
    assert capsys.readouterr().err == f"skelkin: {tmp_path / 'a.bvh'}: give a file whose name ends in .blend\n"


@pytest.mark.parametrize("there", ["walk.bvh", "Walk.glb"])
def test_a_file_that_is_missing_is_answered_with_one_like_it(there: str, tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    Path(there).touch()
    assert main(["info", "wlak.bvh"]) == 1
    assert capsys.readouterr().err.endswith(f": did you mean '{there}'?\n")
    assert main(["info", "dance.bvh"]) == 1
    assert "did you mean" not in capsys.readouterr().err
