# SPDX-License-Identifier: MIT
"""setup.py compiles for the CPU that is built for, whatever this machine is, and leaves out nothing unless told to."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import setuptools

ROOT = Path(__file__).resolve().parents[2]
X86 = ["sse2", "avx2", "avx512"]
# Stands for a compiler: notes what it is asked, refuses what it is told to, and leaves an empty file.
COMPILER = """#!/bin/sh
echo "$*" >>"$ASKED"
case "$*" in *"${REFUSED:-nothing}"*) echo 'no such option' >&2; exit 1 ;; esac
while [ "$1" != -o ]; do shift; done
: >"$2"
"""


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Callable[..., dict[str, Any]]:
    """Return what reads setup.py, with variables of the environment set, and builds nothing."""

    def read(**environment: str) -> dict[str, Any]:
        for name in ("ARCHFLAGS", "SKELKIN_WITHOUT_ISAS"):
            monkeypatch.delenv(name, raising=False)
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr(setuptools, "setup", lambda **given: None)
        return runpy.run_path(str(ROOT / "setup.py"))

    return read


def build(
    folder: Path, platform_name: str, **environment: str
) -> tuple[subprocess.CompletedProcess[str], dict[str, list[str]]]:
    """Build with a compiler that only notes; return what was said, and what was asked for each source."""
    compiler = folder / "cc"
    compiler.write_text(COMPILER)
    compiler.chmod(0o700)
    asked = folder / "asked"
    told = subprocess.run(
        [
            *(sys.executable, "setup.py", "build_ext", f"--plat-name={platform_name}"),
            *(f"--build-{name}={folder / name}" for name in ("temp", "lib")),
        ],
        cwd=ROOT, capture_output=True, text=True, check=False,
        env={**os.environ, "CC": str(compiler), "ASKED": str(asked), **environment},
    )  # fmt: skip
    lines = [line.split() for line in asked.read_text().splitlines()] if asked.exists() else []
    return told, {Path(line[line.index("-c") + 1]).name: line for line in lines if "-c" in line}


@pytest.mark.parametrize(
    ("platform_name", "flags", "cpus", "isas"),
    [
        ("linux-x86_64", "", ["x86_64"], X86),
        ("linux-i686", "", ["i686"], X86),
        ("linux-aarch64", "", ["arm64"], ["neon"]),
        ("linux-armv7l", "", ["armv7l"], []),
        ("linux-s390x", "", ["s390x"], []),
        ("linux-riscv64", "", ["riscv64"], []),
        ("win-amd64", "", ["x86_64"], X86),
        ("win32", "", ["i686"], X86),
        ("win-arm64", "", ["arm64"], ["neon"]),
        ("mingw_x86_64_ucrt_gnu", "", ["x86_64"], X86),
        ("macosx-11.0-arm64", "", ["arm64"], ["neon"]),
        ("macosx-10.13-x86_64", "", ["x86_64"], X86),
        ("macosx-11.0-arm64", "-arch x86_64", ["x86_64"], X86),
        ("macosx-10.13-universal2", "", ["arm64", "x86_64"], ["neon", *X86]),
        ("macosx-10.13-universal2", "-arch arm64", ["arm64"], ["neon"]),
        ("macosx-10.13-universal2", "-arch x86_64 -arch arm64", ["x86_64", "arm64"], [*X86, "neon"]),
        ("linux-x86_64", "-arch arm64", ["x86_64"], X86),
    ],
)
def test_kernels_are_those_of_the_cpu_that_is_built_for(script, platform_name, flags, cpus, isas) -> None:
    setup = script(ARCHFLAGS=flags)
    assert setup["target_cpus"](platform_name) == cpus
    assert list(setup["isas_of"](cpus)) == isas


def test_a_python_of_32_bits_on_a_kernel_of_64_is_built_for_32(script, monkeypatch: pytest.MonkeyPatch) -> None:
    setup = script()
    monkeypatch.setattr(sys, "maxsize", 2**31 - 1)
    monkeypatch.setattr("sysconfig.get_platform", lambda: "linux-x86_64")
    assert setup["target_cpus"]("linux-x86_64") == ["i686"]


def test_what_is_left_out_by_name_is_known(script) -> None:
    assert list(script(SKELKIN_WITHOUT_ISAS="avx512 avx2")["isas_of"](["x86_64"])) == ["sse2"]
    with pytest.raises(Exception, match=r"^SKELKIN_WITHOUT_ISAS names avx: there are sse2 avx2 avx512 neon$"):
        script(SKELKIN_WITHOUT_ISAS="avx")["isas_of"](["x86_64"])


@pytest.mark.slow
def test_kernels_of_another_cpu_than_this_are_built_for_it(tmp_path: Path) -> None:
    told, asked = build(tmp_path, "linux-aarch64")
    assert told.returncode == 0, told.stderr
    assert {name for name in asked if name.startswith("kernels_")} == {"kernels_neon.c", "kernels_scalar.c"}
    assert [word for word in asked["dispatch.c"] if "SKL_HAVE" in word] == ["-DSKL_HAVE_NEON=1"]


@pytest.mark.slow
def test_two_cpus_at_once_have_each_its_own_flags(tmp_path: Path) -> None:
    told, asked = build(tmp_path, "macosx-11.0-universal2")
    assert told.returncode == 0, told.stderr
    text = " ".join(asked["kernels_avx2.c"])
    assert text.endswith("-Xarch_x86_64 -mavx2 -Xarch_x86_64 -mfma")
    for isa, cpu in (("avx512", "x86_64"), ("avx2", "x86_64"), ("sse2", "x86_64"), ("neon", "arm64")):
        assert f"-Xarch_{cpu} -DSKL_HAVE_{isa.upper()}=1" in " ".join(asked["dispatch.c"])


@pytest.mark.slow
def test_a_refused_kernel_is_an_error_that_says_how_to_go_on(tmp_path: Path) -> None:
    told, _ = build(tmp_path, "linux-x86_64", REFUSED="-mavx512f")
    assert told.returncode != 0
    assert "the compiler refuses the kernels of avx512, which are promised for linux-x86_64" in told.stderr
    assert not list((tmp_path / "lib").rglob("_core*"))
    told, asked = build(tmp_path, "linux-x86_64", REFUSED="-mavx512f", SKELKIN_WITHOUT_ISAS="avx512")
    assert told.returncode == 0, told.stderr
    assert [word for word in asked["dispatch.c"] if "SKL_HAVE" in word] == ["-DSKL_HAVE_AVX2=1", "-DSKL_HAVE_SSE2=1"]
