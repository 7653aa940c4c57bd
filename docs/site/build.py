# SPDX-License-Identifier: MIT
"""Make the site: `make docs` runs this in its own venv, in which the wheel is installed.

Pages and notebooks are copied to build/site-source, at the places where they are in the tree, so that links mean there
what they mean on GitHub. Lists of what is below a page are added to the copies, pages of the references are written
beside them, and Sphinx makes build/site of it all: every notebook runs, and every warning is an error.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import c_reference
import python_reference

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
SOURCE, SITE = BUILD / "site-source", BUILD / "site"

# What is copied beside the pages, since they link to it or show it.
COPIED = [
    "CHANGELOG.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "SECURITY.md", "README.md", "LICENSE", "THIRD_PARTY.md",
    "docs/**/*.md", "docs/figures/**/*.svg", "docs/figures/**/*.png", "docs/figures/*.gif",
    "examples/*.ipynb", "examples/*.py", "examples/c/*", "examples/blender/*.py",
    "benchmarks/README.md", "benchmarks/results/*.md",
]  # fmt: skip

# Which pages are below which one, in their order; a page that is nowhere here is an error.
SECTIONS = {
    "docs/index": [
        "Start </docs/start/index>",
        "Guides </docs/guides/index>",
        "Concepts </docs/concepts>",
        "Blender </docs/addon>",
        "Reference </docs/reference/index>",
        "Limits </docs/limits>",
        "Measured </docs/measured>",
        "Project </docs/project>",
    ],
    "docs/start/index": [
        "/docs/start/shell",
        "/docs/start/blender",
        "/examples/start_jupyter",
        "/examples/start_python",
        "/docs/start/c",
        "/examples/start_shell",
        "/examples/start_blender",
        "/docs/coming-from",
    ],
    "docs/guides/index": [
        "/docs/guides/fix-a-clip",
        "/docs/guides/looks-wrong",
        "/docs/guides/uneven-ground",
        "/docs/guides/loops",
        "/docs/guides/by-hand",
        "/docs/guides/data-sets",
        "/docs/guides/bvh",
        "/docs/guides/gltf",
        "/docs/guides/skin-a-character",
        "/docs/guides/your-own-rig",
        "/docs/guides/notebooks",
        "/docs/guides/amass",
        "/docs/guides/positions-to-rotations",
        "/docs/gallery",
    ],
    "docs/concepts": [
        "/docs/conventions",
        "/docs/words",
        "/docs/kinematics",
        "/docs/ik",
        "/docs/skinning",
        "/docs/planting",
        "/docs/how-planting-works",
        "/docs/errata",
    ],
    "docs/addon": ["/docs/addon-by-hand", "/docs/leg-ik-on-rigs", "/docs/sparse-keys", "/docs/blender"],
    "docs/reference/index": [
        "/docs/functions",
        "Command line </docs/command-line>",
        "/docs/command-line-json",
        "/docs/reference/python/index",
        "/docs/reference/c/index",
    ],
    "docs/measured": [
        "/docs/how-planting-is-measured",
        "/docs/planting-figures",
        "/docs/planting-judge",
        "/docs/planting-beside",
        "/docs/blender-parity",
        "/docs/performance",
        "/docs/coverage",
        "/docs/mutation",
        "/benchmarks/README",
    ],
    "docs/project": [
        "/docs/status",
        "/docs/accessibility",
        "/docs/platforms",
        "/docs/windows",
        "/docs/architecture",
        "/CONTRIBUTING",
        "/SECURITY",
        "/CODE_OF_CONDUCT",
        "/CHANGELOG",
    ],
}
# What the references are made from, and where on the site they stand; docs/reference/index.md links to either.
MADE = {
    "../../skelkin_py/__init__.py": "python/index.md",
    "../../csrc/include/skelkin/skelkin.h": "c/index.md",
}
# Pages that are looked at elsewhere, and linked to from here.
BESIDE = ["README.md", "THIRD_PARTY.md", "benchmarks/results/*.md"]
DOOR = """<!DOCTYPE html>
<meta charset="utf-8"><title>skelkin</title>
<meta http-equiv="refresh" content="0; url=docs/index.html">
<a href="docs/index.html">skelkin</a>
"""


def toctree(entries: list[str], *, hidden: bool = True) -> str:
    """Return a list of pages as MyST has it."""
    return "\n\n```{toctree}\n" + (":hidden:\n" if hidden else ":maxdepth: 1\n") + "\n" + "\n".join(entries) + "\n```\n"


def stage() -> None:
    """Copy what the site is made of, and write what is made from the sources."""
    shutil.rmtree(SOURCE, ignore_errors=True)
    for pattern in COPIED:
        for path in ROOT.glob(pattern):
            if path.is_file():
                place = SOURCE / path.relative_to(ROOT)
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(path, place)
    for pattern in BESIDE:
        for path in SOURCE.glob(pattern):
            path.write_text("---\norphan: true\n---\n\n" + path.read_text(encoding="utf-8"), encoding="utf-8")
    python, c = SOURCE / "docs/reference/python", SOURCE / "docs/reference/c"
    for folder in (python, c):
        folder.mkdir(parents=True)
    written = {
        python / "index.md": (PYTHON, python_reference.write(python)),
        c / "index.md": (C, c_reference.write(ROOT / "csrc/include/skelkin", c)),
    }
    for path, (words, names) in written.items():
        path.write_text(words + toctree(names, hidden=False), encoding="utf-8")
    page = SOURCE / "docs/reference/index.md"
    told = page.read_text(encoding="utf-8")
    for source, made in MADE.items():
        told = told.replace(f"]({source})", f"]({made})")
    page.write_text(told, encoding="utf-8")
    for page, entries in SECTIONS.items():
        with (SOURCE / f"{page}.md").open("a", encoding="utf-8") as file:
            file.write(toctree(entries))


PYTHON = """\
# Python

