# SPDX-License-Identifier: MIT
"""Build of the C extension; everything that is not about compiling stands in pyproject.toml."""

from __future__ import annotations

import os
import platform
import re
import runpy
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError
from setuptools.modified import newer_group

ROOT = Path(__file__).resolve().parent
CSRC = ROOT / "csrc"
HASHING = runpy.run_path(str(ROOT / "skelkin_py" / "_support" / "source_hash.py"))
SOURCE_HASH = HASHING["source_hash"](CSRC)
VERSION = runpy.run_path(str(ROOT / "skelkin_py" / "_support" / "version.py"))["__version__"]
FREE_THREADED = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
SANITIZE = os.environ.get("SKELKIN_SANITIZE", "")
COVERAGE = bool(os.environ.get("SKELKIN_COVERAGE"))
# Instruction sets named here, with blanks between, are left out: for compilers that do not know them.
WITHOUT = os.environ.get("SKELKIN_WITHOUT_ISAS", "").split()

# Kernels beyond the scalar ones, best last: flags of gcc and clang, and of MSVC. SSE2 and NEON are part of every 64-bit
# CPU.
AVX512 = ["-mavx512f", "-mavx512bw", "-mavx512dq", "-mavx512vl"]
X86_ISAS = {"sse2": ["-msse2"], "avx2": ["-mavx2", "-mfma"], "avx512": [*AVX512, "-mfma"]}
ARM_ISAS: dict[str, list[str]] = {"neon": []}
ISAS = {**X86_ISAS, **ARM_ISAS}
MSVC_ISAS = {"avx2": ["/arch:AVX2"], "avx512": ["/arch:AVX512"]}

# -ffp-contract=off: a * b + c is fused only where the source says so; -fno-math-errno: sqrt is one instruction;
# -g0: CPython's own flags ask for debug information, which takes two fifths of the build (SKELKIN_DEBUG keeps it).
UNIX_FLAGS = ["-std=c11", "-O3", "-fvisibility=hidden", "-ffp-contract=off", "-fno-math-errno", "-pthread"]
UNIX_FLAGS += [] if os.environ.get("SKELKIN_DEBUG") or SANITIZE else ["-g0"]
# Of what runs only when it is asked for: plain C where every CPU has vectors, and in an editable install each set but
# the best that this CPU has. It is not worth half of the compilation; the bits are the same.
SELDOM_FLAGS = ["-O1"]
# Every check in unrolled loops takes compilers minutes: under sanitizers, kernels have their addresses checked, by
# calls where there are many. The plain ones are not what such a build runs.
SANITIZED_FLAGS = ["-Og", "-fno-sanitize=undefined", "--param", "asan-instrumentation-with-call-threshold=50"]
# Where a CPU computes float or double with more digits by itself, it is told not to.
EXACT_FLAGS = {"i686": ["-msse2", "-mfpmath=sse"], "s390x": ["-fexcess-precision=fast"]}
MSVC_FLAGS = ["/std:c11", "/O2", "/fp:precise"]
# mingw-w64's own mathematics are the x87's: sines of large angles are wrong, since its pi has 66 bits, and last bits
# hang on the precision that the thread happens to work in. The system's are right. gcc is not to make sine and cosine
# of one angle by a function that the system has not.
DOUBLES = [
    *("acos", "asin", "atan", "atan2", "cbrt", "cos", "exp", "exp2", "expm1", "fma", "fmod"),
    *("log", "log1p", "log2", "pow", "remainder", "sin", "sqrt", "tan"),
]
SYSTEM_MATHS = [name + kind for name in DOUBLES for kind in ("", "f")]
MINGW_FLAGS = [f"-fno-builtin-{name}" for name in ("sin", "cos", "sinf", "cosf")]
# Stacks of Windows are aligned to 16 bytes, which gcc forgets where it keeps wider vectors there (its bug 54412).
MINGW_FLAGS += ["-Wa,-muse-unaligned-vector-move"]
# The one source that asks which kernels there are.
DISPATCH = "csrc/core/base/dispatch.c"
# The one that says what the extension was made of.
IDENTITY = "csrc/python/base/module.c"


def relative(path: Path) -> str:
    """Return the path as setuptools wants it."""
    return path.relative_to(ROOT).as_posix()


def asked_flags() -> list[str]:
    """Return the flags that SKELKIN_SANITIZE=address,undefined and SKELKIN_COVERAGE=1 ask for."""
    flags = []
    if SANITIZE:
        flags += [f"-fsanitize={SANITIZE}", "-fno-sanitize-recover=undefined", "-fno-omit-frame-pointer", "-g1", "-O1"]
    if COVERAGE:  # threads count the same lines: what is not atomic loses some
        flags += ["--coverage", "-fprofile-update=atomic", "-O1"]
    return flags


