# SPDX-License-Identifier: MIT
"""Completion in real shells, and the man page."""

from __future__ import annotations

import os
import re
import select
import shutil
import subprocess
from pathlib import Path

import pytest

from skelkin_py.cli import main
from skelkin_py.cli.entry import whole_parser

pytestmark = [pytest.mark.posix, pytest.mark.slow]

# What is typed before Tab is pressed, and the arguments that skelkin then gets.
TYPED = [
    ("ch", "check"),
    ("blender", "blender-check"),
    ("plant --output p.bvh --rea", "plant --output p.bvh --reach"),
    ("plant walk.bvh --reach lo", "plant walk.bvh --reach lower_pelvis"),
    ("plant walk.bvh --reach=lo", "plant walk.bvh --reach=lower_pelvis"),
    ("check --contacts gr", "check --contacts ground_only"),
    ("check --contacts fi", "check --contacts fine.json"),
    ("view --arr", "view --arrange"),
    ("info wa", "info walk.bvh"),
    ("convert walk.bvh wa", "convert walk.bvh walk.bvh"),
    ("completion f", "completion fish"),
]
START = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], "PS1=; source ./script"),
    "zsh": (["zsh", "-f", "-i"], "PROMPT=; RPROMPT=; autoload -U compinit; compinit -u -D; source ./script"),
}


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], require):
    """Write the script of a shell into a folder with two files; `skelkin` itself is never run."""
    monkeypatch.chdir(tmp_path)
    for name in ("walk.bvh", "fine.json"):
        Path(name).touch()

    def write(shell: str) -> Path:
        require(shutil.which(shell) is not None, f"{shell} is not installed")
        assert main(["completion", shell]) == 0
        path = tmp_path / "script"
        path.write_text(capsys.readouterr().out, encoding="utf-8")
        return path

    return write


@pytest.mark.parametrize("shell", sorted(START))
def test_tab_completes_what_is_typed(shell: str, script) -> None:
    script(shell)
    command, setup = START[shell]
    import pty  # which Windows has not

    process, terminal = pty.fork()
    if process == 0:
        os.execvpe(command[0], command, {**os.environ, "TERM": "vt100", "HOME": os.getcwd(), "LC_ALL": "C"})
    try:
        _type(terminal, f"{setup}\n echo 'ready'\n", "^ready$")
        _type(terminal, 'skelkin() { echo "<$*>"; }\n', "")
        said = []
        for typed, _ in TYPED:
            _type(terminal, f"skelkin {typed}", f"{re.escape(typed)}$")
            _type(terminal, "\t", ".")  # alone: with more behind it, it would be text that is pasted
            said += re.findall(r"^<(.*)>$", _type(terminal, "\n", "^<.*>$"), re.MULTILINE)
    finally:
        os.close(terminal)
        os.waitpid(process, 0)
    assert [" ".join(each.split()).removesuffix("=") for each in said] == [meant for _, meant in TYPED]


def _type(terminal: int, keys: str, shown: str) -> str:
    """Press keys and return what the terminal shows, up to what a pattern matches, and until it is quiet."""
    os.write(terminal, keys.encode())
    said = ""
    while (waiting := not re.search(shown, said, re.MULTILINE)) or select.select([terminal], [], [], 0.1)[0]:
        assert not waiting or select.select([terminal], [], [], 60)[0], said
        said = re.sub(r"\x1b\[[?\d;]*\w|[\r\0]", "", said + os.read(terminal, 65536).decode(errors="replace"))
    return said


@pytest.mark.parametrize(("typed", "meant"), TYPED)
def test_fish_completes_what_is_typed(typed: str, meant: str, script) -> None:
    path = script("fish")
    done = subprocess.run(
        ["fish", "--no-config", "-c", f"source {path}; complete -C 'skelkin {typed}'"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "HOME": str(path.parent)},
    )
    words = [line.split("\t")[0] for line in done.stdout.splitlines()]
    assert words == [meant.split()[-1]]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts_are_read_without_an_error_and_know_every_option(shell: str, script) -> None:
    path = script(shell)
    done = subprocess.run([shell, "-n", str(path)], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    text = path.read_text(encoding="utf-8")
    for flag in _flags():
        assert (f" -l {flag[2:]} " if shell == "fish" else flag) in text


def test_the_man_page_has_every_option_and_is_rendered_without_a_warning(tmp_path: Path, capsys, require) -> None:
    require(shutil.which("man") is not None, "man is not installed")
    assert main(["manual"]) == 0
    path = tmp_path / "skelkin.1"
    path.write_text(capsys.readouterr().out, encoding="utf-8")
    done = subprocess.run(
        ["man", "--warnings", "-l", str(path)],
        capture_output=True,
        encoding="utf-8",
        check=True,
        env={**os.environ, "MANWIDTH": "400", "LC_ALL": "C.UTF-8", "MAN_KEEP_FORMATTING": ""},
    )
    assert done.stderr == ""
    shown = re.sub(r".\x08|\x1b\[[\d;]*m", "", done.stdout)
    for flag in _flags():
        assert re.search(rf"^ +(-\w, |--[\w-]+, )?{flag}\b", shown, re.MULTILINE)


def _flags() -> set[str]:
    """Return all options of all commands."""
    _, commands = whole_parser()
    flags = {flag for each in commands.values() for action in each._actions for flag in action.option_strings}
    return {flag for flag in flags if flag.startswith("--")}
