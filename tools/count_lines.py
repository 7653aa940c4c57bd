# SPDX-License-Identifier: MIT
"""Count lines of code: those with a token that is no comment and no docstring.

Usage: python tools/count_lines.py [FOLDER ...]
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("skelkin_py", "csrc", "blender_addon")
PYTHON = {".py", ".pyi"}
C = {".c", ".h", ".inl"}
LAYOUT = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
}
# A string or character of C is kept, so that what looks like a comment in it is none.
C_COMMENT = re.compile(r'("(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\')|/\*.*?\*/|//[^\n]*', re.S)


def docstring_lines(tree: ast.Module) -> set[int]:
    """Return the lines of all docstrings."""
    lines: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and node.body:
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(getattr(first.value, "value", None), str):
                lines.update(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    return lines


def python_lines(text: str) -> int:
    """Return how many lines of a Python file hold code."""
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in LAYOUT:
            lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines - docstring_lines(ast.parse(text)))


def c_lines(text: str) -> int:
    """Return how many lines of a C file hold code."""
    code = C_COMMENT.sub(lambda match: match[1] or "\n" * match[0].count("\n") or " ", text)
    return sum(bool(line.strip()) for line in code.splitlines())


def count(folder: Path) -> int:
    """Return how many lines of code the sources below a folder hold."""
    return sum(
        (python_lines if path.suffix in PYTHON else c_lines)(path.read_text(encoding="utf-8"))
        for path in folder.rglob("*")
        if path.suffix in PYTHON | C
    )


if __name__ == "__main__":
    for name in sys.argv[1:] or FOLDERS:
        print(f"{count(ROOT / name):6} {name}")
