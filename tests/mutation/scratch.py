# SPDX-License-Identifier: MIT
"""A copy of the tree that may be broken: one file compiled again, C programs and the extension linked with it."""

from __future__ import annotations

import hashlib
import os
import platform
import runpy
import shlex
import shutil
import subprocess
import sysconfig
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy

ROOT = Path(__file__).resolve().parents[2]
SCRATCH = ROOT / "build" / "mutation"
# As in setup.py; -g0 and no path in it, so that an object says whether the code is other code.
FLAGS = ["-std=c11", "-O1", "-w", "-fPIC", "-fvisibility=hidden", "-ffp-contract=off", "-fno-math-errno", "-pthread"]
# One set of vector kernels, which every CPU of its kind has: in plain C there are no lanes that a fault could confuse.
KERNELS, KERNEL_FLAGS = ("neon", []) if platform.machine() in ("aarch64", "arm64") else ("sse2", ["-msse2"])
# Nothing is left of the tests that compare instruction sets: they would notice that the others have no fault.
PROGRAMS_LEFT_OUT = {"test_wide", "test_isas", "test_two_bone_isas", "test_skinning_isas"}
SANITIZERS = ("-fsanitize=address,bounds", "-fno-sanitize-recover=bounds", "-fno-omit-frame-pointer", "-g1")


@dataclass(frozen=True)
class Build:
    """How everything is compiled: plainly, or with every address and index checked, as in `make test-asan-python`."""

    name: str
    flags: tuple[str, ...] = ()
    kernel_flags: tuple[str, ...] = ()


PLAIN = Build("plain")
CHECKED = Build(
    "checked",
    SANITIZERS,
    ("-Og", "-fno-sanitize=bounds", "--param", "asan-instrumentation-with-call-threshold=50"),
)
# Counts what is executed.
COVERED = Build("covered", ("--coverage", "-Og"))


def compiler() -> list[str]:
    """Return the command of the C compiler, which is gcc: the checked build has its sanitizers."""
    return shlex.split(os.environ.get("CC", "gcc"))


