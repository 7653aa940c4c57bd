# SPDX-License-Identifier: MIT
"""A file is replaced as a whole or not at all, at whatever line the writing is interrupted."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from pathlib import Path

import pytest

from skelkin_py._support import atomic
from skelkin_py._support.atomic import remove_leftovers, replacing


def write(path: Path) -> None:
    with replacing(path) as file:
        file.write(b"new")


def interrupted_at(moment: int, path: Path) -> bool:
    """Raise what Ctrl-C raises at that line of writing; say whether writing took that long."""
    left = moment

    def tick(frame, event, argument):
        nonlocal left
        if event == "line" and frame.f_code.co_filename in (atomic.__file__, contextlib.__file__):
            left -= 1
            if left == 0:
                raise KeyboardInterrupt
        return tick

    before = sys.gettrace()
    sys.settrace(tick)
    try:
        write(path)
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
    return False


# Interrupted between the opening of a file and its block, Python closes it by itself, but not without a word.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("old", [None, b"old"], ids=["a new file", "a file that is there"])
def test_an_interruption_at_any_line_leaves_the_old_file_or_the_new_one(tmp_path: Path, old: bytes | None) -> None:
    path = tmp_path / "clip.bvh"
    seen = set()
    for moment in range(1, 1000):
        if old is None:
            path.unlink(missing_ok=True)
        else:
            path.write_bytes(old)
        if not interrupted_at(moment, path):
            break
        content = path.read_bytes() if path.exists() else None
        assert content in (old, b"new"), moment
        assert {entry.name for entry in tmp_path.iterdir()} <= {path.name}, moment
        seen.add(content)
    else:
        pytest.fail("writing never came to its end")
    assert path.read_bytes() == b"new"
    assert seen == {old, b"new"}


@pytest.mark.posix
def test_permissions_are_those_of_the_file_before_else_those_of_the_umask(tmp_path: Path) -> None:
    path = tmp_path / "clip.bvh"
    mask = os.umask(0o027)
    try:
        write(path)
    finally:
        os.umask(mask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    path.chmod(0o604)
    write(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o604


@pytest.mark.posix
def test_nobody_else_reads_a_file_that_is_not_finished(tmp_path: Path) -> None:
    with replacing(tmp_path / "clip.bvh"):
        (part,) = tmp_path.iterdir()
        assert stat.S_IMODE(part.stat().st_mode) == 0o600


def test_what_a_killed_process_left_is_removed_by_the_name_of_its_target(tmp_path: Path) -> None:
    with replacing(tmp_path / "clip.bvh"):
        (part,) = tmp_path.iterdir()
    part.touch()
    other = tmp_path / ".clip.npy.0123456789abcdef.part"
    other.touch()
    assert remove_leftovers([tmp_path / "clip.bvh"]) == [str(part)]
    assert sorted(tmp_path.iterdir()) == [other, tmp_path / "clip.bvh"]


@pytest.mark.posix
def test_a_link_stays_and_the_file_behind_it_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "behind").mkdir()
    link, target = tmp_path / "clip.bvh", tmp_path / "behind" / "walk.bvh"
    target.write_bytes(b"old")
    link.symlink_to(target)
    write(link)
    assert link.is_symlink()
    assert target.read_bytes() == b"new"


def test_an_error_names_the_target_and_not_the_temporary_file(tmp_path: Path) -> None:
    target = tmp_path / ("a" * 300)  # longer than names may be
    with pytest.raises(OSError, match="a" * 300) as caught, replacing(target) as file:
        file.write(b"new")
    assert caught.value.filename == str(target)
    assert ".part" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []
