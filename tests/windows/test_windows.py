# SPDX-License-Identifier: MIT
"""What is otherwise on Windows: consoles, Ctrl-C, drives, files that are open elsewhere (`make test-windows`)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import skelkin_py as sk
from skelkin_py._support.atomic import replacing
from skelkin_py.cli import main, workers
from skelkin_py.cli.journal import NAME, Journal

COMMAND = [sys.executable, "-m", "skelkin_py"]
LONG = "x" * 120
# Runs the command of its arguments in a console, to which it sends Ctrl-C once the file named first has content.
SENDER = """
import ctypes, os, subprocess, sys, time
journal, *command = sys.argv[1:]
kernel = ctypes.windll.kernel32
kernel.SetConsoleCtrlHandler(None, False)  # the command is to hear it
run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
kernel.SetConsoleCtrlHandler(None, True)
limit = time.monotonic() + 100
while not (os.path.exists(journal) and os.path.getsize(journal)):
    assert run.poll() is None and time.monotonic() < limit, run.communicate()
    time.sleep(0.01)
assert kernel.GenerateConsoleCtrlEvent(0, 0)
try:
    printed, errors = run.communicate(timeout=100)
finally:
    run.kill()
sys.stdout.buffer.write(printed)
sys.stderr.buffer.write(errors)
sys.exit(run.returncode)
"""


@pytest.fixture
def walk(tmp_path: Path) -> Path:
    """A clip whose name is in two scripts and has a blank."""
    path = tmp_path / "Gänge 歩" / "a walk.bvh"
    path.parent.mkdir()
    sk.example("biped").clip[:90].save(path)
    return path


@pytest.fixture
def other_drive() -> Iterator[Path]:
    """A folder that is not on the drive of the temporary ones."""
    folder = Path(tempfile.mkdtemp(dir="Z:/tmp"))
    assert folder.drive != Path(tempfile.gettempdir()).drive
    yield folder
    os.chdir(folder.anchor)
    for path in sorted(folder.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    folder.rmdir()


def test_ctrl_c_leaves_nothing_half_written_and_the_next_run_finishes(walk: Path, tmp_path: Path, capsys) -> None:
    clips, out = tmp_path / "clips", tmp_path / "out"
    clips.mkdir()
    names = {f"{number:02d}.bvh" for number in range(40)}
    for name in names:
        (clips / name).write_bytes(walk.read_bytes())
    command = [*COMMAND, "plant", str(clips), "-o", str(out), "--jobs", "2"]
    run = subprocess.run(
        [sys.executable, "-c", SENDER, str(out / NAME), *command],
        creationflags=subprocess.CREATE_NO_WINDOW, capture_output=True, text=True, timeout=200,
    )  # fmt: skip
    assert (run.returncode, run.stdout) == (130, ""), run.stderr
    assert run.stderr.startswith("skelkin: interrupted: "), run.stderr
    assert len(run.stderr.splitlines()) == 1
    there = {path.name for path in out.iterdir()} - {NAME}
    assert there < names
    assert main(["plant", str(clips), "-o", str(out), "--jobs", "2"]) == 0
    assert {path.name for path in out.iterdir()} - {NAME} == names
    assert len({(out / name).read_bytes() for name in names}) == 1
    capsys.readouterr()


@pytest.mark.timeout(60)
def test_a_process_that_has_just_ended_is_not_waited_for_when_all_are_stopped() -> None:
    started: list[workers._Worker] = []
    for _ in range(2):
        workers._start_worker(float, started)
    for worker in started:
        worker.connection.send("2")
        assert worker.connection.recv() == (2.0, "")  # it listens for being stopped
    started[0].process.kill()
    started[0].process.join()
    workers._stop_workers(started, at_once=True)
    assert not any(worker.process.is_alive() for worker in started)


def test_a_second_run_in_a_folder_is_told_of_the_first(walk: Path, tmp_path: Path, capsys) -> None:
    out = tmp_path / "out"
    out.mkdir()
    with Journal(str(out), {}):
        command = [*COMMAND, "plant", str(walk.parent), "-o", str(out), "--jobs", "1"]
        run = subprocess.run(command, capture_output=True, text=True, encoding="cp1252", timeout=200)
        assert run.returncode == 1
        assert run.stderr == f"skelkin: {out}: another run is writing to this folder: wait for it, or stop it\n"
    assert main(["plant", str(walk.parent), "-o", str(out), "--jobs", "1"]) == 0
    capsys.readouterr()


def test_a_result_that_is_open_elsewhere_stays_and_is_named(walk: Path, tmp_path: Path, capsys) -> None:
    target = tmp_path / "out.bvh"
    target.write_bytes(b"old")
    with target.open("rb") as reader:
        assert main(["plant", str(walk), "-o", str(target)]) == 1
        assert f"{target}: it cannot be replaced: close it where it is open" in capsys.readouterr().err
        assert reader.read() == b"old"
    assert not list(tmp_path.glob(".*"))
    assert main(["plant", str(walk), "-o", str(target)]) == 0
    capsys.readouterr()


def test_a_result_that_is_open_for_a_moment_is_waited_for(tmp_path: Path) -> None:
    target = tmp_path / "note.txt"
    target.write_bytes(b"old")
    held = target.open("rb")
    closing = threading.Timer(0.15, held.close)
    with replacing(target) as file:
        file.write(b"new")
        closing.start()
    assert held.closed
    assert target.read_bytes() == b"new"


def test_clips_and_results_may_be_on_different_drives(walk: Path, other_drive: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(walk.parent)
    for source in (str(walk.parent), "*.bvh"):
        out = other_drive / "deep" / f"out {len(source)}"
        assert main(["plant", source, "-o", str(out), "--jobs", "1"]) == 0
        assert sk.load(out / walk.name).num_frames == 90
        assert main(["plant", source, "-o", str(out), "--jobs", "1"]) == 0
        assert "1 already finished" in capsys.readouterr().out
    monkeypatch.chdir(other_drive)
    assert main(["check", str(walk.parent)]) == 0
    assert walk.name in capsys.readouterr().out
    name = f"{walk.drive}{os.path.basename(walk)}"  # in the folder that is current on that drive
    os.chdir(walk.parent)
    os.chdir(other_drive)
    assert sk.load(name).num_frames == 90


def test_paths_may_be_longer_than_260_characters(walk: Path, tmp_path: Path, capsys) -> None:
    """What is read; writing asks for the real name of a folder, which wine does not tell of so long a one."""
    folder = Path(rf"\\?\{tmp_path}") / LONG / LONG / LONG
    folder.mkdir(parents=True)
    target = folder / walk.name
    target.write_bytes(walk.read_bytes())
    assert len(str(target)) > 400
    assert sk.load(target).num_frames == 90
    assert main(["info", str(target)]) == 0
    capsys.readouterr()


def test_names_of_devices_lead_to_the_same_files(walk: Path, tmp_path: Path, capsys) -> None:
    device = Path(rf"\\?\{tmp_path}")
    for number, source in enumerate((device / walk.parent.name, device / walk.parent.name / "*.bvh")):
        out = device / f"out {number}"
        assert main(["plant", str(source), "-o", str(out), "--jobs", "1"]) == 0
        assert sk.load(out / walk.name).num_frames == 90
    capsys.readouterr()


def test_what_a_console_of_another_encoding_gets_as_json_can_be_read_again(walk: Path, tmp_path: Path) -> None:
    told = tmp_path / "told.json"
    environment = {**os.environ, "PYTHONIOENCODING": "cp1252"}
    command = [*COMMAND, "plant", str(walk), "-o", str(tmp_path / "out.bvh"), "--json"]
    with told.open("wb") as file:
        subprocess.run(command, check=True, stdout=file, env=environment, timeout=200)
    report = json.loads(told.read_text(encoding="utf-8"))
    assert report["contacts"]
    again = subprocess.run(
        [*command, "--contacts", str(told)], check=True, capture_output=True, env=environment, timeout=200
    )
    assert json.loads(again.stdout)["contacts"] == report["contacts"]


@pytest.mark.parametrize("encoding", ["cp1252", "utf-8"])
def test_a_name_that_a_console_has_no_letters_for_is_no_error(walk: Path, encoding: str) -> None:
    command = [*COMMAND, "info", str(walk)]
    done = subprocess.run(command, capture_output=True, env={**os.environ, "PYTHONIOENCODING": encoding}, timeout=200)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "a walk.bvh" in done.stdout.decode(encoding)


def test_a_name_that_windows_does_not_take_is_told_before_anything_is_written(
    walk: Path, tmp_path: Path, capsys
) -> None:
    for clip, page in (("out.bvh", "what?.html"), ("what?.bvh", "page.html")):
        assert main(["plant", str(walk), "-o", str(tmp_path / clip), "--html", str(tmp_path / page)]) == 1
        assert "what?" in capsys.readouterr().err
        assert list(tmp_path.iterdir()) == [walk.parent]


def test_files_have_no_carriage_returns(walk: Path, tmp_path: Path, capsys) -> None:
    page = tmp_path / "page.html"
    assert main(["plant", str(walk), "-o", str(tmp_path / "out.bvh"), "--html", str(page)]) == 0
    for path in (walk, tmp_path / "out.bvh", page):
        assert b"\r\n" not in path.read_bytes()
    capsys.readouterr()