def run(*command: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a program and return what it said."""
    return subprocess.run(
        [str(part) for part in command], cwd=cwd, capture_output=True, text=True, errors="replace", check=False
    )


def sources(csrc: Path) -> list[Path]:
    """Return the files to compile, kernels of only the sets that are used."""
    others = [path for path in csrc.rglob("*.c") if csrc / "kernels" not in path.parents]
    return sorted(others) + [csrc / "kernels" / f"kernels_{isa}.c" for isa in ("scalar", KERNELS)]


def object_name(csrc: Path, source: Path) -> str:
    """Return a name that no other source has."""
    return "-".join(source.relative_to(csrc).with_suffix(".o").parts)


def compile_file(csrc: Path, source: Path, build: Build, out: Path) -> bool:
    """Compile one file into `out`; whether that went well."""
    extra = list(build.flags)
    if source.name == f"kernels_{KERNELS}.c":
        extra += [*KERNEL_FLAGS, *build.kernel_flags]
    if source.name == "kernels_scalar.c":
        extra = ["-O0"]
    if source.name == "dispatch.c":
        extra += [f"-DSKL_HAVE_{KERNELS.upper()}=1"]
    if "python" in source.relative_to(csrc).parts:
        version = runpy.run_path(str(ROOT / "skelkin_py" / "_support" / "version.py"))["__version__"]
        extra += [f'-DSKELKIN_VERSION="{version}"', '-DSKELKIN_SOURCE_HASH="of a fault"']
        extra += ["-DPy_LIMITED_API=0x030A0000", f"-I{sysconfig.get_path('include')}", f"-I{numpy.get_include()}"]
    include = [f"-I{csrc}", f"-I{csrc / 'include'}"]
    return run(*compiler(), *FLAGS, *extra, *include, "-c", source, "-o", out, cwd=csrc).returncode == 0


def compile_test(csrc: Path, source: Path, build: Build, out: Path) -> bool:
    """Compile one of the C tests into `out`."""
    include = [f"-I{csrc}", f"-I{csrc / 'include'}", f"-I{source.parent / 'support'}"]
    return run(*compiler(), *FLAGS, *build.flags, *include, "-c", source, "-o", out).returncode == 0


class Base:
    """The tree as it is: a copy whose tests run, and all objects of one build."""

    def __init__(self, build: Build) -> None:
        self.build = build
        self.objects = SCRATCH / build.name

    def make(self, jobs: int) -> None:
        """Compile everything once; kernels first, which take longest."""
        self.objects.mkdir(parents=True, exist_ok=True)
        csrc = SCRATCH / "tree" / "csrc"
        pieces = [(path, self.objects / object_name(csrc, path)) for path in reversed(sources(csrc))]
        with ThreadPoolExecutor(jobs) as pool:
            made = pool.map(lambda piece: compile_file(csrc, piece[0], self.build, piece[1]), pieces)
            programs = pool.map(self.compile_program, program_sources())
            assert all(made), "a file of the tree does not compile"
            assert all(programs), "a C test of the tree does not compile"

    def compile_program(self, source: Path) -> bool:
        """Compile one of the C tests."""
        return compile_test(SCRATCH / "tree" / "csrc", source, self.build, self.objects / f"{source.stem}.o")


def program_sources() -> list[Path]:
    """Return the C tests that are run."""
    return sorted(p for p in (SCRATCH / "tree/tests/c").glob("test_*.c") if p.stem not in PROGRAMS_LEFT_OUT)


def copy_tree() -> None:
    """Copy what git knows of the tree, as it is now, where nobody works."""
    shutil.rmtree(SCRATCH, ignore_errors=True)
    listed = run("git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard").stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            to = SCRATCH / "tree" / name
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, to)


class Slot:
    """A place where one fault at a time is made, compiled and linked; several work side by side."""

    def __init__(self, number: int) -> None:
        self.folder = SCRATCH / f"slot{number}"
        self.csrc = self.folder / "csrc"
        shutil.copytree(SCRATCH / "tree" / "csrc", self.csrc)
        self.file, self.text = "", ""
        self.changed: dict[str, Path | None] = {}
        self.packages: dict[str, Path] = {}

    def take(self, file: str, text: str) -> None:
        """From now on build with this text in the place of a file; with no file, the tree as it is."""
        self.file, self.text = file, text
        self.changed, self.packages = {}, {}

    def compile_fault(self, base: Base) -> Path | None:
        """Compile what the file leads to, once; nothing where that fails."""
        if base.build.name not in self.changed:
            path = self.csrc / self.file
            source = self.csrc / f"kernels/kernels_{KERNELS}.c" if self.file.startswith("kernels/") else path
            out = self.folder / base.build.name / object_name(self.csrc, source)
            out.parent.mkdir(exist_ok=True)
            with self.faulty_file():
                self.changed[base.build.name] = out if compile_file(self.csrc, source, base.build, out) else None
        return self.changed[base.build.name]

    @contextmanager
    def faulty_file(self) -> Iterator[None]:
        """Let the file have its fault for a while."""
        path = self.csrc / self.file
        before = path.read_bytes()
        try:
            path.write_text(self.text, encoding="utf-8")
            yield
        finally:
            path.write_bytes(before)

    def objects(self, base: Base) -> list[Path]:
        """Return all objects but those of tests, one of them with the fault."""
        changed = self.compile_fault(base) if self.file else None
        names = [object_name(self.csrc, path) for path in sources(self.csrc)]
        return [changed if changed and name == changed.name else base.objects / name for name in names]

    def package(self, base: Base) -> Path:
        """Link the extension into a package of its own, once; return the folder to import from."""
        if base.build.name not in self.packages:
            package = self.folder / base.build.name / "lib" / "skelkin_py"
            if not package.is_dir():
                shutil.copytree(SCRATCH / "tree" / "skelkin_py", package)
            link(base, ["-shared", *self.objects(base)], package / "_core.abi3.so")
            self.packages[base.build.name] = package.parent
        return self.packages[base.build.name]

    def program(self, base: Base, source: Path) -> Path:
        """Link one of the C tests."""
        out = self.folder / base.build.name / source.stem
        out.parent.mkdir(exist_ok=True)
        wrap = ["-Wl,--wrap=malloc,--wrap=calloc,--wrap=free"] if "no_memory" in source.stem else []
        pieces = [path for path in self.objects(base) if not path.name.startswith("python-")]
        own = base.objects / f"{source.stem}.o"
        if self.file.startswith("kernels/") and '.inl"' in source.read_text(encoding="utf-8"):  # it has kernels itself
            with self.faulty_file():
                if compile_test(self.csrc, source, base.build, out.with_suffix(".o")):
                    own = out.with_suffix(".o")
        link(base, [*wrap, own, *pieces], out)
        return out


def link(base: Base, pieces: list[str | Path], out: Path) -> None:
    """Link objects of one build."""
    done = run(*compiler(), "-pthread", *base.build.flags, *pieces, "-lm", "-o", out)
    assert done.returncode == 0, done.stderr


def same_code(a: Path, b: Path) -> bool:
    """Whether two objects are the same, byte for byte."""
    return hashlib.sha256(a.read_bytes()).digest() == hashlib.sha256(b.read_bytes()).digest()
