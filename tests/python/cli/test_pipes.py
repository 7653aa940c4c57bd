# SPDX-License-Identifier: MIT
"""Pipes, sockets and devices where a file is read: refused by name at once; to open a pipe is to wait for a writer."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from planted_folders import files_below

import skelkin_py as sk

SAFE = ["-P"] if sys.version_info >= (3, 11) else []


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A clip and its arrays, and a pipe for each thing that is read."""
    clip = sk.example("biped").clip.slice(0, 40)
    clip.save(tmp_path / "a.bvh")
    np.save(tmp_path / "a.npy", clip.local_matrices())
    for name in ("pipe.bvh", "pipe.npy", "pipe.obj", "pipe.json", "pipe.blend"):
        os.mkfifo(tmp_path / name)
    return tmp_path


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command; the limit ends one that waits for a writer."""
    command = [sys.executable, *SAFE, "-m", "skelkin_py", *arguments]
    return subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=120, cwd=folder
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ["plant", "pipe.bvh", "-o", "out.bvh"],
        ["plant", "pipe.bvh", "-o", "out/"],
        ["plant", "pipe.npy", "--skeleton", "a.bvh", "-o", "out.npy"],
        ["plant", "pipe.npy", "--skeleton", "a.bvh", "-o", "out/", "--contacts", "always"],
        ["check", "pipe.bvh"],
        ["info", "pipe.bvh"],
        ["info", "pip*.bvh"],
        ["view", "pipe.bvh", "-o", "out.html"],
        ["view", "a.bvh", "--compare", "pipe.bvh", "-o", "out.html"],
        ["convert", "pipe.bvh", "out.bvh"],
        ["blender-check", "pipe.blend", "--blender", sys.executable],
        ["plant", "a.bvh", "-o", "out.bvh", "--ground", "pipe.npy"],
        ["check", "a.bvh", "--ground", "pipe.obj"],
        ["check", "a.bvh", "--contacts", "pipe.json"],
        ["plant", "a.npy", "--skeleton", "pipe.bvh", "-o", "out.npy"],
    ],
    ids=" ".join,
)
def test_a_pipe_is_refused_by_name(folder: Path, arguments: list[str]) -> None:
    (pipe,) = (each.replace("pip*", "pipe") for each in arguments if each.startswith("pip"))
    done = run(folder, *arguments)
    assert done.returncode == (2 if "usage" in done.stderr else 1)
    assert done.stderr.splitlines()[-1].endswith(f"{pipe} is a pipe: give a regular file")
    assert not list(folder.glob("out*.*"))


@pytest.mark.slow
def test_beside_clips_it_fails_alone(folder: Path) -> None:
    done = run(folder, "plant", ".", "-o", "out", "--jobs", "2")
    assert done.returncode == 1
    assert done.stderr == "skelkin: ./pipe.bvh is a pipe: give a regular file\n"
    assert files_below(folder / "out") == {"a.bvh"}


@pytest.mark.slow
def test_a_file_of_contacts_in_a_folder_of_them_may_be_one(folder: Path) -> None:
    (folder / "contacts").mkdir()
    os.mkfifo(folder / "contacts" / "a.json")
    done = run(folder, "check", "a.bvh", "--contacts", "contacts")
    assert done.returncode == 1
    assert "contacts/a.json is a pipe: give a regular file\n" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "words"), [("pipe", "a pipe"), ("device", "a device"), ("socket", "a socket")])
def test_a_link_to_one_is_refused_too(folder: Path, kind: str, words: str) -> None:
    os.mknod(folder / "socket", stat.S_IFSOCK | 0o600)
    (folder / "link.bvh").symlink_to({"device": "/dev/zero", "pipe": "pipe.bvh", "socket": "socket"}[kind])
    done = run(folder, "info", "link.bvh")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"skelkin: link.bvh is {words}: give a regular file\n"


@pytest.mark.slow
def test_a_link_to_a_clip_is_read(folder: Path) -> None:
    (folder / "link.bvh").symlink_to("a.bvh")
    done = run(folder, "info", "link.bvh")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["/dev/stdin", "-"])
def test_a_clip_does_not_come_from_standard_input(folder: Path, name: str) -> None:
    done = run(folder, "info", name)
    assert (done.returncode, done.stdout) == (1, "")
    assert name in done.stderr
    assert done.stderr.count("\n") == 1
