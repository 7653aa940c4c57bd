# SPDX-License-Identifier: MIT
"""Data flows downward and in no circle: reads the includes and the imports; and folders stay small enough to read."""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from import_graph import Import, circles, imports_below, module_files, part_of, parts_graph

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "skelkin_py"

# Of a package, from low to high; a module may import modules of its own row or of rows above it in this list.
ROWS = {
    "skelkin_py": [
        "_core",
        "_support",
        "ground skeleton transforms",
        "kinematics plot skinning",
        "blender legs",
        "limits motion",
        "data ik io turns",
        "chains planting",
        "view",
        "cli",
        "__main__",
    ],
    "skelkin_py.blender": [
        "float32_inverse",
        "rest",
        "pose",
        "bbones",
        "curves ik modifiers",
        "live",
        "armature",
        "check",
    ],
}
RANKS = {
    package: {name: rank for rank, row in enumerate(rows) for name in row.split()} for package, rows in ROWS.items()
}

# The clip's methods of convenience, one line each, which import what they call when they are called.
UPWARD_WHEN_CALLED = {
    ("skelkin_py", "motion", "io"),
    ("skelkin_py", "motion", "planting"),
    ("skelkin_py", "motion", "view"),
}

PACKAGES = [ROOT / "skelkin_py", ROOT / "blender_addon"]
FOLDERS = ["skelkin_py", "csrc", "tests", "blender_addon", "benchmarks", "tools"]
SOURCES = {".py", ".pyi", ".c", ".h", ".inl", ".js", ".sh"}
MOST_BESIDE_EACH_OTHER = 25

# Folders that hold more than that today.
CROWDED = {
    "tests/blender",
    "tests/support",
}


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


@cache
def imports(folder: Path) -> list[Import]:
    return imports_below(folder)


def allowed_upward(package: str, each: Import) -> bool:
    return each.later and (package, part_of(package, each.by), part_of(package, each.of)) in UPWARD_WHEN_CALLED


@pytest.mark.parametrize("package", ROWS)
def test_modules_import_only_downward(package: str) -> None:
    rank = RANKS[package]
    for each in imports(PACKAGE):
        by, of = part_of(package, each.by), part_of(package, each.of)
        if None in (by, of) or by == "__init__" or allowed_upward(package, each):
            continue
        assert of != "__init__", f"{each.by} imports {package}, of which it is a part"
        assert rank[of] <= rank[by], f"{each.by} imports {each.of}, which lies above it"


@pytest.mark.parametrize("package", ROWS)
def test_every_part_of_a_package_has_a_row(package: str) -> None:
    parts = {part_of(package, name) for name in module_files(PACKAGE)} - {None, "__init__"}
    assert parts == set(RANKS[package]), "say in ROWS where it belongs"


