# SPDX-License-Identifier: MIT
"""The journal of a folder, damaged: lines that cannot be read are named and not counted, and their clips made again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import skelkin_py as sk
from skelkin_py.cli import main
from skelkin_py.cli.journal import NAME


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> list[str]:
    """The command that has planted two clips."""
    monkeypatch.chdir(tmp_path)
    Path("clips").mkdir()
    clip = sk.example("biped").clip.slice(0, 40)
    for name in ("a", "b"):
        clip.save(f"clips/{name}.bvh")
    command = ["plant", "clips", "-o", "out", "--jobs", "1"]
    assert main(command) == 0
    capsys.readouterr()
    return command


def lines() -> list[str]:
    return Path("out", NAME).read_text(encoding="utf-8").splitlines()


def of_figures(**changed: object) -> str:
    """Return the second line with other figures; those that are None are left out."""
    line = json.loads(lines()[1])
    line["figures"] = {key: value for key, value in {**line["figures"], **changed}.items() if value is not None}
    return json.dumps(line)


BROKEN = {
    "nested": (lambda: "[" * 100_000, "the JSON is nested too deeply"),
    "nested in a line": (
        lambda: '{"output": "b.bvh", "figures": ' + '{"a":' * 100_000,
        "the JSON is nested too deeply",
    ),
    "digits": (lambda: lines()[1].replace('"num_frames": 40', f'"num_frames": {"9" * 5000}'), "not valid JSON"),
    "no JSON": (lambda: "\x1b]0;owned\x07", "not valid JSON"),
    "empty": (lambda: "", "not valid JSON"),
    "no object": (lambda: '"b.bvh"', "no output and figures of a clip"),
    "no figures": (lambda: '{"output": "b.bvh"}', "no output and figures of a clip"),
    "no name": (lambda: '{"output": ["b.bvh"], "figures": {}}', "no output and figures of a clip"),
    "a figure too few": (lambda: of_figures(num_contacts=None), "no output and figures of a clip"),
    "no number": (lambda: of_figures(slide_mean_cm={"before": float("nan"), "after": 0}), "no output and"),
    "a large number": (lambda: of_figures(num_frames=10**400), "no output and figures of a clip"),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", BROKEN)
def test_a_line_that_cannot_be_read_is_named_and_not_counted(command: list[str], kind: str, capsys) -> None:
    make, reason = BROKEN[kind]
    Path("out", NAME).write_text("\n".join([lines()[0], make(), ""]), encoding="utf-8")
    assert main(command) == 0
    out, err = capsys.readouterr()
    assert err.startswith(f"skelkin: out/{NAME}:2: {reason}")
    assert err.count("\n") == 1
    assert "planted 1, 1 already finished" in out
    assert json.loads(lines()[-1])["output"] == "b.bvh"
    assert main(command) == 0
    assert "planted 0, 2 already finished" in capsys.readouterr().out


def test_what_was_cut_off_is_taken_away_without_a_word(command: list[str], capsys) -> None:
    """As a run leaves it that was killed while it wrote."""
    for cut, counts in ((-30, "planted 1, 1 already finished"), (-1, "planted 0, 2 already finished")):
        Path("out", NAME).write_bytes(Path("out", NAME).read_bytes()[:cut])
        assert main(command) == 0
        out, err = capsys.readouterr()
        assert err == ""
        assert counts in out
        assert [json.loads(line)["output"] for line in lines()] == ["a.bvh", "b.bvh"]
