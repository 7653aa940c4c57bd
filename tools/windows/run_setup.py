# SPDX-License-Identifier: MIT
"""Run our setup.py on Linux for Windows, in a copy of the tree: run_setup.py PYTHON [quick] (for home.py)."""

from __future__ import annotations

import distutils.sysconfig
import os
import runpy
import sys
from distutils.cygwinccompiler import CygwinCCompiler
from pathlib import Path
from typing import Any

import numpy
import setuptools.command.build_ext as building

python = Path(sys.argv[1])
if "quick" in sys.argv:
    compile_one = CygwinCCompiler._compile

    def compile_quickly(
        self: Any, made: str, source: str, ending: str, given: Any, last: list[str], macros: Any
    ) -> None:
        """Compile a file without optimisation, which is most of the work."""
        last = ["-O0" if flag in ("-O1", "-O3") else flag for flag in last]
        compile_one(self, made, source, ending, given, last, macros)

    CygwinCCompiler._compile = compile_quickly
building.get_abi3_suffix = lambda: ".pyd"
distutils.sysconfig.get_python_inc = lambda *_, **__: str(python / "include")
numpy.get_include = lambda: str(python / "Lib" / "site-packages" / "numpy" / "_core" / "include")
ccache = "ccache " if os.environ.get("CC", "").startswith("ccache ") else ""
os.environ["CC"] = f"{ccache}x86_64-w64-mingw32-gcc -static-libgcc"
os.environ["SETUPTOOLS_EXT_SUFFIX"] = ".pyd"
Path("setup.cfg").write_text(
    f"[build_ext]\ncompiler = mingw32\nlibraries = python3\nlibrary_dirs = {python / 'libs'}\n"
    "[bdist_wheel]\nplat_name = win_amd64\n"
)
sys.argv[1:] = ["-q", "bdist_wheel"]
runpy.run_path("setup.py", run_name="__main__")