@pytest.mark.parametrize(
    ("folder", "package"),
    [
        (folder, name)
        for folder in PACKAGES
        for name, path in module_files(folder).items()
        if path.name == "__init__.py"
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_parts_of_a_package_form_no_circle(folder: Path, package: str) -> None:
    """Imports in functions and for types count: who can read a module on its own can test and move it on its own."""
    counted = [each for each in imports(folder) if not allowed_upward(package, each)]
    assert circles(parts_graph(package, counted)) == []


@pytest.fixture
def small_package(tmp_path: Path) -> Path:
    package = tmp_path / "small"
    sources = {
        "__init__": "from .first import one",
        "first": "from .second import two",
        "second": "def two():\n    from . import third",
        "third": "from .room.corner import four",
        "room/__init__": "",
        "room/corner": "from .. import alone",
        "alone": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .leaf import Five",
        "leaf": "",
    }
    for name, text in sources.items():
        path = package / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return package


def test_the_search_for_circles_finds_none_where_none_is(small_package: Path) -> None:
    found = imports_below(small_package)
    assert Import("small.second", "small.third", True) in found
    assert Import("small.room.corner", "small.alone", False) in found
    assert Import("small.alone", "small.leaf", True) in found
    assert circles(parts_graph("small", found)) == []


@pytest.mark.parametrize(
    ("name", "text", "circle"),
    [
        ("third", "from .first import one", ["first", "second", "third"]),
        ("third", "def three():\n    from .first import one", ["first", "second", "third"]),
        ("alone", "from .room import corner", ["alone", "room"]),
        ("alone", "from .third import three", ["alone", "room", "third"]),
        ("alone", "from . import one", ["__init__", "alone", "first", "room", "second", "third"]),
    ],
)
def test_the_search_for_circles_finds_one_put_in(small_package: Path, name: str, text: str, circle: list[str]) -> None:
    with (small_package / f"{name}.py").open("a", encoding="utf-8") as file:
        file.write(f"\n{text}\n")
    assert circles(parts_graph("small", imports_below(small_package))) == [circle]


@pytest.mark.parametrize("folder", FOLDERS)
def test_folders_hold_few_files_beside_each_other(folder: str) -> None:
    """So that a newcomer finds a thing by reading down a short list."""
    count = Counter(path.parent for path in (ROOT / folder).rglob("*") if path.suffix in SOURCES)
    crowded = {path.relative_to(ROOT).as_posix(): n for path, n in count.items() if n > MOST_BESIDE_EACH_OTHER}
    assert set(crowded) <= CROWDED, crowded


@pytest.mark.slow
@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_package_imports_itself_relatively(path: Path) -> None:
    """So that the add-on can carry it under another name."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    absolute = [
        ast.unparse(node)
        for node in ast.walk(tree)
        if (isinstance(node, ast.Import) and any(a.name.split(".")[0] == "skelkin_py" for a in node.names))
        or (isinstance(node, ast.ImportFrom) and node.level == 0 and (node.module or "").startswith("skelkin_py"))
    ]
    assert not absolute


def includes(path: Path) -> list[str]:
    return re.findall(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', path.read_text(encoding="utf-8"), flags=re.M)


@pytest.mark.parametrize("folder", ["core", "blender", "planting", "files", "kernels"])
def test_core_and_kernels_know_no_python(folder: str) -> None:
    for path in (ROOT / "csrc" / folder).rglob("*.*"):
        upward = [name for name in includes(path) if name == "Python.h" or "numpy" in name or "python/" in name]
        assert not upward, f"{path.relative_to(ROOT)} includes {upward}"


def test_only_one_file_includes_numpy() -> None:
    users = [path.name for path in (ROOT / "csrc").rglob("*.[ch]") if any("numpy/" in name for name in includes(path))]
    assert users == ["numpy_api.h"]


def test_python_headers_come_before_all_others() -> None:
    """Python.h settles what the headers of the system offer; after another header it warns, or is too late."""
    for path in (ROOT / "csrc" / "python").rglob("*.[ch]"):
        first = includes(path)[0]
        own = (path.parent / first).is_file() or (first.startswith("python/") and (ROOT / "csrc" / first).is_file())
        assert own or first == "Python.h", f"{path.name} starts with {first}"


@pytest.mark.parametrize(
    ("folder", "licences"),
    [
        ("csrc", ["MIT"]),
        ("skelkin_py", ["MIT"]),
        ("examples", ["MIT"]),
        ("tools", ["MIT"]),
        ("docs", ["MIT"]),
        ("benchmarks", ["MIT", "GPL-3.0-or-later"]),
        ("tests", ["MIT", "GPL-3.0-or-later"]),
        ("blender_addon", ["GPL-3.0-or-later"]),
    ],
)
def test_every_source_file_names_its_licence(folder: str, licences: list[str]) -> None:
    for path in (ROOT / folder).rglob("*"):
        if path.suffix in {".py", ".c", ".h", ".inl", ".js", ".sh"} and path.stat().st_size:
            head = path.read_text(encoding="utf-8")[:300]
            named = [each for each in licences if f"SPDX-License-Identifier: {each}" in head]
            assert named, f"{path.relative_to(ROOT)} has no SPDX line with {licences}"
