# SPDX-License-Identifier: MIT
"""Pages of the C reference, from the comments and declarations of csrc/include/skelkin.

A header begins with a comment that tells what it is about. Behind it stand groups without a blank line between them: a
comment and the declarations that it is about. `/* --- words --- */` begins a section.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

GROUP = re.compile(r"\n\s*\n")
COMMENT = re.compile(r"\A\s*/\*(.*?)\*/[ \t]*\n?", re.DOTALL)
RULE = re.compile(r"\A-{3,}\s*(.*?)\s*-{3,}\Z")
GUARD = re.compile(
    r"^#ifdef __cplusplus\n.*?^#endif\n|^#(?:ifndef|define) SKELKIN\w*_H\n|^#include [^\n]*\n|^#endif\s*\Z",
    re.DOTALL | re.MULTILINE,
)
FUNCTION = re.compile(r"^(?!typedef|struct|#)[\w *]*?\b(skl_\w+)\(([^;{]*)\);", re.MULTILINE)
TYPE = re.compile(r"^typedef (struct|enum) (skl_\w+)", re.MULTILINE)
POINTER = re.compile(r"^typedef [^;]*\(\*(skl_\w+)\)\([^;]*\);", re.MULTILINE)
MACRO = re.compile(r"^#define (SKL_\w+)", re.MULTILINE)


class Group(NamedTuple):
    """A comment and the declarations below it; a section's head has words alone."""

    words: str
    code: str

    @property
    def functions(self) -> list[str]:
        """Names of the functions that it declares."""
        return [found[1] for found in FUNCTION.finditer(self.code)]

    @property
    def names(self) -> list[str]:
        """Every name that it declares, in the order of kinds: functions, types, macros."""
        types = [found[2] for found in TYPE.finditer(self.code)]
        pointers = [found[1] for found in POINTER.finditer(self.code)]
        return [*self.functions, *types, *pointers, *MACRO.findall(self.code)]


class Header(NamedTuple):
    """A header, taken apart."""

    name: str
    words: str
    groups: list[Group]


def comment_text(comment: str) -> str:
    """Return the text of a comment without its stars."""
    return "\n".join(re.sub(r"^\s*\* ?", "", line).rstrip() for line in comment.strip("\n").split("\n")).strip()


def split(text: str) -> tuple[str, str]:
    """Return the words of the comment that a text begins with, and the rest."""
    found = COMMENT.match(text)
    return (comment_text(found[1]), text[found.end() :]) if found else ("", text)


def read_header(path: Path) -> Header:
    """Take a header apart."""
    _, text = split(path.read_text(encoding="utf-8"))  # the licence
    words, text = split(text)
    groups: list[Group] = []
    for piece in GROUP.split(GUARD.sub("", text)):
        told, code = split(piece.strip() + "\n")
        rule = RULE.match(told)
        if rule:
            groups.append(Group(rule[1], ""))
        elif told or code.strip():
            groups.append(Group(told, code.strip()))
    return Header(path.name, words, groups)


def sentences(words: str) -> str:
    """Return a comment as reStructuredText: names of the library stand as code, and an indented list as it is."""
    paragraphs = []
    for paragraph in re.split(r"\n\s*\n", words):
        if re.match(r"\s{2,}\S", paragraph) or re.search(r"\n {2,}\S+ {2,}", paragraph):
            paragraphs.append(
                ".. code-block:: text\n\n" + "\n".join(f"    {line}".rstrip() for line in paragraph.split("\n"))
            )
            continue
        parts = re.split(r"(`[^`\n]+`)", paragraph)
        for k, part in enumerate(parts):
            if k % 2:
                parts[k] = f"`{part}`"
            else:
                plain = re.sub(r"([*|\\])", r"\\\1", part)
                parts[k] = re.sub(r"\b(skl_\w+|SKL_\w+)\b", r"``\1``", plain).replace("_ ", "\\_ ")
        paragraphs.append("".join(parts))
    return "\n\n".join(paragraphs)


def heading(words: str, mark: str) -> str:
    """Return a heading."""
    return f"{words}\n{mark * len(words)}\n"


def declarations(group: Group) -> list[str]:
    """Return the names of a group as entries of the index that links and the search find."""
    lines = []
    for found in FUNCTION.finditer(group.code):
        lines.append(f".. c:function:: {' '.join(found[0].rstrip(';').split())}")
    lines += [f".. c:{kind}:: {name}" for kind, name in TYPE.findall(group.code)]
    lines += [f".. c:type:: {name}" for name in POINTER.findall(group.code)]
    lines += [f".. c:macro:: {name}" for name in MACRO.findall(group.code)]
    return lines


def group_text(group: Group) -> str:
    """Return a group: its entries, the comment, and the declarations as they stand in the header."""
    if not group.code:
        return heading(group.words[:1].upper() + group.words[1:], "-")
    entries = declarations(group)
    body = "\n\n".join(
        [
            *([sentences(group.words)] if group.words else []),
            ".. code-block:: c\n\n" + "\n".join(f"    {line}".rstrip() for line in group.code.split("\n")),
        ]
    )
    first, last = "\n".join(f"{line}\n" for line in entries[:-1]), entries[-1] if entries else ""
    indented = "\n".join(f"   {line}".rstrip() for line in body.split("\n"))
    return f"{first}\n{last}\n\n{indented}\n" if last else f"{body}\n"


def page(header: Header) -> str:
    """Return the page of a header."""
    title, *rest = re.split(r"\n\s*\n", header.words)
    parts = [
        heading(header.name, "="),
        f"*{sentences(' '.join(title.split()))}*",
        f'``#include "skelkin/{header.name}"``',
    ]
    parts += [sentences(paragraph) for paragraph in rest]
    parts += [group_text(group) for group in header.groups]
    return "\n\n".join(parts) + "\n"


def headers(folder: Path) -> list[Header]:
    """Return all headers in the order in which skelkin.h includes them, that one first."""
    first = folder / "skelkin.h"
    names = re.findall(r'^#include "skelkin/(\w+\.h)"', first.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return [read_header(folder / name) for name in ("skelkin.h", *names)]


def write(folder: Path, pages: Path) -> list[str]:
    """Write a page for each header, and return their names without suffix."""
    names = []
    for header in headers(folder):
        name = header.name.removesuffix(".h")
        (pages / f"{name}.rst").write_text(page(header), encoding="utf-8")
        names.append(name)
    return names
