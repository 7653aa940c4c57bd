# SPDX-License-Identifier: MIT
"""Make, on Debian, a Windows with CPython, our wheel, and Blender as a module: programs of Windows run in wine.

usage: home.py FOLDER [quick]

In FOLDER: `python/`, a CPython 3.11 for Windows with our wheel, numpy and what the tests import; `blender/`, the
packages of a Python that has Blender; `dist/`, our wheel and the add-on's zips. What is there already is kept, and made
anew where its recipe has changed. Needs wine64, gcc-mingw-w64-x86-64 and a CPython 3.11, whose library and headers
serve Windows too. quick: the wheel is compiled without optimisation.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
VERSION = "3.11"
CROSS = "x86_64-w64-mingw32-"
WINE = Path("/usr/lib/wine/wine64")  # Debian's wine64 alone puts no command on PATH
DLL = f"python{VERSION.replace('.', '')}.dll"
MATHS = "api-ms-win-crt-math-l1-1-0.dll"  # of what Windows calls the UCRT
# Of the same length, since it is written over the other in the import tables of wheels.
OURS = "skelkin-crt-math-l1-1-shim.dll"
COMPLEX = re.compile(r"(c(abs|a?(cos|sin|tan)h?|arg|exp|imag|log(10)?|pow|proj|real|sqrt)|conj)[fl]?")
PLATFORM = ("--platform=win_amd64", f"--python-version={VERSION}", "--implementation=cp", "--only-binary=:all:")
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", "-q")


class MissingError(Exception):
    """What has to be installed first."""


def tool(name: str) -> str:
    """Return a program of mingw-w64."""
    found = shutil.which(CROSS + name)
    if found is None:
        raise MissingError("mingw-w64 (sudo apt install gcc-mingw-w64-x86-64)")
    return found


def run(*command: str | Path, cwd: Path | None = None) -> str:
    """Run a program; return what it prints."""
    done = subprocess.run([str(part) for part in command], check=True, stdout=subprocess.PIPE, text=True, cwd=cwd)
    return done.stdout


def base_python() -> dict[str, str]:
    """Return where the library and the headers of a CPython of the version are."""
    found = run(ROOT / "tools" / "find_cpython.sh", VERSION).strip()
    if not found:
        raise MissingError(f"CPython {VERSION} (set PYTHON{VERSION.replace('.', '')}=…)")
    say = "import sysconfig; p = sysconfig.get_paths(); print(p['stdlib'], p['include'], sep='\\n')"
    library, headers = run(found, "-c", say).splitlines()
    return {"library": library, "headers": headers}


def made_of(*inputs: Path | str) -> str:
    """Return a digest of files, and of texts that stand for others."""
    digest = hashlib.sha256()
    for part in inputs:
        digest.update(part.read_bytes() if isinstance(part, Path) else part.encode())
    return digest.hexdigest()


def keep(folder: Path, recipe: str, make: Callable[[Path], None]) -> bool:
    """Make the folder where it is not there or was made by another recipe; return whether it was made."""
    mark = folder / ".recipe"
    if mark.is_file() and mark.read_text() == recipe:
        return False
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    make(folder)
    mark.write_text(recipe)
    return True


def install(requirements: Path, target: Path) -> None:
    """Install pinned wheels of Windows into a folder; those that import the UCRT's mathematics get the shim's name."""
    run(
        *PIP,
        "install",
        *PLATFORM,
        "--no-deps",
        "--no-compile",
        "--require-hashes",
        f"--target={target}",
        "-r",
        requirements,
    )
    for path in target.rglob("*"):
        if path.suffix in (".pyd", ".dll") and MATHS.encode() in (data := path.read_bytes()):
            path.write_bytes(data.replace(MATHS.encode(), OURS.encode()))


def exports(dll: Path) -> tuple[list[str], set[str]]:
    """Return the names that a DLL exports, and which of them are data: those outside of its code."""
    sections = run(tool("objdump"), "-h", dll)
    text = re.search(r"\.text +([0-9a-f]+) +([0-9a-f]+)", sections)
    told = run(tool("objdump"), "-p", dll)
    base = re.search(r"^ImageBase\s+([0-9a-f]+)", told, re.M)
    begin = int(text[2], 16) - int(base[1], 16) if text and base else 0
    code = range(begin, begin + (int(text[1], 16) if text else 0))
    places = {
        int(at): int(rva, 16)
        for at, rva in re.findall(r"^\s+\[ *(\d+)\] \+base\[ *\d+\] ([0-9a-f]+) Export RVA", told, re.M)
    }
    names = re.findall(r"^\s+\[ *(\d+)\] ([A-Za-z_]\w*)$", told, re.M)
    return [name for _, name in names], {name for at, name in names if places.get(int(at), 0) not in code}


def link_dll(target: Path, forwards: Iterable[str], library: Path | None = None) -> None:
    """Link a DLL without code of its own: it forwards to others, or has what mingw-w64's library has."""
    definitions, source = target.with_suffix(".def"), target.with_suffix(".c")
    definitions.write_text(f'LIBRARY "{target.name}"\nEXPORTS\n' + "".join(f"  {line}\n" for line in forwards))
    source.write_text("typedef int nothing;\n")
    run(tool("gcc"), "-shared", "-static-libgcc", "-fno-builtin", "-w", "-o", target, source, definitions)
    if library:
        run(tool("dlltool"), "-d", definitions, "-l", library)
    source.unlink()
    definitions.unlink()


