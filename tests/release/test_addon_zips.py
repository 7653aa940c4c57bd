# SPDX-License-Identifier: MIT
"""The add-on's zips: two for each system, named after it; what they hold, and the same bytes of the same input."""

from __future__ import annotations

import ast
import zipfile
from pathlib import Path
from types import ModuleType

import pytest
from scripts import load_script

LINUX = "manylinux2014_x86_64.manylinux_2_17_x86_64"
SYSTEMS = {LINUX: "linux-x64", "win_amd64": "windows-x64", "macosx_11_0_arm64": "macos-arm64"}
PERMISSION_LETTERS = 64  # more, or a full stop at the end, Blender refuses


@pytest.fixture
def tool() -> ModuleType:
    return load_script("tools/build_addon.py")


def add_wheel(tool: ModuleType, folder: Path, system: str, tag: str = "cp310-abi3") -> str:
    """Add a stand-in for the wheel of a system, and return its name."""
    name = f"skelkin_py-{tool.version()}-{tag}-{system}.whl"
    library = "_core.pyd" if "win" in system else "_core.abi3.so"
    with zipfile.ZipFile(folder / name, "w") as wheel:
        for each in ("skelkin_py/__init__.py", f"skelkin_py/{library}", "skelkin_py-0.dist-info/licenses/LICENSE"):
            wheel.writestr(each, each)
    return name


def zips(folder: Path) -> dict[str, Path]:
    return {path.name.split("-", 2)[2].removesuffix(".zip"): path for path in folder.glob("*.zip")}


def text(path: Path, name: str) -> str:
    return zipfile.ZipFile(path).read(name).decode()


def stated(source: str, name: str) -> object:
    """Return what a module assigns to a name; None where it does not."""
    found = [
        node.value
        for node in ast.parse(source).body
        if isinstance(node, ast.Assign) and name in map(ast.unparse, node.targets)
    ]
    return ast.literal_eval(found[0]) if found else None


def test_the_same_input_gives_the_same_bytes(tool: ModuleType, tmp_path: Path) -> None:
    add_wheel(tool, tmp_path, LINUX)
    assert tool.main([str(tmp_path)]) == 0
    first = {name: path.read_bytes() for name, path in zips(tmp_path).items()}
    assert tool.main([str(tmp_path)]) == 0
    assert {name: path.read_bytes() for name, path in zips(tmp_path).items()} == first
    assert set(first) == {"linux-x64", "legacy-linux-x64"}


def test_every_wheel_that_a_blender_takes_has_its_two_zips_and_no_other(tool: ModuleType, tmp_path: Path) -> None:
    wheels = {name: add_wheel(tool, tmp_path, system) for system, name in SYSTEMS.items()}
    add_wheel(tool, tmp_path, "musllinux_1_2_x86_64")
    add_wheel(tool, tmp_path, "macosx_11_0_arm64", "cp314-cp314t")
    (tmp_path / "skelkin-0.0.1-legacy.zip").touch()
    assert tool.main([str(tmp_path)]) == 0
    made = zips(tmp_path)
    assert set(made) == {*wheels, *(f"legacy-{name}" for name in wheels)}
    for name, wheel in wheels.items():
        assert f'platforms = ["{name}"]' in text(made[name], "blender_manifest.toml")
        assert f"wheels/{wheel}" in zipfile.ZipFile(made[name]).namelist()
        system = stated(text(made[name], "_version.py"), "SYSTEM")
        assert system == {"linux-x64": "Linux x64", "windows-x64": "Windows x64", "macos-arm64": "macOS ARM64"}[name]
        assert stated(text(made[f"legacy-{name}"], "skelkin/_version.py"), "SYSTEM") == system


def test_both_hold_the_addon_the_native_module_and_the_version(tool: ModuleType, tmp_path: Path) -> None:
    wheel = add_wheel(tool, tmp_path, LINUX)
    tool.main([str(tmp_path)])
    number = tool.version()
    legacy, extension = (zips(tmp_path)[kind] for kind in ("legacy-linux-x64", "linux-x64"))
    held = [zipfile.ZipFile(path).namelist() for path in (legacy, extension)]
    own = {path.relative_to(tool.ADDON).as_posix() for path in tool.ADDON.rglob("*.py")}
    assert {f"skelkin/{name}" for name in own} | {"skelkin/LICENSE", "skelkin/_vendor/skelkin_py/_core.abi3.so"} <= {
        *held[0]
    }
    assert own | {"blender_manifest.toml", "LICENSE", f"wheels/{wheel}"} <= {*held[1]}
    assert stated(text(legacy, "skelkin/__init__.py"), "bl_info")["version"] == tuple(map(int, number.split(".")))
    assert f'\nversion = "{number}"\n' in text(extension, "blender_manifest.toml")
    assert stated(text(extension, "_version.py"), "__version__") == number
    assert not [name for names in held for name in names if "__pycache__" in name]


def test_bl_info_is_in_the_legacy_zip_alone(tool: ModuleType, tmp_path: Path) -> None:
    add_wheel(tool, tmp_path, LINUX)
    tool.main([str(tmp_path)])
    entry = text(zips(tmp_path)["linux-x64"], "__init__.py")
    assert "bl_info" not in entry
    assert "def unregister" in entry
    assert "bl_info" in text(zips(tmp_path)["legacy-linux-x64"], "skelkin/__init__.py")


@pytest.mark.parametrize("documentation", ["https://docs.example.org/skelkin", ""])
def test_addresses_are_those_of_the_project_and_left_out_where_there_are_none(
    tool: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, documentation: str
) -> None:
    known = {"Documentation": documentation, "Issues": "https://example.org/issues"} if documentation else {}
    monkeypatch.setattr(tool, "addresses", lambda: known)
    add_wheel(tool, tmp_path, LINUX)
    tool.main([str(tmp_path)])
    made = zips(tmp_path)
    manifest = text(made["linux-x64"], "blender_manifest.toml")
    assert (f'\nwebsite = "{documentation}"\n' in manifest) == bool(documentation)
    links = text(made["linux-x64"], "links.py")
    assert (stated(links, "DOC_URL"), stated(links, "TRACKER_URL")) == (documentation, known.get("Issues", ""))
    info = stated(text(made["legacy-linux-x64"], "skelkin/__init__.py"), "bl_info")
    assert (info["doc_url"], info["tracker_url"]) == (documentation, known.get("Issues", ""))


def test_the_manifest_says_who_keeps_it_and_why_it_touches_files(tool: ModuleType) -> None:
    manifest = tool.manifest("1.2.3", "linux-x64", "some.whl")
    assert f'maintainer = "{tool.authors()}"' in manifest
    (reason,) = (line.split(" = ")[1].strip('"') for line in manifest.splitlines() if line.startswith("files = "))
    assert 0 < len(reason) <= PERMISSION_LETTERS
    assert not reason.endswith(".")


@pytest.mark.parametrize("systems", [[], ["musllinux_1_2_x86_64"], [LINUX, "linux_x86_64"]])
def test_a_system_without_its_one_wheel_is_said_and_nothing_is_written(
    tool: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str], systems: list[str]
) -> None:
    for system in systems:
        add_wheel(tool, tmp_path, system)
    assert tool.main([str(tmp_path)]) == 1
    assert "make wheel" in capsys.readouterr().err
    assert not zips(tmp_path)
