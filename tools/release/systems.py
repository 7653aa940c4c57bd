# SPDX-License-Identifier: MIT
"""What a release holds for which system: the one list that wheels, zips, workflows and docs/platforms.md follow."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple


class System(NamedTuple):
    """A system that wheels are made for."""

    name: str
    runner: str  # what GitHub calls a machine of it
    tag: str  # of cibuildwheel's builds
    wheel: tuple[str, str]  # how the platform tag of the wheel begins and ends
    blender: str | None  # Blender's name of the system, None where there is no Blender to install it in
    row: (
        str | None
    )  # of docs/platforms.md, where it is told what was tested; None for the one that every change is tested on


PYTHONS = ("cp310-abi3", "cp314-cp314t")
SYSTEMS = (
    System("Linux x64", "ubuntu-24.04", "manylinux_x86_64", ("manylinux", "x86_64"), "linux-x64", None),
    System("Linux ARM64", "ubuntu-24.04-arm", "manylinux_aarch64", ("manylinux", "aarch64"), None, "Linux aarch64"),
    System("Linux x64, musl", "ubuntu-24.04", "musllinux_x86_64", ("musllinux", "x86_64"), None, "Linux x86-64, musl"),
    System("Linux ARM64, musl", "ubuntu-24.04-arm", "musllinux_aarch64", ("musllinux", "aarch64"), None, None),
    System("Windows x64", "windows-2025", "win_amd64", ("win", "amd64"), "windows-x64", "Windows x86-64, in wine"),
    System("macOS ARM64", "macos-15", "macosx_arm64", ("macosx", "arm64"), "macos-arm64", "macOS arm64"),
    System("macOS x64", "macos-15-intel", "macosx_x86_64", ("macosx", "x86_64"), "macos-x64", "macOS x86-64"),
)
#: systems that nobody has run anything on before the workflows do
UNTESTED = {"Linux ARM64, musl"}


def builds() -> set[str]:
    """Return what cibuildwheel is to build, by its own names."""
    return {f"{python}-{system.tag}" for system in SYSTEMS for python in ("cp310", "cp314t")}


def is_for(wheel: str, system: System, python: str = PYTHONS[0]) -> bool:
    """Whether a wheel's file name states this system and Python."""
    begin, end = system.wheel
    _, tags, platform = wheel.removesuffix(".whl").partition(f"-{python}-")
    return bool(tags) and platform.startswith(begin) and platform.endswith(end)


def wheel_of(wheels: Iterable[Path], system: System, python: str = PYTHONS[0]) -> Path | None:
    """Return the wheel of a system, None where it is not there; two of them are an error."""
    found = [path for path in wheels if is_for(path.name, system, python)]
    if len(found) > 1:
        raise SystemExit(f"two wheels for {system.name}: {', '.join(path.name for path in found)}")
    return found[0] if found else None


if __name__ == "__main__":
    print(json.dumps([system._asdict() for system in SYSTEMS], indent=1))
