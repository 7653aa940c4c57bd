# SPDX-License-Identifier: MIT
"""Importing the package: numpy alone, no bpy, one exported symbol, and the version of the sources."""

from __future__ import annotations

import inspect
import pickle
import pydoc
import re
import shutil
import struct
import subprocess
import sys
import sysconfig
from pathlib import Path

import numpy as np
import pytest

import skelkin_py as sk
from skelkin_py import _core

ROOT = Path(__file__).resolve().parents[3]
ALLOWED = {"numpy", "skelkin_py"}


def run_python(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=300)


@pytest.mark.slow
def test_import_brings_numpy_alone():
    code = (
        "import sys, skelkin_py; "
        "print(*{name.partition('.')[0] for name in sys.modules} - set(sys.stdlib_module_names))"
    )
    run = run_python(code)
    assert run.returncode == 0, run.stderr
    names = {name for name in run.stdout.split() if not name.startswith(("_", "encodings"))}
    assert names - {"sitecustomize", "usercustomize", "cython_runtime"} - ALLOWED == set()


HEAVY = {"blender", "ground", "io", "jupyter", "legs", "planting", "plot", "view"}


def loaded_by(code: str) -> set[str]:
    """Return the parts of the package that a process has loaded after some code."""
    run = run_python(f"{code}\nimport sys\nprint('parts:', *sys.modules)")
    assert run.returncode == 0, run.stderr
    modules = run.stdout.rpartition("parts:")[2].split()
    return {name.split(".")[1] for name in modules if name.startswith("skelkin_py.")}


def test_what_is_not_asked_for_is_not_loaded():
    assert loaded_by("import skelkin_py") & HEAVY == set()
    assert loaded_by("import skelkin_py as sk; sk.example('biped'); sk.forward_kinematics") & HEAVY == set()
    assert "planting" in loaded_by("import skelkin_py as sk; sk.plant_feet")
    ends = "import sys\nfrom skelkin_py.cli import main\ntry: main({})\nexcept SystemExit: pass"
    for arguments in (["--version"], ["--help"], ["dance"], ["--help", "plants"]):
        assert loaded_by(ends.format(arguments)) & HEAVY == set()
    assert loaded_by(ends.format(["view", "--help"])) & {"planting", "blender"} == set()
    assert loaded_by(ends.format(["convert", "--help"])) & {"planting", "blender", "view"} == set()


def test_names_loaded_at_their_first_use_are_names_as_all_others():
    from skelkin_py import ground, io, legs, planting

    names = {**vars(planting), **vars(ground), **vars(legs), **vars(io)}
    for name in sk.__all__:
        value = getattr(sk, name)
        assert getattr(sk, name) is value
        assert name in dir(sk)
        if inspect.isclass(value) or inspect.isfunction(value):
            assert names.get(name, value) is value
            assert pickle.loads(pickle.dumps(value)) is value
    run = run_python(
        "from skelkin_py import *; print(plant_feet.__name__, PlantReport.__name__, load.__name__, view.__name__)"
    )
    assert run.stdout.split() == ["plant_feet", "PlantReport", "load", "skelkin_py.view"], run.stderr
    page = pydoc.render_doc(sk, renderer=pydoc.plaintext)
    assert all(f"\n    {word}" in page for word in ("class PlantReport", "class Planted", "plant_feet(", "load("))
    with pytest.raises(AttributeError, match="has no attribute 'plant_foot'"):
        _ = sk.plant_foot


def test_no_public_name_is_that_of_a_module_which_importing_would_put_in_its_place():
    modules = {path.name.removesuffix(".py") for path in Path(sk.__file__).parent.iterdir()}
    assert not (set(sk.__all__) - {"blender", "view"}) & modules


def test_modules_are_found_by_their_names_and_others_are_not():
    assert sk.io.load is sk.load
    for name in ("iO", "__path_of__"):
        with pytest.raises(AttributeError, match=f"'skelkin_py' has no attribute '{name}'"):
            getattr(sk, name)


@pytest.mark.slow
def test_import_works_where_other_modules_are_blocked():
    blocked = ["bpy", "mathutils", "matplotlib", "scipy"]
    code = f"import sys; sys.modules.update(dict.fromkeys({blocked})); import skelkin_py as sk; print(sk.isa())"
    run = run_python(code)
    assert run.returncode == 0, run.stderr


def exported_symbols(path: Path) -> set[str]:
    """Read the names that a 64-bit little-endian ELF file defines for others: global or weak, with a section."""
    data = path.read_bytes()
    assert data[:6] == b"\x7fELF\x02\x01"
    start, size, count = struct.unpack_from("<Q", data, 40)[0], *struct.unpack_from("<HH", data, 58)
    sections = [struct.unpack_from("<IIQQQQIIQQ", data, start + i * size) for i in range(count)]
    (symbols,) = (section for section in sections if section[1] == 11)  # SHT_DYNSYM
    texts = sections[symbols[6]]
    names = set()
    for at in range(symbols[4], symbols[4] + symbols[5], 24):
        name, info, other, section = struct.unpack_from("<IBBH", data, at)
        if section and info >> 4 in (1, 2) and other & 3 == 0:
            begin = texts[4] + name
            names.add(data[begin : data.index(b"\0", begin)].decode())
    return names


def test_the_extension_exports_one_symbol():
    if sys.platform.startswith("linux") and sys.maxsize > 2**32:
        assert exported_symbols(Path(_core.__file__)) - {"_init", "_fini"} == {"PyInit__core"}


