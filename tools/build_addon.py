# SPDX-License-Identifier: MIT
"""Make the add-on's files of dist/, two for each wheel there, named after version and system.

One is the extension zip (Blender 4.2 and later), the other the legacy zip (3.4 to 4.1). Both hold blender_addon/ and
the wheel; the legacy zip has it unpacked under skelkin/_vendor/, and alone has `bl_info`, in whose place the extension
has its manifest. The version comes from the package, the addresses from pyproject.toml. The same input gives the same
bytes.
"""

from __future__ import annotations

import ast
import os
import re
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools" / "release"))
from project import addresses, authors, version  # noqa: E402

ADDON = ROOT / "blender_addon"
ID = "skelkin"
EPOCH = (1980, 1, 1, 0, 0, 0)
SKIPPED = {"__pycache__", ".mypy_cache", ".ruff_cache"}
PLATFORMS = (("linux", "x86_64", "linux-x64"), ("win_amd64", "", "windows-x64"),
             ("macosx", "x86_64", "macos-x64"), ("macosx", "arm64", "macos-arm64"))  # fmt: skip
#: what people call these, for the sentence of a zip on another system
SYSTEMS = {"linux": "Linux", "windows": "Windows", "macos": "macOS", "x64": "x64", "arm64": "ARM64"}
MANIFEST = """\
schema_version = "1.0.0"

id = "{id}"
version = "{version}"
name = "Skelkin"
tagline = "Leg IK: plants the feet of any armature in a copy of its action"
maintainer = "{maintainer}"
{website}type = "add-on"
tags = ["Animation", "Rigging"]
blender_version_min = "4.2.0"
license = ["SPDX:GPL-3.0-or-later"]
copyright = ["2026 {maintainer}"]
platforms = ["{platform}"]
wheels = ["./wheels/{wheel}"]

[permissions]
files = "Save and load legs as files, write reports as pages"
"""


def platform_of(wheel: str) -> str | None:
    """Return Blender's name of the platform that a wheel's file name states; None where Blender runs on no such."""
    if "musllinux" in wheel or "-abi3-" not in wheel:
        return None
    return next((name for system, machine, name in PLATFORMS if system in wheel and machine in wheel), None)


def addon_files(number: str, platform: str) -> dict[str, bytes]:
    """Return the add-on's own files, which state the version, the addresses and the system they are for."""
    files = {}
    for path in sorted(ADDON.rglob("*")):
        relative = path.relative_to(ADDON)
        if path.is_file() and not SKIPPED.intersection(relative.parts) and path.suffix != ".pyc":
            files[relative.as_posix()] = path.read_bytes()
    stated = addresses()
    system = " ".join(SYSTEMS[word] for word in platform.split("-"))
    written = {
        "_version.py": {"__version__": number, "SYSTEM": system},
        "links.py": {"DOC_URL": stated.get("Documentation", ""), "TRACKER_URL": stated.get("Issues", "")},
    }
    for name, values in written.items():
        text = files[name].decode()
        for word, value in values.items():
            text = replaced(name, text, rf'^{word} = "[^"]*"$', f'{word} = "{value}"')
        files[name] = text.encode()
    return files


def replaced(name: str, text: str, pattern: str, line: str) -> str:
    """Return the text with the one line that fits the pattern replaced."""
    text, count = re.subn(pattern, lambda _: line, text, flags=re.MULTILINE)
    if count != 1:
        raise SystemExit(f"blender_addon/{name}: needs exactly one line that fits {pattern}")
    return text


def legacy_entry(entry: str, number: str) -> str:
    """Return `__init__.py` whose `bl_info` states the version and the addresses."""
    name, stated = "__init__.py", addresses()
    entry = replaced(name, entry, r'^    "version": \([^)]*\),$', f'    "version": ({", ".join(number.split("."))}),')
    for word, address in (("doc_url", "Documentation"), ("tracker_url", "Issues")):
        entry = replaced(name, entry, rf'^    "{word}": "[^"]*",$', f'    "{word}": "{stated.get(address, "")}",')
    return entry


def extension_entry(entry: str) -> str:
    """Return `__init__.py` without `bl_info`, which Blender warns of beside a manifest."""
    (info,) = (
        node
        for node in ast.parse(entry).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "bl_info"
    )
    lines = entry.splitlines(keepends=True)
    del lines[info.lineno - 1 : (info.end_lineno or 0) + 1]
    return "".join(lines)


def manifest(number: str, platform: str, wheel: str) -> str:
    """Return what tells Blender about the extension."""
    documentation = addresses().get("Documentation")
    website = f'website = "{documentation}"\n' if documentation else ""
    return MANIFEST.format(id=ID, version=number, maintainer=authors(), website=website, platform=platform, wheel=wheel)


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


def build(dist: Path, wheel: Path, platform: str) -> list[Path]:
    """Build both zips of one wheel and return them."""
    number = version()
    own = addon_files(number, platform)
    entry = own["__init__.py"].decode()
    legacy, extension = dist / f"{ID}-{number}-legacy-{platform}.zip", dist / f"{ID}-{number}-{platform}.zip"
    files = own | vendored(wheel) | {"__init__.py": legacy_entry(entry, number).encode()}
    # The entry of the folder makes Blender remove what it replaces; else it would write over a binary that is in use.
    write_zip(legacy, {f"{ID}/": b""} | {f"{ID}/{name}": data for name, data in files.items()})
    extra = {"__init__.py": extension_entry(entry).encode(), f"wheels/{wheel.name}": wheel.read_bytes()}
    extra["blender_manifest.toml"] = manifest(number, platform, wheel.name).encode()
    write_zip(extension, own | extra)
    return [extension, legacy]


def main(arguments: list[str]) -> int:
    """Build the zips of all wheels of the present version, and remove those of another state."""
    number = version()
    dist = Path(arguments[0]) if arguments else ROOT / "dist"
    wheels = [(path, platform_of(path.name)) for path in sorted(dist.glob(f"skelkin_py-{number}-*.whl"))]
    of_blender = {platform: path for path, platform in wheels if platform}
    if not of_blender or len(of_blender) < sum(platform is not None for _, platform in wheels):
        names = ", ".join(path.name for path, _ in wheels) or "none"
        print(
            f"{dist}: one wheel of {number} for each system is needed, not {names}: run `make wheel`", file=sys.stderr
        )
        return 1
    for old in dist.glob(f"{ID}-*.zip"):
        old.unlink()
    for platform, wheel in of_blender.items():
        for path in build(dist, wheel, platform):
            shown = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
            print(f"{shown}: {path.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
