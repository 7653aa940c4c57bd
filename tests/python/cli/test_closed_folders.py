# SPDX-License-Identifier: MIT
"""Folders that cannot be looked into: they are named, the clips elsewhere are done, and the exit code is 1."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from no_privileges import without_privileges
from planted_folders import files_below

import skelkin_py as sk

SAFE = ["-P"] if sys.version_info >= (3, 11) else []
CLOSED = {"locked": 0o000, "names only": 0o444, "ways only": 0o111}
ERRORS = [f"skelkin: clips/{name}: Permission denied" for name in CLOSED]


@pytest.fixture
def clips(tmp_path: Path) -> Iterator[Path]:
    """A folder with two clips in a tree, and beside them folders with clips of which nothing can be known."""
    folder = tmp_path / "clips"
    clip = sk.example("biped").clip.slice(0, 40)
    for name in ("a.bvh", *(f"{each}/deep/hidden.bvh" for each in CLOSED), "zoo/b.bvh"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        clip.save(folder / name)
    for name, mode in CLOSED.items():
        (folder / name).chmod(mode)
    yield folder
    for name in CLOSED:
        (folder / name).chmod(0o700)


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = without_privileges([sys.executable, *SAFE, "-m", "skelkin_py", *arguments])
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, cwd=folder)


@pytest.mark.slow
@pytest.mark.parametrize("named", ["clips", "clips/", "clips/**/*.bvh", "cl*/**", "clips/*"])
def test_plant_does_the_other_clips_and_names_the_folders(clips: Path, tmp_path: Path, named: str) -> None:
    done = run(tmp_path, "plant", named, "-o", "out", "--jobs", "2")
    assert done.returncode == 1
    assert sorted(done.stderr.splitlines()) == ERRORS
    names = {"a.bvh", "zoo/b.bvh"}
    assert files_below(tmp_path / "out") == ({f"clips/{name}" for name in names} if named == "cl*/**" else names)
    assert "planted 2, 3 failed" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("command", ["check", "info"])
def test_other_commands_go_on_too(clips: Path, tmp_path: Path, command: str) -> None:
    done = run(tmp_path, command, "clips", "--json")
    assert done.returncode == 1
    assert sorted(done.stderr.splitlines()) == ERRORS
    told = {line["clip"]: line.get("error") for line in map(json.loads, done.stdout.splitlines())}
    assert {name for name, error in told.items() if error is None} == {"clips/a.bvh", "clips/zoo/b.bvh"}
    if command == "check":
        assert {name: error for name, error in told.items() if error} == dict.fromkeys(
            (f"clips/{name}" for name in CLOSED), "Permission denied"
        )


@pytest.mark.slow
def test_a_gate_does_not_pass_what_it_has_not_seen(clips: Path, tmp_path: Path) -> None:
    done = run(tmp_path, "check", "clips/*/*.bvh", "--max-slide", "100")
    assert done.returncode == 1
    assert "1 of 4 passed, 3 failed" in done.stdout


@pytest.mark.slow
def test_plant_as_json_tells_of_them(clips: Path, tmp_path: Path) -> None:
    *lines, last = map(json.loads, run(tmp_path, "plant", "clips", "-o", "out", "--json").stdout.splitlines())
    failed = {line["clip"]: line["error"] for line in lines if line["status"] == "failed"}
    assert failed == {f"clips/{name}": "Permission denied" for name in CLOSED}
    assert (last["summary"]["planted"], last["summary"]["failed"]) == (2, 3)


@pytest.mark.slow
def test_the_folder_that_is_named_may_be_one(clips: Path, tmp_path: Path) -> None:
    done = run(tmp_path, "check", "clips/locked", "clips/zoo")
    assert done.returncode == 1
    assert done.stderr.splitlines() == ERRORS[:1]
    assert "1 of 2 passed, 1 failed" in done.stdout


@pytest.mark.slow
def test_a_link_that_leads_into_one_is_named_and_one_that_leads_nowhere_is_no_clip(clips: Path, tmp_path: Path) -> None:
    (clips / "zoo" / "there.bvh").symlink_to(clips / "locked" / "deep" / "hidden.bvh")
    (clips / "zoo" / "nowhere.bvh").symlink_to("none.bvh")
    (clips / "zoo" / "itself.bvh").symlink_to("itself.bvh")
    done = run(tmp_path, "info", "clips/zoo")
    assert done.returncode == 1
    assert done.stderr.splitlines() == ["skelkin: clips/zoo/there.bvh: Permission denied"]


@pytest.mark.slow
def test_a_closed_folder_of_results_fails_its_clips_alone(clips: Path, tmp_path: Path) -> None:
    closed = tmp_path / "out" / "zoo"
    closed.mkdir(parents=True)
    closed.chmod(0)
    done = run(tmp_path, "plant", "clips/[az]*", "-o", "out", "--jobs", "1")
    closed.chmod(0o700)
    assert done.returncode == 1
    assert done.stderr.startswith("skelkin: clips/zoo/b.bvh: ")
    assert "Permission denied" in done.stderr
    assert done.stderr.count("\n") == 1
    assert files_below(tmp_path / "out") == {"a.bvh"}


@pytest.mark.slow
def test_contacts_of_one_clip_are_for_the_clip_that_can_be_read(clips: Path, tmp_path: Path) -> None:
    (tmp_path / "contacts.json").write_text('{"contacts": {}}')
    (clips / "a.bvh").unlink()
    done = run(tmp_path, "check", "clips", "--contacts", "contacts.json")
    assert done.returncode == 1
    assert sorted(done.stderr.splitlines()) == ERRORS
