# SPDX-License-Identifier: MIT
"""The add-on's zips with another version in each of their parts, the compiled one included."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path


def zip_of_version(path: Path, version: str, folder: Path) -> Path:
    """Write a copy of a zip that is of another version, of as many letters as its own, and return it."""
    own = path.name.split("-")[1]
    assert len(own) == len(version)
    target = folder / path.name.replace(own, version)
    target.write_bytes(_of_version(path.read_bytes(), own, version))
    return target


def _of_version(data: bytes, own: str, version: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as target:
        for entry in source.infolist():
            content, name = source.read(entry), Path(entry.filename).name
            if name.endswith(".whl"):
                content = _of_version(content, own, version)
            elif name.endswith((".so", ".pyd")):
                compiled = f"\0{own}\0".encode()
                assert content.count(compiled) == 1
                content = content.replace(compiled, f"\0{version}\0".encode())
            elif name in ("_version.py", "version.py", "blender_manifest.toml", "METADATA"):
                assert own.encode() in content
                content = content.replace(own.encode(), version.encode())
            elif entry.filename.endswith("skelkin/__init__.py"):
                content = content.replace(*(", ".join(each.split(".")).encode() for each in (own, version)))
            entry.filename = entry.filename.replace(own, version)
            target.writestr(entry, content)
    return stream.getvalue()