def link_maths(target: Path, names: list[str]) -> None:
    """Link what stands for the UCRT's mathematics: wine 8 lacks its complex functions, which mingw-w64 has."""
    link_dll(target, [name if COMPLEX.fullmatch(name) else f"{name}=ucrtbase.{name}" for name in names])


def make_python(folder: Path, base: dict[str, str]) -> None:
    """Make the home folder of CPython."""
    left_out = ("lib-dynload", "site-packages", "dist-packages", "__pycache__", "config-*", "test", "idlelib")
    shutil.copytree(base["library"], folder / "Lib", ignore=shutil.ignore_patterns(*left_out))
    (folder / "DLLs").mkdir()
    (folder / "libs").mkdir()
    with_dlls = folder / "panda3d"
    run(*PIP, "download", *PLATFORM, "--no-deps", "--require-hashes", f"--dest={with_dlls}",
        "-r", ROOT / "requirements" / "windows-python.txt")  # fmt: skip
    (wheel,) = with_dlls.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if not name.startswith("deploy_libs/"):
                continue
            path = Path(name)
            target = folder / "DLLs" if path.suffix == ".pyd" else folder
            if not path.name.startswith(("api-ms-win", "tcl", "tk", "VCRUNTIME")) or path.name == MATHS:
                (target / path.name).write_bytes(archive.read(name))
    shutil.rmtree(with_dlls)
    names, data = exports(folder / DLL)
    marked = [f"{name}={Path(DLL).stem}.{name}{' DATA' if name in data else ''}" for name in names]
    library = folder / "libs" / "libpython3.a"
    link_dll(folder / "python3.dll", marked, library)
    run(tool("gcc"), "-municode", "-o", folder / "python.exe", HERE / "launcher.c", library)
    shutil.copytree(base["headers"], folder / "include")
    shutil.copy(HERE / "pyconfig.h", folder / "include")
    link_maths(folder / OURS, exports(folder / MATHS)[0])
    (folder / MATHS).unlink()
    install(ROOT / "requirements" / "windows.txt", folder / "Lib" / "site-packages")


def build_wheel(folder: Path, quick: bool) -> Path:
    """Build the wheel by our setup.py in a copy of the tree, whose objects stay for the next time."""
    source = folder / ("source-quick" if quick else "source")
    source.mkdir(exist_ok=True)
    for name in ("csrc", "skelkin_py"):
        shutil.rmtree(source / name, ignore_errors=True)
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    for name in ("setup.py", "pyproject.toml", "MANIFEST.in", "README.md", "LICENSE", "THIRD_PARTY.md"):
        shutil.copy2(ROOT / name, source / name)
    for old in (source / "dist", *source.glob("build/lib*")):  # what is no longer in the tree
        shutil.rmtree(old, ignore_errors=True)
    run(sys.executable, HERE / "run_setup.py", folder / "python", *(["quick"] if quick else []), cwd=source)
    (wheel,) = (source / "dist").glob("*-cp310-abi3-win_amd64.whl")
    return wheel


def install_wheel(wheel: Path, packages: Path) -> None:
    """Put our wheel in place of what was installed before."""
    for old in packages.glob("skelkin_py*"):
        shutil.rmtree(old)
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(packages)


def main(folder: Path, quick: bool) -> None:
    """Make all of it."""
    folder.mkdir(parents=True, exist_ok=True)
    if not WINE.is_file():
        raise MissingError("wine (sudo apt install wine64)")
    base = base_python()
    pins = [ROOT / "requirements" / f"windows{name}.txt" for name in ("-python", "", "-bpy-4.5")]
    compiler = run(tool("gcc"), "--version")
    recipe = made_of(*pins[:2], Path(__file__), HERE / "launcher.c", HERE / "pyconfig.h", compiler, *base.values())
    if keep(folder / "python", recipe, lambda home: make_python(home, base)):
        for source in folder.glob("source*"):  # compiled against other headers
            shutil.rmtree(source)
    keep(folder / "blender", made_of(pins[2]), lambda packages: install(pins[2], packages))
    wheel = build_wheel(folder, quick)
    install_wheel(wheel, folder / "python" / "Lib" / "site-packages")
    (folder / "dist").mkdir(exist_ok=True)
    for old in (folder / "dist").iterdir():
        old.unlink()
    shutil.copy(wheel, folder / "dist")
    run(sys.executable, ROOT / "tools" / "build_addon.py", folder / "dist")


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]).resolve(), "quick" in sys.argv[2:])
    except MissingError as missing:
        raise SystemExit(f"missing: {missing}") from None
