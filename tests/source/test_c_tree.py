# SPDX-License-Identifier: MIT
"""The C sources as a tree: who may include whom, what is compiled and linted, and the contents list of the header."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CSRC = ROOT / "csrc"
PUBLIC = CSRC / "include" / "skelkin"
UMBRELLA = PUBLIC / "skelkin.h"
SOURCES = {path.relative_to(ROOT).as_posix() for path in CSRC.rglob("*.c")}

# From low to high: files of a folder include those of its own or of folders above it in this list.
FOLDERS = [
    "include/skelkin",
    "kernels/simd",
    "kernels/transforms",
    "kernels/kinematics",
    "kernels/base",
    "kernels/skinning",
    "kernels/planting",
    "kernels/ik",
    "kernels",
    "core/base",
    "core/transforms",
    "core/kinematics",
    "core/skinning",
    "core/limits",
    "core/ik",
    "core/turns",
    "core/chains",
    "files",
    "blender/curves",
    "blender/deform",
    "blender/bbones",
    "blender/poses",
    "blender/ik",
    "planting/curves",
    "planting/motion",
    "planting/ground",
    "planting/contacts",
    "planting/paths",
    "planting/measure",
    "planting/loops",
    "planting/engine",
    "python/base",
    "python/verbs",
    "python/planting",
    "python/planting/ground",
    "python/planting/engine",
    "python/blender",
]
RANK = {folder: rank for rank, folder in enumerate(FOLDERS)}


def files() -> list[Path]:
    return sorted(path for path in CSRC.rglob("*") if path.suffix in {".c", ".h", ".inl"})


def own_includes(path: Path) -> list[Path]:
    """Return the files of this tree that `path` includes."""
    names = re.findall(r'^\s*#\s*include\s*"([^"]+)"', path.read_text(encoding="utf-8"), flags=re.M)
    found = []
    for name in names:
        places = [folder / name for folder in (path.parent, CSRC, CSRC / "include", CSRC / "kernels")]
        there = [place for place in places if place.is_file()]
        assert there, f"{path.relative_to(ROOT)} includes {name}, which is nowhere"
        found.append(there[0].resolve())
    return found


def folder_of(path: Path) -> str:
    return path.parent.relative_to(CSRC).as_posix()


@pytest.mark.parametrize("folder", sorted({folder_of(path) for path in files()}))
def test_folder_includes_only_downward(folder: str) -> None:
    assert folder in RANK, f"csrc/{folder} has no place in FOLDERS: say where it belongs"
    for path in files():
        if folder_of(path) != folder:
            continue
        for other in own_includes(path):
            assert RANK[folder_of(other)] <= RANK[folder], (
                f"{path.relative_to(ROOT)} includes {other.name} of {folder_of(other)}, which lies above it"
            )


def test_no_circle_of_includes() -> None:
    TopologicalSorter({path: own_includes(path) for path in files()}).prepare()


def test_names_of_sources_are_unique() -> None:
    """So that the objects of the library lie in one folder, and a name finds one file."""
    names = [path.name for path in CSRC.rglob("*.c") if "python" not in path.parts]
    assert sorted(set(names)) == sorted(names)


def test_extension_is_built_from_every_source() -> None:
    show = """
import json, runpy, setuptools
def setup(**given):
    print(json.dumps([list(map(str, each.sources)) for each in given["ext_modules"]]))