def target_cpus(platform_name: str) -> list[str]:
    """Return the CPUs to compile for: x86_64, i686 or arm64 where kernels are theirs, else what the platform is called.

    The platform is the one built for, whatever machine this is; macOS has builds for two CPUs at once.
    """
    if platform_name.startswith("macosx"):
        asked = re.findall(r"-arch\s+(\S+)", os.environ.get("ARCHFLAGS", ""))
        asked = asked or (["arm64", "x86_64"] if "universal2" in platform_name else [])
        if asked:
            return list(dict.fromkeys(asked))
    if re.search(r"aarch64|arm64", platform_name):
        return ["arm64"]
    if re.search(r"x86_64|amd64", platform_name):
        own = platform_name == sysconfig.get_platform()  # which is the kernel's, also for a Python of 32 bits
        return ["i686" if own and sys.maxsize < 2**32 else "x86_64"]
    return ["i686" if re.search(r"i[3-6]86|win32", platform_name) else platform_name.rpartition("-")[2]]


def isas_of(cpus: list[str]) -> dict[str, list[str]]:
    """Return the instruction sets of the CPUs and their flags, each best last; of several CPUs, each for its own."""
    if unknown := set(WITHOUT) - set(ISAS):
        raise CompileError(f"SKELKIN_WITHOUT_ISAS names {' '.join(sorted(unknown))}: there are {' '.join(ISAS)}")
    isas = {}
    for cpu in cpus:
        kernels = {"x86_64": X86_ISAS, "i686": X86_ISAS, "arm64": ARM_ISAS}.get(cpu, {})
        isas.update({isa: for_cpu(flags, cpu, cpus) for isa, flags in kernels.items() if isa not in WITHOUT})
    return isas


def for_cpu(flags: Sequence[str], cpu: str, cpus: list[str]) -> list[str]:
    """Return the flags so that clang hears them for this one of the CPUs alone."""
    return list(flags) if len(cpus) == 1 else [word for flag in flags for word in (f"-Xarch_{cpu}", flag)]


def cpu_words() -> set[str]:
    """Return what the operating system calls the features of this CPU; nothing where that is not sure."""
    try:
        if platform.system() == "Linux":
            text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
        elif platform.system() == "Darwin":
            names = ["machdep.cpu.features", "machdep.cpu.leaf7_features"]
            text = subprocess.run(["sysctl", "-n", *names], capture_output=True, text=True, check=True).stdout
        else:
            text = ""
    except (OSError, ValueError, subprocess.SubprocessError):
        text = ""
    words = set(text.lower().split())
    return words if "sse2" in words else set()


def runs_here(isa: str, words: set[str]) -> bool:
    """Whether this CPU may have the instruction set, which the flags of gcc name."""
    return not words or all(flag.removeprefix("-m") in words for flag in ISAS[isa])


