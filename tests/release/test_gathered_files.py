# SPDX-License-Identifier: MIT
"""A release is whole, or says what it lacks; what is wrong with a file of it is told. Wheels are stand-ins."""

from __future__ import annotations

import io
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "release"))
import files  # noqa: E402
import project  # noqa: E402
import systems  # noqa: E402

NUMBER = project.version()
METADATA = f"Metadata-Version: 2.4\nName: skelkin-py\nVersion: {NUMBER}\nLicense-Expression: MIT\n\nWords\n"
TAGS = {
    "Linux x64": "manylinux_2_28_x86_64",
    "Linux ARM64": "manylinux_2_28_aarch64",
    "Linux x64, musl": "musllinux_1_2_x86_64",
    "Linux ARM64, musl": "musllinux_1_2_aarch64",
    "Windows x64": "win_amd64",
    "macOS ARM64": "macosx_11_0_arm64",
    "macOS x64": "macosx_11_0_x86_64",
}


def add_wheel(folder: Path, python: str, tag: str, metadata: str = METADATA) -> Path:
    path = folder / f"skelkin_py-{NUMBER}-{python}-{tag}.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr("skelkin_py/_core.abi3.so", "compiled")
        wheel.writestr(f"skelkin_py-{NUMBER}.dist-info/METADATA", metadata)
        wheel.writestr(f"skelkin_py-{NUMBER}.dist-info/licenses/LICENSE", "MIT")
    return path


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """A folder with the sdist, the wheels of all systems, and the site."""
    built = tmp_path / "built"
    (built / "site" / "docs").mkdir(parents=True)
    for name in ("index.html", "docs/page.html"):
        (built / "site" / name).write_text("<p>", encoding="utf-8")
    for tag in TAGS.values():
        for python in systems.PYTHONS:
            add_wheel(built, python, tag)
    with tarfile.open(built / f"skelkin_py-{NUMBER}.tar.gz", "w:gz") as archive:
        entry = tarfile.TarInfo(f"skelkin_py-{NUMBER}/PKG-INFO")
        entry.size = len(METADATA)
        archive.addfile(entry, io.BytesIO(METADATA.encode()))
    return built


def gathered(built: Path) -> Path:
    release = built.parent / "release"
    files.gather(built, release, built / "site")
    return release


def test_all_wheels_make_a_whole_release_with_which_nothing_is_wrong(built: Path) -> None:
    release = gathered(built)
    assert files.lacking(release) == []
    assert files.complaints(release) == []
    zips = {path.name for path in (release / "blender").iterdir()}
    kinds = [f"{kind}{each.blender}" for each in systems.SYSTEMS if each.blender for kind in ("", "legacy-")]
    assert zips == {f"skelkin-{NUMBER}-{kind}.zip" for kind in kinds}
    assert len((release / "SHA256SUMS").read_text().splitlines()) == 1 + 2 * len(TAGS) + len(zips) + 1


@pytest.mark.parametrize("system", systems.SYSTEMS, ids=lambda system: system.name)
def test_a_wheel_that_is_not_there_is_told_with_what_is_made_of_it(built: Path, system: systems.System) -> None:
    next(built.glob(f"*-cp310-abi3-{TAGS[system.name]}.whl")).unlink()
    told = files.lacking(gathered(built))
    zips = [f"skelkin-{NUMBER}{kind}-{system.blender}.zip" for kind in ("", "-legacy")] if system.blender else []
    assert told == [f"the wheel cp310-abi3 for {system.name}", *zips]


@pytest.mark.parametrize(
    ("metadata", "python", "tag", "said"),
    [
        (METADATA.replace("MIT", "GPL-3.0-only"), "cp310-abi3", "win_amd64", "states"),
        (METADATA.replace(f"Version: {NUMBER}", "Version: 9.9.9"), "cp310-abi3", "win_amd64", "9.9.9"),
        (METADATA, "cp310-abi3", "win_arm64", "is for a system that is in no list"),
    ],
)
def test_what_is_wrong_with_a_wheel_is_told(built: Path, metadata: str, python: str, tag: str, said: str) -> None:
    path = add_wheel(built, python, tag, metadata)
    (told,) = files.complaints(gathered(built))
    assert path.name in told
    assert said in told


def test_a_file_that_changes_after_its_checksum_is_told(built: Path) -> None:
    release = gathered(built)
    with next((release / "packages").glob("*.tar.gz")).open("ab") as file:
        file.write(b"more")
    assert "SHA256SUMS is of other files" in files.complaints(release)


def test_two_wheels_for_one_system_are_refused(built: Path) -> None:
    add_wheel(built, "cp310-abi3", "manylinux_2_17_x86_64")
    with pytest.raises(SystemExit, match="two wheels for Linux x64"):
        gathered(built)