setuptools.setup = setup
runpy.run_path("setup.py", run_name="__main__")
"""
    run = subprocess.run([sys.executable, "-c", show], cwd=ROOT, capture_output=True, text=True, check=True)
    (built,) = json.loads(run.stdout.splitlines()[-1])
    # The kernels of each instruction set are compiled beside these, with flags of their own.
    kernels = {path for path in SOURCES if path.startswith("csrc/kernels/")}
    assert set(built) == SOURCES - kernels
    setup = (ROOT / "setup.py").read_text(encoding="utf-8")
    for path in kernels:
        isa = Path(path).stem.removeprefix("kernels_")
        assert f'"{isa}"' in setup, f"setup.py compiles no kernels for {isa}"


def test_library_is_built_from_every_source_but_the_bindings() -> None:
    run = subprocess.run(
        ["make", "-s", "-C", "tests/c", "sources"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    built = {(ROOT / "tests" / "c" / each).resolve().relative_to(ROOT).as_posix() for each in run.stdout.split()}
    wanted = {path for path in SOURCES if not path.startswith(("csrc/python/", "csrc/kernels/"))}
    assert built == wanted | {"csrc/kernels/kernels_scalar.c"}


def test_lint_reads_every_source_and_public_header() -> None:
    run = subprocess.run(["tools/lint_c.sh", "--files"], cwd=ROOT, capture_output=True, text=True, check=True)
    headers = {path.relative_to(ROOT).as_posix() for path in (CSRC / "include").rglob("*.h")}
    assert set(run.stdout.split()) == SOURCES | headers


@pytest.mark.slow
def test_every_file_compiles_alone_where_the_compiler_knows_no_vectors(require, tmp_path) -> None:
    """As on the CPUs for which there are no kernels but the plain ones: what it includes, it includes itself."""
    compiler = shutil.which("cc")
    require(compiler, "a C compiler")
    plain = [path for path in files() if path.suffix != ".inl" and "python" not in path.relative_to(CSRC).parts]
    vectors = re.compile(r"kernels_(?!scalar)|wide_(sse2|neon|avx)|wide_generic|_(128|avx\w*)\.h")
    alone = [path for path in plain if not vectors.search(path.name)]
    for n, path in enumerate(alone):
        (tmp_path / f"{n}.c").write_text(f'#include "{path.as_posix()}"\n', encoding="utf-8")
    flags = [
        "-std=c11",
        "-U__SSE2__",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-Wno-unused-function",
        "-Icsrc",
        "-Icsrc/include",
    ]
    told = subprocess.run(
        [compiler, *flags, "-fsyntax-only", *map(str, tmp_path.glob("*.c"))],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert told.returncode == 0, told.stderr
    assert len(alone) > 200


def test_header_lists_its_parts_in_the_order_in_which_it_includes_them() -> None:
    text = UMBRELLA.read_text(encoding="utf-8")
    listed = re.findall(r"^ \* {3}(\w+\.h) ", text, flags=re.M)
    included = re.findall(r'^#include "skelkin/(\w+\.h)"$', text, flags=re.M)
    assert listed == included
    assert sorted(included) == sorted(path.name for path in PUBLIC.glob("*.h") if path != UMBRELLA)


@pytest.mark.parametrize("path", sorted(PUBLIC.glob("*.h")), ids=lambda path: path.name)
def test_public_header_stands_on_public_headers_alone(path: Path) -> None:
    assert all(other.parent == PUBLIC for other in own_includes(path))


def test_version_of_the_header_is_that_of_the_package() -> None:
    text = UMBRELLA.read_text(encoding="utf-8")
    parts = [re.search(rf"#define SKL_VERSION_{part} (\d+)", text) for part in ("MAJOR", "MINOR", "PATCH")]
    stated = (ROOT / "skelkin_py" / "_support" / "version.py").read_text(encoding="utf-8")
    version = re.search(r'"(\d+\.\d+\.\d+)', stated)
    assert version
    assert ".".join(part.group(1) for part in parts if part) == version.group(1)


def test_every_member_of_every_job_is_left_out_once() -> None:
    """tests/c/test_left_out.c goes through a table that is made from the headers: it has all that they have now."""
    script = ROOT / "tests/c/support/list_members.py"
    made = subprocess.run([sys.executable, script, "--print"], capture_output=True, text=True, check=True)
    table = script.with_name("members.inl").read_text(encoding="utf-8")
    assert made.stdout == table, "run python tests/c/support/list_members.py"
    jobs = {
        name for path in PUBLIC.glob("*.h") for name in re.findall(r"^} (skl_\w+_job);", path.read_text(), re.MULTILINE)
    }
    assert jobs == set(re.findall(r"^    VERB\(\w+, (skl_\w+_job)\),", table, re.MULTILINE))
    for job in jobs:
        assert f"static const member {job}_members[] = {{" in table
