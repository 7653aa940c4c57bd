# SPDX-License-Identifier: MIT
"""Build of the C extension; everything that is not about compiling stands in pyproject.toml."""

from __future__ import annotations

import os
import platform
import runpy
import sysconfig
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError
from setuptools.modified import newer_group

ROOT = Path(__file__).resolve().parent
CSRC = ROOT / "csrc"
HASHING = runpy.run_path(str(ROOT / "skelkin_py" / "_source_hash.py"))
SOURCE_HASH = HASHING["source_hash"](CSRC)
VERSION = runpy.run_path(str(ROOT / "skelkin_py" / "_version.py"))["__version__"]
FREE_THREADED = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
SANITIZE = os.environ.get("SKELKIN_SANITIZE", "")
X86 = platform.machine().lower() in ("x86_64", "amd64", "i386", "i686", "x86")

ARM = platform.machine().lower() in ("aarch64", "arm64")

# Kernels beyond the scalar ones: flags of gcc and clang, flags of MSVC. SSE2 and NEON are part of every 64-bit CPU.
AVX512 = ["-mavx512f", "-mavx512bw", "-mavx512dq", "-mavx512vl"]
ISAS: dict[str, tuple[list[str], list[str]]] = {}
if X86:
    ISAS = {
        "sse2": (["-msse2"], []),
        "avx2": (["-mavx2", "-mfma"], ["/arch:AVX2"]),
        "avx512": ([*AVX512, "-mfma"], ["/arch:AVX512"]),
    }
elif ARM:
    ISAS = {"neon": ([], [])}

# -ffp-contract=off: a * b + c is fused only where the source says so; -fno-math-errno: sqrt is one instruction;
# -g0: CPython's own flags ask for debug information, which takes two fifths of the build (SKELKIN_DEBUG keeps it).
UNIX_FLAGS = ["-std=c11", "-O3", "-fvisibility=hidden", "-ffp-contract=off", "-fno-math-errno", "-pthread"]
UNIX_FLAGS += [] if os.environ.get("SKELKIN_DEBUG") or SANITIZE else ["-g0"]
# Where every CPU has vectors, plain C runs only when it is asked for: it is not worth the longest compilation.
PLAIN_FLAGS = ["-O1"] if ISAS else []
MSVC_FLAGS = ["/std:c11", "/O2", "/fp:precise"]


def relative(path: Path) -> str:
    """Return the path as setuptools wants it."""
    return path.relative_to(ROOT).as_posix()


def sanitizer_flags() -> list[str]:
    """Return the flags that SKELKIN_SANITIZE=address,undefined asks for."""
    if not SANITIZE:
        return []
    return [f"-fsanitize={SANITIZE}", "-fno-sanitize-recover=undefined", "-fno-omit-frame-pointer", "-g", "-O1"]


class BuildExt(build_ext):
    """Compile the kernels of each instruction set with its own flags, the rest with the common ones."""

    def build_extension(self, ext: Extension) -> None:
        """Compile and link one extension."""
        msvc = self.compiler.compiler_type == "msvc"
        ext.extra_compile_args = MSVC_FLAGS if msvc else UNIX_FLAGS + sanitizer_flags()
        ext.extra_link_args = [] if msvc else ["-pthread", *sanitizer_flags()]
        # A removed file changes the hash but is newer than nothing.
        mark = Path(self.build_temp) / "source_hash"
        stamp = f"{SOURCE_HASH} {VERSION} {SANITIZE}"
        if not mark.is_file() or mark.read_text() != stamp:
            self.force = True
        if self.force or newer_group(ext.sources + ext.depends, self.get_ext_fullpath(ext.name), "newer"):
            # One file for each instruction set, the longest to compile of all: side by side.
            with ThreadPoolExecutor(os.cpu_count()) as pool:
                objects = {isa: pool.submit(self.compile_kernels, ext, isa, msvc) for isa in ("scalar", *ISAS)}
                for isa, made in objects.items():
                    try:
                        ext.extra_objects += made.result()
                    except CompileError as error:
                        if isa == "scalar":
                            raise
                        warnings.warn(f"no {isa} kernels: the compiler refuses their flags ({error})", stacklevel=1)
                    else:
                        ext.define_macros.append((f"SKL_HAVE_{isa.upper()}", "1"))
                for made in [pool.submit(self.compile_source, ext, source) for source in ext.sources]:
                    ext.extra_objects += made.result()
        sources, ext.sources = ext.sources, []
        try:
            super().build_extension(ext)
        finally:
            ext.sources = sources
        mark.parent.mkdir(parents=True, exist_ok=True)
        mark.write_text(stamp)

    def compile_kernels(self, ext: Extension, isa: str, msvc: bool) -> list[str]:
        """Compile the kernels of one instruction set and return the object."""
        unix_flags, msvc_flags = ISAS.get(isa, (PLAIN_FLAGS, []))
        return self.compiler.compile(
            [f"csrc/kernels/kernels_{isa}.c"],
            output_dir=self.build_temp,
            extra_postargs=ext.extra_compile_args + (msvc_flags if msvc else unix_flags),
            depends=ext.depends,
        )

    def compile_source(self, ext: Extension, source: str) -> list[str]:
        """Compile one of the other files, which are the same for every instruction set, and return the object."""
        return self.compiler.compile(
            [source],
            output_dir=self.build_temp,
            macros=ext.define_macros,
            include_dirs=ext.include_dirs,
            debug=self.debug,
            extra_postargs=ext.extra_compile_args,
            depends=ext.depends,
        )


macros: list[tuple[str, str | None]] = [
    ("SKELKIN_VERSION", f'"{VERSION}"'),
    ("SKELKIN_SOURCE_HASH", f'"{SOURCE_HASH}"'),
]
if SANITIZE:
    macros.append(("SKELKIN_SANITIZE", f'"{SANITIZE}"'))
if not FREE_THREADED:
    macros.append(("Py_LIMITED_API", "0x030A0000"))

sources = [path for folder in ("core", "blender", "python") for path in sorted((CSRC / folder).glob("*.c"))]
core = Extension(
    "skelkin_py._core",
    sources=[*map(relative, sources)],
    include_dirs=[numpy.get_include()],
    define_macros=macros,
    depends=[*map(relative, HASHING["source_files"](CSRC)), "setup.py", "skelkin_py/_version.py"],
    py_limited_api=not FREE_THREADED,
)

setup(
    ext_modules=[core],
    cmdclass={"build_ext": BuildExt},
    options={} if FREE_THREADED else {"bdist_wheel": {"py_limited_api": "cp310"}},
)
