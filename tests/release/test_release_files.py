# SPDX-License-Identifier: MIT
"""The files of a release: systems and names, the same bytes from the same sources, pins with their hashes."""

from __future__ import annotations

import io
import re
import sys
import tarfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "release"))
import notes  # noqa: E402
import project  # noqa: E402
import same_bytes  # noqa: E402
import systems  # noqa: E402

WHEELS = {
    "manylinux2014_x86_64.manylinux_2_17_x86_64": "Linux x64",
    "manylinux_2_28_aarch64": "Linux ARM64",
    "musllinux_1_2_x86_64": "Linux x64, musl",
    "musllinux_1_2_aarch64": "Linux ARM64, musl",
    "win_amd64": "Windows x64",
    "macosx_11_0_arm64": "macOS ARM64",
    "macosx_11_0_x86_64": "macOS x64",
}
OTHERS = [
    "linux_x86_64",
    "win_arm64",
    "win32",
    "manylinux_2_17_i686",
    "macosx_11_0_universal2",
    "manylinux_2_31_armv7l",
]
PINNED = sorted((ROOT / "requirements" / "hashed").glob("*.txt"))


@pytest.mark.parametrize("python", systems.PYTHONS)
def test_each_wheel_belongs_to_one_system(python: str) -> None:
    names = {f"skelkin_py-1.2.3-{python}-{tag}.whl": name for tag, name in WHEELS.items()}
    for wheel, name in names.items():
        assert [system.name for system in systems.SYSTEMS if systems.is_for(wheel, system, python)] == [name]
        assert not any(systems.is_for(wheel, system, "cp39-abi3") for system in systems.SYSTEMS)
    assert {system.name for system in systems.SYSTEMS} == set(names.values())


@pytest.mark.parametrize("tag", OTHERS)
def test_the_wheel_of_another_system_belongs_to_none(tag: str) -> None:
    assert not any(systems.is_for(f"skelkin_py-1.2.3-cp310-abi3-{tag}.whl", system) for system in systems.SYSTEMS)


def test_two_wheels_of_one_system_are_refused() -> None:
    both = [Path(f"skelkin_py-{number}-cp310-abi3-win_amd64.whl") for number in ("1.2.3", "1.2.4")]
    with pytest.raises(SystemExit, match="two wheels for Windows x64"):
        systems.wheel_of(both, systems.SYSTEMS[4])


def sdist(path: Path, order: int, time: int, owner: str) -> None:
    """Write an archive of two files, as one machine or another would."""
    with tarfile.open(path, "w:gz") as archive:
        for name in ["a/one", "a/two"][::order]:
            entry = tarfile.TarInfo(name)
            entry.size, entry.mtime, entry.uname, entry.mode = 3, time, owner, 0o664 if owner else 0o600
            archive.addfile(entry, io.BytesIO(name[-3:].encode()))


def test_an_sdist_of_the_same_files_is_the_same_bytes_on_every_machine(tmp_path: Path) -> None:
    paths = [tmp_path / "one.tar.gz", tmp_path / "another.tar.gz"]
    sdist(paths[0], 1, 1_700_000_000, "somebody")
    sdist(paths[1], -1, 1_800_000_000, "")
    assert paths[0].read_bytes() != paths[1].read_bytes()
    for path in paths:
        same_bytes.main(path, 1_600_000_000)
    assert paths[0].read_bytes() == paths[1].read_bytes()
    with tarfile.open(paths[0]) as archive:
        assert {entry.name: entry.mtime for entry in archive} == dict.fromkeys(["a/one", "a/two"], 1_600_000_000)
        stream = archive.extractfile("a/two")
        assert stream is not None
        assert stream.read() == b"two"


def test_the_notes_say_which_file_is_for_whom_and_what_was_tested() -> None:
    text, number = notes.text(), project.version()
    rows = [line for line in text.splitlines() if line.startswith("| ") and "your system" not in line]
    assert [row.split(" | ")[0][2:] for row in rows] == [system.name for system in systems.SYSTEMS]
    for system, row in zip(systems.SYSTEMS, rows, strict=True):
        assert (f"`skelkin-{number}-{system.blender}.zip`" in row) == (system.blender is not None)
    assert "nothing" in rows[3]  # which nobody has run anything on


@pytest.mark.parametrize("path", PINNED, ids=lambda path: path.stem)
def test_every_pin_is_kept_with_a_hash_for_each_package(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    head = re.match(r"# Made by `make pins` from: (.*)\n", text)
    assert head
    kept = re.findall(r"^([\w.-]+)==([\w.]+)", text, flags=re.MULTILINE)
    for entry in re.split(r"\n(?=[\w.-]+==)", text)[1:]:
        assert "--hash=sha256:" in entry, entry
    asked = set()
    files = head[1].split()
    while files:
        for line in (ROOT / "requirements" / files.pop()).read_text(encoding="utf-8").splitlines():
            if 'python_version < "3.11"' in line and "python_full_version < '3.11'" not in text:
                continue  # of an environment that has newer Pythons alone
            if line.startswith("-r "):
                files.append(line[3:])
            elif found := re.match(r"([\w.-]+)==([\w.]+)", line):
                asked.add(found.groups())
    assert asked <= set(kept), "run `make pins`"


def test_links_of_the_news_lead_to_the_files_of_the_tag() -> None:
    news = "[here](docs/a.md#b), [there](https://example.com/c)"
    assert notes.linked(news, "https://example.org/x", "1.2.3") == (
        "[here](https://example.org/x/blob/v1.2.3/docs/a.md#b), [there](https://example.com/c)"
    )
    assert notes.linked(news, "", "1.2.3") == "here, [there](https://example.com/c)"