def test_the_extension_is_built_for_the_limited_interface():
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        return
    assert ".abi3." in _core.__file__ or _core.__file__.endswith(".pyd")


def test_version_is_the_same_everywhere():
    assert sk.__version__ == _core.VERSION
    assert sk.build_info().version == sk.__version__


def test_build_info_says_what_is_in_use():
    info = sk.build_info()
    assert info.isa == sk.isa()
    assert info.source_hash == _core.SOURCE_HASH
    assert info.compiler


def test_numpy_is_new_enough():
    assert tuple(int(part) for part in np.__version__.split(".")[:2]) >= (1, 22)


@pytest.mark.posix  # on Windows numpy itself hangs there
def test_a_subinterpreter_gets_an_import_error_and_no_crash():
    code = """
import warnings
warnings.simplefilter("ignore")
try:
    import _interpreters as sub
    run = sub.exec
except ImportError:
    import _xxsubinterpreters as sub
    run = sub.run_string
try:
    print(run(sub.create(), "import {}"))
except Exception as error:
    print(error)
"""
    run, numpys = (run_python(code.format(package)) for package in ("skelkin_py", "numpy"))
    if numpys.returncode != 0:  # numpy 2.1 on CPython 3.13.0 crashes by itself, before anything of ours is loaded
        assert run.returncode == numpys.returncode
        return
    assert run.returncode == 0, run.stderr
    said = run.stdout + run.stderr
    assert "ImportError" in said or "datetime_CAPI" in said  # numpy 1 refuses before us, in words of its own


def test_all_lists_what_is_public() -> None:
    public = (name for name in dir(sk) if not name.startswith("_"))
    defined = {name for name in public if not inspect.ismodule(getattr(sk, name))}
    assert set(sk.__all__) == defined | {"blender", "jupyter", "view", "__version__"}
    assert len(sk.__all__) == len(set(sk.__all__))


def test_readers_of_live_blender_are_imported_when_they_are_named() -> None:
    code = (
        "import sys, skelkin_py.blender as b\n"
        "readers = [name for name in b.__all__ if name.startswith('read_')]\n"
        "live = [name for name in sys.modules if name.startswith('skelkin_py.blender.live')]\n"
        "hidden = set(b.__all__) - set(dir(b))\n"
        "print(live, hidden or None, len(readers), all(callable(getattr(b, name)) for name in readers))\n"
    )
    run = run_python(code)
    assert run.stdout.split("\n")[0] == "[] None 6 True", run.stderr
    with pytest.raises(AttributeError, match=r"'skelkin_py\.blender' has no attribute 'read_nothing'"):
        _ = sk.blender.read_nothing


def returned_names() -> set[str]:
    """Return the names of classes in what public functions, methods and properties say they return."""
    found: set[str] = set()
    for name in sk.__all__:
        value = getattr(sk, name)
        members = [each for key, each in inspect.getmembers(value) if not key.startswith("_")]
        for each in [value] if inspect.isfunction(value) else members if inspect.isclass(value) else []:
            function = each.fget if isinstance(each, property) else each
            if inspect.isfunction(function):
                found |= set(re.findall(r"\b[A-Z]\w+\b", str(inspect.signature(function).return_annotation)))
    return found


def test_classes_that_functions_return_are_exported():
    of_others = {
        "Any",
        "Mapping",
        "NDArray",
        "None",
        "FloatArray",
        "Flags",
        "Floats",
        "Array",
        "Ints",
        "Iterator",
        "Figure",
        "Path",
        "Span",
    }
    assert returned_names() - of_others - set(sk.__all__) - {"Page"} == set()
    assert sk.view.Page


def checkout(folder: Path) -> Path:
    """Make a tree as a clone is after make build: the package, its compiled part, the C sources and setup.py."""
    package = Path(sk.__file__).parent
    shutil.copytree(package, folder / "skelkin_py", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "csrc", folder / "csrc")
    shutil.copy(ROOT / "setup.py", folder)
    return folder


@pytest.mark.slow
def test_a_checkout_whose_sources_have_changed_asks_for_a_build(tmp_path):
    tree = checkout(tmp_path)
    code = (
        f"import sys; sys.path.insert(0, {str(tree)!r}); "
        "sys.meta_path[:] = [each for each in sys.meta_path if 'editable' not in str(each)]; "
        "import skelkin_py; print(skelkin_py.__file__)"
    )
    run = run_python(code)
    assert run.stdout.strip() == str(tree / "skelkin_py" / "__init__.py"), run.stderr
    with (tree / "csrc" / "core" / "base" / "status.c").open("a", encoding="utf-8") as file:
        file.write("/* changed */\n")
    assert "the C sources have changed since skelkin_py was compiled: run make build" in run_python(code).stderr
    for content, words in ((b"", "file too short): run make build"), (None, "is not compiled here: run make build")):
        compiled = tree / "skelkin_py" / Path(_core.__file__).name
        compiled.unlink() if content is None else compiled.write_bytes(content)
        said = run_python(code).stderr
        assert words in said.splitlines()[-1]
        assert "circular" not in said


def test_names_are_compared_without_what_python_3_15_deprecates(monkeypatch):
    from skelkin_py._support.nearest_name import did_you_mean
    from skelkin_py.legs.words import shared_ending

    monkeypatch.delattr("os.path.commonprefix")
    many = [f"joint_{k}" for k in range(300)]
    assert did_you_mean("joint_2999", many).startswith(": did you mean 'joint_299'")
    assert shared_ending(["LeftLeg_geo", "RightFoot_geo"]) == "_geo"
    assert shared_ending([]) == shared_ending(["LeftLeg", ""]) == ""
