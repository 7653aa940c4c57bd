# SPDX-License-Identifier: MIT
"""Put together what a release holds, from the wheels and the pages that are built, and check all of it.

usage: files.py [--built FOLDER] [--whole]

In dist/release: packages/ (for the index), blender/ (the add-on's zips), the pages as a zip, NOTES.md, SHA256SUMS.
What needs another system to be built is listed; with --whole it is a failure.
"""

from __future__ import annotations

import argparse
import email
import hashlib
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import notes
from project import ROOT, version
from systems import PYTHONS, SYSTEMS, is_for, wheel_of

RELEASE = ROOT / "dist" / "release"
SITE = ROOT / "build" / "site"
sys.path.insert(0, str(ROOT / "tools"))
import build_addon  # noqa: E402


def gather(built: Path, release: Path, site: Path) -> None:
    """Copy and make all files."""
    number = version()
    shutil.rmtree(release, ignore_errors=True)
    packages, blender = release / "packages", release / "blender"
    for folder in (packages, blender):
        folder.mkdir(parents=True)
    for path in sorted([*built.glob(f"skelkin_py-{number}-*.whl"), built / f"skelkin_py-{number}.tar.gz"]):
        shutil.copy(path, packages)
    for system in SYSTEMS:
        wheel = wheel_of(packages.glob("*.whl"), system)
        if system.blender and wheel:
            build_addon.build(blender, wheel, system.blender)
    pages = {f"skelkin-{number}-docs/{path.relative_to(site)}": path.read_bytes() for path in files_of(site)}
    build_addon.write_zip(release / f"skelkin-{number}-docs.zip", pages)
    (release / "NOTES.md").write_text(notes.text(), encoding="utf-8")
    (release / "SHA256SUMS").write_text(sums(release), encoding="utf-8")


def files_of(folder: Path) -> list[Path]:
    """Return the files of a folder, in order."""
    return sorted(path for path in folder.rglob("*") if path.is_file())


def published(release: Path) -> list[Path]:
    """Return the files that people are given."""
    return [path for path in files_of(release) if path.name not in {"NOTES.md", "SHA256SUMS"}]


def sums(release: Path) -> str:
    """Return the checksum of each file, by its name alone: whoever has loaded some has them in one folder."""
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}" for path in published(release)]
    return "".join(line + "\n" for line in sorted(lines, key=lambda line: line.split()[1]))


def complaints(release: Path) -> list[str]:
    """Return what is wrong with the files that are there."""
    number, found = version(), []
    names = [path.name for path in files_of(release)]
    if len(names) != len(set(names)):
        found.append("two files have one name")
    if (release / "SHA256SUMS").read_text(encoding="utf-8") != sums(release):
        found.append("SHA256SUMS is of other files")
    if f"# skelkin {number}\n" not in (release / "NOTES.md").read_text(encoding="utf-8"):
        found.append(f"NOTES.md is not of {number}")
    for path in (release / "packages").iterdir():
        metadata = email.message_from_string(metadata_of(path))
        stated = metadata["Name"], metadata["Version"], metadata["License-Expression"]
        if stated != ("skelkin-py", number, "MIT"):
            found.append(f"{path.name} states {stated}")
        if path.suffix == ".whl" and not any(is_for(path.name, system, tag) for system in SYSTEMS for tag in PYTHONS):
            found.append(f"{path.name} is for a system that is in no list")
    for path in (release / "blender").iterdir():
        with zipfile.ZipFile(path) as archive:
            if archive.testzip() is not None or not any(name.endswith("LICENSE") for name in archive.namelist()):
                found.append(f"{path.name} is damaged, or has no licence")
    pages = release / f"skelkin-{number}-docs.zip"
    if f"skelkin-{number}-docs/index.html" not in zipfile.ZipFile(pages).namelist():
        found.append(f"{pages.name} has no index.html")
    return found


def metadata_of(path: Path) -> str:
    """Return what a wheel or an sdist says of itself."""
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as archive:
            (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
            return archive.read(name).decode()
    with tarfile.open(path) as archive:
        stream = archive.extractfile(f"{path.name.removesuffix('.tar.gz')}/PKG-INFO")
        assert stream is not None
        return stream.read().decode()


def lacking(release: Path) -> list[str]:
    """Return what a release holds and this one does not: it needs another system."""
    number = version()
    wheels = list((release / "packages").glob("*.whl"))
    found = []
    for system in SYSTEMS:
        found += [f"the wheel {tag} for {system.name}" for tag in PYTHONS if wheel_of(wheels, system, tag) is None]
        if system.blender:
            zips = [f"skelkin-{number}{kind}-{system.blender}.zip" for kind in ("", "-legacy")]
            found += [name for name in zips if not (release / "blender" / name).is_file()]
    return found


def main() -> int:
    """Gather, check and tell."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--whole", action="store_true", help="fail where anything is lacking")
    parser.add_argument("--built", type=Path, default=ROOT / "dist", help="where sdist and wheels are")
    options = parser.parse_args()
    gather(options.built, RELEASE, SITE)
    twine = [sys.executable, "-m", "twine", "check", "--strict", *map(str, (RELEASE / "packages").iterdir())]
    failed = bool(subprocess.run(twine, check=False).returncode)
    for each in complaints(RELEASE):
        print(f"wrong: {each}")
        failed = True
    for path in published(RELEASE):
        print(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1e6:.1f} MB")
    for each in lacking(RELEASE):
        print(f"not here, needs its system: {each}")
        failed |= options.whole
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main())