Use it as `import skelkin_py as sk`. Every function has an example, and a test runs each of them. The
[conventions](../../conventions.md) hold everywhere: column vectors, quaternions `w x y z`, radians, spaces in the name.
"""
C = """\
# C and C++

`#include "skelkin/skelkin.h"` has everything; each header may also be included alone, from C11 and from C++17. These
pages are made from the comments of the headers. [The start in C](../../start/c.md) builds and links a first program.
"""


def run_sphinx(jobs: int) -> int:
    """Run Sphinx on the copies."""
    shutil.rmtree(SITE, ignore_errors=True)
    command = [
        sys.executable,
        "-P",
        "-m",
        "sphinx",
        "-q",
        "-W",
        "--keep-going",
        "-n",
        "-E",
        "-j",
        str(jobs),
        "-b",
        "html",
    ]
    command += ["-c", str(ROOT / "docs/site"), "-d", str(BUILD / "site-doctrees"), str(SOURCE), str(SITE)]
    here = Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{here}{os.pathsep}{os.environ['PATH']}", "NO_COLOR": "1"}
    with tempfile.TemporaryDirectory() as home:  # what programs keep of their users is none of the site's
        environment |= dict.fromkeys(("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "MPLCONFIGDIR"), home)
        return subprocess.run(command, cwd=BUILD, env=environment, check=False).returncode


def name_toggles() -> None:
    """Name what opens a branch of the list of pages: the theme gives it an arrow alone."""
    for page in SITE.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        named = re.sub(r'<summary>(?=\s*<span class="toctree-toggle")', '<summary aria-label="Pages below">', text)
        if named != text:
            page.write_text(named, encoding="utf-8")


def main() -> int:
    """Make the site, and tell where it is."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--jobs", type=int, default=2, help="processes that read and write pages (default: 2)")
    begun = time.monotonic()
    stage()
    code = run_sphinx(arguments.parse_args().jobs)
    if code:
        return code
    name_toggles()
    (SITE / "index.html").write_text(DOOR, encoding="utf-8")
    files = [path for path in SITE.rglob("*") if path.is_file()]
    pages = sum(path.suffix == ".html" for path in files)
    size = sum(path.stat().st_size for path in files) / 1e6
    print(f"{SITE / 'index.html'}: {pages} pages, {size:.1f} MB, {time.monotonic() - begun:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
