# SPDX-License-Identifier: MIT
"""``--contacts FILE``: a report's contacts come back from the shell, edited or as they are, for one clip or a tree."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest
from system_words import told_of

import skelkin_py as sk
from skelkin_py.cli import main
from skelkin_py.cli.journal import NAME


def skelkin(*arguments: object) -> int:
    return main([str(argument) for argument in arguments])


def report_of(capsys, *arguments: object) -> dict:
    """Plant one clip and return its report as it is printed."""
    assert skelkin("plant", *arguments, "--json") == 0
    return json.loads(capsys.readouterr().out)


def written(path: Path, told: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(told), encoding="utf-8")
    return path


@pytest.fixture
def walk(make_walk, tmp_path: Path) -> Path:
    path = tmp_path / "walk.bvh"
    make_walk().clip.slice(0, 180).save(path)
    return path


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [[], ["--ground", "0"], ["--frames", "20", "120"], ["--reach", "stretch"], ["--contacts", "always"], ["--up", "y"]],
    ids=" ".join,
)
def test_contacts_of_a_report_give_the_same_file(walk: Path, tmp_path: Path, options: list[str], capsys) -> None:
    first, second = tmp_path / "first.bvh", tmp_path / "second.bvh"
    told = report_of(capsys, walk, "-o", first, *options)
    given = written(tmp_path / "r.json", told)
    again = report_of(capsys, walk, "-o", second, *options, "--contacts", given)
    assert first.read_bytes() == second.read_bytes() != walk.read_bytes()
    assert again["contacts"] == told["contacts"] != []


def test_contacts_of_a_captured_clip_give_the_same_file(data_dir: Path, tmp_path: Path, capsys) -> None:
    clip = data_dir / "bvh" / "cmu_12_01_walk.bvh"
    given = written(tmp_path / "r.json", report_of(capsys, clip, "-o", tmp_path / "first.bvh"))
    report_of(capsys, clip, "-o", tmp_path / "second.bvh", "--contacts", given)
    assert (tmp_path / "first.bvh").read_bytes() == (tmp_path / "second.bvh").read_bytes()


@pytest.mark.slow
def test_an_edited_contact_is_planted_as_in_python(walk: Path, tmp_path: Path, capsys) -> None:
    told = report_of(capsys, walk, "-o", tmp_path / "first.bvh")
    told["contacts"][1]["last_frame"] += 4
    del told["contacts"][3]
    spans: dict[str, list] = {"left": [], "right": []}
    for contact in told["contacts"]:
        spans[contact["leg"]].append((contact["first_frame"], contact["last_frame"]))
    sk.load(walk).plant_feet(contacts=spans).clip.save(tmp_path / "python.bvh")
    again = report_of(capsys, walk, "-o", tmp_path / "p.bvh", "--contacts", written(tmp_path / "r.json", told))
    assert (tmp_path / "p.bvh").read_bytes() == (tmp_path / "python.bvh").read_bytes()
    assert (tmp_path / "p.bvh").read_bytes() != (tmp_path / "first.bvh").read_bytes()
    assert {leg["name"]: [tuple(span) for span in leg["contacts"]] for leg in again["legs"]} == spans


@pytest.mark.slow
@pytest.mark.parametrize("edited", [False, True])
def test_heel_and_ball_are_given_apart(walk: Path, tmp_path: Path, edited: bool, capsys) -> None:
    told = report_of(capsys, walk, "-o", tmp_path / "first.bvh")
    told["legs"][0]["heel_contacts"][1][1] += 4 * edited
    parts = {leg["name"]: {"heel": leg["heel_contacts"], "ball": leg["ball_contacts"]} for leg in told["legs"]}
    sk.load(walk).plant_feet(contacts=parts).clip.save(tmp_path / "python.bvh")
    given = written(tmp_path / "r.json", {"contacts": parts})
    again = report_of(capsys, walk, "-o", tmp_path / "p.bvh", "--contacts", given)
    assert (tmp_path / "p.bvh").read_bytes() == (tmp_path / "python.bvh").read_bytes()
    assert ((tmp_path / "p.bvh").read_bytes() == (tmp_path / "first.bvh").read_bytes()) == (not edited)
    assert again["legs"][0]["heel_contacts"] == told["legs"][0]["heel_contacts"]


def test_a_leg_that_the_file_does_not_name_never_stands(walk: Path, tmp_path: Path, capsys) -> None:
    given = written(tmp_path / "r.json", {"contacts": {"right": [[10, 20]]}})
    told = report_of(capsys, walk, "-o", tmp_path / "p.bvh", "--contacts", given)
    assert [(contact["leg"], contact["first_frame"]) for contact in told["contacts"]] == [("right", 10)]


@pytest.mark.slow
def test_contacts_of_an_array_give_the_same_file(tmp_path: Path, capsys) -> None:
    clip = sk.example("biped").clip
    clip.slice(0, 3).save(tmp_path / "rig.bvh")
    np.save(tmp_path / "poses.npy", clip.local_matrices())
    base = [tmp_path / "poses.npy", "--skeleton", tmp_path / "rig.bvh", "-o"]
    given = written(tmp_path / "r.json", report_of(capsys, *base, tmp_path / "first.npy"))
    report_of(capsys, *base, tmp_path / "second.npy", "--contacts", given)
    assert (tmp_path / "first.npy").read_bytes() == (tmp_path / "second.npy").read_bytes()


def test_check_measures_in_the_contacts_that_are_given(walk: Path, tmp_path: Path, capsys) -> None:
    given = written(tmp_path / "r.json", {"contacts": {"left": [[10, 20]]}})
    assert skelkin("check", walk, "--contacts", given, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    report = sk.load(walk).plant_feet(contacts={"left": [(10, 20)]}).report
    assert told["num_contacts"] == 1
    assert told["slide"] == pytest.approx(report.worst("slide", "before") / report.leg_length)


@pytest.mark.parametrize("mode", ["ground_only", "ground-only", "GROUND-ONLY"])
def test_modes_are_taken_however_they_are_written(walk: Path, tmp_path: Path, mode: str, capsys) -> None:
    assert report_of(capsys, walk, "-o", tmp_path / "p.bvh", "--contacts", mode)["pinned"] is False


# ---- trees -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def tree(make_walk, tmp_path: Path) -> Path:
    """Two clips of different lengths, and a folder with their contacts."""
    clip = make_walk().clip
    for name, stop in (("a", 90), ("day 1/b", 120)):
        path = tmp_path / "clips" / f"{name}.bvh"
        path.parent.mkdir(parents=True, exist_ok=True)
        clip.slice(0, stop).save(path)
        written(
            tmp_path / "contacts" / f"{name}.json", {"num_frames": stop, "contacts": {"left": [[stop - 60, stop - 50]]}}
        )
    return tmp_path


def statuses(capsys, *arguments: object, code: int = 0) -> dict[str, str]:
    """Plant clips into out/ and return what became of each."""
    assert skelkin("plant", *arguments, "-o", "out", "--json", "--jobs", "1") == code
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    return {Path(line["clip"]).stem: line["status"] for line in lines if "status" in line}


@pytest.mark.slow
def test_each_clip_of_a_tree_has_its_own_contacts(tree: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tree)
    assert skelkin("plant", "clips", "-o", "out", "--contacts", "contacts", "--json", "--jobs", "2") == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()][:-1]
    first = {Path(line["clip"]).stem: [contact["first_frame"] for contact in line["contacts"]] for line in lines}
    assert first == {"a": [30], "b": [60]}
    sk.load("clips/day 1/b.bvh").plant_feet(contacts={"left": [(60, 70)]}).clip.save("python.bvh")
    assert Path("out/day 1/b.bvh").read_bytes() == Path("python.bvh").read_bytes()
    assert skelkin("check", "clips", "--contacts", "contacts", "--json") == 0
    assert [json.loads(line)["num_contacts"] for line in capsys.readouterr().out.splitlines()] == [1, 1]


def test_a_clip_without_its_contacts_fails_and_no_other(tree: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tree)
    os.remove("contacts/a.json")
    assert skelkin("plant", "clips", "-o", "out", "--contacts", "contacts", "--jobs", "1") == 1
    error = f"skelkin: {Path('clips/a.bvh')}: {Path('contacts/a.json')}: {told_of(os.stat, 'contacts/a.json')}\n"
    assert capsys.readouterr().err == error
    assert sorted(path.name for path in Path("out").rglob("*.bvh")) == ["b.bvh"]


def test_one_file_for_several_clips_is_refused(tree: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tree)
    for command in (["plant", "clips", "-o", "out"], ["check", "clips"]):
        assert skelkin(*command, "--contacts", "contacts/a.json") == 2
        error = capsys.readouterr().err
        assert error.startswith(
            "skelkin: --contacts contacts/a.json has the contacts of one clip, and there are 2 clips: "
        )
        assert error.count("\n") == 1
    assert not Path("out").exists()


@pytest.mark.slow
def test_a_clip_whose_contacts_have_changed_is_made_again(tree: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tree)
    command = ["clips", "--contacts", "contacts"]
    assert statuses(capsys, *command) == {"a": "planted", "b": "planted"}
    assert statuses(capsys, *command) == {"a": "skipped", "b": "skipped"}
    written(Path("contacts/a.json"), {"contacts": {"left": [[31, 45]]}})
    assert statuses(capsys, *command) == {"a": "planted", "b": "skipped"}
    os.rename("contacts", "others")
    assert statuses(capsys, "clips", "--contacts", "others") == {"a": "planted", "b": "planted"}
    assert statuses(capsys, "clips") == {"a": "planted", "b": "planted"}
    assert statuses(capsys, "clips", "--contacts", "others") == {"a": "planted", "b": "planted"}
    os.remove("others/day 1/b.json")
    assert statuses(capsys, "clips", "--contacts", "others", code=1) == {"a": "skipped", "b": "failed"}


def test_a_journal_moves_with_its_folders(tree: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tree)
    assert statuses(capsys, "clips", "--contacts", "contacts") == {"a": "planted", "b": "planted"}
    assert Path("out", NAME).is_file()
    os.mkdir("elsewhere")
    for name in ("clips", "contacts", "out"):
        os.rename(name, f"elsewhere/{name}")
    monkeypatch.chdir("elsewhere")
    assert statuses(capsys, "clips", "--contacts", "contacts") == {"a": "skipped", "b": "skipped"}


# ---- what cannot be read -------------------------------------------------------------------------------------------


def listed(**more: object) -> dict:
    return {"contacts": [{"leg": "left", "first_frame": 3, "last_frame": 9, **more}]}


WRONG = [
    ("[", ":1: not valid JSON: Expecting value at column 2"),
    ('{"contacts": []}\n{"contacts": []}', ":2: not valid JSON: Extra data at column 1"),
    ("[" * 100_000, ": not a file of contacts: its JSON is nested too deeply"),
    ('{"contacts": [], "contacts": []}', ": the key 'contacts' is twice in one object: remove one"),
    ('{"contacts": {"left": [[' + "1" * 5000 + ", 2]]}}", ": not valid JSON: Exceeds the limit"),
    ("[]", ": has no contacts: give a report that `skelkin plant --json` printed"),
    ({"summary": {}}, ": has no contacts"),
    (
        {**listed(), "num_frames": 7},
        ": num_frames is 7: the clip has 180 frames, so the contacts are those of another clip",
    ),
    (
        {"contacts": "always"},
        ": contacts is 'always': must be a list of contacts, or an object of legs and their spans",
    ),
    ({"contacts": [[3, 9]]}, ": contacts[0] is [3, 9]: must be an object with leg, first_frame and last_frame"),
    ({"contacts": [{"leg": "left", "first_frame": 3}]}, ": contacts[0] has no last_frame: "),
    (listed(leg="middle"), ": contacts[0]['leg'] is 'middle': there is no such leg, only left, right"),
    (listed(leg=["left"]), ": contacts[0]['leg'] is ['left']: there is no such leg"),
    (listed(last_frame=9.5), ": contacts[0] is [3, 9.5]: a span is (first, last), two whole frames"),
    (listed(first_frame=True), ": contacts[0] is [True, 9]: a span is (first, last), two whole frames"),
    (listed(last_frame=180), ": contacts[0] is (3, 180): 0 ≤ first ≤ last < 180 frames is needed"),
    (listed(first_frame=-1), ": contacts[0] is (-1, 9): 0 ≤ first ≤ last < 180 frames is needed"),
    (listed(last_frame=2), ": contacts[0] is (3, 2): 0 ≤ first ≤ last < 180 frames is needed"),
    (listed(heel=[[3, 5]]), ": contacts[0]['heel']: not a key of a contact"),
    ({"contacts": {"arm": []}}, ": contacts['arm']: there is no such leg, only left, right"),
    ({"contacts": {"left": 5}}, ": contacts['left'] is 5: a list of spans (first, last) is needed"),
    ({"contacts": {"left": [[0, 1], [2]]}}, ": contacts['left'][1] is [2]: a span is (first, last), two whole frames"),
    (
        {"contacts": {"left": [[0] * 1000]}},
        ": contacts['left'][0] is <list of 1000>: a span is (first, last), two whole",
    ),
    ({"contacts": {"left": {"toe": []}}}, ": contacts['left']['toe']: a foot has 'heel' and 'ball'"),
    ({"contacts": {"left": {"heel": [[5, 2]]}}}, ": contacts['left']['heel'][0] is (5, 2): 0 ≤ first ≤ last < 180"),
    ({"legs": [{"name": "left", "ball_contacts": [[0, 5]]}]}, ": has no contacts"),
]


@pytest.mark.parametrize(("told", "words"), WRONG, ids=[words for _, words in WRONG])
def test_what_is_wrong_in_a_file_is_named_by_key_index_and_value(walk: Path, tmp_path: Path, told, words, capsys):
    path = tmp_path / "r.json"
    path.write_text(told if isinstance(told, str) else json.dumps(told))
    assert skelkin("plant", walk, "-o", tmp_path / "p.bvh", "--contacts", path) == 1
    out, error = capsys.readouterr()
    assert out == ""
    assert error.startswith(f"skelkin: {walk}: {path}{words}")
    assert error.count("\n") == 1
    assert len(error) < 500
    assert not (tmp_path / "p.bvh").exists()


def test_a_file_in_another_encoding_is_named(walk: Path, tmp_path: Path, capsys) -> None:
    path = tmp_path / "r.json"
    path.write_bytes('{"contacts": [], "clip": "ä"}'.encode("latin-1"))
    assert skelkin("plant", walk, "-o", tmp_path / "p.bvh", "--contacts", path) == 1
    assert f"{path}: not valid JSON: it is not in UTF-8; save it as UTF-8" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("often", "the modes are auto, always, never, ground_only, cycle"),
        ("walk.bvh", "give a folder, or a file that ends in .json"),
    ],
)
def test_what_is_no_mode_and_no_file_is_wrong_usage(walk: Path, monkeypatch, given: str, words: str, capsys) -> None:
    monkeypatch.chdir(walk.parent)
    with pytest.raises(SystemExit, match="2"):
        skelkin("plant", walk, "-o", "p.bvh", "--contacts", given)
    assert words in capsys.readouterr().err
