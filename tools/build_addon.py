# SPDX-License-Identifier: MIT
"""Make the two add-on files of dist/: the legacy zip (Blender 3.4 to 4.1) and the extension zip (4.2 and later).

Both hold blender_addon/ and the wheel that stands in dist/; the legacy zip has it unpacked under skelkin/_vendor/.
The version comes from skelkin_py/_support/version.py. The same input gives the same bytes.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ADDON = ROOT / "blender_addon"
ID = "skelkin"
EPOCH = (1980, 1, 1, 0, 0, 0)
SKIPPED = {"__pycache__", ".mypy_cache", ".ruff_cache"}
PLATFORMS = (("linux", "x86_64", "linux-x64"), ("linux", "aarch64", "linux-arm64"), ("win_amd64", "", "windows-x64"),
             ("macosx", "x86_64", "macos-x64"), ("macosx", "arm64", "macos-arm64"))  # fmt: skip
MANIFEST = """\
schema_version = "1.0.0"

id = "{id}"
version = "{version}"
name = "Skelkin"
tagline = "Leg IK: plants the feet of any armature in a copy of its action"
maintainer = "The skelkin authors"
type = "add-on"
tags = ["Animation", "Rigging"]
blender_version_min = "4.2.0"
license = ["SPDX:GPL-3.0-or-later"]
platforms = ["{platform}"]
wheels = ["./wheels/{wheel}"]
"""


def version() -> str:
    """Return the version that skelkin_py/_support/version.py states."""
    text = (ROOT / "skelkin_py" / "_support" / "version.py").read_text(encoding="utf-8")
    match = re.search(r'^__version__ = "(\d+\.\d+\.\d+)"$', text, re.MULTILINE)
    if match is None:
        raise SystemExit('skelkin_py/_support/version.py: no line __version__ = "X.Y.Z"')
    return match.group(1)


def platform_of(wheel: str) -> str:
    """Return Blender's name of the platform that a wheel's file name states."""
    for system, machine, name in PLATFORMS:
        if system in wheel and machine in wheel:
            return name
    raise SystemExit(f"{wheel}: not a platform that Blender knows")


def addon_files(number: str) -> dict[str, bytes]:
    """Return the add-on's own files, with the version in bl_info."""
    files = {}
    for path in sorted(ADDON.rglob("*")):
        relative = path.relative_to(ADDON)
        if path.is_file() and not SKIPPED.intersection(relative.parts) and path.suffix != ".pyc":
            files[relative.as_posix()] = path.read_bytes()
    entry = files["__init__.py"].decode()
    stated = '"version": (' + ", ".join(number.split(".")) + "),"
    entry, count = re.subn(r'"version": \([^)]*\),', stated, entry)
    if count != 1:
        raise SystemExit('blender_addon/__init__.py: bl_info needs exactly one line "version": (X, Y, Z),')
    own, count = re.subn(r'__version__ = "[^"]*"', f'__version__ = "{number}"', files["_version.py"].decode())
    if count != 1:
        raise SystemExit('blender_addon/_version.py: needs exactly one line __version__ = "X.Y.Z"')
    return files | {"__init__.py": entry.encode(), "_version.py": own.encode()}


def vendored(wheel: Path) -> dict[str, bytes]:
    """Return the wheel's package and licence, as files below skelkin/."""
    files = {"_vendor/__init__.py": b"# SPDX-License-Identifier: MIT\n"}
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if name.startswith("skelkin_py/"):
                files["_vendor/" + name] = archive.read(name)
            elif ".dist-info/" in name and Path(name).name in {"LICENSE", "THIRD_PARTY.md"}:
                files["_vendor/skelkin_py/" + Path(name).name] = archive.read(name)
    if not any(name.endswith((".so", ".pyd")) for name in files):
        raise SystemExit(f"{wheel.name}: holds no native module")
    return files


def write_zip(target: Path, files: dict[str, bytes]) -> None:
    """Write the files in order of name and with one date, to a temporary file that then replaces the target."""
    handle, temporary = tempfile.mkstemp(dir=target.parent, suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as stream, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in sorted(files):
                info = zipfile.ZipInfo(name, EPOCH)
                info.compress_type = zipfile.ZIP_DEFLATED
                info.create_system = 3
                mode = 0o40755 if info.is_dir() else 0o100755 if name.endswith(".so") else 0o100644
                info.external_attr = mode << 16
                archive.writestr(info, files[name])
        os.chmod(temporary, 0o644)
        os.replace(temporary, target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def main(arguments: list[str]) -> int:
    """Build both zips from the one wheel of the present version."""
    number = version()
    dist = Path(arguments[0]) if arguments else ROOT / "dist"
    wheels = sorted(dist.glob(f"skelkin_py-{number}-*.whl"))
    if len(wheels) != 1:
        print(f"{dist}: {len(wheels)} wheels of version {number}, one is needed: run `make wheel`", file=sys.stderr)
        return 1
    wheel = wheels[0]
    platform = platform_of(wheel.name)
    own = addon_files(number)
    legacy = dist / f"{ID}-{number}-legacy.zip"
    # The entry of the folder makes Blender remove what it replaces; else it would write over a binary that is in use.
    write_zip(legacy, {f"{ID}/": b""} | {f"{ID}/{name}": data for name, data in (own | vendored(wheel)).items()})
    manifest = MANIFEST.format(id=ID, version=number, platform=platform, wheel=wheel.name)
    extension = dist / f"{ID}-{number}-{platform.replace('-', '_')}.zip"
    extra = {"blender_manifest.toml": manifest.encode(), f"wheels/{wheel.name}": wheel.read_bytes()}
    write_zip(extension, own | extra)
    for path in (legacy, extension):
        print(f"{path.relative_to(ROOT) if path.is_relative_to(ROOT) else path}: {path.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
