# SPDX-License-Identifier: MIT
"""Faults in the C source: where one could be made, and a sequence of them drawn by a seed."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDERS = ("planting", "core", "kernels")
# Of headers only those of kernels: they are compiled into one object, others into many.
PATTERNS = ("planting/**/*.c", "core/**/*.c", "kernels/**/*.inl", "kernels/**/*.h")


@dataclass(frozen=True)
class Fault:
    """One place of one file with other text: `old` at `column` of `line`, which counts from 1, becomes `new`."""

    file: str
    line: int
    column: int
    kind: str
    old: str
    new: str

    def apply(self, text: str) -> str:
        """Return the text of the file with the fault in it."""
        lines = text.split("\n")
        lines[self.line - 1] = self.changed(lines[self.line - 1])
        return "\n".join(lines)

    def changed(self, line: str) -> str:
        """Return the line with the fault in it."""
        assert line.startswith(self.old, self.column)
        return line[: self.column] + self.new + line[self.column + len(self.old) :]


_NOT_CODE = re.compile(
    r"/\*.*?\*/ | //[^\n]* | \"(?:\\.|[^\"\\\n])*\" | '(?:\\.|[^'\\\n])*' | ^[ \t]*\#(?:\\.|[^\\\n])*",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_TYPE = r"(?:double|float|real|int|char|bool|size_t|u?int\d+_t|skl_\w+|[WR]\(\w+\))"
_DECLARES = re.compile(rf"(?:^|[(,;{{])\s*(?:static |const |struct )*{_TYPE}\b[ *]+(?:const )?[\w\[\], *]*$")


def code_only(text: str) -> str:
    """Return the text with comments, strings and preprocessor lines blank, everything else where it was."""
    return _NOT_CODE.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def other_number(text: str) -> str:
    """Return a whole number raised by one, any other doubled; one below 1e-6, where that is nothing, times 1000."""
    if re.fullmatch(r"\d+", text):
        return str(int(text) + 1)
    number = float(text.rstrip("f"))
    new = 1.0 if number == 0 else number * (1000 if number < 1e-6 else 2)
    return repr(new) + ("f" if text.endswith("f") else "")


def one_of(pairs: str) -> Callable[[str], str]:
    """Return what maps each word of `old/new old/new …`."""
    table = dict(pair.split("→") for pair in pairs.split())
    return lambda text: table[text]


# Kind, where (the layout is clang-format's), what is written there instead.
_SITES: list[tuple[str, str, Callable[[str], str]]] = [
    ("sign", r"(?<=[\w\])] )[+-](?= )|[+-](?==)", one_of("+→- -→+")),
    ("sign", r"(?:(?<=[,=?:] )|(?<=\()|(?<=return ))-(?=[\w(])", lambda _: ""),
    ("off by one", r"(?<=[\w\])]) [+-] 1(?![\w.])", lambda _: ""),
    ("off by one", r"(?<=\w\[)[a-z]\w*(?=\])", lambda text: f"{text} + 1"),
    ("off by one", r"(?<= < )[a-z][\w.>-]*(?=;)", lambda text: f"{text} - 1"),
    ("relation", r"(?<= )(?:[<>]=?|[=!]=)(?= )", one_of("<→<= <=→< >→>= >=→> ==→!= !=→==")),
    ("logic", r"&&|\|\|", one_of("&&→|| ||→&&")),
    ("constant", r"(?<![\w.\[])(?<!{)(?![+-] 1\b)\d+(?:\.\d*)?(?:[eE][-+]?\d+)?f?(?![\w.\]])", other_number),
    ("index", r"(?<=[\w\]]\[)[0-2](?=\])", one_of("0→1 1→2 2→0")),
    ("index", r"(?<=\w)\[\w+\]\[\w+\]", lambda text: "[{1}][{0}]".format(*re.findall(r"\w+", text))),
]
KINDS = ("sign", "off by one", "relation", "logic", "constant", "index")


def faults_of(file: str, text: str) -> Iterator[Fault]:
    """Return every fault that can be made in a file."""
    for number, line in enumerate(code_only(text).split("\n"), start=1):
        for kind, where, instead in _SITES:
            for found in re.finditer(where, line):
                in_brackets = line[: found.start()].endswith("[") or found[0].startswith("[")
                if in_brackets and _DECLARES.search(line[: found.start()].rstrip("[")):
                    continue
                new = instead(found[0])
                if new != found[0]:
                    yield Fault(file, number, found.start(), kind, found[0], new)


def draw(csrc: Path, seed: int) -> Iterator[Fault]:
    """Return all faults of the tree in an order that hangs on the seed, as many of each kind as there are.

    A line has its place in that order by its own text: a change elsewhere leaves it where it was.
    """
    files = sorted(path for pattern in PATTERNS for path in csrc.glob(pattern))
    left: dict[str, list[tuple[str, Fault]]] = {kind: [] for kind in KINDS}
    for path in files:
        file, text = path.relative_to(csrc).as_posix(), path.read_text(encoding="utf-8")
        lines, alike = text.split("\n"), Counter[str]()
        for fault in faults_of(file, text):
            line = lines[fault.line - 1].strip()
            change = f"{seed} {file} {line} {fault.kind} {fault.changed(lines[fault.line - 1]).strip()}"
            alike[change] += 1
            place = hashlib.sha256(f"{change} {alike[change]}".encode()).hexdigest()
            left[fault.kind].append((place, fault))
    for faults in left.values():
        faults.sort(key=lambda pair: pair[0])
    while any(left.values()):
        for kind in KINDS:
            if left[kind]:
                yield left[kind].pop()[1]
