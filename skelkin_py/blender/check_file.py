# SPDX-License-Identifier: MIT
"""Run the comparison with Blender on a file, in a Blender of its own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from .._support.printable import escaped
from .check import Difference

# Runs inside Blender, which knows nothing of this package but where it lies. No entry of sys.path leads there: what is
# installed beside the package, numpy above all, is for another Python.
_INSIDE = """
import importlib.util, json, os, sys
import bpy
if {opens!r}:
    bpy.ops.wm.open_mainfile(filepath={file!r})
spec = importlib.util.spec_from_file_location({package!r}, {init!r}, submodule_search_locations=[{folder!r}])
sys.modules[{package!r}] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(sys.modules[{package!r}])
from {package}.blender.check import check_scene
rows = [row._asdict() for row in check_scene()]
with open({result!r}, "w", encoding="utf-8") as out:
    json.dump({{"version": bpy.app.version_string, "rows": rows}}, out)
sys.stdout.flush()
os._exit(0)  # some Blenders as modules crash in their clean-up
"""


def check_file(file: str | os.PathLike[str], blender: str | None = None) -> tuple[str, list[Difference]]:
    """Compare what is computed here with what Blender evaluates for a file, at the frame it was saved in.

    Parameters
    ----------
    file : path
        A ``.blend`` file.
    blender : str, optional
        A Blender, or a Python that has ``bpy``; by default the ``blender`` on the path, else this Python.

    Returns
    -------
    version : str
        Of the Blender that ran.
    rows : list of Difference
        One per armature, action and mesh.

    Raises
    ------
    FileNotFoundError
        There is no such file or no Blender.
    ValueError
        Blender could not read the file, or ended before it had answered.

    Examples
    --------
    >>> version, rows = check_file("walk.blend")  # doctest: +SKIP
    """
    path = Path(file).resolve()
    if not path.is_file():
        raise FileNotFoundError(2, "there is no such file", os.fspath(file))
    program = blender or shutil.which("blender") or _own_python()
    if program is None:
        raise FileNotFoundError("no Blender on the path: name one with --blender, or a Python that has bpy")
    package = Path(__file__).resolve().parents[1]
    with tempfile.TemporaryDirectory(prefix="skelkin-check-") as folder:
        script, result = Path(folder) / "check.py", Path(folder) / "result.json"
        module = _is_python(program)
        script.write_text(
            _INSIDE.format(
                folder=os.fspath(package), init=os.fspath(package / "__init__.py"), package=package.name,
                file=os.fspath(path), result=os.fspath(result), opens=module,
            ),
            encoding="utf-8",
        )  # fmt: skip
        command = [program, os.fspath(script)]
        if not module:
            command = [program, "-b", "-noaudio", os.fspath(path), "--python-exit-code", "1", "--python", command[1]]
        ended = _run(command)
        if not result.is_file():
            lines = (ended.stdout + ended.stderr).strip().splitlines()
            telling = [line for line in lines if "rror" in line and "script failed" not in line] or lines
            last = f"; its output ends with: {telling[-1]}" if lines else ""
            raise ValueError(f"{program} ended with {ended.returncode} before it had compared {file}{last}")
        try:
            answer = json.loads(result.read_text(encoding="utf-8"))
            return str(answer["version"]), [Difference(**row) for row in answer["rows"]]
        except (ValueError, LookupError, TypeError, RecursionError) as error:
            raise ValueError(f"{program} gave an answer that cannot be read: {type(error).__name__}") from error


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    except OSError as error:
        if error.filename is None:  # Windows does not say it
            error.filename = command[0]
        raise


def _is_python(program: str) -> bool:
    ended = _run([program, "--version"])
    return (ended.stdout + ended.stderr).startswith("Python")


def _own_python() -> str | None:
    return None if _run([sys.executable, "-c", "import bpy"]).returncode else sys.executable


def table(version: str, rows: list[Difference]) -> str:
    """Return the rows as text for a terminal."""
    if not rows:
        return f"Blender {escaped(version)}: the file has no armature and no mesh that one deforms."
    cells: list[tuple[str, ...]] = [("object", "part", "difference", "bound", "")]
    for row in rows:
        if row.error is None or row.bound is None:
            cells.append((row.name, row.part, "", "", f"not compared: {row.why}"))
        else:
            error = f"{row.error:.1e}" if row.error else "0"
            cells.append((row.name, row.part, error, f"{row.bound:.0e}", _verdict(row.error <= row.bound, row)))
    cells = [tuple(map(escaped, line)) for line in cells]
    widths = [max(len(line[k]) for line in cells) for k in range(4)]
    lines = ["  ".join([*(line[k].ljust(widths[k]) for k in range(4)), line[4]]).rstrip() for line in cells]
    return "\n".join([f"Blender {escaped(version)}", "", *lines, "", *_legend(rows)])


def _verdict(kept: bool, row: Difference) -> str:
    bits = "" if row.equal is None else f"; with exact=True {row.equal} of {row.bones} bones have Blender's bits"
    return ("ok" if kept else "ABOVE its bound") + bits


def _legend(rows: list[Difference]) -> list[str]:
    compared = [row.error <= row.bound for row in rows if row.error is not None and row.bound is not None]
    if not compared:
        return ["Nothing could be compared."]
    left_out = len(rows) - len(compared)
    more = f"; {left_out} could not be made" if left_out else ""
    return [
        f"{sum(compared)} of {len(compared)} comparisons are within their bounds{more}.",
        "A difference is the worst of all numbers, relative to the largest coordinate; a float32 resolves 6e-08.",
    ]