class BuildExt(build_ext):
    """Compile the kernels of each instruction set with its own flags, the rest with the common ones."""

    def build_extension(self, ext: Extension) -> None:
        """Compile and link one extension; an editable install compiles what has changed alone."""
        msvc = self.compiler.compiler_type == "msvc"
        self.cpus = target_cpus(self.plat_name)
        exact = [flag for cpu in self.cpus for flag in EXACT_FLAGS.get(cpu, [])]
        ext.extra_compile_args = MSVC_FLAGS if msvc else UNIX_FLAGS + exact + asked_flags()
        ext.extra_link_args = [] if msvc else ["-pthread", *asked_flags()]
        if mingw := self.compiler.compiler_type == "mingw32":
            ext.extra_compile_args += MINGW_FLAGS
        if self.editable_mode:
            self.build_temp = str(ROOT / "build" / "editable")
        mark = Path(self.build_temp) / "made_by"
        made_by = f"{sys.version} {numpy.__version__} {os.environ.get('CC')} {ext.extra_compile_args}"
        if not mark.is_file() or mark.read_text() != made_by:
            self.force = True
        self.compile_all(ext, msvc)
        if mingw:
            ext.extra_objects.append(self.system_maths())
        sources, ext.sources = ext.sources, []
        try:
            super().build_extension(ext)
        finally:
            ext.sources = sources
        mark.write_text(made_by)

    def wanted_isas(self) -> dict[str, list[str]]:
        """Return the instruction sets to compile, best first, each with flags of gcc and clang.

        A wheel has all of them, as fast as they get. An editable install stays on this machine, and somebody waits for
        it: it leaves out what this CPU cannot run, and does not optimise much what it will not choose. Sanitizers see
        as much in the set that every CPU has as in all.
        """
        known = isas_of(self.cpus)
        if SANITIZE:
            lowest = {isa: flags + SANITIZED_FLAGS for isa, flags in list(known.items())[:1]}
            return {**lowest, "scalar": ["-O0", "-fno-sanitize=all"] if lowest else SANITIZED_FLAGS}
        words = cpu_words() if self.editable_mode else set()
        isas = [isa for isa in reversed(known) if runs_here(isa, words)]
        flags = {isa: known[isa] + (SELDOM_FLAGS if words and isa != isas[0] else []) for isa in isas}
        return {**flags, "scalar": SELDOM_FLAGS if isas else []}

    def compile_all(self, ext: Extension, msvc: bool) -> None:
        """Compile every file side by side, kernels first, since they take longest."""
        macros = ext.define_macros
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            kernels = {
                isa: pool.submit(
                    self.compile_source,
                    ext,
                    f"csrc/kernels/kernels_{isa}.c",
                    [],
                    MSVC_ISAS.get(isa, []) if msvc else flags,
                )
                for isa, flags in self.wanted_isas().items()
            }
            plain = [source for source in ext.sources if source not in (DISPATCH, IDENTITY)]
            others = [pool.submit(self.compile_source, ext, source, macros) for source in plain]
            others.append(pool.submit(self.compile_source, ext, IDENTITY, [*macros, *identity()], always=True))
            have = []
            for isa, made in kernels.items():
                try:
                    ext.extra_objects.append(made.result())
                except CompileError as error:
                    if isa == "scalar":
                        raise
                    raise CompileError(
                        f"the compiler refuses the kernels of {isa}, which are promised for {self.plat_name}: take a "
                        f"newer compiler, or leave them out with SKELKIN_WITHOUT_ISAS={isa} ({error})"
                    ) from None
                if isa != "scalar":
                    cpu = "arm64" if isa in ARM_ISAS else "x86_64"
                    have += for_cpu([f"-DSKL_HAVE_{isa.upper()}=1"], cpu, self.cpus)
            others.append(pool.submit(self.compile_source, ext, DISPATCH, macros, have, always=True))
            ext.extra_objects += [made.result() for made in others]

    def system_maths(self) -> str:
        """Make what links mingw-w64's objects to the mathematics of Windows, and return its path."""
        library = Path(self.build_temp) / "libsystem_maths.a"
        definitions = library.with_suffix(".def")
        definitions.write_text("\n".join(["LIBRARY api-ms-win-crt-math-l1-1-0.dll", "EXPORTS", *SYSTEM_MATHS]))
        ask = [*self.compiler.compiler, "-print-prog-name=dlltool"]
        dlltool = subprocess.run(ask, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
        self.spawn([dlltool, "-d", str(definitions), "-l", str(library)])
        return str(library)

    def compile_source(
        self,
        ext: Extension,
        source: str,
        macros: list[tuple[str, str | None]],
        flags: Sequence[str] = (),
        *,
        always: bool = False,
    ) -> str:
        """Compile one file where it, or any header, is newer than its object, which is returned."""
        (made,) = self.compiler.object_filenames([source], output_dir=self.build_temp)
        if always or self.force or newer_group([source, *ext.depends], made, "newer"):
            self.compiler.compile(
                [source],
                output_dir=self.build_temp,
                macros=macros,
                include_dirs=ext.include_dirs,
                debug=self.debug,
                extra_postargs=[*ext.extra_compile_args, *flags],
            )
        return made


def identity() -> list[tuple[str, str | None]]:
    """Return the macros that say what the extension was made of."""
    named = {"SKELKIN_VERSION": VERSION, "SKELKIN_SOURCE_HASH": SOURCE_HASH, "SKELKIN_SANITIZE": SANITIZE}
    return [(name, f'"{value}"') for name, value in named.items() if value]


# The kernels are compiled once for each instruction set.
sources = sorted(path for path in CSRC.rglob("*.c") if CSRC / "kernels" not in path.parents)
core = Extension(
    "skelkin_py._core",
    sources=[*map(relative, sources)],
    include_dirs=["csrc", "csrc/include", numpy.get_include()],
    define_macros=[] if FREE_THREADED else [("Py_LIMITED_API", "0x030A0000")],
    depends=[*(relative(path) for path in HASHING["source_files"](CSRC) if path.suffix != ".c"), "setup.py"],
    py_limited_api=not FREE_THREADED,
)

setup(
    ext_modules=[core],
    cmdclass={"build_ext": BuildExt},
    options={} if FREE_THREADED else {"bdist_wheel": {"py_limited_api": "cp310"}},
)
