# SPDX-License-Identifier: MIT
"""The add-on zips: what they hold, and that the same input gives the same bytes."""

from __future__ import annotations

import zipfile
from pathlib import Path
from types import ModuleType

import pytest
from scripts import load_script

WHEEL = "skelkin_py-{}-cp310-abi3-manylinux2014_x86_64.manylinux_2_17_x86_64.whl"


@pytest.fixture
def tool() -> ModuleType:
    return load_script("tools/build_addon.py")


@pytest.fixture
def dist(tool: ModuleType, tmp_path: Path) -> Path:
    """A folder with a stand-in for the wheel."""
    with zipfile.ZipFile(tmp_path / WHEEL.format(tool.version()), "w") as wheel:
        for name in ("skelkin_py/__init__.py", "skelkin_py/_core.abi3.so", "skelkin_py-0.dist-info/licenses/LICENSE"):
            wheel.writestr(name, name)
    return tmp_path


def zips(dist: Path) -> dict[str, Path]:
    return {path.stem.split("-")[-1]: path for path in dist.glob("*.zip")}


def test_the_same_input_gives_the_same_bytes(tool: ModuleType, dist: Path) -> None:
    assert tool.main([str(dist)]) == 0
    first = {name: path.read_bytes() for name, path in zips(dist).items()}
    assert tool.main([str(dist)]) == 0
    assert {name: path.read_bytes() for name, path in zips(dist).items()} == first
    assert set(first) == {"legacy", "linux_x64"}


def test_both_hold_the_addon_the_native_module_and_the_version(tool: ModuleType, dist: Path) -> None:
    tool.main([str(dist)])
    number = tool.version()
    legacy, extension = (zipfile.ZipFile(zips(dist)[kind]) for kind in ("legacy", "linux_x64"))
    own = {f"skelkin/{path.relative_to(tool.ADDON).as_posix()}" for path in tool.ADDON.rglob("*.py")}
    assert own <= set(legacy.namelist())
    assert {"skelkin/LICENSE", "skelkin/_vendor/skelkin_py/_core.abi3.so"} <= set(legacy.namelist())
    assert {"blender_manifest.toml", "LICENSE", f"wheels/{WHEEL.format(number)}"} <= set(extension.namelist())
    stated = '"version": (' + number.replace(".", ", ") + ")"
    assert stated in legacy.read("skelkin/__init__.py").decode()
    assert f'version = "{number}"' in extension.read("blender_manifest.toml").decode()
    assert f'__version__ = "{number}"' in extension.read("_version.py").decode()
    assert not [name for name in (*legacy.namelist(), *extension.namelist()) if "__pycache__" in name]


def test_no_wheel_is_said_and_writes_nothing(
    tool: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert tool.main([str(tmp_path)]) == 1
    assert "make wheel" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
