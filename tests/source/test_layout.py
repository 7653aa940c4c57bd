# SPDX-License-Identifier: MIT
"""Data flows downward: reads the includes and the module-level imports and fails on an upward one."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "skelkin_py"

# From low to high; a module may import modules of its own row or of rows above it in this list.
ROWS = [
    "_startup _version _source_hash errors printable status results",
    "_core",
    "_build threads",
    "transforms",
    "arguments npy_files npz_files",
    "influences weights_report",
    "skeleton weights limit_frames limits",
    "kinematics relative_transform skinning skin_poses ik fabrik turns points_at ground_alignment",
    "rotations_from_positions apply_fabrik",
    "reference",
    "joint_transforms",
    "legs blender",
    "mesh clip",
    "io",
    "ground",
    "planting",
    "blocks",
    "plot view",
    "data example",
    "cli",
    "__main__",
]
RANK = {name: rank for rank, row in enumerate(ROWS) for name in row.split()}

# The convenience methods of the design, which import their module inside the function.
UPWARD_IN_FUNCTIONS = {("clip", "io"), ("clip", "planting"), ("clip", "view"), ("planting", "plot")}


def modules() -> list[Path]:
    return [path for path in sorted(PACKAGE.rglob("*.py")) if path.parent != PACKAGE or path.name != "__init__.py"]


def top_name(path: Path) -> str:
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def ids_below(tree: ast.AST, kinds: tuple[type, ...], text: str = "") -> set[int]:
    """Return the ids of all nodes below nodes of these kinds (whose condition has this text)."""
    return {
        id(node)
        for block in ast.walk(tree)
        if isinstance(block, kinds) and text in ast.unparse(getattr(block, "test", block))
        for node in ast.walk(block)
    }


def imported(path: Path) -> list[tuple[str, bool]]:
    """Return (top-level module of this package, whether inside a function) for each import in the file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    inside = ids_below(tree, (ast.FunctionDef, ast.AsyncFunctionDef))
    typing_only = ids_below(tree, (ast.If,), "TYPE_CHECKING")
    depth = len(path.relative_to(PACKAGE).parts)
    found = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom) or id(node) in typing_only or node.level != depth:
            continue
        names = [node.module.split(".")[0]] if node.module else [alias.name for alias in node.names]
        found += [(name, id(node) in inside) for name in names if name in RANK]
    return found


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_module_imports_only_downward(path: Path) -> None:
    own = top_name(path)
    assert own in RANK, f"{own} has no row in ROWS: say where it belongs"
    for name, in_function in imported(path):
        if in_function and (own, name) in UPWARD_IN_FUNCTIONS:
            continue
        assert RANK[name] <= RANK[own], f"{path.name} imports {name}, which lies above it"


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
    for path in (ROOT / "csrc" / "python").glob("*.[ch]"):
        first = includes(path)[0]
        own = "/" not in first and (path.parent / first).is_file()
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
