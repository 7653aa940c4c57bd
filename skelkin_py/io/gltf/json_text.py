# SPDX-License-Identifier: MIT
"""JSON changed as text: what is not changed keeps every character, numbers as they were printed."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

_SPACE = re.compile(r"[ \t\r\n]*")
_SCAN = json.JSONDecoder().raw_decode

Span = tuple[int, int]


def compact(value: Any) -> str:
    """Return a value as JSON without spaces."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def members(text: str, begin: int) -> dict[str, Span]:
    """Return where the values of an object begin and end; the object begins at `begin`.

    Examples
    --------
    >>> text = '{"a": [1.0, 2], "b" : {}}'
    >>> {key: text[slice(*span)] for key, span in members(text, 0).items()}
    {'a': '[1.0, 2]', 'b': '{}'}
    """
    found: dict[str, Span] = {}
    at = _skip(text, begin + 1)
    while text[at] != "}":
        key, at = _SCAN(text, at)
        at = _skip(text, _skip(text, at) + 1)
        _, end = _SCAN(text, at)
        found[key] = at, end
        at = _after(text, end)
    return found


def elements(text: str, begin: int) -> list[Span]:
    """Return where the elements of a list begin and end; the list begins at `begin`.

    Examples
    --------
    >>> text = ' [1.50, {"b": 2}]'
    >>> [text[slice(*span)] for span in elements(text, 1)]
    ['1.50', '{"b": 2}']
    """
    found: list[Span] = []
    at = _skip(text, begin + 1)
    while text[at] != "]":
        _, end = _SCAN(text, at)
        found.append((at, end))
        at = _after(text, end)
    return found


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    assert match is not None
    return match.end()


def _after(text: str, end: int) -> int:
    """Return where the next element begins, or what ends them all."""
    at = _skip(text, end)
    return _skip(text, at + 1) if text[at] == "," else at


class Edits:
    """Changes of a text of JSON, made all at once; places are those of the text as it was.

    Parameters
    ----------
    text : str
        An object.

    Examples
    --------
    >>> edits = Edits('{"a": [1.50], "n": 7}')
    >>> edits.append("a", ["2", "3"])
    >>> edits.append("b", ["{}"])
    >>> edits.put(edits.root["n"], "8")
    >>> edits.result()
    '{"a": [1.50,2,3], "n": 8,"b":[{}]}'
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.begin = _skip(text, 0)
        self.root = members(text, self.begin)
        self._changes: list[tuple[int, int, str]] = []
        self._added = 0

    def put(self, span: Span, new: str) -> None:
        """Put a text in place of another."""
        self._changes.append((*span, new))

    def append(self, key: str, values: Sequence[str]) -> None:
        """Append elements to a list of the root, which is added where it is missing."""
        if not values:
            return
        if key in self.root:
            self.append_to(self.root[key], values)
        else:
            self.add_member(key, f"[{','.join(values)}]")

    def append_to(self, span: Span, values: Sequence[str]) -> None:
        """Append elements to the list at a place."""
        found = elements(self.text, span[0])
        at = found[-1][1] if found else span[0] + 1
        self._changes.append((at, at, ("," if found else "") + ",".join(values)))

    def add_member(self, key: str, value: str) -> None:
        """Add a member to the root."""
        ends = [end for _, end in self.root.values()]
        at = max(ends) if ends else self.begin + 1
        comma = "," if ends or self._added else ""
        self._added += 1
        self._changes.append((at, at, f"{comma}{compact(key)}:{value}"))

    def result(self) -> str:
        """Return the text with all changes."""
        parts, at = [], 0
        for begin, end, new in sorted(self._changes, key=lambda change: change[:2]):
            parts += [self.text[at:begin], new]
            at = end
        return "".join([*parts, self.text[at:]])
